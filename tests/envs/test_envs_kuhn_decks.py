"""Kuhn's game with any deck at any bet: the solution's numbers are probabilities, and its strategies an equilibrium."""

from fractions import Fraction

import pytest

import relance
from relance.envs.kuhn_decks import amounts, value_bets

BETS = ("1/10", "1/2", 1, "7/5", 2, "7/2", 6, 20)


@pytest.mark.parametrize("bet", BETS)
@pytest.mark.parametrize("cards", [4, 5, 8, 13])
def test_it_is_an_equilibrium(cards, bet):
    game = relance.make("one_card_poker", cards=cards, raises=0, bet=bet)
    assert relance.nash_conv(game, game.published()) == 0


@pytest.mark.parametrize("last", [3, 7, 12, 60])
def test_who_bets_more_cards_bluffs_in_proportion(last):
    """The dealer bets no more cards than there are others, fewer the larger the bet, and bluffs with b/(b + 2) of them."""
    bets = [Fraction(bet) for bet in BETS]
    counts = [value_bets(last, b) for b in bets]
    assert counts == sorted(counts, reverse=True)
    for b, count in zip(bets, counts, strict=True):
        found = amounts(last, b)
        assert found["w"] == count <= last - 1
        assert found["sigma"] == b * count / (b + 2)
    assert value_bets(last, Fraction(2 * last - 2)) == 0
