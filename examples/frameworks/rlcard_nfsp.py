# group: rlcard
# quick: 100
"""RLCard: its PettingZoo NFSP agents play each other in the AEC environment.

NFSP learns slowly: half a minute takes its average policies most of the way from uniform play, and not below NashConv 0.05. RLCard's own
settings, made for larger games, were still worse than uniform play then.

python rlcard_nfsp.py [games]
"""

import contextlib
import io
import sys

import numpy as np
import torch
from rlcard.agents.pettingzoo_agents import NFSPAgentPettingZoo
from rlcard.utils.pettingzoo_utils import reorganize_pettingzoo, run_game_pettingzoo

import relance

games = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
np.random.seed(0)  # noqa: NPY002 - RLCard draws from numpy's global generator
torch.manual_seed(0)
env = relance.env("one_card_poker", raises=0)
env.reset(seed=0)
agents = {
    name: NFSPAgentPettingZoo(
        num_actions=int(env.action_space(name).n),
        state_shape=env.observation_space(name)["observation"].shape,
        hidden_layers_sizes=[64],
        q_mlp_layers=[64],
        q_discount_factor=1.0,
        anticipatory_param=0.3,
        rl_learning_rate=0.01,
        sl_learning_rate=0.01,
        batch_size=128,
        q_batch_size=64,
        q_epsilon_start=0.2,
        q_update_target_estimator_every=200,
        reservoir_buffer_capacity=200_000,
        train_every=8,
        q_train_every=8,
        device=torch.device("cpu"),
    )
    for name in env.possible_agents
}
with contextlib.redirect_stdout(io.StringIO()):  # RLCard prints a line for each update
    for _ in range(games):
        for agent in agents.values():
            agent.sample_episode_policy()
        for name, plays in reorganize_pettingzoo(run_game_pettingzoo(env, agents, is_training=True)).items():
            for play in plays:
                agents[name].feed(play)

game = relance.make("one_card_poker", raises=0)
score = relance.score(game, tuple(agents[name].policy_network for name in env.possible_agents))
uniform = float(relance.nash_conv(game, game.uniform()))
print(
    f"{games} games: NashConv of the average policies {float(score.nash_conv):.3f}, still falling; of uniform play {uniform:.3f}"
)
