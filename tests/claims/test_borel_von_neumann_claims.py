"""Second routes to claims on dependent hands."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from scipy.special import ndtr, ndtri

import relance
from relance.claims.borel_von_neumann.dependent import COUNTEREXAMPLE
from relance.model.laws import joint_law, law


def test_negative_dependence_is_not_enough_on_nine_squares_either():
    """The counterexample as a game with three hands each: calling with the two best loses 1/11 by the best one."""
    joint = [[Fraction(p, 22) for p in row] for row in COUNTEREXAMPLE]
    edge = [[-1, -1, -1], [1, -1, -1], [1, 1, 1]]
    game = replace(relance.make("la_relance", bet=2), deal=joint_law("abc", "xyz", joint, edge))
    profile = game.profile({"": {"bet": [0, 1, 1]}, "bet": {"call": [0, 1, 1]}})
    assert relance.nash_conv(game, profile) == Fraction(1, 11)
    better = game.profile({"": {"bet": [0, 1, 1]}, "bet": {"call": [0, 1, 0]}})
    assert relance.value(game, profile) - relance.value(game, better) == Fraction(1, 11)


@pytest.mark.parametrize("rho", ["-1/10", "-1/2", "-9/10"])
def test_normal_hands_satisfy_both_conditions_on_a_grid(rho):
    """P(Y < c | X = x) rises with x, and P(X > y | Y = y, X > l) falls with y, for the law as it is dealt."""
    hands = ndtr(np.linspace(-1.5, 1.5, 13))
    below = law(f"normal:{rho}").conditional(0)
    assert all(np.all(np.diff([below(c, x) for x in hands]) > 0) for c in hands)
    for low in hands[:-1]:
        higher = hands[hands > low]
        chances = [(1 - below(y, y)) / (1 - below(low, y)) for y in higher]  # the law is symmetric
        assert np.all(np.diff(chances) < 0), float(ndtri(low))
