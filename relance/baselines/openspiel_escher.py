"""OpenSpiel's own ESCHER (PyTorch) on our games and on its own, under the protocol of `relance.baselines.runs`.

A network learns the value of a history from sampled games; regrets are its differences over the actions of one sampled game, so
that nothing is divided by a small chance. The average policy is scored. The networks of value and regret start afresh in each
iteration, as published.
"""

from __future__ import annotations

from dataclasses import dataclass

from relance.baselines.algorithms import Iterated
from relance.baselines.openspiel_games import AnyGame, spiel
from relance.baselines.openspiel_tabular import seed_all
from relance.baselines.openspiel_torch import profile, torch_algorithm
from relance.baselines.settings import Chance, Count, Positive, Ranged


@dataclass(frozen=True)
class Settings(Ranged):
    """Settings of ESCHER; the defaults, except `policy_steps`, are those that OpenSpiel made for Kuhn poker.

    Attributes:
        hidden, layers: units of a hidden layer of all networks, and how many there are.
        value_traversals, regret_traversals: games per iteration and player for the value and for the regrets.
        exploration: the chance of a random action in the games for the value.
        value_steps, regret_steps: updates of these networks per iteration and player.
        policy_steps: updates of the average policy per iteration, from the current weights; OpenSpiel's example makes 2,500 every
            20 iterations.
        batch: samples per update.
        learning_rate: of Adam.
        memory: samples kept.
    """

    hidden: Count = 64
    layers: Count = 1
    value_traversals: Count = 512
    regret_traversals: Count = 1024
    exploration: Chance = 0.1
    value_steps: Count = 512
    regret_steps: Count = 375
    policy_steps: Count = 128
    batch: Count = 256
    learning_rate: Positive = 1e-3
    memory: Count = 1_000_000

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.batch > min(self.value_traversals, self.regret_traversals):
            least = min(self.value_traversals, self.regret_traversals)
            raise ValueError(f"batch={self.batch} must be at most the games of an iteration, {least}")


def start(game: AnyGame, settings: Settings, seed: int) -> Iterated:
    """OpenSpiel's ESCHER; its average policy is also trained in each iteration, and that time counts."""
    from open_spiel.python.pytorch import escher

    s, config = settings, escher.Config()
    layers = [s.hidden] * s.layers
    config.value_net = config.regret_net = config.avg_policy_net = layers
    config.value_batch_size = config.regret_batch_size = config.avg_policy_batch_size = s.batch
    config.value_learning_rate = config.regret_learning_rate = config.avg_policy_learning_rate = s.learning_rate
    config.value_memory_capacity = config.regret_memory_capacity = config.avg_policy_memory_capacity = s.memory
    config.value_traversals, config.regret_traversals = s.value_traversals, s.regret_traversals
    config.value_batch_steps, config.regret_batch_steps = s.value_steps, s.regret_steps
    config.avg_policy_batch_steps, config.value_exploration = s.policy_steps, s.exploration
    native = spiel(game)
    seed_all(seed)
    agent, training = escher.Agent(native, config), escher.TrainConfig(native)
    training.iterations, training.games_vs_random = 1, 1  # it divides by the latter
    seed_all(seed)
    return Iterated(
        agent,
        lambda: escher.train(training, agent),
        2 * (s.value_traversals + s.regret_traversals),
        lambda: profile(game, agent.action_probabilities),
    )


ESCHER = torch_algorithm(
    "openspiel_escher",
    Settings,
    start,
    sees="tree",
    source="McAleer et al., ESCHER: Eschewing Importance Sampling in Games by Computing a History Value Function to Estimate Regret (2023)",
)
