"""The vector environment of Stable-Baselines3: the same games as ours, with masks that sb3-contrib finds."""

import numpy as np
import pytest
from conftest import DEFAULTS

import relance
from relance.play.frame import HEIGHT, WIDTH
from relance.registration.vector import VectorSeatEnv

pytest.importorskip("stable_baselines3", reason="needs the extra sb3")
utils = pytest.importorskip("sb3_contrib.common.maskable.utils", reason="needs the extra sb3")

from relance.baselines.frameworks.sb3 import sb3_vec_env  # noqa: E402 - after the extra is known to be there

KUHN = relance.make("one_card_poker", raises=0)


@pytest.mark.parametrize("game", DEFAULTS, ids=str)
def test_masks_are_found_and_games_end(game):
    env = sb3_vec_env(game, 8, "uniform", "random", seed=1)
    assert utils.is_masking_supported(env)
    seen, ended = env.reset(), 0
    for _ in range(40):
        masks = utils.get_action_masks(env)
        assert masks.shape == (8, env.action_space.n)
        assert masks.any(1).all()
        assert env.observation_space.contains(seen[0])
        seen, rewards, over, infos = env.step(masks.argmax(1))
        assert ((rewards == 0) | over).all()
        assert [("terminal_observation" in info) for info in infos] == over.tolist()
        ended += over.sum()
    assert ended > 8
    env.close()


def test_it_plays_what_the_vector_environment_plays():
    """Rewards and observations of the first games are those of `VectorSeatEnv` with the same seed."""
    ours, theirs = VectorSeatEnv(KUHN, 16, "published", 1), sb3_vec_env(KUHN, 16, "published", 1, seed=7)
    seen, _ = ours.reset(seed=7)
    assert np.array_equal(seen, theirs.reset())
    actions = ours.action_masks().argmax(1)
    seen, rewards, over, _, _ = ours.step(actions)
    found, chips, ended, infos = theirs.step(actions)
    assert np.array_equal(over, ended)
    assert np.array_equal(rewards.astype(np.float32), chips)
    for table, last in enumerate(seen):
        assert np.array_equal(last, infos[table]["terminal_observation"] if over[table] else found[table])


@pytest.mark.parametrize("name", ["relance/OneCardPoker-v0", "relance/one_card_poker-v0"])
def test_make_vec_env(name):
    """The usual call: it asks for pictures, and gives an opponent to games without published strategies too."""
    from stable_baselines3.common.env_util import make_vec_env

    env = make_vec_env(name, n_envs=2, seed=0, env_kwargs={"cards": 5})
    env.reset()
    assert env.step(np.zeros(2, np.int64))[0].shape == (2, *env.observation_space.shape)
    assert env.render().shape == (2 * HEIGHT, WIDTH, 3)
    ours = sb3_vec_env("one_card_poker", 2, render_mode="rgb_array", cards=5)
    ours.reset()
    assert ours.render().shape == (2 * HEIGHT, WIDTH, 3)


def test_a_seed_repeats():
    played = []
    for seed in (3, 3, 4):
        env = sb3_vec_env(KUHN, 32, "uniform", 0, seed=seed)
        env.reset()
        played.append([env.step(env.action_masks().argmax(1))[1] for _ in range(10)])
    assert np.array_equal(played[0], played[1])
    assert not np.array_equal(played[0], played[2])


def test_only_what_tables_have_can_be_asked():
    env = sb3_vec_env(KUHN, 4)
    env.reset()
    assert np.array_equal(np.stack(env.env_method("action_masks", indices=[1, 3])), env.action_masks()[[1, 3]])
    assert env.get_attr("num_envs", 2) == [4]
    assert env.env_is_wrapped(object) == [False] * 4
    with pytest.raises(AttributeError, match="action_masks"):
        env.env_method("masks")
    with pytest.raises(AttributeError, match="cannot be set"):
        env.set_attr("seat", 1)
    with pytest.raises(ValueError, match="opponent"):
        sb3_vec_env(KUHN, 4, "uniforn")


