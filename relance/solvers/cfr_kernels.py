"""The loops of CFR over hands, compiled by numba, for one block of hands at a time.

For each hand the opponent's reach probabilities are computed afresh from the opponent's regrets. So only regrets, averages and the
distribution are read from or written to memory, whose speed is the limit in large games. A slot is an action at a node, and a row of
the arrays of regrets. A sequence has the number 1 + the slot of its last action; the empty sequence has the number 0.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from relance.model.arrays import Floats, Ints
from relance.model.numba_start import PART, compiled
from relance.solvers.cfr import Learned
from relance.solvers.cfr_variants import Weights

Records: TypeAlias = npt.NDArray[np.void]

# Without another order of sums, so that one thread and several, for which a loop is compiled twice, round alike.
_compiled = partial(compiled, fastmath={"nsz", "nnan"})

BLOCK = 128
"""How many hands are processed together: their intermediate values fit in the fastest cache, and loops over them are vectorised."""

NODE = np.dtype([("before", np.int64), ("slot", np.int64), ("actions", np.int64)])
"""A decision node: the number of its player's sequence that leads there, the slot of its first action, and how many actions it has."""

ENDING = np.dtype([("own", np.int64), ("theirs", np.int64), ("chips", np.float64)])
"""A terminal node: the number of the player's sequence that leads there, that of the opponent's, and the player's chips."""


class JointDistribution(NamedTuple):
    """The probability of a player's hand i and the opponent's j: a sum of terms `own[t, i] * theirs[t, j]`, less `blocked[i]` if i = j."""

    own: Floats  # (terms, hands)
    theirs: Floats  # (terms, hands)
    blocked: Floats  # (hands,) the probability subtracted from each pair of equal index; (0,) if none
    ties: Floats  # (hands,) the player's edge on each such pair, times its probability; (0,) if none


class CompiledSide(NamedTuple):
    """A game as one player sees it: decision nodes, terminal nodes and the distribution of hands, as arrays for compiled loops."""

    nodes: Records  # (nodes,) NODE, the player's decision nodes, parents first
    opponent: Records  # (nodes of the opponent,) NODE
    paid: Records  # (terminal nodes,) ENDING, the chips that do not depend on the showdown
    fought: Records  # (terminal nodes,) ENDING, the chips at stake in a showdown
    distribution: JointDistribution


class WrittenSide(NamedTuple):
    """A game as one player sees it, with a sparse matrix (CSR) from the opponent's reach to the player's counterfactual values."""

    nodes: Records  # (nodes,) NODE
    starts: Ints  # (sequences * hands + 1,) where each row of the sparse matrix starts
    columns: Ints  # (entries,)
    chips: Floats  # (entries,)


class HandSums(NamedTuple):
    """Sums over the opponent's hands j of `theirs[t, j]` * P(sequence s | j), for each opponent's sequence s and each term t.

    A term t and the factor `theirs[t, j]` are those of `JointDistribution`. A part is a block of neighbouring hands; weak hands come first.
    """

    parts: Floats  # (parts, terms, sequences) over each part
    behind: Floats  # (parts, terms, sequences) over a part and those above it, less those below it
    run: Floats  # (terms, fought terminal nodes) running sums in a part


class Workspace(NamedTuple):
    """Buffers for the update of a player's regrets and averages on one block of `width` hands."""

    share: Floats  # (slots, width) the player's probability of each action
    reach: Floats  # (sequences, width) the probability that the player plays each of their sequences
    value: Floats  # (sequences, width) the player's chips after each of their sequences
    their_share: Floats  # (slots of the opponent, width)
    their_reach: Floats  # (sequences of the opponent, width)
    term: Floats  # (sequences, width) the chips by one term of the distribution
    lanes: Floats  # (terms, sequences of the opponent, width) sums over hands, side by side
    spare: Floats  # (width,)


