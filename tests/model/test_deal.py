from fractions import Fraction
from itertools import islice, product

import numpy as np
import pytest
from conftest import VARIED, weights
from hypothesis import given, settings
from hypothesis import strategies as st

from relance.model.grid import EqualCuts
from relance.model.laws import atoms, cards, fgm, independent, powers, uniform
from relance.model.matrix_deal import MatrixDeal
from relance.model.piecewise import Piecewise

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
    "power law": powers(2, 1).cells(EqualCuts(3)),
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


@pytest.mark.parametrize("name", DEALS)
def test_a_matrix_is_the_same_deal(name):
    deal = DEALS[name]
    joint = deal.joint()
    edge = np.array(
        [
            [e / p if p else 0 for e, p in zip(*rows, strict=True)]
            for rows in zip(deal.joint_edge(), joint, strict=True)
        ],
        object,
    )
    twin = MatrixDeal(deal.labels, joint, edge)
    for player in (0, 1):
        weight = deal.constant(1 - player, F(1, 3))
        assert (twin.mass(player, weight) == deal.mass(player, weight)).all()
        assert (twin.edge(player, weight) == deal.edge(player, weight)).all()


@pytest.mark.parametrize("deal", [*DEALS.values(), *(game.deal for game in VARIED)])
def test_a_law_sums_to_one_and_edges_are_opposite(deal):
    assert deal.joint().sum() == 1
    assert deal.prior(0).sum() == deal.prior(1).sum() == 1
    ones = [deal.constant(player, 1) for player in (0, 1)]
    assert deal.edge(0, ones[1]).sum() == -deal.edge(1, ones[0]).sum()
    joint, edge = deal.joint(), deal.joint_edge()
    assert all(abs(e) <= p for e, p in zip(edge.flat, joint.flat, strict=True))


@pytest.mark.parametrize("few", [True, False], ids=["pairs", "hand by hand"])
@pytest.mark.parametrize("deal", [*DEALS.values()], ids=DEALS)
def test_samples_follow_the_law(deal, few, monkeypatch):
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


@pytest.mark.parametrize("deal", [*DEALS.values(), *(game.deal for game in VARIED)])
def test_no_showdown_is_sharper_than_the_sharpest(deal):
    """A matrix knows the sharpest exactly; for other deals it is 1, that of a win."""
    joint = deal.joint()
    edges = [abs(deal.compare(i, j)) for i, j in np.argwhere(joint > 0).tolist()]
    assert max(edges) <= deal.sharpest <= 1
    halved = MatrixDeal(deal.labels, joint, np.full(joint.shape, F(1, 3), object))
    assert halved.sharpest == F(1, 3)


def test_a_showdown_and_a_deal_of_many_hands_take_no_table():
    deal = fgm(F(-1, 2)).cells(EqualCuts(50_000)).floats
    rng = np.random.default_rng(2)
    pairs = np.array([deal.sample(rng) for _ in range(2000)]) / 50_000
    assert abs(np.corrcoef(pairs.T)[0, 1] + 1 / 6) < 0.1
    assert abs(deal.compare(7, 7)) < 1
    assert "_chances" not in vars(deal)


@pytest.mark.parametrize("theta", [F(-1), F(-1, 3), F(0), F(1)])
def test_fgm_has_uniform_marginals_and_its_correlation(theta):
    deal = fgm(theta)
    assert deal.prior(0) == deal.prior(1) == Piecewise.constant(1)
    x = Piecewise((0, 1), ((-1, 2),))  # 2x - 1 has mean 0 and variance 1/3
    assert deal.total(x * deal.mass(0, x)) * 3 == theta / 3


@given(theta=st.fractions(-1, 1, max_denominator=5), n=st.integers(1, 5), data=st.data())
def test_cells_are_the_interval_restricted(theta, n, data):
    """On functions constant on cells, the grid's operators are the interval's, averaged over cells."""
    whole, grid = fgm(theta), fgm(theta).cells(EqualCuts(n))
    heights = data.draw(weights(n))
    step = Piecewise.steps([(F(i, n), F(i + 1, n), h) for i, h in enumerate(heights)])
    for player, (name, operator) in product((0, 1), (("mass", "mass"), ("edge", "edge"))):
        fine = getattr(whole, operator)(player, step)
        coarse = getattr(grid, name)(player, np.array(heights, object))
        assert [fine.integral(F(i, n), F(i + 1, n)) for i in range(n)] == list(coarse)


