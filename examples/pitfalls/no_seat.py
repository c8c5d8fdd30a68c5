# extra: none
# quick: 2
"""An observation without the seat: the best that one policy for both seats can do when it sees its card and whether there is a bet.

That is what some environments show: six observations for the twelve information sets of Kuhn's game. The least NashConv of any
policy on them, and of any policy on our observations.

    python no_seat.py [restarts]
"""

import sys

import numpy as np
from scipy.optimize import minimize

import relance

restarts = int(sys.argv[1]) if len(sys.argv) > 1 else 20
game = relance.make("one_card_poker", raises=0)


def tied(numbers):
    """The profile that bets and calls with the same chances in both seats: three cards with nothing bet, three facing a bet."""
    bet, call = np.clip(numbers[:3], 0, 1), np.clip(numbers[3:], 0, 1)
    return game.profile(
        {"": {"bet": bet, "check": 1 - bet}, "check": {"bet": bet, "check": 1 - bet}}
        | {node: {"call": call, "fold": 1 - call} for node in ("bet", "check-bet")}
    )


def worth(numbers):
    return float(relance.nash_conv(game, tied(numbers)))


rng = np.random.default_rng(0)
best = min(
    (
        minimize(worth, rng.random(6), method="Nelder-Mead", options={"maxiter": 1500, "xatol": 1e-5, "fatol": 1e-7})
        for _ in range(restarts)
    ),
    key=lambda found: found.fun,
)
bets, calls = np.clip(best.x, 0, 1).round(2).reshape(2, 3).tolist()
print(f"least NashConv without the seat  {best.fun:.4f}   bets {bets}, calls {calls}")
print(
    f"least NashConv with it           {float(relance.nash_conv(game, game.published())):.4f}   the published strategy"
)
