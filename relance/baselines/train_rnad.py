"""R-NaD, the learner of DeepNash: replicator dynamics on a game whose rewards are regularised towards an earlier policy.

Each decision costs its player `pull` times the log of how much likelier the policy takes it than the regularising policy does, and pays
the opponent as much. That game has one equilibrium, to which replicator dynamics converge. After `refresh` updates the regularising
policy becomes the slow copy of the network, and the rewards change over to it during the first half of the next `refresh` updates.
Logits are pushed along the estimated value of each action (NeuRD), but not beyond `widest`. The slow copy is scored, its rare actions
dropped and its probabilities rounded, as in the authors' own code.

Games are played with the policy that then learns once from them, so the ratios of v-trace are 1 and its targets are the sums of what
follows. Source of the settings: OpenSpiel's `rnad.py` and its README, which OpenSpiel 2.0.2 no longer carries.
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
    drawn_actions,
    log_chances_of,
    model_free,
    perceptron,
    size_of,
    torch,
)
from relance.baselines.settings import Chance, Count, Positive, Range, Ranged
from relance.model.arrays import Array
from relance.model.game import Game
from relance.play.batch import Batch


@dataclass(frozen=True)
class Settings(Ranged):
    """Settings of `Rnad`; the defaults are those of OpenSpiel's `rnad.py`.

    Attributes:
        games: games sampled for each update.
        hidden: width of the two hidden layers, which policy and value share.
        rate: learning rate of Adam, which has no momentum.
        pull: weight of the regularisation, in chips.
        refresh: updates with one regularising policy.
        follow: the fraction of its distance to the network that the slow copy covers in each update.
        widest: how far a logit may be from the mean of the legal ones before it is pushed no further.
        rare: probabilities below this are played as 0.
        fractions: probabilities are played as whole multiples of 1 / fractions; 0 leaves them as they are.
    """

    games: Count = 256
    hidden: Count = 256
    rate: Positive = 5e-5
    pull: Positive = 0.2
    refresh: Count = 20_000
    follow: Positive = 0.001
    widest: Positive = 2.0
    rare: Chance = 0.03
    fractions: Annotated[int, Range(0)] = 32


class Rnad:
    """R-NaD on one game. A network has the logits of the actions and, last, the value to the player who acts."""

    changes = ("updates", "batch", "_random", "network", "slow", "regulars", "adam")

    def __init__(self, game: Game, settings: Settings, seed: int) -> None:
        self.settings, self.updates = settings, 0
        self.batch, self.actions = Batch(game, settings.games, seed), len(game.actions)
        self._random = np.random.default_rng([seed, 1])
        random, size = torch.Generator().manual_seed(seed), self.batch.observe().shape[1]
        self.network = perceptron(size, settings.hidden, self.actions + 1, random)
        self.slow = copied(self.network)
        self.regulars = copied(self.network), copied(self.network)  # the present one and the one before
        self.adam = torch.optim.Adam(self.network.parameters(), settings.rate, betas=(0.0, 0.999), eps=1e-7)

    @property
    def parameters(self) -> int:
        """The numbers of the network, which forecasts the value too."""
        return size_of(self.network)

    def agent(self) -> Rounded:
        """The slow copy, rounded."""
        return Rounded(copied(self.slow), self.settings.rare, self.settings.fractions)

    def goes_to(self) -> GoesTo:
        """The equilibrium of the game with the pull to the present regularising policy; nothing is rounded."""
        slow, regular = (Rounded(copied(net), 0.0, 0) for net in (self.slow, self.regulars[0]))
        return GoesTo("transformed", self.settings.pull, slow, regular)

    def step(self) -> int:
        """Play, then improve the network once."""
        settings = self.settings
        seen, masks, player, action, earned, ended = self._play()
        outputs = self.network(seen)
        with torch.no_grad():
            log_chances = log_chances_of(outputs[:, :-1], masks)
            beyond = log_chances - self._regular(seen, masks)
            cost = settings.pull * (log_chances.exp() * beyond).sum(1)
            forecast = self.slow(seen)[:, -1]
            ahead = self._ahead(cost, player, earned, ended)
            taken = torch.nn.functional.one_hot(action, self.actions) / log_chances.exp().clamp(min=1e-9)
            values = forecast[:, None] - settings.pull * beyond + taken * (ahead - forecast)[:, None]
            push = (values - (log_chances.exp() * values).sum(1, keepdim=True)).masked_fill(~masks, 0)
        legal = outputs[:, :-1].masked_fill(~masks, 0)
        logits = legal - legal.sum(1, keepdim=True) / masks.sum(1, keepdim=True)
        free = torch.where(push > 0, logits < settings.widest, logits > -settings.widest) & masks
        share = 1 / torch.bincount(player, minlength=2)[player]  # each seat's mean counts once
        pushed = (share * (logits * push.masked_fill(~free, 0)).sum(1)).sum()
        error = (share * (outputs[:, -1] - ahead + cost).square()).sum()
        self.adam.zero_grad()
        (error - pushed).backward()
        self.adam.step()
        for slow, quick in zip(self.slow.parameters(), self.network.parameters(), strict=True):
            slow.lerp_(quick.detach(), settings.follow)
        self.updates += 1
        if self.updates % settings.refresh == 0:
            self.regulars = copied(self.slow), self.regulars[0]
        return settings.games

    def _regular(self, seen: Tensor, masks: Tensor) -> Tensor:
        """(k, A) the log-probabilities of the regularising policies, mixed as the present one takes over."""
        now = min(1.0, 2 * (self.updates % self.settings.refresh) / self.settings.refresh)
        present, before = (log_chances_of(network(seen)[:, :-1], masks) for network in self.regulars)
        mixed = now * present + (1 - now) * before
        return mixed.masked_fill(~masks, 0)

    def _play(self) -> tuple[Tensor, Tensor, Tensor, Tensor, Array, list[Array]]:
        """Play to the end: (k, ...) what was seen, masks, players and actions, the chips (n, 2), and the tables of each round."""
        batch, live = self.batch, np.arange(self.batch.n)
        batch.deal(live)
        rounds: list[tuple[Tensor, ...]] = []
        tables: list[Array] = []
        while len(live):
            seen, masks = torch.from_numpy(batch.observe(tables=live)), torch.from_numpy(batch.mask()[live])
            player = torch.from_numpy(batch.to_move[live])
            with torch.no_grad():
                action = drawn_actions(log_chances_of(self.network(seen)[:, :-1], masks), self._random)
            batch.move(live, action.numpy())
            rounds.append((seen, masks, player, action))
            tables.append(live)
            live = live[~batch.done[live]]
        seen, masks, player, action = map(torch.cat, zip(*rounds, strict=True))
        return seen, masks, player, action, batch.rewards, tables

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
        rare, fractions: as in `Settings`.
    """

    changes = ("network",)

    def __init__(self, network: Module, rare: float, fractions: int) -> None:
        self.network, self.rare, self.fractions = network, rare, fractions

    def __call__(self, observations: Array, masks: Array) -> Array:
        """(k, A) probabilities for observations (k, K) and masks (k, A) of legal actions."""
        with torch.no_grad():
            logits = self.network(torch.as_tensor(observations, dtype=torch.float32))[:, :-1]
        chances = log_chances_of(logits, torch.as_tensor(masks, dtype=torch.bool)).exp().numpy().astype(float)
        return rounded_policy(chances, self.rare, self.fractions)


def rounded_policy(chances: Array, rare: float, fractions: int) -> Array:
    """Probabilities (k, A) without those below `rare`, each rounded up in turn, the largest first, until nothing is left."""
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
