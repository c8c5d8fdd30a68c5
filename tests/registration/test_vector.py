"""The vector environment: table by table against the single one, and what Gymnasium asks of it; warnings are errors."""

import warnings
from itertools import cycle, product

import gymnasium
import numpy as np
import pytest
from conftest import DEFAULTS, SAMPLES, VARIED, give_as_dealt, marked, one_each, repeats, small
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import relance
from relance.envs.catalogue import BLUEPRINTS
from relance.registration.gymnasium import LIMIT, SeatEnv, gymnasium_id
from relance.registration.vector import VectorSeatEnv


@pytest.fixture(autouse=True)
def strict():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


@pytest.fixture(params=BLUEPRINTS)
def name(request):
    return request.param


def last_of_all(observations, masks):
    """An opponent without chance: the last legal action, in a batch."""
    return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)


def twins(game, tables, seat, obs):
    """Single environments with the hands of `tables`, a SeatEnv each."""
    for i in range(tables.num_envs):
        env = SeatEnv(game, opponent=last_of_all, seat=seat, obs=obs, extra_info=True)
        env.reset(seed=0)
        env.seat = int(tables.seat[i])
        give_as_dealt(env.table, tables._seats.batch.running, i)
        env.table.cards = None if tables._cards is None else tuple(tables._cards[i])
        env._let_opponent_act()
        yield env


def parts(observation):
    return observation if isinstance(observation, dict) else {"flat": observation}


SHOWN = [(0, "flat"), (1, "dict"), ("random", "flat")]
ASKED = [*one_each(VARIED, SHOWN), *zip((game for game in SAMPLES if repeats(game)), cycle(SHOWN), strict=False)]


@pytest.mark.parametrize(("game", "shown"), ASKED, ids=str)
def test_every_table_is_a_single_environment(game, shown):
    seat, obs = shown
    tables = VectorSeatEnv(game, 8, opponent=last_of_all, seat=seat, obs=obs, extra_info=True, compiled=False)
    seen, infos = tables.reset(seed=1)
    envs = list(twins(game, tables, seat, obs))
    rng, playing = np.random.default_rng(0), np.ones(8, bool)
    for i, env in enumerate(envs):
        assert all((part[i] == parts(env._shown()[0])[key]).all() for key, part in parts(seen).items())
        assert (infos["action_mask"][i] == env.action_masks()).all()
    while playing.any():
        actions = rng.integers(len(game.actions), size=8)  # some of them illegal
        seen, rewards, over, truncated, infos = tables.step(actions)
        for i in np.flatnonzero(playing):
            one, reward, ended, _, info = envs[i].step(int(actions[i]))
            assert all((part[i] == parts(one)[key]).all() for key, part in parts(seen).items())
            assert rewards[i] == pytest.approx(reward, abs=1e-12)
            assert over[i] == ended
            assert {key: infos[key][i] for key in info if key != "action_mask"} == {
                key: value for key, value in info.items() if key != "action_mask"
            }
            assert (infos["action_mask"][i] == info["action_mask"]).all()
        playing &= ~over
        assert not truncated.any()


def mean_reward(tables, steps):
    """The mean reward of finished episodes when all legal actions are equally likely, and its standard error."""
    rng, rewards = np.random.default_rng(0), []
    tables.reset(seed=3)
    for _ in range(steps):
        chance = rng.random((tables.num_envs, tables.single_action_space.n)) * tables.action_masks()
        _, reward, over, _, _ = tables.step(chance.argmax(axis=1))
        rewards.append(reward[over])
    every = np.concatenate(rewards)
    return every.mean(), every.std() / np.sqrt(len(every))


@pytest.mark.parametrize(("game", "play"), one_each(DEFAULTS, [*product([0, 1], ["NEXT_STEP", "SAME_STEP"])]), ids=str)
def test_the_mean_reward_is_the_exact_value(game, play):
    seat, mode = play
    opponent = "published" if game.is_published else "uniform"
    profile = game.published() if game.is_published else game.uniform()
    worth = float(relance.value(game, profile.replace(game.uniform().strategies[seat]))) * (1 - 2 * seat)
    # First episodes only would favour short games; each table plays on until all have played several.
    tables = VectorSeatEnv(game, 500, opponent, seat, autoreset_mode=AutoresetMode[mode])
    mean, error = mean_reward(tables, 12 * game.tree.depth)
    assert abs(mean - worth) < 5 * error + 1e-12


