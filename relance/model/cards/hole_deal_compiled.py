"""The endings of `relance.model.cards.hole_deal`, compiled by numba (the extra `fast`): the same bits, since added in the same order.

Each sum waits for the one before it, so `LANES` endings are summed side by side.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from relance.model.arrays import Floats, Ints
from relance.model.numba_start import PART, compiled

LANES = 16
"""The number of endings that are summed side by side."""


class Places(NamedTuple):
    """The arrays of `relance.model.cards.hole_deal.Sums`."""

    listed: Ints
    starts: Ints
    ends: Ints
    card: Ints
    same: Ints
    below: Ints
    not_above: Ints
    below_in: Ints
    not_above_in: Ints


class Ends(NamedTuple):
    """Endings, each after another sequence of the player: both players' sequences, and the player's chips; each (endings,)."""

    own: Ints
    theirs: Ints
    chips: Floats


class Work(NamedTuple):
    """Buffers: the opponent's weights, (hands, LANES); running sums, (1 + listed, LANES); by card, (52, LANES); of a hand, (LANES,)."""

    weights: Floats
    running: Floats
    of_card: Floats
    sums: Floats


def buffers(at: Places, hands: int) -> Work:
    """Allocate the buffers for this many hands of the opponent."""
    shapes = (hands, LANES), (1 + at.listed.shape[-1], LANES), (len(at.starts), LANES), (LANES,)
    return Work(*map(np.zeros, shapes))


@compiled(**PART)
def _add_up(listed: Ints, ends: Ends, first: int, width: int, reach: Floats, law: Floats, work: Work) -> None:
    """Write the running sums, from 0, over the opponent's hands as listed, for `width` endings."""
    weights, running = work.weights, work.running
    for lane in range(width):
        row, chips = reach[ends.theirs[first + lane]], ends.chips[first + lane]
        for j in range(len(law)):
            weights[j, lane] = chips * row[j] * law[j]
    for j in range(len(listed)):
        weight, before, to = weights[listed[j]], running[j], running[j + 1]
        for lane in range(width):
            to[lane] = before[lane] + weight[lane]


@compiled(cache=True)
def add_mass(
    low: int, high: int, at: Places, ends: Ends, reach: Floats, own_law: Floats, law: Floats, values: Floats, work: Work
) -> None:
    """Add the chips of endings low to high, which every hand gets alike, to `values`, (the player's sequences, hands).

    `reach`, (the opponent's sequences, hands), is the opponent's; `own_law` and `law` are the deal's factors, (hands,).
    """
    weights, running, of_card, sums = work
    size, every = at.starts[0], len(law)
    for first in range(low, high, LANES):
        width = min(LANES, high - first)
        _add_up(at.listed, ends, first, width, reach, law, work)
        for c in range(len(of_card)):
            to, start, end = of_card[c], running[at.starts[c]], running[at.ends[c]]
            for lane in range(width):
                to[lane] = end[lane] - start[lane]
        total = running[size]
        for i in range(len(own_law)):
            one, two = of_card[at.card[0, i]], of_card[at.card[1, i]]
            for lane in range(width):
                sums[lane] = total[lane] - (one[lane] + two[lane])
            same, factor = at.same[i], own_law[i]
            if same < every:
                weight = weights[same]
                for lane in range(width):
                    sums[lane] += weight[lane]
            for lane in range(width):
                values[ends.own[first + lane], i] += factor * sums[lane]


@compiled(cache=True)
def add_edge(
    low: int, high: int, at: Places, ends: Ends, reach: Floats, own_law: Floats, law: Floats, values: Floats, work: Work
) -> None:
    """Add the chips that are won or lost in showdowns; see `add_mass`."""
    size, running, of_card, sums = at.starts[0], work.running, work.of_card, work.sums
    for first in range(low, high, LANES):
        width = min(LANES, high - first)
        _add_up(at.listed, ends, first, width, reach, law, work)
        for c in range(len(of_card)):
            to, start, end = of_card[c], running[at.starts[c]], running[at.ends[c]]
            for lane in range(width):
                to[lane] = end[lane] + start[lane]
        total = running[size]
        for i in range(len(own_law)):
            a, b = running[at.below[i]], running[at.not_above[i]]
            c, d, one = running[at.below_in[0, i]], running[at.not_above_in[0, i]], of_card[at.card[0, i]]
            e, f, two = running[at.below_in[1, i]], running[at.not_above_in[1, i]], of_card[at.card[1, i]]
            for lane in range(width):
                net = a[lane] + b[lane] - total[lane]
                net = net - c[lane] - d[lane] + one[lane]
                sums[lane] = net - e[lane] - f[lane] + two[lane]
            factor = own_law[i]
            for lane in range(width):
                values[ends.own[first + lane], i] += factor * sums[lane]


@compiled(**PART)
def _of_card(at: Places, e: int) -> Places:
    listed, below, not_above = at.listed[e], at.below[e], at.not_above[e]
    return Places(listed, at.starts, at.ends, at.card, at.same, below, not_above, at.below_in[e], at.not_above_in[e])


@compiled(cache=True)
def add_by_card(
    low: int,
    high: int,
    fought: bool,
    width: int,
    at: Places,
    ends: Ends,
    reach: Floats,
    own_laws: Floats,
    laws: Floats,
    values: Floats,
    work: Work,
) -> None:
    """Like `add_edge` if they are fought, else `add_mass`, for the cards low to high that may turn up.

    Each card has `width` endings, a row in the laws and of its own places.
    """
    for e in range(low, high):
        places, first, last = _of_card(at, e), e * width, (e + 1) * width
        if fought:
            add_edge(first, last, places, ends, reach, own_laws[e], laws[e], values, work)
        else:
            add_mass(first, last, places, ends, reach, own_laws[e], laws[e], values, work)
