"""Corners and nearest points of polytopes."""

import importlib.util
import subprocess
import sys
from fractions import Fraction as F

import numpy as np
import pytest

from relance.solvers import polytope
from relance.solvers.exact_simplex import CONSTANT
from relance.solvers.polytope import (
    Inequality,
    distinct,
    least_distance,
    list_corners,
    nearest_point,
    solve_square,
    value_of,
)

if importlib.util.find_spec("ppl") is None:  # importing it here would take Ctrl-C from the tests
    pytest.skip("needs the extra polytopes, which `make test` installs where pplpy has wheels", allow_module_level=True)


def test_nearest_point_on_a_triangle():
    """The point of x, y at least 0, x + y at most 1, that is nearest to (2, 1) is (1, 0); a slanted metric moves it."""
    known = [Inequality({0: F(1)}, ""), Inequality({1: F(1)}, ""), Inequality({0: F(-1), 1: F(-1), CONSTANT: F(1)}, "")]
    one = [[F(1), F(0)], [F(0), F(1)]]
    assert nearest_point(one, [F(2), F(1)], known, lambda point: []) == [1, 0]
    assert nearest_point(one, [F(1), F(1)], known[:2], lambda point: known[2:] if sum(point) > 1 else []) == [
        F(1, 2),
        F(1, 2),
    ]
    assert nearest_point(one, [F(-1), F(-1)], known, lambda point: []) == [0, 0]
    assert sorted(list_corners(known, 2)) == [[0, 0], [0, 1], [1, 0]]


def form(*coefficients, constant=0):
    return Inequality(
        {**{k: F(c) for k, c in enumerate(coefficients) if c}, **({CONSTANT: F(constant)} if constant else {})}, ""
    )


TRIANGLE = [form(1), form(0, 1), form(-1, -1, constant=1)]


@pytest.mark.parametrize("start", [[], TRIANGLE[:1], TRIANGLE[1:], TRIANGLE[1:2]], ids=len)
@pytest.mark.parametrize("known", [TRIANGLE, TRIANGLE[:2]], ids=["known", "told later"])
def test_the_nearest_point_whatever_floats_take_for_tight(monkeypatch, start, known):
    """(1, 0) is the point of the triangle that is nearest to (2, 1), from too many tight inequalities and from too few."""
    monkeypatch.setattr(polytope, "_tight_in_floats", lambda *given: start)

    def violated(point):
        return [cut for cut in TRIANGLE[len(known) :] if value_of(cut.form, point) < 0]

    one = [[F(1), F(0)], [F(0), F(1)]]
    assert nearest_point(one, [F(2), F(1)], known, violated) == [1, 0]
    assert nearest_point(one, [F(1, 4), F(1, 4)], known, violated) == [F(1, 4), F(1, 4)]


def test_the_nearest_point_in_floats():
    """The same in floats, with a multiplier of 1 for the slanted side: the point that is sought lies 1 beyond it in both coordinates."""
    rows, constants = [[1, 0], [0, 1], [-1, -1]], [0, 0, 1]
    point, prices = least_distance(np.eye(2), np.array([2.0, 1.0]), rows, constants)
    assert point == pytest.approx([1, 0])
    assert prices == pytest.approx([0, 0, 1])
    assert value_of(TRIANGLE[2].form, [0.25, 0.25]) == 0.5


def test_square_equations_with_a_0_on_the_diagonal():
    assert solve_square([[F(0), F(2)], [F(3), F(0)]], [[F(1), F(0)], [F(0), F(1)]]) == [[0, F(1, 3)], [F(1, 2), 0]]


def test_inequalities_are_told_apart_by_direction():
    """x at least 0 three times over, x at most 0, and x at least 1."""
    same, opposite, other = [form(1), form(2), form(F(1, 3))], form(-1), form(1, constant=-1)
    assert distinct([*same, opposite, other]) == [same[0], opposite, other]


def test_corners_are_fractions():
    """x at least 1/2, y at least 1/3, x/2 + y/3 at most 1: the corners by hand."""
    cuts = [form(1, constant=F(-1, 2)), form(0, 1, constant=F(-1, 3)), form(F(-1, 2), F(-1, 3), constant=1)]
    assert list_corners(cuts, 2) == [[F(1, 2), F(1, 3)], [F(1, 2), F(9, 4)], [F(16, 9), F(1, 3)]]


CTRL_C = """
import os, signal
from relance.solvers.optimal_set import optimal_set
import relance
optimal_set(relance.make("one_card_poker(raises=0)"), 0).corners()
signal.signal(signal.SIGINT, signal.signal(signal.SIGINT, lambda *given: None))  # as what takes Ctrl-C for a while does
try:
    os.kill(os.getpid(), signal.SIGINT)
except KeyboardInterrupt:
    print("stopped")
"""


def test_no_ctrl_c_is_lost_after_corners_were_listed():
    out = subprocess.run([sys.executable, "-c", CTRL_C], capture_output=True, text=True, check=True)
    assert out.stdout == "stopped\n"
