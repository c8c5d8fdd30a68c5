"""The laws that hands are dealt by: cards, hands on [0, 1], and independent hands of any probabilities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

import numpy as np

from relance.model.deal import Deal, RankedDeal
from relance.model.numbers import Number
from relance.model.piecewise import Piecewise


class IntervalDeal(Deal):
    """Hands on [0, 1], the higher wins; joint density sum_t terms[t][0](x) * terms[t][1](y), all Piecewise."""

    def __init__(self, terms: Sequence[tuple[Piecewise, Piecewise]]) -> None:
        self.terms = list(terms)

    def mass(self, player: int, weight: Piecewise) -> Piecewise:
        return sum(
            (pair[player] * (pair[1 - player] * weight).integral() for pair in self.terms), Piecewise.constant(0)
        )

    def edge(self, player: int, weight: Piecewise) -> Piecewise:
        out = Piecewise.constant(0)
        for pair in self.terms:
            running = (pair[1 - player] * weight).cumulative()
            out = out + pair[player] * (running * 2 - running(running.cuts[-1]))
        return out

    def constant(self, player: int, value: Number) -> Piecewise:
        return Piecewise.constant(value)

    def total(self, values: Piecewise) -> Number:
        return values.integral()

    def pick_best(self, values: Sequence[Piecewise]) -> list[Piecewise]:
        best, chosen = values[0], [Piecewise.constant(1)]
        for value in values[1:]:
            keep = (best - value).where_nonnegative()
            best = keep * best + (1 - keep) * value
            chosen = [keep * mine for mine in chosen] + [1 - keep]
        return [mine.simplified() for mine in chosen]

    def sample(self, rng: np.random.Generator) -> tuple[float, float]:
        if not self.uniform:
            raise NotImplementedError("sampling of hands that are not uniform and independent")
        mine, theirs = rng.random(2).tolist()
        return mine, theirs

    @cached_property
    def uniform(self) -> bool:
        """Whether the hands are independent and uniform."""
        one = Piecewise.constant(1)
        return len(self.terms) == 1 and self.terms[0] == (one, one)

    def compare(self, mine: float, theirs: float) -> int:
        return int(mine > theirs) - int(mine < theirs)

    def cells(self, cuts: Sequence[Number]) -> RankedDeal:
        """The same hands known only up to the cell between two neighbouring `cuts` (from 0 to 1).

        Exactly the game restricted to strategies that are constant on cells: two hands in one cell meet with their true
        expected edge, which is 0 where both have the same law.
        """
        spans = list(pairwise(cuts))
        indicator = [Piecewise.steps([(a, b, 1)]) for a, b in spans]
        terms = [tuple(np.array([f.integral(a, b) for a, b in spans], object) for f in pair) for pair in self.terms]
        diagonal = np.array(
            [
                sum(
                    ((u * c * ((v * c).cumulative() * 2 - (v * c).integral())).integral() for u, v in self.terms),
                    Fraction(0),
                )
                for c in indicator
            ],
            object,
        )
        labels = [f"[{a}, {b}]" for a, b in spans]
        centre = np.array([float(a + b) / 2 for a, b in spans])
        return RankedDeal(
            (labels, labels),
            [(t[0], t[1]) for t in terms],
            diagonal=diagonal if any(d != 0 for d in diagonal) else None,
            places=(centre, centre),
        )

    def grid(self, hands: int) -> RankedDeal:
        """`cells` with `hands` equal cells."""
        return self.cells([Fraction(i, hands) for i in range(hands + 1)])


def cards(labels: Sequence[str]) -> RankedDeal:
    """One card each from a deck with one card of each label, weakest first, without replacement."""
    n = len(labels)
    ones = np.full(n, Fraction(1), object)
    each = np.full(n, Fraction(1, n * (n - 1)), object)
    return RankedDeal((labels, labels), [(ones, each)], blocked=each)


def uniform() -> IntervalDeal:
    """Independent hands, uniform on [0, 1]."""
    return IntervalDeal([(Piecewise.constant(1), Piecewise.constant(1))])


def density(first: Sequence[Number], second: Sequence[Number]) -> IntervalDeal:
    """Independent hands with polynomial densities on [0, 1], coefficients from the constant up."""
    return IntervalDeal([(Piecewise((0, 1), (tuple(first),)), Piecewise((0, 1), (tuple(second),)))])


def fgm(theta: Number) -> IntervalDeal:
    """The Farlie-Gumbel-Morgenstern density 1 + theta (2x - 1)(2y - 1): uniform marginals, correlation theta / 3."""
    one, slope = Piecewise.constant(1), Piecewise((0, 1), ((-1, 2),))
    return IntervalDeal([(one, one), (slope * theta, slope)])


def independent(first: Mapping[str, tuple[Number, int]], second: Mapping[str, tuple[Number, int]]) -> RankedDeal:
    """Independent hands: for each player his hands as label: (probability, rank); the higher rank wins, equal ranks tie."""
    sides = [sorted(side.items(), key=lambda hand: hand[1][1]) for side in (first, second)]
    labels = [[label for label, _ in side] for side in sides]
    laws = [np.array([probability for _, (probability, _) in side], object) for side in sides]
    ranks = [[rank for _, (_, rank) in side] for side in sides]
    return RankedDeal((labels[0], labels[1]), [(laws[0], laws[1])], ranks=(ranks[0], ranks[1]))
