"""The laws that hands are dealt by: cards, hands on [0, 1], and independent hands of any probabilities."""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from relance.model.deal import Deal, FiniteDeal, HandFunction
from relance.model.deal_table import DealTable, density_table, normal_table
from relance.model.grid import EqualCuts, GridDeal
from relance.model.matrix_deal import MatrixDeal
from relance.model.numbers import Number, did_you_mean, exact, show
from relance.model.piecewise import Piecewise
from relance.model.ranked_deal import RankedDeal

_ONE = Fraction(1)


class IntervalDeal(Deal):
    """Hands on [0, 1]; the higher wins."""

    @abstractmethod
    def cells(self, cuts: Sequence[Number]) -> FiniteDeal:
        """The same hands known only up to the cell between two neighbouring `cuts` (from 0 to 1).

        Exactly the game restricted to strategies that are constant on cells: two hands in one cell meet with their true
        expected edge, which is 0 where both have the same law. Cells that a player is never dealt are left out for him.
        """

    def grid(self, hands: int) -> FiniteDeal:
        """`cells` with `hands` equal cells."""
        return self.cells(EqualCuts(hands))

    def constant(self, player: int, value: Number) -> Piecewise:
        return Piecewise.constant(value)

    def total(self, values: Piecewise) -> Number:
        return values.integral()

    def compare(self, mine: float, theirs: float) -> int:
        return int(mine > theirs) - int(mine < theirs)


