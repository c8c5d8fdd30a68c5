"""Grids on [0, 1]: equal cells that are computed only when needed."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeVar, overload

import numpy as np

from relance.model.arrays import Floats
from relance.model.deal import Array, FiniteDeal
from relance.model.piecewise import Piecewise
from relance.model.ranked_deal import RankedDeal

T = TypeVar("T")


class _Computed(Sequence[T]):
    """A sequence whose items are computed on access."""

    @abstractmethod
    def item(self, k: int) -> T: ...

    @overload
    def __getitem__(self, i: int) -> T: ...
    @overload
    def __getitem__(self, i: slice) -> Sequence[T]: ...
    def __getitem__(self, i: int | slice) -> T | Sequence[T]:
        places = range(len(self))[i]
        return self.item(places) if isinstance(places, int) else [self.item(k) for k in places]


@dataclass(frozen=True)
class EqualCuts(_Computed[Fraction]):
    """The borders 0, 1/n, ..., 1 of n equal cells of [0, 1], where n is `parts`; a sequence of fractions."""

    parts: int

    def __len__(self) -> int:
        return self.parts + 1

    def item(self, k: int) -> Fraction:
        return Fraction(k, self.parts)


@dataclass(frozen=True)
class CellNames(_Computed[str]):
    """The names of equal cells, such as "[0, 1/9]"; a sequence of text."""

    cuts: EqualCuts

    def __len__(self) -> int:
        return self.cuts.parts

    def item(self, k: int) -> str:
        return f"[{self.cuts[k]}, {self.cuts[k + 1]}]"


class GridDeal(RankedDeal):
    """Hands in equal cells of [0, 1]; the density is a sum of products of one polynomial for each player's hand.

    Arrays are made on first access, and those of floats without making exact ones. So a million hands take only a few arrays.

    Args:
        density: the pairs of polynomials, as the terms of `relance.model.interval.DensityDeal`.
        cuts: the borders of the cells.
        exact: a function that makes the same deal with exact probabilities.
    """

    on_interval = True
    cuts: EqualCuts

    def __init__(
        self, density: Sequence[tuple[Piecewise, Piecewise]], cuts: EqualCuts, exact: Callable[[], FiniteDeal]
    ) -> None:
        names = CellNames(cuts)
        self.density, self.cuts, self.exact, self.labels = density, cuts, exact, (names, names)
        self.blocked, self.in_step = None, True

    def __getattr__(self, name: str) -> Any:
        if name in ("below", "not_above"):
            index = np.arange(self.cuts.parts)
            self.below, self.not_above = [index] * 2, [index + 1] * 2
        elif name in ("terms", "diagonal"):
            exact = self.exact()
            assert isinstance(exact, RankedDeal)
            self.terms, self.diagonal = exact.terms, exact.diagonal
        else:
            raise AttributeError(name)
        return vars(self)[name]

    @cached_property
    def places(self) -> tuple[Array, Array]:  # type: ignore[override]  # the parent class sets it in its constructor
        middles = (np.arange(self.cuts.parts) + 0.5) / self.cuts.parts
        return middles, middles

    @cached_property
    def floats(self) -> RankedDeal:
        distribution = self.density
        gauss = _Gauss(self.cuts.parts, max(len(u.pieces[0]) + len(v.pieces[0]) for u, v in distribution))
        masses = [((mine := gauss.masses(u)), mine if u == v else gauss.masses(v)) for u, v in distribution]
        out = self.with_arrays(masses, None, None if self._one_distribution else gauss.edges(distribution))
        return self.carry(out, lambda deal: deal.floats)

    @property
    def _one_distribution(self) -> bool:
        """True if both players' hands have the same distribution; two hands in one cell then have edge 0 on average."""
        return all(_proportional(u, v) for u, v in self.density)

    @property
    def products(self) -> int:
        return len(self.density)

    @property
    def distribution_rows(self) -> int:
        return sum(1 if u == v else 2 for u, v in self.density) + (not self._one_distribution)


class _Gauss:
    """Integrals over equal cells of [0, 1] by Gauss's rule: exact, up to rounding, for polynomials of low degree.

    Attributes:
        cells: the number of cells.
        nodes, weights: (k,) the nodes and weights of the rule on [-1, 1].
        half: half the width of a cell.
    """

    def __init__(self, cells: int, degree: int) -> None:
        self.nodes, self.weights = np.polynomial.legendre.leggauss(degree // 2 + 1)
        self.cells, self.half = cells, 0.5 / cells

    @cached_property
    def points(self) -> Floats:
        """(cells, k) the nodes in each cell; not needed for constant densities."""
        middles = (np.arange(self.cells) + 0.5) / self.cells
        return np.asarray(middles[:, None] + self.half * self.nodes)

    def masses(self, f: Piecewise) -> Floats:
        """(cells,) the integral of `f` over each cell."""
        if len(f.pieces[0]) <= 1:
            return np.full(self.cells, float(f.pieces[0][0] if f.pieces[0] else 0) / self.cells)
        return np.asarray(self.half * (_polynomial(f, self.points) @ self.weights))

    def edges(self, terms: Sequence[tuple[Piecewise, Piecewise]]) -> Floats:
        """(cells,) the edge of two hands in the same cell: sum over terms of the integral of u(x) (v below x - v above x)."""
        out = np.zeros(self.cells)
        for u, v in terms:
            total = self.masses(v)
            for k, weight in enumerate(self.weights):
                x = self.points[:, k : k + 1]
                half = self.half * (self.nodes[k] + 1) / 2  # half the distance from the cell's left border to x
                below = half * (_polynomial(v, x - half + half * self.nodes) @ self.weights)
                out += self.half * weight * _polynomial(u, x[:, 0]) * (2 * below - total)
        return out


def _polynomial(f: Piecewise, x: Floats) -> Floats:
    return np.asarray(np.polynomial.polynomial.polyval(x, [float(c) for c in f.pieces[0]]))


def _proportional(u: Piecewise, v: Piecewise) -> bool:
    third = Fraction(1, 3)
    return not any((u * v(third) - v * u(third)).pieces)
