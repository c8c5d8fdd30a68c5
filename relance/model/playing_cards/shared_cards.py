"""Both operators of real hands in floats, by inclusion and exclusion over the cards that two hands share.

The number of pairs of hands of classes a and b that share no card is

    sum over sets S of cards:  (-1)^|S| N_a(S) N_b(S),

where N_a(S) is the number of hands of class a that contain S: a pair that shares k cards is counted once for each of the 2^k
subsets, with signs that cancel unless k = 0. N_a(S) depends only on the sort of S: its ranks, and whether all its suits are the same.
Only a few classes contain sets of a given sort, and running sums over these classes in order give both `mass` and `edge`. The
full deck has a few thousand sorts with about 30 classes each, while the matrix has 7,462 squared entries.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from math import comb, prod
from typing import TypeAlias

import numpy as np

from relance.model.arrays import Floats
from relance.model.playing_cards.classes import Deck

Sort: TypeAlias = tuple[tuple[int, ...], bool]
"""The ranks of a set of cards, ascending, and whether all have the same suit, as in the empty set or a single card."""


class SharedCards:
    """The nonzero N_a(S): the entries are grouped by the sort of S, and each group is in order of the class a.

    Needs numba, the extra `fast`.

    Attributes:
        owner: (entries,) the class a.
        holding: (entries,) N_a(S), for one set S of the sort.
        starts: (sorts + 1,) where the entries of each sort start.
        sets: (sorts,) the number of sets of cards of that sort, with a minus sign if each has an odd number of cards.
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
        self.sets = np.array([(-1) ** len(ranks) * _sets(deck, ranks, suited) for (ranks, suited), _ in ordered], float)

    def products(self, weights: Floats) -> tuple[Floats, Floats]:
        """The same as `relance.model.playing_cards.pair_counts.Triangle.products`, up to rounding."""
        from relance.model.playing_cards.shared_cards_compiled import products

        columns = np.ascontiguousarray(weights.T, float)
        mass, edge = np.zeros_like(columns), np.zeros_like(columns)
        products(self.owner, self.holding, self.starts, self.sets, columns, mass, edge)
        return np.ascontiguousarray(mass.T), np.ascontiguousarray(edge.T)


def _entries(deck: Deck) -> Iterator[tuple[Sort, int, int]]:
    """Yield (sort, class, N) for each nonzero N, class by class."""
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
