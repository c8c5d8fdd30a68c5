"""Walks through a large betting tree on all processors, to score a profile or to make iterations of CFR; `walk_loops` has the loops."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from relance.model import numba_start
from relance.model.arrays import Floats, Ints, in_shares, thread_count
from relance.model.deal import FiniteDeal
from relance.model.sequences import PayoffOperator, SequenceForm
from relance.model.tree import OVER, BettingTree, Leaf
from relance.solvers.cfr import Learned
from relance.solvers.cfr_variants import Weights

if TYPE_CHECKING:
    from relance.solvers.walk_loops import Learning

PARTS = 128
"""The least number of subtrees that the processors share; one processor walks the nodes above these subtrees."""

MOST_HANDS = 32
"""The most hands of a player for a walk: the compiler unrolls the loops over hands, which takes long for more."""


def is_walked(tree: BettingTree, deal: PayoffOperator) -> bool:
    """Return True if a `Walk`, compiled depth-first passes through the tree, is used to score profiles and to run CFR.

    Numba must save more time than its start takes; both players need equally many hands, at most `MOST_HANDS`, with a matrix of all pairs.
    """
    if not isinstance(deal, FiniteDeal) or not deal.size(0) == deal.size(1) <= MOST_HANDS:
        return False
    if not numba_start.is_worth(tree.kinds.size[0] * deal.size(0) ** 2):
        return False
    distributions = map(deal.in_case, tree.table.every_case)
    return all(distribution.in_pairs and isinstance(distribution.like(0), np.ndarray) for distribution in distributions)


def walk_of(tree: BettingTree, deal: FiniteDeal, forms: Sequence[SequenceForm]) -> Walk | None:
    """Return the `Walk` of a tree, which makes compiled passes through the tree and is kept with it; None if `is_walked` is False."""
    kept: Walk | None = vars(tree).get("walk")
    if not is_walked(tree, deal):
        return None
    if kept is None or kept.deal is not deal:
        kept = vars(tree)["walk"] = Walk(tree, deal, forms)
    return kept


class Walk:
    """Scores profiles of a large betting tree, and makes iterations of CFR on it, by compiled depth-first passes through the tree.

    Args:
        tree: the betting tree.
        deal: the deal in floats, for which `is_walked` is True.
        forms: both players' sequence forms.
    """

    def __init__(self, tree: BettingTree, deal: FiniteDeal, forms: Sequence[SequenceForm]) -> None:
        from relance.solvers.walk_loops import Distributions

        table, kinds, self.deal = tree.table, tree.kinds, deal
        self.hands, self.depth = (0,) * deal.size(0), len(table.levels)
        self.rows = 1 + self.depth * table.most_actions
        both = np.array(
            [(distribution.joint(), distribution.joint_edge()) for distribution in map(deal.in_case, table.every_case)]
        )
        both, which = np.unique(both, axis=0, return_inverse=True)
        both = np.stack([both, both.swapaxes(2, 3)], 1)
        shaped: Any = (
            part.reshape(*both.shape[:3], *part.shape[1:]) for part in in_classes(both.reshape(-1, *both.shape[3:]))
        )
        distributions = Distributions(*shaped)
        player = np.full(len(kinds.nodes), OVER)
        player[table.kind] = table.player
        chips = np.array([node.in_floats if isinstance(node, Leaf) else (0.0, 0.0) for node in kinds.nodes])
        nodes = table.kind, which.reshape(-1).astype(np.int32)[table.case], player, np.diff(kinds.first), chips
        self.tree: tuple[Any, ...] = *nodes, (forms[0].starts, forms[1].starts), distributions, self.hands
        self.bounds: Ints = next((level for level in table.levels if len(level) >= PARTS), table.levels[0]).astype(int)
        ends = self.bounds + np.array(kinds.size)[table.kind[self.bounds]]
        acts = [np.flatnonzero(table.player == player) for player in (0, 1)]
        self.before = np.stack([np.searchsorted(of, self.bounds) for of in acts], 1)
        self.jumps = np.stack([ends, *(np.searchsorted(of, ends) for of in acts)], 1)

    def best_values(self, shares: Sequence[Floats]) -> tuple[float, float] | None:
        """Return what each player's best response earns, in chips; None if `shares`, each (all actions, hands), are no probabilities."""
        # A compiled loop indexes arrays of one type.
        first, second = (np.require(share, float, ["C", "W"]) for share in shares)
        earned, wrong = self._go(0, 2, lambda: ((first, second), None))
        return None if wrong else (float(earned[0]), float(earned[1]))

    def learn(self, learned: Sequence[Learned], weights: Weights, predictive: bool) -> None:
        """Make an iteration of CFR: update the regrets and averages in `learned`, first those of player 0 and then those of player 1."""
        from relance.solvers.walk_loops import Learning

        matched = learned[0].matched, learned[1].matched
        for player, (regrets, _, averages) in enumerate(learned):

            def played(regrets: Floats = regrets, averages: Floats = averages) -> tuple[Any, Learning]:
                share, gains = np.empty((2, self.rows, len(self.hands)))
                return (share, share), Learning(matched, regrets, averages, weights, predictive, gains)

            self._go(player, player + 1, played)

    def _go(self, low: int, high: int, played: Callable[[], tuple[Any, Learning | None]]) -> tuple[Floats, int]:
        """Pass through the tree for players `low` to `high` - 1. Return their chips, and the number of wrong probabilities or sums.

        `played` returns how the players act: the arguments `shares` and `learning` of `relance.solvers.walk_loops.walk`.
        """
        from relance.solvers.walk_loops import walk

        threads, bounds, hands = thread_count(), len(self.bounds), len(self.hands)
        seen, earned = np.zeros((2, bounds, 2, hands))
        wrong = np.zeros((threads + 1, 1), np.int64)

        def go(start: int, counts: Ints, first: Any, bounds: int, whose: tuple[int, int], mine: Ints) -> Floats:
            at = self.bounds[:bounds], self.jumps[:bounds], seen, earned
            reach, values = np.zeros((2, self.depth + 1, hands)), np.zeros((self.depth + 1, 2, hands))
            rooms = reach, values, np.zeros((self.depth + 1, 8), np.int64), np.zeros((2, hands + 1))
            reach[:, 0] = first
            every: list[Any] = [start, counts, *self.tree, *played(), *whose, *at, *rooms, mine]
            walk(*every)
            earns: Floats = values[0]
            return earns

        def share(first: int, last: int) -> None:
            for part in range(first, last):
                for k in range(borders[part], borders[part + 1]):
                    earned[k] = go(self.bounds[k], self.before[k].copy(), seen[k], 0, (low, high), wrong[part])

        go(0, np.zeros(2, np.int64), 1.0, bounds, (0, 0), wrong[threads])  # to see what leads to the bounds
        sizes = np.append(0, np.cumsum(self.jumps[:, 0] - self.bounds))
        borders = np.searchsorted(sizes, np.linspace(0, sizes[-1], threads + 1))
        in_shares(share, threads, threads)
        return go(0, np.zeros(2, np.int64), 1.0, bounds, (low, high), wrong[threads]).sum(1), int(wrong.sum())


