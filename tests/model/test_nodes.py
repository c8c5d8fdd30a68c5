"""Nodes of betting trees: chips as they are written, and what each player has paid."""

from fractions import Fraction

import numpy as np
import pytest

from relance.model.nodes import Decision, Leaf, after_events, facing_a_bet, showdown


@pytest.mark.parametrize("tenth", [0.1, np.float64(0.1), np.float32(0.1), "1/10", "0.1", Fraction(1, 10)], ids=repr)
def test_chips_are_written_as_people_write_them(tenth):
    """A float is the decimal that it prints before anything is computed with it: 0.1 + 0.2 is 3/10."""
    F = Fraction
    assert Leaf(tenth, tenth, tenth) == Leaf(F(1, 10), F(1, 10), F(1, 10))
    assert showdown(3, tenth) == Leaf(0, F(12, 5), 3)
    faced = facing_a_bet(0, tenth, [0.2, np.int64(1)])
    assert faced.child("call") == Leaf(0, F(3, 10))
    assert faced.child("raise").child("call") == Leaf(0, F(13, 10))
    assert all(type(number) is F for number in (Leaf(tenth).constant, Leaf(np.int64(2)).constant))


def test_the_pot_is_what_a_fold_gives_up_and_a_call_matches(game):
    """By its definition: walking down the tree, only the player who acts pays, and never takes back."""
    for _, node in game.tree.walk():
        if not isinstance(node, Decision):
            continue
        here = node.paid
        for child in map(after_events, node.children):
            if isinstance(child, Decision):
                assert child.paid[1 - node.player] == here[1 - node.player]
                assert child.paid[node.player] >= here[node.player]
            elif child.stake:
                assert (child.stake if child.put_in is None else child.put_in) == max(here)
            else:
                assert abs(child.constant) == here[node.player]
