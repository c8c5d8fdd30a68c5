"""Hold'em on the turn: how long to a share of the pot, and how an iteration of CFR grows with hands, sizes and river cards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import relance
from benchmarks.child import child
from benchmarks.harness import Bench, Call, Row, Settings, Work, side_by_side
from benchmarks.river import named
from relance.envs.turn import first_decision
from relance.model.game import Game
from relance.model.tree import BettingTree
from relance.solvers.cfr_solver import Solver

SOME = "22+;A2s+;K2s+;Q2s+;J7s+;T7s+;97s+;A9o+;KTo+"
"""A range of 287 hands on the default table."""

SOLVE = """
import relance
start = time.perf_counter()
game = relance.make("turn", {parameters})
profile = relance.solve(game, tolerance={tolerance})
result["seconds"] = time.perf_counter() - start
"""


def _parameters(ranges: str, bets: str, raises: int) -> dict[str, object]:
    return {
        "ranges": f"{ranges} vs {ranges}",
        "pot": 10,
        "stack": 50,
        "bets": bets,
        "river_bets": bets,
        "raises": raises,
    }


def full(settings: Settings) -> Iterator[Row]:
    """287 hands to a thousandth of the pot, and all 1,128 to a two-hundredth, each in a fresh process."""
    cases = [(SOME, "1;", 1, 1e-3, 10), ("random", "1/2;1", 0, 5e-3, 120), ("random", "1/2;1", 1, 5e-3, None)]
    for ranges, bets, raises, share, limit in settings.pick(cases, [("99+", "1;", 0, 1e-2, None)]):
        given = ", ".join(f"{name}={value!r}" for name, value in _parameters(ranges, bets, raises).items())
        text = SOLVE.format(parameters=given, tolerance=10 * share)
        timings = side_by_side({"fresh": child(text, 600), "peak": child(text, 600, "peak")})
        hands = "all" if ranges == "random" else relance.make("turn", ranges=f"{ranges} vs {ranges}").deal.size(0)
        what = f"{hands} hands to {share:g} of the pot, bets {bets.strip(';')}, {raises} raise{'s' * (raises != 1)}"
        yield Row("turn-full", what, timings["fresh"], limit=limit, note=timings["fresh"].problem)
        yield Row("turn-full", what + ", peak memory", timings["peak"], unit="B")


def fewer_cards(game: Game, cards: int) -> Game:
    """The same decisions after the first so many river cards alone; their probabilities do not sum to 1, so it is only for timing."""
    kept = dict(list(game.deal.events.items())[:cards])
    values = game.parameters
    streets = values["bets"], values["river_bets"]
    root = first_decision(values["pot"], values["stack"], streets, values["raises"], tuple(kept))
    assert root is not None
    return replace(game, tree=BettingTree(root), deal=game.deal.with_events(kept))


def growth(settings: Settings) -> Iterator[Row]:
    """An iteration with more hands, more sizes of bets, or more river cards."""

    def run(game: Game) -> Call:
        return partial(Solver(game, "dcfr+", "numba").run, 5)

    base: tuple[str, str, int, int] = (SOME, "1;", 0, 48)
    few = [("99+", "1;", 0, 48), base, ("random", "1;", 0, 48)]
    more = [
        (SOME, "1/2;1", 0, 48),
        (SOME, "1/3;2/3;1", 0, 48),
        (SOME, "1;", 1, 48),
        (SOME, "1;", 0, 12),
        (SOME, "1;", 0, 24),
    ]
    for ranges, bets, raises, cards in settings.pick([*few, *more], few[:1]):
        game = fewer_cards(relance.make("turn", **_parameters(ranges, bets, raises)), cards)
        timing = side_by_side({"ours": Work(partial(run, game), 5)})["ours"]
        what = f"{game.deal.size(0)} hands, bets {bets.strip(';')}, {raises} raises, {cards} river cards"
        yield Row("turn-growth", f"iteration, {what}", timing, note=f"{len(game.tree.decisions):,} decisions")


BENCHES: dict[str, Bench] = {
    "turn-full": full,
    "turn-growth": growth,
    "turn-spots": partial(named, of="turn", quick="two_hands"),
}
