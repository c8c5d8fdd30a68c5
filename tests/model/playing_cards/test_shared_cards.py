"""The joint distribution of classes of five cards: against brute force on small decks, and the paper's counts."""

import random
from fractions import Fraction
from math import comb
from operator import mul

import numpy as np
import pytest
from test_classes import FULL, SMALL

from relance.model import numba_start
from relance.model.playing_cards import shared_cards
from relance.model.playing_cards.classes import deck
from relance.model.playing_cards.shared_cards import SharedCards

WAYS = {"matrix": 10_000, "numba": 0, "numpy": 0}


@pytest.fixture(params=WAYS)
def shared(request, monkeypatch):
    """`SharedCards`, made in each way in which it multiplies."""
    if request.param == "numba":
        pytest.importorskip("numba", reason="needs the extra fast")
    monkeypatch.setattr(numba_start, "installed", lambda: request.param == "numba")
    monkeypatch.setattr(shared_cards, "are_few", lambda deck: len(deck.classes) < WAYS[request.param])
    return SharedCards


def rows_of(distribution, classes, chosen):
    """How many pairs of disjoint hands each of these classes has with each class."""
    return distribution.product(np.eye(classes)[chosen], False)


@pytest.fixture(params=SMALL, ids=str)
def small(request):
    return deck(*request.param)


def test_pairs_are_those_counted_one_by_one(small, shared):
    size = len(small.classes)
    counts, edges = (shared(small).product(np.eye(size), fought) for fought in (False, True))
    owner, bits = small.all_hands
    by_hand = np.zeros_like(counts)
    for i, (mine, cards) in enumerate(zip(owner, bits, strict=True)):  # each pair once: a hand shares cards with itself
        by_hand[mine] += np.bincount(owner[i:][bits[i:] & cards == 0], minlength=len(counts))
    assert (counts == by_hand + by_hand.T).all()
    assert counts.sum() == small.pairs
    assert (edges == counts * np.sign(np.subtract.outer(np.arange(size), np.arange(size))).T).all()


def test_the_full_distribution_adds_up():
    distribution = SharedCards(FULL)
    mass, edge = (distribution.product(np.ones((1, 7462)), fought) for fought in (False, True))
    assert (mass == FULL.counts * comb(47, 5)).all()
    assert edge.sum() == 0
    assert (
        rows_of(distribution, 7462, [7100])[0, 7000:7010] == rows_of(distribution, 7462, range(7000, 7010))[:, 7100]
    ).all()


def test_straight_flushes_of_the_paper():
    """Section 6: 31 higher and 3 equal ones beside a straight flush to the 5; 27 beside four aces with a six."""
    low, aces = FULL.find("5 high straight flush"), FULL.find("AAAA6")
    rows = rows_of(SharedCards(FULL), 7462, [low, aces])
    row = rows[0] / FULL.counts[low]
    assert (row[low + 1 :].sum(), row[low]) == (31, 3)
    row = rows[1] / FULL.counts[aces]
    assert row[low:].sum() == 27


@pytest.mark.parametrize("name", ["AAAA6", "KKK55", "K10742 flush", "8 high straight flush"])
def test_a_row_of_the_full_distribution_is_what_its_hands_leave(name):
    """For each hand of the class, all C(47, 5) hands of the other, by the table of all hands."""
    owner, bits = FULL.all_hands
    index = FULL.find(name)
    left = [np.bincount(owner[bits & bits[mine] == 0], minlength=7462) for mine in np.flatnonzero(owner == index)]
    assert all(row.sum() == comb(47, 5) for row in left)
    assert (rows_of(SharedCards(FULL), 7462, [index])[0] == sum(left)).all()


def test_all_ways_agree(shared):
    """In floats, on a deck of both kinds of size."""
    of = deck(8, 4)
    weights = np.random.default_rng(2).random((3, len(of.classes)))
    largest = np.abs(SharedCards(of).product(weights, False)).max()
    for fought in (False, True):
        table = SharedCards(of).product(np.eye(len(of.classes)), fought)
        assert np.abs(shared(of).product(weights, fought) - weights @ table).max() <= 1e-12 * largest


@pytest.mark.parametrize("fought", [False, True])
@pytest.mark.parametrize("bits", [1, 1500])
@pytest.mark.parametrize("of", [(3, 4), (10, 1), (5, 4)], ids=str)
def test_exact_products_are_exact(of, shared, bits, fought):
    """Long fractions, some of them negative, against the table of whole numbers, one product at a time."""
    small, draw = deck(*of), random.Random(bits)
    distribution, below = shared(small), 2**bits - 1
    numbers = [draw.randint(-below, below) for _ in small.classes]
    table = distribution.product(np.eye(len(numbers)), fought).astype(int).astype(object)
    expected = [Fraction(sum(map(mul, numbers, column)), below) for column in table.T]
    assert [*distribution.exact_product(np.array([Fraction(n, below) for n in numbers]), fought)] == expected
