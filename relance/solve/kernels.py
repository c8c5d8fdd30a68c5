"""The loops of CFR over hands, compiled by numba: a block of hands at a time.

For each hand the opponent's reach is computed anew from his regrets, so that nothing but regrets, averages and the law is
read or written: that is what bounds the speed of large games. A player's sequence is his last choice on the way somewhere:
0 at the start, 1 + slot after the action of that slot. `nodes` is, for each node of a player, the sequence before it, its
first slot and its number of actions.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

BLOCK = 128
"""Hands that are worked on together: their intermediate values stay in the nearest cache, and loops over them are vectorised."""


@njit(cache=True, nogil=True)
def workspace(slots: int, others: int, ends: int, width: int) -> Any:
    """Room for a block of hands in the update of a player with so many slots, against so many."""
    return (
        np.empty((slots, width)),
        np.empty((slots + 1, width)),
        np.empty((slots + 1, width)),
        np.empty((others, width)),
        np.empty((others + 1, width)),
        np.empty((ends, width)),
        np.empty((ends, width)),
        np.empty(width),
    )


@njit(cache=True, nogil=True, error_model="numpy")
def _lead(k: int, size: int, nodes: Any, matched: Any, share: Any, reach: Any, total: Any) -> None:
    """For `size` hands from k: the shares of a player's actions, and how far his choices lead to each of his sequences."""
    before, slot, actions = nodes
    for i in range(size):
        reach[0, i] = 1.0
    for j in range(len(before)):
        begin, end, led, even = slot[j], slot[j] + actions[j], before[j], 1.0 / actions[j]
        for i in range(size):
            total[i] = 0.0
        for s in range(begin, end):
            for i in range(size):
                x = max(matched[s, k + i], 0.0)
                share[s, i] = x
                total[i] += x
        for s in range(begin, end):
            for i in range(size):
                x = share[s, i] / total[i] if total[i] > 0.0 else even
                share[s, i] = x
                reach[s + 1, i] = reach[led, i] * x


@njit(cache=True, nogil=True, error_model="numpy", fastmath={"reassoc", "contract", "nsz"})
def sums(low: int, high: int, nodes: Any, ends: Any, law: Any, matched: Any, work: Any, out: Any) -> None:
    """Add up over hands low to high of a player how far he leads to each sequence of `ends`; out has shape (terms, ends)."""
    _, _, _, share, reach, _, _, total = work
    out[:] = 0.0
    for k in range(low, high, BLOCK):
        size = min(BLOCK, high - k)
        _lead(k, size, nodes, matched, share, reach, total)
        for t in range(len(law)):
            for g in range(len(ends)):
                part = 0.0
                for i in range(size):
                    part += law[t, k + i] * reach[ends[g], i]
                out[t, g] += part


@njit(cache=True, nogil=True, error_model="numpy")
def _operators(
    k: int,
    size: int,
    ends: Any,
    laws: Any,
    blocked: Any,
    ties: Any,
    running: Any,
    total: Any,
    reach: Any,
    mass: Any,
    edge: Any,
) -> None:
    """The deal's two operators on the other's reach, for `size` hands from k; `running` moves on by these hands."""
    law, their_law = laws
    for g in range(len(ends)):
        w = reach[ends[g]]
        for i in range(size):
            mass[g, i] = edge[g, i] = 0.0
        for t in range(len(law)):
            all_of_it, run = total[t, g], running[t, g]
            for i in range(size):
                step = their_law[t, k + i] * w[i]
                edge[g, i] += law[t, k + i] * (2.0 * run + step - all_of_it)
                run += step
            for i in range(size):
                mass[g, i] += law[t, k + i] * all_of_it
            running[t, g] = run
        if len(blocked):
            for i in range(size):
                mass[g, i] -= blocked[k + i] * w[i]
        if len(ties):
            for i in range(size):
                edge[g, i] += ties[k + i] * w[i]


