"""Strategies averaged over cells of hands, exactly or in floats, and piecewise polynomials evaluated at many hands at once.

A player who knows only the cell of their hand cannot simply play the mean of their strategy at each node. Only some hands of a cell
reach a given node, namely those that the player's own choices bring there. So we average realization weights, not probabilities node
by node: at each node we weight every hand by the probability that the player's own choices lead there. Each sequence of the player's
actions then stays as frequent in the cell as it was.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from relance.model.arrays import Floats, Ints
from relance.model.deal import Array
from relance.model.numbers import Number
from relance.model.piecewise import Piecewise, refined
from relance.model.strategy import Strategy
from relance.model.tree import BettingTree, Choice


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

    @cached_property
    def _lists(self) -> tuple[list[float], list[list[list[float]]]]:
        return self.cuts.tolist(), self.coefficients[::-1].transpose(1, 2, 0).tolist()

    def at(self, hand: float) -> list[float]:
        """Return the value of each function at one hand; quicker than calling the `Curves` with an array of one hand."""
        cuts, pieces = self._lists
        values = []
        for coefficients in pieces[bisect_right(cuts, hand)]:
            total = 0.0
            for coefficient in coefficients:
                total = total * hand + coefficient
            values.append(total)
        return values


def block_average(tree: BettingTree, strategy: Strategy, weight: Array, starts: Ints) -> Strategy:
    """Average a player's strategy over blocks of neighbouring hands; return a strategy with one probability per block.

    A hand counts by `weight` times the player's own reach probability of the node; if no hand of the block gets there, by `weight` alone.

    Args:
        tree: the betting tree.
        strategy: the player's strategy over finite hands.
        weight: (hands,) the probability of each hand; above 0 for some hand of each block.
        starts: (blocks,) the first hand of each block.
    """
    player, at = strategy.player, {}
    plain = np.add.reduceat(weight, starts)
    led: dict[Choice | None, Array] = {None: weight}
    come: dict[Choice | None, Array] = {None: plain}
    for name in tree.of(player):
        last = tree.last_choice(name, player)
        never = come[last] == 0
        total, averages = np.where(never, plain, come[last]), []
        for i, row in enumerate(strategy.at[name]):
            led[name, i] = led[last] * row
            come[name, i] = np.add.reduceat(led[name, i], starts)
            part = (
                np.where(never, np.add.reduceat(weight * row, starts), come[name, i]) if never.any() else come[name, i]
            )
            averages.append(part / total)
        at[name] = tuple(averages)
    return Strategy(player, at)


def averaged(
    tree: BettingTree, strategy: Strategy, density: Piecewise, cuts: Sequence[Number], floats: bool = False
) -> Strategy:
    """Average a strategy on [0, 1] over the cells between `cuts`, exactly, or in float64 if `floats`.

    `density` is the density of the player's hands. Cells in which the player is never dealt a hand are left out.
    """
    kind = float if floats else object
    distribution, *functions = refined([density, *(row for rows in strategy.at.values() for row in rows)])
    rows = [np.array(function.values(), object) for function in functions]
    inner, cells = distribution.cuts[1:-1], np.arange(len(cuts) - 1)
    # The first and last piece in each cell, and the cells in which hands are dealt.
    first = np.searchsorted([bisect_left(cuts, cut) for cut in inner], cells, side="right")
    last = np.searchsorted([bisect_right(cuts, cut) for cut in inner], cells + 1, side="right")
    dealt = np.cumsum([0, *map(bool, distribution.pieces)])
    held = np.flatnonzero(dealt[last + 1] > dealt[first])
    first, last = first[held], last[held]
    out = _like(strategy, [row.astype(kind)[first] for row in rows])
    several = np.flatnonzero(first < last)
    if several.size:
        parts, weight, running = [np.arange(first[k], last[k] + 1) for k in several], [], density.cumulative()
        for k, cell in zip(several, held[several].tolist(), strict=True):
            ends = [running(cut) for cut in (cuts[cell], *inner[first[k] : last[k]], cuts[cell + 1])]
            weight += [right - left for left, right in pairwise(ends)]
        piece, starts = np.concatenate(parts), np.cumsum([0, *map(len, parts[:-1])])
        average = block_average(tree, _like(strategy, [row[piece] for row in rows]), np.array(weight, object), starts)
        for name, own in out.at.items():
            for row, found in zip(own, average.at[name], strict=True):
                row[several] = found.astype(kind)
    return out


def on_interval(strategy: Strategy, cuts: Sequence[Number], places: Sequence[float]) -> Strategy:
    """Turn a strategy over cells into one on [0, 1] that is constant on each cell; `averaged` turns it back.

    Args:
        strategy: has a probability for each cell in which the player is dealt hands.
        cuts: the borders of all cells.
        places: the middles of the cells with hands. On any other cell the player plays as on the nearest of these.
    """
    borders = tuple(cuts)
    nearest = np.arange(len(borders) - 1)
    if len(places) < len(nearest):
        ends = np.array(borders, float)
        right = np.searchsorted(places, middles := (ends[:-1] + ends[1:]) / 2).clip(1, len(places) - 1)
        left = right - 1
        nearest = np.where(middles - np.take(places, left) <= np.take(places, right) - middles, left, right)
    return strategy.map(lambda row: Piecewise(borders, [(p,) if p else () for p in row[nearest].tolist()]).simplified())


def _like(strategy: Strategy, rows: Sequence[Array]) -> Strategy:
    """Return a strategy at the same nodes with these rows instead of its own."""
    rest = iter(rows)
    return Strategy(strategy.player, {name: tuple(next(rest) for _ in own) for name, own in strategy.at.items()})
