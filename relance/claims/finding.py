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
"""The meaning of each verdict on a statement."""

GARBLED = "garbled in our copy"
RESTORED = f"{GARBLED}, true as restored"
"""Labels in reports: of a claim whose text is damaged in our copy of the paper, and of one that is true as restored."""


CheckT = TypeVar("CheckT", bound=Callable[..., object])


def unproved(step: str) -> Callable[[CheckT], CheckT]:
    """Mark a check that leaves `step` to a person: a claim with this check must have an `argument` for this step."""

    def marked(check: CheckT) -> CheckT:
        check.unproved = step  # type: ignore[attr-defined]  # functions take attributes
        return check

    return marked


class UndecidedError(ArithmeticError):
    """The prover could neither prove nor refute a comparison or another statement about a region."""


class Scope(Protocol):
    """The scope of a finding, the parameters or game for which it was decided: a `Region`, an `At` or a `Cases`."""

    @property
    def for_all(self) -> bool:
        """True if the finding is for all values of the parameters in the scope, rather than for some."""


@dataclass(frozen=True)
class At:
    """The scope of a finding about a single case, without parameters: `what` is a game, or a point as text."""

    what: object
    for_all: ClassVar[bool] = False

    def __str__(self) -> str:
        return str(self.what)


def listed(values: Mapping[str, object]) -> str:
    """The values of a mapping as text, such as "B = 2, delta = 1/3"."""
    return ", ".join(f"{name} = {value}" for name, value in values.items())


def spot(point: Mapping[str, object]) -> At:
    """The scope of a finding at a single point {parameter: value}."""
    return At(listed(point))


@dataclass(frozen=True, eq=False)
class Cases:
    """The scope of a finding about some members of a family, such as games with 1, 2 and 3 raises.

    Attributes:
        name: what is counted to tell the members apart, such as "raises".
        members: {whole number of a member, such as 2 for two raises: scopes for which this member was decided}.
        closed: whether a person's argument extends the finding to all other members.
    """

    name: str
    members: Mapping[object, tuple[Scope, ...]]
    closed: bool = False

    @property
    def for_all(self) -> bool:
        """True if each member of the family, such as the game with 2 raises, was decided for all values of that member's parameters."""
        return all(scope.for_all for scopes in self.members.values() for scope in scopes)

    def __str__(self) -> str:
        last = "; ".join(map(str, list(self.members.values())[-1]))
        return f"{self.name} = {', '.join(map(str, self.members))}" + (f"; {last}" if last else "")


def joined(*all_parts: Mapping[str, tuple[Scope, ...]]) -> dict[str, tuple[Scope, ...]]:
    """Merge mappings {part of a statement: its scopes (regions, games or points)}: a part gets the scopes of all, without repeats."""
    names = dict.fromkeys(name for parts in all_parts for name in parts)
    return {name: tuple(dict.fromkeys(case for parts in all_parts for case in parts.get(name, ()))) for name in names}


