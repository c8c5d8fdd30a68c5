"""Claims of papers, and how they are decided."""

from __future__ import annotations

import importlib
import pkgutil
import time
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from importlib import resources
from typing import Any, Literal, TypeAlias

from relance.model.numbers import DependsOnParametersError, FieldElement, Number, exact, formula

Method: TypeAlias = Literal["proved", "exact", "numeric"]
Verdict: TypeAlias = Literal["proved", "exact", "numeric", "refuted", "failed"]

MEANING: dict[Verdict, str] = {
    "proved": "for all parameters",
    "exact": "at stated points, without rounding",
    "numeric": "to a stated tolerance",
    "refuted": "false as printed, with a counterexample and a verified correction",
    "failed": "neither true nor corrected",
}
GARBLED = "garbled in our copy"
RESTORED = f"{GARBLED}, true as restored"
"""How reports label a claim whose text is restored, and one that needs no further correction."""


@dataclass(frozen=True)
class Finding:
    """What a check found.

    Attributes:
        holds: whether the statement is true.
        evidence: the numbers that show it; for a false statement a counterexample.
        method: how it was decided, see `MEANING`.
        domain: for which parameters.
        point: where a false statement fails: exact numbers, as text, by parameter.
    """

    holds: bool
    evidence: str
    method: Method = "exact"
    domain: str = ""
    point: Mapping[str, str] = field(default_factory=dict)

    def only_if(self, also: bool, evidence: str = "", domain: str = "") -> Finding:
        """This finding, except that it holds only if `also` is true, with `evidence` and `domain` replaced where given."""
        return replace(
            self, holds=self.holds and also, evidence=evidence or self.evidence, domain=domain or self.domain
        )


class Numbers(Mapping[str, Fraction]):
    """The printed numbers of a claim: formulas by letter, evaluated exactly in the field of the letters they contain."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.texts = dict(texts)

    def __getitem__(self, letter: str) -> Fraction:
        """The number `letter`, whose formula must contain no letters."""
        value = formula(self.texts[letter], {})
        assert isinstance(value, Fraction)
        return value

    def __iter__(self) -> Iterator[str]:
        return iter(self.texts)

    def __len__(self) -> int:
        return len(self.texts)

    def at(self, **letters: object) -> dict[str, Number]:
        """All numbers, evaluated with these letters. A number may use those before it."""
        known: dict[str, Number] = {
            name: value if isinstance(value, FieldElement) else exact(value, name) for name, value in letters.items()
        }
        for letter, text in self.texts.items():
            known[letter] = formula(text, known)
        return {letter: known[letter] for letter in self.texts}


Check: TypeAlias = Callable[[Numbers], Finding]


def look(check: Check, texts: Mapping[str, str]) -> Finding:
    """Run a check. A statement that holds only for some parameters of its region counts as false."""
    try:
        return check(Numbers(texts))
    except DependsOnParametersError as error:
        return Finding(False, f"not for all parameters: {error}")


@dataclass(frozen=True)
class Claim:
    """One checkable statement of a paper.

    Attributes:
        id: short name, unique in its paper.
        section: the section of the paper.
        games: the registered games that it is about.
        statement: what it says, in our words and with the printed numbers.
        check: from the numbers to a finding.
        printed: the printed numbers, as formulas.
        recorded: the verdict that this claim is known to have.
        restored: how we restored the text where our copy lost signs or fractions.
        note: our reading, where the statement is ambiguous.
        correction: for a refuted statement, the right one.
        corrected: the right numbers; `right`, if given, checks them instead of `check`.
    """

    id: str
    section: str
    games: tuple[str, ...]
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
        """Check the statement and, if it is false, its correction. Return the verdict and the finding."""
        finding = look(self.check, self.printed)
        if finding.holds:
            return finding.method, finding
        if not self.correction:
            return "failed", finding
        mended = look(self.confirm, self.corrected)
        if mended.holds:
            return "refuted", replace(finding, method=mended.method, domain=mended.domain or finding.domain)
        evidence = f"{finding.evidence}; and the correction fails too: {mended.evidence}"
        return "failed", Finding(False, evidence, mended.method, mended.domain)

    @property
    def confirm(self) -> Check:
        """The check of the correct statement: the claim itself, or its correction where the print is wrong."""
        return self.right or self.check

    @property
    def true_numbers(self) -> Mapping[str, str]:
        """The numbers of the correct statement."""
        return self.corrected if self.correction else self.printed


@dataclass(frozen=True)
class Paper:
    """A paper and its claims."""

    key: str
    citation: str
    claims: tuple[Claim, ...]


def load(folder: str) -> Paper:
    """Read the claims of one paper: `claims.toml` in its folder, with the checks that the modules beside it define.

    `check` names one of these functions and `with` gives its keyword arguments; `right` and `right_with` do so for the
    correction, and default to the same. `games` at the top of the file applies to claims that name none.

    Raises:
        ValueError: two modules define a check of the same name, or a claim names no game or an unknown check.
    """
    package = f"relance.claims.{folder}"
    data = tomllib.loads(resources.files(package).joinpath("claims.toml").read_text(encoding="utf-8"))
    checks = _checks(package)
    claims = (_claim({"games": data.get("games"), **entry}, checks, package) for entry in data["claim"])
    return Paper(data["key"], data["citation"], tuple(claims))


def _checks(package: str) -> dict[str, Callable[..., Finding]]:
    """The public functions of a paper's modules, by name."""
    checks: dict[str, Callable[..., Finding]] = {}
    for item in pkgutil.iter_modules(importlib.import_module(package).__path__):
        module = importlib.import_module(f"{package}.{item.name}")
        for name, function in vars(module).items():
            if name.startswith("_") or getattr(function, "__module__", "") != module.__name__:
                continue
            if name in checks:
                raise ValueError(f"{checks[name].__module__} and {module.__name__} both define {name!r}: rename one")
            checks[name] = function
    return checks


