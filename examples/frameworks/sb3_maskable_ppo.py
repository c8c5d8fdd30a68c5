# extra: sb3
# quick: 8192
"""Stable-Baselines3: sb3-contrib's MaskablePPO against itself, in a seat drawn for each game, and the average of its policies.

One policy is kept before each update. The average draws one of them for each game; its NashConv is below 0.05, that of the last is not.

python sb3_maskable_ppo.py [steps]
"""

import sys

from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

import relance
from relance.baselines import sb3_vec_env

steps = int(sys.argv[1]) if len(sys.argv) > 1 else 700_000
game = relance.make("one_card_poker", raises=0)
kept = []


class Keep(BaseCallback):
    """Keep the policy before each update."""

    def _on_rollout_start(self):
        kept.append(relance.score(game, self.model).profile)

    def _on_step(self):
        return True


def opponent(seen, masks):
    return model.predict(seen, action_masks=masks)[0]


model = MaskablePPO(
    "MlpPolicy",
    sb3_vec_env(game, 512, opponent, seat="random", seed=0),
    n_steps=8,
    batch_size=1024,
    n_epochs=4,
    learning_rate=lambda left: 5e-3 * max(left, 0),
    gamma=1.0,
    gae_lambda=1.0,
    clip_range=0.1,
    ent_coef=0.07,
    normalize_advantage=False,  # chips are worth as much at the end as at the beginning
    seed=0,
    device="cpu",
)
model.learn(steps, callback=Keep())

last, average = (float(relance.score(game, agent).nash_conv) for agent in (model, kept[len(kept) // 2 :]))
uniform = float(relance.nash_conv(game, game.uniform()))
print(
    f"{steps} steps: NashConv {last:.3f}, of the average since half time {average:.3f}; of uniform play {uniform:.3f}"
)
