"""Solving in one call: a function of its arguments, for stakes of any size, from coarse hands to fine ones."""

import errno
import os
import random
import subprocess
import sys

import numpy as np
import pytest
from conftest import marked

import relance
from relance.model.files import SaveWarning
from relance.solvers import method_choice
from relance.solvers.abstraction import coarse
from relance.solvers.cfr_solver import Solver

BEFORE = (
    "",
    "import scipy.optimize",
    "import importlib.util as u; u.find_spec('numba') and __import__('numba')",
    "import importlib.util as u; u.find_spec('torch') and __import__('torch')",
    "relance.solve(relance.make('one_card_poker(cards=300,raises=2)'), 'dcfr+', iterations=500, tolerance=1e-3)",
    "import contextlib\nwith contextlib.suppress(ImportError): import relance.solvers.cfr_kernels",
    "import pyspiel, gymnasium, pettingzoo",
    "import highspy, scipy.linalg, scipy.sparse",
    "import random, numpy; random.seed(7); numpy.random.seed(7)",
    "import relance.registration.gymnasium, relance.pages.plots.bars, relance.pages.explore.position",
    "import time, itertools; leaps = itertools.count(1000.0, 1000.0)\n"
    "time.time = time.monotonic = time.perf_counter = time.process_time = time.thread_time = lambda: next(leaps)",
)
"""What processes have done before; the last one sees clocks that leap."""

DIGEST = """
import hashlib, pickle, sys, relance
exec(sys.argv[1])
from relance.play.equilibria import solved
from relance.solvers import solve
found = hashlib.sha256()
class Noted(solve.Solver):
    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        found.update(self.backend.encode())
solve.Solver = Noted
for text, tolerance in (
    ("one_card_poker(cards=13)", 1e-6), ("one_card_poker(raises=2)", 1e-3), ("pot_limit(raises=2,hands=60)", 1e-3),
    ("von_neumann(hands=300)", 1e-9), ("river(ranges=22+;A2s+ vs 22+;A9s+,bets=1,raises=0)", 1e-2),
):
    game = relance.make(text)
    profile = relance.solve(game, tolerance=tolerance)
    found.update(repr([(name, [[str(x) for x in row] for row in profile[name]]) for name in profile.nodes()]).encode())
    found.update(profile.solved_by.encode())
for tolerance in (1e-3, 3e-7):  # by numpy; by numba, where it is installed
    profile = relance.solve(relance.make("one_card_poker(cards=300)"), "dcfr+", tolerance=tolerance)
    found.update(repr([[[str(x) for x in row] for row in profile[name]] for name in profile.nodes()]).encode())
opponent = solved(relance.make("one_card_poker", cards=50))
found.update(repr([[[str(x) for x in row] for row in opponent[name]] for name in opponent.nodes()]).encode())
print(found.hexdigest())
"""


@pytest.mark.parametrize("done", marked(BEFORE[1:], lambda done: "import" in done))
def test_the_same_call_gives_the_same_bytes_whatever_the_process_did_before(done):
    """Numbers are written in full: `str` of a float is its shortest exact text."""
    runs = [
        subprocess.run([sys.executable, "-c", DIGEST, before], capture_output=True, text=True, check=True).stdout
        for before in ("", done)
    ]
    assert len(runs[0].strip()) == 64
    assert set(runs) == {runs[0]}


@pytest.mark.parametrize(
    ("text", "tolerance"),
    [("endgame(bets=60000000)", 0.06), ("endgame(p=13/20, ante=1/31250000, bets=2)", 2e-9)],
)
def test_small_games_are_solved_exactly_whatever_their_stakes(text, tolerance):
    game = relance.make(text)
    profile = relance.solve(game, tolerance=tolerance)
    assert profile.solved_by == "an exact linear program"
    assert relance.nash_conv(game, profile) == 0


@pytest.mark.parametrize("unit", ["1e-250", "1/31250000", "80000000000", "1e250"])
@pytest.mark.parametrize("method", [None, "lp", "dcfr+"])
def test_chips_of_any_size(unit, method):
    """The share of the stakes that is left does not depend on the size of a chip."""
    game = relance.make("bellman_blackwell", ante=unit, low=unit, high=unit, hands=60)
    tolerance = 1e-4 * float(game.parameters["ante"])
    profile = relance.solve(game, method, tolerance=tolerance)
    assert relance.exploitability(game, profile) <= tolerance