def workspace(slots: int, their_slots: int, terms: int, width: int) -> Workspace:
    """Return buffers for `width` hands, `terms` terms of a distribution, and `slots` and `their_slots` actions at both players' nodes."""
    heights = slots, slots + 1, slots + 1, their_slots, their_slots + 1, slots + 1
    share, reach, value, their_share, their_reach, term = (np.empty((height, width)) for height in heights)
    lanes = np.empty((terms, their_slots + 1, width))
    return Workspace(share, reach, value, their_share, their_reach, term, lanes, np.empty(width))


@_compiled(**PART)
def _lead(k: int, size: int, nodes: Records, matched: Floats, share: Floats, reach: Floats, total: Floats) -> None:
    """For `size` hands from k, by regret matching, write a player's probabilities of actions to `share` and of sequences to `reach`."""
    reach[0, :size] = 1.0
    for node in nodes:
        begin, end = node["slot"], node["slot"] + node["actions"]
        led, even = reach[node["before"]], 1.0 / node["actions"]
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
        for s in range(begin, end):
            part, out = share[s], reach[s + 1]
            for i in range(size):
                x = part[i] / total[i] if total[i] > 0.0 else even
                part[i] = x
                out[i] = led[i] * x


@_compiled(inline="always", cache=True)
def sums(low: int, high: int, side: CompiledSide, against: Floats, work: Workspace, out: Floats) -> None:
    """Write to `out[t, s]` the sum over the opponent's hands j from low to high - 1 of P(sequence s | j) times j's factor in term t.

    The probability of two hands is a sum of terms, each a product of one factor per hand. The opponent plays regret matching on `against`.
    """
    reach, distribution, lanes = work.their_reach, side.distribution.theirs, work.lanes
    lanes[:] = 0.0
    for k in range(low, high, BLOCK):
        size = min(BLOCK, high - k)
        _lead(k, size, side.opponent, against, work.their_share, reach, work.spare)
        for t in range(len(distribution)):
            part = distribution[t, k : k + size]
            for s in range(len(reach)):
                lane, row = lanes[t, s], reach[s]
                for i in range(size):
                    lane[i] += row[i] * part[i]
    for t in range(len(distribution)):
        for s in range(len(reach)):
            lane, run = lanes[t, s], 0.0
            for i in range(min(BLOCK, high - low)):
                run += lane[i]
            out[t, s] = run


@_compiled(**PART)
def _pay(k: int, size: int, side: CompiledSide, total: Floats, less: Floats, run: Floats, work: Workspace) -> None:
    """For `size` hands from k, write the chips of the terminal nodes right after each of the player's sequences to `work.value`."""
    reach, values, term, (own_distribution, their_distribution, blocked, ties) = (
        work.their_reach,
        work.value,
        work.term,
        side.distribution,
    )
    for t in range(len(own_distribution)):
        own, theirs, out = (
            own_distribution[t, k : k + size],
            their_distribution[t, k : k + size],
            values if t == 0 else term,
        )
        out[:, :size] = 0.0
        for e in range(len(side.fought)):
            terminal = side.fought[e]
            chips, weight, value, net = terminal["chips"], reach[terminal["theirs"]], out[terminal["own"]], run[t, e]
            rest = chips * less[t, terminal["theirs"]]
            for i in range(size):
                met = chips * (weight[i] * theirs[i])
                net += met
                value[i] += net + net - met - rest
            run[t, e] = net
        for terminal in side.paid:
            value, chips = out[terminal["own"]], terminal["chips"] * total[t, terminal["theirs"]]
            for i in range(size):
                value[i] += chips
        for s in range(len(out)):
            value, row = values[s], out[s]
            if t == 0:
                for i in range(size):
                    value[i] *= own[i]
            else:
                for i in range(size):
                    value[i] += row[i] * own[i]
    if len(ties):
        part = ties[k : k + size]
        for terminal in side.fought:
            chips, weight, value = terminal["chips"], reach[terminal["theirs"]], values[terminal["own"]]
            for i in range(size):
                value[i] += chips * weight[i] * part[i]
    if len(blocked):
        part = blocked[k : k + size]
        for terminal in side.paid:
            chips, weight, value = terminal["chips"], reach[terminal["theirs"]], values[terminal["own"]]
            for i in range(size):
                value[i] -= chips * weight[i] * part[i]


