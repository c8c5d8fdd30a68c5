"""Claims (statements of papers that can be checked): reading them from `claims.toml`, and deciding them."""

from __future__ import annotations

import importlib
import pkgutil
import time
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from functools import cache, partial, wraps
from importlib import resources
from inspect import unwrap
from typing import Any, TypeAlias

from relance.claims import trace
from relance.claims.domain import Domain, spelled, undecided, with_one_less
from relance.claims.finding import Finding, Method, UndecidedError, Verdict, listed
from relance.claims.numbers import Numbers
from relance.claims.trace import Trace
from relance.model.arguments import checked
from relance.model.numbers import DependsOnParametersError
from relance.model.renamed import HasOldNames
from relance.solvers.watcher import watched_by, watcher

Check: TypeAlias = Callable[[Numbers], Finding]


def look(check: Check, texts: Mapping[str, str]) -> Finding:
    """Return a check's finding on numbers {name: formula}; undecided if the prover gives up or a comparison depends on parameters."""
    try:
        finding = check(Numbers(texts))
        trace.found(finding.cases)
        return finding
    except (DependsOnParametersError, UndecidedError) as error:
        return Finding(False, f"not decided: {error}", undecided=True)


@dataclass(frozen=True)
class Claim(HasOldNames):
    """One checkable statement of a paper, and the check that decides it.

    Attributes:
        id: short name, unique in its paper.
        section: the section of the paper; by default the first in `places`.
        games: the registered games that the statement is about.
        statement: the statement in our words, with the printed numbers.
        check: a function from the printed numbers to a finding.
        printed: the printed numbers, {name: formula}.
        domain: the conditions on symbols under which the correct statement is made, see `Domain`; its check must decide all of this domain.
        recorded: the verdict that this claim is known to have.
        restored: how we restored the text where our copy lost signs or fractions.
        note: our reading, where the statement is ambiguous.
        correction: for a false statement, the true one.
        corrected: the numbers of the correction; `right`, if given, checks them instead of `check`.
        wrong: {change: check} for false variants of the correct statement; these checks must fail.
        places: where the paper says it, by section, such as "2: p1 s2, (12)": in section 2, paragraph 1, sentence 2, and formula (12).
        ours: whether the statement is our own, wholly or in part.
        rests_on: the claims that this claim uses, as "paper/claim"; it is proved only if they are.
        counts: the symbols that stand for whole numbers.
        unproved: the step that the check leaves to a person's argument; empty if there is none.
        about: "games", or "numbers" if no game is in the statement.
    """

    id: str
    section: str
    games: tuple[str, ...]
    statement: str
    check: Check
    printed: Mapping[str, str] = field(default_factory=dict)
    domain: Domain = ()
    recorded: Verdict = "exact"
    restored: str = ""
    note: str = ""
    correction: str = ""
    corrected: Mapping[str, str] = field(default_factory=dict)
    right: Check | None = None
    wrong: Mapping[str, Check] = field(default_factory=dict)
    places: tuple[str, ...] = ()
    ours: bool = False
    rests_on: tuple[str, ...] = ()
    counts: tuple[str, ...] = ()
    unproved: str = ""
    about: str = "games"

    def decide(self) -> tuple[Verdict, Finding]:
        """Run the check of the statement and, if it is false, of its correction. Return the verdict and the finding."""
        with watched_by(who if isinstance(who := watcher(), Trace) else Trace()):
            return self._decide()

    def _decide(self) -> tuple[Verdict, Finding]:
        finding = look(self.check, self.printed)
        if finding.holds:
            finding = self.with_its_grounds(self.within_domain(finding))
            return finding.verdict, finding
        if finding.undecided or not self.correction:
            return "open" if finding.undecided else "failed", finding
        trace.mended()
        mended = self.with_its_grounds(self.within_domain(look(self.correct_check, self.corrected)))
        evidence = f"{finding.evidence}; and the correction fails too: {mended.evidence}"
        good = mended.holds and not mended.searched
        shown = replace(mended, holds=False, evidence=finding.evidence if good else evidence, point=finding.point)
        return "refuted" if good else "open" if mended.undecided else "failed", shown

    def within_domain(self, finding: Finding) -> Finding:
        """Return the finding, with the verdict "open" if a part of the domain is not decided, or the claim needs a domain and has none."""
        left = undecided(finding, self.domain) if self.domain and finding.holds else ""
        if not left and finding.method == "proved" and finding.holds and isinstance(who := watcher(), Trace):
            left = who.left_open()
        if not self.domain and finding.holds and (finding.method == "proved" or len(finding.where) > 1):
            left = "a domain, which the claim does not state"
        return replace(finding, searched=True, evidence=f"not decided for {left}") if left else finding

    def with_its_grounds(self, finding: Finding) -> Finding:
        """Return the finding, with a lower verdict if this claim rests on claims with lower verdicts.

        If a claim in `rests_on` is not proved, the verdict becomes "open". If one is "proved, given the argument", a verdict "proved"
        becomes that too.
        """
        for name in self.rests_on if finding.holds and not finding.searched else ():
            verdict = _recorded(name)
            if verdict not in PROVED:
                return replace(finding, searched=True, evidence=f"rests on {name}, which is {verdict}")
            if verdict != "proved":
                ground = f"It rests on {name}, which is {verdict}."
                finding = replace(finding, argument=" ".join(filter(None, [finding.argument, ground])))
        return finding

    @property
    def as_data(self) -> bool:
        """True if the claim's check is data in `claims.toml`, rather than a function in Python."""
        from relance.claims.claim_data import stated

        return unwrap(getattr(self.check, "func", self.check)) is stated

    @property
    def correct_check(self) -> Check:
        """The check of the correct statement: the claim itself, or its correction where the print is wrong."""
        return self.right or self.check

    @property
    def true_numbers(self) -> Mapping[str, str]:
        """The numbers of the correct statement, {name: formula}."""
        return self.corrected if self.correction else self.printed