class DensityDeal(IntervalDeal):
    """Joint density sum_t terms[t][0](x) * terms[t][1](y), all Piecewise polynomials.

    Everything is exact for independent hands with piecewise constant densities. With other densities a best response may
    change its action at a point that is no fraction; it is then found to within `precision`, and what a best response
    earns is understated by less than that times the stakes.
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
            keep = (best - value).where_nonnegative(self.precision)
            best = keep * best + (1 - keep) * value
            chosen = [keep * mine for mine in chosen] + [1 - keep]
        return [mine.simplified() for mine in chosen]

    @cached_property
    def _floats(self) -> list[tuple[Callable[[float], float], Callable[[float], float]]]:
        return [(_as_float(u), _as_float(v)) for u, v in self.terms]

    @cached_property
    def _bound(self) -> float:
        return sum(_bound(u) * _bound(v) for u, v in self.terms)

    @cached_property
    def uniform(self) -> bool:
        """Whether the hands are independent and uniform."""
        return self.terms == [(Piecewise.constant(1), Piecewise.constant(1))]

    def sample(self, rng: np.random.Generator) -> tuple[float, float]:
        """By rejection: the densities here are bounded by small numbers."""
        if self.uniform:
            mine, theirs = rng.random(2).tolist()
            return mine, theirs
        while True:
            mine, theirs, height = rng.random(3).tolist()
            if height * self._bound < sum(u(mine) * v(theirs) for u, v in self._floats):
                return mine, theirs

    def table(self) -> DealTable:
        return density_table(self.terms, (self.prior(0), self.prior(1)))

    def cells(self, cuts: Sequence[Number]) -> FiniteDeal:
        smooth = all(len(f.pieces) == 1 for pair in self.terms for f in pair)
        return GridDeal(self, cuts) if isinstance(cuts, EqualCuts) and smooth else self.exact_cells(cuts)

    def exact_cells(self, cuts: Sequence[Number]) -> FiniteDeal:
        """`cells`, with all its probabilities computed at once."""
        spans = list(pairwise(cuts))
        terms = [[np.array([f.integral(a, b) for a, b in spans], object) for f in pair] for pair in self.terms]
        diagonal = np.array([self._edge_within(a, b) for a, b in spans], object)
        prior = [np.array([self.prior(player).integral(a, b) for a, b in spans], object) for player in (0, 1)]
        keep = [[i for i, p in enumerate(law) if p != 0] for law in prior]
        labels = [[f"[{spans[i][0]}, {spans[i][1]}]" for i in side] for side in keep]
        places = tuple(np.array([float(sum(spans[i])) / 2 for i in side]) for side in keep)
        kept = [(u[keep[0]], v[keep[1]]) for u, v in terms]
        sides, spots = (labels[0], labels[1]), (places[0], places[1])
        if all(len(side) == len(spans) for side in keep):
            return RankedDeal(sides, kept, diagonal=diagonal if any(d != 0 for d in diagonal) else None, places=spots)
        if all(diagonal[i] == 0 for i in set(keep[0]) & set(keep[1])):
            return RankedDeal(sides, kept, ranks=(keep[0], keep[1]), places=spots)
        joint = np.asarray(sum(np.outer(u, v) for u, v in kept))
        edge = [
            [diagonal[i] / joint[r, c] if i == j else (i > j) - (i < j) for c, j in enumerate(keep[1])]
            for r, i in enumerate(keep[0])
        ]
        return MatrixDeal(sides, joint, np.array(edge, object), places=spots)

    def _edge_within(self, a: Number, b: Number) -> Number:
        """The expected edge times the probability that both hands lie in [a, b]."""
        inside = Piecewise.steps([(a, b, 1)])
        total: Number = Fraction(0)
        for u, v in self.terms:
            theirs = v * inside
            total = total + (u * inside * (theirs.cumulative() * 2 - theirs.integral())).integral()
        return total


class NormalDeal(IntervalDeal):
    """Hands with a bivariate normal law, as their quantiles: each is uniform on [0, 1], with correlation `rho` before.

    There is no exact arithmetic for this law: it is played on [0, 1], and scored on cells, with float probabilities.
    """

    is_exact = False

    def __init__(self, rho: Fraction) -> None:
        self.rho = rho

    def mass(self, player: int, weight: HandFunction) -> HandFunction:
        raise ValueError("hands with a normal law are not scored on [0, 1]; use game.grid(n)")

    edge = mass

    def prior(self, player: int) -> Piecewise:
        return Piecewise.constant(1)

    def pick_best(self, values: Sequence[HandFunction]) -> list[HandFunction]:
        raise ValueError("hands with a normal law are not scored on [0, 1]; use game.grid(n)")

    def sample(self, rng: np.random.Generator) -> tuple[float, float]:
        from scipy.special import ndtr

        x, z = rng.standard_normal(2).tolist()
        rho = float(self.rho)
        return float(ndtr(x)), float(ndtr(rho * x + (1 - rho * rho) ** 0.5 * z))

    def table(self) -> DealTable:
        return normal_table(float(self.rho))

    def cells(self, cuts: Sequence[Number]) -> MatrixDeal:
        from scipy.special import ndtr, ndtri
        from scipy.stats import multivariate_normal

        rho, border = float(self.rho), ndtri(np.array([float(c) for c in cuts]))
        finite = np.clip(border, -40, 40)
        x, y = np.meshgrid(finite, finite, indexing="ij")
        below = multivariate_normal([0, 0], [[1, rho], [rho, 1]]).cdf(np.stack([x, y], axis=-1))
        joint = np.clip(np.diff(np.diff(below, axis=0), axis=1), 0, None)
        joint /= joint.sum()
        count = len(cuts) - 1
        edge = np.sign(np.subtract.outer(np.arange(count), np.arange(count))).astype(float)
        labels = [f"[{a}, {b}]" for a, b in pairwise(cuts)]
        places = (ndtr(border)[:-1] + ndtr(border)[1:]) / 2
        return MatrixDeal((labels, labels), joint, edge, places=(places, places))


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
    """No value of `f` is larger in size: the sum of the absolute coefficients, since hands are at most 1."""
    return max(sum(abs(float(c)) for c in p) for p in f.pieces)


def cards(labels: Sequence[str]) -> RankedDeal:
    """One card each from a deck with one card of each label, weakest first, without replacement."""
    n = len(labels)
    ones = np.full(n, _ONE, object)
    each = np.full(n, Fraction(1, n * (n - 1)), object)
    return RankedDeal((labels, labels), [(ones, each)], blocked=each)


def uniform() -> DensityDeal:
    """Independent hands, uniform on [0, 1]."""
    return DensityDeal([(Piecewise.constant(1), Piecewise.constant(1))])


PRECISION = Fraction(1, 2**50)
"""How closely a best response's change of action is found where densities are not piecewise constant."""


def powers(first: int, second: int) -> DensityDeal:
    """Independent hands with distribution functions x^first and y^second, as if each were the best of that many draws."""
    sides = [Piecewise((Fraction(0), _ONE), ((Fraction(0),) * (k - 1) + (Fraction(k),),)) for k in (first, second)]
    return DensityDeal([(sides[0], sides[1])], PRECISION)


