"""Payoffs at terminal nodes of `relance.model.playing_cards.hole_deal`, compiled by numba (the extra `fast`)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from relance.model.arrays import Floats, Ints
from relance.model.numba_start import PART, compiled

LANES = 16
"""The number of terminal nodes that are summed side by side, since each sum waits for the one before it."""


class Places(NamedTuple):
    """Index arrays of `hole_deal.Sums` for E deals, such as one per next card; the arrays from `listed` on have a first axis of deals."""

    starts: Ints
    ends: Ints
    card: Ints
    same: Ints
    listed: Ints
    below: Ints
    not_above: Ints
    below_in: Ints
    not_above_in: Ints


class Ends(NamedTuple):
    """k terminal nodes in each of E deals, deal by deal, for one player; each array is (E * k,).

    `own` and `theirs` are the sequences of this player and of the opponent that lead to a node; `chips` is what it pays, or the stake.
    """

    own: Ints
    theirs: Ints
    chips: Floats


class Work(NamedTuple):
    """Buffers for `LANES` terminal nodes at a time, one per column.

    Attributes:
        weights: (opponent's hands, LANES) the weight of each of the opponent's hands: chips * reach probability * weight in the deal.
        running: (1 + n, LANES) running sums of `weights`, from 0, over the n entries for a deal in `Places.listed`: all of the
            opponent's hands and then, for each card in turn, the hands with this card.
        of_card: (52, LANES) for each card, b - a (for showdowns, b + a): a and b are the running sums before and after the card's hands.
        sums: (LANES,) the results for one of the player's hands.
    """

    weights: Floats
    running: Floats
    of_card: Floats
    sums: Floats


def buffers(at: Places, hands: int) -> Work:
    """Allocate the buffers for this many hands of the opponent."""
    shapes = (hands, LANES), (1 + at.listed.shape[-1], LANES), (len(at.starts), LANES), (LANES,)
    return Work(*map(np.zeros, shapes))


@compiled(**PART)
def _add_up(listed: Ints, ends: Ends, first: int, width: int, reach: Floats, distribution: Floats, work: Work) -> None:
    """Write `work.weights` and `work.running` for the `width` terminal nodes from number `first` on.

    `listed` has the opponent's hands in the order of the running sums; `distribution` has a weight for each of the opponent's hands.
    """
    weights, running = work.weights, work.running
    for lane in range(width):
        row, chips = reach[ends.theirs[first + lane]], ends.chips[first + lane]
        for j in range(len(distribution)):
            weights[j, lane] = chips * row[j] * distribution[j]
    for j in range(len(listed)):
        weight, before, to = weights[listed[j]], running[j], running[j + 1]
        for lane in range(width):
            to[lane] = before[lane] + weight[lane]


@compiled(**PART)
def _add_mass(
    first: int, width: int, at: Places, ends: Ends, own_distribution: Floats, values: Floats, work: Work
) -> None:
    """Add to `values` the counterfactual values of `width` terminal nodes, from number `first` on, whose chips all hands get alike."""
    weights, running, of_card, sums = work
    total, every = running[at.starts[0]], len(weights)
    for i in range(len(own_distribution)):
        one, two = of_card[at.card[0, i]], of_card[at.card[1, i]]
        for lane in range(width):
            sums[lane] = total[lane] - (one[lane] + two[lane])
        same, factor = at.same[i], own_distribution[i]
        if same < every:
            weight = weights[same]
            for lane in range(width):
                sums[lane] += weight[lane]
        for lane in range(width):
            values[ends.own[first + lane], i] += factor * sums[lane]


@compiled(**PART)
def _add_edge(
    e: int, first: int, width: int, at: Places, ends: Ends, own_distribution: Floats, values: Floats, work: Work
) -> None:
    """Add to `values` what showdowns pay at the `width` terminal nodes from number `first` on, all in deal e, as counterfactual values."""
    below, not_above, below_in, not_above_in = at.below[e], at.not_above[e], at.below_in[e], at.not_above_in[e]
    running, of_card, sums, total = work.running, work.of_card, work.sums, work.running[at.starts[0]]
    for i in range(len(own_distribution)):
        a, b = running[below[i]], running[not_above[i]]
        c, d, one = running[below_in[0, i]], running[not_above_in[0, i]], of_card[at.card[0, i]]
        g, h, two = running[below_in[1, i]], running[not_above_in[1, i]], of_card[at.card[1, i]]
        for lane in range(width):
            net = a[lane] + b[lane] - total[lane]
            net = net - c[lane] - d[lane] + one[lane]
            sums[lane] = net - g[lane] - h[lane] + two[lane]
        factor = own_distribution[i]
        for lane in range(width):
            values[ends.own[first + lane], i] += factor * sums[lane]


@compiled(cache=True)
def add_terminals(
    low: int,
    high: int,
    each: int,
    fought: bool,
    at: Places,
    ends: Ends,
    reach: Floats,
    own_distributions: Floats,
    distributions: Floats,
    values: Floats,
    work: Work,
) -> None:
    """Add counterfactual values at terminal nodes `low` to `high` - 1 to `values`, (player's sequences, hands).

    `ends` lists the terminal nodes of E deals, deal by deal, with `each` nodes per deal. If `fought`, all nodes are showdowns for a stake;
    else the chips do not depend on the hands, as after a fold. `at` has the indices that sums over the opponent's hands need. `reach` has
    the opponent's reach probabilities, (opponent's sequences, hands). `own_distributions` and `distributions` have the weights of the
    player's and of the opponent's hands, (E, hands). `work` has buffers.
    """
    running, of_card, sign, first = work.running, work.of_card, 1.0 if fought else -1.0, low
    while first < high:
        e = first // each
        width = min(LANES, high - first, (e + 1) * each - first)
        _add_up(at.listed[e], ends, first, width, reach, distributions[e], work)
        for c in range(len(of_card)):
            to, start, end = of_card[c], running[at.starts[c]], running[at.ends[c]]
            for lane in range(width):
                to[lane] = end[lane] + sign * start[lane]
        if fought:
            _add_edge(e, first, width, at, ends, own_distributions[e], values, work)
        else:
            _add_mass(first, width, at, ends, own_distributions[e], values, work)
        first += width
