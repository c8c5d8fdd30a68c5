"""The solver of CFR: backends, requests, levels, checkpoints, memory and interrupts."""

import signal
import zipfile

import numpy as np
import pytest
from conftest import one_each
from test_cfr_numba import COMPILED, SMALL, learned, started

import relance
from relance.model import numba_start
from relance.solvers.abstraction import block_sizes, coarse
from relance.solvers.cfr_solver import BACKENDS, Solver, result_memory
from relance.solvers.cfr_variants import METHODS


@pytest.fixture(params=SMALL, ids=str)
def small(request):
    name, parameters = SMALL[request.param]
    return relance.make(name, **parameters)


@pytest.fixture(params=BACKENDS[1:])
def other(request):
    """A backend other than numpy."""
    return pytest.importorskip(request.param, reason="an extra is not installed").__name__


@pytest.mark.parametrize(("key", "method"), one_each([*COMPILED], METHODS))
def test_backends_agree_after_one_pass_from_random_regrets(key, method, other):
    name, parameters = COMPILED[key]
    game = relance.make(name, **parameters)
    plain, quick = (started(game, method, backend) for backend in ("numpy", other))
    plain.run(1)
    quick.run(1)
    for a, b in zip(learned(plain), learned(quick), strict=True):
        assert np.abs(a - b).max(initial=0) <= 1e-12 * max(1.0, np.abs(a).max(initial=0))
    assert quick.nash_conv() == pytest.approx(plain.nash_conv(), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("key", COMPILED)
def test_every_backend_reaches_the_bound(key, backend):
    pytest.importorskip(backend, reason="an extra is not installed")
    name, parameters = COMPILED[key]
    game = relance.make(name, **parameters)
    profile = relance.solve(game, "dcfr+", tolerance=2e-3, backend=backend)
    assert profile.solved_by == "dcfr+"
    assert relance.exploitability(game, profile) <= 2e-3


def test_an_average_of_float32_is_a_profile():
    """It is divided in float64: in float32 the probabilities of a hand would not sum to 1."""
    game = relance.make("one_card_poker", cards=300, raises=2)
    solver = started(game, "cfr+", "numpy", np.float32)
    solver.run(12)
    assert relance.nash_conv(game, solver.average()) == pytest.approx(solver.nash_conv(), abs=1e-9)


@pytest.mark.parametrize(
    "game", [relance.make("von_neumann", hands=30_000), relance.make("one_card_poker", cards=5000)], ids=str
)
def test_from_coarse_to_fine_reaches_the_tolerance(game):
    seen = []
    profile = relance.solve(game, "cfr+", tolerance=1e-4, tick=lambda iteration, left: seen.append(left))
    assert relance.exploitability(game, profile) <= 1e-4
    assert seen[-1] <= 1e-4


@pytest.mark.parametrize("method", METHODS)
def test_a_finer_level_starts_with_what_the_coarse_one_knows(method):
    """Both players: the regrets of a block shared by its hands, and its averages for each of them."""
    game = relance.make("von_neumann", hands=10)
    first, fine = Solver(game, method, deal=coarse(game.deal.floats, 4)), Solver(game, method)
    first.run(7)
    fine.start_from(first)
    sizes = block_sizes(10, 4)
    assert fine.iteration == 7
    for kind, scale in (("regrets", 1 / sizes), ("matched", 1 / sizes), ("averages", np.ones(4))):
        for mine, theirs in zip(getattr(fine, kind), getattr(first, kind), strict=True):
            assert np.abs(theirs).max() > 0
            assert np.allclose(mine, np.repeat(theirs * scale, sizes, axis=1), atol=1e-15)


def test_without_a_warm_start_too():
    game = relance.make("von_neumann", hands=200)
    profile = relance.solve(game, method="dcfr", tolerance=1e-5, warm_start=False)
    assert relance.exploitability(game, profile) <= 1e-5


def test_a_checkpoint_goes_on_as_if_nothing_had_happened(small, tmp_path):
    path = tmp_path / "solver.npz"
    whole, part = Solver(small, "pcfr+", "numpy"), Solver(small, "pcfr+", "numpy")
    whole.run(30)
    part.run(12)
    part.save(path)
    assert [p.name for p in tmp_path.iterdir()] == ["solver.npz"]
    resumed = Solver(small, "pcfr+", "numpy")
    resumed.load(path)
    resumed.run(18)
    assert resumed.iteration == 30
    for a, b in zip(whole.averages + whole.regrets, resumed.averages + resumed.regrets, strict=True):
        assert np.array_equal(a, b)


def test_a_wrong_checkpoint_is_refused_and_changes_nothing(tmp_path):
    path = tmp_path / "solver.npz"
    game = relance.make("one_card_poker")
    solver = Solver(game)
    solver.run(5)
    solver.save(path)
    before = [a.copy() for a in solver.averages]
    for other in (Solver(relance.make("one_card_poker", cards=4)), Solver(game, "cfr")):
        with pytest.raises(ValueError, match=r"is a checkpoint of one_card_poker\(cards=3"):
            other.load(path)
        assert other.iteration == 0
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(ValueError, match="is damaged"):
        solver.load(path)
    with pytest.raises(ValueError, match="there is no checkpoint"):
        solver.load(tmp_path / "none.npz")
    assert all(np.array_equal(a, b) for a, b in zip(before, solver.averages, strict=True))


@pytest.mark.parametrize(
    ("name", "value"),
    [("regrets0", np.nan), ("matched1", np.inf), ("averages1", -1.0), ("iteration", -1), ("iteration", 0.5)],
)
def test_a_spoiled_checkpoint_is_refused(tmp_path, name, value):
    path, solver = tmp_path / "solver.npz", Solver(relance.make("one_card_poker"))
    solver.save(path)
    with np.load(path) as archive:
        arrays = dict(archive)
    arrays[name] = np.full_like(arrays[name], value, dtype=np.result_type(arrays[name], value))
    np.savez(path, **arrays)
    with pytest.raises(ValueError, match=f"is damaged: {name}"):
        solver.load(path)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"tolerance": 0}, "tolerance=0 must be a number above 0"),
        ({"tolerance": -1e-3}, "above 0"),
        ({"tolerance": float("nan")}, "tolerance=nan must be a number"),
        ({"method": "cfr++"}, "must be one of lp, cfr"),
        ({"method": "lp", "tolerance": 0}, "tolerance=0 must be a number above 0"),
        ({"tolerance": 1e-3, "iterations": 0}, "iterations=0"),
        ({"iterations": -3}, "iterations=-3 must be a whole number at least 1"),
        ({"checkpoint": "here.npz"}, "checkpoint=here.npz is an option of CFR"),
        ({"method": "lp", "tolerance": 1e-3, "backend": "numpy"}, "backend=numpy is an option of CFR"),
        ({"device": "cuda"}, "device=cuda is an option of CFR"),
        ({"warm_start": False}, "warm_start=False is an option of CFR"),
    ],
)
def test_bad_requests(arguments, message):
    with pytest.raises(ValueError, match=message):
        relance.solve(relance.make("one_card_poker"), **arguments)


