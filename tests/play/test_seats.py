"""One seat at many tables: which seat is dealt, and that streams restart and do not depend on who else plays."""

import numpy as np
import pytest

import relance
from relance.play.batch import Batch
from relance.play.policies import policy_of
from relance.play.seats import Seats, Shoe

KUHN = relance.make("one_card_poker", raises=0)


def dealt(shoe, batch, times):
    every = np.arange(batch.n)
    return [(np.broadcast_to(shoe.deal(every), batch.n).copy(), batch.running.hands.copy()) for _ in range(times)]


@pytest.mark.parametrize("n", [3, 1000, 5000])
def test_the_same_seed_deals_the_same_again(n):
    batch = Batch(KUHN, n, seed=1)
    shoe = Shoe(batch, (0, 1))
    shoe.restart(7)
    first = dealt(shoe, batch, 5)
    shoe.restart(7)
    again = dealt(shoe, batch, 5)
    assert all(np.array_equal(a, b) for pair in zip(first, again, strict=True) for a, b in zip(*pair, strict=True))
    shoe.restart(8)
    assert any(not np.array_equal(a[1], b[1]) for a, b in zip(first, dealt(shoe, batch, 5), strict=True))


def test_both_seats_are_dealt_as_often_where_both_are_asked_for():
    batch = Batch(KUHN, 4000, seed=1)
    shoe = Shoe(batch, (0, 1))
    shoe.restart(1)
    ((seats, _),) = dealt(shoe, batch, 1)
    assert set(seats.tolist()) == {0, 1}
    assert abs(seats.mean() - 0.5) < 0.05
    only = Shoe(batch, (1,))
    only.restart(1)
    assert dealt(only, batch, 1)[0][0].tolist() == [1] * 4000


def test_few_tables_are_dealt_by_the_distribution_too():
    batch = Batch(KUHN, 8, seed=1)
    shoe = Shoe(batch, (0,))
    shoe.restart(3)
    hands = np.concatenate([hands for _, hands in dealt(shoe, batch, 600)], axis=1)
    counts = np.zeros((3, 3))
    np.add.at(counts, tuple(hands.astype(int)), 1)
    assert not np.diag(counts).any()
    assert np.abs(counts[~np.eye(3, dtype=bool)] - 800).max() < 6 * np.sqrt(800)


@pytest.mark.parametrize("seats", [(0,), (1,), (0, 1)])
def test_the_opponents_have_acted_whenever_the_seat_is_asked(seats):
    batch = Batch(KUHN, 64, seed=2)
    tables = {1 - seat: policy_of(KUHN, "published", 1 - seat) for seat in seats}
    played = Seats(batch, seats, tables)
    ended = 0
    for _ in range(12):
        played.step(played.mask.argmax(axis=1), played.deal)
        live = ~batch.done
        assert (batch.to_move[live] == played.seat[live]).all()
        assert (played.mask[live].sum(axis=1) == 2).all()
        assert not played.rewards[live].any()
        ended += int(batch.done.sum())
    assert ended
