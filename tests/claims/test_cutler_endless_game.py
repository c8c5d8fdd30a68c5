"""The game without end, cut off."""

from itertools import pairwise

from test_cutler_asides import F

import relance
from relance.claims.cutler.endless_game import cut_off
from relance.claims.cutler.first_game import ENDLESS


def test_what_is_left_without_end_falls_with_the_raises():
    """NashConv of the endless strategies, cut off after k raises, falls by about (3 alpha)^2 with every two raises."""
    factor = 9 * ENDLESS["alpha"] ** 2
    left = [relance.nash_conv(game, game.profile(plan)) for game, plan in map(cut_off, (2, 4, 6, 8))]
    assert all(after < before * factor * F(11, 10) for before, after in pairwise(left))
    assert left[-1] < F(1, 1000)
