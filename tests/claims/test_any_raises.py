"""Pot limit with any number of raises and without end: the step and its arguments, compared with games that have few raises."""

from fractions import Fraction
from itertools import pairwise

import pytest

import relance
from relance.claims.checks import with_numbers
from relance.claims.cutler.asides import bluffer
from relance.claims.cutler.endless_game import cut_off
from relance.claims.cutler.first_game import ENDLESS
from relance.claims.cutler.force_in import ratio
from relance.claims.cutler.stages import answers, prize, settled
from relance.claims.cutler.tables import best_bluffs, nearest_below
from relance.claims.ledger import Numbers
from relance.claims.verify import selected
from relance.envs.cutler import pot_limit_plan
from relance.model.quadratic import square_root

F, ROOT = Fraction, square_root(7)


@pytest.mark.parametrize("fact", ["calls", "bluffs", "raises"])
def test_each_fact_of_an_answer_holds(fact):
    found = answers(fact)
    assert found.holds
    assert found.method == "proved"


@pytest.mark.parametrize(
    ("fact", "wrong"),
    [
        ("raises", {"alpha": "1/(4 + 2*x)"}),
        ("raises", {"alpha": "1/4"}),
        ("raises", {"beta": "1/2"}),
        ("bluffs", {"beta": "(1 - x)/2"}),
    ],
)
def test_other_shares_are_refused(fact, wrong):
    assert not answers(fact, **wrong).holds


@pytest.mark.parametrize("raises", range(1, 6))
def test_a_raise_wins_its_prize(raises):
    """Ending the game at the first raise, with its prize, leaves the value as it is."""
    for name, node in (("force_in", "raise"), ("pot_limit", "bet-raise")):
        game = relance.make(name, raises=raises)
        _, v = game.printed_numbers()
        short = settled(game, {node: -prize(v["alpha1"], v["alpha2"])})
        plan = {name: row for name, row in game.published().plan().items() if name in short.tree.decisions}
        assert relance.value(short, short.profile(plan)) == relance.value(game, game.published())


@pytest.mark.parametrize("raises", range(1, 6))
def test_bluff_raises_of_the_tables_are_optimal(raises):
    game = relance.make("pot_limit", raises=raises)
    assert relance.nash_conv(game, game.profile(best_bluffs(game, game.published().plan()))) == 0


def test_what_is_left_without_end_falls_with_the_raises():
    """NashConv of the endless strategies, cut off after k raises, falls by about (3 alpha)^2 with every two raises."""
    factor = 9 * ENDLESS["alpha"] ** 2
    left = [relance.nash_conv(game, game.profile(plan)) for game, plan in map(cut_off, (2, 4, 6, 8))]
    assert all(after < before * factor * F(11, 10) for before, after in pairwise(left))
    assert left[-1] < F(1, 1000)


def test_the_super_bluffer_by_his_series():
    """A checks, or bets and then folds, calls or reraises; the terms are summed by hand, with 1 as the ante."""
    alpha, beta = ENDLESS["alpha"], ENDLESS["beta"]
    a, b = 1 - ROOT / 21, F(5, 9) - ROOT / 63
    h = 1 - a
    folds = -(b - h / 2)
    calls = 3 * sum((x * x - x) * sign for x, sign in ((a, 1), (b, -1)))  # the integral of 3 (2x - 1) from b to a
    linear = -3 * (F(3, 2) - beta - alpha**2 / 2) + 9 * (beta - alpha**2)
    square = -9 * (beta**2 - alpha**4)
    bet = linear * h / (1 - 9 * alpha**2) + square * h**2 / (1 - 9 * alpha**4)
    won = folds + calls + bet
    found = bluffer(Numbers({"return": "0.125", "exactly": "11/54 - 79*s/2646"}))
    assert found.holds
    assert won == F(11, 54) - 79 * ROOT / 2646


def test_the_rule_of_ranks_needs_good_bluff_raises():
    """With the worst hands as bluff-raises, the last raises lack their bluffs, and the error of the rule is 2005 times 1/2,598,960."""
    game = relance.make("pot_limit", raises=8)
    plan = game.blueprint.printed[0].plan(game.printed_numbers()[1], game.tree)
    rows = {
        node: {action: [tuple(map(nearest_below, span)) for span in spans] for action, spans in by_action.items()}
        for node, by_action in plan.items()
    }
    gains = relance.nash_conv(game, game.profile(rows)) * 2598960
    assert 2005 < gains < 2018


@pytest.mark.parametrize(
    ("name", "plan", "node"),
    [("opening.pot_limit_plan", pot_limit_plan, "bet"), ("force_in.with_numbers", with_numbers, "")],
)
def test_the_ratio_of_bets_and_bluffs_is_asked_of_every_share(monkeypatch, name, plan, node):
    """Games with few raises keep it, but with some share of the next raise a player bluffs too often."""

    def too_often(*what):
        rows = plan(*what)
        (low, high), good = rows[node]["raise"]
        return {**rows, node: {**rows[node], "raise": [(low, high + high / 100), good]}}

    assert ratio(Numbers({"ratio": "2"})).method == "proved"
    monkeypatch.setattr(f"relance.claims.cutler.{name}", too_often)
    assert not ratio(Numbers({"ratio": "2"})).holds


@pytest.mark.parametrize(("claim", "raises"), [("lines", 1), ("cutoffs", 5), ("table-rows", 10), ("check-raise", 3)])
def test_what_is_read_off_a_game_that_is_cut_off_is_asked_of_two(claim, raises):
    """Its domain names both games, and says why the others are like them."""
    ((_, found),) = selected(f"cutler-1975/{claim}")
    verdict, finding = found.decide()
    assert verdict == found.recorded
    (cases,) = finding.where
    assert cases.closed
    assert len(cases.members) == 2
    assert raises <= min(cases.members)
