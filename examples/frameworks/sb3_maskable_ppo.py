# extra: sb3
# quick: 1024
"""Stable-Baselines3: sb3-contrib's MaskablePPO learns to beat an opponent who plays at random.

python sb3_maskable_ppo.py [steps]
"""

import sys

import gymnasium
from sb3_contrib import MaskablePPO

import relance

steps = int(sys.argv[1]) if len(sys.argv) > 1 else 10_240
env = gymnasium.make("relance:relance/OneCardPoker-v0", raises=0, opponent="uniform", seat=0)
model = MaskablePPO(
    "MlpPolicy", env, n_steps=1024, batch_size=256, n_epochs=4, learning_rate=3e-3, gamma=1.0, seed=0, device="cpu"
)
model.learn(steps)

game = relance.make("one_card_poker", raises=0)
mine = relance.score(game, (model, game.uniform()))
most = relance.best_response(game, game.uniform(), 0).value
print(f"{steps} steps: earns {float(mine.value):.4f} chips a game against uniform play; {float(most):.4f} is the most")
