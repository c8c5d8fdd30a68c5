"""One walk through a large tree whose distributions are matrices, which scores a profile on all processors: `walk_loops` has its loops."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from relance.model import numba_start
from relance.model.arrays import Floats, Ints, in_shares, thread_count
from relance.model.deal import FiniteDeal
from relance.model.sequences import SequenceForm
from relance.model.tree import OVER, BettingTree, Leaf

PARTS = 128
"""The least number of subtrees that the processors share; the nodes above them are walked by one."""

MOST_HANDS = 32
"""The loops over hands are written out by the compiler, which takes long for more."""


def walk_of(tree: BettingTree, deal: FiniteDeal, forms: Sequence[SequenceForm]) -> Walk | None:
    """A tree made ready for walks, kept with the tree; None if numba is not installed or not worth its start, or there are many hands."""
    hands = deal.size(0)
    if hands != deal.size(1) or hands > MOST_HANDS or not numba_start.is_worth(tree.kinds.size[0] * hands**2):
        return None
    kept: Walk | None = vars(tree).get("walk")
    if kept is None or kept.deal is not deal:
        distributions = [deal.in_case(case) for case in tree.table.every_case]
        if not all(
            distribution.in_pairs and isinstance(distribution.like(0), np.ndarray) for distribution in distributions
        ):
            return None
        kept = vars(tree)["walk"] = Walk(tree, deal, forms)
    return kept


class Walk:
    """A large tree made ready for walks.

    Args:
        tree: the tree.
        deal: its deal, in floats; the distributions of all cases are matrices, and both players have as many hands.
        forms: both players' sides of the tree.
    """

    def __init__(self, tree: BettingTree, deal: FiniteDeal, forms: Sequence[SequenceForm]) -> None:
        table, kinds, self.deal = tree.table, tree.kinds, deal
        self.starts, self.hands, self.depth = (forms[0].starts, forms[1].starts), (0,) * deal.size(0), len(table.levels)
        both = np.array(
            [(distribution.joint(), distribution.joint_edge()) for distribution in map(deal.in_case, table.every_case)]
        )
        both, which = np.unique(both, axis=0, return_inverse=True)
        self.distributions = np.stack([both, both.swapaxes(2, 3) * [[[1]], [[-1]]]], 1)
        player = np.full(len(kinds.nodes), OVER)
        player[table.kind] = table.player
        chips = np.array([node.in_floats if isinstance(node, Leaf) else (0.0, 0.0) for node in kinds.nodes])
        self.tree = table.kind, which.reshape(-1).astype(np.int32)[table.case], player, np.diff(kinds.first), chips
        self.bounds: Ints = next((level for level in table.levels if len(level) >= PARTS), table.levels[0]).astype(int)
        ends = self.bounds + np.array(kinds.size)[table.kind[self.bounds]]
        counts = [np.append(0, np.cumsum(table.player == player)) for player in (0, 1)]
        self.before = np.stack([of[self.bounds] for of in counts], 1)
        self.jumps = np.stack([ends, *(of[ends] for of in counts)], 1)

    def best_values(self, shares: Sequence[Floats]) -> tuple[float, float] | None:
        """What best responses earn as each player, in chips, or None if the shares, (slots, hands), are not probabilities."""
        from relance.solvers.walk_loops import walk

        # A compiled loop indexes arrays of one type.
        first, second = (np.require(share, float, ["C", "W"]) for share in shares)
        threads, fixed = thread_count(), (*self.tree, self.starts, (first, second), self.distributions, self.hands)
        seen, earned = np.zeros((2, len(self.bounds), 2, len(self.hands)))
        wrong = np.zeros((threads + 1, 1), np.int64)

        def go(start: int, counts: Ints, reach: Floats | float, bounds: int, mine: Ints) -> Floats:
            at = self.bounds[:bounds], self.jumps[:bounds], seen, earned
            room = np.ones((2, self.depth + 1, 2, len(self.hands)))
            room[0, 0] = reach
            steps = np.zeros((self.depth + 1, 3), np.int64)
            walk(start, counts, *fixed, *at, room[0], room[1], steps, mine)
            earns: Floats = room[1, 0]
            return earns

        def share(low: int, high: int) -> None:
            for part in range(low, high):
                for k in range(borders[part], borders[part + 1]):
                    earned[k] = go(self.bounds[k], self.before[k].copy(), seen[k], 0, wrong[part])

        go(0, np.zeros(2, np.int64), 1.0, len(self.bounds), wrong[threads])  # to see what leads to the bounds
        sizes = np.append(0, np.cumsum(self.jumps[:, 0] - self.bounds))
        borders = np.searchsorted(sizes, np.linspace(0, sizes[-1], threads + 1))
        in_shares(share, threads, threads)
        found = go(0, np.zeros(2, np.int64), 1.0, len(self.bounds), wrong[threads]).sum(1)
        return None if wrong.any() else (float(found[0]), float(found[1]))
