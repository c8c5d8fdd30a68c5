"""Exact evaluation on grids: cells where a profile plays alike form one step of a function, and the work grows with the steps alone."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import ceil, floor

from relance.model.arrays import Ints, run_starts
from relance.model.deal import Array
from relance.model.game import Game
from relance.model.interval import DensityDeal
from relance.model.numbers import Number, fraction
from relance.model.piecewise import Piecewise
from relance.model.strategy import Profile

WORTH_IT = 8
"""Steps replace cells if there are at least this many cells for each step of the probability of an action, all actions counted."""


class UniformCells(DensityDeal):
    """A deal of uniform hands of which players know only the cell; functions of the hand are linear in each cell."""

    def __init__(self, cells: int) -> None:
        super().__init__([(Piecewise.constant(1), Piecewise.constant(1))])
        self.parts = cells

    def steps(self, row: Array, starts: Ints) -> Piecewise:
        """Return the function on [0, 1] with the values `row` by cell, which change only at the cells `starts`."""
        cuts = [Fraction(k, self.parts) for k in (*starts.tolist(), self.parts)]
        return Piecewise(cuts, [(value,) if value else () for value in row[starts].tolist()])

    def at_least_zero(self, gap: Piecewise) -> Piecewise:
        """Return the function that is 1 in cells at whose middle `gap`, one action's value minus another's, is at least 0, else 0."""
        cuts: list[Number] = [Fraction(0)]
        pieces: list[tuple[Number, ...]] = []
        for (left, right), p in zip(pairwise(gap.cuts), gap.pieces, strict=True):
            first, last = (int(fraction(cut) * self.parts) for cut in (left, right))
            constant, slope = (*p, Fraction(0), Fraction(0))[:2]
            if slope == 0:
                turn, rising = (first, True) if constant >= 0 else (last, True)
            else:
                middle = fraction(-constant / slope) * self.parts - Fraction(1, 2)  # the cell whose middle has gap 0
                rising = bool(slope > 0)
                turn = min(max(ceil(middle) if rising else floor(middle) + 1, first), last)
            for begin, end, good in ((first, turn, not rising), (turn, last, rising)):
                if begin < end:
                    cuts.append(Fraction(end, self.parts))
                    pieces.append((Fraction(1),) if good else ())
        return Piecewise(cuts, pieces).simplified()


def by_runs(game: Game, profile: Profile) -> tuple[UniformCells, Profile] | None:
    """Return the deal on [0, 1], and `profile` as step functions of the hand; None if that is impossible or not worth it.

    Hands must be uniform in equal cells: an action's expected chips are then linear in the hand within a step, and a cell's mean is the
    value at its middle. Numbers must be exact, the higher hand must always win, chance nodes must be absent, and steps few (`WORTH_IT`).
    """
    rows = [row for name in profile.nodes() for row in profile[name]]
    distribution = game.whole.deal
    if game.hands is None or not game.tree.is_usual or any(row.dtype != object for row in rows):
        return None
    if not (isinstance(distribution, DensityDeal) and distribution.is_uniform):
        return None
    starts = {id(row): run_starts(row) for row in rows}
    values = [value for row in rows for value in row[starts[id(row)]].tolist()]
    chips = [number for leaf in game.tree.leaves.values() for number in (leaf.constant, leaf.stake)]
    if len(values) * WORTH_IT > game.hands or not all(isinstance(x, (int, Fraction)) for x in (*values, *chips)):
        return None
    deal = UniformCells(game.hands)
    first, second = (strategy.map(lambda row: deal.steps(row, starts[id(row)])) for strategy in profile.strategies)
    return deal, Profile(profile.game, profile.tree, (first, second))
