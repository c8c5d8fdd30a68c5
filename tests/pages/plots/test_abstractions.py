"""Prices of abstraction, read back from the figure."""

import pytest

pytest.importorskip("matplotlib", reason="needs the extra plot")


from relance.envs.catalogue import make
from relance.equilibria.abstraction_price import price_of_abstraction
from relance.pages.plots.abstractions import draw_abstraction


def lines(ax):
    return {line.get_label(): line for line in ax.get_lines()}


def test_prices_of_cells_are_those_that_are_computed():
    game = make("von_neumann")
    (ax,) = draw_abstraction(game, cells=9).axes
    shown = lines(ax)["player 1"]
    prices = [float(price_of_abstraction(game, game.grid(n)).prices[1]) for n in range(2, 10)]
    assert [*shown.get_ydata()] == prices
    assert [*lines(ax)["player 0"].get_xdata()] == [*range(2, 9)]  # 9 cells cost player 0 nothing
