"""Linear programs in floats: an optimum by hand, its multipliers, and what has none."""

import numpy as np
import pytest

from relance.solvers.highs import BASIC, minimise

INF = np.inf


def entries(matrix):
    rows, columns = np.nonzero(matrix)
    return rows, columns, np.asarray(matrix, float)[rows, columns]


def test_an_optimum_by_hand():
    """Least -x - 2y where x + y is at most 4 and y at most 3: x = 1, y = 3."""
    low, high = np.full(2, -INF), np.array([4.0, 3.0])
    found = minimise(np.array([-1.0, -2.0]), entries([[1, 1], [0, 1]]), low, high, np.ones(2, bool))
    assert found.cost == pytest.approx(-7)
    assert found.point == pytest.approx([1, 3])
    assert found.multipliers == pytest.approx([-1, -1])
    assert found.basis[:2].tolist() == [BASIC, BASIC]
    again = minimise(np.array([-1.0, -2.0]), entries([[1, 1], [0, 1]]), low, high, np.ones(2, bool), basis=found.basis)
    assert (again.cost, again.pivots) == (found.cost, 0)


def test_entries_in_one_place_are_added_and_columns_may_be_negative():
    place = np.array([0, 0]), np.array([0, 0]), np.array([1.0, 1.0])
    found = minimise(np.array([1.0]), place, np.array([-6.0]), np.array([INF]), np.zeros(1, bool))
    assert found.point == pytest.approx([-3])


def test_inside_the_set_of_all_optima():
    """Nothing tells x from y: a corner is at an end, and a point inside is not."""
    given = np.zeros(2), entries([[1, 1]]), np.ones(1), np.ones(1), np.ones(2, bool)
    assert 0.01 < minimise(*given, inside=True, presolve=False).point[0] < 0.99
    assert minimise(*given).point.round(9).tolist() in ([0, 1], [1, 0])


@pytest.mark.parametrize(("low", "high"), [(1.0, INF), (2.0, 1.0)])
def test_what_has_no_optimum_fails(low, high):
    with pytest.raises(ArithmeticError, match="a linear program in floats failed: "):
        minimise(np.array([-1.0]), entries([[1]]), np.array([low]), np.array([high]), np.ones(1, bool))