def in_classes(matrices: Floats) -> tuple[Ints, Floats, Ints, Floats]:
    """Group the rows of N square matrices, (N, H, H), into classes: rows i and j are equal, to the bit, except in columns i and j.

    Returns:
        (N,) the number of classes in each matrix, where rows of zeros are no class; K is the largest. (N, K, H) a row that stands for each
        class. (N, H) the class of each row, from 1; 0 for rows of zeros. (N, H) entry i of row i minus entry i of its class's row.
    """
    every, hands = np.arange(len(matrices)), matrices.shape[1]
    diagonal, member = np.arange(hands), np.zeros(matrices.shape[:2], np.int64)
    for h in range(hands):
        other = np.zeros((len(matrices), hands + 1), bool)  # the classes that the row is not in
        other[:, 0] = matrices[:, h].any(1)
        differs = matrices[:, h, None] != matrices
        differs[:, :, h] = differs[:, diagonal, diagonal] = False
        for k, apart in enumerate(differs.any(2)[:, :h].T):
            other[every, member[:, k]] |= apart
        member[:, h] = other.argmin(1)
    rows = np.zeros((len(matrices), hands + 1, hands))
    for h in range(hands):
        rows[every, member[:, h]] = np.where(member[:, h, None], matrices[:, h], 0)
    for h in range(hands):
        row = rows[every, member[:, h]]
        rows[every, member[:, h]] = np.where((diagonal == h) | (member[:, h, None] == 0), row, matrices[:, h])
    own = matrices[:, diagonal, diagonal] - rows[every[:, None], member, diagonal]
    many = member.max(1)
    return many, np.ascontiguousarray(rows[:, 1 : many.max() + 1]), member, own