def atoms(high: Number) -> DensityDeal:
    """Player 0 has a hand above or below all of player 1's: above with probability `high`.

    A point mass is spread over an interval in which the other has no hands, so that no two hands tie; choosing with a
    probability at the point is choosing a part of the interval.
    """
    third = [(Fraction(i, 3), Fraction(i + 1, 3)) for i in range(3)]
    mine = Piecewise.steps([(*third[0], 3 * (1 - high)), (*third[2], 3 * high)])
    return DensityDeal([(mine, Piecewise.steps([(*third[1], 3)]))])


def fgm(theta: Number) -> DensityDeal:
    """The Farlie-Gumbel-Morgenstern density 1 + theta (2x - 1)(2y - 1): uniform marginals, correlation theta / 3."""
    one, slope = Piecewise.constant(1), Piecewise((Fraction(0), _ONE), ((Fraction(-1), Fraction(2)),))
    return DensityDeal([(one, one), (slope * theta, slope)], PRECISION)


def independent(first: Mapping[str, tuple[Number, int]], second: Mapping[str, tuple[Number, int]]) -> RankedDeal:
    """Independent hands: for each player label: (probability, rank); the higher rank wins, equal ranks tie."""
    sides = [sorted(side.items(), key=lambda hand: hand[1][1]) for side in (first, second)]
    labels = [[label for label, _ in side] for side in sides]
    laws = [np.array([probability for _, (probability, _) in side], object) for side in sides]
    ranks = [[rank for _, (_, rank) in side] for side in sides]
    return RankedDeal((labels[0], labels[1]), [(laws[0], laws[1])], ranks=(ranks[0], ranks[1]))


def joint_law(
    rows: Sequence[str], columns: Sequence[str], joint: Sequence[Sequence[Number]], edge: Sequence[Sequence[Number]]
) -> MatrixDeal:
    """Any joint law and edge of few hands; rows are player 0's hands."""
    tables: list[npt.NDArray[Any]] = [np.array([list(row) for row in table], object) for table in (joint, edge)]
    return MatrixDeal((rows, columns), tables[0], tables[1])


MOST_POWER = 100
"""Densities are polynomials of exact numbers, whose work grows with the square of their degree and more."""


def _whole_power(text: str) -> int:
    if (number := exact(text, "power")).denominator != 1 or not 1 <= number <= MOST_POWER:
        raise ValueError(f"the law's power {text!r} must be a whole number from 1 to {MOST_POWER}")
    return int(number)


def _between(low: int, high: int, strict: bool = False) -> Callable[[str], Fraction]:
    def read(text: str) -> Fraction:
        number: Fraction = exact(text, "the law's parameter")
        if not low <= number <= high or (strict and number in (low, high)):
            raise ValueError(
                f"the law's parameter {text} must be {'between' if strict else 'from'} {low} {'and' if strict else 'to'} {high}"
            )
        return number

    return read


LAWS: dict[str, tuple[Callable[..., IntervalDeal], tuple[Callable[[str], Any], ...]]] = {
    "uniform": (uniform, ()),
    "power": (powers, (_whole_power, _whole_power)),
    "atoms": (atoms, (_between(0, 1, strict=True),)),
    "fgm": (fgm, (_between(-1, 1),)),
    "normal": (NormalDeal, (_between(-1, 1, strict=True),)),
}
"""Laws of two hands on [0, 1] that a game can be made with, by name, and how their parameters are read."""


def law(text: str) -> IntervalDeal:
    """Read a law such as "uniform", "power:2:1", "atoms:1/4", "fgm:-1/2" or "normal:-3/5". Raises ValueError otherwise."""
    name, parameters = _read(text)
    return LAWS[name][0](*parameters)


def law_text(text: str) -> str:
    """The one text of a law that may be written in several ways: "fgm:1/2" for "fgm: 0.5". Raises as `law` does."""
    name, parameters = _read(text)
    return ":".join([name, *map(show, parameters)])


def _read(text: str) -> tuple[str, list[Any]]:
    name, *given = str(text).replace(" ", "").split(":")
    if name not in LAWS:
        raise ValueError(f"there is no law {name!r}" + did_you_mean(name, LAWS))
    readers = LAWS[name][1]
    if len(given) != len(readers):
        raise ValueError(f"the law {name!r} takes {len(readers)} parameter(s) after colons, not {len(given)}: {text!r}")
    return name, [read(value) for read, value in zip(readers, given, strict=True)]
