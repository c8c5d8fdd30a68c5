"""The loops of CFR over hands, compiled by numba: a block of hands at a time.

For each hand the opponent's reach is computed anew from his regrets, so that nothing but regrets, averages and the law is
read or written: that is what bounds the speed of large games. A player's sequence is his last choice on the way somewhere:
0 at the start, 1 + slot after the action of that slot. `nodes` is, for each node of a player, the sequence before it, its
first slot and its number of actions. `paid` and `fought` say of the other's sequences at endings whether chips change hands
there without a showdown, and in one.
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


@njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract", "nsz", "nnan"})
def _lead(k: int, size: int, nodes: Any, matched: Any, share: Any, reach: Any, total: Any) -> None:
    """For `size` hands from k: the shares of a player's actions, and how far his choices lead to each of his sequences."""
    before, slot, actions = nodes
    reach[0, :size] = 1.0
    for j in range(len(before)):
        begin, end, led, even = slot[j], slot[j] + actions[j], reach[before[j]], 1.0 / actions[j]
        for s in range(begin, end):
            row, part = matched[s, k : k + size], share[s]
            if s == begin:
                for i in range(size):
                    part[i] = total[i] = max(row[i], 0.0)
            else:
                for i in range(size):
                    x = max(row[i], 0.0)
                    part[i] = x
                    total[i] += x
        for i in range(size):
            total[i] = 1.0 / total[i] if total[i] > 0.0 else 0.0
        for s in range(begin, end):
            part, out = share[s], reach[s + 1]
            for i in range(size):
                x = part[i] * total[i] if total[i] > 0.0 else even
                part[i] = x
                out[i] = led[i] * x


@njit(cache=True, nogil=True, error_model="numpy", fastmath={"reassoc", "contract", "nsz"})
def _product(law: Any, weight: Any, size: int) -> float:
    out = 0.0
    for i in range(size):
        out += law[i] * weight[i]
    return out


@njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract", "nsz", "nnan"})
def sums(low: int, high: int, nodes: Any, ends: Any, law: Any, matched: Any, work: Any, out: Any) -> None:
    """Add up over hands low to high of a player how far he leads to each sequence of `ends`; out has shape (terms, ends)."""
    _, _, _, share, reach, _, _, total = work
    out[:] = 0.0
    for k in range(low, high, BLOCK):
        size = min(BLOCK, high - k)
        _lead(k, size, nodes, matched, share, reach, total)
        for t in range(len(law)):
            for g in range(len(ends)):
                out[t, g] += _product(law[t, k : k + size], reach[ends[g]], size)


@njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract", "nsz", "nnan"})
def _operators(
    k: int,
    size: int,
    ends: Any,
    paid: Any,
    fought: Any,
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
        w, met, won = reach[ends[g]], mass[g], edge[g]
        met[:size] = 0.0
        won[:size] = 0.0
        for t in range(len(law)):
            mine, theirs, all_of_it = law[t, k : k + size], their_law[t, k : k + size], total[t, g]
            if fought[g]:
                run = running[t, g]
                for i in range(size):
                    step = theirs[i] * w[i]
                    won[i] += mine[i] * (2.0 * run + step - all_of_it)
                    run += step
                running[t, g] = run
            if paid[g]:
                for i in range(size):
                    met[i] += mine[i] * all_of_it
        if len(blocked) and paid[g]:
            part = blocked[k : k + size]
            for i in range(size):
                met[i] -= part[i] * w[i]
        if len(ties) and fought[g]:
            part = ties[k : k + size]
            for i in range(size):
                won[i] += part[i] * w[i]


@njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract", "nsz", "nnan"})
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
        begin, end, led = slot[j], slot[j] + actions[j], value[before[j]]
        expected[:size] = 0.0
        for s in range(begin, end):
            part, worth = share[s], value[s + 1]
            for i in range(size):
                expected[i] += part[i] * worth[i]
        for i in range(size):
            led[i] += expected[i]
        for s in range(begin, end):
            worth, regret, match = value[s + 1], regrets[s, k : k + size], matched[s, k : k + size]
            average, lead = averages[s, k : k + size], own[s + 1]
            for i in range(size):
                gain = worth[i] - expected[i]
                r = regret[i] + gain
                r *= positive if r > 0.0 else negative
                regret[i] = r
                worth[i] = r + gain
            if predictive:
                for i in range(size):
                    match[i] = worth[i]
            for i in range(size):
                average[i] = keep * average[i] + add * lead[i]


@njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract", "nsz", "nnan"})
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
    leads, group, constant, stake, paid, fought = pay
    share, own, value, their_share, reach, mass, edge, spare = work
    for k in range(low, high, BLOCK):
        size = min(BLOCK, high - k)
        _lead(k, size, theirs, against, their_share, reach, spare)
        _lead(k, size, mine, matched, share, own, spare)
        _operators(k, size, ends, paid, fought, laws, blocked, ties, running, total, reach, mass, edge)
        value[:, :size] = 0.0
        for z in range(len(leads)):
            c, s, met, won, worth = constant[z], stake[z], mass[group[z]], edge[group[z]], value[leads[z]]
            if c != 0.0:
                for i in range(size):
                    worth[i] += c * met[i]
            if s != 0.0:
                for i in range(size):
                    worth[i] += s * won[i]
        _learn(k, size, mine, share, own, value, spare, regrets, matched, averages, weights, predictive)


@njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract", "nsz", "nnan"})
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
