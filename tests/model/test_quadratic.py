import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relance.model.quadratic import Quadratic, square_root

PARTS = st.fractions(min_value=-50, max_value=50, max_denominator=30)
NUMBERS = st.builds(lambda a, b: Quadratic(7, a, b), PARTS, PARTS)


@given(NUMBERS, NUMBERS, NUMBERS)
def test_field(x, y, z):
    assert (x + y) * z == x * z + y * z
    assert x - x == 0
    if y != 0:
        assert x / y * y == x


@given(NUMBERS, NUMBERS)
def test_order_is_that_of_the_floats(x, y):
    assert (x < y) == (not y <= x)
    if abs(float(x) - float(y)) > 1e-9:
        assert (x < y) == (float(x) < float(y))


def test_floats_do_not_cancel():
    tiny = (square_root(7) - 2) / 3
    assert float(tiny**40) == pytest.approx(((math.sqrt(7) - 2) / 3) ** 40, rel=1e-12)


def test_fields_do_not_mix():
    with pytest.raises(ValueError, match=r"Q\(sqrt 5\)"):
        square_root(7) + square_root(5)
    assert square_root(7) ** 2 == 7
    assert square_root(7) + Fraction(1, 2) > 3
