"""Classes of five-card hands and their joint law: against a rule book, brute force on small decks, and the paper's counts."""

from collections import Counter
from fractions import Fraction
from itertools import pairwise
from math import comb

import numpy as np
import pytest

from relance.model.cards import card_deal
from relance.model.cards.card_deal import CardDeal, TwoDecks
from relance.model.cards.classes import KINDS, Deck, deck
from relance.model.cards.pair_counts import Triangle, pair_counts
from relance.model.cards.shared_cards import SharedCards
from relance.model.limits import check_memory
from relance.model.matrix_deal import MatrixDeal

SMALL = [(3, 4), (5, 2), (6, 3), (5, 4), (10, 1), (6, 4), (4, 3)]
FULL = deck()


@pytest.fixture(params=SMALL, ids=str)
def small(request):
    return deck(*request.param)


# --- classes ---


def test_the_full_deck_has_the_counts_of_every_poker_book():
    kinds = Counter()
    for item in FULL.classes:
        kinds[KINDS[item.kind]] += item.count
    assert len(FULL.classes) == 7462
    assert [kinds[kind] for kind in KINDS] == [1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 40]
    assert FULL.hands == FULL.below[-1] == 2598960
    assert FULL.pairs == comb(52, 5) * comb(47, 5)


def test_names_are_the_papers_and_are_found_again():
    assert len(set(FULL.names)) == 7462
    assert [FULL.find(name) for name in FULL.names] == list(range(7462))
    assert FULL.classify("2c 2d Jh 10s 9c") == FULL.find("22J109")
    assert FULL.classify("Kh 8h 7h 4h 3h") == FULL.find("K8743 flush") == FULL.find("K8743 fl.")
    assert FULL.classify(["9c", "8d", "7d", "6d", "5d"]) == FULL.find("9 high straight") == FULL.find("9 high str.")
    assert FULL.classify("A♠ 2♠ 3♠ 4♠ 5♠") == FULL.find("5 str. fl.") == FULL.find("5 high straight flush")
    assert FULL.classify("Ac,Ad,As,Jh,Jd") == FULL.find("AAAJJ")
    assert FULL.names[0] == "75432"
    assert FULL.names[-1] == "A high straight flush"


def strength(names):
    """The strength of five cards as a rule book gives it: by groups of equal ranks, then straights and flushes."""
    ranks = sorted(("23456789TJQKA".index(name[:-1].replace("10", "T")) for name in names), reverse=True)
    groups = sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)
    straight, flush = ranks in [list(range(top, top - 5, -1)) for top in range(4, 13)], len({n[-1] for n in names}) == 1
    if ranks == [12, 3, 2, 1, 0]:  # the ace of A 2 3 4 5 counts as one
        straight, groups = True, [(1, rank) for rank in (3, 2, 1, 0, -1)]
    kinds = [[1, 1, 1, 1, 1], [2, 1, 1, 1], [2, 2, 1], [3, 1, 1], None, None, [3, 2], [4, 1]]
    kind = kinds.index([times for times, _ in groups])
    return (8 if straight and flush else 5 if flush else 4 if straight else kind), [rank for _, rank in groups]


def test_classes_are_in_the_order_of_the_rule_book():
    """Every class beside the next, by one of its hands."""
    rng = np.random.default_rng(0)
    strengths = [strength(FULL.show(FULL.some_hand(index, rng)).split()) for index in range(7462)]
    assert all(lower < higher for lower, higher in pairwise(strengths))


def test_every_hand_is_in_its_class():
    rng = np.random.default_rng(0)
    for _ in range(3000):
        hands = [rng.permutation(52)[:5].tolist() for _ in range(2)]
        mine, theirs = (strength([FULL.card_name(card) for card in hand]) for hand in hands)
        first, second = (FULL.class_of(hand) for hand in hands)
        assert (first > second, first == second) == (mine > theirs, mine == theirs)
        assert FULL.hand(FULL.show(hands[0])) == tuple(sorted(hands[0], reverse=True))


def test_the_library_phevaluator_has_the_same_order():
    rank = pytest.importorskip("phevaluator", reason="needs the group evaluator").evaluate_cards
    rng = np.random.default_rng(1)
    hands = [FULL.show(FULL.some_hand(index, rng)).replace("10", "T").split() for index in range(7462)]
    assert [rank(*hand) for hand in hands] == list(range(7462, 0, -1))