def test_more_bad_requests(monkeypatch):
    with pytest.raises(ValueError, match="infinitely many hands"):
        relance.solve(relance.make("von_neumann"), tolerance=1e-3)
    with pytest.raises(ArithmeticError, match="after 3 iterations of cfr"):
        relance.solve(relance.make("one_card_poker"), method="cfr", tolerance=1e-9, iterations=3)
    with pytest.raises(ValueError, match="dtype=int64"):
        Solver(relance.make("one_card_poker"), dtype=np.int64)
    with pytest.raises(ValueError, match="'jax' must be one of numpy, numba, torch"):
        Solver(relance.make("one_card_poker"), backend="jax")
    with pytest.raises(ValueError, match="GiB"):
        relance.solve(relance.make("von_neumann", hands=10**12), tolerance=1e-3)
    monkeypatch.setattr("os.sysconf", lambda name: 10)
    with pytest.raises(ValueError, match="GiB"):
        Solver(relance.make("one_card_poker"))


def test_the_memory_of_a_result_is_that_of_its_arrays(small):
    deal, profile = small.deal.floats, small.uniform().as_float()
    rows = [row for name in profile.nodes() for row in profile[name]]
    distribution = [row for pair in deal.terms for row in pair] + [deal.blocked, deal.diagonal]
    kept = {id(row): row.nbytes for row in (*rows, *distribution) if row is not None}
    assert result_memory(small) == sum(kept.values())


