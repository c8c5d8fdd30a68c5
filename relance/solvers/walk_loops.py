"""A walk through a part of a large betting tree, depth first, that scores both players' strategies; compiled by numba.

What is known of the way to a node is a few rows that stay in the processor's first cache. So each probability is read from memory once.
"""

from __future__ import annotations

import numpy as np

from relance.model.arrays import Floats, Ints
from relance.model.numba_start import PART, compiled
from relance.model.strategy import FLOAT_TOLERANCE
from relance.model.tree_table import Int32

FAST = {"reassoc", "contract", "nsz"}
"""Sums may be taken in any order; numbers that are not finite still count."""


@compiled(fastmath=FAST, **PART)
def _pay(chips: float, distribution: Floats, weights: Floats, out: Floats, hands: tuple[int, ...]) -> None:
    """Add to `out` the chips times a distribution, (hands, opponent's hands), times weights of the opponent's hands."""
    for h in range(len(hands)):
        total, row = 0.0, distribution[h]
        for k in range(len(hands)):
            total += row[k] * weights[k]
        out[h] += chips * total


@compiled(fastmath=FAST, **PART)
def _go_on(actor: int, row: Floats, reach: Floats, after: Floats, hands: tuple[int, ...]) -> None:
    """Put into `after` the reach probabilities after an action with these probabilities; or after an event, whose actor is not 0 or 1."""
    for p in range(2):
        for h in range(len(hands)):
            after[p, h] = reach[p, h] * row[h] if p == actor else reach[p, h]


@compiled(cache=True, fastmath=FAST)
def walk(
    start: int,
    counts: Ints,
    kind: Int32,
    which: Int32,
    player: Ints,
    steps: Ints,
    chips: Floats,
    starts: tuple[Ints, Ints],
    shares: tuple[Floats, Floats],
    distributions: Floats,
    hands: tuple[int, ...],
    bounds: Ints,
    jumps: Ints,
    seen: Floats,
    earned: Floats,
    reach: Floats,
    values: Floats,
    at: Ints,
    wrong: Ints,
) -> None:
    """Walk from node `start` through all nodes below it, and put what best responses earn with each hand into `values[0]`.

    That is times the probability of the hand and of the opponent's choices; `reach[0]` has the players' reach probabilities.

    At a bound, the walk writes the reach probabilities to `seen`, takes what is earned after it from `earned`, and jumps over the nodes
    below. There are M nodes of S kinds, C distributions, less than D steps in a play, H hands of each player, and B bounds.

    Args:
        start: the node.
        counts: (2,) how many decisions of each player come before it; changed in place.
        kind: (M,) as in `TreeTable`.
        which: (M,) the distribution at each node.
        player, steps: (S,) who acts, and how many steps lead on.
        chips: (S, 2) what a leaf pays player 0: in any case, and times the edge.
        starts: for each player, (n,) the first slot of each decision.
        shares: for each player, (slots, H) the probabilities.
        distributions: (C, 2, 2, H, H) for each player the probability of each pair of hands, own first, and the same times the own edge.
        hands: a tuple of length H, so that the compiler knows it.
        bounds, jumps: (B,), (B, 3) nodes, ascending; the next node after those below, and how many decisions of each player come before it.
        seen, earned: (B, 2, H) as above.
        reach, values, at: (D, 2, H), (D, 2, H), (D, 3) room to work in.
        wrong: (1,) how many numbers are no probabilities, and how many sums are not 1; changed in place.
    """
    node, depth, bound = start, 0, 0
    while True:
        actor, many = player[kind[node]], steps[kind[node]]
        here = values[depth]
        if bound < len(bounds) and node == bounds[bound]:
            for p in range(2):
                for h in range(len(hands)):
                    seen[bound, p, h], here[p, h] = reach[depth, p, h], earned[bound, p, h]
            node, counts[0], counts[1] = jumps[bound, 0], jumps[bound, 1], jumps[bound, 2]
            bound += 1
        else:
            for p in range(2):
                for h in range(len(hands)):
                    here[p, h] = -np.inf if p == actor else 0.0
            if many == 0:
                paid, fought = chips[kind[node]]
                for p in range(2):
                    distribution, weights = distributions[which[node], p], reach[depth, 1 - p]
                    if paid != 0:
                        _pay(paid if p == 0 else -paid, distribution[0], weights, here[p], hands)
                    if fought != 0:
                        _pay(fought, distribution[1], weights, here[p], hands)
            node += 1
            if many:
                slot = 0
                if actor >= 0:
                    slot = starts[actor][counts[actor]]
                    counts[actor] += 1
                    rows = shares[actor][slot : slot + many]
                    for h in range(len(hands)):
                        total = 0.0
                        for a in range(many):
                            total += rows[a, h]
                            wrong[0] += not rows[a, h] >= 0
                        wrong[0] += not abs(total - 1) <= FLOAT_TOLERANCE
                at[depth, 0], at[depth, 1], at[depth, 2] = many, actor, slot
                _go_on(actor, shares[max(actor, 0)][slot], reach[depth], reach[depth + 1], hands)
                depth += 1
                continue
        while True:
            if depth == 0:
                return
            depth -= 1
            actor, slot, above, below = at[depth, 1], at[depth, 2] + 1, values[depth], values[depth + 1]
            for p in range(2):
                for h in range(len(hands)):
                    above[p, h] = max(above[p, h], below[p, h]) if p == actor else above[p, h] + below[p, h]
            at[depth, 0] -= 1
            if at[depth, 0]:
                at[depth, 2] = slot
                _go_on(actor, shares[max(actor, 0)][slot], reach[depth], reach[depth + 1], hands)
                depth += 1
                break