def test_it_teaches_what_the_vector_environment_teaches():
    ours = sb3_vec_env("one_card_poker", 50, seed=1, teach=True, extra_info=True)
    theirs = VectorSeatEnv("one_card_poker", 50, teach=True, extra_info=True, autoreset_mode="Disabled")
    ours.reset()
    theirs.reset(seed=1)
    actions = ours.action_masks().argmax(axis=1)
    infos = ours.step(actions)[3]
    told = theirs.step(actions)[4]
    assert [info["loss"] for info in infos] == told["loss"].tolist()
    assert [info["hand"] for info in infos] == told["hand"].tolist()
    assert "action_mask" not in infos[0]


def test_exact_scores_are_logged_kept_and_stop_the_training(tmp_path):
    """The callback's scalars are in the logger's file, the best model on the disk, and training ends when it may."""
    import csv

    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.logger import configure

    from relance.baselines.frameworks.sb3 import SB3NashConvCallback

    game = relance.make("one_card_poker", raises=0)
    env = sb3_vec_env(game, 16, opponent="uniform", seat="random", seed=0)
    model = MaskablePPO("MlpPolicy", env, n_steps=8, batch_size=64, n_epochs=1, seed=0, device="cpu")
    model.set_logger(configure(str(tmp_path), ["csv"]))
    watched = SB3NashConvCallback(game, best=tmp_path / "best", regrets=True, below=2.0)
    model.learn(10_000, callback=watched)
    assert model.num_timesteps < 10_000
    ((step, nash_conv),) = watched.scores.points
    assert step == 0
    assert (tmp_path / "best.zip").exists()
    model.logger.close()
    model = MaskablePPO("MlpPolicy", env, n_steps=8, batch_size=64, n_epochs=1, seed=0, device="cpu")
    model.set_logger(configure(str(tmp_path), ["csv"]))
    watched = SB3NashConvCallback(game, every=200, regrets=True)  # a rollout has 128 steps
    model.learn(512, callback=watched, log_interval=1)
    assert [step for step, _ in watched.scores.points] == [0, 256, 512]
    assert watched.scores.points[-1][1] == pytest.approx(relance.nash_conv(game, relance.score(game, model).profile))
    model.logger.close()
    rows = list(csv.DictReader((tmp_path / "progress.csv").read_text().splitlines()))
    assert float(rows[0]["relance/nash_conv"]) == pytest.approx(nash_conv)
    assert float(rows[-1]["relance/nash_conv"]) == pytest.approx(watched.scores.points[-1][1])
    assert sum(name.startswith("relance/regret/") for name in rows[0]) == 12


@pytest.mark.parametrize("many", [True, False])
def test_self_play_refreshes_the_opponent_and_keeps_the_average(many, tmp_path):
    """In our vector environment, and in Stable-Baselines3's own of many single ones."""
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.env_util import make_vec_env

    from relance.baselines.frameworks.sb3 import SB3SelfPlayCallback

    options = {"opponent": "self", "seat": "random"}
    kwargs = {**options, "raises": 0}
    env = (
        sb3_vec_env(KUHN, 8, **options, seed=0)
        if many
        else make_vec_env("relance/OneCardPoker-v0", 2, env_kwargs=kwargs)
    )
    model = MaskablePPO(
        "MlpPolicy", env, n_steps=8, batch_size=16, n_epochs=1, learning_rate=0.01, seed=0, device="cpu"
    )
    self_play = SB3SelfPlayCallback(KUHN)
    model.learn(4 * 8 * env.num_envs, callback=self_play)
    steps = [samples for samples, _ in self_play.average.kept]
    assert steps == [8 * env.num_envs * number for number in range(5)]
    last = relance.score(KUHN, model).profile
    rewards = [env.env.rewards] if many else [one.unwrapped.rewards for one in env.envs]
    for policy in [self_play.average.kept[-1][1], *(one.policy for one in rewards)]:
        assert all(np.array_equal(policy[name], last[name]) for name in last.nodes())
    first = self_play.average.kept[0][1]
    assert not all(np.array_equal(first[name], last[name]) for name in last.nodes())
    model.save(tmp_path / "model")
    assert relance.score(KUHN, MaskablePPO.load(tmp_path / "model")).nash_conv == relance.score(KUHN, model).nash_conv
