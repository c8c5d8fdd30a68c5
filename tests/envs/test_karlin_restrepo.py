"""La Relance with several bet sizes: long sets of bet sizes, its two known cases, and what is refused."""

from fractions import Fraction
from itertools import pairwise

import pytest

import relance

F = Fraction


def worth(sizes, ante=1):
    u = [F(2 * ante) / (2 * ante + F(size)) for size in sizes]
    more = sum((large * small * (large - small) for large, small in pairwise(u)), F(0))
    return ante * (more / 2 - (1 - u[0]) ** 2)


@pytest.mark.parametrize(
    "sizes", [["3/2"], [1, "5/4"], [2, 3, 100], [1, "3/2", 2, 3, 5, 10], [F(k, 3) for k in range(3, 15)]]
)
@pytest.mark.parametrize("ante", [1, F(2, 3)])
def test_more_bet_sizes_are_solved_too(sizes, ante):
    sizes = [F(size) * ante for size in sizes]
    game = relance.make("sized_la_relance", ante=ante, sizes=sizes)
    assert relance.nash_conv(game, game.published()) == 0
    assert relance.value(game, game.published()) == worth(sizes, ante)


def test_a_grid_has_the_same_value_by_linear_programming():
    game = relance.make("sized_la_relance", sizes=[1, 2]).grid(12)  # all lines are borders
    assert relance.value(game, relance.solve(game, method="lp")) == F(-1, 12)


def test_fine_bet_sizes_come_near_the_limit():
    sizes = [2 / u - 2 for u in (F(2, 3) * F(k, 25) for k in range(25, 0, -1))]
    assert 0 < F(-5, 81) - worth(sizes) < F(1, 10_000)


@pytest.mark.parametrize("sizes", [["1/2", 2], [2, 1], [1, 1]])
def test_sizes_below_the_ante_or_out_of_order_are_refused(sizes):
    with pytest.raises(ValueError, match="must rise from each to the next and begin with at least ante=1$"):
        relance.make("sized_la_relance", sizes=sizes)