@dataclass(frozen=True)
class Finding:
    """The result of a check: whether a statement holds, for which parameters, and what shows it.

    Attributes:
        holds: whether the statement is true.
        evidence: the numbers that show it; for a false statement a counterexample.
        where: the regions, games or points for which the statement was decided; see `Scope`.
        argument: a person's argument from the facts that the machine checked to the statement.
        tolerance: how close numbers must be, if they are not exact.
        searched: whether the check only looked for counterexamples, or left a part of the domain open.
        point: where a false statement fails, {parameter: exact number as text}.
        also: regions, games or points for which the check decided further facts that the statement needs; `method` ignores these facts.
        parts: {part of the statement: regions, games or points for which this part was decided}; they must cover the domain of a claim.
        undecided: whether the prover could not tell; then `holds` is False, though the statement may be true.
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
        """{part of the statement: regions, games or points for which it was decided}; this is `parts` unless `parts` is empty.

        If `parts` is empty, `where` is divided: a single entry becomes one part, named "". Otherwise all regions with the same symbols
        form one part, named after these symbols, and each game or point is a part of its own, named by its text.
        """
        if self.parts or len(self.where) == 1:
            return self.parts or {"": self.where}
        names = [", ".join(getattr(scope, "names", ())) or str(scope) for scope in self.where]
        return {name: tuple(s for s, of in zip(self.where, names, strict=True) if of == name) for name in names}

    def part(self, name: str = "", *cases: Scope) -> Finding:
        """Return this finding as one about a statement's part `name`, for the regions, games or points `cases` (default: `self.where`)."""
        return replace(self, parts={name: cases or self.where})

    def for_each(self, name: str, members: Mapping[object, tuple[Scope, ...]]) -> Finding:
        """Return this finding as one about some members of a family, such as games with 1, 2 and 3 raises; each member becomes a part.

        `name` says what is counted, such as "raises". `members` is {count: regions, games or points for which this member was decided}.
        """
        parts = {f"{name} = {k}": scopes for k, scopes in members.items()}
        return replace(self, where=(Cases(name, members),), parts=parts)

    @property
    def method(self) -> Method:
        """How the statement was decided: "numeric" (to a tolerance), else "proved" (for all parameters and games) or "exact" (for some)."""
        if self.tolerance:
            return "numeric"
        closed = all(scope.closed for scope in self.where if isinstance(scope, Cases))
        return "proved" if self.where and closed and all(scope.for_all for scope in self.where) else "exact"

    @property
    def domain(self) -> str:
        """For which parameters or games the statement was decided, and to which tolerance, as text."""
        where = list(dict.fromkeys(map(str, self.where)))
        beside = [text for text in dict.fromkeys(map(str, self.also)) if text not in where]
        seen = "also at " + "; ".join(beside) if beside else ""
        return "; ".join(filter(None, [*where, seen, self.tolerance]))

    def __str__(self) -> str:
        how = self.method if self.holds else "not decided" if self.undecided else "does not hold"
        return f"{how} for {self.domain}: {self.evidence}"

    @property
    def verdict(self) -> Verdict:
        """The verdict on the statement, a key of `VERDICT_MEANINGS`."""
        if self.searched or self.undecided:
            return "open"
        if not self.holds:
            return "refuted"
        return "proved, given the argument" if self.method == "proved" and self.argument else self.method

    def only_if(self, also: bool | Finding, evidence: str = "") -> Finding:
        """Return a copy of this finding that holds only if a second fact, `also`, holds too. A given `evidence` replaces its evidence.

        If `also` is a finding, its regions, games and points go into the copy's attribute `also`, not into `where`. A tolerance of this
        second finding makes the copy "numeric". If only the second finding fails, the copy has the second one's evidence.
        """
        evidence = evidence or self.evidence
        if isinstance(also, bool):
            return replace(self, holds=self.holds and also, evidence=evidence)
        text = also.evidence if self.holds and not also.holds else evidence
        beside = (*self.also, *also.where, *also.also)
        return replace(together([self, also]), evidence=text, where=self.where, also=beside)

    def saying(self, evidence: str) -> Finding:
        """Return this finding, with its evidence replaced by `evidence` if it holds."""
        return replace(self, evidence=evidence) if self.holds else self

    def given(self, argument: str) -> Finding:
        """Return this finding with a person's `argument` for the rest of the statement and of families; `argument` may be empty."""
        if not argument:
            return self
        where = tuple(replace(scope, closed=True) if isinstance(scope, Cases) else scope for scope in self.where)
        return replace(self, where=where, argument=" ".join(filter(None, [self.argument, argument])))


def together(findings: Sequence[Finding] | Mapping[str, Finding]) -> Finding:
    """Join findings into one that holds if all hold; a mapping is {part of the statement: the finding that decides this part}.

    The evidence joins the texts of the findings that fail, or of all findings if none fails.
    """
    if isinstance(findings, Mapping):
        return together([finding.part(name) for name, finding in findings.items()])
    if not findings:
        raise ValueError("`findings` is empty, so nothing is decided about the claim: at least one finding is needed")
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
