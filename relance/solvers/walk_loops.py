"""A walk through a part of a large betting tree, depth first, that scores strategies or makes a pass of CFR; compiled by numba.

The numbers on the path to a node are a few rows, which stay in the processor's first cache. So each probability is read from memory once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from relance.model.arrays import Floats, Ints
from relance.model.numba_start import PART, compiled
from relance.model.strategy import FLOAT_TOLERANCE
from relance.model.tree_table import Int32
from relance.solvers.cfr_variants import Weights

FAST = {"reassoc", "contract", "nsz"}
"""Options of the compiler: sums may be taken in any order, but infinity and NaN keep their meaning."""


class Distributions(NamedTuple):
    """C distributions of hands: for each player two matrices (own hand, opponent's), P(pair) and P(pair) * (P(player 0 wins) - P(loses)).

    Rows of a matrix that are equal but for the diagonal form a class, and are kept once; see `relance.solvers.walk.in_classes`.

    Attributes, (C, player, matrix, ...), with at most K classes of H hands:
        many: (C, 2, 2) the number of classes, without the class of zeros.
        rows: (C, 2, 2, K, H) the row of each class.
        member: (C, 2, 2, H) 1 + the class of each hand; 0 for rows of zeros.
        own: (C, 2, 2, H) for each hand h, entry h of its own row minus entry h of the row of its class.
    """

    many: Ints
    rows: Floats
    member: Ints
    own: Floats


class Learning(NamedTuple):
    """The arrays and options of a pass of CFR, which updates one player; see `relance.solvers.cfr.Learned`.

    Attributes:
        matched: for each player, (all actions, H): the regrets that regret matching uses; in a predictive variant, predictions of them.
        regrets, averages: (all actions, H) of the player whose pass it is.
        weights: the `Weights` of the iteration.
        predictive: True for a predictive variant, in which `matched` is not the array `regrets`.
        gains: a buffer with a row of H numbers for each action at the nodes on the path: what the action is worth with each hand.
    """

    matched: tuple[Floats, Floats]
    regrets: Floats
    averages: Floats
    weights: Weights
    predictive: bool
    gains: Floats


TAKEN, MANY, ACTOR, SLOT, ROW, FREE, LED = range(7)
"""The columns of `at`, which has a row for each node on the path: how many children are done, how many there are, the player who acts, the
first slot, the first row of probabilities in `shares`, the first free row there, and for each player the row of the reach probabilities."""

_part = compiled(fastmath=FAST, forceinline=True, **PART)


@_part
def _pay(
    chips: float,
    distributions: Distributions,
    which: int,
    p: int,
    fought: int,
    weights: Floats,
    room: Floats,
    out: Floats,
    hands: tuple[int, ...],
) -> None:
    """Add to `out`, (H,), `chips` times a matrix of `distributions` times `weights`, (H,), of the opponent's hands; `room[0]` is 0."""
    rows, member = distributions.rows[which, p, fought], distributions.member[which, p, fought]
    own = distributions.own[which, p, fought]
    for c in range(distributions.many[which, p, fought]):
        total, row = 0.0, rows[c]
        for k in range(len(hands)):
            total += row[k] * weights[k]
        room[c + 1] = chips * total
    for h in range(len(hands)):
        out[h] += room[member[h]] + chips * own[h] * weights[h]


@_part
def _wrong(rows: Floats, room: Floats, hands: tuple[int, ...]) -> int:
    """How many numbers of `rows`, (actions, H), are below 0, plus the number of hands for which the sum over actions is not 1."""
    wrong = 0
    for h in range(len(hands)):
        room[h] = -1.0
    for a in range(len(rows)):
        for h in range(len(hands)):
            share = rows[a, h]
            room[h] += share
            wrong += share < 0
    for h in range(len(hands)):
        wrong += not abs(room[h]) <= FLOAT_TOLERANCE
    return wrong


@_part
def _match(matched: Floats, share: Floats, room: Floats, hands: tuple[int, ...]) -> None:
    """Put into `share` the actions' probabilities in proportion to the positive part of `matched`, both (actions, hands)."""
    for h in range(len(hands)):
        room[h] = 0.0
    for a in range(len(share)):
        for h in range(len(hands)):
            share[a, h] = max(matched[a, h], 0.0)
            room[h] += share[a, h]
    for a in range(len(share)):
        for h in range(len(hands)):
            share[a, h] = share[a, h] / room[h] if room[h] > 0 else 1 / len(share)


@_part
def _learn(
    learning: Learning, way: Ints, shares: tuple[Floats, Floats], reach: Floats, value: Floats, hands: tuple[int, ...]
) -> None:
    """Update a player's regrets and averages at a node from the values of its actions, `learning.gains`, and of the node, `value`."""
    p, gains, weights = way[ACTOR], learning.gains, learning.weights
    led, matched = reach[p, way[LED + p]], learning.matched[p]
    for a in range(way[MANY]):
        row, slot = way[ROW] + a, way[SLOT] + a
        for h in range(len(hands)):
            gain = gains[row, h] - value[p, h]
            regret = learning.regrets[slot, h] + gain
            regret *= weights.positive if regret > 0 else weights.negative
            learning.regrets[slot, h] = regret
            if learning.predictive:
                matched[slot, h] = regret + gain
            average = weights.keep * learning.averages[slot, h]
            learning.averages[slot, h] = average + weights.add * (led[h] * shares[p][row, h])


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
    distributions: Distributions,
    hands: tuple[int, ...],
    shares: tuple[Floats, Floats],
    learning: Learning | None,
    low: int,
    high: int,
    bounds: Ints,
    jumps: Ints,
    seen: Floats,
    earned: Floats,
    reach: Floats,
    values: Floats,
    at: Ints,
    room: Floats,
    wrong: Ints,
) -> None:
    """Walk from node `start` through all nodes below it, and put into `values[0]` the value of each hand of players `low` to `high` - 1.

    A value is in chips, times the probability of the hand and of the opponent's choices. Without `learning`, the values are those of best
    responses to `shares`. In a pass of CFR they are those of the current strategies, and the walk updates regrets and averages.

    At a node in `bounds`, the walk writes the reach probabilities to `seen`, takes the values from `earned`, and leaves out the nodes
    below. The tree has M nodes of S kinds. A history has fewer than D actions, each player H hands, and `bounds` B nodes.

    Args:
        start: the node.
        counts: (2,) how many decision nodes of each player have numbers below `start`; changed in place.
        kind: (M,) for each node the number of its kind, from 0 to S - 1; see `TreeTable`.
        which: (M,) for each node the index of its distribution of hands in the arrays of `distributions`.
        player, steps: (S,) for each kind of node, who acts (negative if no player does), and how many children there are.
        chips: (S, 2) what a terminal node pays player 0: a constant, and a stake that is won or lost at a showdown.
        starts: for each player, (n,) the number of the first action at each of the player's decision nodes.
        distributions: see `Distributions`.
        hands: a tuple of length H, so that the compiler knows it.
        shares: for each player, (all actions, H) their probabilities; in a pass of CFR, a buffer for the actions at the nodes on the path.
        learning: the arrays of a pass of CFR; None for best responses.
        low, high: values are computed for players `low` to `high` - 1; if `low` equals `high`, for no player.
        bounds, jumps: (B,) nodes, ascending; (B, 3) the next node not below each, and how many decisions of each player precede that node.
        seen, earned: (B, 2, H) both players' reach probabilities, and their values, at the nodes in `bounds`.
        reach, values, at, room: buffers of zeros, (2, D, H), (D, 2, H), (D, 8), (2, H + 1); but `reach[:, 0]` is the reach at `start`.
        wrong: (1,) is raised by the number of probabilities in `shares` below 0, and of hands and nodes where their sum is not 1.
    """
    node, depth, bound, sums = start, 0, 0, room[0]
    while True:
        actor, many, here, way = player[kind[node]], steps[kind[node]], values[depth], at[depth]
        way[TAKEN], way[MANY], way[ACTOR] = 0, 0, actor
        if bound < len(bounds) and node == bounds[bound]:
            for p in range(2):
                for h in range(len(hands)):
                    seen[bound, p, h], here[p, h] = reach[p, way[LED + p], h], earned[bound, p, h]
            node, counts[0], counts[1] = jumps[bound, 0], jumps[bound, 1], jumps[bound, 2]
            bound += 1
        else:
            for p in range(low, high):
                first = -np.inf if learning is None and p == actor else 0.0
                for h in range(len(hands)):
                    here[p, h] = first
            if many == 0:
                for p in range(low, high):
                    weights = reach[1 - p, way[LED + 1 - p]]
                    for fought in range(2):
                        paid = chips[kind[node], fought] if p == 0 else -chips[kind[node], fought]
                        if paid != 0:
                            _pay(paid, distributions, which[node], p, fought, weights, room[1], here[p], hands)
            elif actor >= 0:
                slot = starts[actor][counts[actor]]
                counts[actor] += 1
                way[SLOT] = way[ROW] = slot
                if learning is None:
                    wrong[0] += _wrong(shares[actor][slot : slot + many], sums, hands)
                else:
                    way[ROW] = row = way[FREE]
                    _match(learning.matched[actor][slot : slot + many], shares[actor][row : row + many], sums, hands)
            way[MANY] = many
            node += 1
        while way[TAKEN] == way[MANY]:
            if depth == 0:
                return
            depth -= 1
            way, above, below = at[depth], values[depth], values[depth + 1]
            for p in range(low, high):
                if p != way[ACTOR]:
                    for h in range(len(hands)):
                        above[p, h] += below[p, h]
                elif learning is None:
                    for h in range(len(hands)):
                        above[p, h] = max(above[p, h], below[p, h])
                else:
                    row = way[ROW] + way[TAKEN]
                    for h in range(len(hands)):
                        learning.gains[row, h] = below[p, h]
                        above[p, h] += shares[p][row, h] * below[p, h]
                    if way[TAKEN] + 1 == way[MANY]:
                        _learn(learning, way, shares, reach, above, hands)
            way[TAKEN] += 1
        actor, after = way[ACTOR], at[depth + 1]
        after[FREE], after[LED], after[LED + 1] = way[FREE], way[LED], way[LED + 1]
        if actor >= 0:
            after[FREE], after[LED + actor] = way[FREE] + way[MANY], depth + 1
            led, row, out = reach[actor, way[LED + actor]], way[ROW] + way[TAKEN], reach[actor, depth + 1]
            for h in range(len(hands)):
                out[h] = led[h] * shares[actor][row, h]
        depth += 1
