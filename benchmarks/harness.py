"""Shared parts of the benchmarks: side-by-side timing, rows of results, and the machine with its versions."""

from __future__ import annotations

import importlib
import math
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from relance.model.provenance import about as relance_about

Call = Callable[[], object]
ROOT = Path(__file__).resolve().parent.parent
PREFIXES = {
    "s": ((1e-12, "p"), (1e-9, "n"), (1e-6, "u"), (1e-3, "m"), (1.0, "")),
    "B": ((1.0, ""), (1e6, "M"), (1e9, "G")),
}
LEAST = 3
"""The fewest repeats of anything, ours or a peer's."""

PEERS = (
    "open_spiel",
    "LiteEFG",
    "pgx",
    "jax",
    "Shimmy",
    "rlcard",
    "cvxpy",
    "ecos",
    "pygambit",
    "phevaluator",
    "pettingzoo",
    "numpy",
    "numba",
)
OTHERS = ("torch", "sb3-contrib")
"""Packages listed among the versions only if installed."""


class Missing(Exception):
    """A peer, or a part of Relance, that a row needs is not available."""


@dataclass(frozen=True)
class Timing:
    """What one tool takes: the figures of its repeats, or the reason why there are none.

    Attributes:
        median, low, high: of the repeats: seconds per unit of work, or what else the row measures.
        runs: how many repeats.
        how: the configuration, if it is not what the tool does by default.
        problem: why there is no figure.
        result: what the last call returned.
    """

    median: float | None = None
    low: float | None = None
    high: float | None = None
    runs: int = 0
    how: str = ""
    problem: str = ""
    result: Any = field(default=None, compare=False, repr=False)

    @classmethod
    def of(cls, figures: Sequence[float], result: Any = None) -> Timing:
        """The figures of the repeats, summed up."""
        return cls(statistics.median(figures), min(figures), max(figures), len(figures), result=result)

    @property
    def is_steady(self) -> bool:
        """True if the repeats lie apart by at most their median; else the median is no figure."""
        return self.median is None or self.low is None or self.high is None or self.high - self.low <= self.median

    def over(self, units: float) -> Timing:
        """The same per unit of work."""
        if self.median is None or self.low is None or self.high is None:
            return self
        return replace(self, median=self.median / units, low=self.low / units, high=self.high / units)


