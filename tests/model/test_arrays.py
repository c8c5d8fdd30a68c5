"""The same code on tensors of PyTorch: the same scores, iterates and errors as with numpy."""

import signal
import sys
import time

import numpy as np
import pytest

import relance
from relance.model.arrays import host, is_float, namespace, put_beside, putter, thread_count, without_interrupt
from relance.solvers.cfr_solver import Solver
from relance.solvers.cfr_variants import METHODS
from relance.solvers.exact import regrets

GAMES = [
    relance.make("one_card_poker", cards=9),
    relance.make("von_neumann").grid(45),
    relance.make("von_neumann", deal="fgm:1/2").grid(20),
    relance.make("endgame"),
    relance.make("ponssard"),
]


def devices():
    torch = pytest.importorskip("torch", reason="needs the extra torch")
    return ["cpu"] + ["cuda"] * torch.cuda.is_available()


def test_the_environment_says_how_many_threads(monkeypatch):
    monkeypatch.delenv("NUMBA_NUM_THREADS", raising=False)
    monkeypatch.setattr("os.cpu_count", lambda: 5)
    assert thread_count() == 5
    monkeypatch.setenv("NUMBA_NUM_THREADS", "2")
    assert thread_count() == 2
    for bad in ("0", "-1", "two"):
        monkeypatch.setenv("NUMBA_NUM_THREADS", bad)
        with pytest.raises(ValueError, match=f"NUMBA_NUM_THREADS='{bad}' must be a whole number, at least 1"):
            thread_count()


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_scores_on_tensors(game):
    torch = pytest.importorskip("torch", reason="needs the extra torch")
    profile = game.uniform().as_float()
    for device in devices():
        there = profile.moved(putter("torch", device))
        assert torch.is_tensor(there[""][0])
        assert float(relance.nash_conv(game, there)) == pytest.approx(relance.nash_conv(game, profile), abs=1e-12)
        assert float(relance.value(game, there)) == pytest.approx(relance.value(game, profile), abs=1e-12)
        for player in (0, 1):
            ours, theirs = (regrets(game, p, player) for p in (profile, there))
            for name, (reach, rows) in ours.items():
                assert host(theirs[name][0]) == pytest.approx(reach, abs=1e-12)
                assert [host(row) for row in theirs[name][1]] == [pytest.approx(row, abs=1e-12) for row in rows]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_cfr_on_tensors(game, method, tmp_path):
    devices_here = devices()
    numpy = Solver(game, method, backend="numpy")
    numpy.run(40)
    for device in devices_here:
        torch = Solver(game, method, backend="torch", device=device)
        torch.run(20)
        torch.save(tmp_path / "half.npz")
        again = Solver(game, method, backend="torch", device=device)
        again.load(tmp_path / "half.npz")
        again.run(20)
        assert again.nash_conv() == pytest.approx(numpy.nash_conv(), rel=1e-6)  # rounding adds up over 40 iterations
        assert relance.nash_conv(game, again.average()) == pytest.approx(again.nash_conv(), abs=1e-12)


def test_solving_from_coarse_to_fine_on_tensors():
    pytest.importorskip("torch", reason="needs the extra torch")
    game = relance.make("von_neumann").grid(4000)
    profile = relance.solve(game, tolerance=1e-4, backend="torch")
    assert relance.exploitability(game, profile) <= 1e-4


def test_arrays_of_numpy_stay():
    here = np.arange(3.0)
    assert namespace(here) is np
    assert put_beside(here)(here) is here
    assert host(here) is here
    assert is_float(here)
    assert not is_float(np.arange(3))
    assert not is_float(np.array([None]))


def test_bad_requests():
    game = GAMES[0]
    with pytest.raises(ValueError, match="'jax' must be one of numpy, torch"):
        putter("jax")
    with pytest.raises(ValueError, match="device='cuda' of numpy"):
        Solver(game, backend="numpy", device="cuda")
    with pytest.raises(ValueError, match="backend=torch is an option of CFR"):
        relance.solve(game, backend="torch")


def test_a_missing_library_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ImportError, match=r"arrays of torch need PyTorch: pip install 'relance\[torch\]'"):
        Solver(GAMES[0], backend="torch")


def test_a_missing_device_and_wrong_probabilities():
    torch = pytest.importorskip("torch", reason="needs the extra torch")
    with pytest.raises(ValueError, match="device='nonsense' of torch"):
        Solver(GAMES[0], backend="torch", device="nonsense")
    profile = GAMES[0].uniform().moved(putter("torch"))
    profile[""][0][2] = torch.nan
    with pytest.raises(ValueError, match="with hand"):
        relance.nash_conv(GAMES[0], profile)


def test_work_is_done_however_early_an_interrupt_comes():
    """Also one that comes while the thread of the work is only just beginning."""
    for _ in range(200):
        done = []

        def work(done=done):
            signal.raise_signal(signal.SIGINT)
            time.sleep(0.001)
            done.append(True)

        with pytest.raises(KeyboardInterrupt):
            without_interrupt(work)
        assert done
    with pytest.raises(ZeroDivisionError):
        without_interrupt(lambda: 1 / 0)
