"""`Blueprint`, the description of a game as data: its parameters, rules, published strategies and citation."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias, TypeVar

from relance.model.arguments import checked
from relance.model.conditions import conditions_of
from relance.model.deal import Deal
from relance.model.numbers import Number, formula
from relance.model.parameters import Parameter
from relance.model.renamed import HasOldNames
from relance.model.strategy import Plan
from relance.model.tree import BettingTree

Parameters: TypeAlias = Mapping[str, Any]
"""The exact values of a game's parameters, by name."""

Formulas: TypeAlias = Mapping[str, Any] | Callable[[Parameters], Mapping[str, Any]]
"""The numbers that a paper prints, {symbol: formula as text or exact number}, or a function from parameters to them."""


@dataclass(frozen=True)
class Source:
    """The publication that states a game, a strategy or a theorem, and the place in it.

    Attributes:
        key: the folder of claims that it belongs to, such as "miao-2014"; several publications may share one.
        authors: initials and names, such as "C. Ferguson and T. S. Ferguson".
        title, year: of the publication.
        where: the place in it, such as "Section 3".
        published_in: the journal with volume and pages, the book, or the institution.
    """

    key: str
    authors: str
    title: str
    year: int
    where: str
    published_in: str = ""

    def __str__(self) -> str:
        return f"{self.authors} ({self.year}), {self.title}. {self.where}"

    @property
    def citation(self) -> str:
        """The publication without the place in it: authors, year, title and `published_in`."""
        return f"{self.authors} ({self.year}), {self.title}" + f". {self.published_in}" * bool(self.published_in)


@dataclass(frozen=True)
class Family:
    """A free parameter of a published family of equilibria: default, description, and the least and greatest value."""

    default: Fraction
    doc: str
    least: Fraction = Fraction(0)
    most: Fraction = Fraction(1)


@dataclass(frozen=True)
class Misprint:
    """A misprinted number: its `text` as printed, and the claim that refutes it, such as "miao-2014/value"."""

    text: Any
    claim: str


Misprints: TypeAlias = Mapping[str, Misprint] | Callable[[Parameters], Mapping[str, Misprint]]
"""{symbol: misprint}, or a function from the parameters of the game to such a mapping."""


@dataclass(frozen=True)
class Printed:
    """A published profile: the printed numbers, and a function from them to the profile.

    Attributes:
        source: where it is printed.
        numbers: the printed numbers; formulas may use `Blueprint.symbols`, family parameters and earlier symbols.
        plan: a function of the evaluated numbers and the tree; returns {node: {action: probabilities}}, see `Profile.of`.
        family: the free parameters by name, if the paper prints a family of equilibria.
        where: conditions on the parameters and `Blueprint.symbols`, such as "B <= 2"; the profile applies where all hold.
        refuses: a check beyond `where`: a function of the parameters; returns None if the profile applies, else why not or "".
        misprints: the misprinted numbers; `numbers` holds the corrections.
        free: symbols that can change without leaving equilibrium, because they only matter off the path of play or are not unique.
        precision: the largest NashConv, in antes, that rounding of the printed numbers causes; 0 if they are exact.
    """

    source: Source
    numbers: Formulas
    plan: Callable[[Mapping[str, Number], BettingTree], Plan]
    family: Mapping[str, Family] = field(default_factory=dict)
    where: Sequence[str] = ()
    refuses: Callable[[Parameters], str | None] = lambda parameters: None
    misprints: Misprints = field(default_factory=dict)
    precision: Fraction = Fraction(0)
    free: Collection[str] = ()

    def formulas(self, parameters: Parameters, as_printed: bool = False) -> dict[str, Any]:
        """{symbol: formula or number} for these parameters: corrected, or with the misprints if `as_printed`."""
        numbers = dict(_for(self.numbers, parameters))
        if as_printed:
            numbers |= {symbol: misprint.text for symbol, misprint in self.wrong(parameters).items()}
        return numbers

    def wrong(self, parameters: Parameters) -> Mapping[str, Misprint]:
        """The misprints for these parameters, {symbol: misprint}; empty if there are none."""
        return _for(self.misprints, parameters)


T = TypeVar("T")


def _for(table: Mapping[str, T] | Callable[[Parameters], Mapping[str, T]], parameters: Parameters) -> Mapping[str, T]:
    return table(parameters) if callable(table) else table


