"""Strategies and profiles: what is refused, floats and fractions, steps on [0, 1]."""

import math
from fractions import Fraction

import numpy as np
import pytest
from conftest import DEFAULTS

import relance
from relance.model.strategy import Strategy


@pytest.fixture(params=DEFAULTS, ids=str)
def plan(request):
    game = request.param
    return game, {
        name: {action: Fraction(1, len(node.actions)) for action in node.actions}
        for name, node in game.tree.decisions.items()
    }


def test_half_a_profile_is_refused(plan):
    game, full = plan
    half = {name: probabilities for name, probabilities in full.items() if name in game.tree.of(0)}
    with pytest.raises(ValueError, match="every decision node of both players"):
        game.profile(half)
    whole = game.profile(full)
    missing = game.together(whole.strategies[0], Strategy(1, {}))
    for use in (relance.value, relance.nash_conv):
        with pytest.raises(ValueError, match="has no probabilities here"):
            use(game, missing)


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (Fraction(-1, 10), "must be between 0 and 1"),
        (Fraction(11, 10), "must be between 0 and 1|sum to"),
        (float("nan"), "not a finite number"),
        ("a lot", "is not a number"),
    ],
)
def test_bad_probabilities_are_refused(plan, bad, message):
    game, full = plan
    action = game.tree.root.actions[0]
    with pytest.raises(ValueError, match=message):
        game.profile({**full, "": {**full[""], action: bad}})


def test_unnormalised_profiles_are_refused(plan):
    game, full = plan
    with pytest.raises(ValueError, match=r"sum to \d+/\d+, not to 1"):
        game.profile({**full, "": {**full[""], game.tree.root.actions[0]: 1}})
    with pytest.raises(ValueError, match="at most one action may be left out|no probabilities at"):
        game.profile({**full, "": {}} if len(game.tree.root.actions) > 1 else {})


def test_unknown_nodes_and_actions_are_refused(plan):
    game, full = plan
    with pytest.raises(ValueError, match="has no decision node 'chekc'"):
        game.profile({**full, "chekc": {}})
    with pytest.raises(ValueError, match="has no action 'jump'"):
        game.profile({**full, "": {"jump": 1}})


def test_two_certain_actions_in_truth_values_of_numpy_are_refused():
    """np.True_ + np.True_ is np.True_, which is 1."""
    game = relance.make("one_card_poker(raises=0)")
    rows = np.array([np.True_] * 3, object)
    made = Strategy(0, dict.fromkeys(game.tree.of(0), (rows, rows)))
    with pytest.raises(ValueError, match="probability np.True_ of 'check' with hand Q must be between 0 and 1"):
        relance.value(game, game.uniform().replace(made))


def test_float_arrays_are_checked_too():
    game = relance.make("von_neumann", hands=4)
    good = {"": {"bet": np.array([0.1, 0.2, 0.3, 1.0])}, "bet": {"call": np.array([0.0, 0.0, 1.0, 1.0])}}
    assert game.profile(good)[""][1].dtype == float
    for bad in (np.array([0.1, np.nan, 0, 0]), np.array([0.1, -1e-3, 0, 0]), np.array([0.1, 1.5, 0, 0])):
        with pytest.raises(ValueError, match="must be between 0 and 1|sum to"):
            game.profile({**good, "": {"bet": bad}})
    for hand in range(4):
        some = good[""]["bet"].copy()
        some[hand] += 0.01 if hand < 3 else -0.01
        with pytest.raises(ValueError, match=rf"with hand \[{Fraction(hand, 4)}, .* sum to (1.01|0.99), not to 1"):
            game.profile({**good, "": {"bet": some, "check": 1 - good[""]["bet"]}})
    with pytest.raises(ValueError, match="has 3 probabilities, but player 0 has 4 hands"):
        game.profile({**good, "": {"bet": np.array([0.1, 0.2, 0.3])}})


def test_floats_in_lists_are_floats():
    """As in arrays: they need not sum to 1 exactly, and the other rows of the node are floats too."""
    game = relance.make("one_card_poker", raises=0)
    plan = game.uniform().plan()
    for rows in (
        {"bet": [1 / 3] * 3, "check": [2 / 3] * 3},
        {"bet": [1 / 3] * 3},
        {"bet": [1 / 3, "1/3", Fraction(1, 3)], "check": "2/3"},
        {"bet": [np.float64(1 / 3)] * 3, "check": [Fraction(2, 3)] * 3},
    ):
        bet, check = (game.profile({**plan, "": rows}).row("", action) for action in ("bet", "check"))
        assert bet.dtype == check.dtype == float
        assert bet == pytest.approx([1 / 3] * 3)
        assert check == pytest.approx([2 / 3] * 3)
    assert game.profile({**plan, "": {"bet": ["0.1"] * 3}}).row("", "check")[0] == Fraction(9, 10)
    with pytest.raises(ValueError, match="probability nan of '(bet|check)' with hand"):
        game.profile({**plan, "": {"bet": [0.5, math.nan, 0.5]}})
    with pytest.raises(ValueError, match="sum to 0.99998.*, not to 1"):
        game.profile({**plan, "": {"bet": [0.5] * 3, "check": [0.5, 0.5, 0.49999]}})


def test_a_profile_of_another_game_is_refused():
    neumann, borel = relance.make("von_neumann"), relance.make("la_relance")
    with pytest.raises(ValueError, match="a profile of 'la_relance', not of 'von_neumann'"):
        relance.nash_conv(neumann, borel.published())
    with pytest.raises(ValueError, match=r"is on \[0, 1\], but .*hands=9\) is not; `game.fit\(profile\)`"):
        relance.nash_conv(neumann.grid(9), neumann.published())
    with pytest.raises(ValueError, match=r"is over cells, but .* is on \[0, 1\]; `grid.on_interval\(profile\)`"):
        relance.nash_conv(neumann, neumann.grid(9).published())
    with pytest.raises(ValueError, match="has 9 hands"):
        relance.nash_conv(neumann.grid(8), neumann.grid(9).published())
    with pytest.raises(ValueError, match="2 rows of probabilities are given, but the 3 actions"):
        relance.nash_conv(
            relance.make("one_card_poker", raises=2), relance.make("one_card_poker", raises=1).published()
        )
    with pytest.raises(TypeError, match="int 5 is not an agent; an agent is .*, a Profile, the name of an opponent"):
        relance.value(neumann, 5)


def test_strategies_on_the_interval_are_steps():
    game = relance.make("von_neumann")
    profile = game.profile({"": {"bet": [(0, "1/9"), ("7/9", 1, "1/2")]}, "bet": {"call": "1/2"}})
    assert profile[""][1].values() == [1, 0, Fraction(1, 2)]
    assert profile.cuts() == [0, Fraction(1, 9), Fraction(7, 9), 1]
    with pytest.raises(ValueError, match=r"\(left, right\)"):
        game.profile({"": {"bet": [(0, 1, 1, 1)]}, "bet": {"call": 1}})
    with pytest.raises(KeyError, match="no decision node"):
        profile["nowhere"]


def test_profiles_are_equal_if_all_probabilities_are(plan):
    game, probabilities = plan
    uniform = game.profile(probabilities)
    assert uniform == game.uniform()
    assert uniform == game.profile(dict(reversed(probabilities.items())))
    node, rows = next(iter(probabilities.items()))
    first, *others = rows
    assert game.profile(probabilities | {node: {first: 1} | dict.fromkeys(others, 0)}) != uniform
    assert uniform != "uniform"
