"""The NashConv of the published strategies on a grid, where hands on [0, 1] are cut into equal cells."""

from __future__ import annotations

from typing import Any

import numpy as np

from relance.model.game import Game
from relance.pages.plots.picture import Tick, picture, silent
from relance.pages.plots.style import COLOURS, Figure, add_title, figure
from relance.solvers.exact import nash_conv

SIZES = tuple(dict.fromkeys(int(n) for n in np.geomspace(10, 1000, 45).round()))
"""The numbers of cells to try."""


@picture("grids")
def grid_losses(game: Game, tick: Tick = silent) -> Figure:
    """Draw NashConv of the published strategies on grids of equal cells of [0, 1], against the number of cells.

    Marks at the bottom are grids with a NashConv of 0, where the thresholds are borders of cells.

    Examples:
        relance plot grids von_neumann -o grids.svg

    Raises:
        ValueError: the hands are not on [0, 1], or nothing is published.
    """
    if game.deal.is_finite:
        raise ValueError(f"{game} has finitely many hands already; grids are for hands on [0, 1]")
    whole, losses = game.published(), []
    for hands in SIZES:
        grid = game.grid(hands)
        losses.append(float(nash_conv(grid, grid.fit(whole, floats=True))))
        tick(1, len(SIZES))
    sizes, found = np.array(SIZES), np.array(losses)
    some = found > 1e-12  # less comes from rounding
    drawing, ((ax,),) = figure(1, 1, 5.8, 3.5)
    ax.set(xscale="log", yscale="log", xlabel="cells of [0, 1]", ylabel="NashConv (chips)")
    if some.any():
        ax.plot(sizes[some], found[some], color=COLOURS[0], marker="o", markersize=3.5, linewidth=1.2)
        (last,) = np.flatnonzero(some)[-1:]
        falling = found[last] * (sizes[last] / sizes) ** 2
        ax.plot(sizes, falling, color="#777777", linestyle="--", linewidth=1)
        ax.annotate("1/n²", (sizes[0], falling[0]), xytext=(4, 2), textcoords="offset points", fontsize=8)
        ax.set_ylim(found[some].min() / 4, None)
    look: dict[str, Any] = {"linestyle": "none", "marker": "v", "markersize": 5, "color": COLOURS[1], "clip_on": False}
    ax.plot(sizes[~some], np.zeros((~some).sum()), transform=ax.get_xaxis_transform(), **look)
    lost = "; marks at the bottom: 0" if not some.all() else ""
    return add_title(drawing, game, f"what the published strategies lose on grids{lost}")
