"""Ponssard's game at its borders and corners."""

import pytest

import relance
from relance.solvers.lp import solve_lp


@pytest.mark.parametrize("p", [0, "1/3", "2/3", 1])
@pytest.mark.parametrize("q", [0, "1/5", "1/3", "2/3", 1])
def test_ponssard_at_borders_and_corners(p, q):
    game = relance.make("ponssard", p=p, q=q)
    profile = game.published()
    assert relance.nash_conv(game, profile) == 0
    assert solve_lp(game)[0] == relance.value(game, profile)
