"""One iteration of CFR+ against OpenSpiel and LiteEFG, its cost against the number of hands, and linear programs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import relance
from benchmarks import peers
from benchmarks.harness import (
    Bench,
    Call,
    Missing,
    Row,
    Settings,
    Timing,
    Work,
    compare,
    figure,
    in_child,
    problem,
    side_by_side,
    slope,
)
from benchmarks.large import iteration_seconds
from relance.model.game import Game

LP = """
import relance, scipy.optimize, scipy.sparse, relance.solvers.lp, relance.solvers.solve
game = relance.make("one_card_poker", cards={cards}, raises=1)
start = time.perf_counter()
profile = relance.solve(game, method="lp", tolerance=1e-9)
result["seconds"] = time.perf_counter() - start
result["nash_conv"] = float(relance.nash_conv(game, profile.as_float()))
"""

SEQUENCE_FORM = """
import pyspiel, relance
from open_spiel.python.algorithms import sequence_form_lp
game = pyspiel.load_efg_game(relance.to_efg(relance.make("one_card_poker", cards={cards}, raises=1)))
start = time.perf_counter()
sequence_form_lp.solve_zero_sum_game(game)
result["seconds"] = time.perf_counter() - start
"""


def cfr(game: Game, backend: Any = None, iterations: int = 20) -> Work:
    """Our CFR+, in seconds per iteration."""

    def prepare() -> Call:
        from relance.solvers.cfr import Solver

        solver = Solver(game, method="cfr+", backend=backend)
        return partial(solver.run, iterations)

    return Work(prepare, iterations)


def lite(game: Game) -> Work:
    """LiteEFG's CFR+, in seconds per iteration."""
    return Work(lambda: peers.Lite(game).step)


def spiel_efg(game: Game) -> Work:
    """OpenSpiel's CFR+ on .efg."""
    return Work(lambda: peers.spiel_cfr(peers.efg(game)))


def spiel_python(hands: int) -> Work:
    """OpenSpiel's CFR+ on the python game."""
    return Work(lambda: peers.spiel_cfr(peers.spiel(f"von_neumann(bet=2,hands={hands})")), slow=True)


def iteration(settings: Settings) -> Iterator[Row]:
    """One iteration of CFR+ on von Neumann's game with all four tools, and on smaller games for the picture."""
    sizes: list[int] = settings.pick([30, 100, 300], [10, 30, 60])
    efg, lite_efg = "OpenSpiel, .efg", "LiteEFG"
    timings: dict[str, Timing] = {}
    for hands in sizes:
        game = relance.make("von_neumann", bet=2, hands=hands)
        works = {
            "numpy": cfr(game, "numpy"),
            "compiled": cfr(game, "numba"),
            efg: spiel_efg(game),
            lite_efg: lite(game),
        }
        timings = side_by_side(works, settings.pick(7, 5))
        for name in (efg, lite_efg):
            _add(settings, name, hands, timings[name])
    top = sizes[-1]
    for hands in settings.pick([10, 20, 40], [6, 12]):
        python = side_by_side({"python": spiel_python(hands)}, 1)["python"]
        _add(settings, "OpenSpiel, python game", hands, python)
    grown = Timing(python.median and python.median * (top / hands) ** 2, problem=python.problem)
    extrapolated = f"peer EXTRAPOLATED from {hands} hands, as hands squared"
    for way in ("compiled", "numpy"):
        what = f"CFR+ iteration, von Neumann, {top} hands, {way}"
        for name, peer, target, note in (
            ("OpenSpiel, python game", grown, 500_000, extrapolated),
            (efg, timings[efg], 20_000, ""),
            (lite_efg, timings[lite_efg], 10_000, ""),
        ):
            yield compare("cfr-iteration", what, timings[way], name, peer, target if way == "compiled" else None, note)


def _add(settings: Settings, name: str, hands: int, timing: Timing) -> None:
    if timing.median is not None:
        settings.series.setdefault(name, []).append((hands, timing.median))


def scaling(settings: Settings) -> Iterator[Row]:
    """The slope of the cost of an iteration against the number of hands, in a log-log picture."""
    top = settings.pick(6, 5)
    for what, name, options in (
        ("von Neumann", "von_neumann", "bet=2, hands={hands}"),
        ("one raise", "one_card_poker", "raises=1, cards={hands}"),
    ):
        for way, backend in (("compiled", "numba"), ("numpy", "numpy")):
            points: list[tuple[int, float]] = []
            notes = []
            for hands in (10**e for e in range(2, top + 1)):
                try:
                    result = iteration_seconds(name, options.format(hands=hands), backend, 120)
                    points.append((hands, result["seconds"]))
                except Missing as error:
                    notes.append(f"{hands} hands: {error}")
                    break
            if points and name == "von_neumann":
                settings.series[f"Relance, {way}"] = points
            asked = [point for point in points if point[0] >= 1000]
            notes += [", ".join(f"{n:,}: {figure(t, 's')}" for n, t in asked)] * bool(asked)
            yield Row(
                "cfr-scaling",
                f"CFR+ iteration, {what}, {way}: slope of log cost on log hands, 10^3 to 10^{top}",
                slope(asked) if len(asked) > 1 else None,
                unit="",
                limit=1.1,
                note="; ".join(notes),
            )


def small_tree(settings: Settings) -> Iterator[Row]:
    """Kuhn's three cards, where the overhead of calls dominates."""
    game = relance.make("one_card_poker", cards=3, raises=0)
    works = {
        "compiled": cfr(game, "numba", 1000),
        "numpy": cfr(game, "numpy", 100),
        "lite": lite(game),
        "efg": spiel_efg(game),
    }
    timings = side_by_side(works, settings.pick(9, 5))
    what = "CFR+ iteration, Kuhn, 3 cards"
    yield compare("cfr-small", what + ", compiled", timings["compiled"], "LiteEFG", timings["lite"], 5)
    yield compare("cfr-small", what + ", compiled", timings["compiled"], "OpenSpiel, .efg", timings["efg"], 5)
    yield compare("cfr-small", what + ", numpy", timings["numpy"], "LiteEFG", timings["lite"], 1, "aim: not behind")


def linear_program(settings: Settings) -> Iterator[Row]:
    """The linear program of one raise, each in a fresh process; the peer takes about a minute at 300 cards."""
    cards, limit = settings.pick(300, 20), settings.pick(300, 30)
    seconds: dict[str, float | None] = {}
    notes = []
    for name, code in (("ours", LP), ("peer", SEQUENCE_FORM)):
        seconds[name] = None
        try:
            result = in_child(code.format(cards=cards), limit)
            seconds[name] = result["seconds"]
            if "nash_conv" in result:
                notes.append(f"NashConv {result['nash_conv']:.0e}")
        except Missing as error:
            notes.append(f"{'relance' if name == 'ours' else 'OpenSpiel'} {problem(error)}")
    yield Row(
        "lp",
        f"linear program, one raise, {cards} cards",
        seconds["ours"],
        peer_name="OpenSpiel, sequence_form_lp on .efg",
        peer=seconds["peer"],
        target=100,
        note="; ".join(notes),
    )


BENCHES: dict[str, Bench] = {
    "cfr-iteration": iteration,
    "cfr-scaling": scaling,
    "cfr-small": small_tree,
    "lp": linear_program,
}
