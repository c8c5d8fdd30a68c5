"""The private half of a game: the joint law of the two hands, and who wins a showdown.

To every algorithm a deal is two linear operators on a weight over the *opponent's* hands:

    mass(player, w)[h] = weight of the opponent hands that occur together with h
    edge(player, w)[h] = the same, those that h beats counted +1, ties 0, those that beat h -1

Both include the probability of the own hand, so that `total` of a value is an expectation. A function of the hand is an
array over finite hands (floats, Fractions or any field) or a `Piecewise` on [0, 1].
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from copy import copy
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from relance.model.arrays import Put, namespace
from relance.model.deal_table import DealTable, pair_table, ranked_table
from relance.model.numbers import Number, at_least_zero
from relance.model.showing import Showing

HandFunction: TypeAlias = Any
"""A function of one player's hand: an array over finite hands, or a Piecewise on [0, 1]."""

Array: TypeAlias = npt.NDArray[Any]

MOST_PAIRS = 2**16
"""The most pairs of ranked hands that are dealt from one table of pairs; the pairs of a matrix are, whatever their number."""


class Deal(ABC):
    """The joint law of two private hands. See the module's head for the two operators."""

    @abstractmethod
    def mass(self, player: int, weight: HandFunction) -> HandFunction:
        """Weight of the opponent hands that occur with each hand of `player`, times the probability of meeting."""

    @abstractmethod
    def edge(self, player: int, weight: HandFunction) -> HandFunction:
        """Like `mass`, but won showdowns count +1, ties 0, lost ones -1, seen from `player`."""

    @abstractmethod
    def constant(self, player: int, value: Number) -> HandFunction:
        """The function that is `value` for every hand of `player`."""

    @abstractmethod
    def total(self, values: HandFunction) -> Number:
        """The sum, or integral, over hands."""

    @abstractmethod
    def pick_best(self, values: Sequence[HandFunction]) -> list[HandFunction]:
        """For each action 1 on the hands where its value is greatest and 0 elsewhere; the first action takes ties."""

    @abstractmethod
    def sample(self, rng: np.random.Generator) -> tuple[Any, Any]:
        """Deal two hands: indices for finite hands, floats in [0, 1] otherwise."""

    @abstractmethod
    def table(self) -> DealTable:
        """The law as arrays, for dealing at many tables at once."""

    @abstractmethod
    def compare(self, mine: Any, theirs: Any) -> Number:
        """The edge of player 0 when he holds `mine` and player 1 holds `theirs`."""

    @cached_property
    def sharpest(self) -> Number:
        """The largest edge, in absolute value, that any two hands have."""
        return 1

    def prior(self, player: int) -> HandFunction:
        """The probability (finite) or density (on [0, 1]) of each hand of `player`."""
        return self.mass(player, self.constant(1 - player, 1))


