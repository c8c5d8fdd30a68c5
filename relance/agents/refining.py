"""Hands on [0, 1] in cells that are made smaller until the score of an agent settles."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import NamedTuple

from relance.agents.reading import CELLS, in_cells
from relance.model.game import Game
from relance.model.strategy import Profile
from relance.solvers.exact import nash_conv, value

FINEST = 2**17
"""The most cells that hands on [0, 1] are cut into."""


class Refined(NamedTuple):
    """The last grid, what the agent plays there, by how much the score still moved, and how many questions were asked in all."""

    game: Game
    profile: Profile
    moved: float
    asked: int


def refined(
    game: Game, plays: Callable[[Game], Profile], tolerance: float, questions: int, budget: int | None = None
) -> Refined:
    """The first grid on which value and NashConv change by no more than `tolerance` chips.

    Starts with about `CELLS` / 2 cells, with the published thresholds on cell borders, and doubles their number. Warns if the score
    still changes by more on the finest grid that is allowed.

    Args:
        game: with hands on [0, 1].
        plays: returns what the agent plays on a grid.
        tolerance: in chips.
        questions: how many the agent is asked for each cell.
        budget: the most questions to ask.

    Raises:
        ValueError: the budget is too small for two grids.
    """
    cells = game.aligned().hands or 1 if game.is_published else 1
    cells *= -(-CELLS // (2 * cells))
    last, moved, asked = None, float("inf"), 0
    least = 3 * cells * questions
    if budget is not None and least > budget:
        raise ValueError(
            f"budget={budget}: a score on {game} takes at least {least:,} questions; hands=n, on n cells, takes fewer"
        )
    while True:
        grid = in_cells(game, cells)
        profile = plays(grid)
        asked += cells * questions
        figures = nash_conv(grid, profile), value(grid, profile)
        if last is not None:
            moved = float(max(abs(new - old) for new, old in zip(figures, last, strict=True)))
            spent = budget is not None and asked + 2 * cells * questions > budget
            if moved <= tolerance or 2 * cells > FINEST or spent:
                break
        last, cells = figures, 2 * cells
    if moved > tolerance:
        text = f"the score still moved by {moved:.2g} chips on {cells} cells, more than {tolerance:g}: it is only rough"
        warnings.warn(text, stacklevel=3)
    return Refined(grid, profile, moved, asked)
