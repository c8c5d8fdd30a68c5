# group: tianshou
# quick: 10
"""Returns that Tianshou's multi-agent algorithms learn from, against the chips that were won.

Undiscounted, the return of a player's last decision in a game is what they win in that game. Tianshou strings the steps of both
players together: the step after that decision is often the other player's, who ends the game, and that player's reward is taken.

    python tianshou_returns.py [games]
"""

import logging
import sys

import numpy as np
import torch
from tianshou.algorithm.modelfree.a2c import A2C
from tianshou.algorithm.modelfree.dqn import DQN, DiscreteQLearningPolicy
from tianshou.algorithm.modelfree.reinforce import DiscreteActorPolicy
from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm, MultiAgentOnPolicyAlgorithm
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv

import relance

logging.disable()
games = int(sys.argv[1]) if len(sys.argv) > 1 else 200


class Legal(torch.nn.Module):
    """Plays legal actions at random; as a critic or as action values, it says zero."""

    def __init__(self, width, values=False):
        super().__init__()
        self.width, self.values, self.weight = width, values, torch.nn.Parameter(torch.zeros(1))

    def forward(self, obs, state=None, info=None):
        if self.width == 1:
            return self.weight * torch.zeros(len(obs.obs), 1)
        if self.values:
            return self.weight * torch.zeros(len(obs), self.width), state
        return torch.log(torch.as_tensor(np.asarray(obs.mask), dtype=torch.float32) + 1e-9) + self.weight, state


def wrong(make, kind):
    """How many returns of a player's last decisions are not the chips won, and of how many; values are zero everywhere."""
    env = PettingZooEnv(relance.env("one_card_poker", raises=0))
    both = kind(algorithms=[make(env.action_space) for _ in env.agents], env=env)
    buffer = VectorReplayBuffer(10 * games, 1)
    tables = DummyVectorEnv([lambda: PettingZooEnv(relance.env("one_card_poker", raises=0))])
    np.random.seed(0)  # noqa: NPY002 - Tianshou draws from the global generators
    torch.manual_seed(0)
    Collector(both, tables, buffer, exploration_noise=True).collect(n_episode=games, reset_before_collect=True)
    batch, indices = buffer.sample(0)
    over = np.flatnonzero(batch.done)
    number = np.searchsorted(over, np.arange(len(batch)))
    won, whose = batch.rew[over[number]].copy(), batch.obs.agent_id.copy()
    found = both._preprocess_batch(batch, buffer, indices)
    bad = of = 0
    for seat, name in enumerate(env.agents):
        mine = whose == name
        last = np.append(np.diff(number[mine]) > 0, True)
        bad += int((abs(np.asarray(found[name].returns).reshape(-1) - won[mine, seat]) > 1e-6)[last].sum())
        of += int(last.sum())
    return bad, of


def a2c(space):
    policy = DiscreteActorPolicy(actor=Legal(int(space.n)), action_space=space)
    return A2C(policy=policy, critic=Legal(1), optim=AdamOptimizerFactory(), gamma=1.0, gae_lambda=1.0)


def dqn(steps):
    def make(space):
        policy = DiscreteQLearningPolicy(
            model=Legal(int(space.n), values=True), action_space=space, eps_training=1.0, eps_inference=1.0
        )
        return DQN(policy=policy, optim=AdamOptimizerFactory(), gamma=1.0, n_step_return_horizon=steps)

    return make


for name, make, kind in (
    ("on-policy (A2C, PPO)", a2c, MultiAgentOnPolicyAlgorithm),
    ("off-policy (DQN), returns of 1 step", dqn(1), MultiAgentOffPolicyAlgorithm),
    ("off-policy (DQN), of 3, the longest game", dqn(3), MultiAgentOffPolicyAlgorithm),
):
    bad, of = wrong(make, kind)
    print(f"{name:41} {bad} of {of} returns wrong ({bad / of:.0%})")
