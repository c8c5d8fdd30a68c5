"""Rounds of the endgame: equilibria on either side of every border."""

from fractions import Fraction
from itertools import product

import pytest

import relance

F = Fraction

CHANCES = [F(k, 12) for k in range(13)]


@pytest.mark.parametrize(("first", "second", "third"), list(product((1, 2, 5), repeat=3)))
def test_three_rounds_on_either_side_of_every_border(first, second, third):
    for P in CHANCES:
        game = relance.make("endgame", p=P, bets=[first, second, third])
        assert relance.nash_conv(game, game.published()) == 0
