"""Deals that are played twice, with the seats swapped."""

import numpy as np
import pytest

import relance
from relance.words.duel import Duel, duplicate_tables, seated

KUHN = relance.make("one_card_poker", raises=0)


def duel(*players, seed=1):
    return Duel(
        KUHN, [[seated(KUHN, player, seat) for seat in (0, 1)] for player in players], [{}, {}], seed, ("a", "b")
    )


def test_both_games_of_a_deal_have_the_same_hands():
    tables = duplicate_tables(KUHN, 3, 5, 4)
    assert (tables.hands[::2] == tables.hands[1::2]).all()
    later = duplicate_tables(KUHN, 3, 7, 2)
    assert (tables.hands[4:] == later.hands).all()
    assert (tables.rewards == 0).all()


def test_equal_strategies_without_lots_win_nothing_of_each_other():
    chips, lost = duel("caller", "caller").play(0, 50)
    assert chips.shape == (50, 2)
    assert not chips.sum(axis=1).any()
    assert lost.shape == (2, 50)
    assert not lost.any()


@pytest.mark.parametrize("split", [1, 7])
def test_deals_are_the_same_in_parts(split):
    whole, _ = duel("uniform", "published").play(0, 20)
    match = duel("uniform", "published")
    parts = [match.play(first, count)[0] for first, count in ((0, split), (split, 20 - split))]
    assert np.array_equal(np.concatenate(parts), whole)
    assert not np.array_equal(duel("uniform", "published", seed=2).play(0, 20)[0], whole)
