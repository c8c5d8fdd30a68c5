"""Proximal policy optimisation in self-play, with an entropy bonus; and those that add a pull or a phase to it.

One policy plays both seats; each seat's decisions are a trajectory of their own, paid in that seat's chips. Without the bonus
(`entropy` 0, plain PPO) each seat improves against the current policy of the other, and the two chase each other around the
equilibrium. The bonus turns the circles into a spiral towards a smoothed equilibrium, which is the nearer to a true one the smaller
the bonus is. In a large published comparison, Rudolph et al., Reevaluating Policy Gradient Methods for Imperfect-Information
Games (2026), the best bonus of PPO lay between 0.05 and 0.2, and with such tuning it was level with the algorithms made for such games.

The others, with what they add; a pull is a Kullback-Leibler divergence in the loss:

- `nash_pg`, Nash policy gradient: a pull to a magnet, which is replaced by the current policy from time to time. Against a fixed magnet
  self-play converges to an equilibrium of the game with the pull; each new magnet brings that equilibrium nearer to one of the game
  itself, so the pull need not weaken. The entropy bonus is that of the authors' own settings, as is `magnet`.
- `emagnet`: a pull to a magnet whose weights are an exponential moving average of the policy's. Unlike the uniform magnet of
  `mmd_published`, it does not pull back towards actions that were found to be bad; unlike that of `nash_pg`, it moves after every update.
  Written from the paper's abstract: the settings are those of `nash_pg`, without its entropy bonus.
- `mmd_published`, magnetic mirror descent as published for deep learning: the magnet is the uniform policy, so the pull to it is the
  entropy bonus, which falls with the root of time by default and is constant in the settings that Rudolph et al. tuned (`entropy_falls` 0).
  A proximal term pulls to the policy that played; its constant weight is one over the step size of mirror descent. Unlike `mmd`, which
  is ours, it needs no table, its magnet does not move and no policies are averaged.
- `ppg`, phasic policy gradient: from time to time an auxiliary phase for what policy and value share.

A budget may end at any time, so what is annealed falls with the updates so far, not with the part of the budget that is spent.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from relance.baselines.rollouts import (
    SMALL,
    Games,
    NetworkPlayer,
    SampledDecisions,
    Tensor,
    copied,
    divergence,
    linear,
    log_chances_of,
    model_free,
    perceptron,
    shuffled,
    size_of,
    torch,
)
from relance.baselines.settings import Chance, Count, NotNegative, Positive, Ranged
from relance.model.game import Game


@dataclass(frozen=True)
class Settings(Ranged):
    """Settings of `Ppo`.

    Attributes:
        games: games sampled for each update.
        hidden: width of the two hidden layers of policy and critic.
        rate: learning rate of Adam at the start.
        rate_falls: the rate falls with the updates to this power, once there are more than `slow`; with 0 it stays.
        entropy: weight of the policy's entropy beside the advantages, whose standard deviation is 1; 0 is plain PPO.
        entropy_falls: the weight falls with the updates to this power, once there are more than `slow`; with 0 it stays.
        slow: after how many updates 1 / (1 + updates / slow), whose powers the falling settings follow, has come down to a half.
        epochs: passes over the decisions of an update.
        parts: minibatches of a pass.
        clip: the largest relative change of an action's probability before its gradient stops.
        trace: decay of the generalised advantage estimates; 1 takes the chips at the end as they are.
        longest: the longest gradient of policy or critic before it is scaled down.
    """

    games: Count = 1024
    hidden: Count = 64
    rate: Positive = 0.0003
    rate_falls: NotNegative = 0.5
    entropy: NotNegative = 0.1
    entropy_falls: NotNegative = 0.0
    slow: Positive = 200.0
    epochs: Count = 4
    parts: Count = 4
    clip: Positive = 0.05
    trace: Chance = 0.95
    longest: Positive = 0.5


@dataclass(frozen=True)
class NashPgSettings(Settings):
    """Settings of Nash policy gradient.

    Attributes:
        games, hidden, rate, rate_falls, slow, epochs, parts, clip, trace, longest: as for PPO.
        entropy, entropy_falls: as for PPO.
        magnet: weight of the divergence from the magnet.
        refresh: after how many updates the magnet becomes the current policy.
    """

    entropy: NotNegative = 0.05
    magnet: NotNegative = 0.2
    refresh: Count = 100


@dataclass(frozen=True)
class EmagnetSettings(Settings):
    """Settings of EMAgnet.

    Attributes:
        games, hidden, rate, rate_falls, slow, epochs, parts, clip, trace, longest: as for PPO.
        entropy, entropy_falls: as for PPO.
        magnet: weight of the divergence from the magnet.
        follow: the fraction of its distance to the policy that the magnet covers in each update, weight by weight.
    """

    entropy: NotNegative = 0.0
    magnet: NotNegative = 0.2
    follow: Chance = 0.01


@dataclass(frozen=True)
class MmdPublishedSettings(Settings):
    """Settings of magnetic mirror descent as published.

    Attributes:
        games, hidden, rate, rate_falls, slow, epochs, parts, clip, trace, longest: as for PPO.
        entropy, entropy_falls: as for PPO: the pull to the uniform magnet, which falls with the root of time.
        proximal: weight of the divergence of the new policy from the one that played; it is constant.
    """

    entropy_falls: NotNegative = 0.5
    proximal: NotNegative = 0.05


@dataclass(frozen=True)
class PpgSettings(Settings):
    """Settings of `Ppg`.

    Attributes:
        games, hidden, rate, rate_falls, slow, parts, clip, trace, longest: as for PPO.
        entropy, entropy_falls, epochs: as for PPO.
        policy_phase: updates between two auxiliary phases.
        auxiliary_epochs: passes over all decisions since the last one in an auxiliary phase.
        clone: weight of the divergence from the policy before the auxiliary phase.
    """

    epochs: Count = 2
    policy_phase: Count = 8
    auxiliary_epochs: Count = 3
    clone: Positive = 1.0


class Ppo:
    """PPO on one game, with a pull or without.

    Args:
        game, settings, seed: as for every learner.
        pull: what is added to the loss, given the learner, the log-probabilities (k, A) of the new policy, and k decisions.
        move: moves the magnet after each update.

    Attributes:
        magnet: a copy of the first policy, until `move` moves it.
    """

    changes: tuple[str, ...] = ("updates", "random", "games", "policy", "critic", "adam", "magnet")

    def __init__(
        self,
        game: Game,
        settings: Any,
        seed: int,
        pull: Callable[[Ppo, Tensor, SampledDecisions], Tensor] | None = None,
        move: Callable[[Ppo], None] = lambda learner: None,
    ) -> None:
        self.settings, self.updates, self.pull, self.move = settings, 0, pull, move
        self.random = torch.Generator().manual_seed(seed)
        self.games = Games(game, settings.games, seed)
        self.policy = perceptron(self.games.size, settings.hidden, self.games.actions, self.random)
        self.critic = perceptron(self.games.size, settings.hidden, 1, self.random)
        self.adam = torch.optim.Adam([*self.policy.parameters(), *self.critic.parameters()], settings.rate, eps=1e-5)
        self.magnet = copied(self.policy)

    @property
    def parameters(self) -> int:
        """The numbers of the policy's network."""
        return size_of(self.policy)

    def agent(self) -> NetworkPlayer:
        """The current policy."""
        return NetworkPlayer(copied(self.policy))

    def step(self) -> int:
        """Play, then improve policy and critic on these games."""
        self.improve(self.games.play(self.policy, self.critic, self.settings.trace))
        self.updates += 1
        self.move(self)
        return self.games.batch.n

    def improve(self, played: SampledDecisions) -> None:
        """Some steps of Adam on these decisions."""
        settings, slower = self.settings, 1 / (1 + self.updates / self.settings.slow)
        for group in self.adam.param_groups:
            group["lr"] = settings.rate * slower**settings.rate_falls
        entropy = settings.entropy * slower**settings.entropy_falls
        for rows in shuffled(len(played.action), settings.epochs, settings.parts, self.random):
            some = played.some(rows)
            log_chances = log_chances_of(self.policy(some.seen), some.masks)
            loss = clipped(log_chances, some, settings.clip) - entropy * entropy_of(log_chances)
            further = self.pull(self, log_chances, some) if self.pull else 0.0
            self.descend(loss + further + self.critic_loss(some))

    def critic_loss(self, some: SampledDecisions) -> Tensor:
        """Half the mean square of the critic's error."""
        return 0.5 * (self.critic(some.seen).squeeze(1) - some.value - some.gain).square().mean()

    def descend(self, loss: Tensor) -> None:
        """One step of Adam for both networks."""
        self.adam.zero_grad()
        loss.backward()
        for network in (self.policy, self.critic):
            torch.nn.utils.clip_grad_norm_(network.parameters(), self.settings.longest)
        self.adam.step()


