from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from conftest import FINITE, marked, random_profile, repeats
from hypothesis import given, settings
from hypothesis import strategies as st

import relance
from relance.model.game_tree import DecisionNode, TerminalNode
from relance.model.piecewise import Piecewise
from relance.model.strategy import Strategy
from relance.model.tree import BettingTree, Leaf, decision, path_name, showdown
from relance.solvers.exact import action_values, falls_short, gains, hand_values, reach_probs, regrets

SMALL = [
    game for game in FINITE if len(game.tree.decisions) <= 6 and not game.tree.reveals
]  # `by_hand` walks decisions alone


def by_hand(game, profile):
    """The value as a sum over deals and plays, independently of the solver's operators."""
    joint, edges = game.deal.joint(), game.deal.joint_edge()
    total = Fraction(0)

    def play(node, history, hands, weight):
        nonlocal total
        if isinstance(node, Leaf):
            total += weight * (node.constant + node.stake * edges[hands] / joint[hands])
            return
        for action, child, p in zip(node.actions, node.children, profile[path_name(history)], strict=True):
            play(child, (*history, action), hands, weight * p[hands[node.player]])

    for hands in product(*(range(game.deal.size(player)) for player in (0, 1))):
        if joint[hands]:
            play(game.tree.root, (), hands, joint[hands])
    return total


def pure_strategies(game, player, hand):
    """Every way to play one hand, as {node: index of the action}."""
    nodes = list(game.tree.of(player).items())
    for choice in product(*(range(len(node.actions)) for _, node in nodes)):
        yield {name: i for (name, _), i in zip(nodes, choice, strict=True)}


def with_hand(game, profile, player, hand, pure):
    rows = {}
    for name, node in game.tree.of(player).items():
        rows[name] = tuple(row.copy() for row in profile[name])
        for i, _ in enumerate(node.actions):
            rows[name][i][hand] = Fraction(i == pure[name])
    return profile.replace(Strategy(player, rows))


@pytest.mark.parametrize("game", marked(SMALL, repeats), ids=str)
@settings(max_examples=6)  # of each game
@given(data=st.data())
def test_value_is_the_sum_over_deals_and_plays(game, data):
    profile = random_profile(game, lambda: data.draw(st.integers(1, 4)))
    assert relance.value(game, profile) == by_hand(game, profile)


@pytest.mark.parametrize("game", [g for g in SMALL if g.deal.size(0) <= 3 and len(g.tree.decisions) <= 4], ids=str)
@pytest.mark.parametrize("player", [0, 1])
def test_best_response_beats_every_pure_strategy_hand_by_hand(game, player):
    rng = np.random.default_rng(3)
    profile = random_profile(game, lambda: int(rng.integers(1, 5)))
    sign = 1 - 2 * player
    base = sign * by_hand(game, profile)
    best = base
    for hand in range(game.deal.size(player)):
        gains = [
            sign * by_hand(game, with_hand(game, profile, player, hand, pure))
            for pure in pure_strategies(game, player, hand)
        ]
        best += max(gains) - base
    assert relance.best_response(game, profile, player).value == best


def test_a_best_response_earns_what_it_says(finite_game):
    rng = np.random.default_rng(7)
    profile = random_profile(finite_game, lambda: int(rng.integers(1, 9)))
    for player, sign in ((0, 1), (1, -1)):
        best = relance.best_response(finite_game, profile, player)
        assert best.value == sign * relance.value(finite_game, profile.replace(best.strategy))
        assert best.value >= sign * relance.value(finite_game, profile)
    assert relance.nash_conv(finite_game, profile) >= 0


def test_floats_give_the_same_to_rounding(finite_game):
    rng = np.random.default_rng(11)
    profile = random_profile(finite_game, lambda: int(rng.integers(1, 9)))
    exact = [relance.value(finite_game, profile), relance.nash_conv(finite_game, profile)]
    floats = [relance.value(finite_game, profile.as_float()), relance.nash_conv(finite_game, profile.as_float())]
    assert np.allclose([float(x) for x in exact], [float(x) for x in floats], atol=1e-12)


@given(
    st.lists(st.fractions(0, 1, max_denominator=24), min_size=3, max_size=3, unique=True).map(sorted),
    st.fractions(0, 1, max_denominator=6),
)
def test_an_interval_and_its_cells_agree(thresholds, share):
    """A profile's value is the same on the interval and on its own cells; a best response can only use more than cells."""
    a, c, b = thresholds
    game = relance.make("von_neumann", bet="3/2")
    profile = game.profile({"": {"bet": [(0, a, share), (b, 1)]}, "bet": {"call": [(c, 1)]}})
    cells = game.cells(profile)
    cut = cells.fit(profile)
    assert relance.value(game, profile) == relance.value(cells, cut)
    for player in (0, 1):
        fine = relance.best_response(game, profile, player)
        assert fine.value >= relance.best_response(cells, cut, player).value
        assert fine.value == (1 - 2 * player) * relance.value(game, profile.replace(fine.strategy))


