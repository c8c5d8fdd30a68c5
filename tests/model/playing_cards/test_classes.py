"""Classes of five-card hands, against a rule book."""

from collections import Counter
from itertools import pairwise
from math import comb

import numpy as np
import pytest

from relance.model.playing_cards.classes import KINDS, Deck, deck

SMALL = [(3, 4), (5, 2), (6, 3), (5, 4), (10, 1), (6, 4), (4, 3)]

FULL = deck()


@pytest.fixture(params=SMALL, ids=str)
def small(request):
    return deck(*request.param)


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
