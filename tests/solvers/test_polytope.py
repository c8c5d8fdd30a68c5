"""Corners and nearest points of polytopes."""

import importlib.util
import subprocess
import sys
from fractions import Fraction as F

import pytest

from relance.solvers.exact_simplex import CONSTANT
from relance.solvers.polytope import Inequality, list_corners, nearest_point

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
