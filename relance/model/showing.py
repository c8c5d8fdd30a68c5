"""What hands look like that stand for something else, such as classes of five-card hands for real cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np


class Showing(Protocol):
    """How hands look whose numbers stand for something.

    Attributes:
        kind: (hands,) the kind of each hand, out of `kinds`, the same for both players.
        place: (hands,) what tells the hands of a kind apart, in (0, 1].
    """

    kind: Sequence[int]
    kinds: int
    place: Sequence[float]

    def cards(self, hands: tuple[int, int], rng: np.random.Generator) -> tuple[str, str]:
        """What the players with these hands see in front of them."""
