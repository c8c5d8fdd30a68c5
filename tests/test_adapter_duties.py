"""What docs/howto/add_an_adapter.md asks of an adapter, asked of each: one game is played through it and replayed by the core."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import relance
from relance.play.rules import rules

GAMES = ("one_card_poker", "von_neumann(hands=5)")


class Decided(NamedTuple):
    """A decision as a framework showed it, and the action that was taken."""

    seat: int
    seen: np.ndarray
    legal: np.ndarray
    action: int


class Drawn:
    """Takes legal actions at random, or in `wrong` seats an illegal one, and keeps all that it was shown."""

    def __init__(self, seed, wrong=()):
        self.random, self.wrong, self.steps = np.random.default_rng(seed), wrong, []

    def __call__(self, seat, seen, legal):
        seen, legal = np.array(seen, np.float32), np.array(legal, bool)
        action = int(self.random.choice(np.flatnonzero(legal != (seat in self.wrong))))
        self.steps.append(Decided(seat, seen, legal, action))
        return action

    def opponent(self, seat):
        """The same as the opponent of an environment of one seat."""
        return lambda seen, legal: np.array([self(seat, *row) for row in zip(seen, legal, strict=True)])


def gymnasium_seat(seat):
    def play(game, seed, choose):
        import gymnasium

        name = relance.registration.gymnasium_id(game.name)
        parameters = {**game.parameters, "hands": game.hands}
        env = gymnasium.make(name, opponent=choose.opponent(1 - seat), seat=seat, **parameters)
        (seen, info), over, paid = env.reset(seed=seed), False, 0.0
        while not over:
            waits = env.unwrapped.table.player < 0  # the opponent ended the game, so the action does nothing
            action = 0 if waits else choose(seat, seen, info["action_mask"])
            seen, reward, over, _, info = env.step(action)
            paid += reward
        return env.unwrapped.table.hands, (paid, -paid) if seat == 0 else (-paid, paid)

    return play


def vector(seat):
    def play(game, seed, choose):
        import gymnasium

        name = relance.registration.gymnasium_id(game.name)
        parameters = {**game.parameters, "hands": game.hands}
        env = gymnasium.make_vec(name, num_envs=1, opponent=choose.opponent(1 - seat), seat=seat, **parameters)
        return tables(env, env.reset(seed=seed)[0], env.unwrapped, seat, choose)

    return play


def sb3(seat):
    def play(game, seed, choose):
        env = relance.baselines.sb3_vec_env(game, 1, choose.opponent(1 - seat), seat, seed)
        return tables(env, env.reset(), env.env, seat, choose)

    return play


def tables(env, seen, ours, seat, choose):
    """One table of a vector environment, until its first game ends."""
    batch, over, paid = ours._batch, False, 0.0
    hands = [batch.hands_of(player)[0] for player in (0, 1)]
    while not over:
        acts = batch.to_move[0] == seat  # otherwise the opponent ended the game, and the action does nothing
        action = choose(seat, seen[0], ours.action_masks()[0]) if acts else 0
        seen, rewards, ended, *_ = env.step(np.array([action]))
        paid, over = paid + rewards[0], ended[0]
    return hands, (paid, -paid) if seat == 0 else (-paid, paid)


def aec(game, seed, choose):
    import pettingzoo

    name = relance.registration.pettingzoo_id(game.name)
    env = pettingzoo.make("aec", name, **game.parameters, hands=game.hands)
    env.reset(seed=seed)
    paid = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        seen, reward, over, _, _ = env.last()
        paid[agent] += reward
        seat = env.possible_agents.index(agent)
        env.step(None if over else choose(seat, seen["observation"], seen["action_mask"]))
    return env.unwrapped.table.hands, tuple(paid.values())


def parallel(game, seed, choose):
    import pettingzoo

    env = pettingzoo.make(
        "parallel", relance.registration.pettingzoo_id(game.name), **game.parameters, hands=game.hands
    )
    return both_act(env, env.unwrapped, seed, choose)


def rllib(game, seed, choose):
    from ray.rllib.env.wrappers.pettingzoo_env import ParallelPettingZooEnv

    relance.baselines.ppo_config(game)
    ours = relance.parallel_env(game)
    return both_act(ParallelPettingZooEnv(ours), ours, seed, choose)


def both_act(env, ours, seed, choose):
    (seen, _), paid = env.reset(seed=seed), np.zeros(2)
    hands, agents, waiting = ours.table.hands, ours.possible_agents, len(ours.game.actions)
    while ours.agents:
        actions = {}
        for seat, agent in enumerate(agents):
            *legal, waits = seen[agent]["action_mask"]
            actions[agent] = waiting if waits else choose(seat, seen[agent]["observation"], legal)
        seen, rewards, *_ = env.step(actions)
        paid += [rewards[agent] for agent in agents]
    return hands, tuple(paid)


def openspiel(game, seed, choose):
    state = relance.openspiel.load(game).new_initial_state()
    random, hands = np.random.default_rng(seed), []
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            hands.append(outcomes[random.choice(len(outcomes), p=chances)])
            state.apply_action(hands[-1])
        else:
            seat = state.current_player()
            legal = np.array(state.legal_actions_mask(), bool)
            state.apply_action(choose(seat, state.information_state_tensor(), legal))
    return hands, tuple(state.returns())


def jax(game, seed, choose):
    from jax import random

    env = relance.registration.jax_env(game)
    state, paid = env.init(random.key(seed)), np.zeros(2)
    while not state.terminated:
        state = env.step(state, choose(int(state.current_player), state.observation, state.legal_action_mask))
        paid += state.rewards
    return state.hands.tolist(), tuple(paid)


def torchrl(game, seed, choose):
    import torch

    env = relance.baselines.BatchEnv(game, 1, seed)
    now, paid = env.reset(), np.zeros(2)
    hands = [env.batch.hands_of(player)[0] for player in (0, 1)]
    while not now["done"].all():
        seat = int(env.batch.to_move[0])
        actions = [env.wait, env.wait]
        seen, legal = (now["agents", key][0, seat].numpy() for key in ("observation", "action_mask"))
        actions[seat] = choose(seat, seen, legal[:-1])
        now["agents", "action"] = torch.tensor([actions])
        now = env.step(now)["next"]
        paid += now["agents", "reward"][0, :, 0].numpy()
    return hands, tuple(paid)


class Adapter(NamedTuple):
    """How an adapter plays a game, (game, seed, choose) -> (hands, chips of both players), and whose illegal actions it scores."""

    play: object
    seats: tuple[int, ...] = (0, 1)
    needs: str = ""


ADAPTERS = {
    "OpenSpiel": Adapter(openspiel, ()),  # as its own games do, it raises: test_bad_actions_change_nothing
    "PettingZoo": Adapter(aec),
    "PettingZoo, parallel": Adapter(parallel),
    "Gymnasium, first seat": Adapter(gymnasium_seat(0), (0,)),
    "Gymnasium, second seat": Adapter(gymnasium_seat(1), (1,)),
    "Gymnasium, many tables": Adapter(vector(0), (0,)),
    "Stable-Baselines3": Adapter(sb3(0), (0,), "stable_baselines3"),
    "TorchRL": Adapter(torchrl, needs="torchrl"),
    "RLlib": Adapter(rllib, needs="ray"),
    "JAX": Adapter(jax, needs="jax"),
}


def replayed(game, hands, steps):
    """The core's own course of a game: each decision is that of the tree, with its observation and mask; return the chips of player 0."""
    rulebook, node = rules(game), 0
    for seat, seen, legal, action in steps:
        assert rulebook.player[node] == seat
        assert (seen == rulebook.observe(seat, hands[seat], node)).all()
        assert np.flatnonzero(legal).tolist() == list(rulebook.legal[node])
        if not legal[action]:
            return rulebook.forfeits[seat]
        node = rulebook.child[node][action]
    assert rulebook.player[node] < 0
    edge = rulebook.compare[node](*hands) if rulebook.stake[node] else 0
    return rulebook.constant[node] + rulebook.stake[node] * float(edge)


