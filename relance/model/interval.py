"""Hands on [0, 1]: any density that is a sum of products of polynomials, and the bivariate normal law."""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cached_property, partial
from itertools import pairwise

import numpy as np

from relance.model.arrays import Floats
from relance.model.deal import Array, DealOf, FiniteDeal
from relance.model.deal_table import NORMAL, DealTable, density_table
from relance.model.grid import EqualCuts, GridDeal
from relance.model.matrix_deal import MatrixDeal
from relance.model.numbers import Number
from relance.model.piecewise import Piecewise
from relance.model.ranked_deal import RankedDeal

MOST_NORMAL = 5_000
"""The most cells of a normal law: three matrices of all pairs, which take 0.6 GB."""


class IntervalDeal(DealOf[Piecewise]):
    """Hands on [0, 1]; the higher wins."""

    def cells(self, cuts: Sequence[Number], before: IntervalDeal | None = None) -> FiniteDeal:
        """The deal in which players know only which cell their hand is in. Each cell lies between two neighbouring `cuts` (from 0 to 1).

        This is the game restricted to strategies that are constant on each cell. Two hands in the same cell have their true
        expected edge, which is 0 if both players' hands have the same law there. A player's cells leave out those never dealt to them:
        by this deal, or by the deal `before` any event.
        """
        before = before or self
        return self.carry(self._cells(cuts, before), lambda deal: deal.cells(cuts, before))

    @abstractmethod
    def _cells(self, cuts: Sequence[Number], before: IntervalDeal) -> FiniteDeal:
        """`cells`, without events and contests."""

    @abstractmethod
    def conditional(self, player: int) -> Callable[[float, float], float]:
        """The function (t, x) -> P(the opponent's hand is below t | the hand of `player` is x), in floats."""

    def constant(self, player: int, value: Number) -> Piecewise:
        return Piecewise.constant(value)

    def total(self, values: Piecewise) -> Number:
        return values.integral()

    def compare(self, mine: float, theirs: float) -> int:
        return int(mine > theirs) - int(mine < theirs)


