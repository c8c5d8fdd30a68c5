"""Certificates of single steps."""

import json
from fractions import Fraction as F

import numpy as np
import pytest
from random_games import own_game

import relance
from relance.claims.certificates import certificate
from relance.claims.dominance import DominatedAction, dominated_by, plans
from relance.claims.finding import At, Cases
from relance.claims.trace import Trace
from relance.model.interval import DensityDeal
from relance.model.matrix_deal import MatrixDeal
from relance.solvers.exact import nash_conv
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


def doubled(deal):
    """The same hands with masses that sum to 2, as checks weigh them."""
    if isinstance(deal, DensityDeal):
        return DensityDeal([(2 * one, other) for one, other in deal.terms])
    return MatrixDeal(
        deal.labels, 2 * deal.joint(), np.array([[deal.compare(i, j) for j in range(3)] for i in range(3)], object)
    )


@pytest.mark.parametrize("name", ["von_neumann", "one_card_poker"])
def test_masses_that_do_not_sum_to_1_are_a_distribution_all_the_same(name):
    """Value and gains are those of the game, and so are the hands that the checker sees."""
    game = relance.make(name)
    twice = own_game(game.tree, doubled(game.deal))

    def written(of):
        with watched_by(trace := Trace()):
            nash_conv(of, of.profile(game.published().plan()))
        data = json.loads(json.dumps(certificate("paper/claim", "a statement", trace)))
        checker.decide(data, checker.solver(""))
        return data

    plain, found = written(game), written(twice)
    assert found["steps"] == plain["steps"]
    assert F(found["steps"][0]["value"]) == relance.value(game, game.published())
    for key in ("density", "joint"):
        assert found["plays"][0]["hands"].get(key) == plain["plays"][0]["hands"].get(key)


@pytest.mark.parametrize("closed", [False, True])
def test_cases_stand_for_all_whole_numbers_only_with_an_argument(closed):
    trace = Trace()
    trace.parts = {"": (Cases("n", {1: (At("a game"),)}, closed),)}
    assert certificate("paper/claim", "a statement", trace)["parts"] == {
        "": [{"each": "n", "of": {"1": [{"at": "a game"}]}, "and on": closed}]
    }
