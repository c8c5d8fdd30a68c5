"""Two players who act at random, in PettingZoo, with real-numbered hands."""

import numpy as np
import pettingzoo

import relance  # registers the environments

env = pettingzoo.make("aec", "relance/von_neumann-v0", bet=2)
rng = np.random.default_rng(0)
won = []
for seed in range(2000):
    env.reset(seed=seed)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        if agent == "player_0" and terminated:
            won.append(reward)
        env.step(None if terminated or truncated else rng.choice(np.flatnonzero(observation["action_mask"])))

game = relance.make("von_neumann", bet=2)
print(f"mean chips of player 0: {np.mean(won):+.3f}; exactly {relance.value(game, game.uniform())}")
