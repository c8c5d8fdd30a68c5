"""What each player has put into the pot, read off the betting tree: who folds loses it, and who calls matches the other's."""

from __future__ import annotations

from functools import lru_cache

from relance.model.numbers import Number
from relance.model.tree import BettingTree, Decision, Leaf

Paid = tuple[Number, Number]
"""The chips that player 0 and player 1 have put into the pot."""


@lru_cache(maxsize=64)
def pots(tree: BettingTree) -> dict[str, Paid]:
    """What each player has paid at each decision, by the decision's name; antes included."""
    return {name: paid(node) for name, node in tree.decisions.items()}


def paid(node: Decision) -> Paid:
    """What each player has paid when `node` is to be decided."""
    theirs = _theirs(node)
    folds = [leaf for leaf in node.children if isinstance(leaf, Leaf) and leaf.stake == 0]
    mine = folds[0].constant * (2 * node.player - 1) if folds else theirs  # who cannot fold owes nothing
    return (mine, theirs) if node.player == 0 else (theirs, mine)


def _theirs(node: Decision) -> Number:
    """What the player who is not to move has paid: the same after the other's next action, whatever it is."""
    for child in node.children:
        if isinstance(child, Decision):
            return paid(child)[1 - node.player]
    return next(abs(leaf.stake) for leaf in node.children if isinstance(leaf, Leaf) and leaf.stake)
