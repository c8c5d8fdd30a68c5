"""Certificates of single steps."""

import json

import pytest

import relance
from relance.claims.certificates import certificate
from relance.claims.dominance import DominatedAction, dominated_by, plans
from relance.claims.trace import Trace
from relance.solvers.watcher import watched_by
from tools import check_certificates as checker


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
