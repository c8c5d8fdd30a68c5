"""One random network plays the large games here and in nashbench, whose trees, deals and best responses are independent of ours.

NASHBENCH_PYTHON names an interpreter that has nashbench 0.2. The network sees what nashbench shows; ours is translated into it.
"""

import json
import os
import subprocess

import numpy as np
import pytest

import relance

PYTHON = os.environ.get("NASHBENCH_PYTHON") or None
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(PYTHON is None, reason="needs NASHBENCH_PYTHON, an interpreter that has nashbench"),
]

NETWORK = """
import numpy as np

def network(size, width, tanh, exp):
    random = np.random.default_rng(5)
    first, second = random.random((size, 8)) - 0.5, 4 * random.random((8, width)) - 2

    def policy(seen, legal):
        power = exp(tanh(2 * seen @ first) @ second) * legal
        return power / power.sum(-1, keepdims=True)

    return policy
"""
THEIRS = (
    NETWORK
    + """
import json, sys
import jax.numpy as jnp
import nashbench

name, parameters = json.loads(sys.argv[1])
game = nashbench.make(name, **parameters)
(size,), plays = game.observation_shape, network(*game.observation_shape, game.num_actions, jnp.tanh, jnp.exp)
scored = nashbench.evaluate(game, lambda seen, legal: plays(seen.astype(float), legal))
print(json.dumps({"size": size, "best": scored.best_response_values, "values": scored.profile_values}))
"""
)


def theirs(name, parameters):
    """What nashbench says in float64: the size of an observation, what best responses earn, and what the network earns against itself."""
    command = [PYTHON, "-c", THEIRS, json.dumps([name, parameters])]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"JAX_ENABLE_X64": "1"}, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def as_poker(game, seen, size):
    """Observations of limit poker as nashbench shows them, (N, size): actions at their place in a sequence that holds the deals too."""
    cards, depth, rounds = game.deal.size(0), game.tree.depth, game.tree.table.most_events + 1
    seat, hand, betting, board = np.split(seen.astype(float), np.cumsum([2, cards, 5 * depth]), axis=1)
    betting, rows = betting.reshape(-1, depth, 5), np.arange(len(seen))
    length = (size - 2 - (rounds + 1) * cards) // 3
    actions, turned, place = np.zeros((len(seen), length, 2)), np.zeros(len(seen), int), np.zeros(len(seen), int)
    for d in range(depth):
        called, raised = betting[:, d, [0, 3]].sum(axis=1), betting[:, d, [1, 4]].sum(axis=1)
        actions[rows, 2 + turned + d] = np.stack([called, raised], axis=1)
        ends = (called > 0) & (place > 0)
        turned, place = turned + ends, np.where(ends, 0, place + 1)
    public = board.reshape(len(seen), -1, cards).sum(axis=1)
    return np.concatenate(
        [seat, hand, public, actions.reshape(len(seen), -1), np.zeros((len(seen), length)), board], axis=1
    )


def as_dice(game, seen, size):
    """Observations of liar's dice as nashbench shows them: each die by itself, and the bids."""
    labels = game.deal.labels[0]
    faces = np.array(
        [[[die == str(face + 1) for face in range(game.parameters["sides"])] for die in hand] for hand in labels]
    )
    seat, hand, bids = np.split(seen.astype(float), np.cumsum([2, len(labels)]), axis=1)
    return np.concatenate([seat, hand @ faces.reshape(len(labels), -1), bids], axis=1)


POKER_ACTIONS = [1, 2, 0, 1, 2]
"""nashbench's fold, call and raise, for each of our actions: check, bet, fold, call, raise."""


def poker(bets, raises=2):
    ours = relance.make("limit_poker", ranks=3, suits=4, bets=bets, raises=raises, merge_suits=False)
    return ours, as_poker, POKER_ACTIONS, "universal_poker", {"num_ranks": 3, "raise_sizes": bets, "max_raises": raises}


def dice(sides):
    ours = relance.make("liars_dice", dice=2, sides=sides)
    return ours, as_dice, range(len(ours.actions)), "liars_dice", {"numdice": 2, "dice_sides": sides}


@pytest.mark.parametrize(
    ("make", "argument"),
    [(poker, [2, 4]), (poker, [2, 2, 4]), (dice, 3), (poker, [2, 2, 4, 4]), (dice, 5)],
    ids=["two rounds", "three rounds", "2 x 3", "four rounds", "2 x 5"],
)
def test_a_random_network_earns_the_same(make, argument):
    game, translated, actions, name, parameters = make(argument)
    expected, names = theirs(name, parameters), {}
    exec(NETWORK, names)
    plays = names["network"](expected["size"], max(actions) + 1, np.tanh, np.exp)

    def policy(seen, masks):
        legal = np.zeros((len(seen), max(actions) + 1))
        np.add.at(legal, (slice(None), list(actions)), masks)
        return masks * plays(translated(game, seen, expected["size"]), legal)[:, list(actions)]

    score = relance.score(game, policy)
    assert score.best == pytest.approx(expected["best"], abs=1e-9)
    assert score.value == pytest.approx(expected["values"][0], abs=1e-9)
    assert score.nash_conv > 0.1
