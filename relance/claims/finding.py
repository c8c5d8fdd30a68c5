"""The result of a check, the parameters for which it holds, and the meaning of each verdict."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Literal, Protocol, TypeAlias, TypeVar

Method: TypeAlias = Literal["proved", "exact", "numeric"]
Verdict: TypeAlias = Literal["proved", "proved, given the argument", "exact", "numeric", "refuted", "open", "failed"]

VERDICT_MEANINGS: dict[Verdict, str] = {
    "proved": "for all parameters, by machine",
    "proved, given the argument": "by machine, except for a step that a person argued",
    "exact": "at stated points, without rounding",
    "numeric": "to a stated tolerance",
    "refuted": "false as printed, with a counterexample and a verified correction",
    "open": "not decided: a search found no counterexample, the prover cannot tell, or some of its domain is left",
    "failed": "neither true nor corrected",
}
"""What each verdict means."""

GARBLED = "garbled in our copy"
RESTORED = f"{GARBLED}, true as restored"
"""How reports label a claim whose text is restored, and one that needs no further correction."""


CheckT = TypeVar("CheckT", bound=Callable[..., object])


def unproved(step: str) -> Callable[[CheckT], CheckT]:
    """Mark a check that leaves this step to a person: each claim that names it must have an `argument` for the step, and no other may."""

    def marked(check: CheckT) -> CheckT:
        check.unproved = step  # type: ignore[attr-defined]  # functions take attributes
        return check

    return marked


class UndecidedError(ArithmeticError):
    """The prover gave up on a comparison."""


class Scope(Protocol):
    """For what a finding was decided: a `relance.claims.proof.Region`, or one of the classes below. Its text is the domain."""

    @property
    def for_all(self) -> bool:
        """True if all values of the parameters are covered, rather than some."""


@dataclass(frozen=True)
class At:
    """A single case, without parameters: a game or a point, shown as it prints."""

    what: object
    for_all: ClassVar[bool] = False

    def __str__(self) -> str:
        return str(self.what)


def listed(values: Mapping[str, object]) -> str:
    """A point or other values as text: B = 2, delta = 1/3."""
    return ", ".join(f"{name} = {value}" for name, value in values.items())


def spot(point: Mapping[str, object]) -> At:
    """The scope of a single point of some parameters."""
    return At(listed(point))


@dataclass(frozen=True, eq=False)
class Cases:
    """Some members of a family that has one for each whole number, such as games with 1, 2 and 3 raises.

    Attributes:
        name: what the whole number counts.
        members: for what each of them was decided.
        closed: whether an argument says why the others are like these.
    """

    name: str
    members: Mapping[object, tuple[Scope, ...]]
    closed: bool = False

    @property
    def for_all(self) -> bool:
        """True if each member is covered for all values of its parameters."""
        return all(scope.for_all for scopes in self.members.values() for scope in scopes)

    def __str__(self) -> str:
        last = "; ".join(map(str, list(self.members.values())[-1]))
        return f"{self.name} = {', '.join(map(str, self.members))}" + (f"; {last}" if last else "")


def joined(*all_parts: Mapping[str, tuple[Scope, ...]]) -> dict[str, tuple[Scope, ...]]:
    """Parts by name, each with its cases from all of these."""
    names = dict.fromkeys(name for parts in all_parts for name in parts)
    return {name: tuple(dict.fromkeys(case for parts in all_parts for case in parts.get(name, ()))) for name in names}


@dataclass(frozen=True)
class Finding:
    """The result of a check.

    Attributes:
        holds: whether the statement is true.
        evidence: the numbers that show it; for a false statement a counterexample.
        where: for what it was decided, see `Scope`.
        argument: what a person argued to get from the facts that the machine checked to the statement.
        tolerance: how close numbers must be, if they are not exact.
        searched: whether the check only looked for a counterexample.
        point: where a false statement fails: exact numbers, as text, by parameter.
        also: the samples at which the check saw facts that the statement needs too; they do not add to `where`.
        parts: the cases in which each named part of the statement was decided, to be compared with the domain of a claim.
        undecided: whether the prover could not tell: the statement does not `holds` then, and is not false either.
    """

    holds: bool
    evidence: str
    where: tuple[Scope, ...] = ()
    argument: str = ""
    tolerance: str = ""
    searched: bool = False
    point: Mapping[str, str] = field(default_factory=dict)
    also: tuple[Scope, ...] = ()
    parts: Mapping[str, tuple[Scope, ...]] = field(default_factory=dict)
    undecided: bool = False

    @property
    def cases(self) -> Mapping[str, tuple[Scope, ...]]:
        """The cases of each part. Without parts, a finding made in one place is one part, whose name is empty.

        One made in several places has a part for the regions of the same symbols, called by these, and one for each game or point.
        """
        if self.parts or len(self.where) == 1:
            return self.parts or {"": self.where}
        names = [", ".join(getattr(scope, "names", ())) or str(scope) for scope in self.where]
        return {name: tuple(s for s, of in zip(self.where, names, strict=True) if of == name) for name in names}

    def part(self, name: str = "", *cases: Scope) -> Finding:
        """This finding as one part of a statement: in the cases where it was made, or in these. Parts of one name add their cases."""
        return replace(self, parts={name: cases or self.where})

    def for_each(self, name: str, members: Mapping[object, tuple[Scope, ...]]) -> Finding:
        """This finding, made for these members of a family that has one for each whole number `name`; each is a part."""
        parts = {f"{name} = {k}": scopes for k, scopes in members.items()}
        return replace(self, where=(Cases(name, members),), parts=parts)

    @property
    def method(self) -> Method:
        """How it was decided. Members of an infinite family prove only themselves, unless an argument covers the rest."""
        if self.tolerance:
            return "numeric"
        closed = all(scope.closed for scope in self.where if isinstance(scope, Cases))
        return "proved" if self.where and closed and all(scope.for_all for scope in self.where) else "exact"

    @property
    def domain(self) -> str:
        """For which parameters the statement was decided, and to which tolerance."""
        where = list(dict.fromkeys(map(str, self.where)))
        beside = [text for text in dict.fromkeys(map(str, self.also)) if text not in where]
        seen = "also at " + "; ".join(beside) if beside else ""
        return "; ".join(filter(None, [*where, seen, self.tolerance]))

    def __str__(self) -> str:
        how = self.method if self.holds else "not decided" if self.undecided else "does not hold"
        return f"{how} for {self.domain}: {self.evidence}"

    @property
    def verdict(self) -> Verdict:
        """The verdict on the statement."""
        if self.searched or self.undecided:
            return "open"
        if not self.holds:
            return "refuted"
        return "proved, given the argument" if self.method == "proved" and self.argument else self.method

    def only_if(self, also: bool | Finding, evidence: str = "") -> Finding:
        """Return this finding, except that it holds only if `also` is true, with `evidence` replaced where given.

        If `also` is a finding, its location is shown too. The method of this finding stays, unless `also` was found less than exactly.
        """
        evidence = evidence or self.evidence
        if isinstance(also, bool):
            return replace(self, holds=self.holds and also, evidence=evidence)
        text = also.evidence if self.holds and not also.holds else evidence
        beside = (*self.also, *also.where, *also.also)
        return replace(together([self, also]), evidence=text, where=self.where, also=beside)

    def saying(self, evidence: str) -> Finding:
        """Return this finding with another evidence if it holds; unchanged if not."""
        return replace(self, evidence=evidence) if self.holds else self

    def given(self, argument: str) -> Finding:
        """This finding, with a person's argument that extends it to the whole statement, and to all members of a family."""
        if not argument:
            return self
        where = tuple(replace(scope, closed=True) if isinstance(scope, Cases) else scope for scope in self.where)
        return replace(self, where=where, argument=" ".join(filter(None, [self.argument, argument])))


def together(findings: Sequence[Finding] | Mapping[str, Finding]) -> Finding:
    """Check that all of these hold, with a name each as the part of this name.

    The evidence joins that of the failed ones, or of all if none failed.
    """
    if isinstance(findings, Mapping):
        return together([finding.part(name) for name, finding in findings.items()])
    if not findings:
        raise ValueError("the check looked at nothing, so it decides nothing")
    wrong = [finding for finding in findings if not finding.holds]

    def text(separator: str, texts: Iterable[str]) -> str:
        return separator.join(dict.fromkeys(filter(None, texts)))

    return Finding(
        not wrong,
        text("; ", (finding.evidence for finding in wrong or findings)),
        tuple(dict.fromkeys(scope for finding in findings for scope in finding.where)),
        text(" ", (finding.argument for finding in findings)),
        text("; ", (finding.tolerance for finding in findings)),
        any(finding.searched for finding in findings),
        next((finding.point for finding in wrong if finding.point), {}),
        tuple(dict.fromkeys(scope for finding in findings for scope in finding.also)),
        joined(*(finding.parts for finding in findings)),
        bool(wrong) and all(finding.undecided for finding in wrong),
    )