@dataclass(frozen=True)
class Row:
    """One line of the table: what Relance takes, what the peer takes, and the aim. Smaller is better.

    Attributes:
        bench: the name of the benchmark, as given on the command line.
        what: what is measured.
        ours: Relance as it is by default.
        ours_best: the quickest configuration of Relance, if that is not the default.
        peer_name: the peer; empty if there is none.
        peer, peer_best: the same of the peer.
        unit: the unit of the figures: "s", "B", or "" for a pure number.
        target: the ratio that is aimed at.
        limit: the most that `ours` may be, if the aim is a figure and not a ratio.
        note: anything else that the reader should know.
        front: what the row is called in the picture at the head of the page; empty for rows that are not in it.
    """

    bench: str
    what: str
    ours: Timing = Timing()
    peer_name: str = ""
    peer: Timing = Timing()
    ours_best: Timing | None = None
    peer_best: Timing | None = None
    unit: str = "s"
    target: float | None = None
    limit: float | None = None
    note: str = ""
    front: str = ""

    @property
    def ratio(self) -> float | None:
        """How many times as much the peer takes at its best as Relance does by default; None if either has no steady figure."""
        theirs = self.peer_best or self.peer
        if not (theirs.median and self.ours.median and theirs.is_steady and self.ours.is_steady):
            return None
        return theirs.median / self.ours.median

    @property
    def met(self) -> bool | None:
        """Whether the aim is met; None if there is no aim or no figure."""
        if self.limit is not None:
            return self.ours.median <= self.limit if self.ours.median is not None and self.ours.is_steady else None
        return None if self.target is None or self.ratio is None else self.ratio >= self.target

    def facts(self) -> dict[str, Any]:
        """The row as it is written to a file, with its ratio and whether its aim is met."""
        out = {**asdict(self), "ratio": self.ratio, "met": self.met}
        for side in ("ours", "ours_best", "peer", "peer_best"):
            (out[side] or {}).pop("result", None)
        return out


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
        slow: call it without a warm-up call, and only the least number of times.
        own_figure: the call returns a dictionary, and this entry of it is what counts, not the time of the call.
    """

    prepare: Callable[[], Call]
    units: float | None = 1.0
    slow: bool = False
    own_figure: str = ""


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

    Calls shorter than 50 ms are repeated until they last that long. Every work is timed at least `LEAST` times; then it ends after
    `repeats`, when it has used `budget` seconds, or with the reason if it fails.
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
                loops = max(1, min(100_000, int(0.05 / max(time.perf_counter() - start, 1e-7))))
            calls[name] = call, loops
        except Exception as error:
            out[name] = Timing(problem=problem(error))
    times: dict[str, list[float]] = {name: [] for name in calls}
    used = dict.fromkeys(calls, 0.0)
    results: dict[str, Any] = {}
    for turn in range(max(repeats, LEAST)):
        for name, (call, loops) in calls.items():
            work = works[name]
            if name in out or (turn >= LEAST and (work.slow or used[name] > budget)):
                continue
            try:
                units, start = 0.0, time.perf_counter()
                for _ in range(loops):
                    results[name] = call()
                    units += float(results[name]) if work.units is None else work.units
                seconds = time.perf_counter() - start
            except Exception as error:
                out[name] = Timing(problem=problem(error))
                continue
            used[name] += seconds
            times[name].append((results[name][work.own_figure] if work.own_figure else seconds) / units)
    return {name: out.get(name) or Timing.of(times[name], results[name]) for name in works}


def best(default: Timing, others: dict[str, Timing]) -> Timing | None:
    """The quickest of other configurations, named, if it is quicker than the default by more than 5%."""
    timed = [(timing.median, how) for how, timing in others.items() if timing.median is not None]
    if not timed or (default.median is not None and min(timed)[0] > default.median / 1.05):
        return None
    how = min(timed)[1]
    return replace(others[how], how=how)


def compare(
    bench: str,
    what: str,
    ours: Timing,
    peer_name: str,
    peer: Timing,
    target: float | None = None,
    note: str = "",
    ours_best: Timing | None = None,
    peer_best: Timing | None = None,
    front: str = "",
) -> Row:
    """A row that compares our timing with a peer's, with the reasons for figures that are missing."""
    problems = [f"{who} {t.problem}" for who, t in (("relance", ours), (peer_name, peer)) if t.problem]
    note = "; ".join([note] * bool(note) + problems)
    return Row(bench, what, ours, peer_name, peer, ours_best, peer_best, target=target, note=note, front=front)


def figure(value: float | None, unit: str) -> str:
    """A number with its unit, to three digits: 12.3 us."""
    if value is None:
        return "-"
    if not unit:
        return f"{value:.3g}"
    scale, prefix = max((pair for pair in PREFIXES[unit] if pair[0] <= value), default=PREFIXES[unit][0])
    return f"{value / scale:.3g} {prefix}{unit}"


def slope(points: list[tuple[int, float]]) -> float:
    """The log-log slope of seconds against hands, by least squares."""
    xs, ys = [math.log(n) for n, _ in points], [math.log(t) for _, t in points]
    x, y = statistics.fmean(xs), statistics.fmean(ys)
    return sum((a - x) * (b - y) for a, b in zip(xs, ys, strict=True)) / sum((a - x) ** 2 for a in xs)


def about() -> dict[str, Any]:
    """Date, machine and versions for the results; missing peers are marked as such."""
    here = relance_about(("relance", *PEERS, *OTHERS))
    return {**here, "versions": {**dict.fromkeys(("python", "relance", *PEERS), "not installed"), **here["versions"]}}
