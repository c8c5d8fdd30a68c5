"""Strategies on [0, 1] averaged over cells, exactly or in floats, and piecewise polynomials evaluated at many hands at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from relance.model.arrays import Floats
from relance.model.deal import Array
from relance.model.grid import EqualCuts
from relance.model.numbers import Number
from relance.model.piecewise import Piecewise, refined
from relance.model.strategy import Strategy


class Curves:
    """Piecewise polynomials with common cuts, evaluated at many hands at once.

    Attributes:
        cuts: (pieces - 1,) inner cuts; a hand on one belongs to the piece on its right.
        coefficients: (degree + 1, pieces, functions), the constant first.
    """

    def __init__(self, functions: Sequence[Piecewise]) -> None:
        functions = refined(functions)
        self.cuts: Floats = np.array([float(cut) for cut in functions[0].cuts[1:-1]])
        degree = max(len(piece) for function in functions for piece in function.pieces)
        self.coefficients: Floats = np.zeros((max(degree, 1), len(self.cuts) + 1, len(functions)))
        for column, function in enumerate(functions):
            for row, piece in enumerate(function.pieces):
                self.coefficients[: len(piece), row, column] = [float(c) for c in piece]

    def __call__(self, hands: npt.ArrayLike) -> Floats:
        """The values at `hands`, (k,); shape (k, functions)."""
        at = np.asarray(hands, float)
        piece = np.searchsorted(self.cuts, at, side="right")
        total: Floats = self.coefficients[-1, piece]
        for row in self.coefficients[-2::-1]:
            total = total * at[:, None] + row[piece]
        return total


def averaged(strategy: Strategy, density: Piecewise, cuts: Sequence[Number] | Floats, floats: bool = False) -> Strategy:
    """A strategy on [0, 1] averaged over the cells between `cuts`, node by node, exactly or in float64.

    `density` is the density of the player's hands; cells where he is never dealt a hand are left out.
    """
    at = {}
    for name, rows in strategy.at.items():
        running = [function.cumulative() for function in (density, *(row * density for row in rows))]
        mass = np.diff(_values(running, cuts, floats), axis=0)
        mass = mass[mass[:, 0] > 0 if floats else mass[:, 0] != 0]
        chance = mass[:, 1:] / mass[:, :1]
        if floats:
            chance = np.clip(chance, 0.0, 1.0)
            chance /= chance.sum(axis=1, keepdims=True)
        at[name] = tuple(np.ascontiguousarray(column) for column in chance.T)
    return Strategy(strategy.player, at)


def _values(functions: Sequence[Piecewise], cuts: Sequence[Number] | Floats, floats: bool) -> Array:
    """The values at the cuts, exactly or in float64; shape (cuts, functions)."""
    if not floats:
        return np.array([[function(cut) for function in functions] for cut in cuts], object)
    places = np.arange(cuts.parts + 1) / cuts.parts if isinstance(cuts, EqualCuts) else np.asarray(cuts, float)
    return Curves(functions)(places)
