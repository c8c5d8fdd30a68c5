"""Learners come near the points that their theorems name: magnetic mirror descent and R-NaD, each with a magnet that stays."""

import pytest

pytest.importorskip("torch", reason="needs the extra torch")
pytest.importorskip("flint", reason="needs the extra proof")

import torch

from relance.baselines.fixed_points import distance_if_known, distance_to_fixed_point, fixed_point, goes_to
from relance.baselines.rows import as_row
from relance.baselines.runs import train
from relance.baselines.train_mmd import Mmd
from relance.baselines.train_mmd import Settings as MmdSettings
from relance.baselines.train_rnad import Rnad
from relance.baselines.train_rnad import Settings as RnadSettings
from relance.model.game import as_game

torch.set_num_threads(1)  # small networks; threads that wait for each other are many times slower on a busy machine

GAMES = ["one_card_poker(raises=0)", "endgame(bets=2)"]


def mmd(game):
    return Mmd(game, MmdSettings(num_envs=1024, tau=1e-9), 0), 150


def rnad(game):
    return Rnad(game, RnadSettings(learning_rate=1e-3, eta_reward_transform=1.0, target_network_avg=0.02), 0), 250


@pytest.mark.parametrize("spec", GAMES)
@pytest.mark.parametrize("learner", [mmd, rnad])
def test_a_learner_comes_near_its_point_and_not_near_another(spec, learner):
    game = as_game(spec)
    learner, steps = learner(game)
    before = distance_to_fixed_point(game, learner)
    for _ in range(steps):
        learner.step()
    after = distance_to_fixed_point(game, learner)
    assert before > 0.25
    assert after < 0.06
    goes = goes_to(learner)
    learner.goes_to = lambda: goes._replace(temperature=goes.temperature / 2)
    assert distance_to_fixed_point(game, learner) > after + 0.02


def test_at_the_start_the_point_is_that_of_the_uniform_magnet():
    from relance.equilibria.logit_equilibria import quantal_response

    game = as_game(GAMES[0])
    point = fixed_point(game, Mmd(game, MmdSettings(magnet_coef=0.25), 0))
    assert point.distance(quantal_response(game, "1/2").profile()) < 1e-6


def test_a_learner_that_says_nothing_is_refused():
    with pytest.raises(TypeError, match="object has no method `goes_to`"):
        fixed_point(GAMES[0], object())


def test_a_run_tells_the_distance_at_each_score():
    run = train("mmd", GAMES[0], samples=100_000, at_samples=(1024,), settings={"num_envs": 1024, "tau": 1e-9})
    first, last = (point.distance for point in run.points)
    assert first > 0.3 > 0.1 > last
    assert as_row(run)["distance"] == [pytest.approx(first, rel=1e-5), pytest.approx(last, rel=1e-5)]
    learner = Mmd(as_game(GAMES[0]), MmdSettings(num_envs=1024, tau=1e-9), 0)
    learner.step()
    assert first == distance_to_fixed_point(GAMES[0], learner)


def test_a_run_tells_no_distance_that_is_unknown_or_takes_long(monkeypatch):
    kuhn, cards = as_game(GAMES[0]), as_game("one_card_poker(cards=13)")
    assert train("cfr+", kuhn, samples=1).points[0].distance is None
    assert distance_if_known(kuhn, object()) is None
    assert distance_if_known(cards, Mmd(cards, MmdSettings(num_envs=64), 0)) is None
    reals = as_game("von_neumann")
    assert distance_if_known(reals, Mmd(reals, MmdSettings(num_envs=64), 0)) is None
    learner = Mmd(kuhn, MmdSettings(num_envs=64), 0)
    assert distance_if_known(kuhn, learner) >= 0
    monkeypatch.setattr("relance.equilibria.certified_roots.STEPS", 1)
    assert distance_if_known(kuhn, learner) is None
