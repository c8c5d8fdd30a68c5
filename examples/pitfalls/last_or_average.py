# extra: torch
# quick: 20000
"""The last policy of plain self-play, against the average of all that it passed through.

Theory promises something for the average alone: of regret matching, of fictitious play, of any learner without regret. A list of
agents is scored as their average: one of them is drawn for each episode.

    python last_or_average.py [games]
"""

import sys
from statistics import median

import torch

import relance
from relance.baselines import algorithm, settings_of

games = int(sys.argv[1]) if len(sys.argv) > 1 else 400_000
torch.set_num_threads(1)
game = relance.make("one_card_poker", raises=0)


def scores(seed):
    """NashConv of the last policy, and of the average of about forty along the way, the first quarter left out."""
    learner = algorithm("ppo").start(game, settings_of("ppo", {"ent_coef": 0.0}), seed)
    played, kept = 0, []
    while played < games:
        played += learner.step()
        if played > games / 4 and played - games / 4 > len(kept) * games * 3 / 160:
            kept.append(relance.score(game, learner.agent()).profile)
    return [float(relance.score(game, agent).nash_conv) for agent in (kept[-1], kept)]


last, average = zip(*map(scores, range(3)), strict=True)
for what, found in (("the last policy", last), ("the average", average)):
    print(f"plain PPO, {what:15} NashConv {median(found):.3f}   ({', '.join(f'{x:.3f}' for x in found)})")
