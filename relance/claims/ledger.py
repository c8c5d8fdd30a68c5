"""What a claim is, and what it means to decide one."""

from __future__ import annotations

import importlib
import pkgutil
import time
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from importlib import resources
from typing import Any, Literal, TypeAlias

from relance.model.numbers import DependsOnParametersError, FieldElement, exact, formula

Method: TypeAlias = Literal["proved", "exact", "numeric"]
Verdict: TypeAlias = Literal["proved", "exact", "numeric", "refuted", "failed"]


@dataclass(frozen=True)
class Finding:
    """What a check found.

    Attributes:
        holds: whether the statement is true.
        evidence: the numbers that show it; for a false statement a counterexample.
        method: "proved" for all parameters of the domain, "exact" at stated points, or "numeric" with its tolerance.
        domain: for which parameters.
    """

    holds: bool
    evidence: str
    method: Method = "exact"
    domain: str = ""


class Numbers(Mapping[str, Any]):
    """The printed numbers of a claim: texts by letter, read exactly in whatever field their letters lie."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.texts = dict(texts)

    def __getitem__(self, letter: str) -> Fraction:
        """The number `letter`, which has no letters of its own in it."""
        value = formula(self.texts[letter], {})
        assert isinstance(value, Fraction)
        return value

    def __iter__(self) -> Iterator[str]:
        return iter(self.texts)

    def __len__(self) -> int:
        return len(self.texts)

    def at(self, **letters: object) -> dict[str, Any]:
        """All numbers, evaluated with these letters; a number may use those before it."""
        known: dict[str, Any] = {
            name: value if isinstance(value, FieldElement) else exact(value, name) for name, value in letters.items()
        }
        for letter, text in self.texts.items():
            known[letter] = formula(text, known)
        return {letter: known[letter] for letter in self.texts}


Check: TypeAlias = Callable[[Numbers], Finding]


def look(check: Check, texts: Mapping[str, str]) -> Finding:
    """Run a check; what holds for some parameters of its region and not for others does not hold."""
    try:
        return check(Numbers(texts))
    except DependsOnParametersError as error:
        return Finding(False, f"not for all parameters: {error}")


@dataclass(frozen=True)
class Claim:
    """One checkable statement of a paper.

    Attributes:
        id: short name, unique in its paper.
        section: where it stands.
        statement: what it says, in our words and with the printed numbers.
        check: from the numbers to a finding.
        printed: the printed numbers, as formulas.
        recorded: the verdict that this claim is known to have.
        restored: how the transcription is read, where it lost signs or fractions.
        note: how we take it, where it can be taken in more than one way.
        correction: for a refuted statement, the right one.
        corrected: the right numbers; `right`, if given, checks them instead of `check`.
    """

    id: str
    section: str
    statement: str
    check: Check
    printed: Mapping[str, str] = field(default_factory=dict)
    recorded: Verdict = "exact"
    restored: str = ""
    note: str = ""
    correction: str = ""
    corrected: Mapping[str, str] = field(default_factory=dict)
    right: Check | None = None

    def decide(self) -> tuple[Verdict, Finding]:
        """Check the statement, and for a false one its correction: the verdict, and what was found."""
        found = look(self.check, self.printed)
        if found.holds:
            return found.method, found
        if not self.correction:
            return "failed", found
        mended = look(self.confirm, self.corrected)
        if not mended.holds:
            return "failed", Finding(
                False,
                f"{found.evidence}; and the correction fails too: {mended.evidence}",
                mended.method,
                mended.domain,
            )
        return "refuted", Finding(False, found.evidence, mended.method, mended.domain or found.domain)

    @property
    def confirm(self) -> Check:
        """The check of what is right: of the correction where the print is wrong."""
        return self.right or self.check

    @property
    def true_numbers(self) -> Mapping[str, str]:
        """The numbers of what is right."""
        return (self.corrected if self.correction else self.printed) or {}


@dataclass(frozen=True)
class Paper:
    """A paper and its claims."""

    key: str
    citation: str
    claims: tuple[Claim, ...]


def load(folder: str) -> Paper:
    """Read the claims of one paper: `claims.toml` in its folder, with the checks that the modules beside it define.

    `check` names a function of them, `with` its keyword arguments; `right` and `right_with` likewise for the
    correction, by default the same.
    """
    package = f"relance.claims.{folder}"
    data = tomllib.loads(resources.files(package).joinpath("claims.toml").read_text(encoding="utf-8"))
    checks: dict[str, Check] = {}
    for found in pkgutil.iter_modules(importlib.import_module(package).__path__):
        module = importlib.import_module(f"{package}.{found.name}")
        checks |= {
            name: item for name, item in vars(module).items() if getattr(item, "__module__", "") == module.__name__
        }
    claims = []
    for entry in data["claim"]:
        check, arguments = entry.pop("check"), entry.pop("with", {})
        right, right_arguments = entry.pop("right", None), entry.pop("right_with", None)
        if right or right_arguments is not None:
            entry["right"] = partial(checks[right or check], **(right_arguments or {}))
        claims.append(Claim(check=partial(checks[check], **arguments), **entry))
    return Paper(data["key"], data["citation"], tuple(claims))


@dataclass(frozen=True)
class Result:
    """A decided claim, as `relance verify --json` writes it."""

    id: str
    paper: str
    section: str
    statement: str
    verdict: Verdict
    method: Method
    domain: str
    evidence: str
    correction: str
    restored: str
    note: str
    seconds: float
    as_recorded: bool


def decide(paper: Paper, claim: Claim) -> Result:
    """Decide one claim and time it. An error in a check makes the verdict "failed", with the error as evidence."""
    start = time.perf_counter()
    try:
        verdict, found = claim.decide()
    except ImportError:
        raise
    except Exception as error:
        verdict, found = "failed", Finding(False, f"the check broke: {type(error).__name__}: {error}")
    return Result(
        id=f"{paper.key}/{claim.id}",
        paper=paper.key,
        section=claim.section,
        statement=claim.statement,
        verdict=verdict,
        method=found.method,
        domain=found.domain,
        evidence=found.evidence,
        correction=claim.correction,
        restored=claim.restored,
        note=claim.note,
        seconds=round(time.perf_counter() - start, 4),
        as_recorded=verdict == claim.recorded,
    )


@dataclass(frozen=True)
class Planted:
    """A printed number moved on purpose, and whether the check noticed."""

    claim: str
    letter: str
    text: str
    caught: bool


STEP = Fraction(1, 1000)


def plant(paper: Paper, claim: Claim) -> Iterator[Planted]:
    """Move each number of a claim's right statement by 1/1000, up and down, and see whether the check then fails."""
    for letter, text in claim.true_numbers.items():
        for sign in "+-":
            moved = f"({text}) {sign} {STEP}"
            found = look(claim.confirm, {**claim.true_numbers, letter: moved})
            yield Planted(f"{paper.key}/{claim.id}", letter, moved, not found.holds)