def test_values_by_hand_add_up(finite_game):
    rng = np.random.default_rng(5)
    profile = random_profile(finite_game, lambda: int(rng.integers(1, 6)))
    for player, sign in ((0, 1), (1, -1)):
        values = hand_values(finite_game, profile, player)
        assert values[""][1].sum() == sign * relance.value(finite_game, profile)
        assert (values[""][0] == finite_game.deal.prior(player)).all()
        for name, (met, chips) in action_values(finite_game, profile, player).items():
            mixed = sum(p * v for p, v in zip(profile[name], chips, strict=True))
            assert (mixed == values[name][1]).all()
            led = reach_probs(finite_game, profile, 1 - player, name)
            assert (met == finite_game.deal.in_case(finite_game.tree.cases[name]).mass(player, led)).all()


@pytest.mark.parametrize("ask", [regrets, action_values, hand_values])
def test_chips_hand_by_hand_need_a_profile_of_the_game(ask):
    game = relance.make("one_card_poker")
    fair = game.uniform().as_float()
    half = {name: tuple(row * 0.5 for row in rows) for name, rows in fair.strategies[1].at.items()}
    with pytest.raises(ValueError, match="sum to 0.5, not to 1"):
        ask(game, fair.replace(Strategy(1, half)), 0)
    with pytest.raises(ValueError, match="2 rows of probabilities are given, but the 3 actions"):
        ask(relance.make("one_card_poker", raises=1), relance.make("one_card_poker", raises=0).uniform(), 0)


def test_gains_say_who_can_gain():
    game = relance.make("one_card_poker", raises=0)
    assert gains(game, game.published()) == (0, 0)
    plan = game.published().plan()
    plan["bet"] = {"call": [1, 1, 1]}  # player 1 calls with the worst card, too
    profile = game.profile(plan)
    first, second = gains(game, profile)
    assert first > 0
    assert second > 0
    assert first + second == relance.nash_conv(game, profile)
    for player, gain in enumerate((first, second)):
        worth = (1 - 2 * player) * relance.value(game, profile)
        assert gain == relance.best_response(game, profile, player).value - worth


def test_only_two_seats():
    game = relance.make("von_neumann")
    for player in (2, -1, None):
        with pytest.raises((ValueError, TypeError), match="player=.* must be 0 or 1"):
            relance.best_response(game, game.published(), player)


def test_rounding_makes_no_gain_negative():
    """The crossing points of this distribution's polynomials are no fractions; in floats the same holds on its cells."""
    game = relance.make("la_relance", deal="power:5:1")
    assert sum(map(relance.solvers.exact.scored(game, game.published()).best_value, (0, 1))) < 0
    assert relance.nash_conv(game, game.published()) == 0
    cells = relance.make("la_relance", deal="normal:0:9")
    assert relance.nash_conv(cells, relance.solve(cells, "lp", tolerance=1e-12)) >= 0


@pytest.mark.parametrize("player", [0, 1])
def test_who_earns_exactly_an_amount_does_not_fall_short_of_it(player):
    """Uniqueness of equilibria rests on it; with symbols see tests/claims/test_proof.py."""
    game, sign = relance.make("one_card_poker", raises=0), 1 - 2 * player
    worth, tiny = Fraction(-sign, 18), Fraction(1, 10**30)
    assert not falls_short(game, game.published(), player, worth)
    assert not falls_short(game, game.published(), player, worth - tiny)
    assert falls_short(game, game.published(), player, worth + tiny)


def test_one_player_alone():
    alone = DecisionNode(0, "a", {"x": TerminalNode((1,)), "y": TerminalNode((Fraction(7, 3),))})
    game = relance.game_tree(alone)
    assert (relance.value(game, "uniform"), relance.nash_conv(game, "uniform")) == (Fraction(5, 3), Fraction(2, 3))
    assert relance.best_response(game, "uniform", 0).value == Fraction(7, 3)


@pytest.mark.parametrize("hands", [None, 4, 300])
def test_actions_that_pay_nothing(hands):
    game = relance.make("von_neumann") if hands is None else relance.make("von_neumann", hands=hands)
    game = replace(game, tree=BettingTree(decision(0, a=Leaf(0), b=decision(1, c=Leaf(0), d=showdown(0)))))
    profile = game.uniform()
    assert relance.nash_conv(game, profile) == 0
    assert relance.best_response(game, profile, 0).value == 0
    for _, values in action_values(game, profile, 0).values():
        assert {type(value) for value in values} == {type(game.deal.constant(0, 1))}


@pytest.mark.parametrize("name", ["von_neumann", "pot_limit", "bellman_blackwell", "sized_la_relance"])
def test_floats_on_an_interval_make_no_gain_negative(name):
    game = relance.make(name)
    floats = [
        strategy.map(lambda row: Piecewise(row.cuts, [tuple(map(float, piece)) for piece in row.pieces]))
        for strategy in game.published().strategies
    ]
    profile = replace(game.published(), strategies=tuple(floats))
    assert relance.nash_conv(game, profile) >= 0
    assert min(gains(game, profile)) >= 0
