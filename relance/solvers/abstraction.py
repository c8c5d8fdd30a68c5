"""Coarser deals: neighbouring hands are joined in blocks, and strategies are restricted to be constant on each block."""

from __future__ import annotations

import numpy as np

from relance.model.arrays import Floats, Ints
from relance.model.ranked_deal import RankedDeal


def block_sizes(hands: int, blocks: int) -> Ints:
    """Return the sizes of `blocks` nearly equal blocks of `hands` hands."""
    borders = np.linspace(0, hands, blocks + 1).astype(np.int64)
    return borders[1:] - borders[:-1]


def coarse(deal: RankedDeal, blocks: int) -> RankedDeal:
    """Return the deal with neighbours joined in `blocks` blocks; players know only the block of their hand. `deal` must be in floats."""
    sizes = block_sizes(deal.size(0), blocks)
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])

    def by_block(values: Floats) -> Floats:
        out: Floats = np.add.reduceat(values, starts)
        return out

    inside = np.zeros(blocks) if deal.diagonal is None else by_block(deal.diagonal)
    for u, v in deal.terms:
        running = np.cumsum(v)
        before = np.repeat(np.concatenate([[0.0], running])[starts], sizes)
        total = np.repeat(by_block(v), sizes)
        inside += by_block(u * (2 * (running - before) - v - total))
    names = [""] * blocks  # nobody is shown them
    terms = [(by_block(u), by_block(v)) for u, v in deal.terms]
    blocked = None if deal.blocked is None else by_block(deal.blocked)
    out = RankedDeal((names, names), terms).with_arrays(terms, blocked, inside)
    return deal.carry(out, lambda after: coarse(after, blocks))
