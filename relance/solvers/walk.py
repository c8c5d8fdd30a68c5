"""Judges a profile of a large tree whose laws are matrices in one walk through the tree, on all processors; see `relance.solvers.walk_loops`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from relance.model import numba_start
from relance.model.arrays import Array, Floats, Ints, in_shares, thread_count
from relance.model.deal import FiniteDeal
from relance.model.sequences import SequenceForm
from relance.model.tree import CHANCE, OVER, BettingTree, Leaf
from relance.model.tree_table import is_large

PARTS = 128
"""The least number of subtrees that the processors share; the nodes above them are walked by one."""


class Walk:
    """A large tree made ready for walks.

    Args:
        tree: the tree.
        deal: its deal, in floats; the laws of all cases are matrices, and both players have as many hands.
        forms: both players' sides of the tree.
    """

    def __init__(self, tree: BettingTree, deal: FiniteDeal, forms: Sequence[SequenceForm]) -> None:
        table, kinds = tree.table, tree.kinds
        self.steps = np.diff(kinds.first)
        self.player = np.full(len(kinds.nodes), OVER)
        self.player[table.kind] = table.player
        chips = [node.in_floats if isinstance(node, Leaf) else (0.0, 0.0) for node in kinds.nodes]
        self.tree = table.kind, table.case, self.player, self.steps, np.array(chips)
        self.starts = forms[0].starts, forms[1].starts
        laws = [deal.in_case(case) for case in table.every_case]
        both = np.array([(law.joint(), law.joint_edge()) for law in laws])
        self.laws = np.stack([both, both.swapaxes(2, 3) * [[[1]], [[-1]]]], 1)
        self.hands = (0,) * deal.size(0)
        self.bounds: Ints = next((level for level in table.levels if len(level) >= PARTS), table.levels[0]).astype(int)
        ends = self.bounds + np.array(kinds.size)[table.kind[self.bounds]]
        counts = [np.append(0, np.cumsum(table.player == player)) for player in (0, 1)]
        self.before = np.stack([of[self.bounds] for of in counts], 1)
        self.jumps = np.stack([ends, *(of[ends] for of in counts)], 1)
        self.depth = len(table.levels)

    def best_values(self, shares: tuple[Floats, Floats]) -> tuple[float, float] | None:
        """What a best response to each player's opponent earns, in chips; None if the shares, (slots, hands), are not probabilities."""
        from relance.solvers.walk_loops import walk

        seen, earned = np.zeros((2, len(self.bounds), 2, len(self.hands)))
        wrong = np.zeros((thread_count() + 1, 1), np.int64)
        none = self.bounds[:0], self.jumps[:0], seen[:0], earned[:0]

        def go(start: int, counts: Ints, reach: Floats, at: tuple[Array, Array, Array, Array], thread: int) -> Floats:
            room = np.zeros((2, self.depth + 1, 2, len(self.hands)))
            room[0, 0] = reach
            stack = np.zeros((self.depth + 1, 3), np.int64)
            walk(start, counts.copy(), *self.tree, self.starts, shares, self.laws, self.hands, *at, *room, stack, wrong[thread])
            return room[1, 0]

        def share(low: int, high: int) -> None:
            for part in range(low, high):
                for k in range(borders[part], borders[part + 1]):
                    earned[k] = go(self.bounds[k], self.before[k], seen[k], none, part)

        top = 0, np.zeros(2, np.int64), np.ones(()), (self.bounds, self.jumps, seen, earned), thread_count()
        go(*top)
        sizes = np.append(0, np.cumsum(self.jumps[:, 0] - self.bounds))
        borders = np.searchsorted(sizes, np.linspace(0, sizes[-1], thread_count() + 1))
        in_shares(share, thread_count(), thread_count())
        found = go(*top).sum(1)
        return None if wrong.any() else (float(found[0]), float(found[1]))
