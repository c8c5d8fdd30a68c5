"""Hold'em on the river: an iteration of CFR against OpenSpiel's, all hands to a ten-thousandth of the pot, and the named spots."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import relance
from benchmarks import peers
from benchmarks.child import child
from benchmarks.harness import Bench, Call, Row, Settings, Work, compare, side_by_side
from relance.envs.spots import spots
from relance.model.game import Game
from relance.solvers.cfr_solver import Solver
from relance.solvers.exact import gains
from relance.solvers.lp import solve_lp

HALF = "22+;A2s+;K2s+;Q2s+;J5s+;T6s+;A2o+;K8o+;Q9o+;J9o+"
"""A range of 434 hands on the default table: as many as a game in Python can take."""

ALL = """
import relance
start = time.perf_counter()
game = relance.make("river", ranges="random vs random", pot=10, stack=30, bets="{bets}", raises={raises})
profile = relance.solve(game, tolerance=1e-3)
result["seconds"] = time.perf_counter() - start
"""


def iteration(settings: Settings) -> Iterator[Row]:
    """An iteration of CFR+ on the same game for all hands at once here, and hand by hand by OpenSpiel: in C++, and on our Python game."""
    few = settings.pick("22+;A2s+;K9o+ vs 22+;A2s+;K9o+", "99;QJs vs KTs;TT")
    many = settings.pick(f"{HALF} vs {HALF}", "99;QJs;65s vs KTs;TT")

    def ours(game: Game) -> Work:
        return Work(lambda: partial(Solver(game, "cfr+", "numba").run, 20), 20)

    def in_files(game: Game) -> Work:
        return Work(lambda: peers.spiel_cfr(peers.efg(game)), slow=True)

    def in_python(game: Game) -> Work:
        return Work(lambda: peers.spiel_cfr(peers.spiel(f"river(ranges={many},pot=2,raises=0)")), slow=True)

    for ranges, peer, theirs, target, name in (
        (few, "OpenSpiel, .efg", in_files, None, "CFR+ iteration, river, {}"),
        (many, "OpenSpiel, python game", in_python, 50_000, ""),
    ):
        game = relance.make("river", ranges=ranges, pot=2, raises=0)
        timings = side_by_side({"ours": ours(game), "theirs": theirs(game)})
        hands = f"{game.deal.size(0)} and {game.deal.size(1)} hands"
        what, front = f"CFR+ iteration, river, {hands}", name.format(hands)
        yield compare("river-cfr", what, timings["ours"], peer, timings["theirs"], target, front=front)


def full(settings: Settings) -> Iterator[Row]:
    """All 1,081 hands against all, to an exploitability of a ten-thousandth of the pot: with numba loaded, and in a fresh process."""
    for bets, raises in settings.pick([("1;", 0), ("1/2;1", 0), ("1/2;1;all-in", 1)], [("1;", 0)]):
        what = f"all hands to 1e-4 of the pot, bets {bets.strip(';')}, {raises} raise{'s' * (raises != 1)}"
        text = ALL.format(bets=bets, raises=raises)

        def again(bets: str = bets, raises: int = raises) -> Call:
            made = relance.make("river", ranges="random vs random", pot=10, stack=30, bets=bets, raises=raises)
            Solver(made, "dcfr+", "numba").run(2)
            return partial(relance.solve, made, tolerance=1e-3)

        fresh = replace(child(text, 300), slow=False)  # the first run fills the caches of an installation
        timings = side_by_side({"fresh": fresh, "peak": child(text, 300, "peak"), "again": Work(again)})
        yield Row("river-full", what, timings["again"], limit=1)
        yield Row("river-full", what + ", fresh process", timings["fresh"], note=timings["fresh"].problem)
        yield Row("river-full", what + ", peak memory", timings["peak"], unit="B")


def _by_cfr(game: Game, tolerance: float) -> Work:
    return Work(lambda: partial(relance.solve, game, method="dcfr+", tolerance=tolerance), slow=True)


def named(settings: Settings, of: str = "river", quick: str = "polar_small") -> Iterator[Row]:
    """The named spots: seconds of CFR, whose bounds hold the value, and the exact value again by linear programs."""
    for name, spot in spots(of).items():
        if settings.quick and name != quick:
            continue
        game, pot = spot.game, spot.parameters["pot"]
        timing = side_by_side({"cfr": _by_cfr(game, max(1e-4 * pot, float(spot.within)))})["cfr"]
        profile = timing.result
        worth, (first, second) = relance.value(game, profile), gains(game, profile)
        low, high = float(worth - second), float(worth + first)
        holds = low <= float(spot.value + spot.within) and float(spot.value - spot.within) <= high
        note = f"value {float(spot.value):.6f}, {'within' if holds else 'NOT within'} {low:.6f} to {high:.6f}"
        if spot.exact:
            note += f"; by exact programs {'the same' if solve_lp(game)[0] == spot.value else 'ANOTHER'}"
        yield Row(f"{of}-spots", f"{name}, {game.deal.size(0)} and {game.deal.size(1)} hands", timing, note=note)


BENCHES: dict[str, Bench] = {"river-cfr": iteration, "river-full": full, "river-spots": named}
