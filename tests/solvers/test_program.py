from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from relance.solvers.program import Program, solve_equations

F = Fraction
SMALL = st.fractions(min_value=-5, max_value=5, max_denominator=7).map(F)


@given(st.data(), st.integers(1, 5), st.integers(1, 6))
def test_consistent_equations_are_solved_exactly(data, size, count):
    point = data.draw(st.lists(SMALL, min_size=size, max_size=size))
    rows = data.draw(st.lists(st.lists(SMALL, min_size=size, max_size=size), min_size=count, max_size=count))
    equations = [
        ({j: c for j, c in enumerate(row) if c}, sum(c * x for c, x in zip(row, point, strict=True))) for row in rows
    ]
    solution = solve_equations(equations, [float(x) for x in point])
    assert solution is not None
    for row, right in equations:
        assert sum(c * solution[j] for j, c in row.items()) == right


def test_contradictions_are_noticed():
    assert solve_equations([({0: F(1)}, F(1)), ({0: F(2)}, F(3))], [0.0]) is None


def test_a_vertex_beyond_the_precision_of_floats():
    """x <= 1/3 + 10^-9 and y <= x/7 - 10^-9, as large as possible."""
    program = Program()
    x, y = program.variables(2, nonnegative=True)
    tiny = F(1, 10**9)
    program.objective = {x: F(1), y: F(1)}
    program.at_most = [({x: F(1)}, F(1, 3) + tiny), ({y: F(1), x: F(-1, 7)}, -tiny)]
    best, point = program.solve()
    assert point == [F(1, 3) + tiny, (F(1, 3) + tiny) / 7 - tiny]
    assert best == sum(point)
