"""CFR on game trees: the bound on its profile is exact, and OpenSpiel sees the same."""

from fractions import Fraction

import numpy as np
import pyspiel
import pytest

import relance
from relance.model.arrays import host
from relance.model.game_tree import ChanceNode, DecisionNode, GameTree, TerminalNode
from relance.registration.game_trees import game_tree
from relance.solvers import method_choice
from relance.solvers.cfr_solver import Solver
from relance.solvers.cfr_variants import METHODS
from relance.solvers.tree_values import evaluate


@pytest.mark.parametrize("method", METHODS)
def test_every_variant_reaches_the_tolerance(method):
    tree = game_tree("kuhn_poker")
    tolerance = 1e-3 if method != "cfr" else 1e-2
    profile = relance.solve(tree, method, tolerance)
    assert profile.solved_by == method
    assert 0 < relance.exploitability(tree, profile) <= tolerance
    assert all(sum(distribution.values()) == 1 and min(distribution.values()) >= 0 for distribution in profile.values())


def test_the_bound_is_what_openspiel_computes():
    tree = game_tree("leduc_poker")
    seen = []
    profile = relance.solve(tree, "dcfr+", 0.01, tick=lambda t, left: seen.append((t, left)))
    exact = evaluate(tree, profile).nash_conv / 2
    assert exact <= Fraction(0.01)
    assert float(exact) == pytest.approx(seen[-1][1], rel=1e-6)
    theirs = pyspiel.nash_conv(tree.source, relance.openspiel.policy(tree, profile)) / 2
    assert theirs == pytest.approx(float(exact), rel=1e-6)


def test_size_alone_chooses_the_method(monkeypatch):
    tree = game_tree("kuhn_poker")
    assert relance.solve(tree, tolerance=0.1).solved_by == "an exact linear program"
    monkeypatch.setattr(method_choice, "MOST_SETS", 5)
    assert relance.solve(tree, tolerance=0.1).solved_by == "dcfr+"


def test_a_tolerance_out_of_reach_is_an_error():
    with pytest.raises(ArithmeticError, match=r"is .* > 1e-09 after 30 iterations of cfr\+; increase iterations"):
        relance.solve(game_tree("kuhn_poker"), "cfr+", 1e-9, iterations=30)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tolerance": 0}, "tolerance=0 must be a number above 0"),
        ({"tolerance": 1e-15, "method": "cfr+"}, "tolerance=1e-15 is below 3e-15, the least that floats reach in"),
        ({"method": "nosuch"}, "method='nosuch' must be one of lp"),
        ({"iterations": 3}, "iterations=3 is an option of CFR"),
        ({"backend": "nosuch", "method": "cfr+"}, "backend='nosuch' must be one of numpy, numba, torch"),
    ],
)
def test_options_that_do_not_fit(options, message):
    with pytest.raises(ValueError, match=message):
        relance.solve(game_tree("kuhn_poker"), **options)


