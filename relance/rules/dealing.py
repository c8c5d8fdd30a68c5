"""Deals for many tables at once: any law of hands, compiled to arrays and dealt in numpy.

`relance.tables.batch_compiled` does the same arithmetic, in the same order, one table at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from relance.cards.card_deal import CardDeal
from relance.model.deal import Deal, FiniteDeal, RankedDeal
from relance.model.laws import DensityDeal, NormalDeal
from relance.model.piecewise import Piecewise, refined
from relance.rules.streams import Alias, Floats, Ints, Words, alias_table, draw, pick, unit

PAIRS, RANKED, DENSITY, NORMAL, CARDS = range(5)
"""How hands are dealt: a pair from one table; each hand from its own table; the same on [0, 1]; normal quantiles; real cards."""

MOST_PAIRS = 2**16
"""The most pairs of ranked hands that are kept in one table; a matrix of pairs is kept in one whatever its size."""

FINENESS = 64
"""Into how many parts [0, 1] is cut, at least, to bound a density that is not piecewise constant."""


class Side(NamedTuple):
    """How one player's hand is proposed: a cell, a place in it, and the height above it that the density must reach.

    With I cells, T terms and degree D - 1: `cap`, `left`, `width` (I,); `poly` (T, I, D), the factor of each term as a
    polynomial in the distance from the middle of the cell, the constant first. Finite hands are cells without width.
    """

    cells: Alias
    cap: Floats
    left: Floats
    width: Floats
    poly: Floats


class Law(NamedTuple):
    """A deal, compiled for dealing and comparing; which fields are used depends on `kind`.

    Attributes:
        kind: PAIRS, RANKED, DENSITY or NORMAL.
        pairs, columns: the alias table over pairs, row by row, and how many hands player 1 has.
        edge: (pairs,) player 0's edge.
        first, second: the sides.
        certain: whether every proposal is taken.
        blocked: (hands,) probability taken off the pairs of equal index; empty for none.
        below, not_above, tie: (hands of 0,) which hands of player 1 are beaten or tied with, and the edge at equal index.
        rho: the correlation of the normal law.
        owner, bits: (hands of cards,) the class of each hand of real cards, and its cards as bits.
    """

    kind: int
    pairs: Alias
    columns: int
    edge: Floats
    first: Side
    second: Side
    certain: bool
    blocked: Floats
    below: Ints
    not_above: Ints
    tie: Floats
    rho: float
    owner: npt.NDArray[np.int16]
    bits: Words


_NO_FLOATS, _NO_INTS = np.zeros(0), np.zeros(0, np.int64)
_NO_ALIAS = Alias(np.zeros(0, np.uint64), _NO_INTS, np.uint64(0), np.uint64(0))
_NO_SIDE = Side(_NO_ALIAS, _NO_FLOATS, _NO_FLOATS, _NO_FLOATS, np.zeros((0, 0, 0)))
_NO_CARDS = np.zeros(0, np.int16), np.zeros(0, np.uint64)
_EMPTY = Law(
    PAIRS,
    _NO_ALIAS,
    1,
    _NO_FLOATS,
    _NO_SIDE,
    _NO_SIDE,
    True,
    _NO_FLOATS,
    _NO_INTS,
    _NO_INTS,
    _NO_FLOATS,
    0.0,
    *_NO_CARDS,
)


@singledispatch
def compile_law(deal: Deal) -> Law:
    """Compile a deal. Raises TypeError for a law that is of none of the known kinds."""
    raise TypeError(f"hands of a {type(deal).__name__} cannot be dealt in batches")


@compile_law.register
def _(deal: FiniteDeal) -> Law:
    floats = deal.floats
    columns = list(np.eye(floats.size(1)))
    joint = np.stack([np.asarray(floats.mass(0, column), float) for column in columns], axis=1)
    won = np.stack([np.asarray(floats.edge(0, column), float) for column in columns], axis=1)
    edge = np.divide(won, joint, out=np.zeros_like(won), where=joint > 0)
    pairs = alias_table(np.clip(joint, 0, None).ravel())
    return _EMPTY._replace(pairs=pairs, columns=len(columns), edge=edge.ravel())


@compile_law.register
def _(deal: RankedDeal) -> Law:
    if deal.size(0) * deal.size(1) <= MOST_PAIRS:
        return compile_law.dispatch(FiniteDeal)(deal)
    floats = deal.floats
    marginals = [np.asarray(floats.prior(player), float) for player in (0, 1)]
    factors = [np.stack([np.asarray(pair[player], float) for pair in floats.terms]) for player in (0, 1)]
    sides = _sides([factor[:, :, None] for factor in factors], marginals, [np.zeros(len(m)) for m in marginals])
    blocked = _NO_FLOATS if floats.blocked is None else np.asarray(floats.blocked, float)
    tie = np.zeros(deal.size(0))
    if floats.diagonal is not None:
        equal = (factors[0] * factors[1]).sum(axis=0) - (blocked if len(blocked) else 0.0)
        np.divide(np.asarray(floats.diagonal, float), equal, out=tie, where=equal > 0)
    has_ties = floats.diagonal is not None
    below, not_above = (np.asarray(side[0], np.int64) for side in (deal.below, deal.not_above))
    return _EMPTY._replace(
        kind=RANKED,
        first=sides[0],
        second=sides[1],
        certain=len(floats.terms) == 1 and not len(blocked),
        blocked=blocked,
        below=below,
        not_above=not_above,
        tie=tie if has_ties else _NO_FLOATS,
    )


@compile_law.register
def _(deal: CardDeal) -> Law:
    owner, bits = deal.deck.all_hands
    order = np.arange(deal.size(0))
    return _EMPTY._replace(kind=CARDS, below=order, not_above=order + 1, owner=owner, bits=bits)


@compile_law.register
def _(deal: DensityDeal) -> Law:
    cuts = [_cell_cuts([pair[player] for pair in deal.terms]) for player in (0, 1)]
    polys = [_local(cuts[player], [pair[player] for pair in deal.terms]) for player in (0, 1)]
    widths = [np.diff(side) for side in cuts]
    marginals = [_local(cuts[player], [deal.prior(player)])[0] for player in (0, 1)]
    peaks = [_peaks(marginal, width) * width for marginal, width in zip(marginals, widths, strict=True)]
    first, second = _sides(polys, peaks, widths)
    constant = all(poly.shape[2] == 1 for poly in polys)
    return _EMPTY._replace(
        kind=DENSITY,
        first=first._replace(left=cuts[0][:-1]),
        second=second._replace(left=cuts[1][:-1]),
        certain=len(deal.terms) == 1 and constant,
    )


@compile_law.register
def _(deal: NormalDeal) -> Law:
    return _EMPTY._replace(kind=NORMAL, rho=float(deal.rho))


def _cell_cuts(factors: Sequence[Piecewise]) -> Floats:
    cuts = [float(cut) for cut in refined(factors)[0].cuts]
    if all(len(piece) <= 1 for factor in factors for piece in factor.pieces):
        return np.array(cuts)
    parts = [np.linspace(a, b, max(1, round((b - a) * FINENESS)) + 1)[:-1] for a, b in pairwise(cuts)]
    return np.concatenate([*parts, [1.0]])


def _local(cuts: Floats, factors: Sequence[Piecewise]) -> Floats:
    """Each factor in each cell as a polynomial around its middle, shape (factors, cells, degree + 1)."""
    middles = (cuts[:-1] + cuts[1:]) / 2
    degree = max(max((len(piece) for piece in factor.pieces), default=1) for factor in factors)
    out = np.zeros((len(factors), len(middles), max(degree, 1)))
    for t, factor in enumerate(factors):
        inner = [float(cut) for cut in factor.cuts[1:-1]]
        pieces = [np.polynomial.Polynomial([float(c) for c in piece] or [0.0]) for piece in factor.pieces]
        for i, place in enumerate(np.searchsorted(inner, middles, side="right")):
            moved = pieces[place](np.polynomial.Polynomial([middles[i], 1.0])).coef
            out[t, i, : len(moved)] = moved
    return out


def _peaks(poly: Floats, width: Floats) -> Floats:
    """A bound on the absolute value in each cell, shape (cells,) for each row: the sum of the terms at their largest."""
    powers = (width[:, None] / 2) ** np.arange(poly.shape[-1])
    out: Floats = (np.abs(poly) * powers).sum(axis=-1)
    return out


def _sides(polys: Sequence[Floats], weights: Sequence[Floats], widths: Sequence[Floats]) -> list[Side]:
    """Propose cells by `weights`; the caps multiply to at least the law, so that accepting by height is exact."""
    sizes = [np.where(width > 0, width, 1.0) for width in widths]
    shares = [weight / size for weight, size in zip(weights, sizes, strict=True)]
    ratios = [
        np.divide(_peaks(poly, width), share, out=np.zeros(poly.shape[:2]), where=share > 0).max(axis=1)
        for poly, share, width in zip(polys, shares, widths, strict=True)
    ]
    most = float((ratios[0] * ratios[1]).sum())
    caps = [shares[0] * most, shares[1]]
    return [
        Side(alias_table(weight), cap, np.arange(len(cap), dtype=float), np.asarray(width, float), poly)
        for weight, cap, width, poly in zip(weights, caps, widths, polys, strict=True)
    ]


def deal_hands(law: Law, state: Words) -> npt.NDArray[Any]:
    """Deal two hands from each stream, shape (2, streams): indices, or numbers in [0, 1]. Moves `state` on in place."""
    if law.kind == PAIRS:
        pair = pick(law.pairs, draw(state))
        first = pair // law.columns
        return np.stack([first, pair - first * law.columns])
    if law.kind == NORMAL:
        from scipy.special import ndtr, ndtri

        mine, z = unit(draw(state)), ndtri(unit(draw(state)))
        return np.stack([mine, ndtr(law.rho * ndtri(mine) + (1 - law.rho**2) ** 0.5 * z)])
    out = np.empty((2, len(state)), np.int64 if law.kind in (RANKED, CARDS) else np.float64)
    waiting = np.arange(len(state))
    while len(waiting):
        current = state[waiting]
        out[:, waiting], taken = _propose(law, current)
        state[waiting] = current
        waiting = waiting[~taken]
    return out


def _propose(law: Law, state: Words) -> tuple[npt.NDArray[Any], npt.NDArray[np.bool_]]:
    if law.kind == CARDS:
        first, second = ((unit(draw(state)) * len(law.bits)).astype(np.int64) for _ in range(2))
        apart = law.bits.take(first) & law.bits.take(second) == 0
        return np.stack([law.owner.take(first), law.owner.take(second)]).astype(np.int64), apart
    sides = (law.first, law.second)
    cells = [pick(side.cells, draw(state)) if len(side.cap) > 1 else np.zeros(len(state), np.int64) for side in sides]
    hands, offsets = np.stack(cells), [np.zeros(len(state))] * 2
    if law.kind == DENSITY:
        places = [unit(draw(state)) for _ in sides]
        widths = [side.width.take(cell) for side, cell in zip(sides, cells, strict=True)]
        lefts = [side.left.take(cell) for side, cell in zip(sides, cells, strict=True)]
        hands = np.stack([left + width * u for left, width, u in zip(lefts, widths, places, strict=True)])
        offsets = [width * (u - 0.5) for width, u in zip(widths, places, strict=True)]
    if law.certain:
        return hands, np.ones(len(state), bool)
    height = unit(draw(state)) * law.first.cap.take(cells[0]) * law.second.cap.take(cells[1])
    density = np.zeros(len(state))
    for mine, theirs in zip(law.first.poly, law.second.poly, strict=True):
        density = density + _value(mine, cells[0], offsets[0]) * _value(theirs, cells[1], offsets[1])
    if len(law.blocked):
        density = density - np.where(cells[0] == cells[1], law.blocked.take(cells[0]), 0.0)
    return hands, height < density


def _value(poly: Floats, cell: Ints, offset: Floats) -> Floats:
    total = np.zeros(len(cell))
    for k in range(poly.shape[1] - 1, -1, -1):
        total = total * offset + poly[:, k].take(cell)
    return total


def edges(law: Law, hands: npt.NDArray[Any]) -> Floats:
    """Player 0's edge in each deal; `hands` as from `deal_hands`."""
    first, second = hands
    if law.kind == PAIRS:
        out: Floats = law.edge.take(first * law.columns + second)
    elif law.kind in (DENSITY, NORMAL):
        out = np.sign(first - second)
    else:
        out = (second < law.below.take(first)).astype(float) - (second >= law.not_above.take(first))
        if len(law.tie):
            out = np.where(first == second, law.tie.take(first), out)
    return out


def sample_many(deal: Deal, rng: np.random.Generator, n: int) -> npt.NDArray[Any]:
    """Deal `n` times, shape (n, 2): indices of finite hands, or numbers in [0, 1]; column 0 is player 0's hand."""
    state = rng.integers(2**64, size=n, dtype=np.uint64)
    return deal_hands(compile_law(deal), state).T
