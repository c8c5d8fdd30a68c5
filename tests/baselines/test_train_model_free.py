"""Learners that see sampled games only: they learn, repeat themselves by seed, and get through the public environments alone."""

import pickle

import numpy as np
import pytest
from conftest import DEFAULTS

import relance
from relance.baselines.algorithms import algorithms
from relance.baselines.runs import algorithm, settings_of, train
from relance.play.batch import Batch

torch = pytest.importorskip("torch", reason="needs the extra torch")

torch.set_num_threads(1)  # small networks; threads that wait for each other are many times slower on a busy machine

KUHN = relance.make("one_card_poker", raises=0)

MINE = [
    item.name for item in algorithms().values() if item.extra == "torch" and item.sees == "samples" and item.real_hands
]

SMALL = {"num_envs": 128, "hidden_size": 16}

AS_LEARNED = {"rnad": {"target_network_avg": 0.2, "policy_discretization": 0, "policy_threshold": 0}}
"""The last policy itself, not a slow and rounded copy of it."""


def start(name, game, seed=0, **given):
    return algorithm(name).start(game, settings_of(name, {**SMALL, **AS_LEARNED.get(name, {}), **given}), seed)


def conv(game, learner):
    return float(relance.score(game, learner.agent()).nash_conv)


def answers(game, agent):
    """What an agent answers at the root."""
    batch = Batch(game, 64, seed=5)
    return agent(batch.observe(), batch.mask())


@pytest.mark.parametrize("game", DEFAULTS, ids=str)
@pytest.mark.parametrize("name", MINE)
def test_it_plays_every_game(name, game):
    learner = start(name, game, num_envs=16)
    assert learner.step() == 16
    given = answers(game, learner.agent())
    assert np.allclose(given.sum(axis=1), 1, atol=1e-5)
    assert not given[~Batch(game, 64, seed=5).mask()].any()


@pytest.mark.parametrize("name", MINE)
def test_it_learns(name):
    learner = start(name, KUHN, learning_rate=0.003)
    first = conv(KUHN, learner)
    for _ in range(60):
        learner.step()
    assert conv(KUHN, learner) < 0.6 * first


@pytest.mark.parametrize("game", [KUHN, relance.make("von_neumann")], ids=str)
@pytest.mark.parametrize("name", MINE)
def test_a_seed_tells_the_whole_run(name, game):
    runs = [start(name, game, seed) for seed in (3, 3, 4)]
    for learner in runs:
        for _ in range(3):
            learner.step()
    first, again, other = (answers(game, learner.agent()) for learner in runs)
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize("name", MINE)
def test_an_agent_stays_as_it_was_and_pickles(name):
    learner = start(name, KUHN)
    learner.step()
    agent = learner.agent()
    before = answers(KUHN, agent)
    learner.step()
    assert np.array_equal(answers(KUHN, agent), before)
    assert not np.array_equal(answers(KUHN, learner.agent()), before)
    assert np.array_equal(answers(KUHN, pickle.loads(pickle.dumps(agent))), before)


@pytest.mark.parametrize(
    "given", [{"num_envs": 0}, {"hidden_size": 0}, {"learning_rate": 0.0}, {"learning_rate": float("inf")}]
)
@pytest.mark.parametrize("name", MINE)
def test_settings_that_cannot_be_are_refused(name, given):
    with pytest.raises(ValueError, match=next(iter(given))):
        settings_of(name, given)


def test_a_curve_is_the_same_by_samples():
    runs = [train("ppo", KUHN, samples=500, seed=1, settings=SMALL) for _ in range(2)]
    curves = [[(point.samples, point.nash_conv) for point in run.points] for run in runs]
    assert curves[0] == curves[1]
