"""Gymnasium: its checker on every registered game with warnings as errors; seats, opponents, masks and errors."""

import copy
import pickle
import subprocess
import sys
import warnings

import gymnasium
import numpy as np
import pytest
from conftest import DEFAULTS, PUBLISHED, one_each, small
from gymnasium.utils.env_checker import check_env
from gymnasium.wrappers import TimeAwareObservation

import relance
from relance.envs.catalogue import BLUEPRINTS
from relance.model.blueprint import Blueprint, Source
from relance.model.distributions import cards
from relance.model.game import build
from relance.model.game_check import LONGEST_PLAY
from relance.model.parameters import WholeNumber
from relance.model.tree import BettingTree, decision, showdown
from relance.play.equilibria import equilibrium
from relance.play.frame import HEIGHT, WIDTH
from relance.registration.gymnasium import LIMIT, SeatEnv, gymnasium_id


@pytest.fixture(autouse=True)
def strict():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


@pytest.fixture(params=BLUEPRINTS)
def name(request):
    return request.param


PAIRS = [(seat, opponent) for seat in (0, 1, "random") for opponent in ("equilibrium", "uniform", "best_response")]
SEATED = [(*pair, ("flat", "dict")[i % 2]) for i, pair in enumerate(PAIRS)]


@pytest.mark.parametrize(("name", "seated"), one_each([*BLUEPRINTS], SEATED), ids=str)
def test_check_env(name, seated, capsys):
    """Every pair of a seat, an opponent and a form of observations."""
    seat, opponent, obs = seated
    env = gymnasium.make(gymnasium_id(name), seat=seat, obs=obs, opponent=opponent, **small(name))
    check_env(env.unwrapped)


def test_vectors_by_gymnasium_itself(name):
    envs = gymnasium.make_vec(gymnasium_id(name), num_envs=3, vectorization_mode="sync", opponent="uniform")
    observations, _ = envs.reset(seed=1)
    assert observations.shape == (3, envs.single_observation_space.shape[0])
    envs.step(envs.action_space.sample())
    envs.close()


def mean_reward(env, episodes, choose):
    total = []
    env.reset(seed=0)
    for _ in range(episodes):
        observation, _ = env.reset()
        over = False
        while not over:
            observation, reward, over, _, _ = env.step(choose(env, observation))
        total.append(reward)
    return np.mean(total), np.std(total) / np.sqrt(episodes)


def uniform(env, observation):
    return env.np_random.choice(np.flatnonzero(env.action_masks()))


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("game", DEFAULTS, ids=str)
def test_the_mean_reward_is_the_exact_value(game, seat):
    """Uniform play against an equilibrium, hands where the opponent ends the game at once included."""
    profile = equilibrium(game)
    mixed = profile.replace(game.uniform().strategies[seat])
    worth = float(relance.value(game, mixed)) * (1 - 2 * seat)
    mean, error = mean_reward(SeatEnv(game, seat=seat), 1000, uniform)
    assert abs(mean - worth) < 5 * error


@pytest.mark.parametrize("game", [g for g in PUBLISHED if g.name != "la_relance"][:3], ids=str)
def test_nobody_earns_more_than_the_value_from_a_published_opponent(game):
    for seat, sign in ((0, 1), (1, -1)):
        worth = float(relance.value(game, game.published())) * sign
        mean, error = mean_reward(SeatEnv(game, seat=seat), 1500, uniform)
        assert mean < worth + 4 * error


def test_opponents_may_be_callables_and_profiles():
    game = relance.make("one_card_poker", raises=0)
    asked = []

    def always_passive(observations, masks):
        asked.append((observations.copy(), masks.copy()))
        return int(np.flatnonzero(masks[0])[0])

    passive = game.profile({"": {"check": 1}, "check": {"check": 1}, "bet": {"fold": 1}, "check-bet": {"fold": 1}})
    results = [
        mean_reward(SeatEnv(game, opponent=opponent), 800, lambda env, o: 1)[0]
        for opponent in (always_passive, passive)
    ]
    assert results == [1.0, 1.0]  # betting into somebody who always folds
    assert all(seen[0, 1] == 1 and masks.dtype == bool for seen, masks in asked)


def test_a_best_response_opponent_holds_us_to_its_value():
    game = relance.make("one_card_poker", raises=0)
    env = SeatEnv(game, opponent="best_response", seat=0)
    profile = game.published()
    response = relance.best_response(game, profile, 1)
    worth = float(relance.value(game, game.uniform().replace(response.strategy)))
    mean, error = mean_reward(env, 3000, uniform)
    assert abs(mean - worth) < 5 * error


def test_random_seats_are_both_taken_and_seen():
    env = SeatEnv("one_card_poker", seat="random", extra_info=True)
    seats = []
    for seed in range(60):
        observation, info = env.reset(seed=seed)
        assert observation[info["seat"]] == 1
        assert observation[1 - info["seat"]] == 0
        seats.append(info["seat"])
    assert 15 < sum(seats) < 45