PROVED = ("proved", "proved, given the argument")
"""The verdicts that a claim must have for another claim to rest on it."""


def _recorded(name: str) -> Verdict:
    """The verdict of a claim that others rest on. It is decided by itself, so its record is enough here."""
    key, _, wanted = name.partition("/")
    for claim in papers()[key].claims if key in papers() else ():
        if claim.id == wanted:
            return claim.recorded
    raise ValueError(f"a claim rests on {name!r}, but there is no such claim; ids are 'paper/claim'")


@dataclass(frozen=True)
class Section:
    """A section of a paper, read sentence by sentence.

    Attributes:
        name: the number or name of the section in the paper.
        opinion: how many of its sentences define, motivate, tell history or give an opinion, so that nothing can be checked.
        decided: {place of a sentence, such as "p2 s1", "(12)" or "fig. 2": the claims that decide it}.
        undecided: {place of a sentence that could be true or false: the reason why it is not decided}.
    """

    name: str
    opinion: int
    decided: Mapping[str, tuple[str, ...]]
    undecided: Mapping[str, str]


@dataclass(frozen=True)
class Paper:
    """A paper: its claims, its sections with the claims that decide each sentence, and how much of it we read."""

    key: str
    citation: str
    claims: tuple[Claim, ...]
    sections: tuple[Section, ...] = ()
    read: str = "every sentence"


@checked
@cache
def papers() -> dict[str, Paper]:
    """Return {key: paper} for all papers with recorded claims, such as "miao-2014"."""
    here = resources.files("relance.claims").iterdir()
    folders = sorted(item.name for item in here if item.joinpath("claims.toml").is_file())
    return {paper.key: paper for paper in map(load_claims, folders)}


def load_claims(folder: str) -> Paper:
    """Read the claims of one paper: `claims.toml` in `folder`, with the checks that the modules in this folder define.

    An entry `[[claim]]` of the file has the attributes of `Claim` as keys, with these exceptions. `check` names a function of the modules,
    and `with` gives its keyword arguments. `right` and `right_with` do so for the correction; without `right` the function is the same. A
    claim without `check` has data in its place, see `relance.claims.claim_data.stated`. If the check leaves a step unproved, the claim must
    have an `argument`, a person's argument for this step, and otherwise it must not. The step is named by
    `relance.claims.finding.unproved`, or by the key `unproved` of a claim with data. An argument may be a list of texts and of names in the
    table `[arguments]`. `rests_on` may name a claim of the same paper by its id alone. `false_with` lists keyword arguments that make the
    correct statement false. `domain` may be a table {part of the claim: conditions}. Instead of conditions, a part "a" may have the
    name of a table in `[domains]`: then each entry "b" of that table is a part "a, b". `places` are the sentences that make the claim, by
    section. Keys `games` and `ours` at the top of the file apply to claims without their own. `[sections]` has for each section how many
    sentences say nothing that can be checked, and `[open]` has the sentences that no claim decides, with the reason.

    Raises:
        ValueError: two modules define a check of the same name; a claim names no game, no section, an unknown check or a
            section that `[sections]` lacks; a sentence is both decided and open; or an argument is missing or not needed.
    """
    package = f"relance.claims.{folder}"
    data = tomllib.loads(resources.files(package).joinpath("claims.toml").read_text(encoding="utf-8"))
    checks = _checks(package)
    sections = _sections(data, package)
    given = {"games": data.get("games"), "ours": data.get("ours", False)}
    said, shared = data.get("arguments", {}), data.get("domains", {})
    entries = ({**given, **_placed(entry, package), "domain": _domain(entry, shared)} for entry in data["claim"])
    entries = ({**entry, "rests_on": _full(data["key"], entry.get("rests_on", ()))} for entry in entries)
    claims = (_claim(entry, checks, said, package) for entry in entries)
    return Paper(data["key"], data["citation"], tuple(claims), sections, data.get("read", Paper.read))


