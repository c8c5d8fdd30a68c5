# extra: none
# quick: 300
"""OpenSpiel: two of its tabular WoLF-PHC agents learn Kuhn's game through `rl_environment`, as in OpenSpiel's own examples.

OpenSpiel's WoLF-PHC leaves the first decision that a player has in a game as it is. In Kuhn's game it changes one node of four, and ends
at NashConv 0.75.

python openspiel_rl_environment.py [games]
"""

import sys

import numpy as np
import pyspiel
from open_spiel.python import rl_environment, rl_tools
from open_spiel.python.algorithms.wolf_phc import WoLFPHC

import relance

games = int(sys.argv[1]) if len(sys.argv) > 1 else 30_000
np.random.seed(0)  # noqa: NPY002 - OpenSpiel's agents draw from numpy's global generator
env = rl_environment.Environment(pyspiel.load_game("relance_one_card_poker(raises=0)"))
actions = env.action_spec()["num_actions"]
agents = [
    WoLFPHC(
        seat,
        actions,
        step_size=rl_tools.ConstantSchedule(0.1),
        epsilon_schedule=rl_tools.ConstantSchedule(0.1),
        delta_w=rl_tools.ConstantSchedule(0.003),
        delta_l=rl_tools.ConstantSchedule(0.012),
    )
    for seat in (0, 1)
]
for _ in range(games):
    time_step = env.reset()
    while not time_step.last():
        output = agents[time_step.current_player()].step(time_step)
        time_step = env.step([output.action])
    for agent in agents:
        agent.step(time_step)

game = relance.make("one_card_poker", raises=0)
score = relance.score(game, tuple(agents))
uniform = float(relance.nash_conv(game, game.uniform()))
print(
    f"{games} games: NashConv {float(score.nash_conv):.3f}, as first decisions are not learned; of uniform play {uniform:.3f}"
)
