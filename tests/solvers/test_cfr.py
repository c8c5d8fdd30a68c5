"""Vector CFR: against exact values, against OpenSpiel, and its backends against each other."""

import signal
import zipfile
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import cycle

import numpy as np
import pytest
from conftest import FINITE, VARIED, one_each, repeats

import relance
from relance.model.arrays import host
from relance.model.ranked_deal import RankedDeal
from relance.model.tree import BettingTree, Leaf, decision, showdown
from relance.solvers import cfr_numba
from relance.solvers.abstraction import block_sizes, coarse
from relance.solvers.cfr_solver import BACKENDS, Solver, result_memory
from relance.solvers.cfr_variants import METHODS
from relance.solvers.exact import regrets
from relance.solvers.lp import solve_lp

SMALL = {
    "cards": ("one_card_poker", {"cards": 7, "raises": 1}),
    "grid": ("von_neumann", {"bet": "3/2", "hands": 20}),
    "ties in a cell": ("la_relance", {"deal": "power:2:1", "hands": 15}),
    "dependent": ("von_neumann", {"deal": "fgm:-1/2", "hands": 15}),
    "raises": ("pot_limit", {"raises": 2, "hands": 12}),
    "one player acts": ("force_in", {"raises": 0, "hands": 12}),
}

NOT_IN_STEP = {
    "ranks apart": ("ponssard", {}),
    "classes": ("five_card", {"ranks": 6, "raises": 1}),
    "a table": ("river", {"ranges": "99;QJs;65s vs KTs;TT:1/2;Q9s", "raises": 1}),
}


@pytest.fixture(params=SMALL, ids=str)
def small(request):
    name, parameters = SMALL[request.param]
    return relance.make(name, **parameters)


@cache
def exact_value(game):
    return solve_lp(game)[0]


OTHERS = [game for game in FINITE if repeats(game)]
PAIRS = [
    *one_each(VARIED, METHODS),
    *(pytest.param(*pair, marks=pytest.mark.slow) for pair in zip(OTHERS, cycle(METHODS), strict=False)),
]
"""Each kind of game with each method, and each of the others with one of them."""


@pytest.mark.parametrize(("game", "method"), PAIRS, ids=str)
def test_the_average_approaches_an_equilibrium(game, method):
    solver = Solver(game, method)
    solver.run(30)
    first = solver.nash_conv()
    solver.run(90)
    left = solver.nash_conv()
    assert left < first or left < 1e-9
    profile = solver.average()
    game.check(profile)
    assert relance.nash_conv(game, profile) == pytest.approx(left, abs=1e-12)
    assert abs(relance.value(game, profile) - exact_value(game)) <= left + 1e-9


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("name", ["one_card_poker(cards=5)", "ponssard", "river(ranges=99;QJs vs KTs;TT,raises=1)"])
def test_a_player_who_never_acts(name, player):
    """The other one gives up with the hands that lose: two ways to the same figures, in the arithmetic of both."""
    game = relance.make(name)
    alone = replace(game, tree=BettingTree(decision(player, fold=Leaf(2 * player - 1), call=showdown(2))))
    expected = alone.finite_deal().edge(player, alone.deal.constant(1 - player, 1)) * 2
    best = sum(max(won, -met) for won, met in zip(expected, alone.deal.prior(player), strict=True))
    value, profile = solve_lp(alone)
    assert value == (1 - 2 * player) * best
    assert relance.nash_conv(alone, profile.as_float()) == pytest.approx(0, abs=1e-12)
    mixed = alone.uniform()
    for function in (relance.value, relance.nash_conv):
        assert function(alone, mixed.as_float()) == pytest.approx(float(function(alone, mixed)), abs=1e-12)
    for method in METHODS:
        assert relance.exploitability(alone, relance.solve(alone, method, tolerance=1e-3)) <= 1e-3
    assert relance.value(alone, relance.solve(alone, tolerance=1e-6)) == pytest.approx(float(value), abs=2e-6)


def started(game, method, backend, dtype=np.float64):
    """A solver with random regrets, since where actions tie exactly, rounding decides and backends may part, and averages."""
    solver = Solver(game, method, backend, dtype)
    rng = np.random.default_rng(1)
    for regret, matched, average in zip(solver.regrets, solver.matched, solver.averages, strict=True):
        regret += solver._put(rng.random(regret.shape) - 0.3)
        matched[...] = regret
        average += solver._put(rng.random(average.shape))
    solver.iteration = 9
    return solver


