"""OpenSpiel's own tabular algorithms on our games and on its own, under the protocol of `relance.baselines.runs`.

Algorithms that walk the game's tree read it from a Gambit file, which OpenSpiel plays at C++ speed. Q-learning plays through
`rl_environment`, as in OpenSpiel's own examples. OpenSpiel 2.0 has no exploitability descent; fictitious play (XFP) is here instead.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyspiel

from relance.baselines.algorithms import Algorithm, Iterated
from relance.baselines.openspiel_games import AnyGame, OpenSpielGame, games_of, spiel, states
from relance.baselines.settings import Chance, Count, Positive, Ranged
from relance.model.game import Game
from relance.model.strategy import Profile
from relance.registration.efg import to_efg


@dataclass(frozen=True)
class Settings:
    """The settings of OpenSpiel's tabular algorithms: there are none."""


def profile(game: AnyGame, weights: Callable[[Any], Any]) -> Any:
    """Make a profile, or on OpenSpiel's own games a tabular policy, from a function that gives each OpenSpiel state weights by action id.

    The weights are normalised over the legal actions.
    """
    from relance.registration.openspiel_agents import from_policy

    def legal(state: Any) -> dict[int, float]:
        actions, every = state.legal_actions(), weights(state)
        row = np.array([every[action] for action in actions], float)
        return dict(zip(actions, (row / row.sum()).tolist(), strict=True))

    with undisturbed():
        if isinstance(game, OpenSpielGame):
            return pyspiel.TabularPolicy({s.information_state_string(): list(legal(s).items()) for s in states(game)})
        return from_policy(game, SimpleNamespace(action_probabilities=legal))


def _tree(game: AnyGame) -> tuple[Any, Callable[[Any], Any]]:
    """The game's Gambit file as an OpenSpiel game, and a function that turns a policy for it into a profile.

    A game of OpenSpiel is returned as it is, with a function that makes the policy a table.
    """
    from open_spiel.python.policy import TabularPolicy

    if isinstance(game, OpenSpielGame):
        return game.load(), lambda policy: profile(game, policy.action_probabilities)
    native, deal = pyspiel.load_efg_game(to_efg(game)), game.finite_deal()
    every = TabularPolicy(native).states

    def of_file(policy: Any) -> Profile:
        rows_of: dict[str, list[float]] = {}
        for state in every:
            probabilities = dict(policy.action_probabilities(state))
            name = state.information_state_string().split("-", 3)[3]  # of player-player-number-name
            rows_of[name] = [probabilities[action] for action in state.legal_actions()]
        plan = {}
        for name, node in game.tree.decisions.items():
            evenly = [1 / len(node.actions)] * len(node.actions)  # the file has no hands that are never dealt
            rows = np.array([rows_of.get(f"{label} {name}".strip(), evenly) for label in deal.labels[node.player]])
            plan[name] = node.by_action((rows / rows.sum(axis=1, keepdims=True)).T)
        return game.profile(plan)

    return native, of_file


def _cfr(kind: Callable[[Any], Any], game: AnyGame, settings: Settings, seed: int) -> Iterated:
    """CFR or CFR+; an iteration walks the tree once for each player."""
    native, profile_of = _tree(game)
    solver = kind(native)
    samples = 2 * games_of(native)
    return Iterated(
        solver, solver.evaluate_and_update_policy, samples, lambda: profile_of(solver.tabular_average_policy())
    )


def _mccfr(game: AnyGame, settings: Settings, seed: int) -> Iterated:
    """Monte Carlo CFR with external sampling; an iteration samples one traversal for each player, counted by the most games in it."""
    native, profile_of = _tree(game)
    solver = pyspiel.ExternalSamplingMCCFRSolver(native, seed=seed)
    games = sum(games_of(native, player) for player in (0, 1))
    return Iterated(solver, solver.run_iteration, games, lambda: profile_of(solver.average_policy()))


def _xfp(game: AnyGame, settings: Settings, seed: int) -> Iterated:
    """Fictitious play; an iteration walks the tree for the best response of each player, and for the average."""
    from open_spiel.python.algorithms.fictitious_play import XFPSolver

    if isinstance(game, Game) and not all(map(game.tree.of, (0, 1))):
        raise ValueError(f"OpenSpiel's fictitious play needs two players who act; in {game} only one does")
    native, profile_of = _tree(game)
    solver = XFPSolver(native)
    return Iterated(solver, solver.iteration, 3 * games_of(native), lambda: profile_of(solver.average_policy()))


walking = partial(
    Algorithm,
    sees="tree",
    openspiel=True,
    scored="average",
    deterministic=True,
    memory="tree",
)
"""An algorithm that walks the whole tree in each iteration; nothing in it is random."""

