"""What a paper's file says of a game: its parameters, rules, printed strategies and citation, all as data."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from relance.model.deal import Deal
from relance.model.numbers import Number
from relance.model.parameters import Parameter
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
