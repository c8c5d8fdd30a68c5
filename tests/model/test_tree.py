from fractions import Fraction

import numpy as np
import pytest
from conftest import taken_and_turned

from relance.model.tree import (
    CHANCE,
    BettingTree,
    Decision,
    Leaf,
    Reveal,
    decision,
    facing_a_bet,
    showdown,
)


def test_walk_names_every_node_once(game):
    names = ["-".join(history) for history, _ in game.tree.walk()]
    assert len(names) == len(set(names)) == sum(map(len, (game.tree.decisions, game.tree.reveals, game.tree.leaves)))
    assert names[0] == ""
    assert set(game.tree.of(0)) | set(game.tree.of(1)) == set(game.tree.decisions)


def test_table_is_the_tree(game):
    tree, table = game.tree, game.tree.table
    nodes = dict(zip(table.names, (node for _, node in tree.walk()), strict=True))
    for i, (name, node) in enumerate(nodes.items()):
        acted, turned = taken_and_turned(table, [i])
        assert acted.sum() == len(table.past[i])
        history = tree.histories[name]
        chances = [isinstance(tree.turns["-".join(history[:k])], Reveal) for k in range(len(history))]
        taken, events = ([s for s, c in zip(history, chances, strict=True) if c == want] for want in (False, True))
        assert [tree.actions[a] for a in table.past[i]] == taken
        assert [tree.events[np.argmax(row)] for row in turned[0] if row.any()] == events == [*tree.cases[name].events]
        assert [(tree.events if c else tree.actions)[k] for k, c in zip(table.path[i], chances, strict=True)] == [
            *history
        ]
        if isinstance(node, Leaf):
            assert table.player[i] == -1
            assert not table.legal[i].any()
            assert (table.constant[i], table.stake[i]) == (float(node.constant), float(node.stake))
        elif isinstance(node, Reveal):
            assert table.player[i] == CHANCE
            assert not table.legal[i].any()
            below = {tree.events[event]: nodes[table.names[k]] for event, k in table.after[i].items()}
            assert all(below[event] is child for event, child in zip(node.events, node.children, strict=True))
        else:
            assert table.player[i] == node.player
            assert {tree.actions[a] for a in table.legal_ids[i]} == set(node.actions)
            for action, child in zip(node.actions, node.children, strict=True):
                assert nodes[table.names[table.child[i, tree.action_id(action)]]] is child
    seen = np.concatenate([part.reshape(len(nodes), -1) for part in taken_and_turned(table)], axis=1)
    assert np.unique(seen, axis=0).shape[0] == len(nodes)


def test_the_last_choice_is_the_last_of_the_history(game):
    tree = game.tree
    for history, _ in tree.walk():
        for player in (0, 1):
            taken = [
                (name, tree.decisions[name].index(action))
                for k, action in enumerate(history)
                if (name := "-".join(history[:k])) in tree.of(player)
            ]
            assert tree.last_choice("-".join(history), player) == (taken[-1] if taken else None)


def test_a_raise_costs_what_it_says():
    tree = BettingTree(facing_a_bet(1, Fraction(1), [Fraction(2), Fraction(6), Fraction(18)]))
    stakes = {name: leaf.stake for name, leaf in tree.leaves.items() if leaf.stake}
    assert stakes == {"call": 3, "raise-call": 9, "raise-raise-call": 27}
    assert tree.leaves["fold"].constant == 1
    assert tree.leaves["raise-fold"].constant == -3
    assert tree.leaves["raise-raise-fold"].constant == 9


def test_who_may_not_raise():
    tree = BettingTree(facing_a_bet(0, Fraction(1), [Fraction(2)] * 3, raises_by=(1,)))
    assert list(tree.decisions) == [""]


@pytest.mark.parametrize("raises", [0, 1, 4])
def test_depth_grows_with_raises(raises):
    tree = BettingTree(decision(0, check=showdown(1), bet=facing_a_bet(1, 1, [1] * (raises + 1))))
    assert tree.depth == raises + 2
    assert isinstance(tree.root, Decision)


def test_action_ids_ascend_at_each_node(game):
    for node in game.tree.decisions.values():
        ids = [game.tree.action_id(action) for action in node.actions]
        assert ids == sorted(ids)


def test_actions_in_different_orders_are_named():
    end = showdown(1)
    late = decision(0, check=decision(1, fold=end, shove=end), bet=end, shove=end)
    assert BettingTree(late).actions == ("check", "bet", "fold", "shove")
    crossed = decision(0, check=decision(1, bet=end, check=end), bet=end)
    with pytest.raises(ValueError, match="the actions check, bet are in different orders at different nodes"):
        BettingTree(crossed).actions  # noqa: B018
