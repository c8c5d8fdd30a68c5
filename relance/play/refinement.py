"""Cut hands on [0, 1] into smaller and smaller cells until the score of an agent converges."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import lru_cache

from relance.model.game import Game
from relance.model.limits import CELLS
from relance.model.strategy import Profile
from relance.solvers.exact import nash_conv, value

FINEST = 2**17
"""The most cells that hands on [0, 1] are cut into."""


@lru_cache(maxsize=8)
def in_cells(game: Game, cells: int = CELLS) -> Game:
    """Return the game with hands on [0, 1] cut into equal cells. Cached, since cutting a distribution can take seconds."""
    return game.grid(cells)


def grid_sizes(game: Game) -> list[int]:
    """Return the numbers of equal cells to try: first about `CELLS` / 2, then always twice as many, up to `FINEST`.

    Published thresholds are borders of these cells if they can be borders of at most 60 equal cells.
    """
    least = game.aligned().hands or 1 if game.is_published else 1
    cells = [least * -(-CELLS // (2 * least))]
    while 2 * cells[-1] <= FINEST:
        cells.append(2 * cells[-1])
    return cells


def refined_grid(
    game: Game, plays: Callable[[Game], Profile], tolerance: float, questions: int, budget: int | None = None
) -> tuple[Game, Profile, float, int]:
    """Return the first grid on which value and NashConv change by at most `tolerance` chips from the grid before.

    Tries the `grid_sizes` in turn. Warns if the score still changes by more on the finest grid that is allowed.

    Args:
        game: a game with hands on [0, 1].
        plays: a function of a grid that returns what the agent plays there.
        tolerance: in chips.
        questions: for each cell, the number of information sets at which the agent is asked for its probabilities.
        budget: the most information sets at which the agent may be asked, on all grids together.

    Returns:
        The grid, what the agent plays there, by how many chips value or NashConv changed last, and the number of information sets at which
        the agent was asked, on all grids together.

    Raises:
        ValueError: the budget is too small for two grids.
    """
    tried, last, moved, asked = grid_sizes(game), None, float("inf"), 0
    least = (tried[0] + tried[1]) * questions
    if budget is not None and least > budget:
        raise ValueError(
            f"budget={budget}: a score on {game} asks the agent at {least:,} information sets or more; raise the budget, or give hands=n, "
            "which cuts [0, 1] into n cells, with a small n"
        )
    for cells in tried:
        if budget is not None and asked + cells * questions > budget:
            break
        grid = in_cells(game, cells)
        profile = plays(grid)
        asked += cells * questions
        figures = nash_conv(grid, profile), value(grid, profile)
        if last is not None:
            moved = float(max(abs(new - old) for new, old in zip(figures, last, strict=True)))
        if moved <= tolerance:
            break
        last = figures
    if moved > tolerance:
        text = f"the score still moved by {moved:.2g} chips on {grid.hands} cells, more than {tolerance:g}: it is only rough"
        warnings.warn(text, stacklevel=3)
    return grid, profile, moved, asked
