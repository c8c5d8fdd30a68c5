"""Exact solutions of linear equations, refined from floats."""

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from relance.solvers.exact_equations import solve_refined

F = Fraction


# ---- equations -----------------------------------------------------------------------------------------------------------------

WHOLE = st.integers(-9, 9)


@given(st.data(), st.integers(1, 6), st.integers(0, 3))
def test_consistent_equations_are_solved(data, size, more):
    point = data.draw(st.lists(st.fractions(-5, 5, max_denominator=50), min_size=size, max_size=size))
    rows = [{j: c for j in range(size) if (c := data.draw(WHOLE))} for _ in range(size + more)]
    unit = 1
    for x in point:
        unit *= x.denominator
    right = [sum((c * point[j] for j, c in row.items()), F(0)) for row in rows]
    rows = [{j: c * unit for j, c in row.items()} for row in rows]
    found = solve_refined(rows, [int(b * unit) for b in right], [float(x) for x in point])
    matrix = np.array([[row.get(j, 0) / unit for j in range(size)] for row in rows])
    if np.linalg.matrix_rank(matrix) == size:
        assert found == point
    elif found is not None:
        assert all(sum(c * found[j] for j, c in row.items()) == b * unit for row, b in zip(rows, right, strict=True))


def test_contradictions_and_long_fractions():
    assert solve_refined([{0: 1}, {0: 2}], [1, 3], [0.0]) is None
    assert solve_refined([], [], []) == []
    assert solve_refined([{}], [1], []) is None
    assert solve_refined([{0: 3, 1: 1}], [1], [0.3, 0.25]) == [F(1, 4), F(1, 4)]
    rows = [{0: 10**60 + 7, 1: -(10**59)}, {1: 7, 2: 1}, {2: 10**50, 0: 5 * 10**50 + 3}]
    found = solve_refined(rows, [10**60, 3, 10**50 + 1], [0.0, 0.0, 0.0])
    assert len(str(found[0])) > 100
    assert [sum(c * found[j] for j, c in row.items()) for row in rows] == [10**60, 3, 10**50 + 1]