def test_masks(name):
    env = SeatEnv(name, opponent="uniform")
    assert env.action_masks().all()
    observation, info = env.reset(seed=0)
    assert env.action_masks().dtype == bool
    assert info["action_mask"].dtype == np.int8
    assert (info["action_mask"] == env.action_masks()).all()
    assert info["action_mask"] is not env._shown()[1]["action_mask"]
    over = False
    while not over:
        assert env.action_masks().any()
        observation, _, over, _, info = env.step(np.flatnonzero(env.action_masks())[0])
    assert env.action_masks().all()
    assert env.observation_space.contains(observation)


def test_an_episode_that_the_opponent_ends_takes_any_action():
    env = SeatEnv("la_relance", seat=1, opponent=lambda observation, mask: 0)  # always folds
    _, info = env.reset(seed=0)
    assert info["action_mask"].all()
    _, reward, over, _, _ = env.step(0)
    assert (reward, over) == (1.0, True)


def reach_an_illegal_action(env):
    """Play on until some action is illegal, and return it."""
    for seed in range(100):
        env.reset(seed=seed)
        over = False
        while not over:
            bad = np.flatnonzero(~env.action_masks())
            if len(bad):
                return int(bad[0])
            over = env.step(np.flatnonzero(env.action_masks())[-1])[2]
    raise AssertionError("no action is ever illegal here, so nothing can be tested")


def sometimes_illegal(name, seat):
    """Whether the player of this seat ever decides among fewer than all actions."""
    game = relance.make(name)
    return any(len(node.actions) < len(game.actions) for node in game.tree.of(seat).values())


def test_illegal_actions(name):
    seat = next(seat for seat in (0, 1) if sometimes_illegal(name, seat))
    env = SeatEnv(name, seat=seat, opponent="uniform", extra_info=True)
    strict = SeatEnv(name, seat=seat, opponent="uniform", illegal="raise")
    bad = reach_an_illegal_action(env)
    assert reach_an_illegal_action(strict) == bad
    _, reward, over, _, info = env.step(bad)
    assert reward == -env.rules.worst[seat]
    assert over is True
    assert info["forfeit"] is True
    with pytest.raises(ValueError, match="is illegal at"):
        strict.step(bad)
    strict.step(np.flatnonzero(strict.action_masks())[0])


@pytest.mark.parametrize("action", [99, -1, 0.5, "bet", None])
def test_what_is_no_action_raises(action):
    env = SeatEnv("von_neumann")
    env.reset(seed=0)
    with pytest.raises((ValueError, TypeError), match="is not an action id"):
        env.step(action)