@pytest.mark.parametrize(
    ("name", "shown"), one_each([*BLUEPRINTS], [*product(["uniform", "best_response"], ["flat", "dict"])]), ids=str
)
def test_make_vec(name, shown):
    opponent, obs = shown
    few = small(name)
    envs = gymnasium.make_vec(gymnasium_id(name), num_envs=5, opponent=opponent, seat="random", obs=obs, **few)
    assert isinstance(envs.unwrapped, VectorSeatEnv)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    single = gymnasium.make(gymnasium_id(name), obs=obs, **few)
    assert envs.single_observation_space == single.observation_space
    assert envs.single_action_space == single.action_space
    seen, infos = envs.reset(seed=0)
    assert envs.observation_space.contains(seen)
    envs.action_space.seed(0)
    for _ in range(8):
        seen, rewards, over, truncated, infos = envs.step(envs.action_space.sample())
        assert envs.observation_space.contains(seen)
        assert infos["action_mask"].shape == (5, envs.single_action_space.n)
        assert infos["action_mask"].any(axis=1).all()
        assert (rewards.shape, over.dtype, truncated.any()) == ((5,), bool, False)
    envs.close()


@pytest.mark.parametrize("seat", marked([0, "random"], lambda seat: seat == 0))
def test_pictures_are_those_of_single_environments(seat):
    pytest.importorskip("PIL", reason="needs the extra plot")
    for game in DEFAULTS:
        tables = VectorSeatEnv(game, 4, last_of_all, seat, render_mode="rgb_array")
        with pytest.raises(RuntimeError, match="reset"):
            tables.render()
        tables.reset(seed=5)
        singles = list(twins(game, tables, seat, "flat"))
        for _ in range(2):
            for picture, env in zip(tables.render(), singles, strict=True):
                env.render_mode = "rgb_array"
                assert np.array_equal(picture, env.render())
            tables.step(np.zeros(4, np.int64))
            [env.step(0) for env in singles if not env._over]
    assert VectorSeatEnv("von_neumann", 2).render() is None


def test_make_vec_takes_a_game_by_its_parameters():
    envs = gymnasium.make_vec("relance/VonNeumann-v0", num_envs=4096, opponent="published", bet="3/2", hands=6)
    assert str(envs.unwrapped.game) == "von_neumann(ante=1, bet=3/2, deal=uniform, hands=6)"
    assert envs.num_envs == 4096
    assert envs.reset(seed=1)[0].shape == (4096, envs.single_observation_space.shape[0])


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_autoreset_has_gymnasiums_form(default_game, mode):
    """Keys, shapes and types of everything returned are those of Gymnasium's own vector over single environments."""
    options = {"opponent": "uniform", "extra_info": True}
    own = VectorSeatEnv(default_game, 4, autoreset_mode=mode, **options)
    other = SyncVectorEnv([lambda: SeatEnv(default_game, **options)] * 4, autoreset_mode=mode)
    assert own.metadata["autoreset_mode"] is mode
    for envs in (own, other):
        envs.reset(seed=0)
    forms = []
    for envs in (own, other):
        over = np.zeros(4, bool)
        while not over.any():
            seen, rewards, over, truncated, infos = envs.step(np.full(4, own.single_action_space.n - 1))
        forms.append(form({"seen": seen, "rewards": rewards, "over": over, "truncated": truncated, "infos": infos}))
    assert forms[0] == forms[1]


def form(value):
    if isinstance(value, dict):
        return {key: form(part) for key, part in value.items()}
    return value.shape, value.dtype