def test_weights_are_rounded_to_ones_that_add_up():
    tree = game_tree("kuhn_poker")
    profile = tree.profile_from_arrays([np.full((form.size, 1), 0.5) for form in tree.forms])
    assert all(sum(distribution.values()) == 1 for distribution in profile.values())
    assert {float(p) for distribution in profile.values() for p in distribution.values()} == {0.5}
    third = tree.profile_from_arrays([np.tile([[1 / 3], [2 / 3]], (form.size // 2, 1)) for form in tree.forms])
    assert all(sum(distribution.values()) == 1 for distribution in third.values())
    assert {round(float(p), 15) for distribution in third.values() for p in distribution.values()} == {
        round(1 / 3, 15),
        round(2 / 3, 15),
    }


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "liars_dice(dice_sides=4)"])
@pytest.mark.parametrize("backend", ["numba", "torch"])
def test_engines_agree_on_trees_of_histories(name, backend):
    pytest.importorskip(backend, reason="an extra is not installed")
    tree = game_tree(pyspiel.load_game(name))
    numpy, other = Solver(tree, "dcfr+", "numpy"), Solver(tree, "dcfr+", backend)
    for solver in (numpy, other):
        solver.run(5)
    assert np.max(np.abs(numpy.averages[0] - host(other.averages[0]))) < 1e-12
    assert other.nash_conv() == pytest.approx(numpy.nash_conv(), abs=1e-12)
    assert float(evaluate(tree, other.average()).nash_conv) == pytest.approx(other.nash_conv(), abs=1e-12)


def test_a_solve_of_a_tree_goes_on_from_its_checkpoint(tmp_path):
    tree, path = game_tree("kuhn_poker"), tmp_path / "saved.npz"
    with pytest.raises(ArithmeticError):
        relance.solve(tree, "cfr+", 1e-6, iterations=30, checkpoint=path)
    assert relance.exploitability(tree, relance.solve(tree, "cfr+", 1e-3, checkpoint=path)) <= 1e-3
    with pytest.raises(ValueError, match="is a checkpoint of kuhn_poker"):
        relance.solve(game_tree("leduc_poker"), "cfr+", 1e-3, checkpoint=path)


@pytest.mark.parametrize("backend", ["numpy", "numba"])
@pytest.mark.parametrize("matrix", [[[0]], [[0, 0], [0, 0]], [[3]], [[1, 2], [0, 5]]])
def test_games_without_a_choice_or_without_chips(matrix, backend):
    game = game_tree(matrix)
    solver = Solver(game, "dcfr+", backend)
    solver.run(50)
    assert solver.nash_conv() == pytest.approx(float(relance.nash_conv(game, solver.average())), abs=1e-12)
    assert relance.nash_conv(game, relance.solve(game)) == 0


@pytest.mark.parametrize("backend", ["numpy", "numba"])
@pytest.mark.parametrize("total", [10, -20, "1/3"])
def test_payoffs_of_another_constant_sum(total, backend):
    """What both get together is no part of what they can gain."""
    half = Fraction(total) / 2
    game = game_tree([[(half + x, half - x) for x in row] for row in ((2, -1), (-3, 2))])
    solver = Solver(game, "dcfr+", backend)
    solver.run(200)
    assert solver.nash_conv() == pytest.approx(float(relance.nash_conv(game, solver.average())), abs=1e-12)
    assert relance.exploitability(game, relance.solve(game, "dcfr+", 1e-4, backend=backend)) <= 1e-4


def test_a_sum_that_is_not_constant_is_refused():
    with pytest.raises(ValueError, match="is not a game of zero sum"):
        Solver(game_tree([[(1, 2), (0, 0)]]))


@pytest.mark.parametrize("backend", ["numpy", "numba"])
def test_a_tree_without_a_decision(backend):
    game = game_tree(TerminalNode((5, -5)))
    assert relance.nash_conv(game, relance.solve(game, "cfr+", 1e-3, backend=backend)) == 0


def test_a_tolerance_that_fractions_cannot_reach_ends():
    """The floats may say 0 where the fractions next to them leave a little."""
    beats = {("r", "p"): -1, ("r", "s"): 1, ("p", "r"): 1, ("p", "s"): -1, ("s", "r"): -1, ("s", "p"): 1}

    def thrown(i):
        hidden = {a: {b: TerminalNode(beats.get((a, b), 0)) for b in "rps"} for a in "rps"}
        return DecisionNode(0, f"first {i}", {a: DecisionNode(1, f"second {i}", below) for a, below in hidden.items()})

    often = GameTree(ChanceNode({str(i): (Fraction(1, 1000), thrown(i)) for i in range(1000)}))
    with pytest.raises(ArithmeticError, match="cannot tell the exploitability"):
        relance.solve(often, "cfr+", 1.1e-17, iterations=100)


def test_a_checkpoint_is_of_one_game_whatever_its_title(tmp_path):
    path = tmp_path / "saved.npz"
    with pytest.raises(ArithmeticError):
        relance.solve(game_tree([[3, -1], [-2, 1]]), "cfr+", 1e-9, iterations=30, checkpoint=path)
    with pytest.raises(ValueError, match="is a checkpoint of the matrix game"):
        relance.solve(game_tree([[-30, 10], [20, -10]]), "cfr+", 1e-3, checkpoint=path)


def test_a_small_tree_is_solved_exactly_whatever_the_tolerance():
    game = game_tree([[1, -2], [-3, 10**400]])
    for tolerance in (1e-20, 1e-3):
        assert relance.nash_conv(game, relance.solve(game, tolerance=tolerance)) == 0
    with pytest.raises(ValueError, match="the least that floats reach"):
        relance.solve(game, "cfr+", 1e-3)
