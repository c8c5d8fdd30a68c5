"""Variants of CFR: how each weights its iterations."""

import numpy as np
import pytest

import relance
from relance.solvers.cfr_solver import Solver


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
