"""Deals by rank."""

from fractions import Fraction

import numpy as np
import pytest

from relance.model.distributions import fgm, independent
from relance.model.grid import EqualCuts

F = Fraction


def test_a_showdown_and_a_deal_of_many_hands_take_no_table():
    deal = fgm(F(-1, 2)).cells(EqualCuts(50_000)).floats
    rng = np.random.default_rng(2)
    pairs = np.array([deal.sample(rng) for _ in range(2000)]) / 50_000
    assert abs(np.corrcoef(pairs.T)[0, 1] + 1 / 6) < 0.1
    assert abs(deal.compare(7, 7)) < 1
    assert "_chances" not in vars(deal)


RANKS = {
    "of both": ((1, 1, 2), (1, 2, 2)),
    "of one, in step": ((1, 2, 2), (1, 2, 3)),
    "of all": ((5, 5, 5), (5, 5, 5)),
    "of one, between": ((2, 2, 4), (1, 3, 3)),
}


@pytest.mark.parametrize("ranks", RANKS.values(), ids=RANKS)
def test_hands_of_one_player_may_have_equal_ranks(ranks):
    """Each showdown, both operators and the table for dealing go by the ranks alone."""
    chances = [(F(1, 2), F(1, 3), F(1, 6)), (F(1, 5), F(2, 5), F(2, 5))]
    hands = [dict(zip("abc", zip(*side, strict=True), strict=True)) for side in zip(chances, ranks, strict=True)]
    deal = independent(*hands)
    signs = np.sign(np.subtract.outer(*map(np.array, ranks)))
    assert [[deal.compare(i, j) for j in range(3)] for i in range(3)] == signs.tolist()
    for player in (0, 1):
        own, weight = np.array(chances[player], object), np.array([F(1), F(1, 7), F(3)], object)
        won = (signs if player == 0 else -signs.T) @ (np.array(chances[1 - player], object) * weight)
        assert (deal.edge(player, weight) == own * won).all()
    assert (deal.table().edge.reshape(3, 3) == signs).all()
