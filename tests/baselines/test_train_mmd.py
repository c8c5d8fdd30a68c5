"""Self-play with tables: mirror descent with a moving magnet converges and repeats itself by seed."""

import pickle

import numpy as np
import pytest
from conftest import DEFAULTS

import relance
from relance.baselines.algorithms import algorithms
from relance.baselines.runs import algorithm, settings_of, train

torch = pytest.importorskip("torch", reason="needs the extra torch")

torch.set_num_threads(1)  # small networks; threads that wait for each other are many times slower on a busy machine

KUHN = relance.make("one_card_poker", raises=0)

MINE = [item.name for item in algorithms().values() if item.extra == "torch" and item.sees == "tables"]

FEW = [g for g in DEFAULTS if g.deal.size(0) < 100]  # quickly scored

SMALL = {"games": 512, "hidden": 32, "knots": 9}


def start(name, game, seed=0, **given):
    return algorithm(name).start(game, settings_of(name, {**SMALL, **given}), seed)


def conv(game, learner):
    return float(relance.score(game, learner.agent(), tolerance=0.01).nash_conv)


@pytest.mark.parametrize("game", FEW, ids=str)
@pytest.mark.parametrize("name", MINE)
def test_it_learns_every_game(name, game):
    games, hidden = (512, 32) if game.tree.is_usual else (2048, 256)  # where more happens, more games and features
    learner = start(name, game, games=games, hidden=hidden)
    first = conv(game, learner)
    uniform = float(relance.nash_conv(game, game.uniform()))
    assert first == pytest.approx(uniform, rel=0.02)  # outputs start at 0
    samples = sum(learner.step() for _ in range(100))
    assert samples == 100 * games
    if name == "mmd":
        assert conv(game, learner) < 0.5 * first


def test_mirror_descent_gets_near_an_equilibrium():
    learner = start("mmd", KUHN, games=2048, hidden=128)
    for _ in range(400):
        learner.step()
    assert conv(KUHN, learner) < 0.02


@pytest.mark.parametrize(("later", "weights"), [(0, [1, 1, 1, 1]), (1, [1, 2, 3, 4])])
def test_what_is_played_is_the_weighted_average_of_the_magnets_logits(later, weights):
    learner, magnets = start("mmd", KUHN, later=later), []
    for _ in weights:
        learner.step()
        magnets.append(learner.magnet.table().detach())
    mean = sum(weight * table for weight, table in zip(weights, magnets, strict=True)) / sum(weights)
    assert torch.allclose(learner.agent().table, mean, atol=1e-5)


def test_real_numbered_hands_get_thresholds():
    game = relance.make("von_neumann")
    learner = start("mmd", game, games=2048, hidden=128, knots=33)
    for _ in range(300):
        learner.step()
    result = relance.score(game, learner.agent())
    assert result.nash_conv < 0.05
    bet = np.asarray(result.profile[""][1], float)
    half = len(bet) // 2
    assert abs(bet[:half].mean() / 2 - 1 / 9) < 0.03
    assert abs(1 - bet[half:].mean() / 2 - 7 / 9) < 0.03


@pytest.mark.parametrize("game", [KUHN, relance.make("von_neumann")], ids=str)
@pytest.mark.parametrize("name", MINE)
def test_a_seed_tells_the_whole_run(name, game):
    runs = [start(name, game, seed) for seed in (3, 3, 4)]
    for learner in runs:
        for _ in range(5):
            learner.step()
    first, again, other = (learner.agent().table for learner in runs)
    assert torch.equal(first, again)
    assert not torch.equal(first, other)


@pytest.mark.parametrize("name", MINE)
def test_an_agent_stays_as_it_was_and_pickles(name):
    learner = start(name, KUHN)
    agent = learner.agent()
    before = agent.table.clone()
    learner.step()
    assert torch.equal(agent.table, before)
    assert torch.equal(pickle.loads(pickle.dumps(learner.agent())).table, learner.agent().table)


@pytest.mark.parametrize("given", [{"games": 0}, {"knots": 1}, {"hidden": 0}, {"rate": 0.0}, {"rate": float("inf")}])
@pytest.mark.parametrize("name", MINE)
def test_settings_that_cannot_be_are_refused(name, given):
    with pytest.raises(ValueError, match=next(iter(given))):
        settings_of(name, given)


def test_weights_of_the_average_must_not_fall():
    for later in (-1, float("inf")):
        with pytest.raises(ValueError, match="later"):
            settings_of("mmd", {"later": later})


def test_a_stopped_run_is_as_far_as_it_got(monkeypatch):
    """Ctrl-C between or in updates leaves an agent that plays."""
    learner = start("mmd", KUHN)
    learner.step()
    monkeypatch.setattr(learner.tables, "play", lambda agent: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        learner.step()
    assert conv(KUHN, learner) > 0


def test_a_curve_is_the_same_by_samples():
    runs = [train("mmd", KUHN, samples=3000, seed=1, settings=SMALL) for _ in range(2)]
    curves = [[(point.samples, point.nash_conv) for point in run.points] for run in runs]
    assert curves[0] == curves[1]
