"""Two hole cards each: every operator against the sum over all pairs of hands, and the ranking against a rule book."""

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_classes import strength

from relance.model.playing_cards.classes import deck
from relance.model.playing_cards.hole_deal import HoleDeal, best_five
from relance.model.playing_cards.ranges import EVERY, hand_name, read_board, read_range

FULL = deck()

BOARDS = ["Ks9d7h4c2s", "AsKsQsJsTs", "2c2d2h2s3c", "8h7h6h5c5d"]
"""The second is the best hand for everybody, and so a tie of all."""


def brute_force(board, ranges):
    """The joint distribution and the showdowns, pair by pair and by a rule book, for hands as names."""
    cards = [FULL.card_name(card) for card in board]
    best = {}
    for hand in {hand for side in ranges for hand in side}:
        seven = [*cards, *(FULL.card_name(card) for card in hand)]
        best[hand] = max(map(strength, combinations(seven, 5))) if len(set(seven)) == 7 else None
    distribution = {
        (mine, theirs): (p * q, (best[mine] > best[theirs]) - (best[mine] < best[theirs]))
        for (mine, p), (theirs, q) in product(ranges[0].items(), ranges[1].items())
        if best[mine] and best[theirs] and not set(mine) & set(theirs)
    }
    total = sum(p for p, _ in distribution.values())
    return {tuple(map(hand_name, pair)): (p / total, edge) for pair, (p, edge) in distribution.items()}


def some_range(seed, size):
    rng = np.random.default_rng(seed)
    hands = rng.choice(len(EVERY), size, replace=False)
    return {EVERY[i]: Fraction(int(rng.integers(1, 8)), 7) for i in hands}


@pytest.mark.parametrize("board", BOARDS)
@given(seed=st.integers(0, 10**6), sizes=st.tuples(st.integers(1, 14), st.integers(1, 14)))
def test_operators_are_sums_over_all_pairs(board, seed, sizes):
    table = read_board(board)
    ranges = some_range(seed, sizes[0]), some_range(seed + 1, sizes[1])
    distribution = brute_force(table, ranges)
    if not distribution:
        with pytest.raises(ValueError, match="a card on the table|so none can be dealt"):
            HoleDeal(table, ranges)
        return
    deal = HoleDeal(table, ranges)
    assert {name for pair in distribution for name in pair[:1]} == set(deal.labels[0])
    assert {name for pair in distribution for name in pair[1:]} == set(deal.labels[1])
    rng = np.random.default_rng(seed)
    for player in (0, 1):
        weights = np.array([[Fraction(int(n), 9) for n in rng.integers(-9, 9, deal.size(1 - player))] for _ in "ab"])
        expected = np.zeros((2, 2, deal.size(player)), object)  # operator, row, hand
        for pair, (p, edge) in distribution.items():
            mine = deal.labels[player].index(pair[player])
            met = p * weights[:, deal.labels[1 - player].index(pair[1 - player])]
            expected[0, :, mine] += met
            expected[1, :, mine] += met * edge * (1 - 2 * player)
        for operator, rows in zip((deal.mass, deal.edge), expected, strict=True):
            assert (operator(player, weights) == rows).all()
            assert (operator(player, weights[0]) == rows[0]).all()
        quick = deal.floats
        for operator, rows in zip((quick.mass, quick.edge), expected.astype(float), strict=True):
            assert np.allclose(operator(player, weights.astype(float)), rows, rtol=0, atol=1e-13)
    joint, edges = deal.joint(), deal.joint_edge()
    for i, j in np.ndindex(joint.shape):
        p, edge = distribution.get((deal.labels[0][i], deal.labels[1][j]), (0, 0))
        assert (joint[i, j], edges[i, j]) == (p, p * edge)
        assert not p or deal.compare(i, j) == edge


def test_other_libraries_give_the_same():
    torch = pytest.importorskip("torch", reason="needs the extra torch")
    deal = HoleDeal(read_board(BOARDS[0]), (read_range("AA,KQs:1/2,87s"), read_range("KK,KJs,QQ:1/3")))
    there = deal.moved(torch.as_tensor)
    for player in (0, 1):
        weights = np.random.default_rng(1).random((2, deal.size(1 - player)))
        for name in ("mass", "edge"):
            found = getattr(there, name)(player, torch.as_tensor(weights)).numpy()
            assert np.allclose(found, getattr(deal.floats, name)(player, weights), rtol=0, atol=1e-15)


@pytest.mark.parametrize("board", [*BOARDS, "Ah2h3h4hKs", "QdQcJhJs9d"])
def test_the_best_five_is_that_of_the_rule_book(board):
    """By order: of any two hands the one with the higher class is the better, and equal classes tie."""
    table = read_board(board)
    rng = np.random.default_rng(2)
    left = [hand for hand in EVERY if not set(hand) & set(table)]
    hands = [left[i] for i in rng.choice(len(left), 60, replace=False)]
    classes = best_five(table, np.array(hands))
    by_book = [max(map(strength, combinations(map(FULL.card_name, (*table, *hand)), 5))) for hand in hands]
    for (a, mine), (b, theirs) in combinations(zip(classes, by_book, strict=True), 2):
        assert (a > b, a == b) == (mine > theirs, mine == theirs)


def test_the_library_phevaluator_ranks_seven_cards_alike():
    rank = pytest.importorskip("phevaluator", reason="needs the group evaluator").evaluate_cards
    table = read_board(BOARDS[3])
    left = [hand for hand in EVERY if not set(hand) & set(table)]
    classes = best_five(table, np.array(left))
    names = [[FULL.card_name(card).replace("10", "T") for card in (*table, *hand)] for hand in left]
    assert [7462 - found for found in classes] == [rank(*seven) for seven in names]


def test_all_hands_on_a_board():
    deal = HoleDeal(read_board(BOARDS[0]), (read_range("random"), read_range("random")))
    assert deal.size(0) == deal.size(1) == 1081  # of 47 cards
    assert deal.labels[0][-3:] == ("KdKc", "KhKc", "KhKd")
    assert set(deal.prior(0)) == {Fraction(1, 1081)}
    assert deal.mass(0, deal.constant(1, 1)).sum() == 1
    assert deal.edge(0, deal.constant(1, Fraction(1))).sum() == 0


def test_samples_and_chances_have_no_card_twice():
    deal = HoleDeal(read_board(BOARDS[0]), (read_range("random"), read_range("AhKh,AhKd:1/3,QQ:1/2")))
    rng = np.random.default_rng(3)
    for _ in range(300):
        mine, theirs = deal.sample(rng)
        assert len({*deal.cards(0, mine), *deal.cards(1, theirs), *deal.board}) == 9
    for hand in range(0, deal.size(0), 97):
        chances = deal.chances(hand)
        assert chances.sum() == pytest.approx(1)
        shares = [bool(set(deal.cards(0, hand)) & set(deal.cards(1, other))) for other in range(deal.size(1))]
        assert [chance == 0 for chance in chances] == shares


def test_impossible_ranges_are_named():
    table = read_board(BOARDS[0])
    with pytest.raises(ValueError, match="every hand of player 1's range holds a card on the table"):
        HoleDeal(table, (read_range("AA"), read_range("KsQd,9d8d")))
    with pytest.raises(ValueError, match="each hand of player 0's range shares a card with each hand of player 1's"):
        HoleDeal(table, (read_range("AhKh"), read_range("AhQh,KhQd")))
    deal = HoleDeal(table, (read_range("AhKh,QhJh"), read_range("AhQs,AhAd")))
    assert deal.labels == (("QhJh",), ("AhQs", "AhAd"))
