"""Strategies put together, averaged and mixed, and exact functions on [0, 1] at many hands at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from relance.model.deal import HandFunction
from relance.model.game import Game
from relance.model.grid import EqualCuts
from relance.model.numbers import Number
from relance.model.piecewise import Piecewise
from relance.model.strategy import Profile, Strategy
from relance.solvers.exact import reach

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


def together(game: Game, first: Strategy, second: Strategy) -> Profile:
    """The profile of two strategies, one per seat; over finite hands in floats if either is."""
    profile = game.together(first, second)
    return profile.as_float() if any(map(_has_floats, (first, second))) else profile


def _has_floats(strategy: Strategy) -> bool:
    return any(isinstance(row, np.ndarray) and row.dtype.kind == "f" for rows in strategy.at.values() for row in rows)


def mix(game: Game, played: Sequence[Strategy], weights: Sequence[Number]) -> Strategy:
    """The strategy that gives the same plays as drawing one of `played` for each episode, hand by hand.

    At each node the mean of theirs, weighted by how often each comes there by its own choices (Kuhn 1953); where none does, the
    plain mean.
    """
    seat, total, at = played[0].player, sum(weights), {}
    floats = any(_has_floats(strategy) for strategy in played)
    profiles = [game.uniform().replace(strategy) for strategy in played]
    for name in game.tree.of(seat):
        share = [weight / total for weight in weights]
        came = [reach(game, profile, seat, name) * part for profile, part in zip(profiles, share, strict=True)]
        parts = list(zip(*(strategy.at[name] for strategy in played), strict=True))
        at[name] = tuple(_ratio(_sum(came, rows), sum(came[1:], came[0]), _sum(share, rows), floats) for rows in parts)
    return Strategy(seat, at)


def _sum(weights: Sequence[Any], rows: Sequence[HandFunction]) -> HandFunction:
    terms = [row * weight for weight, row in zip(weights, rows, strict=True)]
    return sum(terms[1:], terms[0])


def _ratio(part: HandFunction, total: HandFunction, otherwise: HandFunction, floats: bool) -> HandFunction:
    """part / total hand by hand, and `otherwise` where total is 0."""
    if isinstance(total, Piecewise):
        shared = (part + total + otherwise) * 0
        rows = zip(*((f + shared).values() for f in (part, total, otherwise)), strict=True)
        values = [a / b if b else c for a, b, c in rows]
        return Piecewise(shared.cuts, [(v,) if v else () for v in values]).simplified()
    empty = total == 0
    out = np.where(empty, otherwise, part / np.where(empty, 1, total))
    return out.astype(float) if floats else out
