"""Sizes of bets in the endgame: the border that is misprinted."""

from fractions import Fraction

import pytest

import relance

F = Fraction


def test_the_border_that_is_misprinted():
    """At P = 3/5 the print says that player I always bluffs; with a bet of 4 it says below 2/3 that they bluff more than surely."""
    game = relance.make("sized_endgame", p="3/5")
    assert list(game.published(as_printed=True).row("", "bet 2")) == [1, 1]
    assert relance.nash_conv(game, game.published(as_printed=True)) == F(2, 5)
    with pytest.raises(ValueError, match="probability"):
        relance.make("sized_endgame", p="16/25", sizes=[1, 4]).published(as_printed=True)
