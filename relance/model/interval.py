"""Deals of hands on [0, 1]: a joint density that is a sum of products of polynomials, or cells of two normal hands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cached_property, partial
from itertools import pairwise
from operator import mul

import numpy as np

from relance.model.arrays import Floats
from relance.model.cells import Curves
from relance.model.deal import Array, DealOf, FiniteDeal
from relance.model.deal_table import DealTable, density_table
from relance.model.grid import CellNames, EqualCuts, GridDeal
from relance.model.matrix_deal import MatrixDeal
from relance.model.numbers import Number
from relance.model.piecewise import Piecewise
from relance.model.ranked_deal import RankedDeal


class DensityDeal(DealOf[Piecewise]):
    """Hands x of player 0 and y of player 1 on [0, 1], with the joint density sum_t terms[t][0](x) * terms[t][1](y).

    Each factor is a `Piecewise` polynomial. Results are exact for independent hands with piecewise constant densities. With other densities
    a best response may change its action at a point that is not a fraction. The point is then located to within `precision`, and the best
    response's value is too low by less than `precision` times the stakes; if `precision` is None, `NotExactError` is raised.
    """

    def __init__(self, terms: Sequence[tuple[Piecewise, Piecewise]], precision: Fraction | None = None) -> None:
        self.terms = list(terms)
        self.precision = precision

    def constant(self, player: int, value: Number) -> Piecewise:
        return Piecewise.constant(value)

    def total(self, values: Piecewise) -> Number:
        return values.integral()

    def compare(self, mine: float, theirs: float) -> int:
        return int(mine > theirs) - int(mine < theirs)

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
        """Return 1 on the hands where `gap`, one action's value minus another's, is at least 0, and 0 on the others."""
        return gap.where_nonnegative(self.precision)

    @cached_property
    def _floats(self) -> tuple[Curves, Curves]:
        """Each player's factors of all terms."""
        return Curves([u for u, _ in self.terms]), Curves([v for _, v in self.terms])

    @cached_property
    def _bound(self) -> float:
        """A bound on the density: at most the sum of a factor's absolute coefficients, since hands are at most 1."""
        first, second = (np.abs(of.coefficients).sum(axis=0).max(axis=0).tolist() for of in self._floats)
        bound: float = sum(map(mul, first, second))
        return bound

    @cached_property
    def is_uniform(self) -> bool:
        """True if the hands are independent and uniform."""
        return self.terms == [(Piecewise.constant(1), Piecewise.constant(1))]

    def sample(self, rng: np.random.Generator) -> tuple[float, float]:
        """Deal player 0's and player 1's hand by rejection sampling; quick, because densities have small bounds."""
        if self.is_uniform:
            mine, theirs = rng.random(2).tolist()
            return mine, theirs
        while True:
            mine, theirs, height = rng.random(3).tolist()
            if height * self._bound < self.pair(mine, theirs):
                return mine, theirs

    def conditional(self, player: int) -> Callable[[float, float], float]:
        """The function (t, x) -> P(the opponent's hand is below t | the hand of `player` is x), in floats."""
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

    def pair(self, mine: float, theirs: float) -> float:
        first, second = self._floats
        density: float = sum(map(mul, first.at(mine), second.at(theirs)))
        return density

    def cells(self, cuts: Sequence[Number], before: DensityDeal | None = None) -> FiniteDeal:
        """Return the deal in which players know only the cell of their hand; cells lie between neighbours in `cuts`, which go from 0 to 1.

        Strategies are then constant on each cell. Two hands in one cell have the edge P(player 0's is higher) - P(it is lower): 0 if they
        are distributed alike. Cells that a player never gets before any event, in the deal `before` (default: this one), are left out.
        """
        before = before or self
        smooth = all(len(f.pieces) == 1 for pair in (*self.terms, *before.terms) for f in pair)
        exact = partial(self._exact_cells, cuts, before)
        out = GridDeal(self.terms, cuts, exact) if isinstance(cuts, EqualCuts) and smooth else exact()
        out.cuts = cuts
        return self.carry(out, lambda deal: deal.cells(cuts, before))

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


class NormalDeal(MatrixDeal):
    """Two normally distributed hands with correlation `rho`; players know only which of `cells` equally likely cells theirs is in.

    A cell is named by its quantiles, as if the hand were uniform on [0, 1]. Probabilities are floats.
    """

    def __init__(self, rho: Fraction, cells: int) -> None:
        from scipy.special import ndtri

        self.rho = rho
        border = ndtri(np.arange(cells + 1) / cells)
        below = _both_below(np.clip(border, -40, 40), float(rho))
        joint = np.clip(np.diff(np.diff(below, axis=0), axis=1), 0, None)
        edge = np.sign(np.subtract.outer(np.arange(cells), np.arange(cells))).astype(float)
        cuts, middles = EqualCuts(cells), (np.arange(cells) + 0.5) / cells
        super().__init__((CellNames(cuts), CellNames(cuts)), joint / joint.sum(), edge, places=(middles, middles))
        self.cuts = cuts

    def conditional(self, player: int) -> Callable[[float, float], float]:
        """The function (t, x) -> P(opponent's quantile is below t | quantile of `player` is x); t and x are exact quantiles, not cells."""
        from scipy.special import ndtr, ndtri

        rho = float(self.rho)
        return lambda t, x: float(ndtr((ndtri(t) - rho * ndtri(x)) / (1 - rho * rho) ** 0.5))


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
