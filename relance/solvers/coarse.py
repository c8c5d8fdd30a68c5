"""Coarser hands: neighbours in blocks, exactly the game restricted to strategies that are constant on blocks."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from relance.model.ranked_deal import RankedDeal

Rows: TypeAlias = Any
"""Numbers by hand, or by action and hand: an array of any library."""


def block_sizes(hands: int, blocks: int) -> npt.NDArray[np.int64]:
    """How many of `hands` neighbouring hands each of `blocks` nearly equal blocks holds."""
    borders = np.linspace(0, hands, blocks + 1).astype(np.int64)
    return borders[1:] - borders[:-1]


def coarse(deal: RankedDeal, blocks: int) -> RankedDeal:
    """The deal, in floats, as if neighbouring hands were told apart only by block: the game restricted to such strategies."""
    sizes = block_sizes(deal.size(0), blocks)
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])

    def blockwise(values: Rows) -> Rows:
        return np.add.reduceat(values, starts)

    inside = np.zeros(blocks) if deal.diagonal is None else blockwise(deal.diagonal)
    for u, v in deal.terms:
        running = np.cumsum(v)
        before = np.repeat(np.concatenate([[0.0], running])[starts], sizes)
        total = np.repeat(blockwise(v), sizes)
        inside += blockwise(u * (2 * (running - before) - v - total))
    names = [str(i) for i in range(blocks)]
    terms = [(blockwise(u), blockwise(v)) for u, v in deal.terms]
    blocked = None if deal.blocked is None else blockwise(deal.blocked)
    return RankedDeal((names, names), terms).with_arrays(terms, blocked, inside)