class FiniteDeal(Deal):
    """Finitely many hands per player, named by `labels`; functions of the hand are arrays.

    `places` gives each hand's place in [0, 1] where hands are cells of an interval; cards have none. `showing` says how hands
    look that stand for something else, such as classes for real cards.
    """

    labels: tuple[Sequence[str], Sequence[str]]
    places: tuple[Array, Array] | None = None
    showing: Showing | None = None

    @cached_property
    @abstractmethod
    def floats(self) -> FiniteDeal:
        """The same deal in float64: probabilities as float arrays, and functions of the hand likewise."""

    @abstractmethod
    def moved(self, put: Put) -> FiniteDeal:
        """The deal in floats with its arrays taken elsewhere by `put`, for the operators only."""

    def size(self, player: int) -> int:
        """The number of hands of `player`."""
        return len(self.labels[player])

    @property
    def is_exact(self) -> bool:
        """Whether its probabilities are exact numbers and not floats."""
        return not isinstance(self.total(self.prior(0)), float)

    def constant(self, player: int, value: Number) -> Array:
        out = np.empty(self.size(player), object if not isinstance(value, float) else float)
        out[:] = value
        return out

    def total(self, values: Array) -> Number:
        return values.sum()

    def pick_best(self, values: Sequence[Array]) -> list[Array]:
        xp, best, ones = namespace(values[0]), values[0], namespace(values[0]).ones_like(values[0])
        if len(values) == 2 and best.dtype != object:
            first = ones * (best >= values[1])
            return [first, ones - first]
        picked = [ones]
        for value in values[1:]:
            gap = best - value
            better = ~np.array([at_least_zero(g) for g in gap], bool) if gap.dtype == object else gap < 0
            best = xp.where(better, value, best)
            picked = [xp.where(better, row * 0, row) for row in picked] + [xp.where(better, ones, ones * 0)]
        return picked

    @cached_property
    def _chances(self) -> tuple[npt.NDArray[np.float64], list[npt.NDArray[np.float64] | None]]:
        first = np.cumsum(self.chances())
        return first, [None] * len(first)

    def chances(self, hand: int | None = None) -> npt.NDArray[np.float64]:
        """The law of player 0's hand, or that of player 1's given player 0's `hand`; shape (hands,), sums to 1."""
        if hand is None:
            law = self.floats.prior(0)
        else:
            mine = np.zeros(self.size(0))
            mine[hand] = 1.0
            law = self.floats.mass(1, mine)
        out: npt.NDArray[np.float64] = law / law.sum()
        return out

    def sample(self, rng: np.random.Generator) -> tuple[int, int]:
        """Deal two hands; what is worked out for a first hand is kept."""
        first, rows = self._chances
        mine = int(np.searchsorted(first, rng.random() * first[-1], side="right"))
        if rows[mine] is None:
            rows[mine] = np.cumsum(self.chances(mine))
        row = rows[mine]
        assert row is not None
        return mine, int(np.searchsorted(row, rng.random() * row[-1], side="right"))

    def joint(self) -> Array:
        """The probability of each pair of hands, shape (hands of 0, hands of 1)."""
        return np.stack([self.mass(0, column) for column in self._units(1)], axis=1)

    def joint_edge(self) -> Array:
        """The probability of each pair times player 0's edge in it, shape (hands of 0, hands of 1)."""
        return np.stack([self.edge(0, column) for column in self._units(1)], axis=1)

    def _units(self, player: int) -> Iterator[Array]:
        """For each hand of `player` the weight that is 1 there and 0 elsewhere."""
        for hand in range(self.size(player)):
            unit = self.constant(player, Fraction(0))
            unit[hand] = Fraction(1)
            yield unit

    def table(self) -> DealTable:
        return pair_table(self.floats.joint(), self.floats.joint_edge())


def as_floats(values: Array) -> Array:
    """The same numbers as float64; quick where one number stands many times."""
    if values.dtype != object:
        return values.astype(float, copy=False)
    first = values.flat[0] if values.size else 0
    if all(value is first for value in values.flat):
        return np.full(values.shape, float(first))
    return values.astype(float)


