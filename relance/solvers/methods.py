"""The variants of CFR: what each does with regrets and averages at an iteration."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple


class Weights(NamedTuple):
    """What an iteration does: factors on positive and negative regrets, on the old average, and the new strategy's weight.

    Each a number, or an array over iterations.
    """

    positive: Any
    negative: Any
    keep: Any
    add: Any


@dataclass(frozen=True)
class Method:
    """A variant of CFR: its weights at iteration t (from 1), and whether it plays as if the last regret came again."""

    weights: Callable[[Any], Weights]
    predictive: bool = False


def _discounted(t: Any, alpha: float = 1.5, gamma: float = 2.0) -> Weights:
    return Weights(t**alpha / (t**alpha + 1), 0.5, ((t - 1) / t) ** gamma, 1.0)


METHODS: dict[str, Method] = {
    "cfr": Method(lambda t: Weights(1.0, 1.0, 1.0, 1.0)),
    "cfr+": Method(lambda t: Weights(1.0, 0.0, 1.0, t)),
    "dcfr": Method(_discounted),
    "pcfr+": Method(lambda t: Weights(1.0, 0.0, 1.0, t**2), predictive=True),
}
