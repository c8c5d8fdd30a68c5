"""Proximal policy optimisation in self-play, with an entropy bonus and a magnet: `ppo`, `mmd_published`, `nash_pg`, `emagnet` and `ppg`.

One policy plays both seats. Plain PPO (`ent_coef` 0) circles around the equilibrium. A term added to its loss turns the circles into a
spiral towards a smoothed equilibrium; the smaller the term's weight, the nearer that is to a true equilibrium:

- `ppo`: an entropy bonus. In a large published comparison, Rudolph et al., Reevaluating Policy Gradient Methods for Imperfect-Information
  Games (2026), the best bonus lay between 0.05 and 0.2, and with such tuning PPO was level with the algorithms made for such games.
- `mmd_published`, magnetic mirror descent: its magnet is the uniform policy, so the pull to it is the entropy bonus, which falls with the
  root of time. `kl_coef` pulls to the policy that played; it is one over the step size of mirror descent. No policies are averaged.
- `nash_pg`, Nash policy gradient: a pull to a magnet, which is replaced by the current policy from time to time. Each new magnet brings
  the equilibrium of the game with the pull nearer to one of the game itself. The pull's weight is that of the authors' settings.
- `emagnet`: the magnet's weights are an exponential moving average of the policy's. Written from the paper's abstract.
- `ppg`, phasic policy gradient: from time to time an auxiliary phase, in which the policy's network also learns to forecast the chips.

A budget may end at any time, so what is annealed falls with the updates so far, not with the part of the budget that is spent. Policy
and critic are two networks, whose gradients are clipped apart, so the critic's loss needs no weight (`vf_coef`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from relance.baselines.rollouts import (
    NetworkPlayer,
    SampledDecisions,
    Tensor,
    copied,
    divergence,
    follow,
    linear,
    log_softmax,
    minibatches,
    model_free,
    perceptron,
    sampled,
    size_of,
    torch,
)
from relance.baselines.settings import Chance, Count, NotNegative, Positive, Ranged
from relance.model.game import Game
from relance.play.batch import Batch


@dataclass(frozen=True)
class Settings(Ranged):
    """Settings of `Ppo`. Defaults of `num_envs`, `learning_rate` and `ent_coef`, also in subclasses, are the best of 25 trials, rounded.

    Attributes:
        num_envs: tables at which a game is played to its end for each update.
        hidden_size: width of the two hidden layers of policy and critic.
        learning_rate: the learning rate of Adam at the start.
        anneal_lr: the learning rate falls as 1 / sqrt(1 + updates / anneal_updates).
        ent_coef: weight of the policy's entropy beside the advantages, whose standard deviation is 1; 0 is plain PPO.
        ent_decay: `ent_coef` is multiplied by 1 / (1 + updates / anneal_updates) to this power.
        anneal_updates: see `anneal_lr` and `ent_decay`.
        update_epochs: passes over the decisions of an update.
        num_minibatches: minibatches of a pass.
        clip_range: the largest relative change of an action's probability before its gradient stops.
        gae_lambda: lambda of the generalised advantage estimates; with 1 the estimates use only the chips at the end.
        max_grad_norm: the longest gradient of policy or critic before it is scaled down.
        kl_coef: weight of the divergence of the new policy from the policy that played the games.
        magnet_coef: weight of the divergence of the policy from the magnet, an earlier or averaged copy of the policy.
        magnet_update_interval: updates between two moves of the magnet.
        tau: the fraction of its distance to the policy that the magnet covers in a move, weight by weight.
    """

    num_envs: Count = 1024
    hidden_size: Count = 64
    learning_rate: Positive = 0.0056
    anneal_lr: bool = True
    ent_coef: NotNegative = 0.055
    ent_decay: NotNegative = 0.5
    anneal_updates: Positive = 200.0
    update_epochs: Count = 4
    num_minibatches: Count = 4
    clip_range: Positive = 0.05
    gae_lambda: Chance = 0.95
    max_grad_norm: Positive = 0.5
    kl_coef: NotNegative = 0.0
    magnet_coef: NotNegative = 0.0
    magnet_update_interval: Count = 1
    tau: Chance = 0.01


@dataclass(frozen=True)
class MmdSettings(Settings):
    """Settings of `mmd_published`, those of `ppo` with other defaults."""

    learning_rate: Positive = 0.0011
    ent_coef: NotNegative = 0.13
    kl_coef: NotNegative = 0.05


@dataclass(frozen=True)
class NashPgSettings(Settings):
    """Settings of `nash_pg`, Nash policy gradient: those of `ppo` with other defaults."""

    num_envs: Count = 256
    learning_rate: Positive = 0.0005
    ent_coef: NotNegative = 0.018
    ent_decay: NotNegative = 0.0
    magnet_coef: NotNegative = 0.2
    magnet_update_interval: Count = 100
    tau: Chance = 1.0


@dataclass(frozen=True)
class EmagnetSettings(Settings):
    """Settings of `emagnet`: those of `ppo` with other defaults."""

    num_envs: Count = 256
    learning_rate: Positive = 0.00062
    ent_coef: NotNegative = 0.053
    magnet_coef: NotNegative = 0.2


@dataclass(frozen=True)
class PpgSettings(Settings):
    """Settings of `ppg`, phasic policy gradient: those of `ppo`, and these. Defaults are not tuned: a search's best failed in other games.

    Attributes:
        n_iteration: updates between two auxiliary phases.
        e_auxiliary: passes, in an auxiliary phase, over all decisions since the previous phase.
        beta_clone: weight of the divergence from the policy before the auxiliary phase.
    """

    update_epochs: Count = 2
    n_iteration: Count = 8
    e_auxiliary: Count = 3
    beta_clone: Positive = 1.0


class Ppo:
    """PPO with a magnet, on one game."""

    changes: tuple[str, ...] = ("updates", "random", "draws", "batch", "policy", "critic", "optimizer", "magnet")

    def __init__(self, game: Game, settings: Any, seed: int) -> None:
        self.settings, self.updates = settings, 0
        self.random, self.draws = torch.Generator().manual_seed(seed), np.random.default_rng([seed, 1])
        self.batch = Batch(game, settings.num_envs, seed)
        inputs, outputs = self.batch.observe().shape[1], len(game.actions)
        self.policy = perceptron(inputs, settings.hidden_size, outputs, self.random)
        self.critic = perceptron(inputs, settings.hidden_size, 1, self.random)
        weights = [*self.policy.parameters(), *self.critic.parameters()]
        self.optimizer = torch.optim.Adam(weights, settings.learning_rate, eps=1e-5)
        self.magnet = copied(self.policy)

    @property
    def parameters(self) -> int:
        """The number of weights of the policy's network."""
        return size_of(self.policy)

    def agent(self) -> NetworkPlayer:
        """The current policy."""
        return NetworkPlayer(copied(self.policy))

    def step(self) -> int:
        """Play, improve policy and critic on these games, and move the magnet if that is due; return the number of games."""
        self.improve(self.play())
        self.updates += 1
        if self.updates % self.settings.magnet_update_interval == 0:
            follow(self.magnet, self.policy, self.settings.tau)
        return self.batch.n

    def play(self) -> SampledDecisions:
        """Play a game at every table; return the decisions."""
        return sampled(self.batch, self.policy, self.critic, self.settings.gae_lambda, self.draws)

    def improve(self, played: SampledDecisions) -> None:
        """Improve policy and critic by some steps of Adam on these decisions."""
        s, falling = self.settings, 1 / (1 + self.updates / self.settings.anneal_updates)
        for group in self.optimizer.param_groups:
            group["lr"] = s.learning_rate * (falling**0.5 if s.anneal_lr else 1)
        ent_coef = s.ent_coef * falling**s.ent_decay
        for rows in minibatches(len(played.actions), s.update_epochs, s.num_minibatches, self.random):
            mb = played.some(rows)
            logprobs = log_softmax(self.policy(mb.obs), mb.masks)
            logratio = logprobs.gather(1, mb.actions[:, None]).squeeze(1) - mb.logprobs
            ratio = logratio.exp()
            advantages = (mb.advantages - mb.advantages.mean()) / (mb.advantages.std(correction=0) + 1e-8)
            clipped = ratio.clamp(1 - s.clip_range, 1 + s.clip_range)
            pg_loss = -torch.minimum(ratio * advantages, clipped * advantages).mean()
            entropy = -(logprobs.exp() * logprobs).sum(1).mean()
            loss = pg_loss - ent_coef * entropy + self.critic_loss(mb)
            if s.kl_coef:  # an unbiased estimate that is never negative
                loss = loss + s.kl_coef * (ratio * logratio - (ratio - 1)).mean()
            if s.magnet_coef:
                loss = loss + s.magnet_coef * divergence(logprobs, log_softmax(self.magnet(mb.obs), mb.masks))
            self.descend(loss)

    def critic_loss(self, mb: SampledDecisions) -> Tensor:
        """Half the mean square of the critic's error."""
        return 0.5 * (self.critic(mb.obs).squeeze(1) - mb.values - mb.advantages).square().mean()

    def descend(self, loss: Tensor) -> None:
        """One step of Adam for both networks."""
        self.optimizer.zero_grad()
        loss.backward()
        for network in (self.policy, self.critic):
            torch.nn.utils.clip_grad_norm_(network.parameters(), self.settings.max_grad_norm)
        self.optimizer.step()


