"""Hands compared by rank, with a joint distribution that is a sum of products: cards, cells of [0, 1] or independent hands."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from copy import copy
from functools import cached_property
from typing import Any

import numpy as np

from relance.model.arrays import Put, dot, namespace, running_sums
from relance.model.deal import Array, FiniteDeal, as_floats
from relance.model.deal_table import DealTable, ranked_table
from relance.model.numbers import Number

LISTED = 100_000
"""Up to this many hands, numbers that are read one by one are kept in lists, which are quicker."""


class RankedDeal(FiniteDeal):
    """Hands compared by rank; the joint distribution is a sum of products, with a correction for pairs of equal index.

    Hands h of player 0 and k of player 1 have probability sum_t terms[t][0][h] * terms[t][1][k] - [h == k] * blocked[h]. Cards without
    replacement, grids on [0, 1] and independent hands are of this kind. The methods `mass` and `edge` take O(hands) steps.

    Args:
        labels, places: for each player, the hands' names, weakest first; and the middles of the hands' cells, if hands are cells of [0, 1].
        terms: pairs of arrays, shapes (hands of 0,) and (hands of 1,).
        ranks: for each player the rank of each hand, ascending; by default the index.
        blocked: (hands,) the probability subtracted from each pair of equal index, or None.
        diagonal: (hands,) for each pair of equal index, its probability times (P(player 0 wins a showdown) - P(loses it)); None for 0.
    """

    def __init__(
        self,
        labels: tuple[Sequence[str], Sequence[str]],
        terms: Sequence[tuple[Array, Array]],
        ranks: tuple[Sequence[float], Sequence[float]] | None = None,
        blocked: Array | None = None,
        diagonal: Array | None = None,
        places: tuple[Array, Array] | None = None,
    ) -> None:
        self.labels = (tuple(labels[0]), tuple(labels[1]))
        self.terms = list(terms)
        self.blocked, self.diagonal, self.places = blocked, diagonal, places
        rank = [np.arange(len(names)) if ranks is None else np.asarray(ranks[p]) for p, names in enumerate(labels)]
        for player, ranks_of in enumerate(rank):
            if not (ranks_of[1:] >= ranks_of[:-1]).all():
                raise ValueError(f"the ranks of player {player}'s hands must ascend, weakest hand first, and be finite")
        hands = np.arange(len(rank[0]))
        self.in_step = np.array_equal(rank[0], rank[1]) and bool((rank[0][1:] > rank[0][:-1]).all())
        if self.in_step:
            self.below, self.not_above = [hands, hands], [hands + 1, hands + 1]
        else:
            self.below = [np.searchsorted(rank[1 - p], rank[p], side="left") for p in (0, 1)]
            self.not_above = [np.searchsorted(rank[1 - p], rank[p], side="right") for p in (0, 1)]

    @cached_property
    def floats(self) -> RankedDeal:
        return self.carry(self._mapped(as_floats), lambda deal: deal.floats)

    def _mapped(self, change: Put) -> RankedDeal:
        blocked, diagonal = (None if array is None else change(array) for array in (self.blocked, self.diagonal))
        return self.with_arrays([(change(u), change(v)) for u, v in self.terms], blocked, diagonal)

    def with_arrays(
        self, terms: Sequence[tuple[Array, Array]], blocked: Array | None, diagonal: Array | None
    ) -> RankedDeal:
        """A copy of this deal with other numbers, which are floats.

        Args:
            terms: pairs of arrays, (hands of 0,) and (hands of 1,); the joint distribution is the sum of their products, less `blocked`.
            blocked: (hands,) the probability subtracted from each pair of equal index, or None for 0.
            diagonal: (hands,) for each pair of equal index, its probability times (P(player 0 wins a showdown) - P(loses it)); None for 0.
        """
        out = copy(self)
        out.__dict__.update(terms=list(terms), blocked=blocked, diagonal=diagonal, floats=out, in_floats=True)
        return out

    def moved(self, put: Put) -> RankedDeal:
        out = self.floats._mapped(put)
        if not self.in_step:
            out.below, out.not_above = [put(a) for a in self.below], [put(a) for a in self.not_above]
        return self.carry(out, lambda deal: deal.moved(put))

    in_floats = False

    @property
    def products(self) -> int:
        """The number of terms of the joint distribution; 1 means that hands are independent, apart from `blocked`."""
        return len(self.terms)

    @property
    def distribution_rows(self) -> int:
        return 2 * len(self.terms) + (self.blocked is not None) + (self.diagonal is not None)

    def like(self, player: int) -> Array | None:
        return self.terms[0][player] if self.in_floats else None

    def mass(self, player: int, weight: Array) -> Array:
        met = [dot(weight, pair[1 - player]) for pair in self.terms]
        parts = [
            pair[player] * (m if weight.ndim == 1 else m[:, None]) for pair, m in zip(self.terms, met, strict=True)
        ]
        out: Array = sum(parts[1:], parts[0])
        return out if self.blocked is None else out - self.blocked * weight

    def edge(self, player: int, weight: Array) -> Array:
        out: Array | None = None
        for pair in self.terms:
            weighted = pair[1 - player] * weight
            running = running_sums(weighted)
            if self.in_step:  # hand i beats those below it and ties with hand i
                net: Array = running + running
                net -= weighted
            else:
                padded = namespace(weighted).concatenate((weighted[..., :1] * 0, running), -1)
                net = padded[..., self.below[player]] + padded[..., self.not_above[player]]
            net -= running[..., -1:]
            net *= pair[player]
            out = net if out is None else out + net
        assert out is not None  # there is at least one term
        return out if self.diagonal is None else out + (1 - 2 * player) * self.diagonal * weight

    @cached_property
    def _lines(self) -> tuple[Sequence[int], Sequence[int]]:
        """For each hand of player 0, the first that it does not beat and the first that beats it."""
        return _listed(self.below[0]), _listed(self.not_above[0])

    def compare(self, mine: int, theirs: int) -> Number:
        below, not_above = self._lines
        won = int(theirs < below[mine]) - int(theirs >= not_above[mine])
        if mine != theirs or self.diagonal is None:
            return won
        met = sum(u[mine] * v[theirs] for u, v in self.terms)
        expected: Number = self.diagonal[mine] / (met if self.blocked is None else met - self.blocked[mine])
        return won + expected

    def table(self) -> DealTable:
        if self.few_pairs:
            return super().table()
        distribution = self.floats
        priors, (below, not_above) = (distribution.prior(0), distribution.prior(1)), (self.below[0], self.not_above[0])
        return ranked_table(distribution.terms, priors, below, not_above, distribution.blocked, distribution.diagonal)

    @cached_property
    def _running(self) -> tuple[Sequence[float], list[tuple[Array, Sequence[float]]]]:
        """Running sums of player 0's distribution and, for each term, player 0's factor with running sums of player 1's factor."""
        return _listed(np.cumsum(self.chances())), [(u, _listed(np.cumsum(v))) for u, v in self.floats.terms]

    def _sample_in_turn(self, rng: np.random.Generator) -> tuple[int, int]:
        """Deal two hands, each by bisection of running sums."""
        first, terms = self._running
        last = len(self.labels[1]) - 1
        mine = bisect_right(first, rng.random() * first[-1], 0, len(first) - 1)
        blocked = 0.0 if self.floats.blocked is None else float(self.floats.blocked[mine])
        shares = [(float(u[mine]), running) for u, running in terms]
        if len(shares) == 1:
            ((share, running),) = shares
            target = rng.random() * (share * running[-1] - blocked)
            theirs = bisect_right(running, target / share, 0, last)
            return mine, theirs if theirs < mine else bisect_right(running, (target + blocked) / share, 0, last)

        def below(theirs: int) -> float:
            """The probability that player 0 has `mine` and player 1 a hand up to `theirs`."""
            met = -blocked if theirs >= mine else 0.0
            for share, running in shares:
                met += share * running[theirs]
            return met

        return mine, bisect_right(range(last), rng.random() * below(last), key=below)


def _listed(values: Array) -> Any:
    """The values as a list, or unchanged if there are too many."""
    return values.tolist() if len(values) <= LISTED else values
