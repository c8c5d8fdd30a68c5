"""One call that solves a game."""

from __future__ import annotations

from relance.model.game import Game
from relance.model.strategy import Profile


def solve(game: Game, method: str = "lp") -> Profile:
    """Return an equilibrium of a game with finitely many hands.

    Args:
        game: cards, or hands on [0, 1] cut by `game.grid(n)` or `game.cells(profile)`.
        method: "lp", the sequence-form linear program, exact.
    """
    if method != "lp":
        raise ValueError(f"method={method!r} must be 'lp'")
    from relance.solve.lp import solve_lp

    return solve_lp(game)[1]
