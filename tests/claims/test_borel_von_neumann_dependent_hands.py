"""Second routes to claims on dependent hands."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from scipy.special import ndtr, ndtri

import relance
from relance.claims.borel_von_neumann.dependent_hands import COUNTEREXAMPLE
from relance.model.distributions import distribution, joint_distribution
from relance.model.interval import DensityDeal
from relance.model.piecewise import Piecewise


def test_negative_dependence_is_not_enough_on_nine_squares_either():
    """The counterexample as a game with three hands each: calling with the two best loses 1/11 by the best one."""
    joint = [[Fraction(p, 22) for p in row] for row in COUNTEREXAMPLE]
    for table in (joint, [list(column) for column in zip(*joint, strict=True)]):  # each hand falls as the other rises
        for k in (1, 2):
            tails = [sum(row[k:]) / sum(row) for row in table]
            assert tails == sorted(tails, reverse=True)
    edge = [[-1, -1, -1], [1, -1, -1], [1, 1, 1]]
    game = replace(relance.make("la_relance", bet=2), deal=joint_distribution("abc", "xyz", joint, edge))
    profile = game.profile({"": {"bet": [0, 1, 1]}, "bet": {"call": [0, 1, 1]}})
    assert relance.nash_conv(game, profile) == Fraction(1, 11)
    better = game.profile({"": {"bet": [0, 1, 1]}, "bet": {"call": [0, 1, 0]}})
    assert relance.value(game, profile) - relance.value(game, better) == Fraction(1, 11)


@pytest.mark.parametrize("rho", ["-1/10", "-1/2", "-9/10"])
def test_normal_hands_satisfy_both_conditions_on_a_grid(rho):
    """P(Y < c | X = x) rises with x, and P(X > y | Y = y, X > l) falls with y, for the distribution as it is dealt."""
    hands = ndtr(np.linspace(-1.5, 1.5, 13))
    below = distribution(f"normal:{rho}").conditional(0)
    assert all(np.all(np.diff([below(c, x) for x in hands]) > 0) for c in hands)
    for low in hands[:-1]:
        higher = hands[hands > low]
        chances = [(1 - below(y, y)) / (1 - below(low, y)) for y in higher]  # the distribution is symmetric
        assert np.all(np.diff(chances) < 0), float(ndtri(low))


def test_theorem_three_needs_a_c_that_can_meet_a_bet():
    """No hand near c meets one above l, so (24) says 0 = 0; both monotone conditions hold, and player II loses by calling."""
    cell = {name: Piecewise.steps([(Fraction(k, 5), Fraction(k + 1, 5), 5)]) for k, name in enumerate("xuvwz")}
    half, quarter = Fraction(1, 2), Fraction(1, 4)
    low = cell["u"] * quarter + cell["v"] * half + cell["w"] * quarter  # the distribution of Y given X up to l, in x
    high = cell["u"] * half + cell["w"] * half  # and given X above l, in z
    deal = DensityDeal([(cell["x"] * half, low), (cell["z"] * half, high)])
    game = replace(relance.make("la_relance", bet=2), deal=deal)
    c, least = half, Fraction(1, 5)  # c is the middle of v
    profile = game.profile({"": {"bet": [(least, 1)]}, "bet": {"call": [(c, 1)]}})
    assert low.integral(0, c) == high.integral(0, c) == half  # (22), and P(Y < c | X = x) never falls
    met = deal.mass(1, Piecewise.steps([(least, 1, 1)]))
    assert met(c) == 0  # (24); elsewhere all hands above l are above y, so P(X > y | Y = y, X > l) is 1
    assert relance.nash_conv(game, profile) > 0
