"""Numba computes where it is loaded, and from when a process has spent long enough without it, or is about to."""

import sys
import time

import numpy as np
import pytest

import relance
from relance.model import numba_start
from relance.solvers import cfr_solver, solve
from relance.solvers.cfr_solver import Solver


@pytest.fixture
def fresh(monkeypatch):
    """As in a process that has not loaded numba and has spent nothing."""
    pytest.importorskip("numba", reason="the extra `fast` is not installed")
    monkeypatch.setattr(numba_start, "_spent", [0.0])
    monkeypatch.delitem(sys.modules, "numba")


def work(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


def test_what_is_spent_makes_numba_due(fresh, monkeypatch):
    assert not numba_start.is_due()
    with numba_start.without_numba():
        with numba_start.without_numba():
            work(0.02)
        work(0.01)
    assert 0.03 <= numba_start._spent[0] < 0.049  # what is inside counts once
    assert not numba_start.is_due(1.3 * numba_start.START)
    assert numba_start.is_due(1.4 * numba_start.START)
    monkeypatch.setattr(numba_start, "START", 0.014)
    assert numba_start.is_due()
    monkeypatch.setattr(numba_start, "find_spec", lambda name: None)
    assert not numba_start.is_due()


def test_where_numba_is_loaded_it_computes():
    pytest.importorskip("numba", reason="the extra `fast` is not installed")
    assert numba_start.is_due()
    assert Solver(relance.make("one_card_poker")).backend == "numpy"
    solver = Solver(relance.make("one_card_poker"))
    solver.run(1)
    assert solver.backend == "numba"


@pytest.mark.parametrize("name", ["one_card_poker(cards=30,raises=2)", "river(ranges=99;QJs;65s vs KTs;TT:1/2;Q9s)"])
@pytest.mark.parametrize("method", ["dcfr+", "pdcfr+"])
def test_a_run_goes_over_to_numba_without_changing_a_bit(name, method, fresh, monkeypatch):
    game = relance.make(name)
    solver, plain = Solver(game, method), Solver(game, method, "numpy")
    solver.run(17)
    plain.run(17)
    assert solver.backend == "numpy"
    monkeypatch.setattr(numba_start, "is_due", lambda ahead=0.0: True)
    solver.run(33)
    monkeypatch.setattr(numba_start, "is_due", lambda ahead=0.0: False)
    plain.run(33)
    assert (solver.backend, plain.backend) == ("numba", "numpy")
    assert solver.iteration == plain.iteration == 50
    for a, b in zip(solver.regrets + solver.averages, plain.regrets + plain.averages, strict=True):
        assert np.array_equal(a, b)
    assert solver.nash_conv() == plain.nash_conv()


def test_a_solve_says_how_much_work_is_ahead(monkeypatch):
    solver, asked = Solver(relance.make("one_card_poker(cards=30,raises=2)"), "dcfr+"), []
    monkeypatch.setattr(numba_start, "is_due", lambda ahead=0.0: bool(asked.append(ahead)))
    with pytest.raises(ArithmeticError, match="after 40 iterations"):
        solve._run(solver, 1e-12, 40, lambda step, left: None, None)
    first, *others = asked
    assert first == 0.0
    assert all(0.0 < seconds < 10.0 for seconds in others)  # at most what is left of 40 iterations
    assert solver.ahead == 0.0


def test_one_river_after_another_comes_to_numba(fresh, monkeypatch):
    game, backends = relance.make("river(ranges=99;QJs;65s vs KTs;TT:1/2;Q9s)"), []
    monkeypatch.setattr(numba_start, "START", 0.05)
    for _ in range(30):
        solver = Solver(game, "dcfr+")
        solver.run(50)
        backends.append(solver.backend)
    assert backends == sorted(backends, reverse=True)  # "numpy" first
    assert set(backends) == {"numpy", "numba"}


def test_products_of_matrices_do_not_make_numba_due(fresh):
    Solver(relance.make("five_card", ranks=6), "dcfr+").run(20)
    assert numba_start._spent == [0.0]


def test_much_work_is_for_numba_at_once(fresh, monkeypatch):
    monkeypatch.setattr(cfr_solver, "AT_ONCE", 12)
    assert Solver(relance.make("one_card_poker", raises=0)).backend == "numba"
    assert Solver(relance.make("one_card_poker", raises=0), dtype=np.float32).backend == "numba"
    monkeypatch.setattr(numba_start, "find_spec", lambda name: None)
    assert Solver(relance.make("one_card_poker", raises=0), dtype=np.float32).backend == "numpy"
