"""Numbers remember where they come from while somebody watches, in each field and on both sides of an operator."""

import json
import operator
from fractions import Fraction
from pathlib import Path

import pytest

import relance
from relance.claims.certificates import certificate
from relance.claims.dominance import DominatedAction, dominated_by, plans
from relance.claims.proof import region
from relance.claims.trace import Trace, printed
from relance.claims.traced_numbers import TRACED
from relance.model.quadratic import square_root
from relance.solvers.watcher import watched_by
from tools import check_certificates as checker

WHERE = region("B", "B > 0")
FIELDS = {"fractions": Fraction(2, 3), "a root": square_root(7), "letters": WHERE["B"]}
OPERATORS = [operator.add, operator.sub, operator.mul, operator.truediv]


def traced(value):
    return printed("x", "x", value, {})


@pytest.mark.parametrize("work", OPERATORS)
@pytest.mark.parametrize(
    ("name", "other"), [*((name, name) for name in FIELDS), ("fractions", "a root"), ("fractions", "letters")]
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


def test_plans_that_dominate_and_beliefs_are_decided_without_our_code():
    """The mixture, or the beliefs, of a step are its proof: without one member of them it is wrong."""
    game = relance.make("one_card_poker")
    with watched_by(trace := Trace()):
        found = [dominated_by(game, 0, 0, plan, [DominatedAction(1, "A", ("bet",), "fold")]) for plan in plans(game, 0)]
    assert None in found
    assert any(found)
    data = json.loads(json.dumps(certificate("paper/claim", "a statement", trace)))
    assert len(checker.decide(data, checker.solver(""))[1]) == len(found) + 1
    for step in data["steps"]:
        wrong = json.loads(json.dumps({**data, "steps": [step]}))
        wrong["steps"][0]["by" if "by" in step else "beliefs"].pop()
        with pytest.raises(checker.Refused, match="no mixture" if "by" in step else "exclude"):
            checker.decide(wrong, checker.solver(""))


def test_the_page_counts_what_is_facts_only():
    page = (Path(relance.__file__).parents[1] / "docs" / "howto" / "check_a_proof.md").read_text(encoding="utf-8")
    table = page.partition("Facts only are there for fourteen of our claims:")[2].partition("The exit status")[0]
    assert table.count("/") == 14
