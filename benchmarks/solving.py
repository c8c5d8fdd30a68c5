"""One iteration of CFR+ against OpenSpiel and LiteEFG, its cost against the number of hands, and linear programs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import relance
from benchmarks import peers
from benchmarks.child import child
from benchmarks.fresh import HIGHS
from benchmarks.harness import (
    Bench,
    Call,
    Row,
    Settings,
    Timing,
    Work,
    best,
    compare,
    figure,
    side_by_side,
    slope,
)
from benchmarks.large import iteration_seconds
from relance.model.game import Game

PROGRAM = """
import relance, highspy, relance.solvers.lp, relance.solvers.solve
game = relance.make("one_card_poker", cards={cards}, raises=1)
start = time.perf_counter()
profile = relance.solve(game, tolerance=1e-9{options})
result["seconds"] = time.perf_counter() - start
result["nash_conv"] = float(relance.nash_conv(game, profile.as_float()))
"""

SEQUENCE_FORM = """
import pyspiel, relance
from open_spiel.python.algorithms import lp_solver, sequence_form_lp
{settings}
game = pyspiel.load_efg_game(relance.to_efg(relance.make("one_card_poker", cards={cards}, raises=1)))
start = time.perf_counter()
sequence_form_lp.solve_zero_sum_game(game{options})
result["seconds"] = time.perf_counter() - start
"""


def cfr(game: Game, backend: Any = None, iterations: int = 20) -> Work:
    """Our CFR+, in seconds per iteration."""

    def prepare() -> Call:
        from relance.solvers.cfr_solver import Solver

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


def works_of(game: Game) -> dict[str, Work]:
    """An iteration of CFR+ by Relance with numba, as it comes and with numpy, and by the peers that read the game from a file."""
    return {
        "Relance": cfr(game, "numba"),
        "default": cfr(game),
        "numpy": cfr(game, "numpy"),
        "OpenSpiel, .efg": spiel_efg(game),
        "LiteEFG": lite(game),
    }


def iteration(settings: Settings) -> Iterator[Row]:
    """One iteration of CFR+ on von Neumann's game with all tools, and on smaller games for the picture."""
    small: list[int] = settings.pick([10, 20, 150], [6, 12])
    large: list[int] = settings.pick([30, 100, 300], [10, 30, 60])
    python, last = "OpenSpiel, python game", []
    for hands in [*small, *large]:
        game = relance.make("von_neumann", bet=2, hands=hands)
        works = works_of(game) if hands in large else {"Relance": cfr(game, "numba")}
        if hands in small:
            works[python] = spiel_python(hands)
        timings = side_by_side(works, settings.pick(7, 5))
        ours = timings["Relance"]
        for name, timing in timings.items():
            if name not in ("Relance", "default", "numpy") and timing.median is not None:
                settings.series.setdefault(name, []).append((hands, timing.median))
        what = f"CFR+ iteration, von Neumann, {hands} hands"
        if hands == small[-1]:
            note = "the aim was set at 300 hands, where the peer was not timed, but extrapolated"
            last = [compare("cfr-iteration", what, ours, python, timings[python], 500_000, note)]
    for name, target, least in (("OpenSpiel, .efg", 20_000, None), ("LiteEFG", 10_000, 1_000)):
        front = f"CFR+ iteration, von Neumann's game, {hands} hands" if name != "LiteEFG" else ""
        note = f"with numba; as it comes {figure(timings['default'].median, 's')}"
        yield compare("cfr-iteration", what, ours, name, timings[name], target, note, front=front)
        yield compare("cfr-iteration", what + ", without numba", timings["numpy"], name, timings[name], least)
    yield from last


def scaling(settings: Settings) -> Iterator[Row]:
    """The slope of the cost of an iteration against the number of hands, in a log-log picture."""
    top = settings.pick(6, 5)
    for what, name, options in (
        ("von Neumann", "von_neumann", "bet=2, hands={hands}"),
        ("one raise", "one_card_poker", "raises=1, cards={hands}"),
    ):
        for way, backend in (("numba", "numba"), ("numpy", "numpy")):
            points: dict[int, Timing] = {}
            notes = []
            for hands in (10**e for e in range(2, top + 1)):
                timing = iteration_seconds(name, options.format(hands=hands), backend, 60)
                if timing.median is None:
                    notes.append(f"{hands} hands: {timing.problem}")
                    break
                points[hands] = timing
            if points and name == "von_neumann":
                settings.series[f"Relance, {way}"] = [(hands, timing.median or 0) for hands, timing in points.items()]
            asked = {hands: timing for hands, timing in points.items() if hands >= 1000}
            notes += [", ".join(f"{hands:,}: {figure(timing.median, 's')}" for hands, timing in asked.items())]
            runs = zip(*(timing.result["times"] for timing in asked.values()), strict=True)
            slopes = [slope(list(zip(asked, seconds, strict=True))) for seconds in runs] if len(asked) > 1 else []
            yield Row(
                "cfr-scaling",
                f"CFR+ iteration, {what}, {way}: slope of log cost on log hands, 10^3 to 10^{top}",
                Timing.of(slopes) if slopes else Timing(),
                unit="",
                limit=1.1,
                note="; ".join(filter(None, notes)),
            )


def small_tree(settings: Settings) -> Iterator[Row]:
    """Kuhn's three cards, where the overhead of calls dominates."""
    game = relance.make("one_card_poker", cards=3, raises=0)
    works = {**works_of(game), "Relance": cfr(game, "numba", 1000), "default": cfr(game, None, 100)}
    timings = side_by_side(works, settings.pick(9, 5))
    note = f"with numba; as it comes {figure(timings['default'].median, 's')}"
    for name in ("LiteEFG", "OpenSpiel, .efg"):
        what, front = "CFR+ iteration, Kuhn, 3 cards", "CFR+ iteration, Kuhn's 3 cards" if name == "LiteEFG" else ""
        yield compare("cfr-small", what, timings["Relance"], name, timings[name], 5, note, front=front)


def linear_program(settings: Settings) -> Iterator[Row]:
    """One raise to the precision of a linear program, each in a fresh process whose imports are not timed."""
    cards, limit = settings.pick(150, 20), 60
    works = {
        "ours": PROGRAM.format(cards=cards, options=""),
        "our program": PROGRAM.format(cards=cards, options=", method='lp'"),
        "ECOS": SEQUENCE_FORM.format(cards=cards, settings="", options=""),
        "HiGHS": SEQUENCE_FORM.format(cards=cards, **HIGHS),
    }
    timings = side_by_side({name: child(code, limit) for name, code in works.items()})
    what = f"one raise, {cards} cards, to 1e-9"
    program, peer, theirs = timings["our program"], "OpenSpiel, sequence_form_lp on .efg", timings["ECOS"]
    quickest, note = best(theirs, {"HiGHS": timings["HiGHS"]}), ""
    if program.result:
        note = f"NashConv {program.result['nash_conv']:.0e}"
    yield compare("lp", what + ", linear program", program, peer, theirs, 100, note, None, quickest)
    ours_best = best(timings["ours"], {"linear program": program})
    yield compare(
        "lp",
        what + ", any method",
        timings["ours"],
        peer,
        theirs,
        100,
        "",
        ours_best,
        quickest,
        front=f"equilibrium to 1e-9, one raise, {cards} cards",
    )


BENCHES: dict[str, Bench] = {
    "cfr-iteration": iteration,
    "cfr-scaling": scaling,
    "cfr-small": small_tree,
    "lp": linear_program,
}
