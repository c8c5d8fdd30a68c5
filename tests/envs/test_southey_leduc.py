"""Leduc hold'em: its exact value, and the largest that may be asked for."""

from fractions import Fraction

import numpy as np
import pytest

import relance
from relance.envs.turn import MOST_ENDINGS


def test_the_value_of_leduc_is_exact():
    """The published value is -0.0856064; suits that are told apart change nothing."""
    game = relance.make("leduc")
    profile = relance.solve(game)
    assert relance.nash_conv(game, profile) == 0
    worth = relance.value(game, profile)
    assert isinstance(worth, Fraction)
    assert float(worth) == pytest.approx(-0.085606424078, abs=1e-12)
    split = relance.make("leduc", merge_suits=False)
    plan = {
        name: {a: np.repeat(np.asarray(profile[ranked(name)][i]), 2) for i, a in enumerate(node.actions)}
        for name, node in split.tree.decisions.items()
    }
    assert relance.nash_conv(split, split.profile(plan)) == 0
    assert relance.value(split, split.profile(plan)) == worth


def ranked(name):
    """The name of a node without suits."""
    return "-".join(step[0] if step[:1] in {*"JQK"} else step for step in name.split("-"))


def test_the_largest_leduc_is_within_the_limit_of_the_turn_and_no_exact_solution_is_begun():
    game = relance.make("leduc(ranks=13,suits=4,raises=10,merge_suits=false)")
    assert len(game.tree.leaves) == 44_792 < MOST_ENDINGS
    with pytest.raises(ValueError, match="an exact solution of leduc.* would take about .* days; solve it with a tol"):
        relance.solve(game)