def test_order_of_calls():
    env = SeatEnv("von_neumann", render_mode="ansi")
    for call in (lambda: env.step(0), env.render):
        with pytest.raises(RuntimeError, match=r"call reset\(\) first"):
            call()
    env.reset(seed=0)
    env.step(0)
    with pytest.raises(RuntimeError, match=r"call reset\(\) to deal again"):
        env.step(0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seat": 2}, "seat=2 must be one of 0, 1, 'random'"),
        ({"obs": "image"}, "obs='image'"),
        ({"opponent": "publishd"}, "did you mean 'published'"),
        ({"opponent": 7}, "int 7 is not an agent"),
        ({"illegal": "resample"}, "illegal='resample'"),
        ({"bet": -1}, "bet=-1"),
        ({"cards": 3}, "has no parameter 'cards'"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises((ValueError, TypeError), match=message):
        SeatEnv("von_neumann", **options)


def test_opponents_are_checked():
    with pytest.raises(ValueError, match="a profile of 'la_relance'"):
        SeatEnv("von_neumann", opponent=relance.make("la_relance").published())
    with pytest.raises(ValueError, match="no strategy is published"):
        SeatEnv("one_card_poker", opponent="published", cards=4)
    env = SeatEnv("von_neumann", opponent=lambda observation, mask: 0)
    env.reset(seed=0)
    with pytest.raises(ValueError, match="the opponent's action 0"):
        env.step(1)


def test_copies_go_on(name):
    env = SeatEnv(name, seat=1, opponent="uniform")
    env.reset(seed=2)
    for twin in (pickle.loads(pickle.dumps(env)), copy.deepcopy(env)):
        assert (twin.hands, twin.node, twin.seat) == (env.hands, env.node, env.seat)
        twin.reset()


def test_rendering(capsys):
    env = SeatEnv("one_card_poker", seat=1, opponent="uniform", render_mode="ansi")
    env.reset(seed=0)
    assert "you are player 1" in env.render()
    assert "player 0 holds a hidden hand" in env.render()
    human = SeatEnv("one_card_poker", render_mode="human")
    human.reset(seed=0)
    assert human.render() is None
    assert "you are player 0" in capsys.readouterr().out


def test_games_without_a_published_strategy_have_an_opponent_too():
    """By default it is an equilibrium: nobody earns more than the value from it."""
    game = relance.make("one_card_poker", cards=5)
    env = gymnasium.make("relance/OneCardPoker-v0", cards=5, seat=1)
    mean, error = mean_reward(env.unwrapped, 1500, uniform)
    assert mean < -float(relance.value(game, relance.solve(game))) + 4 * error
    envs = gymnasium.make_vec("relance/OneCardPoker-v0", num_envs=2, cards=5, teach=True)
    envs.reset(seed=0)
    assert (envs.step(envs.action_space.sample())[-1]["loss"] >= 0).all()


def test_both_spellings_of_an_id(name):
    made = [gymnasium.make(known, opponent="uniform").unwrapped for known in (gymnasium_id(name), f"relance/{name}-v0")]
    assert made[0].game == made[1].game == relance.make(name)
    assert gymnasium.make_vec(f"relance/{name}-v0", num_envs=2, opponent="uniform").unwrapped.game == made[0].game


def test_no_episode_is_as_long_as_the_limit_in_the_spec(name):
    for known in (gymnasium_id(name), f"relance/{name}-v0"):
        env = TimeAwareObservation(gymnasium.make(known, opponent="uniform", **small(name)))
        turns = [env.unwrapped.rules.turns(seat) for seat in (0, 1)]
        assert max(turns) < gymnasium.spec(known).max_episode_steps == env.spec.max_episode_steps == env.max_timesteps


def last_of_all(observations, masks):
    return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)


@pytest.mark.parametrize(
    ("name", "parameters", "steps"),
    [("one_card_poker", {"raises": 99}, 51), ("force_in", {"raises": 99}, 50), ("endgame", {"bets": [1] * 100}, 100)],
)
def test_the_longest_episodes_are_not_cut_off(name, parameters, steps):
    """Both raise or call for ever: a bet and 99 raises before the call; a pot put in, 99 raises and the end; 100 bets, each called."""
    env = gymnasium.make(gymnasium_id(name), opponent=last_of_all, **parameters)
    _, info = env.reset(seed=0)
    for step in range(1, steps + 1):
        _, _, over, cut, info = env.step(info["action_mask"].nonzero()[0][-1])
        assert (over, cut) == (step == steps, False)


def deep(actions):
    node = showdown(1)
    for _ in range(actions):
        node = decision(0, stop=showdown(1), go=node)
    return BettingTree(node), cards(["Q", "K"])


def test_a_game_that_the_limit_could_cut_off_is_refused():
    """Its one player decides at each step, so its longest episode has as many steps as its longest play has actions."""
    parameters = {"actions": WholeNumber(2, "actions of the longest play", 1)}
    blueprint = Blueprint("deep", "Deep", Source("me", "A", "T", 2026, "1"), parameters, deep)
    longest = SeatEnv(build(blueprint, actions=LONGEST_PLAY), opponent="uniform")
    assert longest.rules.turns(0) == LONGEST_PLAY < LIMIT
    with pytest.raises(
        ValueError, match=r"a play of deep\(actions=201\) may have 201 actions; at most 200 are allowed"
    ):
        SeatEnv(build(blueprint, actions=LONGEST_PLAY + 1), opponent="uniform")


def test_pictures(name):
    """The default render mode of `make_vec_env` and of `RecordVideo`: of one size, and a different one after each move."""
    pytest.importorskip("PIL", reason="needs the extra plot")
    env = gymnasium.make(gymnasium_id(name), opponent="uniform", render_mode="rgb_array")
    env.reset(seed=1)
    frames, over = [env.render()], False
    ended = env.unwrapped.table.over  # by the opponent, so that the one step does nothing
    while not over:
        over = env.step(np.flatnonzero(env.unwrapped.action_masks())[0])[2]
        frames.append(env.render())
    assert {(seen.shape, seen.dtype.name) for seen in frames} == {((HEIGHT, WIDTH, 3), "uint8")}
    assert len({seen.tobytes() for seen in frames}) == len(frames) - ended


def test_a_picture_does_not_show_a_hidden_hand():
    """It is the same for all hands of the other player until the end."""
    pytest.importorskip("PIL", reason="needs the extra plot")
    env = gymnasium.make("relance/OneCardPoker-v0", opponent="uniform", render_mode="rgb_array", raises=0).unwrapped
    env.reset(seed=0)
    seen = {}
    for hands in ((0, 1), (0, 2), (1, 2)):
        env.table.give(hands)
        seen[hands] = env.render().tobytes()
    assert seen[0, 1] == seen[0, 2] != seen[1, 2]
    for hands in ((0, 1), (0, 2)):
        env.table.give(hands)
        env.table.act(0)
        env.table.act(0)
        seen[hands] = env.render().tobytes()
    assert seen[0, 1] != seen[0, 2]


def test_a_video(tmp_path):
    pytest.importorskip("moviepy", reason="needs moviepy")
    env = gymnasium.make("relance/VonNeumann-v0", render_mode="rgb_array")
    env = gymnasium.wrappers.RecordVideo(
        env, str(tmp_path / "new"), episode_trigger=lambda episode: True, disable_logger=True
    )
    env.reset(seed=0)
    env.step(0)
    env.close()
    assert [file.stat().st_size > 1000 for file in tmp_path.rglob("*.mp4")] == [True]


def test_the_id_imports_the_package(tmp_path):
    code = "import gymnasium; print(gymnasium.make('relance:relance/VonNeumann-v0', bet='3/2').unwrapped.game)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True)
    assert out.stdout.strip() == "von_neumann(ante=1, bet=3/2, deal=uniform)"
