"""The linear program of a game of two players and zero sum, whose optimum is an equilibrium (Koller, Megiddo and von Stengel 1996).

It maximises the chips that player 0 can guarantee. Its variables are the realization weights of player 0's sequences, for each hand;
running sums of these where hands are ranked, so that the number of nonzeros grows with the hands and not with their square; and the least
chips of player 0 that player 1 can force from each information set of player 1 on. The multipliers of the conditions on these chips are
player 1's realization weights. The rows are arrays, in floats or exact, for all hands, or for some while the others are fixed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from relance.model.arrays import Array, Ints
from relance.model.deal import FiniteDeal
from relance.model.ranked_deal import RankedDeal
from relance.model.sequences import PayoffOperator, SequenceForm, row_numbers
from relance.solvers.exact_lp import Program
from relance.solvers.exact_simplex import ONE, ZERO, LinearForm
from relance.solvers.highs import Entries, Optimum, minimise

OfBoth: TypeAlias = tuple[Array, Array]
"""For each player an array, (sequences or actions of all nodes, hands)."""

NONE: Entries = (np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.int64))
"""A matrix of zeros."""

ITSELF: Entries = (np.zeros(1, np.int64), np.zeros(1, np.int64), np.ones(1, np.int64))
"""The matrix of a single 1."""


class DistributionForms(NamedTuple):
    """The mass and edge of each of player 1's hands against player 0's hands, as linear functions of the weights x of player 0's hands.

    With weights x, a hand's mass is the sum over player 0's hands of x times the joint probability of both hands. The edge is the
    same sum with each term times P(player 1's hand wins) - P(it loses). In a `RankedDeal` the joint probability of player 0's hand h and
    player 1's hand k has terms u[h] * v[k]. `sums_x @ x + sums_r @ r == 0` defines r: running sums of x * u, times the number of hands h.
    With n pairs of hands, `mass_x @ x + mass_r @ r` is n times the mass, and `edge_x @ x + edge_r @ r` is n times the edge.
    """

    sums: int  # how many running sums
    sums_x: Entries
    sums_r: Entries
    mass_x: Entries
    mass_r: Entries
    edge_x: Entries
    edge_r: Entries


def distribution_forms(distribution: PayoffOperator, rows: Ints, columns: Ints) -> DistributionForms:
    """Return the mass and edge of player 1's hands `columns` (indices) as linear functions of the weights of player 0's hands `rows`."""
    if not isinstance(distribution, FiniteDeal):  # of a tree of histories
        return DistributionForms(0, NONE, NONE, ITSELF, NONE, NONE, NONE)
    n, m = len(rows), len(columns)
    first, second = distribution.size(0), distribution.size(1)
    if not isinstance(distribution, RankedDeal):
        mass, edge = (
            _entries(table[np.ix_(rows, columns)].T) for table in (distribution.joint(), -distribution.joint_edge())
        )
        return DistributionForms(0, NONE, NONE, _times(mass, first * second), NONE, _times(edge, first * second), NONE)
    each, ones = np.arange(n), np.ones(n, np.int64)
    below, not_above = (
        np.searchsorted(rows, places[1][columns]) for places in (distribution.below, distribution.not_above)
    )
    total = np.full(m, n)
    sums_x, sums_r, mass_r, edge_r = [], [], [], []
    for t, (u, v) in enumerate(distribution.terms):
        at, theirs = t * n, v[columns] * second
        sums_x.append((at + each, each, -u[rows] * first))
        sums_r += [(at + each, at + each, ones), (at + each[1:], at + each[:-1], -ones[1:])]
        mass_r.append(_sum_to(total, at, theirs))
        edge_r += [_sum_to(below, at, theirs), _sum_to(not_above, at, theirs), _sum_to(total, at, -theirs)]
    _, same_0, same_1 = np.intersect1d(rows, columns, assume_unique=True, return_indices=True)
    blocked, ties = (
        NONE if of is None else (same_1, same_0, -first * second * of[rows][same_0])
        for of in (distribution.blocked, distribution.diagonal)
    )
    joined = [_joined(parts) for parts in (sums_x, sums_r, mass_r, edge_r)]
    return DistributionForms(n * len(distribution.terms), joined[0], joined[1], blocked, joined[2], ties, joined[3])


def _entries(matrix: Array) -> Entries:
    at, to = np.nonzero(matrix)
    return at, to, matrix[at, to]


def _times(entries: Entries, factor: Any) -> Entries:
    return entries[0], entries[1], entries[2] * factor


def _joined(parts: Iterable[Entries]) -> Entries:
    at, to, values = (np.concatenate(part) for part in zip(NONE, *parts, strict=True))
    return at, to, values


def _sum_to(ends: Ints, at: int, factors: Array) -> Entries:
    """For each row, a factor times the running sum over the hands before `ends`; the first sum is 0 and not a variable."""
    some = np.flatnonzero(ends)
    return some, at + ends[some] - 1, factors[some]


@dataclass(frozen=True)
class GameProgram:
    """Minimise `costs @ v` under `at_most @ v <= bound`, `equal @ v == right`. First in v are player 0's realization weights, all >= 0.

    Attributes:
        forms: the sequence forms of both players.
        free: for each player, the indices of the hands whose strategies are variables.
        sums: the number of running sums (see `DistributionForms`) for each action of player 0; each running sum is a variable.
    """

    forms: Sequence[SequenceForm]
    free: tuple[Ints, Ints]
    sums: int
    costs: Array
    at_most: Entries
    bound: Array
    equal: Entries
    right: Array

    @property
    def weighed(self) -> int:
        """The number of variables that are realization weights of player 0."""
        return self.forms[0].size * len(self.free[0])

    def minimised(self, **options: Any) -> Optimum:
        """Return an optimum of the program in floats; the options are those of `relance.solvers.highs.minimise`."""
        rows = len(self.bound)
        matrix = _joined([self.at_most, (self.equal[0] + rows, self.equal[1], self.equal[2])])
        low = np.concatenate([np.full(rows, -np.inf), self.right])
        high = np.concatenate([self.bound, self.right])
        return minimise(self.costs, matrix, low, high, np.arange(len(self.costs)) < self.weighed, **options)

    def exact(self) -> Program:
        """Return the program in fractions, as one that maximises minus the costs."""

        def rows(entries: Entries, right: Array) -> list[tuple[LinearForm, Fraction]]:
            forms: list[LinearForm] = [{} for _ in right]
            for i, j, value in zip(*(part.tolist() for part in entries), strict=True):
                forms[i][j] = forms[i].get(j, ZERO) + value
            return [({j: c for j, c in form.items() if c}, ONE * b) for form, b in zip(forms, right, strict=True)]

        objective = {j: -ONE * cost for j, cost in enumerate(self.costs) if cost}
        at_most, equal = rows(self.at_most, self.bound), rows(self.equal, self.right)
        return Program(len(self.costs), set(range(self.weighed)), objective, at_most, equal)

    def weights(self, point: Sequence[Any] | Array, multipliers: Sequence[Any] | Array) -> OfBoth:
        """Return each player's realization weights, (all actions, hands in `free`), from an optimal point and multipliers >= 0."""
        parts = point[: self.weighed], multipliers[: len(self.bound)]
        first, second = (
            np.array(w).reshape(f.size, len(h)) for w, f, h in zip(parts, self.forms, self.free, strict=True)
        )
        return first, second


def game_program(
    forms: Sequence[SequenceForm],
    operator: PayoffOperator,
    unit: Fraction | float,
    free: tuple[Ints, Ints] | None = None,
    fixed: OfBoth | None = None,
) -> GameProgram:
    """Return the linear program of a game of two players and zero sum.

    Args:
        forms: the sequence forms of both players.
        operator: the payoff operator; exact if the chips of `forms` are.
        unit: the unit of chips; a fraction for an exact program. In floats it should be near the largest payoff, as tolerances are fixed.
        free: the hands of each player that are solved for; all by default.
        fixed: for each player the realization weights of all actions, (actions, hands); only columns of hands not in `free` are read.
    """
    (first, second), sizes = forms, (operator.size(0), operator.size(1))
    free = free or (np.arange(sizes[0]), np.arange(sizes[1]))
    n, m = len(free[0]), len(free[1])
    scale = sizes[0] * sizes[1] / unit
    kind = float if isinstance(scale, float) else object
    values = []
    for player, other in ((0, 1), (1, 0)):
        led = np.zeros((forms[other].size + 1, sizes[other]), kind)
        led[0] = 1
        if fixed is not None:
            led[1:] = fixed[other]
            led[1:, free[other]] = 0
        chips = np.zeros((forms[player].size + 1, sizes[player]), kind)
        operator.pay_cases(player, forms[player].terminals, led, chips)
        values.append(chips[1:, free[player]] * scale)

    distributions = [
        (distribution_forms(distribution, *free), *parts) for distribution, *parts in _terminals(first, operator)
    ]
    sums = sum(of.sums for of, _, _ in distributions)
    start, least = first.size * n, first.size * (n + sums)  # where running sums and the least chips start
    at_most, equal, behind = list[Entries](), list[Entries](), 0
    every = np.arange(first.size)
    flow_rows = len(first.slots) * n
    for of, paid, fought in distributions:
        for (own, theirs, chips), of_x, of_r, sign in (
            (paid, of.mass_x, of.mass_r, -1),
            (fought, of.edge_x, of.edge_r, 1),
        ):
            acted = (own > 0) & (theirs > 0)
            rows, at, stakes = (theirs[acted] - 1) * m, own[acted] - 1, chips[acted] * (sign / unit)
            at_most.append(_spread(of_x, rows, at * n, stakes))
            at_most.append(_spread(of_r, rows, start + at * sums + behind, stakes))
        for entries, to in ((of.sums_x, every * n), (of.sums_r, start + every * sums + behind)):
            equal.append(_spread(entries, flow_rows + every * sums + behind, to, np.ones(len(every), np.int64)))
        behind += of.sums

    costs = np.zeros(least + len(second.slots) * m, kind)
    costs[:start] = -values[0].ravel()
    right = np.zeros(flow_rows + first.size * sums, kind)
    for player, hands in ((0, n), (1, m)):
        sets, sequences, signs = _flows(forms[player])
        led = sequences > 0
        places, columns = sets[led] * hands, (sequences[led] - 1) * hands
        same = np.arange(hands), np.arange(hands), np.ones(hands, np.int64)
        roots = (sets[~led, None] * hands + np.arange(hands)).ravel()
        if player == 0:
            equal.append(_spread(same, places, columns, signs[led]))
            right[roots] = 1
        else:
            at_most.append(_spread(same, columns, least + places, signs[led]))
            costs[least + roots] = -1
    return GameProgram(forms, free, sums, costs, _joined(at_most), -values[1].ravel(), _joined(equal), right)


def by_pivots(program: GameProgram) -> OfBoth:
    """Return both players' optimal realization weights, (all actions, hands) for each player, by solving the program in fractions."""
    _, point, multipliers = program.exact().optimum()
    return program.weights(point, multipliers)


def _terminals(form: SequenceForm, operator: PayoffOperator) -> Iterator[tuple[Any, ...]]:
    """Yield each distribution and its terminal nodes, without and with showdown: player 0's sequences, player 1's, and player 0's chips."""
    none = np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.int64)
    if not form.terminals and (listed := operator.written(form, 0)):
        yield operator, (listed.own, listed.theirs[0], listed.chips[:, 0, 0]), none
    for of in form.terminals:
        yield operator.in_case(of.case), *(_joined(parts) for parts in of.listed)


def _flows(form: SequenceForm) -> Entries:
    """By information set and sequence: 1 for each action there, -1 for the sequence that leads there, 0 the empty one."""
    parts, behind = list[Entries](), 0
    for group in form.groups:
        nodes, actions = group.shape
        sets = behind + np.arange(nodes)
        parts.append((sets, row_numbers(group.before), -np.ones(nodes, np.int64)))
        after = np.arange(group.slots.start, group.slots.stop) + 1
        parts.append((np.repeat(sets, actions), after, np.ones(nodes * actions, np.int64)))
        behind += nodes
    return _joined(parts)


def _spread(entries: Entries, rows: Ints, columns: Ints, factors: Array) -> Entries:
    """The entries once for each row and column where they start, times a factor."""
    at, to, values = entries
    return ((rows[:, None] + at).ravel(), (columns[:, None] + to).ravel(), np.outer(factors, values).ravel())
