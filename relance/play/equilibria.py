"""Equilibria to play against: published ones if there are any, else solved once and cached."""

from __future__ import annotations

from collections.abc import Callable

from relance.model.arguments import checked
from relance.model.game import Game
from relance.model.strategy import Profile
from relance.play.refinement import in_cells
from relance.play.rules import rules
from relance.solvers.method_choice import is_small
from relance.solvers.solve import solve

SOLVED_TO = 1e-4
"""The exploitability that solving may leave, as a share of the most chips that a player can lose."""

KEPT = 16
"""The most solutions that are kept in the cache."""

_SOLUTIONS: dict[Game, Profile] = {}


def solved(game: Game, tick: Callable[[int, float], None] = lambda iteration, exploitability: None) -> Profile:
    """Solve a game and return an equilibrium; hands on [0, 1] are cut into `limits.CELLS` cells. The last `KEPT` are cached.

    The equilibrium is exact in small games with exact probabilities, else up to `SOLVED_TO`, and `tick` gets (iteration, exploitability).
    """
    if game not in _SOLUTIONS:
        cells = game if game.deal.is_finite else in_cells(game)
        tolerance = None if is_small(cells) else SOLVED_TO * max(rules(game).worst)
        solution = solve(cells, tolerance=tolerance, tick=tick)
        if cells is not game:
            solution = cells.on_interval(solution)
        while len(_SOLUTIONS) >= KEPT:
            del _SOLUTIONS[next(iter(_SOLUTIONS))]
        _SOLUTIONS[game] = solution
    return _SOLUTIONS[game]


@checked
def equilibrium(game: Game) -> Profile:
    """Return an equilibrium of a game: the published strategies or, if there are none, those that `relance.solve` finds."""
    return game.published() if game.is_published else solved(game)