@_compiled(**PART)
def _learn(
    k: int, size: int, nodes: Records, learned: Learned, weights: Weights, predictive: bool, work: Workspace
) -> None:
    """Update a player's regrets and averages from the values of their sequences, deepest node first."""
    regrets, matched, averages = learned
    positive, negative, keep, add = weights
    shares, reach, values, expected = work.share, work.reach, work.value, work.spare
    for node in nodes[::-1]:
        begin, end, above = node["slot"], node["slot"] + node["actions"], values[node["before"]]
        expected[:size] = 0.0
        for s in range(begin, end):
            share, value = shares[s], values[s + 1]
            for i in range(size):
                expected[i] += share[i] * value[i]
        for i in range(size):
            above[i] += expected[i]
        for s in range(begin, end):
            value, regret, guess = values[s + 1], regrets[s, k : k + size], matched[s, k : k + size]
            average, led = averages[s, k : k + size], reach[s + 1]
            for i in range(size):
                gain = value[i] - expected[i]
                r = regret[i] + gain
                r *= positive if r > 0.0 else negative
                regret[i] = r
                value[i] = r + gain
            if predictive:
                for i in range(size):
                    guess[i] = value[i]
            for i in range(size):
                average[i] = keep * average[i] + add * led[i]


@_compiled(inline="always", cache=True)
def update(
    low: int,
    high: int,
    side: CompiledSide,
    learned: Learned,
    against: Floats,
    total: Floats,
    less: Floats,
    run: Floats,
    weights: Weights,
    predictive: bool,
    work: Workspace,
) -> None:
    """Update `learned`, a player's regrets and averages, at hands low to high - 1; the opponent acts by regret matching on `against`.

    `against` is (slots, hands). `total` and `less`, (terms, sequences), sum the opponent's P(sequence) times a hand's factor in a term:
    `total` over all hands of the opponent, `less` over the hands from `low` on minus the hands below `low`. `run` and `work` are buffers.
    """
    run[:] = 0.0
    for k in range(low, high, BLOCK):
        size = min(BLOCK, high - k)
        _lead(k, size, side.opponent, against, work.their_share, work.their_reach, work.spare)
        _lead(k, size, side.nodes, learned.matched, work.share, work.reach, work.spare)
        _pay(k, size, side, total, less, run, work)
        _learn(k, size, side.nodes, learned, weights, predictive, work)


@_compiled(inline="always", cache=True)
def add_up(parts: Floats, behind: Floats) -> None:
    """Write to `behind[p]` the sum of `parts[q]` over q >= p minus that over q < p; p and q number parts of the hands, as in `HandSums`."""
    for t in range(parts.shape[1]):
        for s in range(parts.shape[2]):
            total = parts[0, t, s]
            for p in range(1, len(parts)):
                total += parts[p, t, s]
            behind[0, t, s] = total
            for p in range(1, len(parts)):
                behind[p, t, s] = behind[p - 1, t, s] - 2.0 * parts[p - 1, t, s]


@_compiled(cache=True)
def run_iterations(
    schedule: Floats,
    ends: Ints,
    sides: tuple[CompiledSide, CompiledSide],
    learned: tuple[Learned, Learned],
    predictive: bool,
    works: tuple[Workspace, Workspace],
    sums_of: tuple[HandSums, HandSums],
) -> None:
    """Run all iterations of `schedule`, (iterations, 4), which update `learned`; each row holds one iteration's `Weights`.

    The hands are cut into parts: part p has the hands `ends[p]` to `ends[p + 1]` - 1. `works` and `sums_of` have each player's buffers.
    """
    for i in range(len(schedule)):
        weights = Weights(schedule[i, 0], schedule[i, 1], schedule[i, 2], schedule[i, 3])
        for who in range(2):
            side, against, work = sides[who], learned[1 - who].matched, works[who]
            parts, behind, run = sums_of[who]
            for p in range(len(parts)):
                sums(ends[p], ends[p + 1], side, against, work, parts[p])
            add_up(parts, behind)
            for p in range(len(parts)):
                update(
                    ends[p],
                    ends[p + 1],
                    side,
                    learned[who],
                    against,
                    behind[0],
                    behind[p],
                    run,
                    weights,
                    predictive,
                    work,
                )