def test_what_does_not_fit_is_said_with_what_would(monkeypatch):
    monkeypatch.setattr("os.sysconf", lambda name: {"SC_PAGE_SIZE": 2**10, "SC_PHYS_PAGES": 2**20}[name])
    with pytest.raises(ValueError, match=r"needs 3.7 GiB of memory; the machine has 1.0; 26843545 hands would fit"):
        relance.solve(relance.make("von_neumann", hands=10**8), tolerance=1e-3)
    monkeypatch.setattr("os.sysconf", lambda name: {"SC_PAGE_SIZE": 2**10, "SC_PHYS_PAGES": 960_000}[name])
    needs = "0.9" if numba_start.installed() else "1.4"  # measured: 1.0 and 1.7, with what numba and numpy take
    with pytest.raises(ValueError, match=rf"liars_dice.* needs {needs} GiB of memory; the machine has 0.9"):
        relance.solve(relance.make("liars_dice", dice=2, sides=5), tolerance=1e-3)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"game": relance.make("one_card_poker", cards=5)},
            r"is a checkpoint of one_card_poker\(cards=2500.* by cfr\+",
        ),
        ({"method": "pcfr+"}, r"by cfr\+, not of one_card_poker\(cards=2500.* by pcfr\+"),
        ({"warm_start": False}, r"has 1000 hands; with warm_start=False a checkpoint must have 2500"),
    ],
)
def test_a_checkpoint_that_does_not_fit_is_refused_and_kept(arguments, message, tmp_path):
    path, game = tmp_path / "solver.npz", relance.make("one_card_poker", cards=2500)
    Solver(game, "cfr+", deal=coarse(game.deal.floats, 1000)).save(path)
    before = path.read_bytes()
    given = {"game": game, "method": "cfr+", "tolerance": 1e-9, "iterations": 1, **arguments}
    with pytest.raises(ValueError, match=message):
        relance.solve(**given, checkpoint=path)
    assert path.read_bytes() == before


def test_no_other_file_is_taken_for_a_checkpoint(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("mine")
    with pytest.raises(ValueError, match="is damaged"):
        relance.solve(relance.make("one_card_poker"), tolerance=1e-9, iterations=1, checkpoint=path)
    assert path.read_text() == "mine"


def test_an_interrupt_keeps_what_is_solved(tmp_path):
    path, game = tmp_path / "solver.npz", relance.make("one_card_poker", cards=20)

    def stop(iteration, left):
        if iteration >= 100:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        relance.solve(game, tolerance=1e-4, tick=stop, checkpoint=path)
    seen = []
    profile = relance.solve(game, tolerance=1e-4, tick=lambda i, left: seen.append(i), checkpoint=path)
    assert seen[0] > 100
    assert relance.exploitability(game, profile) <= 1e-4


@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
def test_an_interrupt_while_a_checkpoint_is_written_leaves_a_whole_one(tmp_path, monkeypatch):
    """Ctrl-C comes as soon as one part of the archive is open, after which the archive itself could not be closed."""
    path, game = tmp_path / "solver.npz", relance.make("one_card_poker", cards=20)
    opened, opens = zipfile.ZipFile.open, []

    def open_part(archive, *arguments, **options):
        part = opened(archive, *arguments, **options)
        if len(opens) == 1:
            signal.raise_signal(signal.SIGINT)
        opens.append(part)
        return part

    monkeypatch.setattr(zipfile.ZipFile, "open", open_part)
    monkeypatch.setattr("relance.model.files.SAVED", 0.0)
    with pytest.raises(KeyboardInterrupt):
        relance.solve(game, tolerance=1e-9, method="cfr+", checkpoint=path)
    monkeypatch.setattr(zipfile.ZipFile, "open", opened)
    assert len(opens) > 2
    solver = Solver(game)
    solver.load(path)
    assert solver.iteration > 0
