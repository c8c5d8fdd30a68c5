"""One-card poker: Kuhn's game at his value, in any unit, and what raises add."""

from fractions import Fraction

import pytest

import relance


@pytest.mark.parametrize("ante", [1, 2, "1/3"])
@pytest.mark.parametrize("alpha", [0, "1/4", "1/3"])
def test_kuhns_family_has_his_value_in_antes(ante, alpha):
    game = relance.make("one_card_poker", raises=0, ante=ante, bet=ante)
    profile = game.published(alpha=alpha)
    assert relance.value(game, profile) == Fraction(-1, 18) * Fraction(ante)
    assert relance.nash_conv(game, profile) == 0


@pytest.mark.parametrize("raises", [0, 1, 2, 3])
def test_raises_are_counted_on_either_side_of_a_check(raises):
    tree = relance.make("one_card_poker", raises=raises).tree
    for start in ("bet", "check-bet"):
        names = [name for name in tree.decisions if name.startswith(start)]
        assert len(names) == raises + 1
        assert "raise" not in tree.decisions[max(names, key=len)].actions


def test_the_higher_card_wins_and_no_card_is_dealt_twice():
    deal = relance.make("one_card_poker", cards=5).deal
    assert (deal.joint() == [[Fraction(int(i != j), 20) for j in range(5)] for i in range(5)]).all()
    assert all(deal.compare(i, j) == (1 if i > j else -1) for i in range(5) for j in range(5) if i != j)


@pytest.mark.slow
def test_thirty_raises_are_solved_and_scored_exactly():
    """With three cards nobody gains by raises: the value is that of Kuhn's game, as the claims on any number of raises prove."""
    game = relance.make("one_card_poker", raises=30)
    profile = relance.solve(game)
    assert relance.nash_conv(game, profile) == 0
    assert relance.value(game, profile) == Fraction(-1, 18)
