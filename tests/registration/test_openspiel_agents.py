"""OpenSpiel's policies, agents and bots, read as strategies."""

import numpy as np
import pytest
from conftest import tabular

import relance
from relance.play.rules import rules


def test_openspiel_policies():
    game = relance.make("one_card_poker")
    policy = relance.openspiel.policy(game, game.published())
    assert relance.score(game, policy).nash_conv == pytest.approx(0, abs=1e-12)
    assert relance.score(game, policy.to_tabular()).nash_conv == pytest.approx(0, abs=1e-12)
    with pytest.raises(ValueError, match="this is a policy of"):
        relance.score(relance.make("one_card_poker", cards=4), policy)


def test_openspiel_agents():
    from open_spiel.python.algorithms.tabular_qlearner import QLearner

    game = relance.make("one_card_poker")
    agents = [QLearner(seat, len(game.actions)) for seat in (0, 1)]
    assert relance.score(game, agents, illegal="renormalise").nash_conv > 0
    with pytest.raises(ValueError, match="give a pair"):
        relance.score(game, agents[0])


def test_openspiel_torch_agents():
    pytest.importorskip("torch", reason="needs the extra torch")
    pytest.importorskip("tree", reason="needs the extra torch")
    from open_spiel.python.pytorch.policy_gradient import PolicyGradient
    from open_spiel.python.pytorch.ppo import PPO, PPOAgent

    game = relance.make("one_card_poker")
    size, width = rules(game).size, len(game.actions)
    agents = [PolicyGradient(seat, size, width, hidden_layers_sizes=(8,)) for seat in (0, 1)]
    assert 0 < relance.score(game, agents).nash_conv < 4
    together = PPO(input_shape=(size,), num_actions=width, num_players=2, agent_fn=PPOAgent, device="cpu")
    assert relance.score(game, together).nash_conv == pytest.approx(
        float(relance.score(game, "uniform").nash_conv), abs=0.1
    )


def test_what_openspiel_policies_may_answer():
    game = relance.make("one_card_poker", raises=1)
    right = tabular(game, game.published())

    class Policy:
        def __init__(self, change):
            self.change = change

        def action_probabilities(self, state, player_id=None):
            seen, mask = np.array(state.information_state_tensor(), np.float32), np.array(state.legal_actions_mask())
            return dict(enumerate(self.change(right(seen[None], mask[None])[0], mask)))

    assert relance.score(game, Policy(lambda row, mask: row)).nash_conv == pytest.approx(0, abs=1e-6)
    leaky = Policy(lambda row, mask: row * 0.9 + 0.1 / (~mask.astype(bool)).sum() * (1 - mask))
    partly = Policy(lambda row, mask: row * 0.3)
    for policy, says in ((leaky, "illegal action"), (partly, "sum to 0.3")):
        with pytest.raises(ValueError, match=says + ".*illegal='renormalise'"):
            relance.score(game, policy)
        assert relance.score(game, policy, illegal="renormalise").nash_conv == pytest.approx(0, abs=1e-6)
    with pytest.raises(ValueError, match="sum to 3"):
        relance.score(game, Policy(lambda row, mask: row * 3), illegal="renormalise")
    with pytest.raises(ValueError, match="finitely many hands"):
        relance.score(relance.make("von_neumann"), leaky)


@pytest.mark.parametrize("text", ["one_card_poker(raises=0)", "leduc", "endgame_draw"])
def test_policies_learned_on_the_efg_come_back(text):
    """Learned at C++ speed, by either class, and by Python: scored as OpenSpiel scores them there."""
    import pyspiel
    from open_spiel.python.algorithms import cfr

    game = relance.make(text)
    fast = pyspiel.load_efg_game(relance.to_efg(game))
    learner = pyspiel.CFRPlusSolver(fast)
    for _ in range(20):
        learner.evaluate_and_update_policy()
    slow = cfr.CFRSolver(fast)
    slow.evaluate_and_update_policy()
    for policy in (learner.average_policy(), learner.tabular_average_policy(), slow.average_policy()):
        found = relance.nash_conv(game, policy)
        if isinstance(policy, pyspiel.Policy):
            assert abs(found - pyspiel.nash_conv(fast, policy)) < 1e-9
        assert relance.score(game, policy).nash_conv == found
        assert relance.nash_conv(game, relance.from_policy(game, policy)) == found
