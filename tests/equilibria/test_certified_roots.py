"""Roots that are certified, and what is none."""

from fractions import Fraction as F

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relance.equilibria.certified_roots import Enclosure, ball_of, certified_root, enclosed, flint, precision
from relance.solvers.exact_lp import NotCertifiedError

pytest.importorskip("flint", reason="needs the extra proof")


def test_the_interval_test_finds_a_planted_error():
    """A root is certified; what is none, or a double one, is not."""
    arb = flint().arb
    (root,) = certified_root(lambda x: [x[0] ** 2 - 2], lambda x: [[2 * x[0]]], [1.4], 40)
    with precision(40):
        assert abs(root - arb(2).sqrt()) < arb(10) ** -40
    for function, slope in (
        (lambda x: [x[0] ** 2 + 1], lambda x: [[2 * x[0]]]),  # no root
        (lambda x: [x[0] ** 2], lambda x: [[2 * x[0]]]),  # a double root
        (lambda x: [x[0] ** 2 - 2], lambda x: [[-2 * x[0]]]),  # a wrong derivative
    ):
        with pytest.raises(NotCertifiedError):
            certified_root(function, slope, [1.4], 20)


def holds(root, number):
    """Whether the enclosure of a root holds this fraction."""
    found = enclosed(root)
    return found.low <= number <= found.high


def waves(x):
    """1 + e sin(x / e^2) with e = 10^-20, and its slope: steep everywhere, nowhere below 1/2."""
    e = flint().arb(10) ** -20
    return 1 + e * (x / e**2).sin(), (x / e**2).cos() / e


@pytest.mark.parametrize("beside", [False, True])
def test_a_tiny_step_of_newtons_method_is_no_root(beside):
    """The steps are shorter than the digits asked for, but no root is near; a true root in another coordinate does not help."""

    def function(z):
        return [waves(z[-1])[0], *([z[0] ** 2 - 2] if beside else [])]

    def jacobian(z):
        if not beside:
            return [[waves(z[0])[1]]]
        return [[0, waves(z[1])[1]], [2 * z[0], 0]]

    with precision(10), pytest.raises(NotCertifiedError, match="the interval test does not prove a root to 10 digits"):
        certified_root(function, jacobian, [*([1.4] if beside else []), 0.0], 10)


@pytest.mark.parametrize("digits", [3, 5, 12, 40])
@pytest.mark.parametrize(
    ("function", "slope"),
    [
        (lambda x: 3 * x - 1, lambda x: 3),
        (lambda x: (3 * x - 1) * (x + 1), lambda x: 6 * x + 2),
        (lambda x: (3 * x - 1 + 10**12) - 10**12, lambda x: 3),  # twelve digits are lost
    ],
    ids=["line", "curve", "rounded"],
)
def test_a_root_that_is_no_binary_number_lies_in_its_box(function, slope, digits):
    """1/3, in a box as small as the digits say."""
    with precision(digits):
        (root,) = certified_root(lambda x: [function(x[0])], lambda x: [[slope(x[0])]], [0.3], digits)
        assert holds(root, F(1, 3))
        assert enclosed(root).high - enclosed(root).low < F(1, 10**digits)


def test_fractions_become_balls_that_hold_them():
    with precision(30):
        for number in (F(1, 3), F(-1, 7), F(10**40 + 1, 10**40)):
            assert holds(ball_of(number), number)


@pytest.mark.parametrize(
    ("low", "high", "shown"),
    [
        (F("0.123456"), F("0.123464"), "0.12346"),  # both round to it, and to no common sixth digit
        (F("0.1234564"), F("0.1234561"), "0.123456"),
        (F("0.3"), F("0.4"), "0.30000"),  # at least five are shown
        (F(1, 3) - F(1, 10**30), F(1, 3) + F(1, 10**30), "0." + 29 * "3"),
        (F(-1, 30) - F(1, 10**30), F(-1, 30) + F(1, 10**30), "-0.0" + 28 * "3"),
        (F(1, 8), F(1, 8), "0.125" + 47 * "0"),
        (F(400, 3), F(400, 3), "133." + 50 * "3"),
    ],
)
def test_the_digits_that_are_shown_are_certain(low, high, shown):
    assert str(Enclosure(low, high)) == shown


@given(st.fractions(-2, 2), st.integers(3, 40))
def test_every_number_of_an_enclosure_rounds_to_what_is_shown(number, places):
    found = Enclosure(number - F(1, 10**places), number + F(1, 10**places))
    digits = len(str(found).partition(".")[2])
    if digits > 5:
        for inner in (found.low, number, found.high):
            assert round(inner, digits) == F(str(found))
