"""What a profile comes to at each information set: by sequences and by hands the same, and as a walk over all histories finds it."""

from fractions import Fraction

import pytest
from conftest import random_profile
from random_games import random_game
from tree_walks import walked

import relance
from relance.model.game_tree import ChanceNode, DecisionNode, TerminalNode
from relance.registration.game_trees import game_tree
from relance.solvers.information_sets import information_sets

F = Fraction
GAMES = ["one_card_poker(raises=0)", "ponssard", "leduc", "endgame_draw", "von_neumann(hands=3)", "liars_dice"]


def told(found):
    return {
        name: (at.reach_prob, at.counterfactual_reach_prob, dict(at.counterfactual_values))
        for name, at in found.items()
    }


@pytest.mark.parametrize("text", GAMES)
def test_hands_and_sequences_and_histories_agree(text):
    game = relance.make(text)
    tree = game_tree(game)
    for profile in (game.uniform(), relance.solve(game)):
        by_hand = told(information_sets(game, profile))
        by_sequence = told(information_sets(tree, profile))
        assert by_sequence == walked(tree, tree.reader(tree, profile))
        assert {name: by_hand[name] for name in by_sequence} == by_sequence


@pytest.mark.parametrize("seed", range(6))
def test_games_with_events(seed):
    game = random_game(seed).game
    tree = game_tree(game)
    by_hand, by_sequence = (information_sets(source, game.uniform()) for source in (game, tree))
    assert {name: told(by_hand)[name] for name in by_sequence} == told(by_sequence)
    assert told(by_sequence) == walked(tree, tree.uniform())
    for name, at in by_sequence.items():
        assert sum(at.belief.values()) == (1 if at.counterfactual_reach_prob else 0)
        hands = {}
        for history, p in at.belief.items():
            dealt = history.split(", ")[1 - at.player]
            hands[dealt] = hands.get(dealt, 0) + p
        assert hands == by_hand[name].belief


def test_three_players_and_a_branch_that_never_happens():
    three = game_tree("kuhn_poker(players=3)")
    assert told(information_sets(three, "uniform")) == walked(three, three.uniform())
    never = DecisionNode(0, "never", {"a": TerminalNode(1), "b": TerminalNode(2)})
    tree = game_tree(ChanceNode({"x": (1, TerminalNode(0)), "y": (0, never)}))
    at = information_sets(tree, "uniform")["never"]
    assert (at.counterfactual_reach_prob, at.value, at.action_values, at.belief) == (0, None, None, {})


def test_floats_and_their_meaning():
    """An ace that checks behind a bluffing queen: the numbers of a textbook page, in floats."""
    game = relance.make("one_card_poker", raises=0)
    found = information_sets(game, game.published().as_float())["K check-bet"]
    assert found.belief == pytest.approx({"Q": 0.25, "A": 0.75})
    assert found.action_values == pytest.approx({"fold": -1, "call": -1})
    assert found.value == pytest.approx(-1)
    with pytest.raises(ValueError, match=r"game\.grid\(9\)"):
        information_sets("von_neumann", "published")


@pytest.mark.parametrize("text", GAMES[:2])
def test_values_of_the_first_information_sets_add_up_to_the_game(text):
    game = relance.make(text)
    profile = random_profile(game, lambda: 0.5)
    found = information_sets(game, profile)
    first = [at for at in found.values() if at.player == 0 and at.reach_prob == 1 and at.counterfactual_reach_prob]
    total = sum(at.counterfactual_reach_prob * at.value for at in first)
    assert total == pytest.approx(float(relance.value(game, profile)), abs=1e-12)