def clipped(log_chances: Tensor, some: SampledDecisions, clip: float) -> Tensor:
    """The clipped objective of PPO as a loss, on advantages of mean 0 and standard deviation 1."""
    gain = (some.gain - some.gain.mean()) / (some.gain.std(correction=0) + 1e-8)
    ratio = (log_chances.gather(1, some.action[:, None]).squeeze(1) - some.log_chance).exp()
    return -torch.minimum(ratio * gain, ratio.clamp(1 - clip, 1 + clip) * gain).mean()


def entropy_of(log_chances: Tensor) -> Tensor:
    """The mean entropy of probabilities (k, A), given their logs."""
    return -(log_chances.exp() * log_chances).sum(1).mean()


def to_magnet(learner: Ppo, log_chances: Tensor, some: SampledDecisions) -> Tensor:
    """A pull to the magnet."""
    return learner.settings.magnet * divergence(log_chances, log_chances_of(learner.magnet(some.seen), some.masks))


def to_player(learner: Ppo, log_chances: Tensor, some: SampledDecisions) -> Tensor:
    """A pull to the policy that played, by the divergence's unbiased estimate that is never negative."""
    log_ratio = log_chances.gather(1, some.action[:, None]).squeeze(1) - some.log_chance
    ratio = log_ratio.exp()
    return learner.settings.proximal * (ratio * log_ratio - (ratio - 1)).mean()


