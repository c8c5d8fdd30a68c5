"""CFR on game trees: the bound on its profile is exact, and OpenSpiel sees the same."""

from fractions import Fraction

import numpy as np
import pyspiel
import pytest

import relance
from relance.registration.game_trees import game_tree
from relance.solvers import solve as solve_module
from relance.solvers.cfr_variants import METHODS
from relance.solvers.tree_cfr import rounded_profile, solve_tree_by_cfr
from relance.solvers.tree_values import judge


@pytest.mark.parametrize("method", METHODS)
def test_every_variant_reaches_the_tolerance(method):
    tree = game_tree("kuhn_poker")
    tolerance = 1e-3 if method != "cfr" else 1e-2
    profile = relance.solve(tree, method, tolerance)
    assert profile.solved_by == method
    assert 0 < relance.exploitability(tree, profile) <= tolerance
    assert all(sum(law.values()) == 1 and min(law.values()) >= 0 for law in profile.values())


def test_the_bound_is_what_openspiel_computes():
    tree = game_tree("leduc_poker")
    seen = []
    profile = solve_tree_by_cfr(tree, 0.01, tick=lambda t, left: seen.append((t, left)))
    exact = judge(tree, profile).nash_conv / 2
    assert exact <= Fraction(0.01)
    assert float(exact) == pytest.approx(seen[-1][1], rel=1e-6)
    theirs = pyspiel.nash_conv(tree.source, relance.openspiel.policy(tree, profile)) / 2
    assert theirs == pytest.approx(float(exact), rel=1e-6)


def test_size_alone_chooses_the_method(monkeypatch):
    tree = game_tree("kuhn_poker")
    assert relance.solve(tree, tolerance=0.1).solved_by == "an exact linear program"
    monkeypatch.setattr(solve_module, "MOST_SETS", 5)
    assert relance.solve(tree, tolerance=0.1).solved_by == "dcfr+"


def test_a_tolerance_out_of_reach_is_an_error():
    with pytest.raises(ArithmeticError, match=r"the exploitability is .* after 30 iterations of cfr\+, not 1e-09"):
        relance.solve(game_tree("kuhn_poker"), "cfr+", 1e-9, iterations=30)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tolerance": 0}, "tolerance=0 must be a number above 0"),
        ({"tolerance": 1e-15, "method": "cfr+"}, "tolerance=1e-15 is below 3e-15, the least that floats reach in"),
        ({"method": "nosuch"}, "method='nosuch' must be one of lp"),
        ({"iterations": 3}, "iterations=3 is an option of CFR"),
        ({"backend": "numba"}, "options for games of Relance"),
    ],
)
def test_options_that_do_not_fit(options, message):
    with pytest.raises(ValueError, match=message):
        relance.solve(game_tree("kuhn_poker"), **options)


def test_weights_are_rounded_to_ones_that_add_up():
    tree = game_tree("kuhn_poker")
    weights = tuple(np.full(size, 1 / 3) for size in tree.sizes)
    profile = rounded_profile(tree, weights)
    assert all(sum(law.values()) == 1 for law in profile.values())
    assert {float(p) for law in profile.values() for p in law.values()} == {0.5}
    nothing = rounded_profile(tree, tuple(np.zeros(size) for size in tree.sizes))
    assert all(sum(law.values()) == 1 for law in nothing.values())
