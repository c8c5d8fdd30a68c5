"""Passes over the tree for all sequences of a player together, in floats and on blocks of hands that fit in the cache.

Arrays have shape (slots, hands) or (sequences, hands); see `relance.model.sequences`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from operator import add
from typing import Any

import numpy as np

from relance.model.arguments import checked
from relance.model.arrays import namespace, running_sums, zeros_beside
from relance.model.deal import Array
from relance.model.ranked_deal import RankedDeal
from relance.model.sequences import ALL, CaseTerminals, Group, PayoffOperator, SequenceForm

CACHED = 2**15
"""About how many numbers an array over one block of hands has: a quarter of a megabyte, which fits in the second cache."""


def blocks(deal: PayoffOperator, size: int) -> list[slice]:
    """Return slices of the hands in which `size` rows fit into the cache; one slice of all if the deal or the device needs them at once."""
    hands = deal.size(0)
    width = max(256, CACHED // max(size, 1))
    if hands <= width or not (isinstance(deal, RankedDeal) and deal.in_step) or namespace(deal.terms[0][0]) is not np:
        return [ALL]
    if deal.events or deal.contests:
        return [ALL]
    return [slice(low, min(low + width, hands)) for low in range(0, hands, width)]


def over_actions(values: Array) -> Array:
    """Return `values`, (nodes, actions, hands), summed over actions: (nodes, hands). It is quicker than `values.sum(1)` for many hands."""
    total: Array = reduce(add, (values[:, i] for i in range(values.shape[1])))
    return total


def normalised(side: SequenceForm, weights: Array) -> Array:
    """Return probabilities in proportion to `weights`, (all actions, hands), at least 0; equal at a node where all weights are 0."""
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


def behaviour(side: SequenceForm, weights: Array) -> Array:
    """Return probabilities from realization weights, both (all actions, hands); the first action at a node where all weights are 0."""
    out = np.zeros_like(weights)
    for group in side.widths:
        part, share = group.of(weights), group.of(out)
        total = over_actions(part)[:, None]
        first = np.arange(group.shape[1])[:, None] == 0
        share[:] = np.where(total > 0, part / np.where(total > 0, total, 1), first * (0 * part + 1))
    return out


@checked
def sequence_probs(side: SequenceForm, strategy: Array, root: Any = None) -> Array:
    """Return the probability that a player with this strategy plays each of the player's sequences, as an array (sequences, hands).

    `strategy` has a row for each action at each node, and a column per hand. A sequence is the actions that a player takes one by one.

    `root` is the probability of the empty sequence, for each hand; 1 by default.
    """
    out: Array = zeros_beside(strategy, (side.size + 1, strategy.shape[1]))
    out[0], out[1:] = 1 if root is None else root, strategy
    for group in side.groups:
        if root is not None or not (isinstance(group.before, slice) and group.before == slice(0, 1, 1)):
            below = group.of(out[1:])
            below *= out[group.before][:, None]
    return out


def terminal_values(
    side: SequenceForm,
    operator: PayoffOperator,
    player: int,
    parts: Sequence[slice],
    reach_at: Callable[[slice], Array],
) -> Iterator[tuple[slice, Array]]:
    """For each block of hands, the chips of the terminal nodes that directly follow each sequence of the player.

    Args:
        side: the player's sequence form.
        operator: what terminal nodes pay, in floats.
        player: 0 or 1.
        parts: the blocks of hands; see `blocks`.
        reach_at: returns the opponent's `sequence_probs` on a block.

    Yields:
        A block, and an array (sequences, hands of the block). Chips are weighted by the probability of the hand and of
        the opponent's choices, as in `relance.solvers.best_response`.
    """
    listed = operator.written(side, player)
    if listed is None and len(side.terminals) == 1:
        distribution = operator.in_case(side.terminals[0].case)
        if isinstance(distribution, RankedDeal) and distribution.in_step:
            yield from _by_rank(side, side.terminals[0], distribution, player, parts, reach_at)
            return
    reach = reach_at(ALL)
    values = zeros_beside(reach, (side.size + 1, operator.size(player)))
    if listed is not None:
        listed.pay([reach], values)
        yield ALL, values
        return
    rest = []
    for of in side.terminals:
        distribution = operator.in_case(of.case)
        if isinstance(distribution, RankedDeal) and distribution.in_step:
            ((_, chips),) = _by_rank(side, of, distribution, player, [ALL], lambda part: reach)
            values += chips
        else:
            rest.append(of)
    operator.pay_cases(player, rest, reach, values)
    yield ALL, values


def _by_rank(
    side: SequenceForm,
    of: CaseTerminals,
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
            for terminal in of.fought:
                met = terminal.chips * rows[terminal.theirs]
                net = running_sums(met)  # a hand beats those below it and ties with itself
                net += net
                net -= met
                net -= terminal.chips * less[terminal.theirs]
                term[terminal.own] += net
            for terminal in of.paid:
                term[terminal.own] += terminal.chips * total[terminal.theirs]
            term *= own[part]
            values = term if values is None else values + term
        assert values is not None  # there is at least one term
        if deal.diagonal is not None:
            ties = (1 - 2 * player) * deal.diagonal[part]
            for terminal in of.fought:
                values[terminal.own] += terminal.chips * reach[terminal.theirs] * ties
        if deal.blocked is not None:
            for terminal in of.paid:
                values[terminal.own] -= terminal.chips * reach[terminal.theirs] * deal.blocked[part]
        behind = [less - 2.0 * total for less, total in zip(behind, below, strict=True)]
        yield part, values


@checked
def back_up(side: SequenceForm, values: Array, choose: Callable[[Group, Array], Array]) -> Array:
    """Return the player's chips at the root, (hands,), carried there from the terminal nodes, deepest nodes first.

    `choose` returns the chips at the nodes of a group, (nodes, hands), from those of their actions, (nodes, actions, hands).
    """
    for group in reversed(side.groups):
        group.pass_on(values, choose(group, group.of(values[1:])))
    root: Array = values[0]
    return root


def best(group: Group, values: Array) -> Array:
    """Return the chips of the best action at each node, (nodes, hands), from the chips of all actions, (nodes, actions, hands)."""
    most: Array = reduce(namespace(values).maximum, (values[:, i] for i in range(group.shape[1])))
    return most


def mixed_chips(share: Array, group: Group, values: Array) -> Array:
    """Return the mean chips at a group's nodes, (nodes, hands): `values`, (nodes, actions, hands), weighted by `share`, (slots, hands)."""
    return over_actions(group.of(share) * values)
