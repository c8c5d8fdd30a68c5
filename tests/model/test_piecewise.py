from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relance.model.piecewise import NotExactError, Piecewise, refined

number = st.fractions(min_value=-4, max_value=4, max_denominator=9)
point = st.fractions(min_value=0, max_value=1, max_denominator=60)


@st.composite
def functions(draw, degree=1):
    inner = draw(st.lists(point.filter(lambda x: 0 < x < 1), max_size=4, unique=True))
    cuts = [Fraction(0), *sorted(inner), Fraction(1)]
    pieces = [tuple(draw(st.lists(number, max_size=degree + 1))) for _ in cuts[1:]]
    pieces = [p if not p or p[-1] != 0 else () for p in pieces]
    return Piecewise(cuts, pieces)


@given(functions(), functions(), point)
def test_arithmetic_is_pointwise(f, g, x):
    inside = x not in set(f.cuts) | set(g.cuts) or x in (0, 1)
    if inside:
        assert (f + g)(x) == f(x) + g(x)
        assert (f - g)(x) == f(x) - g(x)
        assert (f * g)(x) == f(x) * g(x)
        assert (2 - f)(x) == 2 - f(x)
        assert (f * 3)(x) == 3 * f(x)


@given(st.lists(functions(degree=2), min_size=1, max_size=4))
def test_refined_functions_are_the_same_on_the_same_cuts(some):
    found = refined(some)
    cuts = sorted({cut for f in some for cut in f.cuts})
    assert all(list(f.cuts) == cuts for f in found)
    assert found == some


@given(functions(degree=2), functions(degree=2))
def test_integration_is_linear(f, g):
    assert (f + g).integral() == f.integral() + g.integral()
    assert f.integral(Fraction(1, 3), Fraction(1, 2)) == f.cumulative()(Fraction(1, 2)) - f.cumulative()(Fraction(1, 3))


@given(functions(), functions(), point)
def test_where_nonnegative_finds_the_envelope(f, g, x):
    keep = (f - g).where_nonnegative()
    best = keep * f + (1 - keep) * g
    if x not in set(best.cuts) - {0, 1}:
        assert best(x) == max(f(x), g(x))
    assert best.integral() >= max(f.integral(), g.integral())


@given(functions(degree=3))
def test_higher_degrees_are_exact_or_refused(f):
    try:
        keep = f.where_nonnegative()
    except NotExactError:
        return
    grid = [Fraction(i, 97) for i in range(98)]
    assert all((f(x) >= 0) == (keep(x) == 1) or f(x) == 0 for x in grid if x not in set(keep.cuts) | set(f.cuts))


def test_a_sign_change_outside_the_field_is_refused():
    parabola = Piecewise((Fraction(0), Fraction(1)), ((Fraction(-1, 2), Fraction(0), Fraction(1)),))
    with pytest.raises(NotExactError, match="degree 2 in the hand changes sign near hand 0.707"):
        parabola.where_nonnegative()
    cut = parabola.where_nonnegative(Fraction(1, 2**40)).cuts[1]
    assert abs(cut * cut - Fraction(1, 2)) < Fraction(1, 2**38)


def test_steps_and_equality():
    f = Piecewise.steps([(Fraction(0), Fraction(1, 9), 1), (Fraction(7, 9), Fraction(1), 1)])
    assert f.values() == [1, 0, 1]
    assert f.cuts == (0, Fraction(1, 9), Fraction(7, 9), 1)
    assert f == Piecewise.steps(
        [(Fraction(7, 9), Fraction(1), 1), (Fraction(0), Fraction(1, 18), 1), (Fraction(1, 18), Fraction(1, 9), 1)]
    )
    assert Piecewise.steps([(Fraction(1, 2), Fraction(1, 2), 1)]) == Piecewise.constant(0)
    with pytest.raises(ValueError, match=r"\[1/2, 2\] needs 0 <= left end <= right end <= 1"):
        Piecewise.steps([(Fraction(1, 2), Fraction(2), 1)])
    with pytest.raises(ValueError, match="is not constant, so it has no single value"):
        f.cumulative().values()
    with pytest.raises(ValueError, match="hand 2 is not in"):
        f(2)