@pytest.mark.parametrize("share", [0.999, 0.3, 0.12])
def test_a_coarse_level_is_enough_only_within_the_tolerance_itself(share, monkeypatch):
    """Its strategies are scored on all hands; below their exploitability the next level is needed."""
    monkeypatch.setattr(method_choice, "COARSEST", 4)
    game = relance.make("von_neumann", hands=27)
    solver = Solver(game, deal=coarse(game.deal.floats, 4))
    solver.run(3000)
    reached = relance.exploitability(game, solver.average())
    assert solver.nash_conv() / 2 < reached / 50
    profile = relance.solve(game, "cfr+", tolerance=share * reached)
    assert relance.exploitability(game, profile) <= share * reached
    enough = relance.solve(game, "cfr+", tolerance=3 * reached)
    assert all(np.ptp(row[:6]) == 0 for name in enough.nodes() for row in enough[name])


def test_a_checkpoint_is_saved_along_the_way(tmp_path, monkeypatch):
    """And what is solved does not depend on it."""
    game, path, saves = relance.make("von_neumann(hands=90)"), tmp_path / "checkpoint", []
    save = Solver.save
    monkeypatch.setattr(Solver, "save", lambda solver, path: (saves.append(solver.iteration), save(solver, path)))
    alone = relance.solve(game, "cfr+", 1e-3)
    monkeypatch.setattr("relance.model.files.SAVED", 0.0)
    saved = relance.solve(game, "cfr+", 1e-3, checkpoint=path)
    assert len(set(saves)) > 3
    assert [node.tolist() for node in saved["bet"]] == [node.tolist() for node in alone["bet"]]


@pytest.mark.parametrize("seed", range(3))
def test_a_disk_that_is_full_now_and_then_does_not_end_it(tmp_path, monkeypatch, seed):
    game, path, chance = relance.make("von_neumann(hands=90)"), tmp_path / "checkpoint", random.Random(seed)
    alone, saved, sync = relance.solve(game, "cfr+", 1e-3), [], os.fsync

    def fsync(handle):
        saved.append(chance.random() < 0.5)
        if not saved[-1]:
            raise OSError(errno.ENOSPC, "No space left on device")
        sync(handle)

    monkeypatch.setattr("relance.model.files.SAVED", 0.0)
    monkeypatch.setattr("relance.model.files.AGAIN", 0.0)
    monkeypatch.setattr("relance.model.files.os.fsync", fsync)
    with pytest.warns(SaveWarning, match=r"checkpoint cannot be written: No space left .*; the work goes on") as warned:
        found = relance.solve(game, "cfr+", 1e-3, checkpoint=path)
    assert len(warned) == 1
    assert {*saved} == {True, False}
    assert [node.tolist() for node in found["bet"]] == [node.tolist() for node in alone["bet"]]
    solver = Solver(game)
    solver.load(path)  # whole, whatever the last save was
    assert list(tmp_path.iterdir()) == [path]


def test_a_stop_on_a_full_disk_says_that_nothing_is_saved(tmp_path, monkeypatch):
    def fsync(handle):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("relance.model.files.os.fsync", fsync)
    with pytest.raises(ArithmeticError, match="after 10 iterations") as stopped:
        relance.solve("von_neumann(hands=90)", "cfr+", 1e-3, iterations=10, checkpoint=tmp_path / "checkpoint")
    assert stopped.value.__notes__ == [f"{tmp_path / 'checkpoint'} cannot be written: No space left on device"]


@pytest.mark.parametrize("options", [{}, {"tolerance": 1e-6}, {"method": "cfr+"}])
def test_a_game_with_symbols_is_not_solved_and_says_so(options):
    game = relance.make("one_card_poker", bet=relance.region("B", "B > 0")["B"])
    with pytest.raises(
        ValueError,
        match=r"bet=B\) has symbolic parameters, .*; relance\.prove checks a profile for all values of the parameters",
    ):
        relance.solve(game, **options)