CFR = walking(
    "openspiel_cfr",
    Settings,
    partial(_cfr, pyspiel.CFRSolver),
    source="Zinkevich et al., Regret Minimization in Games with Incomplete Information (2007)",
)
CFR_PLUS = walking(
    "openspiel_cfr_plus",
    Settings,
    partial(_cfr, pyspiel.CFRPlusSolver),
    source="Tammelin, Solving Large Imperfect Information Games Using CFR+ (2014)",
)
MCCFR = Algorithm(
    "openspiel_mccfr",
    Settings,
    _mccfr,
    sees="tree",
    scored="average",
    openspiel=True,
    source="Lanctot et al., Monte Carlo Sampling for Regret Minimization in Extensive Games (2009)",
    memory="tree",
)
XFP = walking(
    "openspiel_xfp",
    Settings,
    _xfp,
    source="Heinrich, Lanctot and Silver, Fictitious Self-Play in Extensive-Form Games (2015)",
)


@dataclass(frozen=True)
class QSettings(Ranged):
    """Settings of tabular Q-learning.

    Attributes:
        step_size: the fraction of its distance to the target that a value moves.
        epsilon: the chance of a random action while training.
        games_per_step: games in a step of training; the run's budget is checked only after a step.
    """

    step_size: Positive = 0.1
    epsilon: Chance = 0.2
    games_per_step: Count = 100


def seed_all(seed: int) -> None:
    """Seed the global generators that OpenSpiel's algorithms draw from: numpy's, and PyTorch's where it is loaded."""
    np.random.seed(seed)  # noqa: NPY002 - see above
    if torch := sys.modules.get("torch"):
        torch.manual_seed(seed)


@contextmanager
def undisturbed() -> Iterator[None]:
    """A context for evaluation without effects on training: no gradients, and the generators of `seed_all` are restored at its end."""
    torch, before = sys.modules.get("torch"), np.random.get_state()  # noqa: NPY002 - see above
    try:
        with torch.random.fork_rng(devices=[]) if torch else nullcontext(), torch.no_grad() if torch else nullcontext():
            yield
    finally:
        np.random.set_state(before)  # noqa: NPY002 - see above


def environment(game: AnyGame, seed: int) -> Any:
    """Make OpenSpiel's `rl_environment` of a game of OpenSpiel, or of a game of Relance with finitely many hands."""
    from open_spiel.python import rl_environment

    return rl_environment.Environment(spiel(game), chance_event_sampler=rl_environment.ChanceEventSampler(seed=seed))


def answer(agent: Any, state: Any) -> dict[int, float]:
    """Return the probability of each action, by its id, that an agent of `rl_environment` gives in a state of OpenSpiel."""
    from relance.registration.openspiel_agents import asked

    legal = state.legal_actions()
    row = asked(agent, state.current_player(), state.information_state_tensor(), legal)
    return {action: float(row[action]) for action in legal}


class Agents:
    """Two of OpenSpiel's agents, one in each seat, that learn by playing each other.

    Args:
        game: a game of OpenSpiel, or a game of Relance with finitely many hands.
        seed: the seed for all randomness.
        games: games per step.
        make: builds an agent from its player, the size of an observation and the number of actions.
        everyone: show the end of each game to both agents, also to an agent that did not act in it.
    """

    def __init__(
        self, game: AnyGame, seed: int, games: int, make: Callable[[int, int, int], Any], everyone: bool = True
    ) -> None:
        self.env = environment(game, seed)
        self.game, self.games, self.everyone = game, games, everyone
        size, actions = self.env.observation_spec()["info_state"][0], self.env.action_spec()["num_actions"]
        seed_all(seed)
        self.agents = [make(player, size, actions) for player in (0, 1)]
        seed_all(seed)

    def step(self) -> int:
        """Play `games` games, from which the agents learn, and return the number of games."""
        for _ in range(self.games):
            self._play()
        return self.games

    def _play(self) -> None:
        """Play one game, with the loop of OpenSpiel's own examples."""
        time_step, acted = self.env.reset(), set()
        while not time_step.last():
            player = time_step.current_player()
            acted.add(player)
            time_step = self.env.step([self.agents[player].step(time_step).action])
        for player, agent in enumerate(self.agents):
            if self.everyone or player in acted:
                agent.step(time_step)

    def agent(self) -> Any:
        """The policies that the agents play in evaluation."""
        return profile(self.game, lambda state: answer(self.agents[state.current_player()], state))


def _q_learning(game: AnyGame, settings: QSettings, seed: int) -> Agents:
    """Two independent learners; their greedy policies, which are deterministic, are scored."""
    from open_spiel.python import rl_tools
    from open_spiel.python.algorithms.tabular_qlearner import QLearner

    epsilon = rl_tools.ConstantSchedule(settings.epsilon)

    def make(player: int, size: int, actions: int) -> Any:
        return QLearner(player, actions, settings.step_size, epsilon)

    return Agents(game, seed, settings.games_per_step, make, everyone=False)  # a QLearner that did not act fails there


Q_LEARNING = Algorithm(
    "openspiel_q_learning",
    QSettings,
    _q_learning,
    sees="samples",
    openspiel=True,
    source="Watkins, Learning from Delayed Rewards (1989)",
    memory="pairs",
)
