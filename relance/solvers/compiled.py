"""CFR on compiled loops: the tables of a game for `relance.solvers.kernels`, and its iterations on one or more threads.

For deals whose hands both players rank in the same order.
"""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from relance.model.arrays import processors
from relance.model.ranked_deal import RankedDeal
from relance.solvers.kernels import BLOCK, rounds, sums, update, workspace
from relance.solvers.methods import METHODS

Table: TypeAlias = npt.NDArray[np.int64]

THREADED_FROM = 50_000
"""Hands from which the work is split among the processors, `relance.model.arrays.processors`."""


class Compiled:
    """The tables of one solver's game, and its iterations on them."""

    def __init__(self, solver: Any) -> None:
        deal = solver.deal
        assert isinstance(deal, RankedDeal)
        self.solver, self.method = solver, METHODS[solver.method]
        self.nodes = tuple(self._nodes(who) for who in (0, 1))
        made = [self._payments(who) for who in (0, 1)]
        self.ends, self.pays = tuple(ends for ends, _ in made), tuple(pay for _, pay in made)
        hands = deal.size(0)
        self.laws = tuple(np.ascontiguousarray([np.broadcast_to(t[who], hands) for t in deal.terms]) for who in (0, 1))
        none = np.zeros(0)
        self.blocked = none if deal.blocked is None else np.ascontiguousarray(deal.blocked)
        ties = none if deal.diagonal is None else np.ascontiguousarray(deal.diagonal)
        self.ties = (ties, -ties)
        workers = processors() if hands >= THREADED_FROM else 1
        self.parts = [(hands * i // workers, hands * (i + 1) // workers) for i in range(workers)]

    def _sequence(self, who: int, name: str) -> int:
        """The sequence of player `who` at a node: 0 before he acts, else 1 plus the slot of his last choice."""
        last = self.solver.tree.last_choice(name, who)
        return 0 if last is None else int(self.solver.slots[last[0]].start) + last[1] + 1

    def _nodes(self, who: int) -> tuple[Table, Table, Table]:
        """For each node of the player the sequence before it, its first slot and its number of actions."""
        own = self.solver.tree.of(who)
        before = [self._sequence(who, name) for name in own]
        starts = [self.solver.slots[name].start for name in own]
        return _table(before), _table(starts), _table([len(node.actions) for node in own.values()])

    def _payments(self, who: int) -> tuple[Table, tuple[Any, ...]]:
        """The opponent's sequences at endings, and for each ending the player's, which of those it has, and its chips."""
        leaves, sign = self.solver.tree.leaves, 1 - 2 * who
        theirs = [self._sequence(1 - who, name) for name in leaves]
        ends = sorted(set(theirs))
        chips = [(sign * float(leaf.constant), float(leaf.stake)) for leaf in leaves.values()]
        constant, stake = (np.array(column) for column in zip(*chips, strict=True))
        leads = _table([self._sequence(who, name) for name in leaves])
        group = _table([ends.index(x) for x in theirs])
        paid, fought = (np.array([chips[group == g].any() for g in range(len(ends))]) for chips in (constant, stake))
        return _table(ends), (leads, group, constant, stake, paid, fought)

    def run(self, iterations: int) -> None:
        """Make this many iterations, in batches between which an interrupt loses nothing."""
        most = max(1, 2_000_000 // self.laws[0].shape[1])
        while iterations > 0:
            batch = min(most, iterations)
            t = np.arange(1.0, batch + 1) + self.solver.iteration
            schedule = np.column_stack(np.broadcast_arrays(t, *self.method.weights(t))[1:])
            self._serial(schedule) if len(self.parts) == 1 else self._threaded(schedule)
            self.solver.iteration += batch
            iterations -= batch

    def _serial(self, schedule: Any) -> None:
        s = self.solver
        state = (tuple(s.regrets), tuple(s.matched), tuple(s.averages))
        tables = (self.nodes, self.ends, self.pays, self.laws, self.blocked, self.ties)
        rounds(schedule, *tables, *state, self.method.predictive)

    def _threaded(self, schedule: Any) -> None:
        """Each thread takes a part of the hands: first the sums, then, from the sums before its part, the update."""
        with ThreadPoolExecutor(len(self.parts)) as pool:
            for weights in schedule.tolist():
                for who in (0, 1):
                    self._split(pool, who, tuple(weights))

    def _split(self, pool: ThreadPoolExecutor, who: int, weights: tuple[float, ...]) -> None:
        s, other = self.solver, 1 - who
        found = [np.empty((len(self.laws[0]), len(self.ends[who]))) for _ in self.parts]
        given = (self.nodes[other], self.ends[who], self.laws[other], s.matched[other])
        sizes = (len(s.regrets[who]), len(s.regrets[other]), len(self.ends[who]), BLOCK)
        rooms = [workspace(*sizes) for _ in self.parts]
        _all(pool.submit(sums, *p, *given, room, out) for p, room, out in zip(self.parts, rooms, found, strict=True))
        total, before, jobs = sum(found), np.zeros_like(found[0]), []
        tables = (
            self.nodes[who],
            self.nodes[other],
            self.ends[who],
            self.pays[who],
            (self.laws[who], self.laws[other]),
        )
        state = (s.matched[other], s.regrets[who], s.matched[who], s.averages[who])
        for part, room, out in zip(self.parts, rooms, found, strict=True):
            hands = (self.blocked, self.ties[who], before.copy(), total)
            jobs.append(pool.submit(update, *part, *tables, *hands, *state, weights, self.method.predictive, room))
            before += out
        _all(jobs)


def _all(jobs: Iterable[Future[Any]]) -> None:
    for job in list(jobs):
        job.result()


def _table(values: list[int]) -> Table:
    return np.array(values, np.int64)
