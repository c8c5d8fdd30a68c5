# group: shimmy
# quick: 200
"""Shimmy's wrapper over OpenSpiel ends the game early, and forgets its parameters at the second reset.

python shimmy_openspiel.py [games]
"""

import sys

import numpy as np
import pyspiel
from shimmy import OpenSpielCompatibilityV0

import relance

games = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
rng = np.random.default_rng(0)


def play(env, mask_of):
    """Actions a game, and how many games are truncated, with random play."""
    actions = cut = 0
    for seed in range(games):
        env.reset(seed=seed)
        for agent in env.agent_iter():
            seen, _, terminated, truncated, info = env.last()
            over = terminated or truncated
            cut += truncated and agent == env.possible_agents[0]
            actions += not over
            env.step(None if over else int(rng.choice(np.flatnonzero(mask_of(seen, info)))))
    return actions / games, cut / games


wrapped = OpenSpielCompatibilityV0(env=pyspiel.load_game("relance_one_card_poker(raises=0,cards=5)"))
before = str(wrapped._env)
length, cut = play(wrapped, lambda seen, info: info["action_mask"])
print(f"Shimmy:  {length:.2f} actions a game, {cut:.0%} truncated; the game is {before}, after reset {wrapped._env}")
env = relance.env("one_card_poker", raises=0, cards=5)
length, cut = play(env, lambda seen, info: info["action_mask"])
print(f"Relance: {length:.2f} actions a game, {cut:.0%} truncated; the game is {env.game}")
