"""OpenSpiel's own Deep CFR, regression CFR and ESCHER (PyTorch) under the protocol of `relance.baselines.runs`.

The average policy of each algorithm is scored. Deep CFR's network gives probability to illegal actions too, so the output is normalised
over the legal actions. In ESCHER a network learns the value of a history from sampled games; the regrets of the
actions along one sampled game are differences of these values, so nothing is divided by a small probability. The networks of values and of
regrets start from fresh weights in each iteration, as published.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import cycle
from types import SimpleNamespace
from typing import Any, cast

from relance.baselines.algorithms import Iterated, Learner
from relance.baselines.openspiel_games import AnyGame, games_of, spiel
from relance.baselines.openspiel_tabular import profile, seed_all
from relance.baselines.openspiel_torch import torch, torch_algorithm
from relance.baselines.settings import Chance, Count, Positive, Ranged


@dataclass(frozen=True)
class DeepCfrSettings(Ranged):
    """Settings of Deep CFR; the defaults, except `policy_network_train_steps`, are those of OpenSpiel's example on Kuhn poker.

    Attributes:
        hidden_size, num_layers: units of a hidden layer of all networks, and how many there are.
        num_traversals: traversals of the game for each player per iteration.
        advantage_network_train_steps: updates of a player's advantage network per iteration, from fresh weights.
        policy_network_train_steps: updates of the average policy per iteration, from the current weights; the example makes 2,500 at
            the end of 101 iterations.
        batch_size: samples per update; OpenSpiel skips updates while it has fewer. 0 is refused: it would train on empty entries too.
        learning_rate: of Adam.
        memory_capacity: samples kept.
    """

    hidden_size: Count = 64
    num_layers: Count = 1
    num_traversals: Count = 375
    advantage_network_train_steps: Count = 375
    policy_network_train_steps: Count = 100
    batch_size: Count = 256
    learning_rate: Positive = 1e-3
    memory_capacity: Count = 1_000_000


def _deep_cfr(game: AnyGame, settings: DeepCfrSettings, seed: int) -> Learner:
    """OpenSpiel's Deep CFR; its average policy is also trained in each iteration, and that time counts.

    A traversal tries every action of one player, so it ends in many places: each of them is a game played to its end.
    """
    from open_spiel.python.pytorch.deep_cfr import DeepCFRSolver

    class Solver(DeepCFRSolver):  # type: ignore[misc]  # OpenSpiel gives no types
        """OpenSpiel's solver, mended: it fails where no traversal has reached a player yet, as it then takes the length of None."""

        ends = 0

        def step(self) -> int:
            """One iteration; how many games were played to their end."""
            before = self.ends
            self.solve()
            return self.ends - before

        def agent(self) -> Any:
            """The average policy."""
            return profile(game, self.action_probabilities)

        def _traverse_game_tree(self, state: Any, player: int) -> Any:
            self.ends += state.is_terminal()
            return super()._traverse_game_tree(state, player)

        def _learn_advantage_network(self, player: int) -> Any:
            return None if self.advantage_buffers[player] is None else super()._learn_advantage_network(player)

    solver = Solver(
        spiel(game),
        policy_network_layers=[settings.hidden_size] * settings.num_layers,
        advantage_network_layers=[settings.hidden_size] * settings.num_layers,
        num_iterations=1,
        num_traversals=settings.num_traversals,
        learning_rate=settings.learning_rate,
        batch_size_advantage=settings.batch_size,
        batch_size_strategy=settings.batch_size,
        memory_capacity=settings.memory_capacity,
        policy_network_train_steps=settings.policy_network_train_steps,
        advantage_network_train_steps=settings.advantage_network_train_steps,
        seed=seed,
    )
    seed_all(seed)
    return cast(Learner, solver)


@dataclass(frozen=True)
class RegressionSettings(Ranged):
    """Settings of regression CFR.

    Attributes:
        hidden_size: units of the hidden layer of both networks.
        update_epochs: passes over all sequences per iteration.
        batch_size: sequences per update.
        learning_rate: of Adam.
        truncate_negative: cut negative regrets, as CFR+ does.
    """

    hidden_size: Count = 13
    update_epochs: Count = 10
    batch_size: Count = 28
    learning_rate: Positive = 0.01
    truncate_negative: bool = False