class DensityDeal(IntervalDeal):
    """Joint density sum_t terms[t][0](x) * terms[t][1](y), where each factor is a Piecewise polynomial.

    Everything is exact for independent hands with piecewise constant densities. With other densities a best response may
    change its action at a point that is not a fraction. That point is then located to within `precision`, which understates
    the value of the best response by less than `precision` times the stakes.
    """

    def __init__(self, terms: Sequence[tuple[Piecewise, Piecewise]], precision: Fraction | None = None) -> None:
        self.terms = list(terms)
        self.precision = precision

    def mass(self, player: int, weight: Piecewise) -> Piecewise:
        parts = (pair[player] * (pair[1 - player] * weight).integral() for pair in self.terms)
        return sum(parts, Piecewise.constant(0))

    def edge(self, player: int, weight: Piecewise) -> Piecewise:
        out = Piecewise.constant(0)
        for pair in self.terms:
            running = (pair[1 - player] * weight).cumulative()
            out = out + pair[player] * (running * 2 - running(running.cuts[-1]))
        return out

    def pick_best(self, values: Sequence[Piecewise]) -> list[Piecewise]:
        best, chosen = values[0], [Piecewise.constant(1)]
        for value in values[1:]:
            keep = self.at_least_zero(best - value)
            best = keep * best + (1 - keep) * value
            chosen = [keep * mine for mine in chosen] + [1 - keep]
        return [mine.simplified() for mine in chosen]

    def at_least_zero(self, gap: Piecewise) -> Piecewise:
        """1 on the hands with a gap of at least 0 between two actions, and 0 elsewhere."""
        return gap.where_nonnegative(self.precision)

    @cached_property
    def _floats(self) -> list[tuple[Callable[[float], float], Callable[[float], float]]]:
        return [(_as_float(u), _as_float(v)) for u, v in self.terms]

    @cached_property
    def _bound(self) -> float:
        return sum(_bound(u) * _bound(v) for u, v in self.terms)

    @cached_property
    def is_uniform(self) -> bool:
        """True if the hands are independent and uniform."""
        return self.terms == [(Piecewise.constant(1), Piecewise.constant(1))]

    def sample(self, rng: np.random.Generator) -> tuple[float, float]:
        """Deal two hands by rejection sampling, which is quick because the densities have small bounds."""
        if self.is_uniform:
            mine, theirs = rng.random(2).tolist()
            return mine, theirs
        while True:
            mine, theirs, height = rng.random(3).tolist()
            if height * self._bound < sum(u(mine) * v(theirs) for u, v in self._floats):
                return mine, theirs

    def conditional(self, player: int) -> Callable[[float, float], float]:
        terms = [(_rounded(pair[player]), _rounded(pair[1 - player].cumulative())) for pair in self.terms]
        if len(terms) == 1:  # independent: the player's own density cancels; in floats it could underflow to 0
            ((_, theirs),) = terms
            return lambda t, x: theirs(t) / theirs(1.0)

        def below(t: float, x: float) -> float:
            met = [(own(x), theirs(t), theirs(1.0)) for own, theirs in terms]
            return sum(o * s for o, s, _ in met) / sum(o * s for o, _, s in met)

        return below

    def table(self) -> DealTable:
        return density_table(self.terms, (self.prior(0), self.prior(1)))

    def pair(self, mine: float, theirs: float) -> Number:
        density: Number = sum(u(mine) * v(theirs) for u, v in self._floats)
        return density

    def _cells(self, cuts: Sequence[Number], before: IntervalDeal) -> FiniteDeal:
        assert isinstance(before, DensityDeal)
        smooth = all(len(f.pieces) == 1 for pair in (*self.terms, *before.terms) for f in pair)
        exact = partial(self._exact_cells, cuts, before)
        return GridDeal(self.terms, cuts, exact) if isinstance(cuts, EqualCuts) and smooth else exact()

    def _exact_cells(self, cuts: Sequence[Number], before: DensityDeal) -> FiniteDeal:
        spans = list(pairwise(cuts))

        def masses(f: Piecewise) -> Array:
            return np.diff(np.array([*map(f.cumulative(), cuts)], object))

        ties = self._edges_within(cuts)
        first, second = ([i for i, p in enumerate(masses(before.prior(player))) if p != 0] for player in (0, 1))
        names, middles = [f"[{a}, {b}]" for a, b in spans], np.array([float(a + b) / 2 for a, b in spans])
        labels = [names[i] for i in first], [names[i] for i in second]
        places = middles[first], middles[second]
        terms = [(masses(u)[first], masses(v)[second]) for u, v in self.terms]
        if len(first) == len(second) == len(spans):
            return RankedDeal(labels, terms, diagonal=ties if any(tie != 0 for tie in ties) else None, places=places)
        met = np.asarray(sum(masses(u) * masses(v) for u, v in self.terms))
        signs = [next((s for s in (0, 1, -1) if tie == s * both), None) for tie, both in zip(ties, met, strict=True)]
        if None not in signs:  # in each cell that both may have, the same player always wins, or nobody on average
            ranks = [2 * i + (signs[i] or 0) for i in first], [2 * j for j in second]
            return RankedDeal(labels, terms, ranks=ranks, places=places)
        joint = np.asarray(sum(np.outer(u, v) for u, v in terms))
        edge = [
            [_ratio(ties[i], joint[row, column]) if i == j else (i > j) - (i < j) for column, j in enumerate(second)]
            for row, i in enumerate(first)
        ]
        return MatrixDeal(labels, joint, np.array(edge, object), places=places)

    def _edges_within(self, cuts: Sequence[Number]) -> Array:
        """(cells,) the expected edge times the probability that both hands lie in the cell."""
        out = np.full(len(cuts) - 1, Fraction(0), object)
        for u, v in self.terms:
            theirs = v.cumulative()
            mine, won, lost = (np.array([*map(f.cumulative(), cuts)], object) for f in (u, u * theirs, v))
            out = out + 2 * np.diff(won) - (lost[:-1] + lost[1:]) * np.diff(mine)
        return out


