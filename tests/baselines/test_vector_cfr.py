"""Our own CFR as a baseline: the solver itself, step by step."""

import pytest

import relance
from relance.baselines.vector_cfr import CFR, Settings, start_cfr
from relance.solvers.cfr_solver import Solver
from relance.solvers.cfr_variants import METHODS


@pytest.mark.parametrize("method", METHODS)
def test_a_step_is_an_iteration_and_its_samples_are_the_actions_of_hands(method):
    game = relance.make("one_card_poker", raises=0)
    learner, solver = start_cfr(game, Settings(method), 0), Solver(game, method)
    assert [learner.step() for _ in range(5)] == [4 * 2 * 3] * 5  # four nodes, two actions, three cards
    solver.run(5)
    assert str(learner.agent()) == str(solver.average())
    assert (CFR.deterministic, CFR.scored) == (True, "average")
