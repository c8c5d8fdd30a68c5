"""Mirror descent with a moving magnet, by networks and by random features: it converges, and repeats itself by seed."""

import pickle

import numpy as np
import pytest
from conftest import DEFAULTS

import relance
from relance.baselines import train_mmd
from relance.baselines.algorithms import algorithms
from relance.baselines.runs import algorithm, settings_of, train
from relance.model.game import Game
from relance.play.batch import Batch

KUHN = relance.make("one_card_poker", raises=0)
SMALL = {"mmd": {"num_envs": 512, "hidden_size": 32, "knots": 9}, "mmd_sampled": {"num_envs": 512, "num_features": 64}}
SIZE = {"mmd": "hidden_size", "mmd_sampled": "num_features"}
BOTH = pytest.mark.parametrize("name", SMALL)


def start(name, game, seed=0, **given):
    return algorithm(name).start(game, settings_of(name, {**SMALL[name], **given}), seed)


def conv(game, learner):
    return float(relance.score(game, learner.agent(), tolerance=0.01).nash_conv)


def stepped(learner, times):
    for _ in range(times):
        learner.step()
    return learner


LEARNED = [game for game in DEFAULTS if not game.deal.is_finite or game.deal.size(0) < 100]  # quickly scored


@pytest.mark.parametrize(
    "game",
    [pytest.param(game, marks=[pytest.mark.slow] * (len(game.tree.decisions) > 60)) for game in LEARNED],
    ids=map(str, LEARNED),
)
@BOTH
def test_it_learns_every_game(name, game):
    more = {} if game.tree.is_usual else {SIZE[name]: 256}  # where more happens, more features, games and time
    more |= {"num_envs": 2048} if name == "mmd" and more else {}
    learner = start(name, game, **more)
    first = conv(game, learner)
    assert first == pytest.approx(float(relance.nash_conv(game, game.uniform())), rel=0.02)  # outputs start at 0
    assert conv(game, stepped(learner, 200 if more and name == "mmd_sampled" else 100)) < 0.5 * first


@pytest.mark.parametrize(
    ("name", "steps", "near"), [("mmd", 400, 0.02), ("mmd_sampled", 300, 0.03)], ids=["mmd", "mmd_sampled"]
)
def test_it_gets_near_an_equilibrium(name, steps, near):
    assert (
        conv(KUHN, stepped(start(name, KUHN, num_envs=2048, **{SIZE[name]: 128 if name == "mmd" else 64}), steps))
        < near
    )


@pytest.mark.parametrize(("later", "weights"), [(0, [1, 1, 1, 1]), (1, [1, 2, 3, 4])])
@BOTH
def test_what_is_played_is_the_weighted_average_of_the_magnets_logits(name, later, weights):
    learner, magnets = start(name, KUHN, average_power=later), []
    for _ in weights:
        learner.step()
        magnets.append(learner.magnet.table().copy())
    mean = sum(weight * table for weight, table in zip(weights, magnets, strict=True)) / sum(weights)
    assert np.allclose(learner.agent().table, mean, atol=1e-5)


@pytest.mark.parametrize(
    ("name", "given", "steps", "near"),
    [
        ("mmd", {"num_envs": 2048, "hidden_size": 128, "knots": 33}, 300, 0.05),
        ("mmd_sampled", {"num_envs": 1024}, 200, 0.06),
    ],
    ids=["mmd", "mmd_sampled"],
)
def test_real_numbered_hands_get_thresholds(name, given, steps, near):
    game = relance.make("von_neumann")
    result = relance.score(game, stepped(start(name, game, **given), steps).agent())
    assert result.nash_conv < near
    bet = np.asarray(result.profile[""][1], float)
    half = len(bet) // 2
    assert abs(bet[:half].mean() / 2 - 1 / 9) < 0.03
    assert abs(1 - bet[half:].mean() / 2 - 7 / 9) < 0.03


@pytest.mark.parametrize("game", [KUHN, relance.make("von_neumann")], ids=str)
@BOTH
def test_a_seed_tells_the_whole_run(name, game):
    first, again, other = (stepped(start(name, game, seed), 5).average for seed in (3, 3, 4))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


@BOTH
def test_an_agent_stays_as_it_was_and_pickles(name):
    learner, batch = stepped(start(name, KUHN), 2), Batch(KUHN, 64, seed=0)
    agent, last, asked = learner.agent(), learner.last(), (batch.observe(), batch.mask())
    before = agent(*asked), last(*asked)
    learner.step()
    assert np.array_equal((agent(*asked), last(*asked)), before)
    assert not np.array_equal(learner.agent()(*asked), before[0])
    assert np.array_equal(pickle.loads(pickle.dumps(agent))(*asked), before[0])


