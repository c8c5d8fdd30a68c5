"""What a paper's file says of a game: its parameters, rules, printed strategies and citation, all as data."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias

from relance.model.deal import Deal
from relance.model.numbers import Number
from relance.model.parameters import Parameter
from relance.model.strategy import Plan
from relance.model.tree import BettingTree

Parameters: TypeAlias = Mapping[str, Any]
"""The exact values of a game's parameters, by name."""

Formulas: TypeAlias = Mapping[str, Any] | Callable[[Parameters], Mapping[str, Any]]
"""Printed numbers by letter, as formulas or exact numbers; or a function from the parameters to them."""


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
        numbers: the printed numbers; formulas may use `Blueprint.letters`, family parameters and earlier letters.
        plan: from the evaluated numbers and the tree to the plan of `Profile.of`.
        family: free parameters of the family.
        refuses: from the parameters to the reason why nothing is printed for them ("" if it need not be said), or None.
        misprints: what is printed wrongly, as printed; `numbers` holds the corrections.
        free: letters that may move and leave an equilibrium, because what they say is never reached or is not unique.
        precision: the most NashConv, in antes, that the profile has because its numbers are rounded; 0 if it is exact.
    """

    source: Source
    numbers: Formulas
    plan: Callable[[Mapping[str, Number], BettingTree], Plan]
    family: Mapping[str, Family] = field(default_factory=dict)
    refuses: Callable[[Parameters], str | None] = lambda parameters: None
    misprints: Formulas = field(default_factory=dict)
    precision: Fraction = Fraction(0)
    free: Collection[str] = ()

    def formulas(self, parameters: Parameters, as_printed: bool = False) -> dict[str, Any]:
        """The numbers as formulas for these parameters, with the misprints if `as_printed`."""
        parts = (self.numbers, self.misprints) if as_printed else (self.numbers,)
        return {k: v for part in parts for k, v in (part(parameters) if callable(part) else part).items()}


@dataclass(frozen=True)
class Blueprint:
    """What a paper's file says of a game, for all parameters.

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
    items = vars(importlib.import_module(module)).values()
    return next(item for item in items if isinstance(item, Blueprint) and item.name == name)
