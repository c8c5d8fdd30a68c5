"""A distribution of hands as arrays, from which the hands of many games are dealt at once.

A deal makes its `DealTable` (`Deal.table`), of one of four kinds; `relance.play.loops` deals from it, with numpy, numba and JAX.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from relance.model.arrays import Floats, Ints, Words
from relance.model.piecewise import Piecewise, refined

PAIRS, RANKED, DENSITY, CARDS = range(4)
"""The kinds of `DealTable`: a pair of hands from one table; each hand from its own; likewise on [0, 1]; real cards."""

PARTS = 64
"""[0, 1] is cut into at least this many parts to bound a density that is not piecewise constant."""


_FLOATS, _INTS, _WORDS = np.zeros(0), np.zeros(0, np.int64), np.zeros(0, np.uint64)


class Alias(NamedTuple):
    """Walker's alias table: it draws an index by 64 random bits. High bits pick a row, low bits the row or its alias.

    Attributes:
        threshold: (rows,) the row itself is drawn if the low bits are below this. The number of rows is a power of two.
        either: (2 * rows,) each row, followed by its alias: reading the drawn index from here is quicker than a branch.
        shift, bits: `word >> shift` is the row of a 64-bit word, `word << bits` is compared with the threshold.
    """

    threshold: Words = _WORDS
    either: Ints = _INTS
    shift: np.uint64 = np.uint64(0)
    bits: np.uint64 = np.uint64(0)

    @property
    def alias(self) -> Ints:
        """Return each row's alias, (rows,): the index drawn instead if the random word's low bits are not below the row's threshold."""
        return self.either[1::2]


class Proposal(NamedTuple):
    """How one player's hand is proposed in rejection sampling: a cell, a place in the cell, and a bound on the density there.

    Attributes:
        cells: the alias table that draws a cell, or one of finitely many hands.
        cap: (cells,) a bound: the density is at most the product of both players' caps.
        left, width: (cells,) each cell's left border and width; the width of a finite hand is 0.
        poly: (terms, cells, degree + 1) the player's factor in each term of the density: a polynomial in x minus the cell's middle.
    """

    cells: Alias = Alias()
    cap: Floats = _FLOATS
    left: Floats = _FLOATS
    width: Floats = _FLOATS
    poly: Floats = np.zeros((0, 0, 0))


class DealTable(NamedTuple):
    """Everything needed to deal and compare hands; `kind` says which of the other fields are used.

    Attributes:
        kind: PAIRS, RANKED, DENSITY or CARDS; the fields below say for which kinds they are.
        pairs, rows, columns: PAIRS: the alias table over pairs, row by row, and how many hands player 0 and player 1 have.
        runouts: PAIRS: the number of runouts (all chance events of a play); `pairs` has all pairs for each in turn; 0 without events.
        edge: PAIRS: (pairs,) for each pair of hands, P(player 0 wins a showdown) - P(loses it), the edge. Edges that depend on chance
            events or on a showdown's rule of comparing hands: (cases * pairs,), all pairs in the first such case, then in the second, ...
        first, second: RANKED, DENSITY: how each player's hand is proposed.
        certain: RANKED, DENSITY: True if every proposal is accepted.
        blocked: RANKED: (hands,) the probability subtracted from each pair of equal index; empty if none.
        below, not_above: RANKED, CARDS: (player 0's hands,) a hand beats player 1's before `below`, and loses to those from `not_above` on.
        tie: RANKED: (player 0's hands,) the edge of each pair of equal index; empty if it is 0 for all.
        owner, bits: CARDS: (hands of cards,) the class of each hand of real cards, and its cards as bits.
    """

    kind: int = PAIRS
    pairs: Alias = Alias()
    rows: int = 1
    columns: int = 1
    runouts: int = 0
    edge: Floats = _FLOATS
    first: Proposal = Proposal()
    second: Proposal = Proposal()
    certain: bool = True
    blocked: Floats = _FLOATS
    below: Ints = _INTS
    not_above: Ints = _INTS
    tie: Floats = _FLOATS
    owner: npt.NDArray[np.int16] = np.zeros(0, np.int16)
    bits: Words = _WORDS

    @property
    def on_interval(self) -> bool:
        """True if hands are numbers in [0, 1], not indices."""
        return self.kind == DENSITY


def ranked_table(
    terms: Sequence[tuple[Floats, Floats]],
    priors: tuple[Floats, Floats],
    below: Ints,
    not_above: Ints,
    blocked: Floats | None,
    diagonal: Floats | None,
) -> DealTable:
    """Return the table of a `RankedDeal` with these fields; `priors` are its two marginals; `below`, `not_above` are as in `DealTable`."""
    polys = [np.stack([pair[player] for pair in terms])[:, :, None] for player in (0, 1)]
    first, second = _sides(polys, priors, [np.zeros(len(prior)) for prior in priors])
    tie = _FLOATS
    if diagonal is not None:
        equal = (polys[0] * polys[1]).sum(axis=0)[:, 0] - (0.0 if blocked is None else blocked)
        tie = np.divide(diagonal, equal, out=np.zeros(len(below)), where=equal > 0)
    return DealTable(
        kind=RANKED,
        first=first,
        second=second,
        certain=len(terms) == 1 and blocked is None,
        blocked=_FLOATS if blocked is None else blocked,
        below=below,
        not_above=not_above,
        tie=tie,
    )