def _regression_cfr(game: AnyGame, settings: RegressionSettings, seed: int) -> Iterated:
    """OpenSpiel's regression CFR with exact cumulative regrets; it walks the whole tree in each iteration."""
    from open_spiel.python.pytorch import rcfr

    seed_all(seed)
    native = spiel(game)
    shape = {"num_hidden_units": settings.hidden_size, "num_hidden_factors": 1, "use_skip_connections": True}
    models = [rcfr.DeepRcfrModel(native, **shape) for _ in (0, 1)]
    solver = rcfr.RcfrSolver(native, models, truncate_negative=settings.truncate_negative)

    def fit(model: Any, data: Any) -> None:
        loader = torch.utils.data.DataLoader(data, batch_size=settings.batch_size, shuffle=True)
        optimiser = torch.optim.Adam(model.parameters(), lr=settings.learning_rate, amsgrad=True)
        for _ in range(settings.update_epochs):
            for features, targets in loader:
                optimiser.zero_grad()
                torch.nn.functional.huber_loss(model(features), targets).backward()
                optimiser.step()

    def agent() -> Any:
        rows = {key: dict(row) for key, row in solver.average_policy().items()}
        return profile(game, lambda state: rows[state.information_state_string()])

    return Iterated(solver, partial(solver.evaluate_and_update_policy, fit), 2 * games_of(native), agent)


@dataclass(frozen=True)
class EscherSettings(Ranged):
    """Settings of ESCHER; the defaults, except `avg_policy_batch_steps`, are those that OpenSpiel made for Kuhn poker.

    Attributes:
        hidden_size, num_layers: units of a hidden layer of all networks, and how many there are.
        value_traversals, regret_traversals: games per iteration and player for the value and for the regrets.
        value_exploration: the chance of a random action in the games for the value.
        value_batch_steps, regret_batch_steps: updates of these networks per iteration and player.
        avg_policy_batch_steps: updates of the average policy per iteration, from the current weights; OpenSpiel's example makes
            2,500 every 20 iterations.
        batch_size: samples per update.
        learning_rate: of Adam.
        memory_capacity: samples kept.
    """

    hidden_size: Count = 64
    num_layers: Count = 1
    value_traversals: Count = 512
    regret_traversals: Count = 1024
    value_exploration: Chance = 0.1
    value_batch_steps: Count = 512
    regret_batch_steps: Count = 375
    avg_policy_batch_steps: Count = 128
    batch_size: Count = 256
    learning_rate: Positive = 1e-3
    memory_capacity: Count = 1_000_000

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.batch_size > self.value_traversals:
            raise ValueError(f"batch_size={self.batch_size} must be at most value_traversals={self.value_traversals}")


class _Config(SimpleNamespace):
    """The settings in OpenSpiel's words. OpenSpiel fails where a player has had fewer decisions than a batch: this skips the updates."""

    settings: EscherSettings
    agent: Any

    def __init__(self, s: EscherSettings) -> None:
        layers = [s.hidden_size] * s.num_layers
        each = {
            "net": layers,
            "batch_size": s.batch_size,
            "learning_rate": s.learning_rate,
            "memory_capacity": s.memory_capacity,
        }
        networks = ("value", "regret", "avg_policy")
        super().__init__(settings=s, **{f"{name}_{key}": value for name in networks for key, value in each.items()})
        self.value_traversals, self.regret_traversals = s.value_traversals, s.regret_traversals
        self.value_batch_steps, self.value_exploration = s.value_batch_steps, s.value_exploration
        self._turn = cycle((0, 1))

    @property
    def regret_batch_steps(self) -> int:
        """The number of updates of the regret network; the solver asks for it once for each player in turn."""
        return self._if_enough(self.agent.regret_buffers[next(self._turn)], self.settings.regret_batch_steps)

    @property
    def avg_policy_batch_steps(self) -> int:
        return self._if_enough(self.agent.avg_policy_buffer, self.settings.avg_policy_batch_steps)

    def _if_enough(self, buffer: Any, steps: int) -> int:
        return steps if len(buffer) >= self.settings.batch_size else 0


def _escher(game: AnyGame, settings: EscherSettings, seed: int) -> Iterated:
    """OpenSpiel's ESCHER; its average policy is also trained in each iteration, and that time counts."""
    from open_spiel.python.pytorch import escher

    native, config = spiel(game), _Config(settings)
    seed_all(seed)
    agent, training = escher.Agent(native, config), escher.TrainConfig(native)
    config.agent = agent
    training.iterations, training.games_vs_random = 1, 1  # it divides by the latter
    seed_all(seed)
    return Iterated(
        agent,
        lambda: escher.train(training, agent),
        2 * (settings.value_traversals + settings.regret_traversals),
        lambda: profile(game, agent.action_probabilities),
    )


DEEP_CFR = torch_algorithm(
    "openspiel_deep_cfr",
    DeepCfrSettings,
    _deep_cfr,
    sees="tree",
    scored="average",
    source="Brown et al., Deep Counterfactual Regret Minimization (2019)",
)
REGRESSION_CFR = torch_algorithm(
    "openspiel_regression_cfr",
    RegressionSettings,
    _regression_cfr,
    sees="tree",
    scored="average",
    source="Waugh et al., Solving Games with Functional Regret Estimation (2015)",
    memory="tree",
)
ESCHER = torch_algorithm(
    "openspiel_escher",
    EscherSettings,
    _escher,
    sees="tree",
    scored="average",
    source="McAleer et al., ESCHER: Eschewing Importance Sampling in Games by Computing a History Value Function to Estimate Regret (2023)",
)
