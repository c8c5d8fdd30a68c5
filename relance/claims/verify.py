"""Decide the recorded claims of papers, as the command `relance verify` does."""

from __future__ import annotations

import gc
import json
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import cache
from importlib import resources
from multiprocessing import active_children, get_context
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from relance.claims.ledger import Claim, Paper, Planted, Result, decide, papers, plant
from relance.model.arguments import PathName, checked
from relance.model.files import check_folder, write_text
from relance.model.numbers import did_you_mean, short

if TYPE_CHECKING:
    from relance.claims.proof import Obligation
    from relance.claims.trace import Trace
    from relance.model.game import Game
    from relance.model.strategy import Profile

Keys: TypeAlias = str | Sequence[str]
"""Keys of papers such as "miao-2014", or ids of claims such as "miao-2014/value": one, several, or none for all."""

OnResult: TypeAlias = Callable[[Result], object]


class Folders(NamedTuple):
    """The folders for SMT-LIB files, certificates and Coq files of claims; None for files that are not wanted."""

    smtlib: Path | None = None
    certificates: Path | None = None
    coq: Path | None = None


NOWHERE = Folders()


def selected(keys: Keys = ()) -> list[tuple[Paper, Claim]]:
    """Return the claims of these papers, or with these ids, each with its paper; all claims by default.

    Raises:
        TypeError: a key is not text.
        ValueError: no paper or claim has this key.
    """
    wanted, claims = _as_list(keys), _by_name()
    for key in wanted:
        if not isinstance(key, str):
            raise TypeError(f"papers={short(keys)} must be keys of papers such as 'miao-2014', or ids of claims")
        if key not in papers() and key not in claims:
            kind, known = ("claim", claims) if "/" in key else ("paper", papers())
            raise ValueError(f"there is no {kind} {key!r}" + did_you_mean(key, known))
    return [pair for name, pair in claims.items() if not wanted or name in wanted or pair[0].key in wanted]


def _as_list(keys: Keys) -> list[str]:
    return [keys] if isinstance(keys, str) else list(keys)


def _by_name() -> dict[str, tuple[Paper, Claim]]:
    return {f"{paper.key}/{claim.id}": (paper, claim) for paper in papers().values() for claim in paper.claims}


def misprinted(keys: Keys = ()) -> list[tuple[Paper, Claim]]:
    """Return each claim, with its paper, that is false as printed, or whose text is damaged in our copy of the paper and was restored."""
    return [(paper, claim) for paper, claim in selected(keys) if claim.correction or claim.restored]


def processors() -> int:
    """The number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@cache
def recorded_seconds() -> dict[str, float]:
    """The seconds of processor time that each claim took when `tools/claim_seconds.py` was last run; a new claim has no entry."""
    found: dict[str, float] = json.loads(resources.files("relance.claims").joinpath("seconds.json").read_text())
    return found


def expected_seconds(keys: Keys = (), jobs: int = 1) -> float:
    """An estimate of the seconds that `jobs` processes need to decide these claims, from recorded times."""
    wanted = _as_list(keys)
    mine = [s for name, s in recorded_seconds().items() if not wanted or {name, name.split("/")[0]} & {*wanted}]
    return LOADING + max(sum(mine) / jobs, max(mine, default=0.0))


LOADING = 1.0
"""About how many seconds a process takes to load the checks."""


@checked
def verify(
    papers: Keys = (),
    *,
    tick: OnResult | None = None,
    smtlib: PathName | None = None,
    certificates: PathName | None = None,
    coq: PathName | None = None,
    jobs: int = 1,
) -> list[Result]:
    """Decide the claims of the papers: each proved, exact, numeric, or refuted with a counterexample.

    Args:
        papers: keys of papers such as "miao-2014", or ids of claims such as "miao-2014/value"; all papers by default.
        tick: called with each result as soon as it is ready.
        smtlib: a folder for the facts that the proofs rest on, one SMT-LIB file each: `paper/claim-1.smt2`.
        certificates: a folder for the certificate of each claim, one JSON file each: `paper/claim.json`.
        coq: a folder for the equilibria that claims rest on, one Coq file each; see `relance.claims.coq`.
        jobs: how many processes decide claims at the same time. With more than one, a script must guard its entry point by
            `if __name__ == "__main__":`, as Python's multiprocessing asks for.

    Returns:
        A result per claim, in the order of the papers. An error in a check is a result too: the verdict "failed".

    Raises:
        TypeError: a key is not text.
        ValueError: no paper or claim has this key, a folder cannot be written to, or `jobs` is below 1.
        ImportError: the extra `proof` is not installed.
    """
    folders = Folders(*(None if folder is None else Path(folder) for folder in (smtlib, certificates, coq)))
    claims = selected(papers)
    for folder in folders:
        if folder is not None:
            check_folder(folder)
    return _decided(claims, tick, folders, jobs)


@checked
def errata(papers: Keys = (), *, tick: OnResult | None = None, jobs: int = 1) -> list[Result]:
    """Check again the statements that are false as printed, and those that are garbled in our copy of a paper but true as restored.

    Args:
        papers: as in `verify`.
        tick: as in `verify`.
        jobs: as in `verify`.

    Returns:
        A result per claim. Its `correction` is the true statement, or empty if the restored statement is true. With a correction, `point`
        is where the printed statement fails, and `printed` and `corrected` are the printed and the right numbers.

    Raises:
        ValueError: no paper or claim has this key.
        ImportError: the extra `proof` is not installed.
    """
    return _decided(misprinted(papers), tick, jobs=jobs)


@contextmanager
def interrupted_between() -> Iterator[None]:
    """Delay Ctrl-C until the end of this `with` block; an interrupt inside a call of the prover could be lost.

    Only the main thread gets such interrupts; in other threads this does nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    pending: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: pending.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if pending:
        signal.raise_signal(signal.SIGINT)


