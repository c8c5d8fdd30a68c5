"""The blocks that checks are made of."""

from fractions import Fraction

import pytest

from relance.claims.checks import (
    equal,
    every,
    rises,
    signs_between,
    together,
)
from relance.claims.proof import region
from relance.model.piecewise import Piecewise

ONE = Fraction(1)
SQUARE = Piecewise((0 * ONE, ONE), [(0 * ONE, 0 * ONE, ONE)])
HUMP = Piecewise((0 * ONE, ONE), [(0 * ONE, ONE, -ONE)])  # x - x^2: 0 at both ends and positive between them


def test_signs_of_functions_that_are_not_linear():
    """A quadratic may have one sign at both ends and in the middle, and another between."""
    assert signs_between(HUMP, 0, 1) == [1]
    cuts = (Fraction(k, 12) for k in (0, 3, 4, 8, 12))
    assert signs_between(HUMP - Fraction(1, 5), *cuts) == [-1, None, 1, None]
    dip = (SQUARE - 1 * Piecewise.constant(ONE)) * (SQUARE - Fraction(9, 100)) * -1
    assert signs_between(dip, 0, 1) == [None]
    narrow = Piecewise((0 * ONE, ONE), [(-Fraction(1, 4), ONE)]) * Piecewise((0 * ONE, ONE), [(-Fraction(3, 10), ONE)])
    assert all(narrow(x) > 0 for x in (0 * ONE, ONE / 2, ONE))
    assert signs_between(narrow, 0, 1) == [None]
    assert signs_between(narrow + Fraction(1, 1000), 0, 1) == [1]


def test_a_sign_that_stays_undecided_is_an_error():
    third = Piecewise((0 * ONE, ONE), [(-Fraction(1, 3), ONE)])
    with pytest.raises(ArithmeticError, match="of degree 2 is not decided near"):
        signs_between(third * third, 0, 1)


def test_rising_is_asked_of_the_slope_and_wherever_the_interval_lies():
    assert rises(SQUARE, 0 * ONE, ONE)
    assert not rises(HUMP, 0 * ONE, ONE / 4)
    tent = Piecewise((0 * ONE, ONE / 2, ONE), ((0 * ONE, ONE), (ONE, -ONE)))
    assert not rises(tent, 0 * ONE, ONE / 2)  # it falls outside the interval
    assert not rises(Piecewise.constant(ONE), ONE / 4, ONE / 2)  # the interval lies inside a piece that is flat
    steps = Piecewise.steps([(ONE / 2, ONE, ONE)])
    assert rises(steps, ONE / 2, ONE / 2)
    assert not rises(steps * -1, ONE / 2, ONE / 2)


def test_signs_hold_for_all_parameters():
    where = region("s", "0 < s < 1")
    bent = HUMP * where["s"]
    assert signs_between(bent, 0, 1) == [1]
    assert signs_between(-bent, 0, where["s"], 1) == [-1, -1]


def test_nothing_is_decided_by_looking_at_nothing():
    for look in (lambda: together([]), lambda: every([], "all of none"), lambda: equal({"x": ONE}, {})):
        with pytest.raises(ValueError, match="so nothing is decided"):
            look()
