"""Passes over the tree for all sequences of a player together, in floats and on blocks of hands that fit in the cache.

Arrays have shape (slots, hands) or (sequences, hands); see `relance.model.sequences`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from itertools import pairwise
from operator import add
from typing import NamedTuple

import numpy as np

from relance.model.arrays import Floats, Ints, namespace, running_sums, zeros_beside
from relance.model.deal import Array, FiniteDeal
from relance.model.ranked_deal import RankedDeal
from relance.model.sequences import ALL, CaseEndings, Group, Side

CACHED = 2**15
"""About how many numbers an array of a block has; a quarter of a megabyte fits in the second cache."""

MOST_WRITTEN = 2**18
"""Up to this many numbers, the laws of all endings are written out in games with several cases."""


def blocks(deal: FiniteDeal, size: int) -> list[slice]:
    """All hands in blocks, for arrays of `size` rows; one block if the deal or the device needs all hands at once."""
    hands = deal.size(0)
    width = max(256, CACHED // size)
    if hands <= width or not (isinstance(deal, RankedDeal) and deal.in_step) or namespace(deal.terms[0][0]) is not np:
        return [ALL]
    if deal.events or deal.contests:
        return [ALL]
    return [slice(low, min(low + width, hands)) for low in range(0, hands, width)]


def over_actions(values: Array) -> Array:
    """The sum over actions of an array (nodes, actions, hands), (nodes, hands); quicker than `values.sum(1)` on many nodes or hands."""
    total: Array = reduce(add, (values[:, i] for i in range(values.shape[1])))
    return total


def normalised(side: Side, weights: Array) -> Array:
    """The probabilities of actions in proportion to `weights`, (slots, hands), at least 0; equal where all are 0."""
    out: Array = zeros_beside(weights, tuple(weights.shape))
    if weights.dtype.itemsize < 8:
        weights = out + weights  # in float64
    for group in side.widths:
        part, share = group.of(weights), group.of(out)
        total = over_actions(part)
        none = 1.0 * (total == 0)
        namespace(weights).add(part, none[:, None], out=share)
        share /= (total + group.shape[1] * none)[:, None]
    return out


def reach_probabilities(side: Side, strategy: Array) -> Array:
    """The probability that a player with this strategy, (slots, hands), plays each of their sequences: (sequences, hands)."""
    out: Array = zeros_beside(strategy, (side.size + 1, strategy.shape[1]))
    out[0], out[1:] = 1, strategy
    for group in side.groups:
        if not (isinstance(group.before, slice) and group.before == slice(0, 1, 1)):
            below = group.of(out[1:])
            below *= out[group.before][:, None]
    return out


def terminal_values(
    side: Side, deal: FiniteDeal, player: int, parts: Sequence[slice], reach_at: Callable[[slice], Array]
) -> Iterator[tuple[slice, Array]]:
    """For each block of hands, the chips of the endings that directly follow each sequence of the player.

    Args:
        side, deal: how the player sees the tree, and the deal in floats.
        player: 0 or 1.
        parts: the blocks of hands; see `blocks`.
        reach_at: returns the opponent's `reach_probabilities` on a block.

    Yields:
        A block, and an array (sequences, hands of the block). Chips are weighted by the probability of the hand and of
        the opponent's choices, as in `relance.solvers.best_response`.
    """
    first, *others = side.endings
    if not others and isinstance(law := deal.in_case(first.case), RankedDeal) and law.in_step:
        yield from _by_rank(side, first, law, player, parts, reach_at)
        return
    reach = reach_at(ALL)
    values = zeros_beside(reach, (side.size + 1, deal.size(player)))
    listed = written_endings(side, deal, player) if isinstance(reach, np.ndarray) else None
    if listed is not None:
        listed.pay(reach, values)
        yield ALL, values
        return
    rest = []
    for of in side.endings:
        law = deal.in_case(of.case)
        if isinstance(law, RankedDeal) and law.in_step:
            ((_, chips),) = _by_rank(side, of, law, player, [ALL], lambda part: reach)
            values += chips
        else:
            rest.append(of)
    deal.pay_cases(player, rest, reach, values)
    yield ALL, values


class WrittenEndings(NamedTuple):
    """The endings of a game with several cases and few hands, each with its law written out.

    There are E endings, H hands of the player, and K of the opponent.

    Attributes:
        own, theirs: (E,) the sequences of the player and of the opponent that lead there.
        chips: (E, H, K) the player's chips with each hand of both, times the probability of the hands and events.
        parts: runs of endings whose sequences of the player differ.
    """

    own: Ints
    theirs: Ints
    chips: Floats
    parts: list[slice]

    def pay(self, reach: Floats, values: Floats) -> None:
        """Add the chips of all endings to `values`, as `FiniteDeal.pay` does."""
        total = np.einsum("ek,ehk->eh", reach[self.theirs], self.chips)
        for part in self.parts:
            values[self.own[part]] += total[part]


def written_endings(side: Side, deal: FiniteDeal, player: int) -> WrittenEndings | None:
    """The endings written out, kept with the deal; None if there is one case, hands are many, or a law has operators of its own."""
    kept = vars(deal).setdefault("_written", {})
    if player not in kept or kept[player][0] is not side:
        kept[player] = side, _written(side, deal, player)
    found: WrittenEndings | None = kept[player][1]
    return found


def _written(side: Side, deal: FiniteDeal, player: int) -> WrittenEndings | None:
    laws = [deal.in_case(of.case) for of in side.endings]
    numbers = (
        deal.size(0) * deal.size(1) * sum(len(rows[0]) for of in side.endings for part in of.listed for rows in part)
    )
    if len(laws) == 1 or not all(law.in_pairs for law in laws) or numbers > MOST_WRITTEN:
        return None
    rows: list[tuple[int, int, int, Array]] = []  # how often the sequence was there before, both sequences, the chips
    before: Counter[int] = Counter()
    for of, law in zip(side.endings, laws, strict=True):
        for ways, table in zip(of.listed, (law.joint(), (1 - 2 * player) * law.joint_edge()), strict=True):
            by_hand = table.T if player else table
            for own, theirs, chips in (row for way in ways for row in zip(*way, strict=True)):
                rows.append((before[own], own, theirs, chips * by_hand))
                before[own] += 1
    rows.sort(key=lambda row: row[0])
    starts = np.searchsorted([row[0] for row in rows], range(max(before.values()) + 1)).tolist()
    parts = [slice(low, high) for low, high in pairwise([*starts, len(rows)])]
    numbered = [np.array([row[i] for row in rows], np.int64) for i in (1, 2)]
    return WrittenEndings(numbered[0], numbered[1], np.stack([row[3] for row in rows]), parts)


def _by_rank(
    side: Side,
    of: CaseEndings,
    deal: RankedDeal,
    player: int,
    parts: Sequence[slice],
    reach_at: Callable[[slice], Array],
) -> Iterator[tuple[slice, Array]]:
    """Where both players rank hands in the same order: first sums over all hands of the opponent, then running sums."""
    terms = [(pair[player], pair[1 - player]) for pair in deal.terms]
    sums = []  # of each block and term
    for part in parts:
        reach = reach_at(part)
        weighted = [reach * theirs[part] for _, theirs in terms]
        sums.append([rows.sum(1)[:, None] for rows in weighted])
    totals = [sum(of_term[1:], of_term[0]) for of_term in zip(*sums, strict=True)]
    behind = totals  # the opponent's hands above a block, less those below it
    for part, below in zip(parts, sums, strict=True):
        if len(parts) > 1:
            reach = reach_at(part)
            weighted = [reach * theirs[part] for _, theirs in terms]
        values = None
        for (own, _), rows, total, less in zip(terms, weighted, totals, behind, strict=True):
            term = zeros_beside(reach, (side.size + 1, reach.shape[1]))
            for ending in of.fought:
                met = ending.chips * rows[ending.theirs]
                net = running_sums(met)  # a hand beats those below it and ties with itself
                net += net
                net -= met
                net -= ending.chips * less[ending.theirs]
                term[ending.own] += net
            for ending in of.paid:
                term[ending.own] += ending.chips * total[ending.theirs]
            term *= own[part]
            values = term if values is None else values + term
        assert values is not None  # there is at least one term
        if deal.diagonal is not None:
            ties = (1 - 2 * player) * deal.diagonal[part]
            for ending in of.fought:
                values[ending.own] += ending.chips * reach[ending.theirs] * ties
        if deal.blocked is not None:
            for ending in of.paid:
                values[ending.own] -= ending.chips * reach[ending.theirs] * deal.blocked[part]
        behind = [less - 2.0 * total for less, total in zip(behind, below, strict=True)]
        yield part, values


def back_up(side: Side, values: Array, choose: Callable[[Group, Array], Array]) -> Array:
    """Add the chips of later endings, deepest nodes first, and return the player's chips at the root, (hands,).

    `choose` returns the chips at the nodes of a group, (nodes, hands), from those of their actions, (nodes, actions, hands).
    """
    for i, group in reversed([*enumerate(side.groups)]):
        if i == side.early - 1:
            side.average_alike(values)
        group.pass_on(values, choose(group, group.of(values[1:])))
    root: Array = values[0]
    return root


def best(group: Group, values: Array) -> Array:
    """The chips of the best action at each node."""
    most: Array = reduce(namespace(values).maximum, (values[:, i] for i in range(group.shape[1])))
    return most


def mixed_chips(share: Array, group: Group, values: Array) -> Array:
    """The chips at each node of a player whose probabilities of actions are `share`, (slots, hands)."""
    return over_actions(group.of(share) * values)