def does_its_duties(name):
    """Names, masks, observations, chips, seeds, forfeits."""
    adapter = ADAPTERS[name]
    for text in GAMES:
        game, dealt = relance.make(text), []
        for seed in range(20):
            choose = Drawn(seed)
            hands, chips = adapter.play(game, seed, choose)
            dealt.append(tuple(hands))
            assert chips == pytest.approx((won := replayed(game, hands, choose.steps), -won))
        again = [tuple(adapter.play(game, seed, Drawn(seed + 100))[0]) for seed in range(20)]
        assert again == dealt  # a seed decides the hands, whatever is played
        assert len(set(dealt)) > 3
        for seat in adapter.seats:
            wrong = Drawn(0, (seat,))
            while not any(step.seat == seat for step in wrong.steps):  # the other player may have ended the game
                wrong.steps.clear()
                hands, chips = adapter.play(game, int(wrong.random.integers(1000)), wrong)
            assert chips == pytest.approx((won := replayed(game, hands, wrong.steps), -won))


@pytest.mark.parametrize("name", ADAPTERS)
def test_an_adapter_does_its_duties(name):
    needs = ADAPTERS[name].needs
    if needs and not find_spec(needs):
        pytest.skip(f"{needs} is not installed")
    if name != "JAX":
        does_its_duties(name)
        return
    # its threads would make later forks of this process unsafe
    code = "from test_adapter_duties import does_its_duties; does_its_duties('JAX')"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parent)


def openspiel_agent(game):
    from open_spiel.python.policy import UniformRandomPolicy

    return UniformRandomPolicy(relance.openspiel.load(game))


def sb3_agent(game):
    from sb3_contrib import MaskablePPO

    model = MaskablePPO("MlpPolicy", relance.baselines.sb3_vec_env(game, 1), n_steps=2, batch_size=2)
    for part in model.policy.action_net.parameters():
        part.data.zero_()
    return model


def torchrl_agent(game):
    import torch

    net = torch.nn.Linear(rules(game).size, len(game.actions) + 1)
    for part in net.parameters():
        part.data.zero_()
    return relance.baselines.network_policy(net)


@pytest.mark.parametrize(
    ("needs", "agent"), [("pyspiel", openspiel_agent), ("sb3_contrib", sb3_agent), ("torchrl", torchrl_agent)]
)
def test_agents_of_a_framework_are_read(needs, agent):
    """One that plays all legal actions alike is as exploitable as uniform play."""
    if not find_spec(needs):
        pytest.skip(f"{needs} is not installed")
    game = relance.make("one_card_poker")
    found = relance.score(game, agent(game))
    assert float(found.nash_conv) == pytest.approx(float(relance.nash_conv(game, game.uniform())), abs=1e-5)
