"""OpenSpiel's tabular algorithms as they ship, on our games, under the protocol of `relance.baselines.runs`.

Those that walk the game's tree get it as a Gambit file, which OpenSpiel plays at C++ speed; Q-learning plays through
`rl_environment`, as in OpenSpiel's own examples. OpenSpiel 2.0 ships no exploitability descent; fictitious play (XFP) stands for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pyspiel

from relance.agents.reading import read
from relance.baselines.algorithms import Algorithm
from relance.baselines.settings import Chance, Count, Positive, Ranged
from relance.model.deal import FiniteDeal
from relance.model.game import Game
from relance.model.strategy import Profile
from relance.registration.efg import to_efg
from relance.registration.openspiel import load


@dataclass(frozen=True)
class Settings:
    """Settings of the algorithms that have none."""


class Tree:
    """A solver on the game's Gambit file, and how its average policy becomes a profile."""

    def __init__(
        self,
        game: Game,
        settings: Settings,
        seed: int,
        solver: Callable[[Any, int], Any],
        iterate: Callable[[Any], object],
        average: Callable[[Any], Any],
        visits: int | None,
    ) -> None:
        from open_spiel.python.policy import TabularPolicy

        self.game, self.native = game, pyspiel.load_efg_game(to_efg(game))
        self.states = TabularPolicy(self.native).states
        self.solver, self._iterate, self._average = solver(self.native, seed), iterate, average
        self._samples = 2 if visits is None else visits * nodes(game)

    def step(self) -> int:
        """One iteration."""
        self._iterate(self.solver)
        return self._samples

    def agent(self) -> Profile:
        """The average policy so far."""
        policy, deal = self._average(self.solver), self.game.finite_deal()
        rows_of: dict[str, list[float]] = {}
        for state in self.states:
            probabilities = dict(policy.action_probabilities(state))
            name = state.information_state_string().split("-", 3)[3]  # of player-player-number-name
            rows_of[name] = [probabilities[action] for action in state.legal_actions()]
        plan = {}
        for name, node in self.game.tree.decisions.items():
            evenly = [1 / len(node.actions)] * len(node.actions)  # with hands that are never dealt: the file lacks them
            rows = np.array([rows_of.get(f"{label} {name}".strip(), evenly) for label in deal.labels[node.player]])
            plan[name] = node.by_action((rows / rows.sum(axis=1, keepdims=True)).T)
        return self.game.profile(plan)


def nodes(game: Game) -> int:
    """How many histories, chance nodes and ends included, the game's tree has."""
    deal: FiniteDeal = game.finite_deal()
    joint = np.asarray(deal.joint() > 0, bool)
    return 1 + int(joint.any(axis=1).sum()) + int(joint.sum()) * len(game.tree.table.names)


def _xfp(native: Any, seed: int) -> Any:
    from open_spiel.python.algorithms.fictitious_play import XFPSolver

    return XFPSolver(native)


def _cfr(solver: Callable[[Any], Any]) -> Callable[[Game, Settings, int], Tree]:
    return partial(
        Tree,
        solver=lambda native, seed: solver(native),
        iterate=lambda s: s.evaluate_and_update_policy(),
        average=lambda s: s.tabular_average_policy(),
        visits=2,  # once for each player
    )


walking = partial(Algorithm, sample="a node of the tree", deterministic=True, memory="tree")
"""An algorithm that walks the whole tree in each iteration, and draws nothing."""

CFR = walking(
    "openspiel_cfr",
    Settings,
    _cfr(pyspiel.CFRSolver),
    source="Zinkevich et al., Regret Minimization in Games with Incomplete Information (2007)",
)
CFR_PLUS = walking(
    "openspiel_cfr_plus",
    Settings,
    _cfr(pyspiel.CFRPlusSolver),
    source="Tammelin, Solving Large Imperfect Information Games Using CFR+ (2014)",
)
MCCFR = Algorithm(
    "openspiel_mccfr",
    Settings,
    partial(
        Tree,
        solver=lambda native, seed: pyspiel.ExternalSamplingMCCFRSolver(native, seed=seed),
        iterate=lambda s: s.run_iteration(),
        average=lambda s: s.average_policy(),
        visits=None,
    ),
    source="Lanctot et al., Monte Carlo Sampling for Regret Minimization in Extensive Games (2009)",
    memory="tree",
)
XFP = walking(
    "openspiel_xfp",
    Settings,
    partial(
        Tree,
        solver=_xfp,
        iterate=lambda s: s.iteration(),
        average=lambda s: s.average_policy(),
        visits=3,  # a best response for each player, and the average
    ),
    source="Heinrich, Lanctot and Silver, Fictitious Self-Play in Extensive-Form Games (2015)",
)


@dataclass(frozen=True)
class QSettings(Ranged):
    """Settings of tabular Q-learning.

    Attributes:
        step_size: how far a value moves towards its target.
        epsilon: the chance of a random action while training.
        games_per_step: games between two looks at the clock.
    """

    step_size: Positive = 0.1
    epsilon: Chance = 0.2
    games_per_step: Count = 100


def play(env: Any, agents: Any, everyone: bool = True) -> None:
    """One game of OpenSpiel's agents against each other; the loop of OpenSpiel's own examples.

    All of them see its end, or, unless `everyone`, those that acted in it.
    """
    time_step, acted = env.reset(), set()
    while not time_step.last():
        player = time_step.current_player()
        acted.add(player)
        time_step = env.step([agents[player].step(time_step).action])
    for player, agent in enumerate(agents):
        if everyone or player in acted:
            agent.step(time_step)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Leave numpy's global generator as it was, so that a look at the policy does not change what is learned next."""
    before = np.random.get_state()  # noqa: NPY002 - OpenSpiel's agents draw from it
    try:
        yield
    finally:
        np.random.set_state(before)  # noqa: NPY002 - likewise


def environment(game: Game, seed: int) -> Any:
    """The game as OpenSpiel's `rl_environment`. Raises ValueError for hands on [0, 1]."""
    from open_spiel.python import rl_environment

    sampler = rl_environment.ChanceEventSampler(seed=seed)
    return rl_environment.Environment(load(game), chance_event_sampler=sampler)


class QLearning:
    """Two independent learners; what is scored is their greedy policies, which are deterministic."""

    def __init__(self, game: Game, settings: QSettings, seed: int) -> None:
        from open_spiel.python import rl_tools
        from open_spiel.python.algorithms.tabular_qlearner import QLearner

        self.game, self.settings, self.env = game, settings, environment(game, seed)
        actions = self.env.action_spec()["num_actions"]
        epsilon = rl_tools.ConstantSchedule(settings.epsilon)
        self.agents = [QLearner(p, actions, settings.step_size, epsilon) for p in (0, 1)]
        np.random.seed(seed)  # noqa: NPY002 - OpenSpiel's agents draw from numpy's global generator

    def step(self) -> int:
        """Play some games."""
        for _ in range(self.settings.games_per_step):
            play(self.env, self.agents, everyone=False)  # QLearner fails at the end of a game in which it had no say
        return self.settings.games_per_step

    def agent(self) -> Profile:
        """The greedy policies."""
        with undisturbed():
            return self.game.together(read(self.game, self.agents[0], 0), read(self.game, self.agents[1], 1))


Q_LEARNING = Algorithm(
    "openspiel_q_learning", QSettings, QLearning, source="Watkins, Learning from Delayed Rewards (1989)", memory="pairs"
)
