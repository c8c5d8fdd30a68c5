"""A confidence sequence: an interval for a mean that stays valid even if you look often, and stop because of what it shows."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from relance.model.arrays import Floats

LEVEL = 0.95
"""The least probability with which an interval of a match or a log covers the true value."""

STAKES = 0.99 / 2.0 ** np.arange(12)
"""Shares of their chips that the gamblers of `mean_interval` stake: large ones decide soon, small ones tell close means apart."""

TINY = 1e-300
"""The smallest mean that the search for the end of an interval tries, as a share of the range of observations."""


def mean_interval(values: npt.ArrayLike, least: float, most: float, level: float = LEVEL) -> tuple[float, float]:
    """Return the ends (low, high) of an interval for the mean of bounded observations.

    With probability `level` or more, the intervals after the first, second, ... observation all cover the mean, whatever the distribution
    between the bounds. The distribution need not be normal, and the interval is wider than a point even if all observations are equal.

    Gamblers test each possible mean m. An observation x is first scaled to [0, 1]; then a gambler who stakes the share c of their chips on
    a high x turns 1 chip into 1 - c + c x/m. If the mean is m, nobody gains on average, so all their chips together ever grow to
    2/(1 - level) times the start with a probability of at most (1 - level)/2 (Ville 1939). The low end is the m against which the chips of
    the gamblers have grown to exactly this; the high end is found in the same way from 1 - x. Waudby-Smith and Ramdas, "Estimating means
    of bounded random variables by betting", JRSS B 86, 2024.

    Args:
        values: (n,) the observations in any order, independent or with the same mean given all before.
        least: a bound that no observation can be below; the low end if `values` is empty.
        most: a bound that no observation can be above; the high end if `values` is empty.
        level: the least probability of covering the mean.
    """
    x = np.asarray(values, float)
    span = most - least
    if not len(x) or span <= 0:
        return least, most
    found, counts = np.unique(((x - least) / span).clip(0, 1), return_counts=True)
    price = np.log(2 / (1 - level))
    return least + span * _lower_end(found, counts, price), most - span * _lower_end(1 - found, counts, price)


def _lower_end(x: Floats, counts: npt.NDArray[np.intp], price: float) -> float:
    """The mean against which the gamblers, who stake on x being high, have multiplied their chips by e to the power of `price`."""
    from scipy.optimize import brentq

    def gained(mean: float) -> float:
        chips = counts @ np.log1p(STAKES * (x[:, None] / mean - 1))
        return float(np.logaddexp.reduce(chips) - np.log(len(STAKES)) - price)

    return float(brentq(gained, TINY, counts @ x / counts.sum())) if x.any() and gained(TINY) > 0 else 0.0
