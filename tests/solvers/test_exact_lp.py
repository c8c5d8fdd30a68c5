from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import relance
from relance.model.sequences import sides
from relance.solvers import exact_lp
from relance.solvers.exact_lp import NotCertifiedError, Program, solve_equations
from relance.solvers.program import game_program

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


def small_program(nonnegative=True):
    """Maximise 2x + y, where x <= 2, -x <= -1, x + y = 3 and both are at least 0 unless free: at x = 2, y = 1 with (1, 0, 1)."""
    program = Program()
    x, y = program.variables(2, nonnegative)
    program.objective = {x: F(2), y: F(1)}
    program.at_most = [({x: F(1)}, F(2)), ({x: F(-1)}, F(-1))]
    program.equal = [({x: F(1), y: F(1)}, F(3))]
    return program


@pytest.mark.parametrize("fast", [True, False])
@pytest.mark.parametrize("nonnegative", [True, False])
@pytest.mark.parametrize(
    ("point", "multipliers", "fault"),
    [
        ((2, 1), (1, 0, 1), None),
        ((1, 2), (0, -1, 1), "a multiplier of an inequality is negative, though the sums agree"),
        ((3, 0), (1, 0, 1), "the first inequality does not hold"),
        ((0, 3), (1, 0, 1), "the second inequality does not hold"),
        ((2, 2), (1, 0, 1), "the equation does not hold"),
        ((1, 2), (1, 0, 1), "feasible, but less than the bound"),
        ((2, 1), (2, 0, 1), "feasible, but below the bound"),
        ((2, 1), (0, 0, F(5, 3)), "the sums agree, but the multipliers give no bound"),
    ],
)
def test_a_certificate_with_a_single_fault_is_not_accepted(monkeypatch, point, multipliers, fault, nonnegative, fast):
    program = small_program(nonnegative)
    monkeypatch.setattr(exact_lp, "LITTLE", 0)
    if not fast:
        monkeypatch.setattr(exact_lp, "quick_numbers", lambda: F)

    def candidates(self):
        yield [self.number(F(x)) for x in point], [self.number(F(y)) for y in multipliers]

    monkeypatch.setattr(Program, "_candidates", candidates)
    if fault:
        with pytest.raises(NotCertifiedError):
            program.solve()
    else:
        assert program.solve() == (5, [2, 1])


def test_a_variable_that_must_not_be_negative():
    """Maximise -x - y where x + y = 1: below, x = 2 and y = -1 attain the bound, but y is negative."""
    program = Program()
    x, y = program.variables(2, nonnegative=True)
    program.objective, program.equal = {x: F(-1), y: F(-1)}, [({x: F(1), y: F(1)}, F(1))]
    assert program._feasible([F(1), F(0)])
    assert not program._feasible([F(2), F(-1)])
    # Multiplied by 0 the row gives 0, which bounds the objective, since no variable is negative; for free ones it does not.
    assert program._dominates([F(0)])
    program.nonnegative.remove(y)
    assert program._feasible([F(2), F(-1)])
    assert not program._dominates([F(0)])
    assert program._dominates([F(-1)])


def test_an_equation_that_follows_from_others():
    """x + y = 0 is said twice; the largest x below 1 is 1."""
    program = Program()
    x, y = program.variables(2)
    program.objective, program.at_most = {x: F(1)}, [({x: F(1)}, F(1))]
    program.equal = [({x: F(1), y: F(1)}, F(0)), ({x: F(2), y: F(2)}, F(0))]
    assert program.solve() == (1, [1, -1])


def test_floats_with_a_multiplier_of_the_wrong_sign(monkeypatch):
    """Here the sums agree for the worst point, if nothing is asked of the sign of multipliers."""
    worst = 4.0, np.array([1.0, 2.0]), np.array([0.0, -1.0, 1.0])
    monkeypatch.setattr(Program, "floats", lambda self: worst)
    assert small_program().solve() == (5, [2, 1])


@pytest.mark.parametrize(
    "text", ["one_card_poker(cards=5,raises=2)", "sized_von_neumann(hands=7)", "pot_limit(hands=6,raises=1)"]
)
def test_faster_numbers_change_nothing(text, monkeypatch):
    game = relance.make(text)
    program = game_program(sides(game.tree, exact=True), game.finite_deal(), F(1)).exact()
    assert program.size * len(program.at_most + program.equal) > exact_lp.LITTLE
    faster = program.optimum()
    monkeypatch.setattr(exact_lp, "quick_numbers", lambda: F)
    assert program.optimum() == faster
    best, point, multipliers = faster
    assert {type(v) for v in (best, *point, *multipliers)} == {F}