class RankedDeal(FiniteDeal):
    """Hands compared by rank; the joint law is a sum of products, up to the pairs of equal index.

    P(h, k) = sum_t terms[t][0][h] * terms[t][1][k] - [h == k] * blocked[h], and the edge of such a pair of equal index is
    `diagonal` instead of the comparison. Cards without replacement, grids on [0, 1] and independent hands are all of this
    kind; both operators take O(hands) by running sums.

    Args:
        labels: the names of each player's hands, weakest first.
        terms: pairs of arrays, shapes (hands of 0,) and (hands of 1,).
        ranks: for each player the rank of each hand, ascending; default the index.
        blocked: (hands,) probability taken off the pairs of equal index, or None.
        diagonal: (hands,) expected edge times probability on the pairs of equal index, or None for 0.
    """

    def __init__(
        self,
        labels: tuple[Sequence[str], Sequence[str]],
        terms: Sequence[tuple[Array, Array]],
        ranks: tuple[Sequence[int], Sequence[int]] | None = None,
        blocked: Array | None = None,
        diagonal: Array | None = None,
        places: tuple[Array, Array] | None = None,
    ) -> None:
        self.labels = (tuple(labels[0]), tuple(labels[1]))
        self.terms = list(terms)
        self.blocked, self.diagonal, self.places = blocked, diagonal, places
        rank = [np.asarray(r) for r in (ranks or (range(len(labels[0])), range(len(labels[1]))))]
        self.below = [np.searchsorted(rank[1 - p], rank[p], side="left") for p in (0, 1)]
        self.not_above = [np.searchsorted(rank[1 - p], rank[p], side="right") for p in (0, 1)]
        self.in_step = len(rank[0]) == len(rank[1]) and all(
            np.array_equal(self.below[p], np.arange(len(rank[p])))
            and np.array_equal(self.not_above[p], self.below[p] + 1)
            for p in (0, 1)
        )

    @cached_property
    def floats(self) -> RankedDeal:
        return self.with_arrays(
            [(as_floats(u), as_floats(v)) for u, v in self.terms],
            None if self.blocked is None else as_floats(self.blocked),
            None if self.diagonal is None else as_floats(self.diagonal),
        )

    def with_arrays(
        self, terms: Sequence[tuple[Array, Array]], blocked: Array | None, diagonal: Array | None
    ) -> RankedDeal:
        """The same hands with these probabilities, as floats."""
        out = copy(self)
        out.__dict__.update(terms=list(terms), blocked=blocked, diagonal=diagonal, floats=out, in_floats=True)
        return out

    def moved(self, put: Put) -> RankedDeal:
        there = self.floats
        terms = [(put(u), put(v)) for u, v in there.terms]
        blocked, diagonal = (None if a is None else put(a) for a in (there.blocked, there.diagonal))
        out = there.with_arrays(terms, blocked, diagonal)
        if not self.in_step:
            out.below, out.not_above = [put(a) for a in self.below], [put(a) for a in self.not_above]
        return out

    in_floats = False

    def constant(self, player: int, value: Number) -> Any:
        if not self.in_floats:
            return super().constant(player, value)
        like = self.terms[0][player]
        return namespace(like).full_like(like, float(value))

    def mass(self, player: int, weight: Array) -> Any:
        out: Any = None
        for pair in self.terms:
            law = pair[1 - player]
            met = pair[player] * (law @ weight)
            out = met if out is None else out + met
        return out if self.blocked is None else out - self.blocked * weight

    def edge(self, player: int, weight: Array) -> Any:
        out: Any = None
        for pair in self.terms:
            weighted = pair[1 - player] * weight
            running = namespace(weighted).cumsum(weighted, 0)
            if self.in_step:  # hand i beats those below it and ties with hand i
                net = running + running
                net -= weighted
            else:
                padded = namespace(weighted).concatenate((weighted[:1] * 0, running))
                net = padded[self.below[player]] + padded[self.not_above[player]]
            net -= running[-1]
            net *= pair[player]
            out = net if out is None else out + net
        return out if self.diagonal is None else out + (1 - 2 * player) * self.diagonal * weight

    def compare(self, mine: int, theirs: int) -> Number:
        won = int(theirs < self.below[0][mine]) - int(theirs >= self.not_above[0][mine])
        if mine != theirs or self.diagonal is None:
            return won
        met = sum(u[mine] * v[theirs] for u, v in self.terms)
        return won + self.diagonal[mine] / (met if self.blocked is None else met - self.blocked[mine])

    def table(self) -> DealTable:
        if self.size(0) * self.size(1) <= MOST_PAIRS:
            return super().table()
        law = self.floats
        priors, (below, not_above) = (law.prior(0), law.prior(1)), (self.below[0], self.not_above[0])
        return ranked_table(law.terms, priors, below, not_above, law.blocked, law.diagonal)

    @cached_property
    def _running(self) -> tuple[Array, list[tuple[Array, Array]]]:
        """Running sums of player 0's law, and of player 1's half of each term beside player 0's."""
        return np.cumsum(self.chances()), [(u, np.cumsum(v)) for u, v in self.floats.terms]

    def sample(self, rng: np.random.Generator) -> tuple[int, int]:
        """Deal two hands, each found by halving."""
        first, terms = self._running
        mine = int(np.searchsorted(first, rng.random() * first[-1], side="right"))
        blocked = 0.0 if self.floats.blocked is None else float(self.floats.blocked[mine])
        shares = [(float(u[mine]), running) for u, running in terms]

        def below(theirs: int) -> float:
            """The probability of `mine` with a hand up to `theirs`."""
            met = -blocked if theirs >= mine else 0.0
            for share, running in shares:
                met += share * running[theirs]
            return met

        last = len(self.labels[1]) - 1
        return mine, bisect_right(range(last), rng.random() * below(last), key=below)