def _sections(data: Mapping[str, Any], package: str) -> tuple[Section, ...]:
    """The sections of a paper, with the sentences that its claims decide and the open ones."""
    opinions, reasons = data.get("sections", {}), data.get("open", {})
    decided: dict[str, dict[str, tuple[str, ...]]] = {}
    for entry in data["claim"]:
        for name, places in entry.get("places", {}).items():
            for place in places:
                here = decided.setdefault(name, {})
                here[place] = (*here.get(place, ()), entry["id"])
    for name in (*decided, *reasons):
        if name not in opinions:
            raise ValueError(f"claims.toml of {package} names section {name!r}, which its table [sections] lacks")
        for place in decided.get(name, {}).keys() & reasons.get(name, {}).keys():
            raise ValueError(
                f"claims.toml of {package}: [open] has {place!r} of section {name!r}, which is decided by {', '.join(decided[name][place])}"
            )
    return tuple(Section(name, opinions[name], decided.get(name, {}), reasons.get(name, {})) for name in opinions)


def _placed(entry: Mapping[str, Any], package: str) -> dict[str, Any]:
    """The entry of a claim with its section, and its places as they are shown."""
    places = entry.get("places", {})
    if not (places or "section" in entry):
        raise ValueError(f"claim {entry['id']!r} of {package} needs `places` or `section`: where the paper states it")
    shown = tuple(f"{section}: {', '.join(found)}" for section, found in places.items())
    return {"section": next(iter(places), ""), **entry, "places": shown}


def _domain(entry: Mapping[str, Any], shared: Mapping[str, Mapping[str, Sequence[str]]]) -> Domain:
    """The domain of a claim; the name of a table in `shared` is replaced by the parts in that table."""
    domain: Domain = entry.get("domain", ())
    if not isinstance(domain, Mapping):
        return domain
    parts: dict[str, Sequence[str]] = {}
    for name, conditions in domain.items():
        if isinstance(conditions, str):
            parts |= {f"{name}, {part}": given for part, given in shared[conditions].items()}
        else:
            parts[name] = conditions
    return parts


def _full(key: str, names: Sequence[str]) -> tuple[str, ...]:
    """Add the paper's key to names of claims that lack one."""
    return tuple(name if "/" in name else f"{key}/{name}" for name in names)


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


def _claim(
    entry: dict[str, Any], checks: Mapping[str, Callable[..., Finding]], said: Mapping[str, str], package: str
) -> Claim:
    from relance.claims.claim_data import FORMS, cases, stated

    where = f"claim {entry['id']!r} of {package}"
    if entry["games"] is None:
        raise ValueError(f"{where} names no games: add `games` to it, or to the top of the file")
    data = {key: entry.pop(key) for key in (*FORMS, "let") if key in entry}
    argued = entry.pop("argument", "")
    argument = argued if isinstance(argued, str) else " ".join(said.get(text, text) for text in argued)
    name, arguments = entry.pop("check", ""), entry.pop("with", {})
    right, right_arguments = entry.pop("right", None), entry.pop("right_with", None)
    if bool(name) == any(form in data for form in FORMS):
        raise ValueError(f"{where} needs either `check`, a function's name, or some of {', '.join(FORMS)}")
    for wanted in (name, right or name):
        if wanted and wanted not in checks:
            raise ValueError(f"{where} names the check {wanted!r}, which no module of {package} defines")
    if data:
        domain = entry["domain"]
        if not isinstance(domain, Mapping):
            domain = {part: domain for _, part, _ in cases({form: data[form] for form in FORMS if form in data})}
        arguments = {"domain": domain, "counts": entry.get("counts", ()), **data}
        true = entry.get("corrected", entry.get("printed", {}))
        entry["domain"] = {part: [spelled(text, true) for text in conditions] for part, conditions in domain.items()}
    check = checks[name] if name else stated
    entry["unproved"] = left = entry.pop("unproved", "") if data else getattr(checks[right or name], "unproved", "")
    if left and not argument:
        raise ValueError(f"{where} needs an `argument`, a person's reasons for what Relance does not decide: {left}")
    if argument and not left:
        raise ValueError(f"{where} must not have an `argument`: Relance decides the whole statement")
    if right or right_arguments is not None:
        entry["right"] = _argued(partial(checks[right or name], **(right_arguments or {})), argument)
    elif argument:
        check = _argued(check, argument)
    truth = entry.get("right") or partial(check, **arguments)
    entry["counts"] = tuple(entry.get("counts", ()))
    entry["wrong"] = {listed(change): partial(truth, **change) for change in entry.pop("false_with", ())}
    return Claim(check=partial(check, **arguments), **{**entry, "games": tuple(entry["games"])})


