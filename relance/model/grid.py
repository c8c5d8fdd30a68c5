"""Grids on [0, 1]: equal cells, made when they are asked for."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, Protocol, overload

import numpy as np

from relance.model.deal import FiniteDeal
from relance.model.numbers import Number
from relance.model.piecewise import Piecewise
from relance.model.ranked_deal import RankedDeal


class EqualCuts(Sequence[Fraction]):
    """The borders 0, 1/n, ..., 1 of n equal cells, made when they are asked for."""

    def __init__(self, parts: int) -> None:
        self.parts = parts

    def __len__(self) -> int:
        return self.parts + 1

    @overload
    def __getitem__(self, i: int) -> Fraction: ...
    @overload
    def __getitem__(self, i: slice) -> Sequence[Fraction]: ...
    def __getitem__(self, i: int | slice) -> Fraction | Sequence[Fraction]:
        if isinstance(i, slice):
            return [self[k] for k in range(*i.indices(len(self)))]
        k = range(len(self))[i]
        return Fraction(k, self.parts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, EqualCuts) and other.parts == self.parts

    def __hash__(self) -> int:
        return hash(("equal cuts", self.parts))


class _CellNames(Sequence[str]):
    """The names of equal cells, made when they are asked for."""

    def __init__(self, cuts: EqualCuts) -> None:
        self.cuts = cuts

    def __len__(self) -> int:
        return self.cuts.parts

    @overload
    def __getitem__(self, i: int) -> str: ...
    @overload
    def __getitem__(self, i: slice) -> Sequence[str]: ...
    def __getitem__(self, i: int | slice) -> str | Sequence[str]:
        if isinstance(i, slice):
            return [self[k] for k in range(*i.indices(len(self)))]
        k = range(len(self))[i]
        return f"[{self.cuts[k]}, {self.cuts[k + 1]}]"


class Density(Protocol):
    """A joint density, as `relance.model.laws.DensityDeal`: a sum of products of polynomials."""

    terms: list[tuple[Piecewise, Piecewise]]

    def exact_cells(self, cuts: Sequence[Number]) -> FiniteDeal:
        """The cells between these cuts, with all probabilities."""


class GridDeal(RankedDeal):
    """Equal cells of smooth densities: exact probabilities are computed when asked for, floats without them.

    So a grid of a million hands costs a few arrays of floats.
    """

    def __init__(self, law: Density, cuts: EqualCuts) -> None:
        names = _CellNames(cuts)
        self.law, self.cuts, self.labels = law, cuts, (names, names)
        self.blocked, self.in_step = None, True

    on_interval = True

    @cached_property
    def _exact(self) -> RankedDeal:
        made = self.law.exact_cells(self.cuts)
        assert isinstance(made, RankedDeal)
        return made

    # Attributes of the parent, here worked out when first asked for: mypy knows no such override, hence the ignores.

    @cached_property
    def terms(self) -> list[tuple[Any, Any]]:  # type: ignore[override]  # as above
        return self._exact.terms

    @cached_property
    def diagonal(self) -> Any:  # type: ignore[override]  # as above
        return self._exact.diagonal

    @cached_property
    def below(self) -> list[Any]:  # type: ignore[override]  # as above
        return [np.arange(self.cuts.parts)] * 2

    @cached_property
    def not_above(self) -> list[Any]:  # type: ignore[override]  # as above
        return [np.arange(1, self.cuts.parts + 1)] * 2

    @cached_property
    def places(self) -> Any:  # type: ignore[override]  # as above
        middles = (np.arange(self.cuts.parts) + 0.5) / self.cuts.parts
        return middles, middles

    @cached_property
    def floats(self) -> RankedDeal:
        terms = [(self._masses(u), self._masses(v)) for u, v in self.law.terms]
        one_law = all(_proportional(u, v) for u, v in self.law.terms)
        return self.with_arrays(terms, None, None if one_law else self._ties())

    @cached_property
    def _rule(self) -> tuple[Any, Any]:
        """Gauss nodes and weights on [-1, 1] that are exact for all integrals of this law."""
        degree = max(len(u.pieces[0]) + len(v.pieces[0]) for u, v in self.law.terms)
        return np.polynomial.legendre.leggauss(degree // 2 + 1)

    def _points(self) -> tuple[Any, float]:
        """Gauss points in every cell, shape (cells, nodes), and half the width of a cell."""
        half = 0.5 / self.cuts.parts
        middles, _ = self.places
        return middles[:, None] + half * self._rule[0], half

    def _masses(self, f: Piecewise) -> Any:
        if len(f.pieces[0]) <= 1:
            return np.full(self.cuts.parts, float(f.pieces[0][0] if f.pieces[0] else 0) / self.cuts.parts)
        points, half = self._points()
        return half * (_polynomial(f, points) @ self._rule[1])

    def _ties(self) -> Any:
        """The expected edge times the probability that both hands lie in the cell."""
        nodes, weights = self._rule
        points, half = self._points()
        out = np.zeros(self.cuts.parts)
        for u, v in self.law.terms:
            mass = self._masses(v)
            for k, weight in enumerate(weights):
                part = half * (nodes[k] + 1) / 2  # half the way from the left border to point k
                inner = points[:, k : k + 1] - part + part * nodes
                below = part * (_polynomial(v, inner) @ weights)
                out += half * weight * _polynomial(u, points[:, k]) * (2 * below - mass)
        return out


def _polynomial(f: Piecewise, x: Any) -> Any:
    return np.polynomial.polynomial.polyval(x, [float(c) for c in f.pieces[0]])


def _proportional(u: Piecewise, v: Piecewise) -> bool:
    third = Fraction(1, 3)
    return not any((u * v(third) - v * u(third)).pieces)
