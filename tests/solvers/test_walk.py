"""One walk through a tree, depth first, scores a profile, and updates regrets, as the passes over all its sequences do."""

from dataclasses import replace

import numpy as np
import pytest

import relance
from relance.model import tree_table
from relance.model.arrays import thread_count
from relance.model.matrix_deal import MatrixDeal
from relance.model.strategy import NotProbabilitiesError
from relance.model.tree import BettingTree
from relance.solvers import cfr_solver, walk
from relance.solvers.cfr_numba import Walked
from relance.solvers.cfr_variants import METHODS
from relance.solvers.float_scores import Scores
from relance.solvers.sequence_form import normalised

NAMES = [
    "leduc",
    "leduc(merge_suits=false,raises=1)",
    "limit_poker(bets=1;2;4,raises=1)",
    "liars_dice(sides=3)",
    "liars_dice(dice=2,sides=2,wild=false)",
]


def large(name):
    """A game with a tree of its own, which is made as a large one."""
    game = relance.make(name)
    return replace(game, tree=BettingTree(game.tree.root))


def profile_of(game, seed=0):
    """A random profile, with some actions never taken."""
    rng = np.random.default_rng(seed)
    weights = [rng.random((form.size, game.deal.size(p))) for p, form in enumerate(game.forms)]
    return game.profile_from_arrays(
        [normalised(form, w * (w > 0.2)) for form, w in zip(game.forms, weights, strict=True)]
    )


@pytest.fixture(autouse=True)
def _always_worth_it(monkeypatch):
    pytest.importorskip("numba", reason="needs the extra fast")
    monkeypatch.setattr(walk.numba_start, "WORTH", 0)
    monkeypatch.setattr(tree_table, "MOST_LISTED", 0)


@pytest.mark.parametrize("parts", [1, 5, 10**9])
@pytest.mark.parametrize("threads", ["1", "3"])
@pytest.mark.parametrize("name", NAMES)
def test_a_walk_earns_what_the_passes_do(name, threads, parts, monkeypatch):
    monkeypatch.setenv("NUMBA_NUM_THREADS", threads)
    monkeypatch.setattr(walk, "PARTS", parts)
    assert thread_count() == int(threads)
    game = large(name)
    profile = profile_of(game)
    walked = Scores(game, profile)
    assert walked._walked is not None
    monkeypatch.setattr(walk, "MOST_HANDS", 0)
    passed = Scores(game, profile)
    assert passed._walked is None
    for player in (0, 1):
        assert walked.best_value(player) == pytest.approx(passed.best_value(player), rel=0, abs=1e-13)
    assert walked.value() == passed.value()


@pytest.mark.parametrize("name", NAMES[:2])
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("change", [(0, -0.25), (0, np.nan), (-1, 1e-8)])
def test_what_is_no_probability_is_named(name, seat, change):
    game = large(name)
    profile, (slot, off) = profile_of(game), change
    rows = [strategy.at.array.copy() for strategy in profile.strategies]
    rows[seat][slot, 0] += off
    broken = game.profile_from_arrays(rows)
    with pytest.raises(NotProbabilitiesError, match="hand"):
        relance.nash_conv(game, broken)


@pytest.mark.parametrize("seat", [0, 1])
def test_the_arrays_of_a_profile_may_be_of_any_kind(seat):
    game = large("leduc")
    walker, (first, second) = walk.walk_of(game.tree, game.finite_deal().floats, game.forms), game.uniform().strategies
    plain = [np.array(first.at.array), np.array(second.at.array)]
    expected = walker.best_values(plain)
    fixed = plain[seat].copy()
    fixed.flags.writeable = False
    for other in (fixed, np.asfortranarray(plain[seat]), np.repeat(plain[seat], 2, axis=0)[::2]):
        assert walker.best_values([other if p == seat else plain[p] for p in (0, 1)]) == expected
    single = [plain[p].astype(np.float32) if p == seat else plain[p] for p in (0, 1)]
    assert walker.best_values(single) is None  # thirds in float32 do not sum to 1


def test_it_is_made_ready_once_for_a_deal():
    game = large("leduc")
    deal = game.finite_deal().floats
    assert walk.walk_of(game.tree, deal, game.forms) is walk.walk_of(game.tree, deal, game.forms)


def without_structure():
    """Liar's dice with hands and edges that are anything."""
    game, rng = large("liars_dice(sides=3)"), np.random.default_rng(1)
    joint = rng.dirichlet(np.ones(9)).reshape(3, 3)

    def edges():
        return MatrixDeal(game.deal.labels, joint, rng.uniform(-1, 1, (3, 3)))

    return game, edges().with_contests({name: edges() for name in game.deal.contests})


def test_any_distribution_is_walked(monkeypatch):
    game, deal = without_structure()
    profile = profile_of(game)
    walked = Scores(game, profile, deal)
    assert walked._walked is not None
    monkeypatch.setattr(walk, "MOST_HANDS", 0)
    passed = Scores(game, profile, deal)
    for player in (0, 1):
        assert walked.best_value(player) == pytest.approx(passed.best_value(player), rel=0, abs=1e-14)