def test_sampled_it_sees_nothing_but_the_public_tables(monkeypatch):
    """It is started with a game, but asks of it only how many actions there are; its deal, tree and hands are out of bounds."""

    class Closed:
        actions = KUHN.actions

    monkeypatch.setattr(train_mmd, "Batch", lambda game, n, seed: Public(Batch(KUHN, n, seed)))
    learner, games = start("mmd_sampled", Closed()), SMALL["mmd_sampled"]["num_envs"]
    assert [learner.step() for _ in range(3)] == [2 * games, games, games]  # it starts with games too
    assert algorithms()["mmd_sampled"].sees == "samples"
    assert isinstance(KUHN, Game)


class Public:
    """A batch without the hands and nodes, which are the game's state."""

    seen = frozenset({"n", "observe", "mask", "to_move", "move", "deal", "done", "rewards"})

    def __init__(self, batch):
        self._batch = batch

    def __getattr__(self, name):
        assert name in self.seen, name
        return getattr(self._batch, name)


@BOTH
def test_samples_are_what_was_played(name):
    """Counts and chips of decisions agree with the tables: the mean at the root is the mean of player 0's chips."""
    learner = start(name, KUHN, num_envs=1000)
    met = learner.play()
    assert ((met.times > 0) <= met.masks).all()
    at_root = slice(0, 3)  # a decision for each card
    assert met.times[at_root].sum() == 1000
    assert float(met.chips[at_root].sum()) == pytest.approx(float(learner.batch.chips.sum()), abs=1e-3)


@BOTH
def test_merging_equal_decisions_changes_nothing(name):
    merging, single = (start(name, KUHN) for _ in range(2))
    single.features.merges = False
    for learner in (merging, single):
        stepped(learner, 1)
    assert np.allclose(merging.average, single.average, atol=1e-5)


def test_a_network_moves_by_its_gradient():
    torch = pytest.importorskip("torch", reason="needs the extra torch")
    network, change = (
        train_mmd.Network(5, 7, 3, 2.0, np.random.default_rng(0)),
        np.random.default_rng(1).normal(size=(5, 3)),
    )
    weights = [torch.tensor(part, requires_grad=True) for part in network.weights]
    outputs = weights[0].tanh() @ weights[1] * 7**-0.5  # in the network's unit
    gradients = torch.autograd.grad(outputs, weights, torch.tensor(change / 2.0, dtype=torch.float32))
    assert np.allclose(network.table(), 0, atol=1e-6)
    network.move(change)
    for part, before, gradient in zip(network.weights, weights, gradients, strict=True):
        assert np.allclose(part, (before + gradient).detach().numpy(), atol=1e-5)


def test_both_systems_of_equations_have_the_same_solution():
    random = np.random.default_rng(0)
    features, visits = random.normal(size=(30, 20)), random.integers(1, 9, (30, 1))
    wanted = visits * random.normal(size=(30, 2))
    gram = features.T @ (visits * features) + 5 * np.eye(20)
    expected = np.linalg.solve(gram, features.T @ wanted)
    assert np.allclose(train_mmd.least_squares(features, visits, 5.0, random)(wanted), expected)
    few = features[:12]
    gram = few.T @ (visits[:12] * few) + 5 * np.eye(20)
    found = train_mmd.least_squares(few, visits[:12], 5.0, random)(wanted[:12])
    assert np.allclose(found, np.linalg.solve(gram, few.T @ wanted[:12]))


POWERS = [{"average_power": -1}, {"average_power": float("inf")}]
"""Weights of the average must not fall."""


@pytest.mark.parametrize(
    "given",
    [{"num_envs": 0}, {"learning_rate": 0.0}, {"learning_rate": float("inf")}, {"prior_count": 0.0}, *POWERS],
)
@BOTH
def test_settings_that_cannot_be_are_refused(name, given):
    with pytest.raises(ValueError, match=next(iter(given))):
        settings_of(name, given)


def test_a_hand_needs_two_knots():
    with pytest.raises(ValueError, match="knots"):
        settings_of("mmd", {"knots": 1})


@BOTH
def test_a_stopped_run_is_as_far_as_it_got(name, monkeypatch):
    """Ctrl-C between or in updates leaves an agent that plays."""
    learner = stepped(start(name, KUHN), 1)
    monkeypatch.setattr(learner, "play", lambda: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        learner.step()
    assert conv(KUHN, learner) > 0


@BOTH
def test_a_curve_is_the_same_by_samples(name):
    runs = [train(name, KUHN, samples=3000, seed=1, settings=SMALL[name]) for _ in range(2)]
    curves = [[(point.samples, point.nash_conv) for point in run.points] for run in runs]
    assert curves[0] == curves[1]
