"""Observations as features, in which the outputs of a learner are linear: cells of a table, tent functions of the hand, or random cosines.

Tent functions make outputs linear in the hand between two knots. Cosines of random weights are those of Rahimi and Recht, Random Features
for Large-Scale Kernel Machines (2007).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Annotated, Any

import numpy as np
from scipy import sparse

from relance.baselines.settings import Range
from relance.model.arrays import Array
from relance.model.game import Game
from relance.play.agents import questions
from relance.play.rules import rules

Knots = Annotated[int, Range(2)]
"""How many tent functions encode a hand on [0, 1], see `Tents`."""

SHARPEST = 200.0
"""The largest weight of a real-valued input of `Cosines`."""


class Features(ABC):
    """A map from observations to features: a learner's outputs are these features times a matrix. Equal observations are merged.

    Attributes:
        size: how many features there are.
        merges: whether observations can be equal; observations that hold a real number hardly ever are.
        mark: (K,) fixed random weights. An observation, K numbers, times these weights is its mark, which tells it from the others.
    """

    size: int
    merges: bool
    mark: Array

    @abstractmethod
    def __call__(self, seen: Array) -> Any:
        """(k, size) the features of observations (k, K): an array, or a sparse one."""

    def merged(self, seen: Array) -> tuple[Array, Array]:
        """Number the different observations in the rows of `seen`; return the row where each comes first, and for each row its number."""
        if not self.merges:
            everyone = np.arange(len(seen))
            return everyone, everyone
        _, first, number = np.unique(seen @ self.mark, return_index=True, return_inverse=True)
        return first, number


class Tents(Features):
    """A feature for each decision node and each card or knot.

    A number in [0, 1] lies between two of `knots` evenly spaced knots and activates both, the nearer one more (a tent function):
    the closer the knots, the sharper the thresholds that can be learned. A card has a feature of its own.

    In an observation, the zeros and ones for seat and betting identify the node. Nodes are numbered in ascending order of the dot product
    of these zeros and ones with the weights `mark`.
    """

    def __init__(self, game: Game, knots: int) -> None:
        shared = rules(game)
        self.columns = shared.pieces[1].shape[0]
        self._hand = np.s_[2 : 2 + self.columns]
        self.merges = not (shared.numbered or shared.showing)
        self.knots = 1 if self.merges else knots
        self.mark = np.random.default_rng(0).normal(size=shared.size)
        self._public = np.where(np.isin(np.arange(shared.size), np.r_[self._hand]), 0, self.mark)
        deciding = [(player, node) for node, player in enumerate(shared.player) if player >= 0]
        marks = np.sort(np.stack([shared.observe(player, 0, node) for player, node in deciding]) @ self._public)
        self._borders = (marks[1:] + marks[:-1]) / 2  # halfway to the next mark, so that rounding does no harm
        self.size = len(deciding) * self.columns * self.knots

    def __call__(self, seen: Array) -> Any:
        """(k, size) sparse, with two entries in each row: the shares of the knots on both sides."""
        hand = seen[:, self._hand]  # zeros, but for the number of the hand in one column
        first = (np.searchsorted(self._borders, seen @ self._public) * self.columns + hand.argmax(axis=1)) * self.knots
        place = hand.max(axis=1) * (self.knots - 1)
        left = np.minimum(place.astype(np.int64), max(self.knots - 2, 0))
        right = (place - left).astype(np.float32)
        cells = np.stack([first + left, first + np.minimum(left + 1, self.knots - 1)], axis=1)
        shares = np.stack([1 - right, right], axis=1)
        ends = np.arange(0, cells.size + 1, 2)
        return sparse.csr_array((shares.reshape(-1), cells.reshape(-1), ends), (len(seen), self.size))


class Cells(Features):
    """A table: each information set, of which the game has finitely many, has a feature of its own, which is 1 there and 0 elsewhere."""

    merges = True

    def __init__(self, game: Game) -> None:
        seen = np.concatenate([questions(game, seat)[0] for seat in (0, 1)])
        self.mark = np.random.default_rng(0).normal(size=seen.shape[1:])
        marks: Array = np.sort(seen @ self.mark)
        self.size = len(marks)
        self._borders = (marks[1:] + marks[:-1]) / 2

    def __call__(self, seen: Array) -> Array:
        return np.eye(self.size, dtype=np.float32)[np.searchsorted(self._borders, seen @ self.mark)]


class Cosines(Features):
    """A hidden layer of cosines with fixed random weights.

    An input is real-valued if it is neither 0 nor 1 in some observation. The input's weights are drawn from a Cauchy distribution,
    whose kernel has kinks, which suit thresholds. The weights of the other inputs, which are binary, are normally distributed.

    Args:
        seen: observations (k, K), which tell whether each of the K inputs is real-valued or binary.
        size: how many cosines there are.
        apart: standard deviation of the weights of binary inputs.
        sharpness: median size of the weights of real-valued inputs.
        random: the generator of the weights.
    """

    def __init__(self, seen: Array, size: int, apart: float, sharpness: float, random: np.random.Generator) -> None:
        shape = seen.shape[1], size
        sharp = np.clip(random.standard_cauchy(shape) * sharpness, -SHARPEST, SHARPEST)
        number = ((seen != 0) & (seen != 1)).any(axis=0)
        weights = np.where(number[:, None], sharp, random.normal(size=shape) * apart)
        self.size, self.merges, self.weights = size, not number.any(), weights.astype(np.float32)
        self.shift = (random.random(size) * 2 * np.pi).astype(np.float32)
        self.mark = random.normal(size=len(number))

    def __call__(self, seen: Array) -> Array:
        """(k, size); the squares of a row sum to about 1."""
        out: Array = seen @ self.weights
        out += self.shift
        np.cos(out, out=out)
        out *= np.float32((2 / self.size) ** 0.5)
        return out
