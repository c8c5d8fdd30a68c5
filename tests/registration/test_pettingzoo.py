"""PettingZoo: its own tests on every registered game with warnings as errors, and what frameworks need beyond them."""

import copy
import pickle
import warnings

import numpy as np
import pettingzoo
import pytest
from conftest import DEFAULTS, SAMPLES, one_each, parametrised
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test
from pettingzoo.test.state_test import state_test

import relance
from relance.envs.catalogue import BLUEPRINTS
from relance.registration.pettingzoo import AGENTS, parallel_env, pettingzoo_id

# PettingZoo exempts its own dict observations from these two by name; nobody else's can be.
EXEMPT = ("Observation is not a NumPy array", "Observation space for each agent probably should be")
MASKS = ["both", "obs", "info"]


@pytest.fixture(autouse=True)
def strict():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for message in EXEMPT:
            warnings.filterwarnings("ignore", message=message)
        yield


@pytest.fixture(params=BLUEPRINTS)
def name(request):
    return request.param


@pytest.mark.parametrize(("name", "mask_in"), one_each([*BLUEPRINTS], MASKS))
def test_conformance(name, mask_in, capsys):
    def make(**options):
        return pettingzoo.make("aec", pettingzoo_id(name), mask_in=mask_in, **options)

    def make_parallel(**options):
        return pettingzoo.make("parallel", pettingzoo_id(name), mask_in=mask_in, **options)

    api_test(make(), num_cycles=60)
    seed_test(make, num_cycles=60)
    parallel_api_test(make_parallel(), num_cycles=60)
    parallel_seed_test(make_parallel, num_cycles=60)
    render_test(make)
    state_test(make(), make_parallel())


@pytest.mark.parametrize("kind", ["aec", "parallel"])
def test_the_id_of_gymnasium_makes_the_same_game(kind):
    ours, theirs = (pettingzoo.make(kind, f"relance/{name}-v0", bet=2) for name in ("von_neumann", "VonNeumann"))
    assert type(ours.unwrapped) is type(theirs.unwrapped)
    assert ours.unwrapped.game == theirs.unwrapped.game


@pytest.mark.parametrize("game", parametrised(SAMPLES))
def test_conformance_at_other_parameters(game, capsys):
    api_test(relance.env(game), num_cycles=30)
    parallel_api_test(parallel_env(game), num_cycles=30)


def play(env, choose, seed=None):
    """Play one game; returns [(agent, observation, info)] and the last rewards of both."""
    env.reset(seed=seed)
    steps, rewards = [], {}
    for agent in env.agent_iter():
        observation, reward, over, truncated, info = env.last()
        assert truncated is False
        if over:
            rewards[agent] = reward
            env.step(None)
            continue
        steps.append((agent, observation, info))
        env.step(choose(np.flatnonzero(env.infos[agent]["action_mask"])))
    return steps, rewards


@pytest.mark.parametrize("game", DEFAULTS, ids=str)
def test_play_is_the_game(game):
    """Rewards are the chips of the leaf, zero-sum; the mask is the node's; arrays are fresh and in the space."""
    env, rng = relance.env(game, extra_info=True), np.random.default_rng(0)
    for seed in range(60):
        steps, rewards = play(env, rng.choice, seed)
        name = game.tree.table.names[env.table.node]
        leaf, distribution = game.tree.leaves[name], game.deal.in_case(game.tree.cases[name])
        chips = float(leaf.constant + leaf.stake * distribution.compare(*env.table.hands))
        assert rewards["player_0"] == -rewards["player_1"] == pytest.approx(chips, abs=1e-12)
        for agent, observation, info in steps:
            node = game.tree.decisions[info["node"]]
            assert AGENTS[node.player] == agent
            legal = {game.actions[i] for i in np.flatnonzero(observation["action_mask"])}
            assert legal == set(node.actions)
            assert env.observation_space(agent).contains(observation)
    assert not env.agents


