"""Kuhn's game with any deck: solved at any bet, and near the limit of many cards."""

from fractions import Fraction

import pytest

import relance
from relance.claims.kuhn.decks import _bets
from relance.claims.proof import region
from relance.model.numbers import formula
from relance.solvers.lp import solve_lp

F = Fraction


BETS_OF_DECKS = [F(1, 9), F(2, 5), F(1), F(7, 5), F(2), F(23, 5), F(7), F(12), F(30)]


@pytest.mark.parametrize("cards", [2, 3, 4, 5, 6, 7, 9, 12, 13, 20])
def test_any_deck_is_solved_at_any_bet(cards):
    """The borders between the rows of the page too, where w is whole, and a deck and bet where the opener never bets."""
    borders = [F(cards - 1, m) - 1 for m in range(1, cards - 1)] + [F(2 * cards - 4)] * (cards > 2)
    for b in [*BETS_OF_DECKS, *borders]:
        game = relance.make("one_card_poker", cards=cards, raises=0, ante=2, bet=2 * b)
        assert relance.nash_conv(game, game.published()) == 0, b


@pytest.mark.parametrize(("cards", "bet"), [(4, 1), (5, "7/5"), (6, "1/5"), (7, 5), (8, "7/3"), (12, "23/5")])
def test_the_value_by_linear_programming(cards, bet):
    game = relance.make("one_card_poker", cards=cards, raises=0, bet=bet)
    assert solve_lp(game)[0] == relance.value(game, game.published())


def test_more_cards_are_near_the_limit():
    game = relance.make("one_card_poker", cards=400, raises=0, bet=2)
    limit = relance.make("pot_limit", raises=0)
    gap = relance.value(game, game.published()) - relance.value(limit, limit.published())
    assert 0 < abs(gap) < F(1, 400)


@pytest.mark.parametrize(
    ("omega", "holds"),
    [
        ("0", True),
        ("-1/1000", False),
        ("2*(b + 2)/b", True),
        ("2*(b + 2)/b + 1/1000", False),
        ("b - 2", False),
        ("b - 1", True),
    ],
)
def test_the_opener_bets_a_number_of_cards_from_0_to_one_bluff_more_than_the_dealer(omega, holds):
    """Both ends belong to the range, and to leave it on one side is enough to leave it."""
    where = region("b", "1 <= b", "b <= 3")
    assert _bets(where, formula(omega, where), 1).holds is holds
