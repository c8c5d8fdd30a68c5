"""The variants of CFR: how each one treats regrets and averages, and the paper it comes from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

Reals: TypeAlias = float | npt.NDArray[np.float64]
"""A number, or one number for each of several iterations."""


class Weights(NamedTuple):
    """Factors of one iteration: on positive and negative regrets, on the old average, and on the new strategy added to it."""

    positive: Reals
    negative: Reals
    keep: Reals
    add: Reals


@dataclass(frozen=True)
class Variant:
    """A variant of CFR.

    Attributes:
        description: how it differs from the other variants.
        citation: the paper it comes from.
        weights: a function from the number t of an iteration, which counts from 1, to the `Weights` of this iteration.
        predictive: True if the variant plays as if the last regret would occur again.
    """

    description: str
    citation: str
    weights: Callable[[Reals], Weights]
    predictive: bool = False


def _discounted(t: Reals, alpha: float = 1.5, gamma: float = 2.0) -> Weights:
    return Weights(t**alpha / (t**alpha + 1), 0.5, ((t - 1) / t) ** gamma, 1.0)


METHODS: dict[str, Variant] = {
    "cfr": Variant(
        "regret matching; the average gives all iterations the same weight",
        "Zinkevich, Johanson, Bowling and Piccione 2007, Regret minimization in games with incomplete information",
        lambda t: Weights(1.0, 1.0, 1.0, 1.0),
    ),
    "cfr+": Variant(
        "negative regrets are set to 0; the average gives iteration t the weight t",
        "Tammelin 2014, Solving large imperfect information games using CFR+",
        lambda t: Weights(1.0, 0.0, 1.0, t),
    ),
    "dcfr": Variant(
        "old regrets and averages are discounted, with alpha 3/2, beta 0 and gamma 2",
        "Brown and Sandholm 2019, Solving imperfect-information games via discounted regret minimization",
        _discounted,
    ),
    "dcfr+": Variant(
        "regrets are discounted as in DCFR, and negative ones set to 0; the average gives iteration t the weight t^4",
        "Xu, Li, Liu, Fu, Fu, Xing and Cheng 2024, Minimizing weighted counterfactual regret with optimistic online mirror descent",
        lambda t: Weights(t**1.5 / (t**1.5 + 1), 0.0, ((t - 1) / t) ** 4, 1.0),
    ),
    "pcfr+": Variant(
        "CFR+ that predicts the next regret to equal the last; the average gives iteration t the weight t squared",
        "Farina, Kroer and Sandholm 2021, Faster game solving via predictive Blackwell approachability",
        lambda t: Weights(1.0, 0.0, 1.0, t**2),
        predictive=True,
    ),
    "pdcfr+": Variant(
        "DCFR+ that predicts the next regret to equal the last, with alpha 2.3; the average gives iteration t the weight t^5",
        "Xu, Li, Liu, Fu, Fu, Xing and Cheng 2024, Minimizing weighted counterfactual regret with optimistic online mirror descent",
        lambda t: Weights(t**2.3 / (t**2.3 + 1), 0.0, ((t - 1) / t) ** 5, 1.0),
        predictive=True,
    ),
}
"""The variants of CFR by name."""