class NormalDeal(IntervalDeal):
    """The quantiles of two normal hands with correlation `rho`; each is uniform on [0, 1].

    This law has no exact arithmetic: games are played on [0, 1] but scored on cells, with float probabilities.
    """

    is_exact = False

    def __init__(self, rho: Fraction) -> None:
        self.rho = rho

    def mass(self, player: int, weight: Piecewise) -> Piecewise:
        raise ValueError("hands with a normal law are not scored on [0, 1]; use game.grid(n)")

    edge = mass

    def prior(self, player: int) -> Piecewise:
        return Piecewise.constant(1)

    def pick_best(self, values: Sequence[Piecewise]) -> list[Piecewise]:
        raise ValueError("hands with a normal law are not scored on [0, 1]; use game.grid(n)")

    def sample(self, rng: np.random.Generator) -> tuple[float, float]:
        from scipy.special import ndtr

        x, z = rng.standard_normal(2).tolist()
        rho = float(self.rho)
        return float(ndtr(x)), float(ndtr(rho * x + (1 - rho * rho) ** 0.5 * z))

    def conditional(self, player: int) -> Callable[[float, float], float]:
        from scipy.special import ndtr, ndtri

        rho = float(self.rho)
        return lambda t, x: float(ndtr((ndtri(t) - rho * ndtri(x)) / (1 - rho * rho) ** 0.5))

    def table(self) -> DealTable:
        return DealTable(kind=NORMAL, rho=float(self.rho))

    def pair(self, mine: float, theirs: float) -> Number:
        raise ValueError("no event follows hands with a normal law")

    def _cells(self, cuts: Sequence[Number], before: IntervalDeal) -> MatrixDeal:
        from scipy.special import ndtr, ndtri

        count = len(cuts) - 1
        if count > MOST_NORMAL:
            raise ValueError(
                f"{count:,} cells of the normal law are too many: each pair has its own probability; take {MOST_NORMAL:,}"
            )
        border = ndtri(np.array([float(c) for c in cuts]))
        below = _both_below(np.clip(border, -40, 40), float(self.rho))
        joint = np.clip(np.diff(np.diff(below, axis=0), axis=1), 0, None)
        joint /= joint.sum()
        edge = np.sign(np.subtract.outer(np.arange(count), np.arange(count))).astype(float)
        labels = [f"[{a}, {b}]" for a, b in pairwise(cuts)]
        places = (ndtr(border)[:-1] + ndtr(border)[1:]) / 2
        return MatrixDeal((labels, labels), joint, edge, places=(places, places))


def _both_below(border: Floats, rho: float) -> Floats:
    """P(x <= border[i], y <= border[j]) for normal x and y with correlation `rho`, to 1e-15: two of Owen's T functions (Owen 1956)."""
    from scipy.special import ndtr, owens_t

    h, k = border[:, None], border[None, :]
    with np.errstate(divide="ignore", invalid="ignore"):
        slope = (k / h - rho) / np.sqrt(1 - rho * rho)
    slope = np.where(h != 0, slope, np.where(k != 0, np.copysign(np.inf, k), np.sqrt((1 - rho) / (1 + rho))))
    part = owens_t(h, slope)
    apart = (h * k < 0) | ((h * k == 0) & (h + k < 0))
    out: Floats = (ndtr(h) + ndtr(k) - apart) / 2 - part - part.T
    return out


def _ratio(part: Number, whole: Number) -> Number:
    """The ratio, 0 where the whole is 0."""
    return part / whole if whole else whole


def _rounded(f: Piecewise) -> Callable[[float], float]:
    """`f` as a function of floats, computed exactly and rounded once."""
    return lambda x: float(f(min(max(Fraction(x), Fraction(0)), Fraction(1))))


def _as_float(f: Piecewise) -> Callable[[float], float]:
    cuts = [float(c) for c in f.cuts[1:-1]]
    pieces = [[float(c) for c in p] or [0.0] for p in f.pieces]

    def value(x: float) -> float:
        total = 0.0
        for coefficient in reversed(pieces[bisect_right(cuts, x)]):
            total = total * x + coefficient
        return total

    return value


def _bound(f: Piecewise) -> float:
    """A bound on |f|: the sum of the absolute coefficients, since hands are at most 1."""
    return max(sum(abs(float(c)) for c in p) for p in f.pieces)
