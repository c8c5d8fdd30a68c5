"""Strategies as OpenSpiel's policies, and back."""

import numpy as np
import pyspiel
import pytest
from conftest import FINITE, marked, random_profile, repeats
from test_openspiel import possible

import relance
from relance.registration.openspiel import chip_scale


@pytest.fixture(params=marked(FINITE, repeats), ids=str)
def loaded(request):
    return relance.openspiel.load(request.param)


def test_policies_go_there_and_back(finite_game):
    rng = np.random.default_rng(1)
    profile = random_profile(finite_game, lambda: int(rng.integers(1, 7)))
    found = relance.openspiel.policy(finite_game, profile)
    for source in (found, found.to_tabular()):
        back = relance.from_policy(finite_game, source)
        assert all(
            np.allclose(np.asarray(a, float)[possible(finite_game, name)], b[possible(finite_game, name)])
            for name in profile.nodes()
            for a, b in zip(profile[name], back[name], strict=True)
        )


@pytest.mark.parametrize("seed", marked(range(2), bool))
def test_our_scores_are_openspiels(finite_game, seed):
    """To rounding, for profiles that play everything: 1e-12 of the most that can be won."""
    from open_spiel.python.algorithms import exploitability

    rng = np.random.default_rng(seed)
    profile = random_profile(finite_game, lambda: int(rng.integers(1, 7)))
    found = relance.openspiel.policy(finite_game, profile)
    table, scale, within = found.to_tabular(), chip_scale(finite_game), 1e-12 * found.game.max_utility()
    nash_conv = float(relance.nash_conv(finite_game, profile)) * scale
    assert abs(pyspiel.nash_conv(found.game, table) - nash_conv) < within
    returns = pyspiel.expected_returns(found.game.new_initial_state(), table, -1, True)
    assert abs(returns[0] - float(relance.value(finite_game, profile)) * scale) < within
    if seed == 0 and finite_game.deal.size(0) <= 3:
        assert abs(exploitability.nash_conv(found.game, found) - nash_conv) < within
        for player in (0, 1):
            best = exploitability.best_response(found.game, found, player)["best_response_value"]
            assert abs(best - float(relance.best_response(finite_game, profile, player).value) * scale) < within


def test_the_python_policy_converts_like_openspiels_own():
    from open_spiel.python import policy as openspiel_policy

    game = relance.make("one_card_poker")
    loaded = relance.openspiel.load(game)
    uniform = relance.from_policy(game, openspiel_policy.TabularPolicy(loaded))
    assert abs(float(relance.nash_conv(game, uniform)) - float(relance.nash_conv(game, game.uniform()))) < 1e-12
    assert (
        abs(
            float(relance.nash_conv(game, relance.from_policy(game, openspiel_policy.UniformRandomPolicy(loaded))))
            - float(relance.nash_conv(game, game.uniform()))
        )
        < 1e-12
    )


def test_an_illegal_policy_is_refused():
    game = relance.make("one_card_poker")

    class Bad:
        def action_probabilities(self, state, player_id=None):
            return {4: 1.0}

    with pytest.raises(ValueError, match="illegal action 'raise'"):
        relance.from_policy(game, Bad())
