"""Deals as matrices of pairs."""

from fractions import Fraction

import numpy as np
import pytest
from conftest import VARIED
from test_deal import DEALS

from relance.model.matrix_deal import MatrixDeal

F = Fraction


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
def test_no_showdown_is_sharper_than_the_sharpest(deal):
    """A matrix knows the sharpest exactly; for other deals it is 1, that of a win."""
    joint = deal.joint()
    edges = [abs(deal.compare(i, j)) for i, j in np.argwhere(joint > 0).tolist()]
    assert max(edges) <= deal.sharpest <= 1
    halved = MatrixDeal(deal.labels, joint, np.full(joint.shape, F(1, 3), object))
    assert halved.sharpest == F(1, 3)


def test_a_distribution_with_floats_has_the_precision_of_float64():
    """One number in float32 among objects would give sums its precision: a probability of a third was off by 1e-8."""
    joint = np.array([[F(1, 2), 1 / 6], [0, np.float32(1 / 3)]], object)
    edge = np.array([[np.float32(0.5), 1], [0, F(-1, 3)]], object)
    deal = MatrixDeal((["a", "b"], ["c", "d"]), joint, edge)
    assert not deal.is_exact
    assert deal.total(deal.prior(0)) == 1 / 2 + 1 / 6 + float(np.float32(1 / 3))
    third = MatrixDeal((["a"], ["b"]), np.array([[1 / 3]], object), np.array([[np.float32(0.1)]], object))
    assert third.joint_edge()[0, 0] == 1 / 3 * float(np.float32(0.1))
    assert not MatrixDeal((["a"], ["b"]), np.ones((1, 1), np.float32), np.ones((1, 1), np.float32)).is_exact


def test_what_is_no_number_raises_an_error_and_does_not_end_the_process():
    """With numbers of numpy beside it, numpy's product of objects ended in a segmentation fault, there or soon after."""
    joint = np.array([[np.float32(0.25), np.longdouble(0.25)], [np.int64(0), np.float16(0.5)]], object)
    edge = np.array([[np.bool_(True), 1j], [np.complex64(1), F(1, 2)]], object)
    deal = MatrixDeal((["a", "b"], ["c", "d"]), joint, edge)
    assert not any(isinstance(number, np.generic) for table in (deal.joint(), deal._edges) for number in table.flat)
    with pytest.raises(TypeError):
        _ = MatrixDeal((["a"], ["b"]), joint[:1, :1], np.array([[None]], object)).floats


def test_shapes_are_checked():
    with pytest.raises(ValueError, match=r"need shape \(2, 2\)"):
        MatrixDeal((["a", "b"], ["c", "d"]), np.ones((2, 3)), np.ones((2, 3)))


def test_the_sharpest_edge_is_the_largest_of_either_sign_of_pairs_that_are_dealt():
    joint = np.array([[F(1, 2), F(1, 4)], [F(0), F(1, 4)]], object)
    for edges, sharpest in (
        ([[F(1, 4), F(1, 3)], [F(1), F(0)]], F(1, 3)),
        ([[F(1, 4), F(-1, 3)], [F(-1), F(0)]], F(1, 3)),
        ([[F(-1, 8), F(1, 9)], [F(0), F(0)]], F(1, 8)),
    ):
        assert MatrixDeal((["a", "b"], ["c", "d"]), joint, np.array(edges, object)).sharpest == sharpest
