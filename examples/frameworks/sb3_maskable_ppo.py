# extra: sb3
# quick: 0 65536
"""Stable-Baselines3: sb3-contrib's MaskablePPO by self-play, with the average of its policies from a callback.

python sb3_maskable_ppo.py [seed] [steps]
"""

import sys

from sb3_contrib import MaskablePPO

import relance
from relance.baselines import SB3SelfPlayCallback, sb3_vec_env

seed = int(sys.argv[1]) if len(sys.argv) > 1 else 0
steps = int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
game = relance.make("one_card_poker", raises=0)
model = MaskablePPO(
    "MlpPolicy",
    sb3_vec_env(game, 512, opponent="self", seat="random", seed=seed),
    n_steps=8,
    batch_size=1024,
    n_epochs=4,
    learning_rate=lambda left: 5e-3 * max(left, 0),
    gamma=1.0,
    gae_lambda=1.0,
    clip_range=0.1,
    ent_coef=0.07,
    normalize_advantage=False,  # chips are worth as much at the end as at the beginning
    seed=seed,
    device="cpu",
)
self_play = SB3SelfPlayCallback(game)
model.learn(steps, callback=self_play)

last, mean = (float(relance.score(game, agent).nash_conv) for agent in (model, self_play.average.policy()))
print(f"{steps} steps: NashConv {last:.3f} of the last policy, {mean:.3f} of the average")
