"""What a paper's file says of a game: its parameters, rules, printed strategies and citation, all as data."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal, TypeAlias

from relance.model.deal import Deal
from relance.model.laws import LAWS, law_text
from relance.model.numbers import Number, exact, show, whole
from relance.model.strategy import Plan
from relance.model.tree import MOST_BETS, BettingTree


@dataclass(frozen=True)
class Source:
    """Where a game or a statement comes from."""

    key: str
    authors: str
    title: str
    year: int
    where: str

    def __str__(self) -> str:
        return f"{self.authors} ({self.year}), {self.title}. {self.where}"


Kind: TypeAlias = Literal["chips", "amount", "count", "probability", "bets", "flag", "law"]


@dataclass(frozen=True)
class Parameter:
    """A parameter of a game: its default, what it may be, and a sentence on it.

    Kinds: "chips" above 0; "amount" of chips from 0; "count", a whole number from `least` to `most`; "probability"; "bets", a list
    of chips; "flag", true or false; "law", the text of a law of hands on [0, 1].
    """

    default: Any
    kind: Kind
    doc: str
    least: int = 0
    most: int = 1_000_000

    @property
    def allowed(self) -> str:
        """What the parameter may be, in words."""
        return {
            "chips": "a number above 0",
            "amount": "a number from 0",
            "count": f"a whole number from {self.least} to {self.most}",
            "probability": "a number from 0 to 1",
            "bets": f"from 1 to {MOST_BETS} numbers above 0, such as [2, 6] or '2;6'",
            "flag": "true or false",
            "law": f"a law of hands on [0, 1]: {', '.join(LAWS)}",
        }[self.kind]

    def read(self, name: str, value: object) -> Any:
        """Return `value` as an exact number (a tuple for bets), or raise ValueError or TypeError naming it and what is allowed."""
        match self.kind:
            case "bets":
                return self._bets(name, value)
            case "flag":
                return self._flag(name, value)
            case "law":
                return law_text(str(value))
            case "count":
                number: Any = whole(value, name)
                fits = self.least <= number <= self.most
            case _:
                number = exact(value, name)
                fits = number > 0 if self.kind == "chips" else number >= 0
                fits = fits and (self.kind != "probability" or number <= 1)
        if not fits:
            raise ValueError(f"{name}={show(number)} must be {self.allowed}")
        return number

    def _bets(self, name: str, value: object) -> tuple[Number, ...]:
        if isinstance(value, str):
            value = [part for part in value.replace(",", ";").split(";") if part.strip()]
        parts = list(value) if isinstance(value, (list, tuple)) else [value]
        bets = tuple(exact(part, name) for part in parts)
        if len(bets) > MOST_BETS:
            raise ValueError(f"{name} has {len(bets)} numbers; it must be {self.allowed}")
        if not bets or not all(bet > 0 for bet in bets):
            raise ValueError(f"{name}={self.text(bets)!r} must be {self.allowed}")
        return bets

    def _flag(self, name: str, value: object) -> bool:
        text = str(value).strip().lower()
        if text not in ("true", "false", "0", "1"):
            raise ValueError(f"{name}={value!r} must be {self.allowed}")
        return text in ("true", "1")

    def text(self, value: Any) -> str:
        """The value as text that `read` reads back, and that is no number where the value is none."""
        if self.kind == "bets":
            return ";".join(show(bet) for bet in value) + (";" if len(value) == 1 else "")
        return str(value).lower() if self.kind == "flag" else show(value)


@dataclass(frozen=True)
class Family:
    """A free parameter of a family of printed strategies, from `least` to `most`."""

    default: Fraction
    doc: str
    least: Fraction = Fraction(0)
    most: Fraction = Fraction(1)


@dataclass(frozen=True)
class Printed:
    """A published strategy profile, as data.

    Attributes:
        source: where it is printed.
        numbers: the printed numbers by their letter, as formulas in `Blueprint.letters`, family parameters and earlier letters;
            or a function from the parameters to formulas or exact numbers.
        plan: from the evaluated numbers and the tree to the plan of `Profile.of`.
        family: free parameters of the family.
        refuses: from the parameters to a reason why nothing is printed for them, "" where none need be said, or None.
        misprints: letters whose print is wrong, with the formula as printed; `numbers` then holds the right one.
        free: letters that may move and leave an equilibrium, because what they say is never reached or is not unique.
        precision: 0 if the profile is an exact equilibrium; otherwise its numbers are rounded, and NashConv is at most this.
    """

    source: Source
    numbers: Mapping[str, str] | Callable[[Mapping[str, Any]], Mapping[str, Any]]
    plan: Callable[[Mapping[str, Number], BettingTree], Plan]
    family: Mapping[str, Family] = field(default_factory=dict)
    refuses: Callable[[Mapping[str, Any]], str | None] = lambda parameters: None
    misprints: Mapping[str, str] = field(default_factory=dict)
    precision: Fraction = Fraction(0)
    free: Collection[str] = ()

    def formulas(self, parameters: Mapping[str, Any], as_printed: bool = False) -> Mapping[str, Any]:
        """The numbers as formulas for these parameters, with the misprints if `as_printed`."""
        numbers = self.numbers(parameters) if callable(self.numbers) else self.numbers
        return {**numbers, **self.misprints} if as_printed else numbers


@dataclass(frozen=True)
class Blueprint:
    """Everything that a paper's file says of a game, for all parameters.

    Attributes:
        name: the registered name.
        title: one line.
        source: where it comes from.
        parameters: by name, in order.
        build: from the parameters to tree and deal; its docstring gives the rules.
        letters: the paper's letters as formulas in the parameters, or as numbers.
        printed: published profiles; the first that does not refuse the parameters is used.
        samples: parameters at which tests and confirmations look at the game.
    """

    name: str
    title: str
    source: Source
    parameters: Mapping[str, Parameter]
    build: Callable[..., tuple[BettingTree, Deal]]
    letters: Mapping[str, Any] = field(default_factory=dict)
    printed: Sequence[Printed] = ()
    samples: Sequence[Mapping[str, object]] = ({},)

    def __reduce__(self) -> tuple[Any, ...]:
        return _find, (self.build.__module__, self.name)


def _find(module: str, name: str) -> Blueprint:
    found = [
        item
        for item in vars(importlib.import_module(module)).values()
        if isinstance(item, Blueprint) and item.name == name
    ]
    return found[0]