def _argued(check: Callable[..., Finding], argument: str) -> Callable[..., Finding]:
    """The check, given the argument of the claim."""

    @wraps(check)
    def argued(numbers: Numbers, **more: Any) -> Finding:
        return check(numbers, **more).given(argument)

    return argued


@dataclass(frozen=True)
class Result:
    """A decided claim, as `relance verify --json` writes it: its verdict, and attributes of its `Claim` and `Finding`.

    Attributes:
        id: the paper's key and the claim's id, "paper/claim".
        method, domain, argument: of the finding on the statement; if it is refuted, on its correction.
        evidence, point: what shows that the statement is true; if it is refuted, the counterexample.
        as_recorded: whether the verdict is the one that `claims.toml` records.
        seconds: the time that deciding took.
    """

    id: str
    paper: str
    section: str
    places: tuple[str, ...]
    games: tuple[str, ...]
    statement: str
    verdict: Verdict
    method: Method
    domain: str
    evidence: str
    argument: str
    point: Mapping[str, str]
    printed: Mapping[str, str]
    correction: str
    corrected: Mapping[str, str]
    restored: str
    note: str
    ours: bool
    rests_on: tuple[str, ...]
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
    own: dict[str, Any] = {
        "id": f"{paper.key}/{claim.id}",
        "paper": paper.key,
        "verdict": verdict,
        "seconds": round(time.perf_counter() - start, 4),
        "as_recorded": verdict == claim.recorded,
    }
    others = (item.name for item in fields(Result) if item.name not in own)
    return Result(**own, **{name: getattr(finding if hasattr(finding, name) else claim, name) for name in others})


@dataclass(frozen=True)
class Planted:
    """A false version of `claim`: `text` replaces what is `changed`: a number, "statement" or "cases". `caught` says if a check noticed."""

    claim: str
    changed: str
    text: str
    caught: bool


STEP = Fraction(1, 1000)


def moved_numbers(claim: Claim) -> dict[str, list[str]]:
    """Wrong formulas for each number of a claim's correct statement, which the claim's check should find false: {name: formulas}.

    They are the true formula + 1/1000, - 1/1000 and, if it has symbols, * 999/1000. A probability times 999/1000 is still a probability, so
    the check then sees a possible strategy, and must notice that this earns less.
    """
    steps = (f"+ {STEP}", f"- {STEP}", f"* {1 - STEP}")
    return {
        symbol: [f"({text}) {step}" for step in steps[: 2 + any(map(str.isalpha, text))]]
        for symbol, text in claim.true_numbers.items()
    }


def plant(paper: Paper, claim: Claim, moved: Mapping[str, Sequence[str]] | None = None) -> Iterator[Planted]:
    """Make a claim's correct statement false in each known way; yield for each way whether the check then fails, as it should.

    First each number is replaced by each formula in `moved`, by default those of `moved_numbers`. Then each variant in `Claim.wrong` is
    checked. Finally each case of the finding is left out in turn: the remaining cases should not cover the claim's domain.
    """
    name = f"{paper.key}/{claim.id}"
    for symbol, texts in (moved_numbers(claim) if moved is None else moved).items():
        for text in texts:
            finding = look(claim.correct_check, {**claim.true_numbers, symbol: text})
            yield Planted(name, symbol, text, not finding.holds)
    for change, check in claim.wrong.items():
        yield Planted(name, "statement", change, not look(check, claim.true_numbers).holds)
    if claim.domain:
        for case, fewer in with_one_less(look(claim.correct_check, claim.true_numbers)):
            yield Planted(name, "cases", f"without {case}", bool(undecided(fewer, claim.domain)))