def _decided(
    claims: Sequence[tuple[Paper, Claim]],
    tick: OnResult | None,
    folders: Folders = NOWHERE,
    jobs: int = 1,
) -> list[Result]:
    if jobs < 1:
        raise ValueError(f"jobs={jobs} must be at least 1")
    results: dict[str, Result] = {}
    names = [f"{paper.key}/{claim.id}" for paper, claim in claims]
    seconds = recorded_seconds()
    alone = jobs == 1 or sum(seconds.get(name, 0.0) for name in names) < 2 * LOADING
    decided = (_decide(name, folders) for name in names) if alone else _side_by_side(names, folders, jobs)
    try:
        for result in decided:
            results[result.id] = result
            if tick is not None:
                tick(result)
    except KeyboardInterrupt as stop:
        stop.add_note(f"{len(results)} of {len(names)} claims were decided; no results were written")
        raise
    return [results[name] for name in names]


def _side_by_side(names: Sequence[str], folders: Folders, jobs: int) -> Iterator[Result]:
    """Decide claims in several processes, slowest first. If this process is interrupted, the others end at once."""
    before, seconds = set(active_children()), recorded_seconds()
    dearest = sorted(names, key=lambda name: -seconds.get(name, 0.0))
    workers = ProcessPoolExecutor(jobs, get_context("spawn"))
    try:
        with _interrupts_held_back():
            decided = [workers.submit(_decide, name, folders) for name in dearest]
        for done in as_completed(decided):
            yield done.result()
    except BaseException as error:
        with _interrupts_held_back():
            for process in set(active_children()) - before:
                process.terminate()
        if isinstance(error, BrokenProcessPool):
            raise OSError(
                "a process that decided claims was killed, perhaps because memory ran out; jobs=1 needs the least memory"
            ) from None
        raise
    finally:
        with _interrupts_held_back():  # pressed again here, it would leave the pool half closed
            workers.shutdown(cancel_futures=True)


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Delay Ctrl-C inside this `with` block. Processes started here never get it, though a terminal sends it to them too."""
    if not hasattr(signal, "pthread_sigmask"):  # on Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _few_collections() -> Iterator[None]:
    """Look for unreachable cycles less often inside this `with` block: a check makes millions of small numbers, and hardly a cycle."""
    before = gc.get_threshold()
    gc.set_threshold(100_000, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _decide(name: str, folders: Folders) -> Result:
    """Decide one claim, and write what was asked for."""
    from relance.claims.proof import obligations
    from relance.claims.trace import Trace
    from relance.solvers.watcher import watched_by

    paper, claim = _by_name()[name]
    with interrupted_between(), _few_collections():
        trace = Trace() if folders.certificates is not None or folders.coq is not None else None
        with obligations() as used, watched_by(trace):
            result = decide(paper, claim)
        if folders.smtlib is not None:
            _write_obligations(folders.smtlib, result, list(used.values()))
        if folders.certificates is not None and trace is not None:
            _write_certificate(folders.certificates, result, claim, trace)
        if folders.coq is not None and trace is not None:
            _write_coq(folders.coq, result, trace.equilibria)
    return result


def _write_obligations(folder: Path, result: Result, used: Sequence[Obligation]) -> None:
    """Write one SMT-LIB file per fact; a solver must answer "unsat" to each."""
    for k, fact in enumerate(used, 1):
        heading = (
            f"(set-logic QF_NRA)\n; {result.id}: {result.statement}\n; {fact.statement}\n; The answer must be unsat.\n"
        )
        _write(folder / f"{result.id}-{k}.smt2", heading + fact.smtlib)


def _write(file: Path, text: str) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(f"{error.filename} cannot be written: {error.strerror}") from None
    write_text(file, text)


def _write_certificate(folder: Path, result: Result, claim: Claim, trace: Trace) -> None:
    """Write what a claim rests on."""
    from relance.claims.certificates import certificate

    more = {name: getattr(result, name) for name in ("argument", "printed", "corrected", "games")}
    more |= {"as data": claim.as_data, "rests on": claim.rests_on, "counts": claim.counts}
    more |= {"unproved": claim.unproved, "about": claim.about}
    statement = result.correction or result.statement
    data = certificate(result.id, statement, trace, claim.domain, result.verdict, **more)
    _write(folder / f"{result.id}.json", json.dumps(data, indent=1, ensure_ascii=False) + "\n")


def _write_coq(folder: Path, result: Result, equilibria: Sequence[tuple[Game, Profile]]) -> None:
    """Write the equilibria that a claim rests on as a Coq file."""
    from relance.claims.coq.folder import coq_file

    if text := coq_file(result.id, result.correction or result.statement, equilibria):
        _write(folder / f"{result.id.replace('-', '_')}.v", text)


@checked
def planted_errors(keys: Keys = ()) -> Iterator[tuple[Claim, list[Planted]]]:
    """Yield each claim with ways to make it false, such as a printed number moved by 1/1000, and whether its check caught each."""
    for paper, claim in selected(keys):
        with interrupted_between():
            caught = list(plant(paper, claim))
        yield claim, caught
