"""The main job: decide every recorded claim of the papers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from relance.claims import papers
from relance.claims.ledger import Claim, Paper, Planted, Result, decide, plant
from relance.model.numbers import did_you_mean

if TYPE_CHECKING:
    from relance.solvers.proof import Obligation


def selected(keys: Sequence[str] = ()) -> list[tuple[Paper, Claim]]:
    """Return the claims of the papers with these keys, all by default. Raises ValueError for an unknown key."""
    known = papers()
    for key in keys:
        if key not in known:
            raise ValueError(f"there is no paper {key!r}" + did_you_mean(key, known))
    return [(paper, claim) for key, paper in known.items() if not keys or key in keys for claim in paper.claims]


Tick: TypeAlias = Callable[[Result], None]


def verify(keys: Sequence[str] = (), tick: Tick = lambda result: None, smtlib: Path | None = None) -> list[Result]:
    """Decide the claims of the papers with these keys, all by default; `tick` hears of each result.

    With `smtlib`, write the facts that each proof rests on into that folder, one SMT-LIB file each: `paper/claim-1.smt2`.
    """
    from relance.solvers.proof import obligations

    results = []
    for paper, claim in selected(keys):
        with obligations() as used:
            results.append(decide(paper, claim))
        if smtlib is not None:
            _write_obligations(smtlib, results[-1], list(used.values()))
        tick(results[-1])
    return results


def _write_obligations(folder: Path, result: Result, used: Sequence[Obligation]) -> None:
    """The solver that reads a file must answer "unsat"."""
    try:
        (folder / result.paper).mkdir(parents=True, exist_ok=True)
        for k, fact in enumerate(used, 1):
            heading = f"(set-logic QF_NRA)\n; {result.id}: {result.statement}\n; {fact.statement}\n; The answer must be unsat.\n"
            (folder / f"{result.id}-{k}.smt2").write_text(heading + fact.smtlib, encoding="utf-8")
    except OSError as error:
        raise ValueError(f"{error.filename} cannot be written: {error.strerror}") from None


def errata(keys: Sequence[str] = (), tick: Tick = lambda result: None) -> list[Result]:
    """Decide the claims that are false as printed, and those that the transcription garbled and that are true as restored."""
    results = []
    for paper, claim in listed(keys):
        results.append(decide(paper, claim))
        tick(results[-1])
    return results


def listed(keys: Sequence[str] = ()) -> list[tuple[Paper, Claim]]:
    """The claims that `errata` decides."""
    return [(paper, claim) for paper, claim in selected(keys) if claim.correction or claim.restored]


def planted(keys: Sequence[str] = ()) -> Iterator[tuple[Claim, list[Planted]]]:
    """Move each printed number of each claim by 1/1000, up and down, and yield what the checks made of it."""
    for paper, claim in selected(keys):
        yield claim, list(plant(paper, claim))


def as_json(results: Sequence[Result]) -> list[dict[str, Any]]:
    """The results as plain data."""
    return [asdict(result) for result in results]
