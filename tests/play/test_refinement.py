"""Cells that are refined until a score settles."""

import numpy as np
import pytest
from test_exact_score import shifted

import relance


def test_thresholds_and_refinement():
    game = relance.make("von_neumann")
    assert game.actions == ("check", "bet", "fold", "call")
    found = relance.score(game, shifted(0.03), tolerance=1e-4)
    assert found.reached <= 1e-4 == found.tolerance
    exact = game.profile({"": {"bet": [(0, "0.14111111"), ("0.80777778", 1)]}, "bet": {"call": [("0.58555556", 1)]}})
    truth = relance.score(game, exact)
    assert found.nash_conv == pytest.approx(float(truth.nash_conv), abs=1e-3)
    assert found.value == pytest.approx(float(truth.value), abs=1e-3)
    for node, action in (("", "bet"), ("bet", "call")):
        cut, true = found.thresholds[node][action], truth.thresholds[node][action]
        assert cut.distance == pytest.approx(0.03, abs=2e-3)
        assert true.distance == pytest.approx(0.03, abs=1e-6)
        assert found.differences[node] == pytest.approx(truth.differences[node], abs=5e-3)
    assert relance.score(game, shifted(0.03), hands=300).game.hands == 300
    assert relance.score(game, shifted(0.0), hands=9 * 40).nash_conv == pytest.approx(0, abs=1e-12)


def test_a_score_that_does_not_settle_warns():
    def stripes(observations, masks):
        bet = (np.floor(observations[:, 2] * 2**15) % 2).astype(bool)
        first, last = masks.argmax(axis=1), masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)
        return np.where(bet & (observations[:, 2] > 0.5), last, first)

    with pytest.warns(UserWarning, match="still moved by"):
        found = relance.score(relance.make("von_neumann"), stripes, tolerance=1e-12)
    assert found.reached > found.tolerance
    assert len(str(found)) < 3000
