"""CFR on the sequence form of a game tree, in floats; its average is rounded to fractions, and the bound on it is exact.

An iteration for a player takes four steps: the weights of the opponent's sequences; the chips of each own sequence, by one sparse matrix;
up the tree, the chips of each information set and the regrets of its actions; and the next strategy, by the positive regrets.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from relance.model.arrays import Floats, Ints
from relance.model.game_tree import GameTree, TreeProfile
from relance.solvers.cfr_variants import METHODS
from relance.solvers.tree_program import check_solvable, sparse_payoffs
from relance.solvers.tree_values import judge

WHOLE = 1 << 60
"""The weights of the average are rounded to whole multiples of 1 / WHOLE."""

FIRST_CHECK, LATER_CHECKS = 20, 1.15
"""NashConv is computed after this many iterations, and each time they have grown by this factor."""


class _Half:
    """One player's part: levels of information sets with equally many actions, earlier ones first, and their regrets."""

    def __init__(self, tree: GameTree, player: int, payoffs: Any) -> None:
        self.payoffs, self.size = payoffs, tree.sizes[player]
        depth = np.zeros(self.size, np.int64)
        levels: dict[tuple[int, int], list[tuple[int, int]]] = {}
        for s in tree.sets_of(player):
            here = int(depth[s.before]) + 1
            depth[s.first : s.after.stop] = here
            levels.setdefault((here, len(s.actions)), []).append((s.first, s.before))
        self.levels: list[tuple[Ints, Ints]] = []
        for (_, actions), found in sorted(levels.items()):
            firsts, before = np.array(found, np.int64).T
            self.levels.append((firsts[:, None] + np.arange(actions), before))
        self.regrets, self.predicted = np.zeros(self.size), np.zeros(self.size)
        self.average, self.weights = np.zeros(self.size), np.zeros(self.size)
        self.chances = np.zeros(self.size)
        self.match()

    def match(self) -> None:
        """The next strategy, by regret matching, and its weights."""
        positive = np.maximum(self.regrets + self.predicted, 0.0)
        self.weights[0] = 1.0
        for places, before in self.levels:
            part = positive[places]
            total = part.sum(1, keepdims=True)
            part = np.where(total > 0, part / np.where(total > 0, total, 1.0), 1.0 / places.shape[1])
            self.chances[places] = part
            self.weights[places] = self.weights[before][:, None] * part

    def regret(self, theirs: Floats) -> Floats:
        """The regret of each sequence against these weights of the opponent."""
        chips, out = self.payoffs @ theirs, np.zeros(self.size)
        for places, before in reversed(self.levels):
            values = chips[places]
            mean = (values * self.chances[places]).sum(1)
            out[places] = values - mean[:, None]
            chips += np.bincount(before, mean, self.size)
        return out

    def best(self, theirs: Floats) -> float:
        """Return what a best response earns against these weights."""
        chips = self.payoffs @ theirs
        for places, before in reversed(self.levels):
            chips += np.bincount(before, chips[places].max(1), self.size)
        return float(chips[0])

    @property
    def mean(self) -> Floats:
        """The weights of the average strategy."""
        found: Floats = self.average / self.average[0]
        return found


def solve_tree_by_cfr(
    tree: GameTree,
    tolerance: float,
    method: str = "dcfr+",
    iterations: int = 1_000_000,
    tick: Callable[[int, float], object] = lambda iteration, exploitability: None,
) -> TreeProfile:
    """Return a profile in fractions whose exploitability, half of its exact NashConv, is at most `tolerance`.

    Args:
        tree: a game of two players and zero sum.
        tolerance: in chips.
        method: a variant of `relance.solvers.cfr_variants`.
        iterations: the most iterations.
        tick: called from time to time with the iteration and the exploitability so far.

    Raises:
        ValueError: the game has more players or another sum.
        ArithmeticError: the tolerance is not reached.
    """
    check_solvable(tree)
    payoffs = sparse_payoffs(tree)
    unit = float(max((abs(pays[0]) for pays in tree.endings.values()), default=1)) or 1.0
    halves = _Half(tree, 0, payoffs), _Half(tree, 1, (-payoffs.T).tocsr())
    variant, check, left = METHODS[method], FIRST_CHECK, float("inf")
    for t in range(1, iterations + 1):
        weights = variant.weights(t)
        for player, half in enumerate(halves):
            regret = half.regret(halves[1 - player].weights)
            old = half.regrets
            half.regrets = np.where(old > 0, weights.positive * old, weights.negative * old) + regret
            if weights.negative == 0.0:
                half.regrets = np.maximum(half.regrets, 0.0)
            half.predicted = regret if variant.predictive else half.predicted
            half.match()
            half.average = weights.keep * half.average + weights.add * half.weights
        if t in (check, iterations):
            check = max(check + 1, int(check * LATER_CHECKS))
            left = unit * (halves[0].best(halves[1].mean) + halves[1].best(halves[0].mean)) / 2
            tick(t, left)
            if left <= tolerance:
                profile = rounded_profile(tree, (halves[0].mean, halves[1].mean), method)
                if judge(tree, profile).nash_conv <= 2 * Fraction(tolerance):
                    return profile
    raise ArithmeticError(
        f"the exploitability is {left:.3g} after {iterations} iterations of {method}, not {tolerance:.3g}"
    )


def rounded_profile(tree: GameTree, weights: tuple[Floats, Floats], solved_by: str = "") -> TreeProfile:
    """The profile whose weights of sequences are near these and multiples of 1 / `WHOLE`, which add up exactly."""
    whole = [[0] * size for size in tree.sizes]
    table = {}
    for s in tree.sets:
        at, near = whole[s.player], weights[s.player]
        at[0] = WHOLE
        part = near[s.first : s.after.stop]
        total, reach = float(part.sum()), at[s.before]
        shares = [int(reach * float(w / total)) for w in part] if total > 0 else [0] * len(part)
        shares[int(np.argmax(part))] += reach - sum(shares)
        at[s.first : s.after.stop] = shares
        most = reach or 1
        law = (
            [Fraction(share, most) for share in shares] if reach else [Fraction(int(i == 0)) for i in range(len(part))]
        )
        table[s.name] = dict(zip(s.actions, law, strict=True))
    return TreeProfile(tree, table, solved_by)
