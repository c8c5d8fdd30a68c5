"""Trees of games, read back from the figure."""

import pytest
from test_bars import overlaps
from test_chips import texts

pytest.importorskip("matplotlib", reason="needs the extra plot")

from relance.envs.catalogue import make
from relance.pages.plots.trees import MOST_LEAVES, betting_tree


def test_a_tree_shows_every_action_and_every_payoff(game_of_a_kind):
    if len(game_of_a_kind.tree.leaves) > MOST_LEAVES:
        with pytest.raises(ValueError, match=f"at most {MOST_LEAVES} are drawn"):
            betting_tree(game_of_a_kind)
        return
    drawing = betting_tree(game_of_a_kind)
    shown = texts(drawing)
    tree = game_of_a_kind.tree
    assert len(shown) == 2 * sum(1 for _ in tree.walk()) - 1  # each node, and each branch
    for node in tree.decisions.values():
        assert str(node.player) in shown
        assert set(node.actions) <= set(shown)
    stakes = {f"± {leaf.stake}" for leaf in tree.leaves.values() if leaf.stake and not leaf.constant}
    assert stakes <= set(shown)
    assert not overlaps(drawing)


def test_the_tree_of_von_neumann():
    assert sorted(texts(betting_tree(make("von_neumann", bet="5/2")))) == sorted(
        ["0", "1", "check", "bet", "fold", "call", "± 1", "+1", "± 7/2"]
    )
