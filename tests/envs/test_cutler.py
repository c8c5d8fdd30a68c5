"""Pot-limit poker: what is bet, who may raise, and how often."""

import pytest

import relance
from relance.model.tree import Decision


@pytest.mark.parametrize("ante", [1, "1/2", 3])
def test_each_bet_and_raise_is_the_size_of_the_pot(ante):
    tree = relance.make("pot_limit", raises=3, ante=ante).tree
    name, node = "bet", tree.decisions["bet"]
    while isinstance(node, Decision):
        caller, raiser = node.player, 1 - node.player
        owed = node.paid[raiser] - node.paid[caller]
        assert owed == 2 * node.paid[caller]  # the pot before it
        name, node = f"{name}-raise", tree.decisions.get(f"{name}-raise")
    assert name.count("raise") == 4


@pytest.mark.parametrize("check_raise", [False, True])
def test_after_a_check_player_0_may_raise_only_where_it_is_allowed(check_raise):
    tree = relance.make("pot_limit", raises=2, check_raise=check_raise).tree
    assert ("raise" in tree.decisions["check-bet"].actions) == check_raise
    assert "raise" in tree.decisions["bet"].actions


def test_in_force_in_the_first_bet_is_made_already():
    tree = relance.make("force_in", raises=2).tree
    assert tree.root.player == 1
    assert tree.root.actions == ("fold", "call", "raise")
    assert sum(name.endswith("raise") for name in tree.decisions) == 2
