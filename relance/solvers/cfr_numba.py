"""The iterations of CFR in compiled loops: prepares a game's tables for `relance.solvers.cfr_kernels` and runs them on threads."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from relance.model.arrays import Floats, Ints, in_shares, thread_count, without_interrupt
from relance.model.ranked_deal import RankedDeal
from relance.model.sequences import PayoffOperator, SequenceForm, WrittenTerminals, row_numbers
from relance.model.tree import USUAL
from relance.solvers import cfr_kernels as kernels
from relance.solvers.cfr import Learned
from relance.solvers.cfr_kernels import CompiledSide, JointDistribution, Records, WrittenSide
from relance.solvers.cfr_variants import Variant, Weights
from relance.solvers.sequence_form import blocks
from relance.solvers.walk import Walk

THREADED_FROM, SPLIT_FROM = 50_000, 100_000
"""The least number of hands that both players rank alike, or of slots times hands in other deals, for which threads share the work."""

AT_ONCE = 2_000_000
"""Iterations run in batches of about this many hands; an interrupt between two batches loses nothing."""


def compiled_loops(
    both: tuple[SequenceForm, SequenceForm],
    deal: PayoffOperator,
    learned: tuple[Learned, Learned],
    variant: Variant,
    walk: Walk | None = None,
) -> Compiled | WrittenLoops | Passes | Walked:
    """Return the object that suits the deal, whose method `run` makes iterations of CFR.

    Args:
        both: the tree as each player sees it.
        deal: what terminal nodes pay, in floats.
        learned: both players' arrays, which are updated in place.
        variant: the variant of CFR.
        walk: for a large tree, the `Walk` that makes compiled passes through it and is used instead of `both` and `deal`; else None.
    """
    if walk is not None:
        return Walked(walk, learned, variant)
    written = [deal.written(side, player) for player, side in enumerate(both)]
    if isinstance(written[0], WrittenTerminals) and isinstance(written[1], WrittenTerminals):
        return WrittenLoops(both, (written[0], written[1]), learned, variant)
    usual = [of.case for side in both for of in side.terminals] == [USUAL, USUAL]
    if isinstance(deal, RankedDeal) and deal.in_step and usual:
        return Compiled(both, deal, learned, variant)
    return Passes(both, deal, learned, variant)


class Compiled:
    """CFR with all iterations in one compiled loop, for deals whose hands both players rank in the same order."""

    def __init__(
        self,
        both: tuple[SequenceForm, SequenceForm],
        deal: RankedDeal,
        learned: tuple[Learned, Learned],
        variant: Variant,
    ) -> None:
        self.learned, self.variant, self.predictive = learned, variant, variant.predictive
        size = deal.size(0)
        distributions = [_rows([np.broadcast_to(term[player], size) for term in deal.terms]) for player in (0, 1)]
        blocked, ties = (np.zeros(0) if a is None else np.ascontiguousarray(a) for a in (deal.blocked, deal.diagonal))

        def side(p: int) -> CompiledSide:
            distribution = JointDistribution(distributions[p], distributions[1 - p], blocked, -ties if p else ties)
            (of,) = both[p].terminals
            return CompiledSide(
                _nodes(both[p]), _nodes(both[1 - p]), _terminals(of.listed[0]), _terminals(of.listed[1]), distribution
            )

        self.sides = side(0), side(1)
        parts = blocks(deal, max(side.size for side in both))
        self.ends = np.array([*(part.start or 0 for part in parts), size])
        self.threads = min(thread_count(), len(parts)) if size >= THREADED_FROM else 1
        self.batch = max(1, AT_ONCE // size)

    def run(self, first: int, count: int) -> Iterator[int]:
        """Run `count` iterations, the first of which has number `first`, in batches; yield the size of each batch after it."""
        for schedule in schedules(self.variant, first, count, self.batch):
            self._run(schedule)
            yield len(schedule)

    def _run(self, schedule: Floats) -> None:
        """Run one iteration for each row of `schedule`, shape (iterations, 4); a row holds the iteration's `Weights`."""
        if self.threads == 1:
            works, sums_of = (self._work(0), self._work(1)), (self._sums(0), self._sums(1))
            kernels.run_iterations(schedule, self.ends, self.sides, self.learned, self.predictive, works, sums_of)
            return
        for row in schedule.tolist():
            for player in (0, 1):
                self._update(player, Weights(*row))

    def _work(self, player: int) -> kernels.Workspace:
        slots, theirs = (len(self.learned[p].regrets) for p in (player, 1 - player))
        return kernels.workspace(slots, theirs, len(self.sides[player].distribution.own), kernels.BLOCK)

    def _sums(self, player: int) -> kernels.HandSums:
        side, sequences = self.sides[player], len(self.learned[1 - player].regrets) + 1
        shape = len(self.ends) - 1, len(side.distribution.own), sequences
        return kernels.HandSums(
            np.empty(shape), np.empty(shape), np.empty((len(side.distribution.own), len(side.fought)))
        )

    def _update(self, player: int, weights: Weights) -> None:
        """Make one player's update on threads, which share the parts of the hands: first each part's sums, then each part's update."""
        side, learned, against = self.sides[player], self.learned[player], self.learned[1 - player].matched
        of_parts, behind, run = self._sums(player)

        def add_up(first: int, last: int) -> None:
            work = self._work(player)
            for p in range(first, last):
                kernels.sums(self.ends[p], self.ends[p + 1], side, against, work, of_parts[p])

        def learn(first: int, last: int) -> None:
            work, own_run = self._work(player), run.copy()
            for p in range(first, last):
                low, high = self.ends[p], self.ends[p + 1]
                kernels.update(
                    low, high, side, learned, against, behind[0], behind[p], own_run, weights, self.predictive, work
                )

        in_shares(add_up, len(of_parts), self.threads)
        kernels.add_up(of_parts, behind)
        in_shares(learn, len(of_parts), self.threads)