def in_full(many, rows, member, own):
    """The matrices that are written in classes."""
    with_zeros = np.concatenate([np.zeros_like(rows[:, :1]), rows], 1)
    assert (many == member.max(1)).all()
    return np.take_along_axis(with_zeros, member[:, :, None], 1) + own[:, :, None] * np.eye(member.shape[1])


ROWS = np.random.default_rng(2).random((5, 6)) - 0.5


@pytest.mark.parametrize(
    ("of", "many"),
    [
        ([0, 1, 2, 3, 4, 0], 5),
        ([0, 0, 0, 1, 1, 1], 2),
        ([0, 1, 0, 1, 0, 1], 2),
        ([0, None, 0, None, 1, 2], 3),
        ([None] * 6, 0),
    ],
)
@pytest.mark.parametrize("diagonal", [None, 0.0, 0.25])
def test_rows_that_differ_where_a_hand_meets_itself_are_one_class(of, many, diagonal):
    matrix = np.array([np.zeros(6) if k is None else ROWS[k] for k in of])
    if diagonal is not None:
        np.fill_diagonal(matrix, diagonal)
    several = np.array([matrix, np.ones((6, 6)), matrix.T, ROWS.T @ ROWS])
    found = walk.in_classes(several)
    assert in_full(*found) == pytest.approx(several, rel=0, abs=1e-16)
    zeros = of.count(None) and diagonal == 0.25
    assert found[0].tolist() == [many + bool(zeros), 1, found[0][2], 6]


def test_a_row_that_differs_elsewhere_is_another_class():
    matrix = np.ones((4, 4))
    matrix[2, 1] = np.nextafter(1, 2)
    (many,), _, (member,), _ = found = walk.in_classes(matrix[None])
    assert (many, member.tolist()) == (2, [1, 1, 2, 1])
    assert (in_full(*found) == matrix).all()


@pytest.mark.parametrize("name", [NAMES[1], NAMES[4]])
def test_the_classes_of_games(name):
    game = large(name)
    walker = walk.walk_of(game.tree, game.finite_deal().floats, game.forms)
    classes = walker.tree[6]
    assert (
        classes.many.max((0, 1)).tolist() == {NAMES[1]: [1, 3], NAMES[4]: [2, 3]}[name]
    )  # three ranks; pairs or not, which pair
    for node in np.flatnonzero(game.tree.table.player == tree_table.OVER).tolist():
        deal = game.finite_deal().floats.in_case(game.tree.table.cases[node])
        kept = (part[walker.tree[1][node]].reshape(4, *part.shape[3:]) for part in classes)
        expected = [deal.joint(), deal.joint_edge(), deal.joint().T, deal.joint_edge().T]
        assert in_full(*kept) == pytest.approx(np.array(expected), rel=0, abs=1e-17)


def solvers(game, method, dtype, monkeypatch):
    """A solver that walks and one in numpy, with the same random regrets and averages, so that rounding decides nothing."""
    both = [cfr_solver.Solver(game, method, backend, dtype) for backend in ("numba", "numpy")]
    rng = np.random.default_rng(3)
    for kind in ("regrets", "averages", "matched"):
        for player in (0, 1):
            numbers = rng.random(both[0].regrets[player].shape) - 0.25 * (kind != "averages")
            for solver in both:
                getattr(solver, kind)[player][...] = numbers
    assert isinstance(both[0]._loops, Walked)
    return both


@pytest.mark.parametrize("threads", ["1", "3"])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", [NAMES[1], NAMES[3]])
def test_a_walk_updates_what_the_passes_do(name, method, threads, monkeypatch):
    monkeypatch.setenv("NUMBA_NUM_THREADS", threads)
    walked, passed = solvers(large(name), method, float, monkeypatch)
    walked.run(1)
    passed.run(1)
    for kind in ("regrets", "averages", "matched"):
        for player in (0, 1):
            one, other = (getattr(solver, kind)[player] for solver in (walked, passed))
            assert one == pytest.approx(other, rel=0, abs=1e-14)
    assert walked.nash_conv() == pytest.approx(passed.nash_conv(), rel=0, abs=1e-14)


def test_a_walk_updates_single_precision():
    walked, passed = solvers(large(NAMES[1]), "dcfr+", np.float32, None)
    walked.run(1)
    passed.run(1)
    for player in (0, 1):
        assert walked.regrets[player].dtype == np.float32
        assert walked.regrets[player] == pytest.approx(passed.regrets[player], rel=0, abs=1e-7)


def test_walks_of_cfr_are_alike_on_any_number_of_threads(monkeypatch):
    found = []
    for threads in ("1", "2", "5"):
        monkeypatch.setenv("NUMBA_NUM_THREADS", threads)
        solver = cfr_solver.Solver(large(NAMES[1]), "cfr+", "numba")
        solver.run(20)
        found.append(solver.averages[0].tobytes() + solver.regrets[1].tobytes())
    assert found[0] == found[1] == found[2]
