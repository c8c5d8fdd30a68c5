"""Our own CFR as a baseline: the solver itself, step by step."""

import pytest

import relance
from relance.baselines.vector_cfr import CFR, Settings, start_cfr
from relance.solvers.cfr_solver import Solver
from relance.solvers.cfr_variants import METHODS


@pytest.mark.parametrize("method", METHODS)
def test_a_step_is_an_iteration_and_its_games_are_all_that_there_are(method):
    game = relance.make("one_card_poker", raises=0)
    learner, solver = start_cfr(game, Settings(method), 0), Solver(game, method)
    assert [learner.step() for _ in range(5)] == [3 * 3 * 5] * 5  # three cards of each player, five terminal nodes
    solver.run(5)
    assert str(learner.agent()) == str(solver.average())
    assert (CFR.deterministic, CFR.scored) == (True, "average")
