"""The sums of `relance.cards.hole_deal`, compiled by numba (the extra `fast`): one pass over both players' hands, card by card."""

from __future__ import annotations

import numba  # type: ignore[import-untyped,unused-ignore]  # numba has no types
import numpy as np

from relance.model.arrays import Floats, Ints


@numba.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator,unused-ignore]  # numba gives no types
def met(card: Ints, held: Ints, same: Ints, weight: Floats, out: Floats) -> None:
    """`Sums.met` of each row of `weight`, (k, their hands), written to `out`, (k, hands); `held` is (2, their hands) their cards."""
    size = weight.shape[1]
    for row in range(len(weight)):
        total, of_card = 0.0, np.zeros(52)
        for j in range(size):
            here = weight[row, j]
            total += here
            of_card[held[0, j]] += here
            of_card[held[1, j]] += here
        for i in range(card.shape[1]):
            again = weight[row, same[i]] if same[i] < size else 0.0
            out[row, i] = total - of_card[card[0, i]] - of_card[card[1, i]] + again


@numba.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator,unused-ignore]
def net(card: Ints, held: Ints, below: Ints, not_above: Ints, weight: Floats, out: Floats) -> None:
    """`Sums.net` of each row of `weight`, (k, their hands), written to `out`, (k, hands).

    A hand's weight counts -1 at first, 0 once it is not above the player's, and +1 once it is below.
    """
    for row in range(len(weight)):
        total, of_card = 0.0, np.zeros(52)
        for j in range(weight.shape[1]):
            here = weight[row, j]
            total -= here
            of_card[held[0, j]] -= here
            of_card[held[1, j]] -= here
        low, high = 0, 0
        for i in range(card.shape[1]):
            while high < not_above[i]:
                here = weight[row, high]
                total += here
                of_card[held[0, high]] += here
                of_card[held[1, high]] += here
                high += 1
            while low < below[i]:
                here = weight[row, low]
                total += here
                of_card[held[0, low]] += here
                of_card[held[1, low]] += here
                low += 1
            out[row, i] = total - of_card[card[0, i]] - of_card[card[1, i]]
