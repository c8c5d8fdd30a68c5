"""Passes over all sequences of a player at once: against exact scores, and in blocks."""

import numpy as np
import pytest
from conftest import FINITE, parametrised, random_profile

import relance
from relance.solvers import sequence_form
from relance.solvers.cfr_solver import Solver
from relance.solvers.exact import gains

MANY = {
    "cards": ("one_card_poker", {"cards": 700, "raises": 2}),
    "grid": ("von_neumann", {"hands": 600}),
    "ties in a cell": ("la_relance", {"deal": "power:2:1", "hands": 600}),
    "dependent": ("von_neumann", {"deal": "fgm:-1/2", "hands": 600}),
}


@pytest.mark.parametrize("game", parametrised(FINITE))
def test_scores_in_floats_are_those_of_any_profile(game):
    rng = np.random.default_rng(3)
    profile = random_profile(game, lambda: int(rng.integers(0, 4)) + 1)
    floats = profile.as_float()
    assert relance.value(game, floats) == pytest.approx(float(relance.value(game, profile)), abs=1e-12)
    exact = [float(gain) for gain in gains(game, profile)]
    assert gains(game, floats) == pytest.approx(exact, abs=1e-12)
    assert relance.nash_conv(game, floats) == pytest.approx(sum(exact), abs=1e-12)


@pytest.mark.parametrize("kind", MANY)
def test_blocks_do_not_change_the_result(kind, monkeypatch):
    name, parameters = MANY[kind]
    game = relance.make(name, **parameters)

    def made():
        solver = Solver(game, "pcfr+", "numpy")
        for regret in solver.regrets:
            regret += np.random.default_rng(1).random(regret.shape)
        solver.run(5)
        return solver, solver.average()

    (whole, at_once), together = made(), relance.value(game, game.uniform().as_float())
    monkeypatch.setattr(sequence_form, "CACHED", 1)
    parted, in_blocks = made()
    assert len(parted._blocks) == 3
    for one, other in zip(whole.averages + whole.regrets, parted.averages + parted.regrets, strict=True):
        assert np.abs(one - other).max() < 1e-12
    assert parted.nash_conv() == pytest.approx(whole.nash_conv(), abs=1e-12)
    assert relance.nash_conv(game, in_blocks) == pytest.approx(relance.nash_conv(game, at_once), abs=1e-12)
    assert relance.value(game, game.uniform().as_float()) == pytest.approx(together, abs=1e-12)
