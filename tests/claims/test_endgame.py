"""The endgame by other routes: linear programs of whole games, and strategies at many points."""

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


def test_the_border_that_is_misprinted():
    """At P = 3/5 the print says that player I always bluffs; with a bet of 4 it says below 2/3 that they bluff more than surely."""
    game = relance.make("sized_endgame", p="3/5")
    assert list(game.published(as_printed=True).row("", "bet 2")) == [1, 1]
    assert relance.nash_conv(game, game.published(as_printed=True)) == F(2, 5)
    with pytest.raises(ValueError, match="probability"):
        relance.make("sized_endgame", p="16/25", sizes=[1, 4]).published(as_printed=True)
