"""Shared parts of the benchmarks: side-by-side timing, rows of results, and the machine with its versions."""

from __future__ import annotations

import importlib
import json
import math
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from relance.baselines.about import about as relance_about

Call = Callable[[], object]
ROOT = Path(__file__).resolve().parent.parent
PREFIXES = ((1e-12, "p"), (1e-9, "n"), (1e-6, "u"), (1e-3, "m"), (1.0, ""))
PEERS = ("open_spiel", "LiteEFG", "pgx", "jax", "Shimmy", "rlcard", "cvxpy", "ecos", "pettingzoo", "numpy", "numba")
OTHERS = ("torch", "cupy-cuda13x", "sb3-contrib")
"""Packages listed among the versions only if installed."""


class Missing(Exception):
    """A peer, or a part of Relance, that a row needs is not available."""


@dataclass(frozen=True)
class Row:
    """One line of the table: Relance's figure, the peer's, and the aim.

    Attributes:
        bench: the name of the benchmark, as given on the command line.
        what: what is measured.
        unit: the unit of `ours` and `peer`: "s", "B", or "" for a pure number; smaller is better.
        ours, peer: medians; None if not measured.
        peer_name: the peer; empty if there is none.
        target: the ratio peer / ours that is aimed at.
        limit: the most that `ours` may be, if the aim is a figure and not a ratio.
        note: anything else that the reader should know.
        spread: the smallest and largest of our repeats.
    """

    bench: str
    what: str
    ours: float | None = None
    unit: str = "s"
    peer_name: str = ""
    peer: float | None = None
    target: float | None = None
    limit: float | None = None
    note: str = ""
    spread: tuple[float, float] | None = None

    @property
    def ratio(self) -> float | None:
        """How many times as much the peer takes."""
        return self.peer / self.ours if self.peer and self.ours else None

    @property
    def met(self) -> bool | None:
        """Whether the aim is met; None if there is no aim or no figure."""
        if self.limit is not None:
            return None if self.ours is None else self.ours <= self.limit
        return None if self.target is None or self.ratio is None else self.ratio >= self.target


@dataclass
class Settings:
    """How much to run, and the curves collected: for each tool, [hands, seconds] of one CFR+ iteration."""

    quick: bool = False
    series: dict[str, list[tuple[int, float]]] = field(default_factory=dict)

    def pick(self, full: Any, quick: Any) -> Any:
        """The value for the current mode."""
        return quick if self.quick else full


Bench = Callable[[Settings], Iterator[Row]]


@dataclass(frozen=True)
class Work:
    """Something to time.

    Attributes:
        prepare: builds the function to call; its imports and set-up are not timed.
        units: units of work per call, by which its time is divided; None if the call returns their number.
        slow: make only one call, without a warm-up call.
    """

    prepare: Callable[[], Call]
    units: float | None = 1.0
    slow: bool = False


@dataclass(frozen=True)
class Timing:
    """Seconds per unit over the repeats, or the reason why there are none. `result` is the last call's return value."""

    median: float | None = None
    low: float = math.nan
    high: float = math.nan
    runs: int = 0
    problem: str = ""
    result: Any = None

    @property
    def spread(self) -> tuple[float, float] | None:
        """Smallest and largest repeat."""
        return None if self.median is None else (self.low, self.high)


def module(name: str) -> Any:
    """Import a peer.

    Raises:
        Missing: it is not installed; the message is a note for the table.
    """
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise Missing(f"not installed: {error}") from None


def problem(error: BaseException) -> str:
    """An exception as a short note."""
    text = (
        str(error) if isinstance(error, Missing) else f"not available: {type(error).__name__}: {error}".splitlines()[0]
    )
    return text if len(text) <= 120 else text[:117] + "..."


