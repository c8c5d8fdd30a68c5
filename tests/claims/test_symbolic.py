"""Numbers with symbols: arithmetic, comparisons and texts."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relance.claims.proof import Region, region
from relance.claims.symbolic import Symbolic
from relance.model.numbers import DependsOnParametersError

F = Fraction


def rational(R, data):
    """A random rational function of B and x, and a python function that computes it."""
    terms = [
        (data.draw(st.integers(-3, 3)), data.draw(st.integers(0, 2)), data.draw(st.integers(0, 2))) for _ in range(3)
    ]

    def value(B, x):
        return sum((c * B**i * x**j for c, i, j in terms), F(0)) / (B + 1)

    return value(R["B"], R["x"]), value


@given(
    data=st.data(),
    B=st.fractions(F(1, 8), 5, max_denominator=8),
    x=st.fractions(F(1, 8), F(7, 8), max_denominator=8),
)
def test_arithmetic_commutes_with_substitution(data, B, x):
    R = region("B, x", "B > 0", "0 < x < 1")
    (f, at_f), (g, at_g) = rational(R, data), rational(R, data)
    point, here, there = {"B": B, "x": x}, at_f(B, x), at_g(B, x)

    def at(number):
        return number.at(point) if isinstance(number, Symbolic) else number

    assert at(f + g) == here + there
    assert at(f - g) == here - there
    assert at(f * g) == here * there
    assert at(2 - f) == 2 - here
    assert at(f * F(1, 3)) == here / 3
    assert at(f**2) == here**2
    assert (f == g) == (f - g == 0)


@given(data=st.data())
def test_comparisons_hold_at_every_point(data):
    R = region("B, x", "B > 0", "0 < x < 1")
    f, at_f = rational(R, data)
    try:
        positive = bool(f > 0)
    except DependsOnParametersError:
        return
    for B, x in ((F(1, 7), F(1, 5)), (F(2), F(1, 2)), (F(9), F(6, 7))):
        assert (at_f(B, x) > 0) == positive


def test_what_depends_on_the_parameters_says_so():
    R = Region("B", "B > 0")
    assert R["B"] + 1 > 1
    assert not R["B"] < 0
    with pytest.raises(DependsOnParametersError, match=r"true at B = "):
        bool(R["B"] > 2)
    with pytest.raises(DependsOnParametersError, match="divisor"):
        1 / (R["B"] - 2)
    with pytest.raises(ZeroDivisionError):
        1 / (R["B"] - R["B"])
    with pytest.raises(ValueError, match="two parameter regions"):
        R["B"] + Region("B", "B > 0")["B"]


def test_text_is_readable():
    R = Region("A, B", "A > 0", "B > 0")
    A, B = R["A"], R["B"]
    assert str(B / ((B + 1) * (B + 4))) == "B/((B + 1)*(B + 4))"
    assert str((1 - B) / 3) == "(1 - B)/3"
    assert str(1 / (A * (B + 1) ** 2)) == "1/(A*(B + 1)^2)"
    assert str(1 / (A * (B + 1))) == "1/((B + 1)*A)"
    assert str(-A * B**2 / (2 * A + B) ** 2) == "-A*B^2/(2*A + B)^2"
    assert str(A * 0) == "0"


@pytest.mark.parametrize(("names", "conditions"), [("x", ["x > 0"]), ("x, y", ["0 < x <= 1", "y >= x"])])
def test_a_negative_power_is_a_division(names, conditions):
    powers, divided = Region(names, *conditions, "x**-1 > 2"), Region(names, *conditions, "1/x > 2")
    assert powers.samples == divided.samples
    assert all(0 < point[0] < F(1, 2) for point in powers.samples)


@given(st.lists(st.integers(-3, 3), min_size=8, max_size=8))
def test_sums_and_products_are_in_lowest_terms(whole):
    x, y = region("x, y", "x > 0", "y > 0").values()
    a, b, c, d, e, f, g, h = whole
    one, other = (a * x + b * y + c) / (x * y + x), (d * x + e * y + f) / ((x + y) * x)
    for result in (one + other, one * other, one - one, one * 0, (one + g) * (other + h)):
        assert result.top.gcd(result.bottom) == result.region.one
        assert result.bottom.leading_coefficient() == 1
    at = {"x": F(2, 3), "y": F(5, 7)}
    assert (one + other).at(at) == one.at(at) + other.at(at)
    assert (one * other).at(at) == one.at(at) * other.at(at)