class Ppg(Ppo):
    """Phasic policy gradient on one game: auxiliary phases also train a second head of the policy's network to forecast the chips."""

    changes = (*Ppo.changes, "forecast", "memory")

    def __init__(self, game: Game, settings: PpgSettings, seed: int) -> None:
        super().__init__(game, settings, seed)
        head = linear(settings.hidden_size, 1, self.random)
        self.forecast = torch.nn.Sequential(*self.policy[:-1], head)
        self.optimizer.add_param_group({"params": list(head.parameters())})
        self.memory: list[SampledDecisions] = []

    def improve(self, played: SampledDecisions) -> None:
        """A step of PPO, after which an auxiliary phase may be due."""
        super().improve(played)
        self.memory.append(played)
        if len(self.memory) == self.settings.n_iteration:
            self.auxiliary_phase(SampledDecisions(*map(torch.cat, zip(*self.memory, strict=True))))
            self.memory = []

    def auxiliary_phase(self, kept: SampledDecisions) -> None:
        """Train the critic and the policy network's second head to forecast chips; a penalty (`beta_clone`) keeps the policy as it was."""
        s = self.settings
        with torch.no_grad():
            before = log_softmax(self.policy(kept.obs), kept.masks)
        for rows in minibatches(len(before), s.e_auxiliary, s.num_minibatches * s.n_iteration, self.random):
            mb = kept.some(rows)
            error = 0.5 * (self.forecast(mb.obs).squeeze(1) - mb.values - mb.advantages).square().mean()
            moved = divergence(before[rows], log_softmax(self.policy(mb.obs), mb.masks))
            self.descend(error + s.beta_clone * moved + self.critic_loss(mb))


PPO = model_free("ppo", Settings, Ppo, source="Schulman et al., Proximal Policy Optimization Algorithms (2017)")
MMD_PUBLISHED = model_free(
    "mmd_published",
    MmdSettings,
    Ppo,
    source="Sokota et al., A Unified Approach to Reinforcement Learning, Quantal Response Equilibria, and Two-Player Zero-Sum Games (2023)",
)
NASH_PG = model_free(
    "nash_pg",
    NashPgSettings,
    Ppo,
    source="Yu et al., NashPG: A Policy Gradient Method with Iteratively Refined Regularization for Finding Nash Equilibria (2026)",
)
EMAGNET = model_free(
    "emagnet",
    EmagnetSettings,
    Ppo,
    source="Maidment et al., EMAgnet: Parameter-Space EMA Regularization for Policy Gradient Self-Play in Large Games (2026)",
)
PPG = model_free("ppg", PpgSettings, Ppg, source="Cobbe et al., Phasic Policy Gradient (2021)")