def density_table(terms: Sequence[tuple[Piecewise, Piecewise]], priors: tuple[Piecewise, Piecewise]) -> DealTable:
    """A table of hands on [0, 1] with density sum_t terms[t][0](x) * terms[t][1](y); `priors` are its marginals."""
    factors = [[pair[player] for pair in terms] for player in (0, 1)]
    cuts = [_cell_cuts(side) for side in factors]
    widths = [np.diff(side) for side in cuts]
    polys = [_polynomials(*side) for side in zip(cuts, factors, strict=True)]
    weights = [
        _bound(_polynomials(side, [prior])[0], width) * width
        for side, prior, width in zip(cuts, priors, widths, strict=True)
    ]
    first, second = _sides(polys, weights, widths)
    return DealTable(
        kind=DENSITY,
        first=first._replace(left=cuts[0][:-1]),
        second=second._replace(left=cuts[1][:-1]),
        certain=len(terms) == 1 and all(poly.shape[2] == 1 for poly in polys),
    )


def alias_table(weights: Floats) -> Alias:
    """The alias table that gives index i with a probability in proportion to `weights[i]`."""
    bits = max((len(weights) - 1).bit_length(), 1)
    load = np.zeros(1 << bits)
    load[: len(weights)] = weights * (len(load) / weights.sum())
    alias = np.arange(len(load))
    small, large = np.flatnonzero(load < 1), np.flatnonzero(load >= 1)
    # Fill rows that have too little, in order, from rows that have too much. Running sums show which row fills which.
    need, surplus = np.cumsum(1 - load[small]), np.cumsum(load[large] - 1)
    giver = np.searchsorted(surplus, np.concatenate([[0.0], need])[:-1])
    alias[small] = large[np.minimum(giver, len(large) - 1)]
    # A row that gave away more than its surplus is then filled from the next one.
    spent = np.searchsorted(need, surplus, side="right")
    over = np.flatnonzero((spent < len(small)) & (np.arange(len(large)) < len(large) - 1))
    load[large] = 1.0
    load[large[over]] = np.clip(1 + surplus[over] - need[spent[over]], 0, 1)
    alias[large[over]] = large[over + 1]
    threshold = np.minimum(load * 2.0**64, np.nextafter(2.0**64, 0)).astype(np.uint64)
    either = np.stack([np.arange(len(alias)), alias], axis=1).ravel()
    return Alias(threshold, either, np.uint64(64 - bits), np.uint64(bits))


def _cell_cuts(factors: Sequence[Piecewise]) -> Floats:
    """The borders of cells in which every factor is one polynomial; the cells are short unless all factors are constant."""
    cuts = [float(cut) for cut in refined(factors)[0].cuts]
    if all(len(piece) <= 1 for factor in factors for piece in factor.pieces):
        return np.array(cuts)
    parts = [np.linspace(a, b, max(1, round((b - a) * PARTS)) + 1)[:-1] for a, b in pairwise(cuts)]
    return np.concatenate([*parts, [1.0]])


def _polynomials(cuts: Floats, factors: Sequence[Piecewise]) -> Floats:
    """(factors, cells, degree + 1) each factor in each cell as a polynomial in the distance from the cell's middle."""
    middles = (cuts[:-1] + cuts[1:]) / 2
    length = max(1, *(len(piece) for factor in factors for piece in factor.pieces))
    out = np.zeros((len(factors), len(middles), length))
    for t, factor in enumerate(factors):
        inner = [float(cut) for cut in factor.cuts[1:-1]]
        pieces = [np.polynomial.Polynomial([float(c) for c in piece] or [0.0]) for piece in factor.pieces]
        for i, place in enumerate(np.searchsorted(inner, middles, side="right")):
            shifted = pieces[place](np.polynomial.Polynomial([middles[i], 1.0])).coef
            out[t, i, : len(shifted)] = shifted
    return out


def _bound(poly: Floats, width: Floats) -> Floats:
    """(..., cells) a bound on the absolute value in each cell: the sum of the largest absolute values of the terms."""
    powers = (width[:, None] / 2) ** np.arange(poly.shape[-1])
    bound: Floats = (np.abs(poly) * powers).sum(axis=-1)
    return bound


def _sides(polys: Sequence[Floats], weights: Sequence[Floats], widths: Sequence[Floats]) -> tuple[Proposal, Proposal]:
    """Propose cells by `weights`. The product of the caps is at least the density, so rejection sampling is exact."""
    shares = [weight / np.where(width > 0, width, 1.0) for weight, width in zip(weights, widths, strict=True)]
    ratios = [
        np.divide(_bound(poly, width), share, out=np.zeros(poly.shape[:2]), where=share > 0).max(axis=1)
        for poly, share, width in zip(polys, shares, widths, strict=True)
    ]
    most = float((ratios[0] * ratios[1]).sum())
    caps = (shares[0] * most, shares[1])
    first, second = (
        Proposal(alias_table(weight), cap, np.arange(len(cap), dtype=float), np.asarray(width, float), poly)
        for weight, cap, width, poly in zip(weights, caps, widths, polys, strict=True)
    )
    return first, second
