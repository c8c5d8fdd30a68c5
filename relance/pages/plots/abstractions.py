"""The price of abstraction: what the strategies solved on cells of hands lose on [0, 1]."""

from __future__ import annotations

from relance.equilibria.abstraction_price import price_of_abstraction
from relance.model.game import Game
from relance.pages.plots.picture import Tick, picture, silent
from relance.pages.plots.style import MARKS, PLAYERS, Figure, figure, headed


@picture("abstraction")
def draw_abstraction(game: Game, cells: int = 40, tick: Tick = silent) -> Figure:
    """Draw what each player's strategy, solved with hands in equal cells, guarantees less than the value with hands on [0, 1].

    A number of cells that costs nothing has a mark below the axis.

    Args:
        cells: the most cells.

    Examples:
        relance plot abstraction von_neumann -o abstraction.svg

    Raises:
        ValueError: hands are finite, the value is not known, or there are fewer than 2 cells.
    """
    if game.deal.is_finite:
        raise ValueError(f"{game} has finitely many hands; the cells are of hands on [0, 1]")
    if cells < 2:
        raise ValueError(f"cells={cells} must be at least 2")
    prices: dict[int, tuple[float, ...]] = {}
    for n in range(2, cells + 1):
        prices[n] = tuple(map(float, price_of_abstraction(game, game.grid(n)).prices))
        tick(1, cells - 1)
    drawing, ((ax,),) = figure(1, 1, 5.8, 3.5)
    for player, colour in enumerate(PLAYERS):
        lost = {n: both[player] for n, both in prices.items() if both[player] > 0}
        free = [n for n, both in prices.items() if both[player] == 0]
        look = {"color": colour, "marker": MARKS[player], "markersize": 4}
        ax.plot(lost.keys(), lost.values(), **look, linewidth=1, label=f"player {player}")
        below = {"linestyle": "none", "transform": ax.get_xaxis_transform(), "clip_on": False}
        ax.plot(free, [-0.04 - 0.04 * player] * len(free), **look, **below)
    ax.set(xscale="log", yscale="log", xlabel="cells", ylabel="price (chips)")
    ticks = [n for n in (2, 5, 10, 20, 50, 100, 200, 500, 1000) if n <= cells]
    ax.set_xticks(ticks, map(str, ticks))
    ax.minorticks_off()
    ax.tick_params(axis="x", pad=12)
    ax.legend(fontsize=8)
    return headed(drawing, game, "what strategies solved on equal cells lose on [0, 1]; marks below the axis: nothing")
