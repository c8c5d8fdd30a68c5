"""What an agent earns against a known opponent, exactly."""

from fractions import Fraction

import pytest

import relance
from relance.play.earnings import earned


@pytest.mark.parametrize("seat", [0, 1])
def test_a_best_response_earns_all_and_an_equilibrium_the_value(published_game, seat):
    best = earned(published_game, "best_response(uniform)", seat, "uniform")
    assert best.value == best.best
    assert best.share is None or best.share == 1
    value = relance.value(published_game, published_game.published()) * (1 - 2 * seat)
    assert earned(published_game, "published", seat, "published").value == value


def test_by_hand_in_kuhns_game():
    """Who always bets wins the antes of one who always folds."""
    found = earned("one_card_poker(raises=0)", "aggressive", 0, lambda seen, masks: masks.argmax(axis=1))
    assert (found.value, found.best, found.share) == (1, 1, 1.0)
    lost = earned("one_card_poker(raises=0)", "passive", 0, "published")
    assert lost.value < lost.best == Fraction(-1, 18)
    assert lost.share is None
