"""Leduc hold'em against its other makers: NashConv and CFR+ of OpenSpiel's C++ and LiteEFG, steps of pgx; and an exact equilibrium."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import relance
from benchmarks import peers
from benchmarks.harness import Bench, Call, Row, Settings, Work, best, compare, module, side_by_side
from benchmarks.play import GAMES, LEDUC, batch_seen, in_jax
from relance.solvers.cfr_solver import Solver


def _theirs() -> Any:
    return module("pyspiel").load_game("leduc_poker")


def score(settings: Settings) -> Iterator[Row]:
    """NashConv of uniform play, ours in floats."""

    def ours() -> Call:
        game = relance.make("leduc")
        return partial(relance.nash_conv, game, game.uniform().as_float())

    def theirs() -> Call:
        pyspiel, game = module("pyspiel"), _theirs()
        return partial(pyspiel.nash_conv, game, pyspiel.UniformRandomPolicy(game))

    timings = side_by_side({"ours": Work(ours), "theirs": Work(theirs)})
    worth = [timings[name].result for name in ("ours", "theirs")]
    same = None in worth or abs(worth[0] - worth[1]) < 1e-12
    note = f"NashConv of uniform play {'is the same to 1e-12' if same else f'DIFFERS: {worth}'}"
    yield compare("leduc-score", "NashConv of uniform play", timings["ours"], "OpenSpiel", timings["theirs"], 100, note)


def iteration(settings: Settings) -> Iterator[Row]:
    """An iteration of CFR+, by each as it comes; OpenSpiel's solver is its C++ on its C++ game, LiteEFG reads the same game."""
    iterations = settings.pick(500, 20)

    def ours(backend: str) -> Call:
        return partial(Solver(relance.make("leduc"), "cfr+", backend).run, iterations)

    works = {
        "Relance": Work(partial(ours, "numba"), iterations),
        "numpy": Work(partial(ours, "numpy"), iterations),
        "OpenSpiel": Work(lambda: peers.spiel_cfr(_theirs())),
        "LiteEFG": Work(lambda: peers.lite_cfr(_theirs())),
    }
    timings = side_by_side(works)
    for peer, target in (("OpenSpiel", 100), ("LiteEFG", 10)):
        yield compare("leduc-cfr", "CFR+ iteration", timings["Relance"], peer, timings[peer], target)
    yield compare("leduc-cfr", "CFR+ iteration, without numba", timings["numpy"], "OpenSpiel", timings["OpenSpiel"])


def exactly(settings: Settings) -> Iterator[Row]:
    """An equilibrium in fractions, and the proof that its NashConv is 0."""

    def ours() -> Call:
        game = relance.make("leduc")
        return lambda: relance.nash_conv(game, relance.solve(game, method="lp"))

    timing = side_by_side({"ours": Work(ours, slow=True)})["ours"]
    note = f"NashConv {timing.result}, value of the published one {float(relance.value('leduc', 'published')):.10f}"
    yield Row("leduc-exact", "exact equilibrium with its check", timing, limit=20, note=note)


def steps(settings: Settings) -> Iterator[Row]:
    """Random play at 65,536 tables, with observation, mask and rewards made at each step: the batch, and both in JAX."""
    count = settings.pick(32, 4)

    works = {"batch": batch_seen(None, LEDUC), "numpy": batch_seen(False, LEDUC), **in_jax("Leduc", count)}
    timings = side_by_side(works, settings.pick(7, 3))
    one, scan = "pgx, one step a call", f"{count} steps a call"
    quickest = best(timings["pgx"], {scan: timings["pgx scan"]})
    what = f"random play, {GAMES:,} games at once, per action: observation, mask and rewards"
    yield compare("leduc-play", what, timings["batch"], one, timings["pgx"], 2, "", None, quickest)
    yield compare(
        "leduc-play", what + ", without numba", timings["numpy"], one, timings["pgx"], None, "", None, quickest
    )
    ours_best = best(timings["jax"], {scan: timings["jax scan"]})
    yield compare("leduc-play", what + ", in JAX", timings["jax"], one, timings["pgx"], 1, "", ours_best, quickest)


BENCHES: dict[str, Bench] = {
    "leduc-score": score,
    "leduc-cfr": iteration,
    "leduc-exact": exactly,
    "leduc-play": steps,
}
