# group: rllib
# quick: 0 1
"""RLlib: PPO by self-play, one masked policy for both seats, on the parallel environment.

An iteration of 2,000 steps takes about half a minute of a processor, so ten show the way, not the end.

python rllib_ppo.py [seed] [iterations]
"""

import logging
import sys

import ray

import relance
from relance.baselines import Average, ppo_config, rllib_agent

seed = int(sys.argv[1]) if len(sys.argv) > 1 else 0
iterations = int(sys.argv[2]) if len(sys.argv) > 2 else 10
game = relance.make("one_card_poker", raises=0)
ray.init(num_cpus=1, include_dashboard=False, logging_level=logging.ERROR, log_to_driver=False)
config = (
    ppo_config(game)
    .env_runners(num_env_runners=0)
    .training(
        train_batch_size=2000,
        minibatch_size=500,
        num_epochs=4,
        gamma=1.0,
        lambda_=1.0,
        lr=[[0, 5e-3], [2000 * iterations, 0.0]],
        clip_param=0.1,
        entropy_coeff=0.07,
    )
    .debugging(seed=seed, log_level="ERROR")
)
algorithm, average = config.build_algo(), Average(game)
for number in range(1, iterations + 1):
    algorithm.train()
    average.after_step(number, lambda: rllib_agent(algorithm))
last, mean = (float(relance.score(game, agent).nash_conv) for agent in (rllib_agent(algorithm), average.policy()))
print(f"{iterations} iterations: NashConv {last:.3f} of the last policy, {mean:.3f} of the average")
algorithm.stop()
ray.shutdown()
