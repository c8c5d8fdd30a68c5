"""Mirror descent from samples, with random features: it learns each kind of game without tables, and repeats itself by seed."""

import pickle

import numpy as np
import pytest
from conftest import DEFAULTS

import relance
from relance.baselines import train_mmd_sampled
from relance.baselines.algorithms import algorithms
from relance.baselines.runs import algorithm, settings_of, train
from relance.model.game import Game
from relance.play.batch import Batch

NAME = "mmd_sampled"
KUHN = relance.make("one_card_poker", raises=0)
SMALL = {"games": 512, "hidden": 64}


def start(game, seed=0, **given):
    return algorithm(NAME).start(game, settings_of(NAME, {**SMALL, **given}), seed)


def conv(game, learner):
    return float(relance.score(game, learner.agent(), tolerance=0.01).nash_conv)


def stepped(learner, times):
    for _ in range(times):
        learner.step()
    return learner


LEARNED = [game for game in DEFAULTS if not game.deal.is_finite or game.deal.size(0) < 100]


@pytest.mark.parametrize(
    "game",
    [pytest.param(game, marks=[pytest.mark.slow] * (len(game.tree.decisions) > 60)) for game in LEARNED],
    ids=map(str, LEARNED),
)
def test_it_learns_every_game(game):
    hidden, steps = (64, 100) if game.tree.is_usual else (256, 200)  # where more happens, more features and time
    learner = start(game, hidden=hidden)
    first = conv(game, learner)
    assert first == pytest.approx(float(relance.nash_conv(game, game.uniform())), rel=0.02)
    assert conv(game, stepped(learner, steps)) < 0.5 * first


def test_it_gets_near_an_equilibrium():
    assert conv(KUHN, stepped(start(KUHN, games=2048), 300)) < 0.03


def test_real_numbered_hands_get_thresholds():
    game = relance.make("von_neumann")
    result = relance.score(game, stepped(start(game, games=1024), 200).agent())
    assert result.nash_conv < 0.06
    bet = np.asarray(result.profile[""][1], float)
    half = len(bet) // 2
    assert abs(bet[:half].mean() / 2 - 1 / 9) < 0.03
    assert abs(1 - bet[half:].mean() / 2 - 7 / 9) < 0.03


@pytest.mark.parametrize("game", [KUHN, relance.make("von_neumann")], ids=str)
def test_a_seed_tells_the_whole_run(game):
    first, again, other = (stepped(start(game, seed), 5).average for seed in (3, 3, 4))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_an_agent_stays_as_it_was_and_pickles():
    learner, batch = stepped(start(KUHN), 2), Batch(KUHN, 64, seed=0)
    agent, asked = learner.agent(), (batch.observe(), batch.mask())
    before = agent(*asked)
    learner.step()
    assert np.array_equal(agent(*asked), before)
    assert not np.array_equal(learner.agent()(*asked), before)
    assert np.array_equal(pickle.loads(pickle.dumps(agent))(*asked), before)


def test_it_sees_nothing_but_the_public_tables(monkeypatch):
    """It is started with a game, but asks of it only how many actions there are; its deal, tree and hands are out of bounds."""

    class Closed:
        actions = KUHN.actions

    monkeypatch.setattr(train_mmd_sampled, "Batch", lambda game, n, seed: Public(Batch(KUHN, n, seed)))
    learner = start(Closed())
    assert [learner.step() for _ in range(3)] == [
        2 * SMALL["games"],
        SMALL["games"],
        SMALL["games"],
    ]  # it starts with games too
    assert algorithms()[NAME].sees == "samples"
    assert isinstance(KUHN, Game)


class Public:
    """A batch without the hands and nodes, which are the game's state."""

    seen = frozenset({"n", "observe", "mask", "to_move", "move", "deal", "done", "rewards", "random_actions"})

    def __init__(self, batch):
        self._batch = batch

    def __getattr__(self, name):
        assert name in self.seen, name
        return getattr(self._batch, name)


def test_merging_equal_decisions_changes_nothing():
    learner = start(KUHN)
    seen = learner._seen_at_random()
    first, number = learner.features.merged(seen)
    assert np.array_equal(seen[first][number], seen)
    assert len(first) == 12
    numbers = start(relance.make("von_neumann"))
    assert not numbers.features.merges


def test_actions_are_drawn_as_often_as_their_probability_and_are_legal():
    chance = np.array([[0.2, 0.5, 0.3, 0.0], [0.0, 1.0, 0.0, 0.0]])
    masks = np.array([[True, True, True, False], [False, True, False, True]])
    number = np.repeat([0, 1], 40_000)
    actions = train_mmd_sampled.draw_by_number(chance, masks, number, np.random.default_rng(0))
    often = np.bincount(actions[number == 0], minlength=4) / 40_000
    assert np.allclose(often, chance[0], atol=0.01)
    assert set(actions[number == 1].tolist()) == {1}


def test_both_systems_of_equations_have_the_same_solution():
    random = np.random.default_rng(0)
    features, visits = random.normal(size=(30, 20)), random.integers(1, 9, (30, 1))
    wanted = visits * random.normal(size=(30, 2))
    gram = features.T @ (visits * features) + 5 * np.eye(20)
    expected = np.linalg.solve(gram, features.T @ wanted)
    assert np.allclose(train_mmd_sampled.least_squares(features, visits, 5.0, random)(wanted), expected)
    few = features[:12]
    gram = few.T @ (visits[:12] * few) + 5 * np.eye(20)
    found = train_mmd_sampled.least_squares(few, visits[:12], 5.0, random)(wanted[:12])
    assert np.allclose(found, np.linalg.solve(gram, few.T @ wanted[:12]))


@pytest.mark.parametrize("given", [{"games": 0}, {"hidden": 0}, {"trust": 0.0}, {"later": -1}, {"rate": float("inf")}])
def test_settings_that_cannot_be_are_refused(given):
    with pytest.raises(ValueError, match=next(iter(given))):
        settings_of(NAME, given)


def test_a_stopped_run_is_as_far_as_it_got(monkeypatch):
    learner = stepped(start(KUHN), 1)
    monkeypatch.setattr(learner, "play", lambda: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        learner.step()
    assert conv(KUHN, learner) > 0


def test_a_curve_is_the_same_by_samples():
    runs = [train(NAME, KUHN, samples=3000, seed=1, settings=SMALL) for _ in range(2)]
    curves = [[(point.samples, point.nash_conv) for point in run.points] for run in runs]
    assert curves[0] == curves[1]
