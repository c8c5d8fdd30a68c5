"""The super bluffer, by Cutler's series."""

from fractions import Fraction

from relance.claims.cutler.asides import bluffer
from relance.claims.cutler.first_game import ENDLESS
from relance.claims.ledger import Numbers
from relance.model.quadratic import square_root

F, ROOT = Fraction, square_root(7)


def test_the_super_bluffer_by_his_series():
    """A checks, or bets and then folds, calls or reraises; the terms are summed by hand, with 1 as the ante."""
    alpha, beta = ENDLESS["alpha"], ENDLESS["beta"]
    a, b = 1 - ROOT / 21, F(5, 9) - ROOT / 63
    h = 1 - a
    folds = -(b - h / 2)
    calls = 3 * sum((x * x - x) * sign for x, sign in ((a, 1), (b, -1)))  # the integral of 3 (2x - 1) from b to a
    linear = -3 * (F(3, 2) - beta - alpha**2 / 2) + 9 * (beta - alpha**2)
    square = -9 * (beta**2 - alpha**4)
    bet = linear * h / (1 - 9 * alpha**2) + square * h**2 / (1 - 9 * alpha**4)
    won = folds + calls + bet
    found = bluffer(Numbers({"return": "0.125", "exactly": "11/54 - 79*s/2646"}))
    assert found.holds
    assert won == F(11, 54) - 79 * ROOT / 2646
