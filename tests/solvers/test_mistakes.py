"""Mistakes: their costs are not negative and add up to NashConv, and they say what was done."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import relance
from relance.envs.catalogue import BLUEPRINTS
from relance.solvers.mistakes import mistakes

KUHN = relance.make("one_card_poker", raises=0)


def small(name):
    game = relance.make(name, removal=False, ranks=5, suits=2) if name == "five_card" else relance.make(name)
    return game if game.deal.is_finite else game.grid(7)


def drawn(game, seed):
    random = np.random.default_rng(seed)
    plan = {}
    for name, node in game.tree.decisions.items():
        rows = random.dirichlet(np.ones(len(node.actions)), game.deal.size(node.player)).T
        plan[name] = node.by_action(rows)
    return game.profile(plan)


@pytest.mark.parametrize("name", [name for name in BLUEPRINTS if name not in ("five_card", "river")])
def test_costs_add_up_to_nash_conv(name):
    game = small(name)
    for profile in (game.uniform().as_float(), drawn(game, 0), drawn(game, 1)):
        found = mistakes(game, profile)
        assert all(one.cost > 0 for one in found)
        assert sum(one.cost for one in found) == pytest.approx(float(relance.nash_conv(game, profile)), abs=1e-9)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.integers(3, 8), st.integers(0, 3))
def test_costs_add_up_with_cards_and_raises(seed, cards, raises):
    game = relance.make("one_card_poker", cards=cards, raises=raises)
    profile = drawn(game, seed)
    assert sum(one.cost for one in mistakes(game, profile)) == pytest.approx(float(relance.nash_conv(game, profile)))


def test_a_game_and_a_profile_may_be_text():
    game = relance.make("one_card_poker")
    assert mistakes("one_card_poker", "uniform") == mistakes(game, game.uniform()) != []


def test_an_equilibrium_makes_none():
    assert sum(one.cost for one in mistakes(KUHN, KUHN.published())) < 1e-12


def test_they_say_what_was_done():
    """Kuhn's published strategy, but the second player folds the king to a bet: that costs them 3 chips in 1/6 of (K against J, Q)."""
    plan = KUHN.published().as_float().plan()
    plan["bet"] = {"call": np.array([0, 1 / 3, 0]), "fold": np.array([1, 2 / 3, 1])}
    profile = KUHN.profile(plan)
    worst = mistakes(KUHN, profile)
    one = next(one for one in worst if one.node == "bet" and one.player == 1)
    bluffs = float(profile[""][KUHN.tree.decisions[""].actions.index("bet")][0])
    assert (one.action, one.better, one.kind) == ("fold", "call", "")
    assert str(one) == "fold, not call"
    assert one.cost == pytest.approx(3 * bluffs / 6)


def test_bluffs_and_value_bets_are_told_apart():
    kinds = {(one.node, one.action, one.better): one.kind for one in mistakes(KUHN, KUHN.uniform())}
    found = mistakes(KUHN, KUHN.uniform())
    assert kinds
    assert {one.kind for one in found if "bet" in (one.action, one.better)} >= {"bluff"}
    assert all(one.kind == "" for one in found if {one.action, one.better} == {"call", "fold"})
