"""The joint law of both players' five-card hands: for each two classes, the number of pairs of hands that share no card.

A hand with ranks a leaves some suits of each rank in the deck. P(a, b) counts the hands with ranks b that can be chosen from
the cards left; it does not depend on the suits of the first hand. So hands with ranks a and hands with ranks b, flushes included,
form size(a) P(a, b) pairs. A fraction suits / size(a) of the hands with ranks a are flushes. Two flushes share no card if they have
different suits, or the same suit and no common rank. The other pairs follow by subtraction, in whole numbers.
"""

from __future__ import annotations

import math
from copy import copy
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import Any

import numpy as np

from relance.model.arrays import Floats, Ints, Put, namespace
from relance.model.deal import Array
from relance.model.limits import check_memory
from relance.model.playing_cards.classes import Deck

BLOCK = 512
"""The number of classes in a block of the matrix; a block stays in the cache while both of its products are computed."""


def pair_counts(deck: Deck, rows: slice = slice(None)) -> Floats:
    """(rows, classes) how many pairs of disjoint hands each class in `rows` has with each class: whole numbers as floats."""
    suits, times = deck.suits, deck.multiplicities.astype(np.float32)
    suited = np.array([item.flush for item in deck.classes])
    distinct = times.max(axis=1) == 1
    flushes = np.where(suited, 1, -distinct.astype(int))  # a class holds all flushes of its ranks, or all other hands
    share = ~suited + flushes / suits**4  # the share of the hands of its ranks that are in the class
    sizes, parts = _avoiding(deck)
    pairs = np.repeat(sizes[rows, None].astype(float), len(times), axis=1)
    for ways, pattern in parts:
        pairs *= ways[pattern[rows]].take(pattern, axis=1)

    both = np.ix_(distinct[rows], distinct)
    apart = (times[rows][distinct[rows]] @ times[distinct].T) == 0
    pairs_of_flushes = suits * (suits - 1) + suits * apart
    correction = np.outer(flushes[rows][distinct[rows]], flushes[distinct]) * (
        pairs_of_flushes - pairs[both] / suits**8
    )
    pairs *= share[rows, None] * share
    pairs[both] += correction
    whole: Floats = np.rint(pairs, out=pairs)
    return whole


@lru_cache(maxsize=2)
def _avoiding(deck: Deck) -> tuple[Ints, list[tuple[Floats, Ints]]]:
    """The number of hands with the ranks of each class, (classes,), and P as a product of two tables, for lower and higher ranks.

    Each table, (patterns, patterns), comes with the index of each class's pattern in it, (classes,).
    """
    suits, times = deck.suits, deck.multiplicities
    ways = np.array([[comb(suits - taken, more) for more in range(suits + 1)] for taken in range(suits + 1)])
    parts = []
    for half in np.array_split(times, 2, axis=1):
        patterns, pattern = np.unique(half, axis=0, return_inverse=True)
        parts.append((ways[patterns[:, None], patterns].prod(axis=2, dtype=float), pattern.ravel()))
    return ways[0].take(times).prod(axis=1), parts


class Triangle:
    """The symmetric matrix C of all pair counts of a deck; its lower half is stored in blocks, each read once for both operators.

    If L is the part below the diagonal and D the diagonal, mass is (L + D + L') w and edge is (L - L') w.

    Raises:
        ValueError: the machine does not have enough memory.
    """

    def __init__(self, deck: Deck) -> None:
        size = len(deck.classes)
        check_memory(4 * size * (size + BLOCK) + 40 * size * BLOCK, f"the law of {size} classes of hands")
        self.spans = [slice(start, min(start + BLOCK, size)) for start in range(0, size, BLOCK)]
        self.diagonal = np.empty(size)
        self.blocks: list[list[Any]] = []
        for mine in self.spans:
            counts = pair_counts(deck, mine)
            if not (counts.sum(axis=1) == deck.counts[mine] * comb(deck.size - 5, 5)).all():
                raise RuntimeError(f"the joint law of {deck} does not add up")
            row = [counts[:, theirs].copy() for theirs in self.spans[: len(self.blocks) + 1]]
            self.diagonal[mine] = row[-1].diagonal()
            row[-1] = np.tril(row[-1], -1)
            self.blocks.append(row)
        most = int(deck.counts.max()) * comb(deck.size - 5, 5)  # no row of C sums to more
        self.digit = 52 - most.bit_length()

    def moved(self, put: Put) -> Triangle:
        """The same matrix in arrays of another library."""
        out = copy(self)
        out.diagonal, out.blocks = put(self.diagonal), [[put(block) for block in row] for row in self.blocks]
        return out

    def products(self, weights: Any) -> tuple[Any, Any]:
        """C w and (L - L') w for each row w of `weights`, (k, classes); sums of whole numbers below 2**53 are exact."""
        xp = namespace(weights)
        lower, upper = xp.zeros_like(weights), xp.zeros_like(weights)
        for mine, row in zip(self.spans, self.blocks, strict=True):
            for theirs, block in zip(self.spans, row, strict=False):
                lower[:, mine] += weights[:, theirs] @ block.T
                upper[:, theirs] += weights[:, mine] @ block
        return lower + upper + weights * self.diagonal, lower - upper

    def exact_products(self, weight: Array) -> tuple[Array, Array]:
        """C w and (L - L') w with Fractions, both (classes,).

        The weights are scaled to whole numbers and multiplied digit by digit, in a base small enough to keep all sums below 2**53.
        """
        numbers = [Fraction(value) for value in weight]
        below = math.lcm(*(number.denominator for number in numbers))
        left = [number.numerator * (below // number.denominator) for number in numbers]
        signs = [1 if value > 0 else -1 for value in left]
        left = [abs(value) for value in left]
        sums = np.zeros((2, len(left)), object)
        place = Fraction(1, below)
        while any(left):
            digits = np.array([sign * (value % 2**self.digit) for sign, value in zip(signs, left, strict=True)], float)
            parts = np.concatenate(self.products(digits[None]))
            sums = sums + parts.astype(np.int64).astype(object) * place
            left = [value >> self.digit for value in left]
            place *= 2**self.digit
        return sums[0], sums[1]
