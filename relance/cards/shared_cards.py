"""Both operators of real hands by inclusion and exclusion over the cards that two hands share.

The number of disjoint pairs of classes a and b is the sum over sets S of cards of (-1)^|S| N_a(S) N_b(S), with N_a(S) the
number of hands of class a that hold S. N_a(S) depends on the ranks of S and on whether S is of one suit, so that few sums are
left: of each such sort of S, running sums over the classes in their order give `mass` and `edge` at once. The full deck has a
few thousand sorts and some 30 entries a class, where the matrix has 7,462.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb, prod

import numpy as np
import numpy.typing as npt

from relance.cards.classes import Deck

Floats = npt.NDArray[np.float64]


class SharedCards:
    """The entries N_a(S), by sort of S and then by class; needs numba, the extra `fast`.

    Attributes:
        owner: (entries,) the class.
        held: (entries,) N_a(S).
        starts: (sorts + 1,) where the entries of each sort start.
        sets: (sorts,) how many sets are of the sort, negative for an odd number of cards.
    """

    def __init__(self, deck: Deck) -> None:
        entries = sorted(_entries(deck))
        sorts = [sort for sort, _, _ in entries]
        self.classes = len(deck.classes)
        self.owner = np.array([owner for _, owner, _ in entries], np.int64)
        self.held = np.array([held for _, _, held in entries], float)
        self.starts = np.array(
            [i for i, sort in enumerate(sorts) if not i or sort != sorts[i - 1]] + [len(sorts)], np.int64
        )
        self.sets = np.array([_how_many(deck, *sorts[i]) for i in self.starts[:-1]], float)

    def products(self, weights: Floats) -> tuple[Floats, Floats]:
        """What `Triangle.products` gives, to rounding."""
        from relance.cards.shared_cards_compiled import products

        rows = np.ascontiguousarray(weights.T, float)
        mass, edge = np.zeros_like(rows), np.zeros_like(rows)
        products(self.owner, self.held, self.starts, self.sets, rows, mass, edge)
        return np.ascontiguousarray(mass.T), np.ascontiguousarray(edge.T)


Sort = tuple[tuple[int, ...], bool]
"""The ranks of a set of cards, ascending, and whether it is of one suit; no cards and one card are."""


def _entries(deck: Deck) -> list[tuple[Sort, int, int]]:
    """(sort, class, N) wherever N is not 0, for sets of at most five cards."""
    out = []
    for index, item in enumerate(deck.classes):
        whole, distinct = Counter(item.ranks), len(set(item.ranks)) == 5
        for size in range(6):
            for ranks in {tuple(sorted(part)) for part in combinations(item.ranks, size)}:
                part = Counter(ranks)
                hands = prod(comb(deck.suits - part[rank], whole[rank] - part[rank]) for rank in whole)
                flushes = (deck.suits if size == 0 else 1) * distinct
                if item.flush:
                    out.append(((ranks, True), index, flushes))
                    continue
                if len(part) == size and hands > flushes:
                    out.append(((ranks, True), index, hands - flushes))
                if size > 1 and (len(part) < size or deck.suits > 1):
                    out.append(((ranks, False), index, hands))
    return out


def _how_many(deck: Deck, ranks: tuple[int, ...], one_suit: bool) -> int:
    """How many sets of cards are of this sort, negative for an odd number of cards."""
    sets = prod(comb(deck.suits, times) for times in Counter(ranks).values())
    same = (deck.suits if ranks else 1) * (len(set(ranks)) == len(ranks))
    found = same if one_suit else sets - same
    return -found if len(ranks) % 2 else found
