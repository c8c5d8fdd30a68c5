# group: rllib
# quick: 1
"""RLlib: PPO by self-play, one masked policy for both seats, on the parallel environment.

Two iterations, of 2,000 steps each, show that it learns, not where it ends: NashConv is then about 0.5.

python rllib_ppo.py [iterations]
"""

import logging
import sys
from functools import partial

import ray

import relance
from relance.baselines import RLlibNashConvCallback, ppo_config

iterations = int(sys.argv[1]) if len(sys.argv) > 1 else 2
game = relance.make("one_card_poker", raises=0)
ray.init(num_cpus=1, include_dashboard=False, logging_level=logging.ERROR, log_to_driver=False)
config = (
    ppo_config(game)
    .env_runners(num_env_runners=0)
    .training(
        train_batch_size=2000, minibatch_size=500, num_epochs=4, gamma=1.0, lambda_=1.0, lr=3e-3, entropy_coeff=0.01
    )
    .callbacks(partial(RLlibNashConvCallback, game))
    .debugging(seed=0, log_level="ERROR")
)
algorithm = config.build_algo()
for _ in range(iterations):
    result = algorithm.train()
algorithm.stop()
ray.shutdown()
uniform = float(relance.nash_conv(game, game.uniform()))
print(f"{iterations} iterations: NashConv {result['relance/nash_conv']:.3f}; of uniform play {uniform:.3f}")
