"""What a paper's file says of a game: its parameters, rules, printed strategies and citation, all as data."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

from relance.model.deal import Deal
from relance.model.numbers import Number, exact, show, whole
from relance.model.strategy import Plan
from relance.model.tree import BettingTree


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


@dataclass(frozen=True)
class Parameter:
    """A parameter of a game: its default, what it may be, and a sentence on it."""

    default: Number
    kind: Literal["chips", "count", "probability"]
    doc: str
    least: int = 0

    @property
    def allowed(self) -> str:
        """What the parameter may be, in words."""
        return {
            "chips": "a number above 0",
            "count": f"a whole number from {self.least}",
            "probability": "a number from 0 to 1",
        }[self.kind]

    def read(self, name: str, value: object) -> Number:
        """Return `value` as an exact number, or raise ValueError or TypeError naming it and what is allowed."""
        number = whole(value, name) if self.kind == "count" else exact(value, name)
        fits = {
            "chips": lambda: number > 0,
            "count": lambda: number >= self.least,
            "probability": lambda: 0 <= number <= 1,
        }
        if not fits[self.kind]():
            raise ValueError(f"{name}={show(number)} must be {self.allowed}")
        return number


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
        numbers: the printed numbers by their letter, as formulas in `Blueprint.letters`, family parameters and earlier letters.
        plan: from the evaluated numbers and the tree to the plan of `Profile.of`.
        family: free parameters of the family.
        refuses: from the parameters to a reason why nothing is printed for them, or None.
        misprints: letters whose print is wrong, with the formula as printed; `numbers` then holds the right one.
    """

    source: Source
    numbers: Mapping[str, str]
    plan: Callable[[Mapping[str, Number], BettingTree], Plan]
    family: Mapping[str, Family] = field(default_factory=dict)
    refuses: Callable[[Mapping[str, Number]], str | None] = lambda parameters: None
    misprints: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Blueprint:
    """Everything that a paper's file says of a game, for all parameters.

    Attributes:
        name: the registered name.
        title: one line.
        source: where it comes from.
        parameters: by name, in order.
        build: from the parameters to tree and deal; its docstring gives the rules.
        letters: the paper's letters as formulas in the parameters.
        printed: published profiles; the first that does not refuse the parameters is used.
        samples: parameters at which tests and confirmations look at the game.
    """

    name: str
    title: str
    source: Source
    parameters: Mapping[str, Parameter]
    build: Callable[..., tuple[BettingTree, Deal]]
    letters: Mapping[str, str] = field(default_factory=dict)
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