def test_observations_determine_the_information_set(name):
    env, seen = relance.env(name, extra_info=True), {}
    rng = np.random.default_rng(0)
    for _ in range(300):
        for agent, observation, info in play(env, rng.choice)[0]:
            key = observation["observation"].tobytes()
            hand = env.table.hands[AGENTS.index(agent)]
            assert seen.setdefault(key, (agent, info["node"], np.float32(hand))) == (
                agent,
                info["node"],
                np.float32(hand),
            )
    assert len(set(seen.values())) == len(seen)


def test_the_hand_is_the_real_number():
    env = relance.env("von_neumann")
    env.reset(seed=5)
    hand = env.hands[0]
    assert 0 < hand < 1
    assert (env.node, env.cards) == (0, None)
    assert env.observe("player_0")["observation"][2] == np.float32(hand)
    grid = relance.env("von_neumann", hands=9)
    grid.reset(seed=5)
    assert grid.observe("player_0")["observation"][2] == np.float32((grid.table.hands[0] + 0.5) / 9)


def test_masks_and_infos(name):
    env = relance.env(name)
    env.reset(seed=0)
    mover = env.agent_selection
    other = next(agent for agent in AGENTS if agent != mover)
    assert env.observe(other)["action_mask"].sum() == 0
    assert env.observe(mover)["action_mask"].dtype == np.int8
    assert set(env.infos[mover]) == {"action_mask"}
    assert env.observe(mover)["observation"] is not env.observe(mover)["observation"]
    assert env.infos[mover]["action_mask"] is not env.observe(mover)["action_mask"]
    assert env.last()[4] is env.infos[mover]
    assert env.observation_space(mover) == env.observation_space(other)
    while not env.terminations[env.agent_selection]:
        env.step(int(np.flatnonzero(env.infos[env.agent_selection]["action_mask"])[0]))
    for agent in AGENTS:
        assert env.observe(agent)["action_mask"].all()
        assert env.infos[agent]["action_mask"].all()
        assert env.terminations[agent] is True
        assert env.truncations[agent] is False
    bare = relance.env(name, mask_in="obs")
    bare.reset()
    assert bare.infos[bare.agent_selection] == {}
    vector = relance.env(name, mask_in="info")
    vector.reset()
    assert isinstance(vector.observe("player_0"), np.ndarray)


def reach_an_illegal_action(env, seed):
    """Reset, play on until some action is illegal, and return it; raising where one can, since then somebody cannot."""
    env.reset(seed=seed)
    while not env.terminations[env.agent_selection]:
        mask = env.infos[env.agent_selection]["action_mask"]
        if not mask.all():
            return int(np.flatnonzero(mask == 0)[0])
        env.step(int(np.flatnonzero(mask)[-1]))
    raise AssertionError("no action is ever illegal here, so nothing can be tested")


def test_an_illegal_action_forfeits_zero_sum(name):
    env = relance.env(name, extra_info=True)
    for seed in range(10):
        bad = reach_an_illegal_action(env, seed)
        mover = env.agent_selection
        env.step(bad)
        loss = env.rules.worst[AGENTS.index(mover)]
        assert loss > 0
        assert env.rewards[mover] == -loss
        assert sum(env.rewards.values()) == 0
        assert all(env.terminations.values())
        assert env.infos[mover]["forfeit"] is True
        assert env.observe(mover)["action_mask"].all()


def test_nobody_can_lose_more_than_the_forfeit(name):
    env = relance.env(name)
    rng = np.random.default_rng(3)
    losses = [play(env, rng.choice)[1] for _ in range(300)]
    for player, agent in enumerate(AGENTS):
        assert max(-rewards[agent] for rewards in losses) <= env.rules.worst[player]


