from fractions import Fraction

import pytest
import z3

from relance.model.conditions import borders_of, conditions_of, divisors_of
from relance.model.numbers import formula

F = Fraction
BELOW, AT, ABOVE = F(999, 1000), F(1), F(1001, 1000)


@pytest.mark.parametrize(
    ("text", "true_at"),
    [
        ("x < 1", [BELOW]),
        ("x <= 1", [BELOW, AT]),
        ("x > 1", [ABOVE]),
        ("x >= 1", [AT, ABOVE]),
        ("1 < x", [ABOVE]),
        ("1 <= x", [AT, ABOVE]),
        ("0 < x < 1", [BELOW]),
        ("0 < x <= 1", [BELOW, AT]),
        ("1 <= x <= 1", [AT]),
        ("x == 1", [AT]),
        ("2 > x >= 1", [AT, ABOVE]),
        ("x**3 - x/2 >= 1/2", [AT, ABOVE]),
    ],
)
def test_a_border_belongs_to_it_or_does_not(text, true_at):
    """The same for numbers and for the prover."""
    x = z3.Real("x")
    for value in (BELOW, AT, ABOVE):
        solver = z3.Solver()
        solver.add(x == z3.RealVal(str(value)), *conditions_of(text, {"x": x}))
        assert (solver.check() == z3.sat) == all(conditions_of(text, {"x": value})) == (value in true_at)


@pytest.mark.parametrize("text", ["x != 1", "x", "x <", "x in y", "0 < x != 1"])
def test_anything_else_is_no_condition(text):
    with pytest.raises(ValueError, match="condition|formula"):
        list(conditions_of(text, {"x": F(1), "y": F(2)}))


@pytest.mark.parametrize(
    ("side", "why"),
    [
        ("(x**3)**34", "must be at most 100"),
        ("(" * 5 + "2" + "**100)" * 5, "must be at most 100"),
        ("1" + "+1" * 5000, "cannot be read|nested too deeply"),
        ("(" * 3000 + "x" + ")" * 3000, "cannot be read"),
    ],
)
def test_what_would_grow_without_end_is_refused(side, why):
    with pytest.raises(ValueError, match=f"condition .*({why})"):
        list(conditions_of(f"x < {side}", {"x": F(1)}))
    assert list(conditions_of("x < (2*x**3)**33", {"x": F(1)})) == [True]


def test_borders_and_divisors():
    symbols = {"x": F(2), "y": F(3)}
    assert list(borders_of("0 <= x < y", symbols)) == [-2]
    assert list(borders_of("0 < x", symbols)) == []
    assert list(borders_of("x == y/3", symbols)) == [1]
    assert list(divisors_of("x/2 < y/(x + 1)", symbols)) == [3]


def test_what_is_printed_can_be_read_and_one_equals_sign_is_explained():
    import relance

    assert list(conditions_of("t^2 > 1", {"t": 2})) == list(conditions_of("t**2 > 1", {"t": 2})) == [True]
    assert formula("(t + 1)^2", {"t": 2}) == 9
    with pytest.raises(ValueError, match="condition 't = 2' cannot be read; equality is written =="):
        relance.region("t", "t = 2")
