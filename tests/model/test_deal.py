from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from conftest import VARIED, weights
from hypothesis import given, settings
from hypothesis import strategies as st

from relance.model.distributions import cards, fgm, independent, powers, uniform
from relance.model.grid import EqualCuts

F = Fraction


def by_definition(deal, player, weight):
    """The two operators as sums over pairs of hands."""
    joint, edge = deal.joint(), deal.joint_edge()
    if player == 1:
        joint, edge = joint.T, -edge.T
    return joint @ np.array(weight, object), edge @ np.array(weight, object)


DEALS = {
    "cards": cards("QKA"),
    "five cards": cards("TJQKA"),
    "grid": uniform().cells(EqualCuts(4)),
    "unequal cells": uniform().cells([0, F(1, 9), F(5, 9), F(7, 9), 1]),
    "dependent": fgm(F(-1, 2)).cells(EqualCuts(4)),
    "power distribution": powers(2, 1).cells(EqualCuts(3)),
    "winner or loser": independent({"loser": (F(3, 4), 0), "winner": (F(1, 4), 2)}, {"-": (F(1), 1)}),
    "high and low": independent(
        {"low": (F(1, 3), 0), "high": (F(2, 3), 2)}, {"low": (F(1, 2), 1), "high": (F(1, 2), 3)}
    ),
    "ties": independent({"a": (F(1, 2), 1), "b": (F(1, 2), 2)}, {"a": (F(1, 2), 1), "b": (F(1, 2), 2)}),
}


@pytest.mark.parametrize("name", DEALS)
@pytest.mark.parametrize("player", [0, 1])
@settings(max_examples=15)
@given(data=st.data())
def test_operators_are_sums_over_pairs(name, player, data):
    deal = DEALS[name]
    weight = np.array(data.draw(weights(deal.size(1 - player))), object)
    mass, edge = by_definition(deal, player, weight)
    assert (deal.mass(player, weight) == mass).all()
    assert (deal.edge(player, weight) == edge).all()


@pytest.mark.parametrize("deal", [*DEALS.values(), *(game.deal for game in VARIED)])
def test_a_distribution_sums_to_one_and_edges_are_opposite(deal):
    assert deal.joint().sum() == 1
    assert deal.prior(0).sum() == deal.prior(1).sum() == 1
    ones = [deal.constant(player, 1) for player in (0, 1)]
    assert deal.edge(0, ones[1]).sum() == -deal.edge(1, ones[0]).sum()
    joint, edge = deal.joint(), deal.joint_edge()
    assert all(abs(e) <= p for e, p in zip(edge.flat, joint.flat, strict=True))


@pytest.mark.parametrize("few", [True, False], ids=["pairs", "hand by hand"])
@pytest.mark.parametrize("deal", [*DEALS.values()], ids=DEALS)
def test_samples_follow_the_distribution(deal, few, monkeypatch):
    monkeypatch.setitem(vars(deal), "few_pairs", few)
    rng, n = np.random.default_rng(0), 6000
    counts = np.zeros(deal.joint().shape)
    for _ in range(n):
        counts[deal.sample(rng)] += 1
    expected = deal.joint().astype(float) * n
    assert not counts[expected == 0].any()
    seen = expected > 0
    chi_square = ((counts[seen] - expected[seen]) ** 2 / expected[seen]).sum()
    assert chi_square < seen.sum() + 6 * np.sqrt(2 * seen.sum()) + 6


def test_compare_is_the_showdown():
    deal = cards("QKA")
    assert [deal.compare(i, j) for i, j in product(range(3), repeat=2) if i != j] == [-1, -1, 1, -1, 1, 1]
    assert DEALS["ties"].compare(0, 0) == 0
    assert DEALS["grid"].compare(2, 2) == 0
    assert uniform().compare(0.2, 0.7) == -1


@pytest.mark.parametrize("deal", [*DEALS.values(), *(game.deal for game in VARIED)])
def test_each_showdown_is_that_of_the_operator(deal):
    joint, edge = deal.joint(), deal.joint_edge()
    for i, j in np.argwhere(joint > 0).tolist():
        assert deal.compare(i, j) == edge[i, j] / joint[i, j]
        assert float(deal.floats.compare(i, j)) == pytest.approx(float(edge[i, j] / joint[i, j]), abs=1e-12)


def test_the_first_of_equally_good_actions_is_picked():
    """Hand by hand, in fractions and in floats; a little more for the second makes it the best."""
    deal, tiny = cards("QKA"), F(1, 10**6)
    first, second, third = [F(1), F(0), F(-1, 3)], [F(1), tiny, F(-1, 3)], [F(1), F(0), F(-1, 3) + tiny]
    for kind in (object, float):
        values = [np.array(row, object).astype(kind) for row in (first, second, third)]
        assert [row.tolist() for row in deal.pick_best(values)] == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
        assert [row.tolist() for row in deal.pick_best(values[:2])] == [[1, 0, 1], [0, 1, 0]]
        assert [row.tolist() for row in deal.pick_best(values[:1] * 2)] == [[1, 1, 1], [0, 0, 0]]
