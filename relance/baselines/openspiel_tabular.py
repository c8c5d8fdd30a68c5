"""OpenSpiel's tabular algorithms as they ship, on our games, under the protocol of `relance.baselines.runs`.

Those that walk the game's tree get it as a Gambit file, which OpenSpiel plays at C++ speed; Q-learning plays through
`rl_environment`, as in OpenSpiel's own examples. OpenSpiel 2.0 ships no exploitability descent; fictitious play (XFP) stands for it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pyspiel

from relance.agents.reading import read
from relance.baselines.algorithms import Algorithm, Iterated
from relance.baselines.settings import Chance, Count, Positive, Ranged
from relance.model.deal import FiniteDeal
from relance.model.game import Game
from relance.model.strategy import Profile
from relance.registration.efg import to_efg
from relance.registration.openspiel import load


@dataclass(frozen=True)
class Settings:
    """These algorithms have no settings."""


def _start(
    game: Game,
    settings: Settings,
    seed: int,
    solver: Callable[[Any, int], Any],
    iterate: Callable[[Any], object],
    average: Callable[[Any], Any],
    visits: int | None,
) -> Iterated:
    """A solver on the game's Gambit file, which visits each node of the tree so often; None for two walks down the tree."""
    from open_spiel.python.policy import TabularPolicy

    native = pyspiel.load_efg_game(to_efg(game))
    states, solving, deal = TabularPolicy(native).states, solver(native, seed), game.finite_deal()

    def agent() -> Profile:
        """The average policy so far."""
        policy = average(solving)
        rows_of: dict[str, list[float]] = {}
        for state in states:
            probabilities = dict(policy.action_probabilities(state))
            name = state.information_state_string().split("-", 3)[3]  # of player-player-number-name
            rows_of[name] = [probabilities[action] for action in state.legal_actions()]
        plan = {}
        for name, node in game.tree.decisions.items():
            evenly = [1 / len(node.actions)] * len(node.actions)  # the file has no hands that are never dealt
            rows = np.array([rows_of.get(f"{label} {name}".strip(), evenly) for label in deal.labels[node.player]])
            plan[name] = node.by_action((rows / rows.sum(axis=1, keepdims=True)).T)
        return game.profile(plan)

    return Iterated(solving, partial(iterate, solving), 2 if visits is None else visits * nodes(game), agent)


def nodes(game: Game) -> int:
    """How many histories, chance nodes and ends included, the game's tree has."""
    deal: FiniteDeal = game.finite_deal()
    joint = np.asarray(deal.joint() > 0, bool)
    return 1 + int(joint.any(axis=1).sum()) + int(joint.sum()) * len(game.tree.table.names)


def _xfp(native: Any, seed: int) -> Any:
    from open_spiel.python.algorithms.fictitious_play import XFPSolver

    return XFPSolver(native)


def _cfr(solver: Callable[[Any], Any]) -> Callable[[Game, Settings, int], Iterated]:
    return partial(
        _start,
        solver=lambda native, seed: solver(native),
        iterate=lambda s: s.evaluate_and_update_policy(),
        average=lambda s: s.tabular_average_policy(),
        visits=2,  # once for each player
    )


walking = partial(Algorithm, sample="a node of the tree", deterministic=True, memory="tree")
"""An algorithm that walks the whole tree in each iteration; nothing in it is random."""

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
        _start,
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
        _start,
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


def seed_all(seed: int) -> None:
    """Seed the global generators that OpenSpiel's algorithms draw from: numpy's, and PyTorch's where it is loaded."""
    np.random.seed(seed)  # noqa: NPY002 - see above
    if torch := sys.modules.get("torch"):
        torch.manual_seed(seed)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Leave these generators as they were, so that a look at the policy does not change what is learned next."""
    torch, before = sys.modules.get("torch"), np.random.get_state()  # noqa: NPY002 - see above
    try:
        with torch.random.fork_rng(devices=[]) if torch else nullcontext():
            yield
    finally:
        np.random.set_state(before)  # noqa: NPY002 - see above


class Agents:
    """Two of OpenSpiel's agents, one in each seat, who play each other and learn.

    Args:
        game: with finitely many hands.
        seed: of everything random.
        games: how many games a step plays.
        make: makes an agent from its player, the size of an observation and the number of actions.
        everyone: both agents see the end of a game, not only those that acted in it.
    """

    def __init__(
        self, game: Game, seed: int, games: int, make: Callable[[int, int, int], Any], everyone: bool = True
    ) -> None:
        from open_spiel.python import rl_environment

        chance = rl_environment.ChanceEventSampler(seed=seed)
        self.env = rl_environment.Environment(load(game), chance_event_sampler=chance)
        self.game, self.games, self.everyone = game, games, everyone
        size, actions = self.env.observation_spec()["info_state"][0], self.env.action_spec()["num_actions"]
        seed_all(seed)
        self.agents = [make(player, size, actions) for player in (0, 1)]
        seed_all(seed)

    def step(self) -> int:
        """Play some games."""
        for _ in range(self.games):
            self._play()
        return self.games

    def _play(self) -> None:
        """One game; the loop of OpenSpiel's own examples."""
        time_step, acted = self.env.reset(), set()
        while not time_step.last():
            player = time_step.current_player()
            acted.add(player)
            time_step = self.env.step([self.agents[player].step(time_step).action])
        for player, agent in enumerate(self.agents):
            if self.everyone or player in acted:
                agent.step(time_step)

    def agent(self) -> Profile:
        """What the agents play when they are evaluated."""
        with undisturbed():
            return self.game.together(*(read(self.game, agent, player) for player, agent in enumerate(self.agents)))


def _q_learning(game: Game, settings: QSettings, seed: int) -> Agents:
    """Two independent learners; what is scored is their greedy policies, which are deterministic."""
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
    source="Watkins, Learning from Delayed Rewards (1989)",
    memory="pairs",
)
