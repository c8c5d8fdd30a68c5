# group: tianshou
# quick: 200
"""Tianshou: two deep Q-networks play each other in the AEC environment.

Returns are of three steps, the length of the game: Tianshou strings the steps of both players together, so that shorter ones, and
all those of its on-policy algorithms, are wrong in games with turns; see docs/pitfalls.md.

    python tianshou_dqn.py [steps]
"""

import logging
import sys

from tianshou.algorithm.modelfree.dqn import DQN, DiscreteQLearningPolicy
from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

import relance

logging.disable()  # Tianshou says much about each collection

steps = int(sys.argv[1]) if len(sys.argv) > 1 else 3000
env = PettingZooEnv(relance.env("one_card_poker", raises=0))
size, actions = env.observation_space["observation"].shape, int(env.action_space.n)
nets = [Net(state_shape=size, action_shape=actions, hidden_sizes=[64]) for _ in env.agents]
learners = [
    DQN(
        policy=DiscreteQLearningPolicy(model=net, action_space=env.action_space, eps_training=0.2),
        optim=AdamOptimizerFactory(lr=3e-3),
        gamma=1.0,
        n_step_return_horizon=3,
        target_update_freq=100,
    )
    for net in nets
]
both = MultiAgentOffPolicyAlgorithm(algorithms=learners, env=env)
tables = DummyVectorEnv([lambda: PettingZooEnv(relance.env("one_card_poker", raises=0)) for _ in range(10)])
collector = Collector(both, tables, VectorReplayBuffer(20_000, 10), exploration_noise=True)
both.run_training(
    OffPolicyTrainerParams(
        training_collector=collector,
        max_epochs=1,
        epoch_num_steps=steps,
        collection_step_num_env_steps=50,
        update_step_num_gradient_steps_per_sample=0.1,
        batch_size=64,
        show_progress=False,
        test_collector=None,
    )
)

game = relance.make("one_card_poker", raises=0)
score = relance.score(game, tuple(nets), mode="argmax")
print(
    f"{steps} steps: NashConv of the greedy policies {float(score.nash_conv):.3f}: a pure strategy cannot bluff now and then"
)
