"""Numba computes where it is installed and sizes make it worth its start; neither clock nor imports count."""

import sys

import numpy as np
import pytest

import relance
from relance.model import numba_start
from relance.solvers import cfr_solver, solve
from relance.solvers.cfr_solver import CALLS, Solver


@pytest.fixture
def installed(monkeypatch):
    """Whether numba is said to be installed; the solvers that this chooses are not made here."""
    return lambda here: monkeypatch.setattr(numba_start, "find_spec", lambda name: object() if here else None)


@pytest.mark.parametrize("imported", [True, False])
def test_sizes_alone_say_whether_numba_is_worth_its_start(imported, installed, monkeypatch):
    monkeypatch.setitem(sys.modules, "numba", object()) if imported else monkeypatch.delitem(
        sys.modules, "numba", raising=False
    )
    installed(True)
    assert numba_start.is_worth(numba_start.WORTH)
    assert not numba_start.is_worth(numba_start.WORTH - 1)
    installed(False)
    assert not numba_start.is_worth(10**12)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_slots_hands_and_iterations_choose_the_backend(dtype):
    pytest.importorskip("numba", reason="the extra `fast` is not installed")
    game, numbers = relance.make("one_card_poker(raises=0)"), 24  # 4 slots of each player, 3 hands
    least = numba_start.WORTH / (numbers + CALLS)
    assert sum(regrets.size for regrets in Solver(game).regrets) == numbers
    assert Solver(game, dtype=dtype, foreseen=least + 1).backend == "numba"
    assert Solver(game, dtype=dtype, foreseen=least - 1).backend == "numpy"
    assert Solver(game, "cfr+", "numpy", dtype, foreseen=least + 1).backend == "numpy"
    assert Solver(game, "cfr+", "numba", dtype, foreseen=least - 1).backend == "numba"


def test_without_numba_it_is_numpy_and_only_who_asks_for_numba_hears_of_it(installed):
    installed(False)
    game = relance.make("one_card_poker(raises=0)")
    assert Solver(game, foreseen=10**9).backend == "numpy"
    with pytest.raises(ImportError, match=r"backend='numba' needs numba: pip install 'relance\[fast\]'"):
        Solver(game, backend="numba")


@pytest.mark.parametrize(
    ("game", "tolerance", "iterations", "expected"),
    [
        ("one_card_poker(raises=0)", 1e-3, None, "numpy"),
        ("one_card_poker(cards=300)", 3e-7, None, "numba"),  # 4 / sqrt(1e-7) times 4,200 numbers and the calls
        ("one_card_poker(cards=300)", 3e-7, 2000, "numpy"),  # no more than these
        ("von_neumann(hands=30000)", 1e-4, None, "numpy"),  # the first hands are a thousand
        ("von_neumann(hands=30000)", 3e-7, None, "numba"),
    ],
)
def test_a_solve_chooses_once_by_its_first_hands_and_its_tolerance(game, tolerance, iterations, expected, monkeypatch):
    pytest.importorskip("numba", reason="the extra `fast` is not installed")
    game, backends = relance.make(game), []

    def run(solver, *arguments):
        solver.run(1)
        backends.append(solver.backend)

    levels = 3 if game.deal.size(0) == 30_000 else 1
    monkeypatch.setattr(solve, "_run", run)
    monkeypatch.setattr(solve, "exploitability", lambda game, profile: float(len(backends) < levels))
    relance.solve(game, "dcfr+", tolerance, iterations)
    assert backends == [expected] * levels


def test_a_backend_that_was_chosen_stays(monkeypatch):
    """Whatever is imported while it runs."""
    solver = Solver(relance.make("one_card_poker(cards=30,raises=2)"), "dcfr+")
    solver.run(1)
    monkeypatch.setattr(cfr_solver.numba_start, "WORTH", 0)
    solver.run(50)
    assert solver.backend == "numpy"
