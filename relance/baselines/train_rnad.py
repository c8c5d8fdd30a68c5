"""R-NaD, the learner of DeepNash: replicator dynamics on a game whose rewards are regularised towards an earlier policy.

Each decision costs its player `eta_reward_transform` times the log of how much likelier the policy takes it than the regularising
policy does, and pays the opponent as much. That game has one equilibrium, to which replicator dynamics converge. After
`entropy_schedule_size` updates the slow copy of the network is the new regularising policy; during the next half as many updates,
the rewards change from the old one to the new one. Logits are pushed along the estimated value of each action (NeuRD), but not beyond
`nerd_beta`. The slow copy is scored, its rare actions dropped and its probabilities rounded, as in the authors' own code.

Games are played with the policy that then learns once from them, so the importance ratios of v-trace are 1, and its targets are the
sums of the rewards that follow. Source of the settings and their names: OpenSpiel's `rnad.py` and its README, which
OpenSpiel 2.0.2 no longer carries.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from relance.baselines.algorithms import GoesTo
from relance.baselines.rollouts import (
    Module,
    Tensor,
    copied,
    draw_actions,
    follow,
    log_softmax,
    model_free,
    perceptron,
    play_out,
    size_of,
    torch,
)
from relance.baselines.settings import Chance, Count, Positive, Range, Ranged
from relance.model.arrays import Array
from relance.model.game import Game
from relance.play.batch import Batch


@dataclass(frozen=True)
class Settings(Ranged):
    """Settings of `Rnad`.

    The defaults from `learning_rate` to `target_network_avg` are rounded from the best of 25 trials for the leaderboard; the others are
    those of OpenSpiel's `rnad.py`.

    Attributes:
        num_envs: tables at which a game is played to its end for each update.
        hidden_size: width of the two hidden layers, which policy and value share.
        learning_rate: the learning rate of Adam, which has no momentum here.
        eta_reward_transform: weight of the regularisation, in chips.
        entropy_schedule_size: updates with one regularising policy.
        target_network_avg: the fraction of its distance to the network that the slow copy covers in each update.
        nerd_beta: how far a logit may be from the mean of the legal ones before it is pushed no further.
        policy_threshold: probabilities below this are played as 0.
        policy_discretization: probabilities are played as whole multiples of 1 / this number; 0 leaves them as they are.
    """

    num_envs: Count = 256
    hidden_size: Count = 256
    learning_rate: Positive = 0.0014
    eta_reward_transform: Positive = 0.023
    entropy_schedule_size: Count = 330
    target_network_avg: Positive = 0.0081
    nerd_beta: Positive = 2.0
    policy_threshold: Chance = 0.03
    policy_discretization: Annotated[int, Range(0)] = 32


class Rnad:
    """R-NaD on one game. The outputs of its networks are the logits of the actions and, last, the value to the player who acts."""

    changes = ("updates", "batch", "_random", "network", "slow", "regulars", "adam")

    def __init__(self, game: Game, settings: Settings, seed: int) -> None:
        self.settings, self.updates = settings, 0
        self.batch, self.actions = Batch(game, settings.num_envs, seed), len(game.actions)
        self._random = np.random.default_rng([seed, 1])
        random, size = torch.Generator().manual_seed(seed), self.batch.observe().shape[1]
        self.network = perceptron(size, settings.hidden_size, self.actions + 1, random)
        self.slow = copied(self.network)
        self.regulars = copied(self.network), copied(self.network)  # the present one and the one before
        self.adam = torch.optim.Adam(self.network.parameters(), settings.learning_rate, betas=(0.0, 0.999), eps=1e-7)

    @property
    def parameters(self) -> int:
        """The number of weights of the network, which forecasts the value too."""
        return size_of(self.network)

    def agent(self) -> Rounded:
        """Return the policy of the slow copy of the network, rounded."""
        return Rounded(copied(self.slow), self.settings.policy_threshold, self.settings.policy_discretization)

    def goes_to(self) -> GoesTo:
        """Return the point of convergence: the equilibrium of the game that is regularised towards the present regularising policy.

        The policies in the result are those of the networks: unlike in `agent`, no probability is rounded or dropped.
        """
        slow, regular = (Rounded(copied(net), 0.0, 0) for net in (self.slow, self.regulars[0]))
        return GoesTo("transformed", self.settings.eta_reward_transform, slow, regular)

    def step(self) -> int:
        """Play a game at every table, then improve the network once; return the number of games."""
        settings = self.settings
        seen, masks, player, action, earned, ended = self._play()
        outputs = self.network(seen)
        with torch.no_grad():
            log_chances = log_softmax(outputs[:, :-1], masks)
            beyond = log_chances - self._regular(seen, masks)
            cost = settings.eta_reward_transform * (log_chances.exp() * beyond).sum(1)
            forecast = self.slow(seen)[:, -1]
            ahead = self._ahead(cost, player, earned, ended)
            taken = torch.nn.functional.one_hot(action, self.actions) / log_chances.exp().clamp(min=1e-9)
            values = forecast[:, None] - settings.eta_reward_transform * beyond + taken * (ahead - forecast)[:, None]
            push = (values - (log_chances.exp() * values).sum(1, keepdim=True)).masked_fill(~masks, 0)
        legal = outputs[:, :-1].masked_fill(~masks, 0)
        logits = legal - legal.sum(1, keepdim=True) / masks.sum(1, keepdim=True)
        free = torch.where(push > 0, logits < settings.nerd_beta, logits > -settings.nerd_beta) & masks
        share = 1 / torch.bincount(player, minlength=2)[player]  # each seat's mean counts once
        pushed = (share * (logits * push.masked_fill(~free, 0)).sum(1)).sum()
        error = (share * (outputs[:, -1] - ahead + cost).square()).sum()
        self.adam.zero_grad()
        (error - pushed).backward()
        self.adam.step()
        follow(self.slow, self.network, settings.target_network_avg)
        self.updates += 1
        if self.updates % settings.entropy_schedule_size == 0:
            self.regulars = copied(self.slow), self.regulars[0]
        return settings.num_envs

    def _regular(self, seen: Tensor, masks: Tensor) -> Tensor:
        """(k, A) the log-probabilities of the regularising policies, mixed as the present one takes over."""
        now = min(1.0, 2 * (self.updates % self.settings.entropy_schedule_size) / self.settings.entropy_schedule_size)
        present, before = (log_softmax(network(seen)[:, :-1], masks) for network in self.regulars)
        mixed = now * present + (1 - now) * before
        return mixed.masked_fill(~masks, 0)

    def _play(self) -> tuple[Tensor, Tensor, Tensor, Tensor, Array, list[Array]]:
        """Play to the end: (k, ...) what was seen, masks, players and actions, the chips (n, 2), and the tables of each round."""

        def act(observations: Array, legal: Array) -> tuple[Array, tuple[Tensor, ...]]:
            seen, masks = torch.from_numpy(observations), torch.from_numpy(legal)
            with torch.no_grad():
                probs = log_softmax(self.network(seen)[:, :-1], masks).exp()
            action = draw_actions(probs.numpy(), legal, self._random)
            return action, (seen, masks, torch.from_numpy(action))

        tables, players, rounds = zip(*play_out(self.batch, act), strict=True)
        seen, masks, action = map(torch.cat, zip(*rounds, strict=True))
        return seen, masks, torch.from_numpy(np.concatenate(players)), action, self.batch.rewards, list(tables)

    def _ahead(self, cost: Tensor, player: Tensor, earned: Array, tables: list[Array]) -> Tensor:
        """(k,) what follows each decision for its player: later costs of both seats, and the chips."""
        ahead = torch.from_numpy(earned.astype(np.float32))
        out, end = torch.empty_like(cost), len(cost)
        for live in reversed(tables):
            rows = slice(end - len(live), end)
            mover, paid, end = player[rows], cost[rows], end - len(live)
            out[rows] = ahead[live, mover]
            ahead[live, mover] -= paid
            ahead[live, 1 - mover] += paid
        return out


class Rounded:
    """A fixed policy without rare actions, its probabilities rounded to whole multiples of 1 / fractions.

    Attributes:
        network: of observations (k, K); its last output is not used.
        rare, fractions: `policy_threshold` and `policy_discretization` of `Settings`.
    """

    changes = ("network",)

    def __init__(self, network: Module, rare: float, fractions: int) -> None:
        self.network, self.rare, self.fractions = network, rare, fractions

    def __call__(self, observations: Array, masks: Array) -> Array:
        """(k, A) probabilities for observations (k, K) and masks (k, A) of legal actions."""
        with torch.no_grad():
            logits = self.network(torch.as_tensor(observations, dtype=torch.float32))[:, :-1]
        chances = log_softmax(logits, torch.as_tensor(masks, dtype=torch.bool)).exp().numpy().astype(float)
        return rounded_policy(chances, self.rare, self.fractions)


def rounded_policy(chances: Array, rare: float, fractions: int) -> Array:
    """Return probabilities (k, A) as multiples of 1 / `fractions`, without those below `rare`.

    Each is rounded up in turn, the largest first, until the sum is 1.
    """
    kept = np.where((chances >= rare) | (chances.max(axis=1, keepdims=True) < rare), chances, 0.0)
    kept /= kept.sum(axis=1, keepdims=True)
    if not fractions:
        return kept
    order: Any = np.argsort(-kept, axis=1, kind="stable")
    parts = np.ceil(np.take_along_axis(kept, order, axis=1) * fractions - 1e-6)
    given = np.diff(np.minimum(np.cumsum(parts, axis=1), fractions), axis=1, prepend=0.0)
    given[:, 0] += fractions - given.sum(axis=1)
    out = np.empty_like(kept)
    np.put_along_axis(out, order, given / fractions, axis=1)
    return out


RNAD = model_free(
    "rnad",
    Settings,
    Rnad,
    source="Perolat et al., Mastering the Game of Stratego with Model-Free Multiagent Reinforcement Learning (2022)",
)
