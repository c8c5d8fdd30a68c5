"""Numbers remember where they come from, in each field and on both sides of an operator."""

import operator
from fractions import Fraction

import pytest

from relance.claims.proof import region
from relance.claims.trace import Trace, printed
from relance.claims.traced_numbers import TRACED
from relance.model.quadratic import square_root
from relance.solvers.watcher import watched_by

WHERE = region("B", "B > 0")

FIELDS = {"fractions": Fraction(2, 3), "a root": square_root(7), "symbols": WHERE["B"]}

OPERATORS = [operator.add, operator.sub, operator.mul, operator.truediv]


def traced(value):
    return printed("x", "x", value, {})


@pytest.mark.parametrize("work", OPERATORS)
@pytest.mark.parametrize(
    ("name", "other"), [*((name, name) for name in FIELDS), ("fractions", "a root"), ("fractions", "symbols")]
)
def test_a_result_is_the_same_and_traced(name, other, work):
    for pair in ((FIELDS[name], FIELDS[other]), (FIELDS[other], FIELDS[name])):
        plain = work(*pair)
        with watched_by(Trace()):
            results = [work(traced(pair[0]), pair[1]), work(pair[0], traced(pair[1])), work(*map(traced, pair))]
        for result in results:
            assert isinstance(result, TRACED), pair
            assert result == plain
    assert not isinstance(work(FIELDS[name], FIELDS[name]), TRACED)


@pytest.mark.parametrize("name", FIELDS)
def test_what_is_asked_of_a_number_is_a_step_of_the_check_that_asks(name):
    """A false answer is kept as what is true instead. Here no check asks, so nothing is kept."""
    with watched_by(trace := Trace()):
        number = traced(FIELDS[name])
        assert number > 0
        assert not number < 0
    assert trace.steps == []
    asked = {"number": number, "__name__": "relance.claims.some_check"}
    with watched_by(trace):
        exec("number > 0; number < 0; number == 0", asked)
    assert [(step.kind, step.asked) for step in trace.steps][:2] == [("above", True), ("at least", False)]