@_compiled(**PART)
def _copy(source: Floats, start: int, to: Floats, at: int, size: int) -> None:
    """Copy columns of `source` from `start` to columns of `to` from `at`; an assignment would allocate."""
    for s in range(len(source)):
        for i in range(size):
            to[s, at + i] = source[s, start + i]


@_compiled(cache=True)
def play(low: int, high: int, nodes: Records, matched: Floats, reach: Floats, work: Workspace) -> None:
    """Write the probability that a player plays each sequence to `reach`, (sequences, hands), for hands low to high - 1.

    The current strategy is in proportion to the positive part of `matched`, which has a row for each action at each node.
    """
    for k in range(low, high, BLOCK):
        size = min(BLOCK, high - k)
        _lead(k, size, nodes, matched, work.share, work.reach, work.spare)
        _copy(work.reach, 0, reach, k, size)


@_compiled(cache=True)
def learn(
    low: int,
    high: int,
    nodes: Records,
    learned: Learned,
    weights: Weights,
    predictive: bool,
    values: Floats,
    reach: Floats,
    work: Workspace,
) -> None:
    """Update `learned` for hands low to high - 1 by `values`, chips of terminal nodes, and write `reach`, each (sequences, hands)."""
    for k in range(low, high, BLOCK):
        size = min(BLOCK, high - k)
        _lead(k, size, nodes, learned.matched, work.share, work.reach, work.spare)
        _copy(values, k, work.value, 0, size)
        _learn(k, size, nodes, learned, weights, predictive, work)
        _lead(k, size, nodes, learned.matched, work.share, work.reach, work.spare)
        _copy(work.reach, 0, reach, k, size)


@_compiled(**PART)
def _pay_each(side: WrittenSide, reach: Floats, values: Floats) -> None:
    """Write the chips of all terminal nodes to `values`, (sequences, hands); see `relance.model.sequences.WrittenTerminals.pay`."""
    values[:] = 0.0
    led, out = reach.reshape(reach.size), values.reshape(values.size)
    for row in range(len(side.starts) - 1):
        total = 0.0
        for i in range(np.uint64(side.starts[row]), np.uint64(side.starts[row + 1])):  # what may be below 0 is slower
            total += side.chips[i] * led[np.uint64(side.columns[i])]
        out[row] = total


@_compiled(cache=True)
def run_written(
    schedule: Floats,
    sides: tuple[WrittenSide, WrittenSide],
    learned: tuple[Learned, Learned],
    predictive: bool,
    works: tuple[Workspace, Workspace],
) -> None:
    """Run the iterations of `schedule` as `run_iterations` does, on all hands at once, for games whose payoffs are a sparse matrix."""
    for who in range(2):
        work = works[who]
        _lead(0, work.share.shape[1], sides[who].nodes, learned[who].matched, work.share, work.reach, work.spare)
    for i in range(len(schedule)):
        weights = Weights(schedule[i, 0], schedule[i, 1], schedule[i, 2], schedule[i, 3])
        for who in range(2):
            side, work = sides[who], works[who]
            hands = work.share.shape[1]
            _pay_each(side, works[1 - who].reach, work.value)
            _learn(0, hands, side.nodes, learned[who], weights, predictive, work)
            _lead(0, hands, side.nodes, learned[who].matched, work.share, work.reach, work.spare)
