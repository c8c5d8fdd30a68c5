"""The loop of `relance.model.playing_cards.shared_cards`, compiled by numba (the extra `fast`)."""

from __future__ import annotations

import numba  # type: ignore[import-untyped,unused-ignore]  # numba has no types
import numpy as np

from relance.model.arrays import Floats, Ints


@numba.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator,unused-ignore]  # numba gives no types
def add_products(
    owner: Ints, holding: Floats, starts: Ints, sets: Floats, weights: Floats, fought: bool, out: Floats
) -> None:
    """Add to each row a of `out`, (classes, k), a sum over all classes b of five-card hands.

    A term is `weights[b]`, a row of (classes, k), times the number of pairs of a hand of a and a hand of b that share no card. If `fought`,
    it is also multiplied by the edge of a against b: 1, 0 or -1. The other arrays are attributes of `SharedCards`, which describes them.
    """
    width = weights.shape[1]
    total, lower = np.empty(width), np.empty(width)  # the weight of a sort, and of its classes below the current one
    for sort in range(len(sets)):
        total[:], lower[:] = 0.0, 0.0
        for e in range(starts[sort], starts[sort + 1]):
            for k in range(width):
                total[k] += holding[e] * weights[owner[e], k]
        for e in range(starts[sort], starts[sort + 1]):
            i, factor = owner[e], holding[e] * sets[sort]
            if fought:
                for k in range(width):
                    here = holding[e] * weights[i, k]
                    out[i, k] += factor * (2.0 * lower[k] + here - total[k])
                    lower[k] += here
            else:
                for k in range(width):
                    out[i, k] += factor * total[k]
