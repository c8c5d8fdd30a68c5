"""Policy-space response oracles with OpenSpiel's own DQN (PyTorch) as the oracle, on our games and on OpenSpiel's.

Each player has a population of policies, at first only the uniform policy. In turn, each player's DQN learns a response to the opponent's
mixture from sampled games; the payoffs of the new policies are estimated from more sampled games; and the players' mixtures over their
populations become an equilibrium of the table of payoffs. These mixtures are scored. OpenSpiel's PSRO does the same, but needs JAX, chex
and CVXPY in version 2.0.2.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from relance.baselines.openspiel_games import AnyGame, states
from relance.baselines.openspiel_tabular import answer, environment, profile, seed_all, undisturbed
from relance.baselines.openspiel_torch import torch_algorithm
from relance.baselines.settings import Chance, Count, Positive, Ranged
from relance.model.arrays import Floats
from relance.registration.game_trees import game_tree
from relance.solvers.solve import solve


@dataclass(frozen=True)
class Settings(Ranged):
    """Settings of PSRO. Muller et al. (2020) used 10,000 training episodes, 1,000 games per entry, and networks of 4 layers of 256 units.

    Attributes:
        number_training_episodes: games from which a response learns.
        sims_per_entry: games from which an entry of the table of payoffs is estimated.
        hidden_size, num_layers: units of a hidden layer of DQN, and how many there are.
        batch_size: transitions per update.
        learn_every: decisions per update.
        update_target_network_every: decisions between updates of the target network.
        learning_rate: of Adam.
        epsilon_start, epsilon_end: the chance of a random action, at the start and the end of `number_training_episodes`.
        games_per_step: games in a step of training; the run's budget is checked only after a step.
    """

    number_training_episodes: Count = 1000
    sims_per_entry: Count = 250
    hidden_size: Count = 128
    num_layers: Count = 2
    batch_size: Count = 32
    learn_every: Count = 4
    update_target_network_every: Count = 100
    learning_rate: Positive = 1e-3
    epsilon_start: Chance = 0.5
    epsilon_end: Chance = 0.05
    games_per_step: Count = 50


class Psro:
    """PSRO on one game."""

    def __init__(self, game: AnyGame, settings: Settings, seed: int) -> None:
        from open_spiel.python.algorithms.random_agent import RandomAgent

        self.game, self.settings, self.random = game, settings, np.random.default_rng(seed)
        self.env = environment(game, seed)
        self.actions = self.env.action_spec()["num_actions"]
        seed_all(seed)
        self.population: tuple[list[Any], list[Any]] = ([RandomAgent(0, self.actions)], [RandomAgent(1, self.actions)])
        self.tables: dict[int, dict[str, dict[int, float]]] = {}
        self.payoffs: Floats = np.zeros((1, 1))
        self.mixtures = matrix_equilibrium(self.payoffs)
        self._games = self._play_on()

    def step(self) -> int:
        """Play `games_per_step` games, from which responses learn or payoffs are estimated; return the number of games."""
        for _ in range(self.settings.games_per_step):
            next(self._games)
        return self.settings.games_per_step

    def _play_on(self) -> Iterator[None]:
        """Play game after game: learn a response for each player, then estimate its payoffs."""
        while True:
            fresh = [self._response(player) for player in (0, 1)]
            for player, response in enumerate(fresh):
                for _ in range(self.settings.number_training_episodes):
                    other = self.random.choice(len(self.mixtures[1 - player]), p=self.mixtures[1 - player])
                    self._game(response, player, self.population[1 - player][other])
                    yield
            for player, response in enumerate(fresh):
                self.population[player].append(response)
            known = self.payoffs
            self.payoffs = np.zeros((len(known) + 1, len(known) + 1))
            self.payoffs[:-1, :-1] = known
            for row, column in np.argwhere(np.add.outer(*[np.arange(len(known) + 1) == len(known)] * 2)):
                pair = self.population[0][row], self.population[1][column]
                for _ in range(self.settings.sims_per_entry):
                    self.payoffs[row, column] += self._simulated(pair) / self.settings.sims_per_entry
                    yield
            self.mixtures = matrix_equilibrium(self.payoffs)

    def _response(self, player: int) -> Any:
        from open_spiel.python.pytorch.dqn import DQN

        s = self.settings
        return DQN(
            player,
            self.env.observation_spec()["info_state"][0],
            self.actions,
            [s.hidden_size] * s.num_layers,
            s.batch_size,
            learning_rate=s.learning_rate,
            update_target_network_every=s.update_target_network_every,
            learn_every=s.learn_every,
            min_buffer_size_to_learn=s.batch_size,
            epsilon_start=max(s.epsilon_start, s.epsilon_end, 1e-9),  # it refuses 0
            epsilon_end=s.epsilon_end,
            epsilon_decay_duration=2 * s.number_training_episodes,
            epsilon_decay_schedule_str="linear",
            optimizer_str="adam",
            seed=int(self.random.integers(2**31)),  # it also seeds the global generators
        )

    def _game(self, response: Any, player: int, other: Any) -> None:
        """Play one game from which `response` learns."""
        time_step, acted = self.env.reset(), False
        while not time_step.last():
            mine = time_step.current_player() == player
            acted |= mine
            agent = response if mine else other
            time_step = self.env.step([agent.step(time_step, is_evaluation=not mine).action])
        if acted:  # DQN cannot learn from a game in which it did not act
            response.step(time_step)

    def _simulated(self, pair: tuple[Any, Any]) -> float:
        """The chips of player 0 in one game."""
        time_step = self.env.reset()
        while not time_step.last():
            time_step = self.env.step([pair[time_step.current_player()].step(time_step, is_evaluation=True).action])
        return float(time_step.rewards[0])

    def agent(self) -> Any:
        """Return both players' mixtures over their populations, each as a behaviour strategy."""
        with undisturbed():
            every = states(self.game)
            play: dict[str, dict[int, float]] = {}
            for player in (0, 1):
                mine = [state for state in every if state.current_player() == player]
                members = [self._table(agent, mine) for agent in self.population[player][: len(self.mixtures[player])]]
                play |= mixed_behaviour(members, self.mixtures[player], mine)
        return profile(self.game, lambda state: play[state.information_state_string()])

    def _table(self, agent: Any, mine: Sequence[Any]) -> dict[str, dict[int, float]]:
        """The action probabilities of a member of a population, which no longer learns."""
        if id(agent) not in self.tables:
            self.tables[id(agent)] = {state.information_state_string(): answer(agent, state) for state in mine}
        return self.tables[id(agent)]


