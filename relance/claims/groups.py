"""A deck of different cards, told by groups of neighbouring cards that are played alike; how many there are in each may be a letter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from relance.claims.checks import best_value, one_hand, value
from relance.model.game import Game
from relance.model.laws import joint_law
from relance.model.numbers import Number
from relance.model.strategy import Plan

NumberRows = Sequence[Sequence[Number]]


@dataclass(frozen=True)
class Groups:
    """A game in which each player gets one card of the deck, and how both play.

    Attributes:
        game: any game with this tree.
        sizes: how many cards there are in each group, the best group first.
        rows: how often a card of each group takes the last action at each node, in the order of the tree's decisions.
    """

    game: Game
    sizes: Sequence[Number]
    rows: NumberRows

    @property
    def cards(self) -> Number:
        """The number of cards."""
        return sum(self.sizes, Fraction(0))

    @property
    def worth(self) -> Number:
        """The value to player 0 in chips: every pair of different cards comes up as often as any other."""
        order, pairs = range(len(self.sizes)), self.cards * (self.cards - 1)
        joint = [[p * (q - (j == k)) / pairs for j, q in enumerate(self.sizes)] for k, p in enumerate(self.sizes)]
        edge = [[Fraction((j > k) - (j < k)) for j in order] for k in order]
        names = [str(k) for k in order]
        game = replace(self.game, deal=joint_law(names, names, joint, edge), cuts=None)
        return value(game, self._plan(self.rows, self.rows))

    def is_best(self, own: int, better: Number, player: int) -> bool:
        """True if a card of the group `own`, with so many better cards in it, wins as much as it can, alone against the other's cards."""
        others = [*zip(self.sizes, self.rows, strict=True)]
        others[own : own + 1] = [(better, self.rows[own]), (self.sizes[own] - 1 - better, self.rows[own])]
        ranked = [*enumerate(others)][::-1]  # the worst first, as hands are listed
        law = {str(k): (size / (self.cards - 1), 2 * (own - k) + 1) for k, (size, _) in ranked}
        game = one_hand(self.game, player, law, 0)
        mine, theirs = [self.rows[own]], [row for _, (_, row) in ranked]
        profile = game.profile(self._plan(theirs, mine) if player else self._plan(mine, theirs))
        return bool(best_value(game, profile, player) == (1 - 2 * player) * value(game, profile))

    def _plan(self, *rows: NumberRows) -> Plan:
        """Return how player 0 plays these rows, and player 1 those."""
        decisions = self.game.tree.decisions.items()
        return {
            name: {node.actions[-1]: [row[k] for row in rows[node.player]]} for k, (name, node) in enumerate(decisions)
        }