def learned(solver):
    return [host(rows) for rows in (*solver.regrets, *solver.matched, *solver.averages)]


COMPILED = (
    SMALL
    | NOT_IN_STEP
    | {
        "blocks of hands": ("von_neumann", {"hands": 9000}),
        "events": ("leduc", {}),
        "cards that turn up": ("turn", {"ranges": "QJs;A9s:1/2 vs 99;JTs", "raises": 0}),
        "suits alike": ("turn", {"board": "KsKd7h7c", "ranges": "QJ vs 99;KT:1/3", "raises": 0}),
    }
)


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


@pytest.mark.parametrize(("key", "method"), one_each([*COMPILED], METHODS))
def test_compiled_and_plain_agree_in_float32(key, method):
    """Compiled loops round to float32 once, where numpy rounds after each step."""
    pytest.importorskip("numba", reason="the extra `fast` is not installed")
    name, parameters = COMPILED[key]
    game = relance.make(name, **parameters)
    plain, fast = (started(game, method, backend, np.float32) for backend in ("numpy", "numba"))
    plain.run(15)
    fast.run(15)
    for a, b in zip(learned(plain), learned(fast), strict=True):
        assert np.abs(a - b).max(initial=0) < 2e-3 * max(1.0, np.abs(a).max(initial=0))


def test_an_average_of_float32_is_a_profile():
    """It is divided in float64: in float32 the probabilities of a hand would not sum to 1."""
    game = relance.make("one_card_poker", cards=300, raises=2)
    solver = started(game, "cfr+", "numpy", np.float32)
    solver.run(12)
    assert relance.nash_conv(game, solver.average()) == pytest.approx(solver.nash_conv(), abs=1e-9)


def test_threads_do_not_change_a_bit_and_blocks_only_the_last_ones(monkeypatch):
    pytest.importorskip("numba", reason="the extra `fast` is not installed")
    from relance.solvers import sequence_form

    game = relance.make("one_card_poker", cards=1000)
    monkeypatch.setattr(sequence_form, "CACHED", 1000)  # blocks of 256 hands
    one, plain = (started(game, "cfr+", backend) for backend in ("numba", "numpy"))
    monkeypatch.setattr(cfr_numba, "THREADED_FROM", 1)
    monkeypatch.setenv("NUMBA_NUM_THREADS", "3")
    three = started(game, "cfr+", "numba")
    assert [list(share) for share in three._loops.shares] == [[0], [1], [2, 3]]
    for solver in (one, plain, three):
        solver.run(1)
    for a, b in zip(learned(one), learned(plain), strict=True):
        assert np.abs(a - b).max() <= 1e-12 * max(1.0, np.abs(a).max())
    for solver in (one, three):
        solver.run(50)
    for a, b in zip(learned(one), learned(three), strict=True):
        assert np.array_equal(a, b)


def test_openspiels_cfr_plus_has_the_same_exploitability():
    """After each iteration, on a game whose odd bet leaves no two actions exactly tied."""
    import pyspiel

    game = relance.make("one_card_poker", cards=5, raises=1, bet="7/5")
    native = pyspiel.load_efg_game(relance.to_efg(game))
    theirs, ours = pyspiel.CFRPlusSolver(native), Solver(game, "cfr+", backend="numpy")
    for _ in range(30):
        theirs.evaluate_and_update_policy()
        ours.run(1)
        expected = pyspiel.nash_conv(native, theirs.tabular_average_policy())
        assert ours.nash_conv() == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("law", ["uniform", "power:2:1", "fgm:-1/2"])
def test_coarse_hands_are_those_of_a_coarse_grid(law):
    fine, blocks = (relance.make("von_neumann", deal=law, hands=n).deal.floats for n in (12, 4))
    coarser = coarse(fine, 4)
    weight = np.array([0.3, 0.1, 1.0, 0.7])
    for player in (0, 1):
        assert np.allclose(coarser.mass(player, weight), blocks.mass(player, weight), atol=1e-15)
        assert np.allclose(coarser.edge(player, weight), blocks.edge(player, weight), atol=1e-15)


def test_coarse_cards_keep_the_own_card_out():
    deal = relance.make("one_card_poker", cards=7).deal
    coarser, sizes = coarse(deal.floats, 3), block_sizes(7, 3)
    of = np.repeat(np.arange(3), sizes)
    joint = np.zeros((3, 3))
    np.add.at(joint, (of[:, None], of[None, :]), deal.joint().astype(float))
    edge = np.zeros((3, 3))
    np.add.at(edge, (of[:, None], of[None, :]), deal.joint_edge().astype(float))
    for k, unit in enumerate(np.eye(3)):
        assert np.allclose(coarser.mass(0, unit), joint[:, k], atol=1e-15)
        assert np.allclose(coarser.edge(0, unit), edge[:, k], atol=1e-15)


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


