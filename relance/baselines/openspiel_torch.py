"""OpenSpiel's own PyTorch agents on our games and on its own, under the protocol of `relance.baselines.runs`.

Two agents of NFSP, of a policy gradient or of PPO play each other through `rl_environment`. NFSP's average policy is scored, and the last
policy of the other agents.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from relance.baselines.algorithms import Algorithm, Lazy
from relance.baselines.openspiel_games import AnyGame
from relance.baselines.openspiel_tabular import Agents
from relance.baselines.settings import Chance, Count, NotNegative, Positive, Ranged

torch = Lazy("torch")

torch_algorithm = partial(
    Algorithm, sees="samples", openspiel=True, memory="pairs", extra="torch", modules=("torch", "tree")
)
"""An algorithm that learns from sampled games. It needs PyTorch, and dm-tree, which OpenSpiel needs but does not declare."""


@dataclass(frozen=True)
class NfspSettings(Ranged):
    """Settings of NFSP; the defaults are those of OpenSpiel's examples, which Heinrich and Silver (2016, section 4.1) used on Leduc.

    Attributes:
        hidden_size, num_layers: units of a hidden layer of both networks, and how many there are.
        optimizer: the optimiser of both networks.
        batch_size: transitions per update of a network.
        learn_every: decisions of an agent per update.
        update_target_network_every: decisions of an agent between updates of the target network; by default those of 300 updates of DQN.
        replay_buffer_capacity: transitions kept for the best response.
        reservoir_buffer_capacity: choices kept for the average policy.
        anticipatory_param: the chance that a game is played with the best response.
        rl_learning_rate, sl_learning_rate: of the best response and of the average policy.
        epsilon_start, epsilon_end: the chance of a random action of the best response, at the start and the end.
        epsilon_decay_duration: decisions over which it decays.
        games_per_step: games in a step of training; the run's budget is checked only after a step.
    """

    hidden_size: Count = 128
    num_layers: Count = 1
    optimizer: Literal["sgd", "adam"] = "sgd"
    batch_size: Count = 128
    learn_every: Count = 64
    update_target_network_every: Count = 19_200
    replay_buffer_capacity: Count = 200_000
    reservoir_buffer_capacity: Count = 2_000_000
    anticipatory_param: Chance = 0.1
    rl_learning_rate: Positive = 0.01
    sl_learning_rate: Positive = 0.01
    epsilon_start: Chance = 0.06
    epsilon_end: Chance = 0.001
    epsilon_decay_duration: Count = 3_000_000
    games_per_step: Count = 64


class Nfsp(Agents):
    """NFSP, whose average policy is scored."""

    def __init__(self, game: AnyGame, settings: NfspSettings, seed: int) -> None:
        from open_spiel.python.pytorch import nfsp

        s = settings
        self.mode = nfsp.MODE.AVERAGE_POLICY

        def make(player: int, size: int, actions: int) -> Any:
            return nfsp.NFSP(
                player,
                size,
                actions,
                [s.hidden_size] * s.num_layers,
                s.reservoir_buffer_capacity,
                s.anticipatory_param,
                batch_size=s.batch_size,
                learn_every=s.learn_every,
                optimizer_str=s.optimizer,
                update_target_network_every=s.update_target_network_every,
                rl_learning_rate=s.rl_learning_rate,
                sl_learning_rate=s.sl_learning_rate,
                seed=seed + player,
                replay_buffer_capacity=s.replay_buffer_capacity,
                epsilon_start=s.epsilon_start,
                epsilon_end=s.epsilon_end,
                epsilon_decay_duration=s.epsilon_decay_duration,
            )

        super().__init__(game, seed, s.games_per_step, make)

    def agent(self) -> Any:
        with self.agents[0].temp_mode_as(self.mode), self.agents[1].temp_mode_as(self.mode):
            return super().agent()


@dataclass(frozen=True)
class GradientSettings(Ranged):
    """Settings of the policy gradients.

    Attributes:
        loss: one of OpenSpiel's policy gradients; "rm" is RMPG.
        hidden_size: units of the one hidden layer.
        batch_size: decisions per update.
        critic_learning_rate, pi_learning_rate: the learning rates of the critic and of the policy.
        ent_coef: the weight of the policy's entropy.
        num_critic_before_pi: updates of the critic per update of the policy.
        games_per_step: games in a step of training; the run's budget is checked only after a step.
    """

    loss: Literal["qpg", "rpg", "rm", "a2c"] = "rpg"
    hidden_size: Count = 128
    batch_size: Count = 16
    critic_learning_rate: Positive = 0.01
    pi_learning_rate: Positive = 0.001
    ent_coef: NotNegative = 0.01
    num_critic_before_pi: Count = 8
    games_per_step: Count = 64


def _policy_gradient(game: AnyGame, settings: GradientSettings, seed: int) -> Agents:
    from open_spiel.python.pytorch.policy_gradient import PolicyGradient

    make = partial(
        PolicyGradient,
        loss_str=settings.loss,
        hidden_layers_sizes=[settings.hidden_size],
        batch_size=settings.batch_size,
        critic_learning_rate=settings.critic_learning_rate,
        pi_learning_rate=settings.pi_learning_rate,
        entropy_cost=settings.ent_coef,
        num_critic_before_pi=settings.num_critic_before_pi,
    )
    return Agents(game, seed, settings.games_per_step, make)


@dataclass(frozen=True)
class PpoSettings(Ranged):
    """Settings of PPO; the defaults are OpenSpiel's.

    Attributes:
        num_steps: decisions of each seat per update.
        num_minibatches, update_epochs: minibatches per update, and passes over them.
        learning_rate: of Adam.
        ent_coef: the weight of the policy's entropy.
        clip_range: how far the ratio of the new to the old policy may move from 1.
        games_per_step: games in a step of training; the run's budget is checked only after a step.
    """

    num_steps: Count = 128
    num_minibatches: Count = 4
    update_epochs: Count = 4
    learning_rate: Positive = 2.5e-4
    ent_coef: NotNegative = 0.01
    clip_range: Positive = 0.2
    games_per_step: Count = 64

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.num_minibatches > self.num_steps:
            raise ValueError(f"num_minibatches={self.num_minibatches} must be at most num_steps={self.num_steps}")


class PpoAgents(Agents):
    """Two of OpenSpiel's PPO agents, each of which sees only its own decisions and rewards."""

    def __init__(self, game: AnyGame, settings: PpoSettings, seed: int) -> None:
        from open_spiel.python.pytorch.ppo import PPO, PPOAgent

        s = settings

        def make(player: int, size: int, actions: int) -> Any:
            return PPO(
                (size,),
                actions,
                num_players=2,
                player_id=player,
                steps_per_batch=s.num_steps,
                num_minibatches=s.num_minibatches,
                update_epochs=s.update_epochs,
                learning_rate=s.learning_rate,
                gamma=1.0,
                entropy_coef=s.ent_coef,
                clip_coef=s.clip_range,
                agent_fn=PPOAgent,
            )

        super().__init__(game, seed, s.games_per_step, make)

    def _play(self) -> None:
        """Play one game. A decision is rewarded once the same seat acts again or the game ends."""
        time_step, waiting = self.env.reset(), [False, False]
        while not time_step.last():
            player = time_step.current_player()
            if waiting[player]:
                self._reward(player, 0.0, False, time_step)
            waiting[player] = True
            time_step = self.env.step([self.agents[player].step([time_step])[0].action])
        for player in (0, 1):
            if waiting[player]:
                self._reward(player, time_step.rewards[player], True, time_step)

    def _reward(self, player: int, chips: float, over: bool, time_step: Any) -> None:
        agent = self.agents[player]
        agent.post_step([chips], [over])
        if agent.cur_batch_idx == agent.steps_per_batch:
            agent.learn([time_step])


NFSP = torch_algorithm(
    "openspiel_nfsp",
    NfspSettings,
    Nfsp,
    scored="average",
    source="Heinrich and Silver, Deep Reinforcement Learning from Self-Play in Imperfect-Information Games (2016)",
)
POLICY_GRADIENT = torch_algorithm(
    "openspiel_policy_gradient",
    GradientSettings,
    _policy_gradient,
    source="Srinivasan et al., Actor-Critic Policy Optimization in Partially Observable Multiagent Environments (2018)",
)
PPO = torch_algorithm(
    "openspiel_ppo", PpoSettings, PpoAgents, source="Schulman et al., Proximal Policy Optimization Algorithms (2017)"
)