def test_next_step_deals_anew_and_ignores_the_action(default_game):
    tables = VectorSeatEnv(default_game, 20, opponent="uniform", illegal="forfeit")
    tables.reset(seed=0)
    _, _, over, _, infos = tables.step(tables.action_masks().argmax(axis=1))
    while not over.any():
        _, _, over, _, infos = tables.step(tables.action_masks().argmax(axis=1))
    assert infos["action_mask"][over].all()
    actions = np.where(over, -7, tables.action_masks().argmax(axis=1))
    _, rewards, again, _, _ = tables.step(actions)
    assert not rewards[over].any()
    assert not again[over].any()


def test_same_step_shows_what_was_last(default_game):
    tables = VectorSeatEnv(default_game, 20, opponent=last_of_all, autoreset_mode="SameStep", obs="dict")
    tables.reset(seed=0)
    for _ in range(6):
        _, rewards, over, _, infos = tables.step(tables.action_masks().argmax(axis=1))
        assert ("final_obs" in infos) == over.any()
        if over.any():
            assert (infos["_final_obs"] == over).all()
            assert [entry is not None for entry in infos["final_obs"]] == over.tolist()
            shown = infos["final_obs"][over.argmax()]
            assert tables.single_observation_space.contains(shown)
            assert infos["final_info"]["action_mask"][over].all()
        assert not rewards[~over].any()


def test_same_step_ignores_no_action():
    """A finished table is dealt again at once, so its next action counts and must be an action id."""
    tables = VectorSeatEnv("one_card_poker", 20, opponent="uniform", autoreset_mode="SameStep")
    tables.reset(seed=0)
    over = np.zeros(20, bool)
    while not over.any():
        over = tables.step(tables.action_masks().argmax(axis=1))[2]
    with pytest.raises(ValueError, match=f"table {over.argmax()}: action -7 is not an action id"):
        tables.step(np.where(over, -7, tables.action_masks().argmax(axis=1)))


def test_disabled_waits_for_a_reset():
    tables = VectorSeatEnv("la_relance", 6, opponent="uniform", autoreset_mode=AutoresetMode.DISABLED)
    tables.reset(seed=0)
    over = np.zeros(6, bool)
    while not over.any():
        over = tables.step(np.zeros(6, int))[2]
    with pytest.raises(RuntimeError, match="is over"):
        tables.step(np.zeros(6, int))
    before = tables.hands.copy()
    tables.reset(options={"reset_mask": over})
    assert (tables.hands[~over] == before[~over]).all()
    tables.step(np.zeros(6, int))
    for bad in ({"reset_mask": [True]}, {"reset_mask": np.ones(6)}):
        with pytest.raises(ValueError, match=r"reset_mask must be a bool array of shape \(6,\)"):
            tables.reset(options=bad)


def test_seeds(default_game):
    runs = []
    for _ in range(2):
        tables = VectorSeatEnv(default_game, 10, opponent="uniform", seat="random")
        seen = [tables.reset(seed=5)[0]]
        for _ in range(6):
            seen += tables.step(tables.action_masks().argmax(axis=1))[:2]
        runs.append(seen)
    assert all(np.array_equal(a, b) for a, b in zip(*runs, strict=True))
    assert not np.array_equal(tables.reset(seed=6)[0], runs[0][0])


@pytest.mark.parametrize("mode", marked(["SAME_STEP", "NEXT_STEP"], lambda mode: mode == "NEXT_STEP"))
def test_a_table_plays_the_same_games_beside_few_and_many(game_of_a_kind, mode):
    """Hands are dealt in blocks whose size depends on the number of tables; here each table uses up several."""
    runs = []
    for tables in (3, 300):
        env = VectorSeatEnv(
            game_of_a_kind,
            tables,
            "perturbed(1/3)",
            "random",
            extra_info=True,
            teach=True,
            autoreset_mode=AutoresetMode[mode],
        )
        seen, infos = env.reset(seed=7)
        told = []
        for step in range(30):
            told.append([seen[:3], infos["hand"][:3], infos["seat"][:3], infos["loss"][:3]])
            actions = infos["action_mask"].argmax(axis=1) if step % 2 else env.num_envs * [0]
            seen, rewards, _, _, infos = env.step(np.array(actions))
            told[-1].append(rewards[:3])
        runs.append(told)
    assert all(np.array_equal(*pair) for rows in zip(*runs, strict=True) for pair in zip(*rows, strict=True))