def test_shapes_are_checked():
    with pytest.raises(ValueError, match=r"need shape \(2, 2\)"):
        MatrixDeal((["a", "b"], ["c", "d"]), np.ones((2, 3)), np.ones((2, 3)))


def test_sampling_on_the_interval_is_uniform():
    rng = np.random.default_rng(1)
    pairs = np.array([uniform().sample(rng) for _ in range(4000)])
    assert np.allclose(np.histogram(pairs, bins=8, range=(0, 1))[0] / 8000, 1 / 8, atol=0.015)
    assert abs(np.corrcoef(pairs.T)[0, 1]) < 0.05


class Scripted:
    """A generator of random numbers that gives these."""

    def __init__(self, *numbers):
        self.numbers = iter(numbers)

    def random(self, count):
        return np.array(list(islice(self.numbers, count)))


@pytest.mark.parametrize("deal", [fgm(F(-1, 2)), fgm(F(1)), powers(2, 1), powers(1, 3), atoms(F(1, 4))], ids=range(5))
def test_hands_on_the_interval_are_accepted_exactly_as_often_as_the_law_says(deal):
    """A little below the share of the density in its bound they are, a little above they are not."""
    for x, y in product((F(1, 8), F(1, 2), F(15, 16)), repeat=2):
        density = float(sum(u(x) * v(y) for u, v in deal.terms))
        share = density / deal._bound
        assert share <= 1
        if density:
            assert deal.sample(Scripted(float(x), float(y), share * (1 - 1e-9))) == (x, y)
        with pytest.raises(ValueError, match="not enough values"):  # it asks for more numbers
            deal.sample(Scripted(float(x), float(y), share * (1 + 1e-9)))


def test_the_first_of_equally_good_actions_is_picked():
    """Hand by hand, in fractions and in floats; a little more for the second makes it the best."""
    deal, tiny = cards("QKA"), F(1, 10**6)
    first, second, third = [F(1), F(0), F(-1, 3)], [F(1), tiny, F(-1, 3)], [F(1), F(0), F(-1, 3) + tiny]
    for kind in (object, float):
        values = [np.array(row, object).astype(kind) for row in (first, second, third)]
        assert [row.tolist() for row in deal.pick_best(values)] == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
        assert [row.tolist() for row in deal.pick_best(values[:2])] == [[1, 0, 1], [0, 1, 0]]
        assert [row.tolist() for row in deal.pick_best(values[:1] * 2)] == [[1, 1, 1], [0, 0, 0]]


def test_the_first_of_equally_good_actions_is_picked_on_the_interval():
    kink, flat = Piecewise((0, F(1, 2), 1), ((), (F(-1, 2), F(1)))), Piecewise.constant(F(0))
    first, second = uniform().pick_best([flat, kink])
    assert first == Piecewise.steps([(F(0), F(1, 2), F(1))])
    assert second == Piecewise.steps([(F(1, 2), F(1), F(1))])
    assert uniform().pick_best([kink, flat])[0] == Piecewise.constant(F(1))


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


def test_the_sharpest_edge_is_the_largest_of_either_sign_of_pairs_that_are_dealt():
    joint = np.array([[F(1, 2), F(1, 4)], [F(0), F(1, 4)]], object)
    for edges, sharpest in (
        ([[F(1, 4), F(1, 3)], [F(1), F(0)]], F(1, 3)),
        ([[F(1, 4), F(-1, 3)], [F(-1), F(0)]], F(1, 3)),
        ([[F(-1, 8), F(1, 9)], [F(0), F(0)]], F(1, 8)),
    ):
        assert MatrixDeal((["a", "b"], ["c", "d"]), joint, np.array(edges, object)).sharpest == sharpest