@njit(cache=True, nogil=True, error_model="numpy")
def _learn(
    k: int,
    size: int,
    mine: Any,
    share: Any,
    own: Any,
    value: Any,
    expected: Any,
    regrets: Any,
    matched: Any,
    averages: Any,
    weights: Any,
    predictive: bool,
) -> None:
    """From the values of a player's sequences, deepest node first, to his regrets and averages."""
    before, slot, actions = mine
    positive, negative, keep, add = weights
    for j in range(len(before) - 1, -1, -1):
        begin, end, led = slot[j], slot[j] + actions[j], before[j]
        for i in range(size):
            expected[i] = 0.0
        for s in range(begin, end):
            for i in range(size):
                expected[i] += share[s, i] * value[s + 1, i]
        for i in range(size):
            value[led, i] += expected[i]
        for s in range(begin, end):
            for i in range(size):
                gain = value[s + 1, i] - expected[i]
                regret = regrets[s, k + i] + gain
                regret *= positive if regret > 0.0 else negative
                regrets[s, k + i] = regret
                if predictive:
                    matched[s, k + i] = regret + gain
            for i in range(size):
                averages[s, k + i] = keep * averages[s, k + i] + add * own[s + 1, i]


@njit(cache=True, nogil=True, error_model="numpy")
def update(
    low: int,
    high: int,
    mine: Any,
    theirs: Any,
    ends: Any,
    pay: Any,
    laws: Any,
    blocked: Any,
    ties: Any,
    running: Any,
    total: Any,
    against: Any,
    regrets: Any,
    matched: Any,
    averages: Any,
    weights: Any,
    predictive: bool,
    work: Any,
) -> None:
    """Update a player at hands low to high; `mine` and `theirs` are the two players' nodes.

    `running` holds the other's sums up to `low` and moves on; `total` holds them over all hands.
    """
    leads, group, constant, stake = pay
    share, own, value, their_share, reach, mass, edge, spare = work
    for k in range(low, high, BLOCK):
        size = min(BLOCK, high - k)
        _lead(k, size, theirs, against, their_share, reach, spare)
        _lead(k, size, mine, matched, share, own, spare)
        _operators(k, size, ends, laws, blocked, ties, running, total, reach, mass, edge)
        value[:, :size] = 0.0
        for z in range(len(leads)):
            c, s, g, led = constant[z], stake[z], group[z], leads[z]
            if s == 0.0:
                for i in range(size):
                    value[led, i] += c * mass[g, i]
            else:
                for i in range(size):
                    value[led, i] += c * mass[g, i] + s * edge[g, i]
        _learn(k, size, mine, share, own, value, spare, regrets, matched, averages, weights, predictive)


@njit(cache=True, nogil=True, error_model="numpy")
def rounds(
    schedule: Any,
    nodes: Any,
    ends: Any,
    pays: Any,
    laws: Any,
    blocked: Any,
    ties: Any,
    regrets: Any,
    matched: Any,
    averages: Any,
    predictive: bool,
) -> None:
    """All iterations of the schedule, shape (iterations, 4), one after the other."""
    hands, terms = regrets[0].shape[1], len(laws[0])
    work = (
        workspace(len(regrets[0]), len(regrets[1]), len(ends[0]), min(BLOCK, hands)),
        workspace(len(regrets[1]), len(regrets[0]), len(ends[1]), min(BLOCK, hands)),
    )
    for i in range(len(schedule)):
        weights = (schedule[i, 0], schedule[i, 1], schedule[i, 2], schedule[i, 3])
        for who in range(2):
            other = 1 - who
            total, running = np.empty((terms, len(ends[who]))), np.zeros((terms, len(ends[who])))
            sums(0, hands, nodes[other], ends[who], laws[other], matched[other], work[who], total)
            update(
                0,
                hands,
                nodes[who],
                nodes[other],
                ends[who],
                pays[who],
                (laws[who], laws[other]),
                blocked,
                ties[who],
                running,
                total,
                matched[other],
                regrets[who],
                matched[who],
                averages[who],
                weights,
                predictive,
                work[who],
            )
