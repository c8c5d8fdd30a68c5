"""Vector CFR: against exact values, and against OpenSpiel."""

from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import cycle

import pytest
from conftest import FINITE, VARIED, one_each, repeats

import relance
from relance.model.ranked_deal import RankedDeal
from relance.model.tree import BettingTree, Leaf, decision, showdown
from relance.solvers.cfr_solver import Solver
from relance.solvers.cfr_variants import METHODS
from relance.solvers.exact import regrets
from relance.solvers.lp import solve_lp


@cache
def exact_value(game):
    return solve_lp(game)[0]


OTHERS = [game for game in FINITE if repeats(game)]

PAIRS = [
    *one_each(VARIED, METHODS),
    *(pytest.param(*pair, marks=pytest.mark.slow) for pair in zip(OTHERS, cycle(METHODS), strict=False)),
]
"""Each kind of game with each method, and each of the others with one of them."""


@pytest.mark.parametrize(("game", "method"), PAIRS, ids=str)
def test_the_average_approaches_an_equilibrium(game, method):
    solver = Solver(game, method)
    solver.run(30)
    first = solver.nash_conv()
    solver.run(90)
    left = solver.nash_conv()
    assert left < first or left < 1e-9
    profile = solver.average()
    game.check(profile)
    assert relance.nash_conv(game, profile) == pytest.approx(left, abs=1e-12)
    assert abs(relance.value(game, profile) - exact_value(game)) <= left + 1e-9


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("name", ["one_card_poker(cards=5)", "ponssard", "river(ranges=99;QJs vs KTs;TT,raises=1)"])
def test_a_player_who_never_acts(name, player):
    """The other one gives up with the hands that lose: two ways to the same figures, in the arithmetic of both."""
    game = relance.make(name)
    alone = replace(game, tree=BettingTree(decision(player, fold=Leaf(2 * player - 1), call=showdown(2))))
    expected = alone.finite_deal().edge(player, alone.deal.constant(1 - player, 1)) * 2
    best = sum(max(won, -met) for won, met in zip(expected, alone.deal.prior(player), strict=True))
    value, profile = solve_lp(alone)
    assert value == (1 - 2 * player) * best
    assert relance.nash_conv(alone, profile.as_float()) == pytest.approx(0, abs=1e-12)
    mixed = alone.uniform()
    for function in (relance.value, relance.nash_conv):
        assert function(alone, mixed.as_float()) == pytest.approx(float(function(alone, mixed)), abs=1e-12)
    for method in METHODS:
        assert relance.exploitability(alone, relance.solve(alone, method, tolerance=1e-3)) <= 1e-3
    assert relance.value(alone, relance.solve(alone, tolerance=1e-6)) == pytest.approx(float(value), abs=2e-6)


def test_openspiels_cfr_plus_has_the_same_exploitability():
    """After each iteration, on a game whose odd bet leaves no two actions exactly tied."""
    import pyspiel

    game = relance.make("one_card_poker", cards=5, raises=1, bet="7/5")
    native = pyspiel.load_efg_game(relance.to_efg(game))
    theirs, ours = pyspiel.CFRPlusSolver(native), Solver(game, "cfr+", backend="numpy")
    for _ in range(30):
        theirs.evaluate_and_update_policy()
        ours.run(1)
        expected = pyspiel.nash_conv(native, theirs.tabular_average_policy())
        assert ours.nash_conv() == pytest.approx(expected, abs=1e-9)


def test_regrets_show_where_a_strategy_errs():
    game = relance.make("one_card_poker", raises=0)
    profile = game.published(alpha="1/4")
    assert all((row <= 0).all() for _, rows in regrets(game, profile, 0).values() for row in rows)
    wrong = game.profile({**profile.plan(), "bet": {"call": [1, 1, 1]}})
    met, rows = regrets(game, wrong, 1)["bet"]
    fold = game.tree.decisions["bet"].index("fold")
    assert rows[fold][0] > 0
    assert met[0] > 0
    assert isinstance(rows[fold][0], Fraction)


def test_in_step_is_recognised():
    assert relance.make("one_card_poker").deal.in_step
    assert relance.make("von_neumann", hands=5).deal.in_step
    ponssard = relance.make("ponssard").deal
    assert isinstance(ponssard, RankedDeal)
    assert not ponssard.in_step
