"""Deals of five cards from one deck: their operators against a matrix, and hands as they are dealt and shown."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from test_classes import FULL

from relance.model.matrix_deal import MatrixDeal
from relance.model.playing_cards.card_deal import CardDeal, TwoDecks
from relance.model.playing_cards.classes import deck
from relance.model.playing_cards.shared_cards import SharedCards


def by_matrix(of):
    size = len(of.classes)
    counts = SharedCards(of).product(np.eye(size), False)
    distribution = np.array([[Fraction(int(n), of.pairs) for n in row] for row in counts], object)
    edge = np.sign(np.subtract.outer(np.arange(size), np.arange(size))).astype(object)
    return MatrixDeal((of.names, of.names), distribution, edge)


@pytest.mark.parametrize("size", [(3, 4), (5, 2), (4, 3)])
def test_operators_are_those_of_the_matrix(size):
    of = deck(*size)
    deal, twin, rng = CardDeal(of), by_matrix(of), np.random.default_rng(1)
    exact = np.array([Fraction(int(a), int(b)) for a, b in rng.integers(1, 10**15, (len(of.classes), 2))], object)
    exact[::3] *= -1
    for player in (0, 1):
        assert (deal.mass(player, exact) == twin.mass(player, exact)).all()
        assert (deal.edge(player, exact) == twin.edge(player, exact)).all()
        for name in ("mass", "edge"):
            assert np.allclose(
                getattr(deal.floats, name)(player, exact.astype(float)),
                getattr(twin.floats, name)(player, exact.astype(float)),
                rtol=1e-12,
                atol=1e-6,
            )
        assert (deal.prior(player) == deal.mass(player, deal.constant(1 - player, 1))).all()
    for hand in (0, len(of.classes) - 1):
        assert np.allclose(deal.chances(hand), twin.chances(hand), atol=1e-15)


@pytest.mark.parametrize("make", [CardDeal, TwoDecks])
def test_real_cards_are_dealt_by_the_distribution(make):
    of, rng = deck(3, 4), np.random.default_rng(3)
    deal = make(of)
    distribution = deal.joint().astype(float)
    dealt = np.zeros_like(distribution)
    for _ in range(4000):
        dealt[deal.sample(rng)] += 1
    seen = distribution > 0
    assert not dealt[~seen].any()
    square = ((dealt - 4000 * distribution)[seen] ** 2 / (4000 * distribution)[seen]).sum()
    assert square < seen.sum() + 6 * np.sqrt(2 * seen.sum())


def test_shown_cards_are_of_the_class_and_of_one_deck():
    rng = np.random.default_rng(4)
    deal, apart, both = CardDeal(FULL), TwoDecks(FULL), 0
    for _ in range(200):
        hands = deal.sample(rng)
        shown = [text.split() for text in deal.showing.cards(hands, rng)]
        assert tuple(FULL.classify(cards) for cards in shown) == hands
        assert not set(shown[0]) & set(shown[1])
        again = [text.split() for text in apart.showing.cards((hands[0], hands[0]), rng)]
        both += bool(set(again[0]) & set(again[1]))
    assert both > 50


def test_shown_cards_have_equal_chances():
    """Four kings and an ace against three queens and two aces: each of the 4 * 4 * 3 pairs that can be dealt together."""
    of, rng = deck(3, 4), np.random.default_rng(5)
    hands = of.find("KKKKA"), of.find("QQQAA")
    found = Counter(CardDeal(of).showing.cards(hands, rng) for _ in range(4800))
    assert len(found) == round(CardDeal(of).pair(*hands) * of.pairs) == 48
    assert max(abs(count - 100) for count in found.values()) < 50