class WrittenLoops:
    """CFR with all iterations in one compiled loop, for games whose payoffs are a sparse matrix (`WrittenTerminals`)."""

    def __init__(
        self,
        both: tuple[SequenceForm, SequenceForm],
        written: tuple[WrittenTerminals, WrittenTerminals],
        learned: tuple[Learned, Learned],
        variant: Variant,
    ) -> None:
        self.learned, self.variant = learned, variant
        first, second = (
            WrittenSide(_nodes(side), of.matrix.indptr, of.matrix.indices, of.matrix.data)
            for side, of in zip(both, written, strict=True)
        )
        self.sides = first, second
        self.batch = max(
            1, AT_ONCE // sum(of.matrix.size + own.regrets.size for of, own in zip(written, learned, strict=True))
        )

    def run(self, first: int, count: int) -> Iterator[int]:
        """Run `count` iterations, the first of which has number `first`, in batches; yield the size of each batch after it."""
        mine, theirs = (kernels.workspace(len(own.regrets), 0, 0, own.regrets.shape[1]) for own in self.learned)
        for schedule in schedules(self.variant, first, count, self.batch):
            kernels.run_written(schedule, self.sides, self.learned, self.variant.predictive, (mine, theirs))
            yield len(schedule)


class Walked(NamedTuple):
    """CFR in which each update of a player is one compiled depth-first pass through a large tree."""

    walk: Walk
    learned: tuple[Learned, Learned]
    variant: Variant

    def run(self, first: int, count: int) -> Iterator[int]:
        """Run `count` iterations, the first of which has number `first`, and yield 1 after each."""
        for t in range(first, first + count):
            without_interrupt(
                partial(self.walk.learn, self.learned, self.variant.weights(float(t)), self.variant.predictive)
            )
            yield 1


class Passes:
    """CFR for deals without compiled loops of their own: the deal computes the values of terminal nodes between compiled updates."""

    def __init__(
        self,
        both: tuple[SequenceForm, SequenceForm],
        deal: PayoffOperator,
        learned: tuple[Learned, Learned],
        variant: Variant,
    ) -> None:
        self.sides, self.deal, self.learned, self.variant = both, deal, learned, variant
        self.nodes = [_nodes(side) for side in self.sides]
        shapes = [own.regrets.shape for own in learned]
        self.reach, self.values = ([np.empty((slots + 1, hands)) for slots, hands in shapes] for _ in range(2))
        self.threads = [
            min(thread_count(), -(-hands // kernels.BLOCK)) if slots * hands >= SPLIT_FROM else 1
            for slots, hands in shapes
        ]

    def run(self, first: int, count: int) -> Iterator[int]:
        """Run `count` iterations, the first of which has number `first`, and yield 1 after each."""
        for player in (0, 1):
            self._in_shares(player, kernels.play, self.learned[player].matched)
        for t in range(first, first + count):
            weights = self.variant.weights(float(t))
            for player in (0, 1):
                values = self.values[player]
                values[...] = 0.0
                if (listed := self.deal.written(self.sides[player], player)) is not None:
                    listed.pay([self.reach[1 - player]], values)
                else:
                    self.deal.pay_cases(player, self.sides[player].terminals, self.reach[1 - player], values)
                self._in_shares(player, kernels.learn, self.learned[player], weights, self.variant.predictive, values)
            yield 1

    def _in_shares(self, player: int, kernel: Callable[..., None], *arguments: Any) -> None:
        """Run a kernel, which ends by writing how the player plays, on shares of the hands."""
        nodes, reach = self.nodes[player], self.reach[player]

        def work(low: int, high: int) -> None:
            width = min(kernels.BLOCK, high - low)
            kernel(low, high, nodes, *arguments, reach, kernels.workspace(len(reach) - 1, 0, 0, width))

        in_shares(work, reach.shape[1], self.threads[player])


def schedules(variant: Variant, first: int, count: int, batch: int) -> Iterator[Floats]:
    """Yield the `Weights` of `count` iterations, the first of which has number `first`, in arrays of shape (at most `batch`, 4)."""
    for start in range(first, first + count, batch):
        iterations = np.arange(start, min(start + batch, first + count), dtype=float)
        weights = [np.broadcast_to(weight, len(iterations)) for weight in variant.weights(iterations)]
        yield np.stack(weights, axis=1)


def _rows(rows: list[Floats]) -> Floats:
    """The rows as one array; a single row is not copied."""
    return np.ascontiguousarray(rows[0])[None] if len(rows) == 1 else np.ascontiguousarray(rows)


def _nodes(side: SequenceForm) -> Records:
    """The decision nodes in the order of the side's groups."""
    out = np.empty(sum(group.shape[0] for group in side.groups), kernels.NODE)
    done = 0
    for group in side.groups:
        nodes, actions = group.shape
        part = out[done : (done := done + nodes)]
        part["before"], part["actions"] = row_numbers(group.before), actions
        part["slot"] = np.arange(group.slots.start, group.slots.stop, actions)
    return out


def _terminals(parts: Sequence[tuple[Ints, Ints, Floats]]) -> Records:
    """The terminal nodes, one after another."""
    return np.array([row for part in parts for row in zip(*part, strict=True)], kernels.ENDING)
