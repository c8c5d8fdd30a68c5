"""The joint law of classes of five cards: against brute force on small decks, and the paper's counts."""

from math import comb

import numpy as np
import pytest
from test_classes import FULL, SMALL

from relance.model.playing_cards.classes import deck
from relance.model.playing_cards.pair_counts import pair_counts


@pytest.fixture(params=SMALL, ids=str)
def small(request):
    return deck(*request.param)


def test_pairs_are_those_counted_one_by_one(small):
    counts = pair_counts(small)
    owner, bits = small.all_hands
    by_hand = np.zeros_like(counts)
    for i, (mine, cards) in enumerate(zip(owner, bits, strict=True)):  # each pair once: a hand shares cards with itself
        by_hand[mine] += np.bincount(owner[i:][bits[i:] & cards == 0], minlength=len(counts))
    assert (counts == by_hand + by_hand.T).all()
    assert counts.sum() == small.pairs


def test_the_full_law_adds_up():
    """A block of its rows, which is all that can be wrong in it: the code is that of the small decks."""
    rows = pair_counts(FULL, slice(7000, 7100))
    assert (rows.sum(axis=1) == FULL.counts[7000:7100] * comb(47, 5)).all()
    assert (pair_counts(FULL, slice(7100, 7200))[:, 7000:7100] == rows[:, 7100:7200].T).all()


def test_straight_flushes_of_the_paper():
    """Section 6: 31 higher and 3 equal ones beside a straight flush to the 5; 27 beside four aces with a six."""
    low, aces = FULL.find("5 high straight flush"), FULL.find("AAAA6")
    row = pair_counts(FULL, slice(low, low + 1))[0] / FULL.counts[low]
    assert (row[low + 1 :].sum(), row[low]) == (31, 3)
    row = pair_counts(FULL, slice(aces, aces + 1))[0] / FULL.counts[aces]
    assert row[low:].sum() == 27


@pytest.mark.parametrize("name", ["AAAA6", "KKK55", "K10742 flush", "8 high straight flush"])
def test_a_row_of_the_full_law_is_what_its_hands_leave(name):
    """For each hand of the class, all C(47, 5) hands of the other, by the table of all hands."""
    owner, bits = FULL.all_hands
    index = FULL.find(name)
    left = [np.bincount(owner[bits & bits[mine] == 0], minlength=7462) for mine in np.flatnonzero(owner == index)]
    assert all(row.sum() == comb(47, 5) for row in left)
    assert (pair_counts(FULL, slice(index, index + 1))[0] == sum(left)).all()
