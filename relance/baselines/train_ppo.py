"""Proximal policy optimisation in self-play, with an entropy bonus.

One policy plays both seats; each seat's decisions are a trajectory of their own, paid in that seat's chips. Without the bonus
(`entropy` 0, plain PPO) each seat improves against the current policy of the other, and the two chase each other around the
equilibrium. The bonus turns the circles into a spiral towards a smoothed equilibrium, which is the nearer to a true one the smaller
the bonus is. In a large published comparison, Rudolph et al., Reevaluating Policy Gradient Methods for Imperfect-Information
Games (2026), the best bonus of PPO lay between 0.05 and 0.2, and with such tuning it was level with the algorithms made for such games.

A budget may end at any time, so what is annealed falls with the updates so far, not with the part of the budget that is spent.
"""

from __future__ import annotations

from dataclasses import dataclass

from relance.baselines.rollouts import (
    Games,
    NetworkPlayer,
    SampledDecisions,
    Tensor,
    copied,
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


class Ppo:
    """PPO on one game."""

    def __init__(self, game: Game, settings: Settings, seed: int) -> None:
        self.settings, self.updates = settings, 0
        self.random = torch.Generator().manual_seed(seed)
        self.games = Games(game, settings.games, seed)
        self.policy = perceptron(self.games.size, settings.hidden, self.games.actions, self.random)
        self.critic = perceptron(self.games.size, settings.hidden, 1, self.random)
        self.adam = torch.optim.Adam([*self.policy.parameters(), *self.critic.parameters()], settings.rate, eps=1e-5)

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
        return self.settings.games

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
            self.descend(loss + self.further_loss(log_chances, some) + self.critic_loss(some))

    def further_loss(self, log_chances: Tensor, some: SampledDecisions) -> Tensor | float:
        """What a descendant of PPO adds to its loss."""
        return 0.0

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


PPO = model_free("ppo", Settings, Ppo, source="Schulman et al., Proximal Policy Optimization Algorithms (2017)")