def matrix_equilibrium(payoffs: Floats) -> tuple[Floats, Floats]:
    """Solve a matrix game of player 0's payoffs; return an equilibrium: the probabilities of the rows and those of the columns."""
    found = solve(game_tree(payoffs))
    rows, columns = (np.array([*map(float, found.at[name].values())]) for name in ("row", "column"))
    return rows, columns


def mixed_behaviour(
    members: Sequence[dict[str, dict[int, float]]], weights: Floats, mine: Sequence[Any]
) -> dict[str, dict[int, float]]:
    """Return the behaviour strategy, at the states `mine`, of a player who draws a member of a population by `weights` and plays it.

    At a state, a member counts by its weight times the probability that its own actions lead there. If this product is 0 for all members,
    each counts by its weight alone.
    """
    out = {}
    for state in mine:
        key = state.information_state_string()
        reach = weights * [np.prod([table[at][action] for at, action in before(state)]) for table in members]
        share = reach / reach.sum() if reach.sum() > 0 else weights
        out[key] = {
            action: float(sum(s * table[key][action] for s, table in zip(share, members, strict=True)))
            for action in state.legal_actions()
        }
    return out


def before(state: Any) -> list[tuple[str, int]]:
    """Return the earlier decisions of the player to move: pairs of information state and action."""
    player, past, out = state.current_player(), state.get_game().new_initial_state(), []
    for action in state.history():
        if past.current_player() == player:
            out.append((past.information_state_string(), action))
        past.apply_action(action)
    return out


PSRO = torch_algorithm(
    "openspiel_psro",
    Settings,
    Psro,
    scored="average",
    source="Lanctot et al., A Unified Game-Theoretic Approach to Multiagent Reinforcement Learning (2017)",
)