@checked
@dataclass(frozen=True)
class Blueprint(HasOldNames):
    """The description of a game, for all values of its parameters.

    Attributes:
        name: the name under which it is registered.
        title: one line, for listings.
        source: where it comes from.
        parameters: the kind of each parameter, by name, in order.
        build: makes the tree and the deal from the parameters; its docstring gives the rules.
        symbols: the paper's symbols as formulas in the parameters, or as numbers.
        printed: published profiles; the first that applies to the parameters is used.
        samples: parameter values for which tests and confirmations make the game.
        result: what the paper found, in a sentence or two of Markdown, for the head of the game's page.
        short: a short name for the parameters, such as "Kuhn, 3 cards"; None for the title.
        related: other papers that state or solve the game.
        aliases: {another name of the game: the parameter values that it stands for}.
    """

    name: str
    title: str
    source: Source
    parameters: Mapping[str, Parameter]
    build: Callable[..., tuple[BettingTree, Deal]]
    symbols: Mapping[str, Any] = field(default_factory=dict)
    printed: Sequence[Printed] = ()
    samples: Sequence[Mapping[str, object]] = ({},)
    result: str = ""
    short: Callable[[Parameters], str] | None = None
    related: Sequence[Source] = ()
    aliases: Mapping[str, Mapping[str, object]] = field(default_factory=dict)

    def papers(self) -> list[Source]:
        """Return the papers to cite for the game, each once."""
        papers: dict[str, Source] = {}
        for source in (self.source, *(printed.source for printed in self.printed), *self.related):
            papers.setdefault(source.title, source)
        return list(papers.values())

    def short_name(self, parameters: Parameters) -> str:
        """Return a short name for tables, followed by the parameters that it does not name and that differ from their defaults."""
        asked = _Asked(parameters)
        name = self.short(asked) if self.short else self.title
        others = [
            f"{key}={kind.text(parameters[key])}"
            for key, kind in self.parameters.items()
            if key not in asked.keys_read and kind.text(parameters[key]) != kind.text(kind.default)
        ]
        return ", ".join([name, *others])

    def values(self, parameters: Parameters) -> dict[str, Number]:
        """{symbol of the paper: its value for these parameters}."""
        items = self.symbols.items()
        return {symbol: formula(m, parameters) if isinstance(m, str) else m for symbol, m in items}

    def printed_index(self, parameters: Parameters) -> int | None:
        """Return the index in `printed` of the published profile for these parameters; None if there is none."""
        known = {**parameters, **self.values(parameters)}
        return next(
            (
                k
                for k, printed in enumerate(self.printed)
                if all(_true(condition, known) for condition in printed.where) and printed.refuses(parameters) is None
            ),
            None,
        )

    def refusal(self, parameters: Parameters) -> str:
        """Say why no published profile applies to these parameters: the failed conditions of the profiles that fail the fewest."""
        known = {**parameters, **self.values(parameters)}
        failed = [[text for text in printed.where if not _true(text, known)] for printed in self.printed]
        reasons = [
            f"one is published for {' and '.join(texts)}" if texts else printed.refuses(parameters)
            for texts, printed in zip(failed, self.printed, strict=True)
            if len(texts) == min(map(len, failed))
        ]
        return "; ".join(dict.fromkeys(filter(None, reasons))) or "the paper prints none"

    def __reduce__(self) -> tuple[Any, ...]:
        return _find, (self.build.__module__, self.name)


def _true(condition: str, known: Mapping[str, Number]) -> bool:
    return all(bool(part) for part in conditions_of(condition, known))


class _Asked(dict[str, Any]):
    """Parameters that record which of them were read."""

    def __init__(self, parameters: Parameters) -> None:
        super().__init__(parameters)
        self.keys_read: set[str] = set()

    def __getitem__(self, key: str) -> Any:
        self.keys_read.add(key)
        return super().__getitem__(key)


def counted(count: int, thing: str) -> str:
    """A count with its noun: "1 raise", "2 raises"."""
    return f"{count} {thing}{'s' * (count != 1)}"


def _find(module: str, name: str) -> Blueprint:
    items = vars(importlib.import_module(module)).values()
    return next(item for item in items if isinstance(item, Blueprint) and item.name == name)