def test_illegal_actions_can_raise_and_change_nothing(name):
    env = relance.env(name, illegal="raise")
    bad = reach_an_illegal_action(env, 0)
    before = env.table.node
    with pytest.raises(ValueError, match=r"is illegal at '.*' of .*; legal: "):
        env.step(bad)
    assert env.table.node == before
    assert not any(env.terminations.values())
    parallel = parallel_env(name, illegal="raise")
    parallel.reset(seed=0)
    with pytest.raises(ValueError, match="is illegal"):
        parallel.step({"player_0": parallel.wait, "player_1": parallel.wait})
    assert parallel.agents == AGENTS
    waiting = 1 - parallel.rules.player[0]
    both = dict.fromkeys(AGENTS, parallel.rules.legal[0][0])
    with pytest.raises(ValueError, match=rf"is illegal: player_{waiting} waits; legal: {parallel.wait} \(wait\)"):
        parallel.step(both)
    assert parallel.table.node == 0
    assert parallel.agents == AGENTS
    parallel.step({**both, f"player_{waiting}": parallel.wait})


def test_nobody_else_sees_anything(name):
    for env in (relance.env(name), parallel_env(name)):
        env.reset(seed=0)
        for agent in ("player_7", 0, None):
            with pytest.raises(ValueError, match=rf"agent {agent!r} must be one of player_0, player_1"):
                env.observe(agent)


@pytest.mark.parametrize("action", [99, -1, 1.5, "bet", None])
def test_what_is_no_action_raises_always(action):
    env = relance.env("von_neumann")
    env.reset(seed=0)
    with pytest.raises((ValueError, TypeError), match="is not an action id; von_neumann has 0"):
        env.step(action)
    assert env.table.node == 0


def test_order_of_calls():
    env = relance.env("von_neumann")
    with pytest.raises(RuntimeError, match=r"call reset\(\) first"):
        env.step(0)
    with pytest.raises(RuntimeError, match=r"call reset\(\) first"):
        env.observe("player_0")
    play(env, lambda legal: legal[0])
    with pytest.raises(RuntimeError, match=r"call reset\(\) to deal again"):
        env.step(0)
    env.reset()
    env.step(0)
    with pytest.raises(ValueError, match="only None is allowed"):
        env.step(0)
    parallel = parallel_env("von_neumann")
    with pytest.raises(RuntimeError, match=r"call reset\(\) first"):
        parallel.step({})
    parallel.reset()
    with pytest.raises(ValueError, match="an action for each of player_0, player_1"):
        parallel.step({"player_0": 0})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"mask_in": "nowhere"}, "mask_in='nowhere' must be one of"),
        ({"illegal": "ignore"}, "illegal='ignore'"),
        ({"render_mode": "image"}, "render_mode='image'"),
        ({"bet": 0}, "bet=0"),
        ({"bett": 2}, "did you mean 'bet'"),
    ],
)
def test_bad_options(options, message):
    for make in (relance.env, parallel_env):
        with pytest.raises(ValueError, match=message):
            make("von_neumann", **options)
    with pytest.raises(ValueError, match="is a Game"):
        relance.env(relance.make("von_neumann"), bet=2)


def test_a_running_game_survives_pickling_and_copying(name):
    env = relance.env(name)
    env.reset(seed=4)
    env.step(int(np.flatnonzero(env.infos[env.agent_selection]["action_mask"])[-1]))
    for twin in (pickle.loads(pickle.dumps(env)), copy.deepcopy(env)):
        assert (twin.table.hands, twin.table.node, twin.agent_selection) == (
            env.table.hands,
            env.table.node,
            env.agent_selection,
        )
        assert twin.rules is env.rules
        twin.reset()


