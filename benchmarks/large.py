"""A million hands: nanoseconds per hand against memory bandwidth, and seconds to a tolerance."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

import relance
from benchmarks.child import child, in_child
from benchmarks.harness import (
    Bench,
    Call,
    Missing,
    Row,
    Settings,
    Timing,
    Work,
    best,
    module,
    problem,
    side_by_side,
)

METHODS = ("cfr+", "dcfr", "pcfr+")
"""The other ways that are tried to a tolerance at a million hands."""

GAMES = (
    ("von Neumann", "von_neumann", "bet=2, hands={hands}", 40),
    ("one raise", "one_card_poker", "raises=1, cards={hands}", 150),
)

ITERATION = """
import relance
from relance.solvers.cfr_solver import Solver
start = time.perf_counter()
game = relance.make("{name}", {options})
result["making"] = time.perf_counter() - start
solver = Solver(game, method="cfr+", backend={backend})
solver.run(2)
start = time.perf_counter()
solver.run(1)
count = max(1, int(0.1 / max(time.perf_counter() - start, 1e-7)))
times = []
for _ in range(7):
    start = time.perf_counter()
    solver.run(count)
    times.append((time.perf_counter() - start) / count)
result["times"] = times
"""

SOLVE = """
import relance
from relance.solvers.cfr_solver import Solver
for game in (relance.make("{name}", {small}), relance.make("{name}", {middle})):
    Solver(game, foreseen=1e9).run(2)  # compile what is compiled
start = time.perf_counter()
game = relance.make("{name}", {options})
result["making"] = time.perf_counter() - start
start = time.perf_counter()
profile = relance.solve(game, tolerance={tolerance}, method={method!r})
result["seconds"] = time.perf_counter() - start
result["nash_conv"] = float(relance.nash_conv(game, profile.as_float()))
"""


def iteration_seconds(name: str, options: str, backend: str | None, timeout: float) -> Timing:
    """Seconds for one of our CFR+ iterations, in a fresh process that repeats it; `result` has its memory and more."""
    code = ITERATION.format(name=name, options=options, backend=repr(backend))
    try:
        result: dict[str, Any] = in_child(code, timeout)
    except Missing as error:
        return Timing(problem=problem(error))
    return Timing.of(result["times"], result)


def triad(size: int = 10**7) -> Timing:
    """Seconds per byte that a = b + s * c moves, as STREAM counts them: the quickest of three ways, named."""
    a, b, c = (np.full(size, x) for x in (0.0, 1.0, 2.0))

    def compiled(parallel: bool) -> Call:
        numba: Any = module("numba")

        def kernel(a: Any, b: Any, c: Any) -> None:
            for i in numba.prange(a.size):
                a[i] = b[i] + 3.0 * c[i]

        fast = numba.njit(kernel, parallel=parallel)
        return lambda: fast(a, b, c)

    def plain() -> Call:
        def run() -> None:
            np.multiply(c, 3.0, out=a)
            np.add(a, b, out=a)

        return run

    ways = {
        "compiled, one core": (Work(lambda: compiled(False)), 3),
        "compiled, all cores": (Work(lambda: compiled(True)), 3),
        "numpy, one core": (Work(plain), 5),
    }
    timings = side_by_side({name: work for name, (work, _) in ways.items()}, 5, 2)
    moved = {name: timings[name].over(8 * moves * size) for name, (_, moves) in ways.items()}
    return best(Timing(), moved) or Timing(problem="no way to move memory could be timed")


def state_bytes(name: str, options: dict[str, Any]) -> float:
    """Bytes per hand that an iteration must move: regrets and averages of every action, read and written once."""
    game = relance.make(name, **options)
    return float(sum(len(node.actions) for node in game.tree.decisions.values()) * 2 * 2 * 8)


def per_hand(settings: Settings) -> Iterator[Row]:
    """Seconds per hand of one iteration, against the bytes that the memory could move in that time."""
    hands = settings.pick(10**6, 10**5)
    copy = triad()
    rate = 1 / (copy.median or math.nan)
    yield Row("cfr-large", f"memory, triad: seconds per byte ({copy.how})", copy, note=f"{rate / 1e9:.1f} GB/s")
    for what, name, options, limit in GAMES:
        timing = iteration_seconds(name, options.format(hands=hands), None, 200).over(hands)
        least = state_bytes(name, {"bet": 2} if name == "von_neumann" else {"raises": 1})
        note = timing.problem
        if timing.median is not None:
            note = (
                f"the triad moves {timing.median * rate:.0f} bytes in this time; regrets and averages in and out are {least:.0f}; "
                f"peak {timing.result['peak'] / 1e6:.0f} MB; making the game {timing.result['making']:.2g} s"
            )
        yield Row(
            "cfr-large",
            f"CFR+ iteration per hand, {what}, {hands:,} hands",
            timing,
            "triad, moving regrets and averages in and out once",
            copy.over(1 / least),
            limit=limit * 1e-9,
            note=note,
        )


def to_tolerance(settings: Settings) -> Iterator[Row]:
    """Seconds until exploitability is at most a tolerance (of the ante), each in a fresh process in which smaller games ran before."""
    hands, timeout = settings.pick(10**6, 10**4), settings.pick(60, 30)
    (_, vn, vn_options, _), (_, raises, raises_options, _) = GAMES
    for what, name, options, tolerance, limit in (
        ("von Neumann", vn, vn_options, 1e-5, 2.0),
        ("von Neumann", vn, vn_options, 1e-6, 5.0),
        ("one raise", raises, raises_options, 1e-5, 10.0),
    ):
        works = {}
        for method in (None, *METHODS):
            code = SOLVE.format(
                name=name,
                options=options.format(hands=hands),
                small=options.format(hands=30_000),
                middle=options.format(hands=60_000),
                tolerance=tolerance,
                method=method,
            )
            works[method or "default"] = child(code, timeout)
        timings = side_by_side(works)
        ours = timings.pop("default")
        note = ours.problem
        if ours.result:
            peak, making = ours.result["peak"] / 1e6, ours.result["making"]
            note = f"NashConv {ours.result['nash_conv']:.1e}; peak {peak:.0f} MB; making the game {making:.2g} s"
        solved = f"{what}, {hands:,} hands, to {tolerance:g} of the ante"
        yield Row("cfr-tolerance", solved, ours, ours_best=best(ours, timings), limit=limit, note=note)


BENCHES: dict[str, Bench] = {"cfr-large": per_hand, "cfr-tolerance": to_tolerance}