def refresh(learner: Ppo) -> None:
    """The magnet becomes the current policy, from time to time."""
    if learner.updates % learner.settings.refresh == 0:
        learner.magnet = copied(learner.policy)


def follow(learner: Ppo) -> None:
    """Each of the magnet's weights goes part of the way to the policy's."""
    with torch.no_grad():
        for slow, quick in zip(learner.magnet.parameters(), learner.policy.parameters(), strict=True):
            slow.lerp_(quick, learner.settings.follow)


class Ppg(Ppo):
    """Phasic policy gradient on one game.

    The policy's network has a second head that forecasts the chips. It learns only in the auxiliary phase, on the decisions of all
    updates since the last one, while the divergence from the policy before the phase holds the policy in place. The critic, a network
    of its own, learns in both phases.
    """

    changes = (*Ppo.changes, "forecast", "memory")

    def __init__(self, game: Game, settings: PpgSettings, seed: int) -> None:
        super().__init__(game, settings, seed)
        head = linear(settings.hidden, 1, SMALL, self.random)
        self.forecast = torch.nn.Sequential(*self.policy[:-1], head)
        self.adam.add_param_group({"params": list(head.parameters())})
        self.memory: list[SampledDecisions] = []

    def improve(self, played: SampledDecisions) -> None:
        """A step of PPO, after which an auxiliary phase may be due."""
        super().improve(played)
        self.memory.append(played)
        if len(self.memory) == self.settings.policy_phase:
            self.auxiliary_phase(SampledDecisions(*map(torch.cat, zip(*self.memory, strict=True))))
            self.memory = []

    def auxiliary_phase(self, kept: SampledDecisions) -> None:
        """Learn the forecast without moving the policy."""
        settings = self.settings
        with torch.no_grad():
            before = log_chances_of(self.policy(kept.seen), kept.masks)
        for rows in shuffled(
            len(before), settings.auxiliary_epochs, settings.parts * settings.policy_phase, self.random
        ):
            some = kept.some(rows)
            after = log_chances_of(self.policy(some.seen), some.masks)
            moved = divergence(before[rows], after)
            error = 0.5 * (self.forecast(some.seen).squeeze(1) - some.value - some.gain).square().mean()
            self.descend(error + settings.clone * moved + self.critic_loss(some))


PPO = model_free("ppo", Settings, Ppo, source="Schulman et al., Proximal Policy Optimization Algorithms (2017)")
NASH_PG = model_free(
    "nash_pg",
    NashPgSettings,
    partial(Ppo, pull=to_magnet, move=refresh),
    source="Yu et al., NashPG: A Policy Gradient Method with Iteratively Refined Regularization for Finding Nash Equilibria (2026)",
)
EMAGNET = model_free(
    "emagnet",
    EmagnetSettings,
    partial(Ppo, pull=to_magnet, move=follow),
    source="Maidment et al., EMAgnet: Parameter-Space EMA Regularization for Policy Gradient Self-Play in Large Games (2026)",
)
MMD_PUBLISHED = model_free(
    "mmd_published",
    MmdPublishedSettings,
    partial(Ppo, pull=to_player),
    source="Sokota et al., A Unified Approach to Reinforcement Learning, Quantal Response Equilibria, and Two-Player Zero-Sum Games (2023)",
)
PPG = model_free("ppg", PpgSettings, Ppg, source="Cobbe et al., Phasic Policy Gradient (2021)")
