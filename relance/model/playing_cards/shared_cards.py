"""The joint distribution of both players' five-card hands, by inclusion and exclusion over the cards that two hands share.

The number of pairs of hands of classes a and b that share no card is

    sum over sets S of cards:  (-1)^|S| N_a(S) N_b(S),

where N_a(S) is the number of hands of class a that contain S: a pair that shares k cards is counted once for each of the 2^k
subsets, with signs that cancel unless k = 0. N_a(S) depends only on the sort of S: its ranks, and whether all its suits are the same.
Only a few classes contain sets of a given sort, and running sums over these classes in order give both `mass` and `edge`. The
full deck has a few thousand sorts with about 30 classes each, and the matrix of all pairs 7,462 squared entries; it suits small decks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from math import comb, prod
from typing import Any, TypeAlias

import numpy as np

from relance.model import numba_start
from relance.model.arrays import Array, Floats, namespace, zeros_beside
from relance.model.numbers import over_one_denominator
from relance.model.playing_cards.classes import Deck

Sort: TypeAlias = tuple[tuple[int, ...], bool]
"""The ranks of a set of cards, ascending, and whether all have the same suit, as in the empty set or a single card."""

FEW, FEW_IN_NUMPY = 500, 1500
"""With fewer classes than this, the matrix of all pairs is quicker than sums over shared cards: with numba, and without."""


class SharedCards:
    """The numbers N_a(S) of hands of class a that contain all cards of the set S. Numbers that are 0 are not kept.

    Sets of cards are of one *sort* if they have the same ranks and agree in whether all their cards have one suit. N_a(S) is the same for
    all sets S of one sort, so it is kept once, as an *entry*. Entries are ordered by sort, then by class.

    Attributes:
        owner: (entries,) the class a.
        holding: (entries,) N_a(S) for each set S of the entry's sort.
        sort: (entries,) the number of the sort.
        starts: (sorts + 1,) the index of the first entry of each sort; the last item is the number of entries.
        sets: (sorts,) the number of sets of the sort, with a minus sign if the sets have an odd number of cards.
        factor: (entries,) `holding` times the sort's item of `sets`.
        matrices: (2, classes, classes) for each two classes the number of pairs of hands that share no card, and this number times the
            edge of the second class against the first; None if there are many classes.
        digit: `product` is exact for weights that are whole numbers below 2**`digit`.
    """

    def __init__(self, deck: Deck) -> None:
        by_sort: dict[Sort, list[tuple[int, int]]] = {}
        for sort, index, holding in _entries(deck):
            by_sort.setdefault(sort, []).append((index, holding))
        ordered = sorted(by_sort.items())
        entries = [entry for _, of_sort in ordered for entry in of_sort]
        self.owner = np.array([index for index, _ in entries], np.int64)
        self.holding = np.array([holding for _, holding in entries], float)
        self.starts = np.cumsum([0, *(len(of_sort) for _, of_sort in ordered)])
        self.sort = np.repeat(np.arange(len(ordered)), np.diff(self.starts))
        self.sets = np.array([(-1) ** len(ranks) * _sets(deck, ranks, suited) for (ranks, suited), _ in ordered], float)
        self.factor = self.holding * self.sets[self.sort]
        self.matrices = self._matrices() if are_few(deck) else None
        # No sum is more than those of a hand over all others, where a pair that shares k cards counts 2^k times, or running sums.
        most = int(deck.counts.max()) * sum(2**k * comb(5, k) * comb(deck.size - 5, 5 - k) for k in range(6))
        self.digit = 52 - max(most, 2 * int(self.holding.sum())).bit_length()

    def _matrices(self) -> Floats:
        from scipy.sparse import csr_array

        holding, factor = (csr_array((of, (self.owner, self.sort))) for of in (self.holding, self.factor))
        pairs = (factor @ holding.T).toarray()
        return np.stack([pairs, np.triu(pairs) - np.tril(pairs)])

    def product(self, weights: Any, fought: bool) -> Any:
        """For each row of `weights`, (k, classes), a sum for each class; the result has the shape of `weights`.

        The sum for class a goes over all classes b: the weight of b times the number of pairs of a hand of a and one of b without a common
        card. If `fought`, a term is multiplied by 1, 0 or -1, as a wins, ties or loses. Whole weights below 2**`digit` give exact sums.

        Raises:
            ValueError: there are many classes, and `weights` are in float32, as JAX has them by default.
        """
        if self.matrices is not None:
            return weights @ self.matrices[int(fought)]
        if weights.dtype.itemsize < 8:
            raise ValueError(
                f"five-card hands of a deck need weights in float64, not {weights.dtype}; in JAX, set jax_enable_x64"
            )
        if isinstance(weights, np.ndarray) and numba_start.installed():
            from relance.model.playing_cards.shared_cards_compiled import add_products

            columns = np.ascontiguousarray(weights.T, float)
            out = np.zeros_like(columns)
            add_products(self.owner, self.holding, self.starts, self.sets, columns, fought, out)
            return np.ascontiguousarray(out.T)
        if isinstance(weights, np.ndarray) and len(weights) > 1:  # all at once would leave the processor's cache
            return np.concatenate([self.product(row[None], fought) for row in weights])
        here = weights[:, self.owner] * self.holding
        if fought:  # of each sort, the classes so far less those that follow
            running = namespace(here).cumsum(here, 1)
            upto = running[:, self.starts[1:] - 1]
            met = 2 * running - here - (2 * upto - _sums(here, self.sort, len(self.sets)))[:, self.sort]
        else:
            met = _sums(here, self.sort, len(self.sets))[:, self.sort]
        return _sums(met * self.factor, self.owner, weights.shape[1])

    def exact_product(self, weight: Array, fought: bool) -> Array:
        """For each class a, the sum over classes b of weight[b] times the number of pairs of a hand of a and one of b that share no card.

        If `fought`, each term is also multiplied by 1, 0 or -1, as a wins, ties or loses. `weight`, (classes,), and the sums are Fractions.
        They get one denominator. Their numerators are written in base 2**`digit`, and `product` is exact for each of their digits.
        """
        numbers, below = over_one_denominator([Fraction(value) for value in weight])
        count = max(map(int.bit_length, numbers)) // self.digit + 1
        out = np.zeros(len(numbers), object)
        for k in range(count):  # the last digit has the sign
            mask = -1 if k == count - 1 else 2**self.digit - 1
            digits = np.array([[(number >> k * self.digit) & mask for number in numbers]], float)
            (part,) = self.product(digits, fought)
            out = out + part.astype(np.int64).astype(object) * Fraction(2 ** (k * self.digit), below)
        return out


def are_few(deck: Deck) -> bool:
    """Return True if `deck` has so few classes that a matrix over all pairs of classes gives payoffs faster than sums over shared cards."""
    return len(deck.classes) < (FEW if numba_start.installed() else FEW_IN_NUMPY)


def _sums(rows: Any, numbers: Any, size: int) -> Any:
    """(k, size) for each row of `rows`, (k, entries), and each n below `size` the sum of the entries where `numbers`, (entries,), is n."""
    if isinstance(rows, np.ndarray):
        return np.stack([np.bincount(numbers, row, size) for row in rows])
    if hasattr(rows, "at"):  # of JAX
        return namespace(rows).zeros((len(rows), size), rows.dtype).at[:, numbers].add(rows)
    return zeros_beside(rows, (len(rows), size)).index_add_(1, numbers, rows)


def _entries(deck: Deck) -> Iterator[tuple[Sort, int, int]]:
    """Yield (sort, class, N), class by class, where N > 0 hands of the class contain a given set of cards of the sort."""
    for index, item in enumerate(deck.classes):
        whole, distinct = Counter(item.ranks), len(set(item.ranks)) == 5
        for size in range(6):
            for ranks in {tuple(sorted(part)) for part in combinations(item.ranks, size)}:
                part = Counter(ranks)
                hands = prod(comb(deck.suits - part[rank], whole[rank] - part[rank]) for rank in whole)
                flushes = (1 if ranks else deck.suits) * distinct  # of `hands`, if the set has one suit
                if item.flush:
                    yield (ranks, True), index, flushes
                    continue
                if len(part) == size and hands > flushes:
                    yield (ranks, True), index, hands - flushes
                if size > 1 and (len(part) < size or deck.suits > 1):
                    yield (ranks, False), index, hands


def _sets(deck: Deck, ranks: tuple[int, ...], suited: bool) -> int:
    """The number of sets of cards with these ranks that have one suit (if `suited`) or several."""
    of_one_suit = (deck.suits if ranks else 1) * (len(set(ranks)) == len(ranks))
    return of_one_suit if suited else prod(comb(deck.suits, n) for n in Counter(ranks).values()) - of_one_suit
