"""The ways to solve a game to a tolerance, with the seconds that each is expected to take; the figures are measured.

`python -m benchmarks choices` shows how near the chosen way comes to the quickest.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from typing import NamedTuple

from relance.model.game import Game
from relance.solvers.active import levels_of

FIRST_ORDER = "dcfr+"
"""The variant of CFR that is chosen: of those in `METHODS` it needs the fewest iterations where CFR is quicker than a program."""

COARSEST = 1000
"""Hands of the first level of CFR; each further level has ten times as many."""

WHOLE_MOST = 2000
"""The most hands of a program in floats, if they cannot be made coarser."""

ROUNDING = 1e-14
"""Floats do not reach an exploitability below this share of the most chips at stake."""

START_LP, START_NUMBA = 0.25, 2.0
"""Seconds for a process's first program (importing scipy.optimize), and for its first kernels (importing numba, or compiling)."""

CALLS, PER_HAND, COMPILED = 20e-6, 30e-9, 15e-9
"""Seconds of an iteration for each decision node: numpy's calls, numpy's work on a hand, and a compiled loop's."""

PROGRAM = 1.2e-4
"""Seconds of all programs for each decision node and hand, of at most `PROGRAM_HANDS` hands."""

PROGRAM_HANDS, PROGRAMS, SCORES = 200, 8, 25
"""Also: the programs after which the full game is scored, and how often a run of CFR is."""


class Way(NamedTuple):
    """A method, its backend (None for a program), and the seconds expected."""

    method: str
    backend: str | None
    seconds: float

    def __str__(self) -> str:
        return "a linear program in floats" if self.backend is None else f"{self.method} with {self.backend}"


def stakes(game: Game) -> tuple[float, float]:
    """The fewest and the most chips that an ending pays; games in which nothing is paid count as 1."""
    paid = [abs(constant) + abs(stake) for constant, stake in (leaf.in_floats for leaf in game.tree.leaves.values())]
    return min((chips for chips in paid if chips), default=1.0), max(paid, default=0.0) or 1.0


def at_once(game: Game) -> bool:
    """Whether a program in floats must begin with all hands."""
    return len(levels_of(game.finite_deal())) == 1


def ways(game: Game, tolerance: float) -> list[Way]:
    """All ways to solve a game with finitely many hands, the quickest first, given what is installed and imported."""
    deal = game.finite_deal()
    hands, decisions = max(deal.size(0), deal.size(1)), len(game.tree.decisions)
    share = tolerance / stakes(game)[0]
    iterations = 1.6 * share**-0.6
    solved = min(hands, max(COARSEST, 3 * share**-0.5)) if deal.in_step else hands

    def score(hands: float) -> float:
        return decisions * (CALLS + PER_HAND * hands)

    out = [Way(FIRST_ORDER, "numpy", (iterations + SCORES) * score(solved))]
    if deal.in_step and find_spec("numba") is not None:
        seconds = iterations * decisions * COMPILED * solved + SCORES * score(solved)
        out.append(Way(FIRST_ORDER, "numba", seconds + START_NUMBA * ("relance.solvers.kernels" not in sys.modules)))
    if not at_once(game) or hands <= WHOLE_MOST:
        size = hands * max(1.0, hands / 100) if at_once(game) else min(hands, PROGRAM_HANDS)
        seconds = PROGRAM * decisions * size + PROGRAMS * score(hands)
        out.append(Way("lp", None, seconds + START_LP * ("scipy.optimize" not in sys.modules)))
    return sorted(out, key=lambda way: way.seconds)