def side_by_side(works: dict[str, Work], repeats: int = 7, budget: float = 4.0) -> dict[str, Timing]:
    """Time all works in turn, A B A B ..., so that changes in the machine's speed affect all alike.

    Calls shorter than 20 ms are repeated until they last that long. A work ends after `repeats`, when it has used
    `budget` seconds, or with the reason if it fails.
    """
    calls: dict[str, tuple[Call, int]] = {}
    out: dict[str, Timing] = {}
    for name, work in works.items():
        try:
            call = work.prepare()
            loops = 1
            if not work.slow:
                call()
                start = time.perf_counter()
                call()
                loops = max(1, min(100_000, int(0.02 / max(time.perf_counter() - start, 1e-7))))
            calls[name] = call, loops
        except Exception as error:
            out[name] = Timing(problem=problem(error))
    times: dict[str, list[float]] = {name: [] for name in calls}
    used = dict.fromkeys(calls, 0.0)
    results: dict[str, Any] = {}
    for turn in range(repeats):
        for name, (call, loops) in calls.items():
            if name in out or (turn and (works[name].slow or used[name] > budget)):
                continue
            try:
                units, start = 0.0, time.perf_counter()
                for _ in range(loops):
                    results[name] = call()
                    units += float(results[name]) if works[name].units is None else float(works[name].units or 1)
                seconds = time.perf_counter() - start
            except Exception as error:
                out[name] = Timing(problem=problem(error))
                continue
            used[name] += seconds
            times[name].append(seconds / units)
    for name, each in times.items():
        if name not in out:
            out[name] = Timing(statistics.median(each), min(each), max(each), len(each), result=results.get(name))
    return out


def compare(
    bench: str, what: str, ours: Timing, peer_name: str, peer: Timing, target: float | None, note: str = ""
) -> Row:
    """A row that compares our timing with a peer's."""
    problems = [f"{who} {t.problem}" for who, t in (("relance", ours), (peer_name, peer)) if t.problem]
    return Row(
        bench,
        what,
        ours.median,
        peer_name=peer_name,
        peer=peer.median,
        target=target,
        note="; ".join([note] * bool(note) + problems),
        spread=ours.spread,
    )


def in_child(code: str, timeout: float) -> dict[str, float]:
    """Run Python code in a fresh process; return what it puts into `result`, and `peak`, its largest memory in bytes.

    Raises:
        Missing: it fails, with the last line of its errors, or takes longer than `timeout` seconds.
    """
    tail = "\nfrom benchmarks.harness import peak\nimport json\nprint(json.dumps({**result, 'peak': peak()}))\n"
    try:
        done = subprocess.run(
            [sys.executable, "-c", "import time\nresult = {}\n" + code + tail],
            capture_output=True,
            text=True,
            timeout=timeout,
            cwd=ROOT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise Missing(f"stopped after {timeout:g} s") from None
    if done.returncode:
        raise Missing("not available: " + (done.stderr.strip().splitlines() or ["no message"])[-1])
    result: dict[str, float] = json.loads(done.stdout.strip().splitlines()[-1])
    return result


def peak() -> float:
    """The largest memory of this process in bytes."""
    try:  # getrusage also counts the parent's memory at the time of the fork
        status = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
        return 1024.0 * next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
    except (OSError, StopIteration):
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1.0 if sys.platform == "darwin" else 1024.0)


def figure(value: float | None, unit: str) -> str:
    """A number with its unit, to three digits: 12.3 us."""
    if value is None:
        return "-"
    if unit != "s":
        return f"{value:.3g}{' ' * bool(unit)}{unit}"
    scale, prefix = max(((s, p) for s, p in PREFIXES if s <= value), default=PREFIXES[0])
    return f"{value / scale:.3g} {prefix}s"


def slope(points: list[tuple[int, float]]) -> float:
    """The log-log slope of seconds against hands, by least squares."""
    xs, ys = [math.log(n) for n, _ in points], [math.log(t) for _, t in points]
    x, y = statistics.fmean(xs), statistics.fmean(ys)
    return sum((a - x) * (b - y) for a, b in zip(xs, ys, strict=True)) / sum((a - x) ** 2 for a in xs)


def about() -> dict[str, Any]:
    """Date, machine and versions for the results; missing peers are marked as such."""
    here = relance_about(("relance", *PEERS, *OTHERS))
    return {**here, "versions": {**dict.fromkeys(("python", "relance", *PEERS), "not installed"), **here["versions"]}}