def _claim(entry: dict[str, Any], checks: Mapping[str, Callable[..., Finding]], package: str) -> Claim:
    name, arguments = entry.pop("check"), entry.pop("with", {})
    right, right_arguments = entry.pop("right", None), entry.pop("right_with", None)
    for wanted in (name, right or name):
        if wanted not in checks:
            raise ValueError(f"claim {entry['id']!r} names the check {wanted!r}, which no module of {package} defines")
    if entry["games"] is None:
        raise ValueError(f"claim {entry['id']!r} of {package} names no games")
    if right or right_arguments is not None:
        entry["right"] = partial(checks[right or name], **(right_arguments or {}))
    return Claim(check=partial(checks[name], **arguments), **{**entry, "games": tuple(entry["games"])})


@dataclass(frozen=True)
class Result:
    """A decided claim, as `relance verify --json` writes it: the fields of the claim, of its finding, and the verdict.

    Attributes:
        id: the paper's key and the claim's id, "paper/claim".
        as_recorded: whether the verdict is the recorded one.
        seconds: how long it took to decide.
    """

    id: str
    paper: str
    section: str
    games: tuple[str, ...]
    statement: str
    verdict: Verdict
    method: Method
    domain: str
    evidence: str
    point: Mapping[str, str]
    printed: Mapping[str, str]
    correction: str
    corrected: Mapping[str, str]
    restored: str
    note: str
    seconds: float
    as_recorded: bool


def decide(paper: Paper, claim: Claim) -> Result:
    """Decide one claim and time it. An error in a check makes the verdict "failed", with the error as evidence."""
    start = time.perf_counter()
    try:
        verdict, finding = claim.decide()
    except ImportError:
        raise
    except Exception as error:
        verdict, finding = "failed", Finding(False, f"the check raised an error: {type(error).__name__}: {error}")
    said = ("section", "games", "statement", "printed", "correction", "corrected", "restored", "note")
    shown = ("method", "domain", "evidence", "point")
    return Result(
        id=f"{paper.key}/{claim.id}",
        paper=paper.key,
        verdict=verdict,
        **{name: getattr(claim, name) for name in said},
        **{name: getattr(finding, name) for name in shown},
        seconds=round(time.perf_counter() - start, 4),
        as_recorded=verdict == claim.recorded,
    )


@dataclass(frozen=True)
class Planted:
    """A printed number changed on purpose, and whether the check noticed."""

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
            finding = look(claim.confirm, {**claim.true_numbers, letter: moved})
            yield Planted(f"{paper.key}/{claim.id}", letter, moved, not finding.holds)