@pytest.mark.parametrize(
    ("lower", "higher"),
    [
        ("5 high straight", "6 high straight"),
        ("AAAKQ", "5 high straight"),
        ("A high straight", "75432 flush"),
        ("AKQJ9 flush", "22233"),
        ("5 high straight flush", "6 high straight flush"),
        ("AAAAK", "5 high straight flush"),
        ("KKA32", "AA432"),
        ("3322A", "44223"),
    ],
)
def test_known_comparisons(lower, higher):
    assert FULL.find(lower) < FULL.find(higher)


def test_all_hands_are_listed_with_their_classes(small):
    owner, bits = small.all_hands
    assert (np.bincount(owner, minlength=len(small.classes)) == small.counts).all()
    for i in range(0, len(owner), max(1, len(owner) // 50)):
        cards = [card for card in range(small.size) if int(bits[i]) >> card & 1]
        assert small.class_of(cards) == owner[i]


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        ("Ah Ah Kd 2c 3c", "has Ah more than once"),
        ("Ah Kh Qh Jh 10h Th", "has 10h more than once"),
        ("1h 2c 3c 4c 5c", "'1h' is not a card of this deck"),
        ("Ax 2c 3c 4c 5c", "'Ax' is not a card of this deck"),
        ("2c 3c 4c 5c", "has 4 cards, not 5"),
        ("", "has 0 cards, not 5"),
    ],
)
def test_bad_hands_are_named(cards, message):
    with pytest.raises(ValueError, match=message):
        FULL.hand(cards)


def test_bad_classes_and_decks_are_named():
    with pytest.raises(ValueError, match="'22J10' is not a class"):
        FULL.find("22J10")
    with pytest.raises(ValueError, match="is not a class"):
        FULL.find("AKQJ10")
    with pytest.raises(ValueError, match="not a card of this deck"):
        deck(3, 4).card("2h")
    for ranks, suits in ((1, 4), (14, 4), (13, 5), (2, 4), (9, 1)):
        with pytest.raises(ValueError, match="ranks=|suits="):
            Deck(ranks, suits)


# --- the joint law ---


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


def test_what_does_not_fit_into_memory_is_refused():
    with pytest.raises(ValueError, match="the law of many classes needs .* GiB of memory; the machine has"):
        check_memory(2**60, "the law of many classes")


# --- the deal ---


def by_matrix(of):
    size = len(of.classes)
    law = np.array([[Fraction(int(n), of.pairs) for n in row] for row in pair_counts(of)], object)
    edge = np.sign(np.subtract.outer(np.arange(size), np.arange(size))).astype(object)
    return MatrixDeal((of.names, of.names), law, edge)


@pytest.mark.parametrize("size", [(3, 4), (5, 2), (4, 3)])
def test_operators_are_those_of_the_matrix(size, monkeypatch):
    of = deck(*size)
    monkeypatch.setattr("relance.model.cards.pair_counts.BLOCK", 7)
    card_deal._matrix_of.cache_clear()
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


def test_sums_over_shared_cards_are_the_matrix(small):
    pytest.importorskip("numba", reason="needs the extra fast")
    weights = np.random.default_rng(2).random((3, len(small.classes)))
    matrix, shared = Triangle(small).products(weights), SharedCards(small).products(weights)
    for a, b in zip(matrix, shared, strict=True):
        assert np.abs(a - b).max() <= 1e-11 * np.abs(matrix[0]).max()


@pytest.mark.parametrize("make", [CardDeal, TwoDecks])
def test_real_cards_are_dealt_by_the_law(make):
    of, rng = deck(3, 4), np.random.default_rng(3)
    deal = make(of)
    law = deal.joint().astype(float)
    dealt = np.zeros_like(law)
    for _ in range(4000):
        dealt[deal.sample(rng)] += 1
    seen = law > 0
    assert not dealt[~seen].any()
    square = ((dealt - 4000 * law)[seen] ** 2 / (4000 * law)[seen]).sum()
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
    assert len(found) == pair_counts(of)[hands] == 48
    assert max(abs(count - 100) for count in found.values()) < 50