@pytest.mark.parametrize(("method", "power"), [("cfr", 0), ("cfr+", 1), ("dcfr", 2), ("pcfr+", 2)])
def test_an_average_weights_iterations_as_its_paper_says(method, power):
    """By t to this power, and by the player's own reach."""
    game = relance.make("one_card_poker", cards=5, raises=1)
    solver, played = Solver(game, method, backend="numpy"), []
    for _ in range(9):
        played.append(solver.current(0))
        solver.run(1)
    weights = np.arange(1.0, 10) ** power
    after = "check-bet"
    reached = [plays[""][0] for plays in played]
    assert game.tree.last_choice(after, 0) == ("", 0)
    for name, own in (("", [1.0] * 9), (after, reached)):
        total = sum(w * r * plays[name] for w, r, plays in zip(weights, own, played, strict=True))
        assert np.allclose(solver.average()[name], total / total.sum(0), atol=1e-14)


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
    law = [row for pair in deal.terms for row in pair] + [deal.blocked, deal.diagonal]
    kept = {id(row): row.nbytes for row in (*rows, *law) if row is not None}
    assert result_memory(small) == sum(kept.values())


def test_what_does_not_fit_is_said_with_what_would(monkeypatch):
    monkeypatch.setattr("os.sysconf", lambda name: {"SC_PAGE_SIZE": 2**10, "SC_PHYS_PAGES": 2**20}[name])
    with pytest.raises(ValueError, match=r"needs 3.7 GiB of memory; the machine has 1.0; 26843545 hands would fit"):
        relance.solve(relance.make("von_neumann", hands=10**8), tolerance=1e-3)


def test_float_scores_are_the_exact_ones(aligned_game):
    profile = aligned_game.published()
    floats = profile.as_float()
    assert relance.value(aligned_game, floats) == pytest.approx(float(relance.value(aligned_game, profile)), abs=1e-12)
    assert relance.nash_conv(aligned_game, floats) == pytest.approx(0, abs=1e-9)


def test_regrets_show_where_a_strategy_errs():
    game = relance.make("one_card_poker", raises=0)
    profile = game.published(alpha="1/4")
    assert all((row <= 0).all() for _, rows in regrets(game, profile, 0).values() for row in rows)
    wrong = game.profile({**profile.plan(), "bet": {"call": [1, 1, 1]}})
    met, rows = regrets(game, wrong, 1)["bet"]
    fold = game.tree.decisions["bet"].index("fold")
    assert rows[fold][0] > 0
    assert met[0] > 0
    assert isinstance(rows[fold][0], Fraction)


def test_in_step_is_recognised():
    assert relance.make("one_card_poker").deal.in_step
    assert relance.make("von_neumann", hands=5).deal.in_step
    ponssard = relance.make("ponssard").deal
    assert isinstance(ponssard, RankedDeal)
    assert not ponssard.in_step


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"game": relance.make("one_card_poker", cards=5)},
            r"is a checkpoint of one_card_poker\(cards=2500.* by cfr\+",
        ),
        ({"method": "pcfr+"}, r"by cfr\+, not of one_card_poker\(cards=2500.* by pcfr\+"),
        ({"warm_start": False}, r"has 1000 hands; with warm_start=False .* one of \[2500\]"),
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
    monkeypatch.setattr("relance.solvers.solve.SAVED", 0.0)
    with pytest.raises(KeyboardInterrupt):
        relance.solve(game, tolerance=1e-9, method="cfr+", checkpoint=path)
    monkeypatch.setattr(zipfile.ZipFile, "open", opened)
    assert len(opens) > 2
    solver = Solver(game)
    solver.load(path)
    assert solver.iteration > 0


def test_an_interrupt_while_numba_starts_is_not_lost(monkeypatch):
    """Python cannot raise it out of the callbacks of a compiler, which say no more than that it was ignored."""
    made = cfr_numba.compiled_loops

    def make(*arguments):
        with suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        return made(*arguments)

    monkeypatch.setattr(cfr_numba, "compiled_loops", make)
    with pytest.raises(KeyboardInterrupt):
        Solver(relance.make("one_card_poker"), backend="numba")
