"""Exact functions on [0, 1] at many hands at once, and averaged over cells in floats."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from relance.model.game import Game
from relance.model.grid import EqualCuts
from relance.model.piecewise import Piecewise
from relance.model.strategy import Strategy

Floats = npt.NDArray[np.float64]


class Curves:
    """Piecewise polynomials with cuts in common, evaluated at many hands at once.

    Attributes:
        cuts: (pieces - 1,) inner cuts; a hand on one belongs to the piece on its right.
        coefficients: (degree + 1, pieces, functions), the constant first.
    """

    def __init__(self, functions: Sequence[Piecewise]) -> None:
        shared = sum((f * 0 for f in functions), Piecewise.constant(0))
        same = [(f + shared).pieces for f in functions]
        self.cuts: Floats = np.array([float(cut) for cut in shared.cuts[1:-1]])
        degree = max(len(piece) for pieces in same for piece in pieces)
        self.coefficients: Floats = np.zeros((max(degree, 1), len(self.cuts) + 1, len(functions)))
        for column, pieces in enumerate(same):
            for row, piece in enumerate(pieces):
                self.coefficients[: len(piece), row, column] = [float(c) for c in piece]

    def __call__(self, hands: npt.ArrayLike) -> Floats:
        """The values at `hands`, (k,); shape (k, functions)."""
        at = np.asarray(hands, float)
        piece = np.searchsorted(self.cuts, at, side="right")
        total: Floats = self.coefficients[-1, piece]
        for row in self.coefficients[-2::-1]:
            total = total * at[:, None] + row[piece]
        return total


def borders(game: Game) -> Floats:
    """The borders of the cells of a game whose hands on [0, 1] were cut."""
    if isinstance(game.cuts, EqualCuts):
        return np.arange(game.cuts.parts + 1) / game.cuts.parts
    assert game.cuts is not None
    return np.array([float(cut) for cut in game.cuts])


def averaged(game: Game, strategy: Strategy) -> Strategy:
    """A strategy on [0, 1] averaged over the cells of `game`, as `Game.fit` does, in floats."""
    density, edges = game.whole.deal.prior(strategy.player), borders(game)
    weight = np.diff(Curves([density.cumulative()])(edges)[:, 0])
    dealt = weight > 0
    out = {}
    for name, rows in strategy.at.items():
        mass = np.diff(Curves([(row * density).cumulative() for row in rows])(edges), axis=0)[dealt]
        chance = np.clip(mass / weight[dealt, None], 0.0, 1.0)
        chance /= chance.sum(axis=1, keepdims=True)
        out[name] = tuple(np.ascontiguousarray(column) for column in chance.T)
    return Strategy(strategy.player, out)
