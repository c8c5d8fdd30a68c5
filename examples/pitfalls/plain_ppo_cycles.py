# extra: torch
# quick: 20000
"""Plain PPO against itself goes round in circles; with an entropy bonus it spirals in.

NashConv of the current policy on the way, for the same number of games.

    python plain_ppo_cycles.py [games]
"""

import sys
from statistics import median

import torch

import relance

games = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
torch.set_num_threads(1)
game = relance.make("one_card_poker", raises=0)
looks = [games // 4 * quarter for quarter in (1, 2, 3)]
for what, given in (("plain PPO", {"ent_coef": 0.0}), ("with the default entropy bonus", {})):
    runs = [
        relance.train("ppo", game, samples=games, seed=s, settings=given, at_samples=looks).points for s in range(3)
    ]
    curve = [median(run[i].nash_conv for run in runs) for i in range(min(map(len, runs)))]
    print(
        f"{what}: NashConv after each quarter of {games} games, medians of 3 seeds: "
        + ", ".join(f"{x:.3f}" for x in curve)
    )