def test_parallel_is_the_same_game(name):
    """The same seed and choices give the same rewards; whoever waits has exactly one action."""
    env, parallel, rng = relance.env(name), parallel_env(name), np.random.default_rng(0)
    for seed in range(30):
        choices = []

        def choose(legal, choices=choices):
            choices.append(int(rng.choice(legal)))
            return choices[-1]

        _, rewards = play(env, choose, seed)
        observations, _ = parallel.reset(seed=seed)
        for action in choices:
            masks = {agent: observations[agent]["action_mask"] for agent in AGENTS}
            mover = next(agent for agent in AGENTS if not masks[agent][-1])
            waiter = next(agent for agent in AGENTS if agent != mover)
            assert list(np.flatnonzero(masks[waiter])) == [parallel.wait]
            observations, paid, over, cut, _ = parallel.step({mover: action, waiter: parallel.wait})
        assert paid == rewards
        assert all(over.values())
        assert not any(cut.values())
        assert parallel.agents == []


@pytest.mark.parametrize("mover", [0, 1])
@pytest.mark.parametrize(
    ("moves", "waits", "offender"), [(True, True, None), (False, True, 0), (True, False, 1), (False, False, 0)]
)
def test_who_forfeits_when_both_act(mover, moves, waits, offender):
    """The mover (0) if their action is illegal, and else the waiting player (1) if they do not wait."""
    parallel = parallel_env("von_neumann", ante=1, bet=3, extra_info=True)
    rules = parallel.rules
    parallel.reset(seed=0)
    if mover == 1:
        parallel.step({"player_0": rules.actions.index("bet"), "player_1": parallel.wait})
    node = parallel.table.node
    assert rules.player[node] == mover
    illegal = next(i for i in range(len(rules.actions)) if i not in rules.legal[node])
    actions = {
        AGENTS[mover]: rules.legal[node][-1] if moves else illegal,
        AGENTS[1 - mover]: parallel.wait if waits else rules.legal[node][-1],
    }
    _, rewards, over, _, infos = parallel.step(actions)
    if offender is None:
        assert not any(info["forfeit"] for info in infos.values())
        return
    pays, gets = (AGENTS[mover], AGENTS[1 - mover]) if offender == 0 else (AGENTS[1 - mover], AGENTS[mover])
    assert rewards[pays] == -rules.worst[AGENTS.index(pays)] == -4
    assert rewards[gets] == 4
    assert all(over.values())
    assert (infos[pays]["forfeit"], infos[gets]["forfeit"]) == (True, False)


def test_seeds():
    a, b = relance.env("von_neumann"), relance.env("von_neumann")
    hands = []
    for env in (a, b):
        env.reset(seed=1)
        dealt = [env.table.hands]
        for _ in range(5):
            env.reset()
            dealt.append(env.table.hands)
        hands.append(dealt)
    assert hands[0] == hands[1]
    assert len(set(hands[0])) == 6


def test_rendering_shows_only_what_the_mover_sees():
    env = relance.env("one_card_poker", render_mode="ansi")
    env.reset(seed=1)
    text = env.render()
    assert "player 1 holds a hidden hand" in text
    assert "0 check, 1 bet" in text
    env.step(1)
    env.step(2)
    assert "hidden" not in env.render()
    assert "wins 1 chip" in env.render()
    env.reset(seed=1)
    env.step(2)
    assert "forfeits 3 chips" in env.render()
    assert relance.env("one_card_poker").render() is None


@pytest.mark.parametrize("make", [relance.env, parallel_env])
def test_pictures_show_only_what_the_mover_sees(make):
    pytest.importorskip("PIL", reason="needs the extra plot")
    env, seen = make("one_card_poker", render_mode="rgb_array"), {}
    with pytest.raises(RuntimeError, match="reset"):
        env.render()
    for hands in ((0, 1), (0, 2), (1, 2)):
        env.table.give(hands)
        seen[hands] = env.render().tobytes()
        env.table.act(0)
        seen[(*hands, "check")] = env.render().tobytes()
    assert seen[0, 1] == seen[0, 2] != seen[1, 2]
    assert seen[0, 2, "check"] == seen[1, 2, "check"] != seen[0, 1, "check"]
