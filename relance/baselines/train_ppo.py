"""Plain proximal policy optimisation by self-play: the network and games of `train_mmd`, but no magnet.

Each seat improves against the current policy of the other, so the two chase each other around the equilibrium: the NashConv of
the current policy rises and falls and does not settle. The objective is the clipped one, on the returns of whole games to the
player who acted, without an entropy bonus.
"""

from __future__ import annotations

from dataclasses import dataclass

from relance.baselines.selfplay import Agent, Encoder, Knots, Network, Tables, log_softmax, self_play, torch
from relance.baselines.settings import Count, Positive, Ranged
from relance.model.game import Game


@dataclass(frozen=True)
class Settings(Ranged):
    """Settings of `Ppo`.

    Attributes:
        games: games sampled for each update.
        hidden: width of the hidden layer of policy and critic.
        knots: number of tent functions that encode a hand on [0, 1].
        rate: learning rate of Adam, for both networks.
        epochs: gradient steps on the same games.
        clip: the largest relative change of an action's probability before its gradient stops.
    """

    games: Count = 8192
    hidden: Count = 128
    knots: Knots = 64
    rate: Positive = 0.003
    epochs: Count = 4
    clip: Positive = 0.2


class Ppo:
    """PPO on one game."""

    def __init__(self, game: Game, settings: Settings, seed: int) -> None:
        self.settings = settings
        self.encoder = Encoder(game, settings.knots)
        self.tables = Tables(game, settings.games, self.encoder, seed)
        random = torch.Generator().manual_seed(seed)
        self.policy = Network(self.encoder.size, settings.hidden, len(game.actions), random)
        self.critic = Network(self.encoder.size, settings.hidden, 1, random)
        self.adam = torch.optim.Adam([*self.policy.parameters, *self.critic.parameters], settings.rate)

    def agent(self) -> Agent:
        """The current policy."""
        return Agent(self.encoder, self.policy.table())

    def step(self) -> int:
        """Play, then improve policy and critic on these games."""
        seen = self.tables.play(self.agent())
        share = seen.count / seen.count.sum()
        with torch.no_grad():
            before = log_softmax(self.policy(seen.inputs), seen.masks)
            gain = seen.chips - self.critic(seen.inputs)
            gain = gain / ((share * gain**2).sum().sqrt() + 1e-8)
        for _ in range(self.settings.epochs):
            ratio = (log_softmax(self.policy(seen.inputs), seen.masks) - before).exp()
            clipped = ratio.clamp(1 - self.settings.clip, 1 + self.settings.clip)
            better = (share * torch.minimum(ratio * gain, clipped * gain)).sum()
            error = (share * (seen.chips - self.critic(seen.inputs)) ** 2).sum()
            self.adam.zero_grad()
            (error - better).backward()
            self.adam.step()
        return self.settings.games


PPO = self_play("ppo", Settings, Ppo, source="Schulman et al., Proximal Policy Optimization Algorithms (2017)")
