"""A deal of few hands as two matrices: the joint distribution of the hands, and player 0's edge for each pair."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from functools import cached_property
from typing import Any

import numpy as np

from relance.model.arrays import Put
from relance.model.deal import Array, FiniteDeal, as_floats
from relance.model.numbers import Number


class MatrixDeal(FiniteDeal):
    """A deal of finitely many hands, by two matrices of shape (hands of player 0, hands of player 1).

    Args:
        labels, places: for each player the names of the hands; and, if hands are cells of [0, 1], the middles of the cells.
        joint: the probability of each pair of hands.
        edge: player 0's edge for each pair, from -1 to 1 (strictly between if a hand only gives a chance of winning).
    """

    in_pairs = True

    def __init__(
        self,
        labels: tuple[Sequence[str], Sequence[str]],
        joint: Array,
        edge: Array,
        places: tuple[Array, Array] | None = None,
    ) -> None:
        self.labels = (tuple(labels[0]), tuple(labels[1]))
        shape = (len(self.labels[0]), len(self.labels[1]))
        if joint.shape != shape or edge.shape != shape:
            raise ValueError(f"joint and edge need shape {shape} for these labels, not {joint.shape} and {edge.shape}")
        joint, edge = _of_python(joint), _of_python(edge)
        self._joint, self._edges = joint, edge
        self._mass = (joint, joint.T)
        self.places = places

    @cached_property
    def _edge(self) -> tuple[Array, Array]:
        paid = self._joint * self._edges
        return paid, paid.T

    @cached_property
    def floats(self) -> MatrixDeal:
        others = [*self.events.values(), *self.contests.values()]
        if all(part.dtype.kind == "f" for part in (self._joint, self._edges)) and all(d.floats is d for d in others):
            return self
        out = MatrixDeal(self.labels, as_floats(self._joint), as_floats(self._edges), self.places)
        return self.carry(out, lambda deal: deal.floats)

    def moved(self, put: Put) -> MatrixDeal:
        out = copy(self.floats)
        joint, edge = put(self.floats._mass[0]), put(self.floats._edge[0])
        out._mass, out._edge = (joint, joint.T), (edge, edge.T)
        return self.carry(out, lambda deal: deal.moved(put))

    def like(self, player: int) -> Array | None:
        row: Array = self._mass[1 - player][0]
        return None if self._joint.dtype == object else row

    @cached_property
    def sharpest(self) -> Number:
        dealt = self._mass[0] != 0
        largest: Number = np.max(np.abs(self._edge[0][dealt]) / self._mass[0][dealt], initial=0)
        return largest

    def joint(self) -> Array:
        return self._joint

    def joint_edge(self) -> Array:
        return self._edge[0]

    def compare(self, mine: int, theirs: int) -> Number:
        edge: Number = self._edges[mine, theirs]
        return edge

    def pair(self, mine: int, theirs: int) -> Number:
        probability: Number = self._joint[mine, theirs]
        return probability

    def mass(self, player: int, weight: Array) -> Array:
        met: Array = weight @ self._mass[1 - player]
        return met

    def edge(self, player: int, weight: Array) -> Array:
        paid: Array = weight @ self._edge[1 - player]
        return (1 - 2 * player) * paid


def _of_python(numbers: Array) -> Array:
    """Floats as float64, and numbers of numpy among objects as Python's.

    One in float32 would give sums its precision. And where a product of objects fails, numpy's `@` goes on with the others before it raises
    the error; on numbers of its own this ends the process.
    """
    if numbers.dtype != object:
        return as_floats(numbers) if numbers.dtype.kind == "f" else numbers
    plain: Array = np.frompyfunc(_plain, 1, 1)(numbers)
    return plain


def _plain(number: Any) -> Any:
    if isinstance(number, np.floating):
        return float(number)
    return number.item() if isinstance(number, np.generic) else number