@pytest.mark.parametrize("mode", ["SAME_STEP", "NEXT_STEP"])
def test_numba_plays_the_same_games(game_of_a_kind, mode):
    pytest.importorskip("numba", reason="needs the extra fast")
    options = {"opponent": "perturbed(1/3)", "seat": "random", "autoreset_mode": AutoresetMode[mode]}
    envs = [VectorSeatEnv(game_of_a_kind, 300, compiled=compiled, **options) for compiled in (False, True)]
    masks = [env.reset(seed=7)[1]["action_mask"] for env in envs]
    for step in range(12):
        actions = masks[0].argmax(axis=1) if step % 2 else np.zeros(300, int)
        told = [env.step(actions) for env in envs]
        assert all(np.array_equal(*parts) for parts in zip(*(one[:3] for one in told), strict=True))
        masks = [one[4]["action_mask"] for one in told]
        assert np.array_equal(*masks)


def test_last_observations_cannot_be_written():
    """Tables share them."""
    for game, obs in (("one_card_poker", "flat"), ("von_neumann", "dict")):
        env = VectorSeatEnv(game, 20, autoreset_mode="SameStep", obs=obs)
        env.reset(seed=0)
        over = np.zeros(20, bool)
        while not over.any():
            *_, over, _, infos = env.step(env.action_masks().argmax(axis=1))
        shown = infos["final_obs"][over.argmax()]
        with pytest.raises(ValueError, match="read-only"):
            (shown if obs == "flat" else shown["observation"])[0] = 1


def test_random_seats_are_both_taken_and_seen():
    tables = VectorSeatEnv("one_card_poker", 400, seat="random")
    seen, _ = tables.reset(seed=0)
    assert (seen[np.arange(400), tables.seat] == 1).all()
    assert 150 < tables.seat.sum() < 250


def test_illegal_actions_raise_and_change_nothing():
    tables = VectorSeatEnv("one_card_poker", 5, opponent="uniform", illegal="raise")
    tables.reset(seed=0)
    before = [part.copy() for part in tables._seats.batch.running]
    actions = tables.action_masks().argmax(axis=1)
    actions[3] = (~tables.action_masks()[3]).argmax()
    with pytest.raises(ValueError, match="table 3: action .* is illegal at"):
        tables.step(actions)
    actions[3] = 99
    with pytest.raises(ValueError, match="table 3: action 99 is not an action id; one_card_poker has 0"):
        tables.step(actions)
    for bad in (np.zeros(4, int), np.zeros(5), ["bet"] * 5, None):
        with pytest.raises(ValueError, match=r"actions must be whole numbers of shape \(5,\)"):
            tables.step(bad)
    assert all(np.array_equal(a, b) for a, b in zip(before, tables._seats.batch.running, strict=True))


def test_bad_options_and_order():
    with pytest.raises(RuntimeError, match=r"call reset\(\) first"):
        VectorSeatEnv("von_neumann", 3).step(np.zeros(3, int))
    for options, message in (
        ({"num_envs": 0}, "num_envs=0 must be a whole number from 1"),
        ({"seat": 2}, "seat=2 must be one of"),
        ({"opponent": "publishd"}, "did you mean 'published'"),
        ({"opponent": relance.make("la_relance").published()}, "a profile of 'la_relance'"),
        ({"max_episode_steps": 3}, f"max_episode_steps=3 must be a whole number of at least {LIMIT}"),
        ({"cards": 3}, "has no parameter 'cards'"),
    ):
        with pytest.raises(ValueError, match=message):
            VectorSeatEnv("von_neumann", **options)
    with pytest.raises(ValueError, match="the opponent's answer: table 0: action -1"):
        VectorSeatEnv("la_relance", 3, seat=1, opponent=lambda seen, masks: np.zeros(len(masks), int) - 1).reset()
