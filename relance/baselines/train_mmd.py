"""Magnetic mirror descent by self-play: a policy gradient with a pull towards a slow copy of itself, which converges.

The policy plays itself at many tables. A critic learns what each action earns on average, for each seat, betting and hand. The
logits of the policy then move by `rate` times the advantage of each action, less `pull` times the log of how much likelier the
policy takes it than the magnet does. The pull turns cycles around an equilibrium into spirals towards the magnet's equilibrium. The
magnet follows the policy slowly, so that the pull vanishes in the end. The score is that of an average of the magnets' logits, in
which later ones count more: sampling noise moves a magnet for a long time, but cancels out in the average.

The algorithm is that of Sokota et al. (2023). The magnet follows as in Perolat et al., From Poincare Recurrence to Convergence
(2021); the step in logits is that of NeuRD, Hennes et al. (2020); the weights of the average grow as in Brown and Sandholm, Solving
Imperfect-Information Games via Discounted Regret Minimization (2019).
"""

from __future__ import annotations

import copy
import math
from dataclasses import dataclass

from relance.baselines.algorithms import GoesTo
from relance.baselines.rollouts import Tensor
from relance.baselines.selfplay import Agent, Encoder, Knots, Network, Tables, log_softmax, self_play, torch
from relance.baselines.settings import Count, NotNegative, Positive, Ranged
from relance.model.game import Game
from relance.play.rules import rules


@dataclass(frozen=True)
class Settings(Ranged):
    """Settings of `Mmd`.

    Attributes:
        games: games sampled for each update.
        hidden: width of the hidden layer of policy and critic.
        knots: number of tent functions that encode a hand on [0, 1].
        rate: how far a logit moves for an advantage of 1 at the start; it falls as updates ** -0.5. An advantage
            of 1 is the most that a player can lose.
        critic_rate: the fraction of its error that the critic corrects in each update.
        pull: strength of the pull to the magnet: how much advantage makes up for a unit of log-probability.
        follow: the fraction of its distance to the policy that the magnet covers in each update, at the start; it falls like `rate`.
        slow: after how many updates `rate` and `follow` have fallen to 0.7 of their start.
        widest: how far a logit may fall below that of the likeliest action, at the start, so that every action is still tried; the
            chance that this leaves, exp(-widest), falls like `rate`.
        trust: how many decisions at an input cell give half a full step; fewer give a smaller one.
        later: magnet number n has a weight of about n to this power in the average; 0 is the plain mean.
    """

    games: Count = 8192
    hidden: Count = 128
    knots: Knots = 64
    rate: Positive = 1.0
    critic_rate: Positive = 0.5
    pull: Positive = 0.2
    follow: Positive = 0.05
    slow: Positive = 200.0
    widest: Positive = 7.0
    trust: Positive = 20.0
    later: NotNegative = 2.0


RARELY = 0.1
"""The least probability by which the errors of the critic are divided."""


class Mmd:
    """Magnetic mirror descent on one game."""

    def __init__(self, game: Game, settings: Settings, seed: int) -> None:
        self.settings, self.updates = settings, 0
        self.most = max(rules(game).worst)
        self.encoder = Encoder(game, settings.knots)
        self.tables = Tables(game, settings.games, self.encoder, seed)
        random = torch.Generator().manual_seed(seed)
        self.policy, self.critic = (
            Network(self.encoder.size, settings.hidden, len(game.actions), random) for _ in range(2)
        )
        self.magnet = copy.deepcopy(self.policy)
        self.average = self.magnet.table().detach().double()

    @property
    def parameters(self) -> int:
        """The entries of the average, a table."""
        return int(self.average.numel())

    def agent(self) -> Agent:
        """The average of the magnets."""
        return Agent(self.encoder, self.average.float())

    def last(self) -> Agent:
        """The current policy."""
        return Agent(self.encoder, self.policy.table().detach())

    def goes_to(self) -> GoesTo:
        """The agents' quantal response equilibrium at the temperature of the pull."""
        magnet = Agent(self.encoder, self.magnet.table().detach())
        return GoesTo("agent", self.settings.pull * self.most, self.last(), magnet)

    def step(self) -> int:
        """Play, then update critic, policy, magnet and average once."""
        settings = self.settings
        slower = (1 + self.updates / settings.slow) ** -0.5
        seen = self.tables.play(Agent(self.encoder, self.policy.table()))
        logits, earned = self.policy(seen.inputs), self.critic(seen.inputs)
        with torch.no_grad():
            visits = seen.count.sum(1, keepdim=True)
            weight = visits / (seen.near[:, None] + settings.trust)
            log_chance = log_softmax(logits, seen.masks)
            chance = log_chance.exp()
            errors = seen.chips / self.most - earned
            learn = weight * seen.count / visits / chance.clamp(min=RARELY) * errors
        ascend(self.critic, earned, learn, settings.critic_rate)
        with torch.no_grad():
            from_magnet = log_chance - log_softmax(self.magnet(seen.inputs), seen.masks)
            gain = (self.critic(seen.inputs) - settings.pull * from_magnet).masked_fill(~seen.masks, 0)
            gain = (gain - (chance * gain).sum(1, keepdim=True)).masked_fill(~seen.masks, 0)
            below = logits.masked_fill(~seen.masks, -torch.inf).amax(1, keepdim=True) - logits
            gain = gain.masked_fill((below > settings.widest - math.log(slower)) & (gain < 0), 0)
        ascend(self.policy, logits, weight * gain, settings.rate * slower)
        with torch.no_grad():
            for slow, fast in zip(self.magnet.parameters, self.policy.parameters, strict=True):
                slow.lerp_(fast, min(1.0, settings.follow * slower))
            self.average.lerp_(self.magnet.table().double(), (settings.later + 1) / (settings.later + 1 + self.updates))
        self.updates += 1
        return settings.games


def ascend(network: Network, outputs: Tensor, direction: Tensor, rate: float) -> None:
    """One plain gradient step that moves the outputs, (k, A), in this direction, (k, A)."""
    with torch.no_grad():
        gradients = torch.autograd.grad(outputs, network.parameters, direction)
        for parameter, gradient in zip(network.parameters, gradients, strict=True):
            parameter.add_(gradient, alpha=rate)


MMD = self_play(
    "mmd",
    Settings,
    Mmd,
    scored="average",
    ours=True,
    source="after Sokota et al., A Unified Approach to Reinforcement Learning, Quantal Response Equilibria [...] (2023)",
)
