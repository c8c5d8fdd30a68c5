"""A million hands: nanoseconds per hand against memory bandwidth, and seconds to a tolerance."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import relance
from benchmarks.harness import Bench, Call, Missing, Row, Settings, Work, in_child, module, problem, side_by_side

GAMES = (
    ("von Neumann", "von_neumann", "bet=2, hands={hands}", 40),
    ("one raise", "one_card_poker", "raises=1, cards={hands}", 150),
)

ITERATION = """
import statistics
import relance
from relance.solvers.cfr import Solver
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
result |= {{"seconds": statistics.median(times), "low": min(times), "high": max(times)}}
"""

SOLVE = """
import relance
from relance.solvers.cfr import Solver
for game in (relance.make("{name}", {small}), relance.make("{name}", {middle})):
    Solver(game).run(2)  # compile what is compiled
start = time.perf_counter()
game = relance.make("{name}", {options})
result["making"] = time.perf_counter() - start
start = time.perf_counter()
profile = relance.solve(game, tolerance={tolerance}, method="cfr+"{more})
result["seconds"] = time.perf_counter() - start
result["nash_conv"] = float(relance.nash_conv(game, profile.as_float()))
"""


def iteration_seconds(name: str, options: str, backend: str | None, timeout: float) -> dict[str, float]:
    """Seconds for one of our CFR+ iterations, in a fresh process."""
    return in_child(ITERATION.format(name=name, options=options, backend=repr(backend)), timeout)


def triad(size: int = 10**7) -> tuple[float, str]:
    """Bytes per second that a = b + s * c moves, as STREAM counts them: the best of three ways, and which one."""
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
    return max((8 * moves * size / t, name) for name, (_, moves) in ways.items() if (t := timings[name].median))


def state_bytes(name: str, options: dict[str, Any]) -> float:
    """Bytes per hand that an iteration must move: regrets and averages of every action, read and written once."""
    game = relance.make(name, **options)
    return float(sum(len(node.actions) for node in game.tree.decisions.values()) * 2 * 2 * 8)


def per_hand(settings: Settings) -> Iterator[Row]:
    """Seconds per hand of one iteration, against the bytes that the memory could move in that time."""
    hands = settings.pick(10**6, 10**5)
    rate, how = triad()
    yield Row("cfr-large", f"memory, triad: seconds per byte ({how})", 1 / rate, note=f"{rate / 1e9:.1f} GB/s")
    for what, name, options, limit in GAMES:
        try:
            result = iteration_seconds(name, options.format(hands=hands), None, 200)
        except Missing as error:
            yield Row(
                "cfr-large",
                f"CFR+ iteration per hand, {what}, {hands:,} hands",
                limit=limit * 1e-9,
                note=problem(error),
            )
            continue
        per = result["seconds"] / hands
        least = state_bytes(name, {"bet": 2} if name == "von_neumann" else {"raises": 1})
        yield Row(
            "cfr-large",
            f"CFR+ iteration per hand, {what}, {hands:,} hands",
            per,
            peer_name="triad, moving regrets and averages in and out once",
            peer=least / rate,
            limit=limit * 1e-9,
            note=f"the triad moves {per * rate:.0f} bytes in this time; regrets and averages in and out are {least:.0f}; "
            f"peak {result['peak'] / 1e6:.0f} MB; making the game {result['making']:.2g} s",
            spread=(result["low"] / hands, result["high"] / hands),
        )


def to_tolerance(settings: Settings) -> Iterator[Row]:
    """Seconds until exploitability is at most a tolerance (of the ante), each in a fresh process in which smaller games ran before."""
    hands, timeout = settings.pick(10**6, 10**4), settings.pick(200, 30)
    (_, vn, vn_options, _), (_, raises, raises_options, _) = GAMES
    for what, name, options, tolerance, limit in (
        ("von Neumann", vn, vn_options, 1e-5, 2.0),
        ("von Neumann", vn, vn_options, 1e-6, 5.0),
        ("one raise", raises, raises_options, 1e-5, 10.0),
    ):
        results: dict[str, dict[str, float]] = {}
        notes = []
        for who, more in (("relance", ""), ("plain CFR+", ", warm_start=False")):
            code = SOLVE.format(
                name=name,
                options=options.format(hands=hands),
                small=options.format(hands=30_000),
                middle=options.format(hands=60_000),
                tolerance=tolerance,
                more=more,
            )
            try:
                results[who] = in_child(code, timeout)
            except Missing as error:
                notes.append(f"{who}: {problem(error)}")
        mine, plain = results.get("relance"), results.get("plain CFR+")
        if mine:
            notes.insert(
                0,
                f"NashConv {mine['nash_conv']:.1e}; peak {mine['peak'] / 1e6:.0f} MB; making the game {mine['making']:.2g} s",
            )
        yield Row(
            "cfr-tolerance",
            f"{what}, {hands:,} hands, to {tolerance:g} of the ante",
            mine["seconds"] if mine else None,
            peer_name="plain CFR+ from uniform",
            peer=plain["seconds"] if plain else None,
            limit=limit,
            note="; ".join(notes),
        )


BENCHES: dict[str, Bench] = {"cfr-large": per_hand, "cfr-tolerance": to_tolerance}
