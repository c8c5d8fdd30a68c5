"""The loop of `relance.cards.shared_cards`, compiled by numba (the extra `fast`)."""

from __future__ import annotations

import numba  # type: ignore[import-untyped,unused-ignore]  # numba has no types
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@numba.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator,unused-ignore]  # numba gives no types
def products(
    owner: Ints, held: Floats, starts: Ints, sets: Floats, weights: Floats, mass: Floats, edge: Floats
) -> None:
    """Add to `mass` and `edge`, (classes, k), what the weights, (classes, k), come to over all sorts of shared cards."""
    width = weights.shape[1]
    total, passed = np.empty(width), np.empty(width)
    for sort in range(len(sets)):
        total[:], passed[:] = 0.0, 0.0
        for e in range(starts[sort], starts[sort + 1]):
            for k in range(width):
                total[k] += held[e] * weights[owner[e], k]
        for e in range(starts[sort], starts[sort + 1]):
            i, factor = owner[e], held[e] * sets[sort]
            for k in range(width):
                here = held[e] * weights[i, k]
                mass[i, k] += factor * total[k]
                edge[i, k] += factor * (2.0 * passed[k] + here - total[k])
                passed[k] += here
