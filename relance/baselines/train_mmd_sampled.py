"""Ours: magnetic mirror descent from sampled games alone, the algorithm of `mmd` with a network of random features in place of its tables.

Policy, critic and magnet share one hidden layer of fixed random cosines, so each of them is a matrix (hidden, actions), and every
mean of them is another. A step of `mmd` says for each decision met how far each output should move; least squares finds the change
of the matrix that comes nearest to that, so a step does not depend on how often the features fire together. Decisions with equal
observations in a batch are merged and counted, which changes nothing but the time.

It is told nothing about the game: it plays through `relance.play.batch.Batch`, and sees observations, masks, whose turn it is, and chips.
On a game with fewer information sets than random features, the features are a table in disguise; `mmd_tabular` is its control.

Cosines of random weights are those of Rahimi and Recht, Random Features for Large-Scale Kernel Machines (2007); least squares in
place of the gradient makes it natural, as in Kakade, A Natural Policy Gradient (2001). For the rest see `train_mmd`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from relance.baselines.algorithms import Algorithm
from relance.baselines.settings import Count, NotNegative, Positive, Ranged
from relance.model.arrays import Array
from relance.model.game import Game
from relance.play.agents import questions
from relance.play.batch import Batch


@dataclass(frozen=True)
class Settings(Ranged):
    """Settings of `MmdSampled`.

    Attributes:
        games: games sampled for each update.
        hidden: how many random features there are.
        apart: standard deviation of the weights of inputs that are 0 or 1; the larger, the less two decisions have in common.
        sharpness: median size of the weights of inputs that are numbers; the larger, the sharper the thresholds that are learned early.
        rate: how far a logit moves at the start for an advantage of `UNIT` root mean squares of the chips, which is also the most
            that it moves; it falls as updates ** -0.5.
        critic_rate: the fraction of its error that the critic corrects in each update.
        pull: strength of the pull to the magnet: how much advantage makes up for a unit of log-probability.
        follow: the fraction of its distance to the policy that the magnet covers in each update, at the start; it falls like `rate`.
        slow: after how many updates `rate` and `follow` have fallen to 0.7 of their start.
        widest: how far a logit may fall below that of the likeliest action, at the start; the chance that this leaves falls like `rate`.
        trust: how many visits of a decision give half a full step; fewer give a smaller one.
        later: magnet number n has a weight of about n to this power in the average; 0 is the plain mean.
    """

    games: Count = 4096
    hidden: Count = 192
    apart: Positive = 5.0
    sharpness: Positive = 10.0
    rate: Positive = 1.0
    critic_rate: Positive = 0.5
    pull: Positive = 0.3
    follow: Positive = 0.05
    slow: Positive = 200.0
    widest: Positive = 4.0
    trust: Positive = 5.0
    later: NotNegative = 2.0


UNIT = 1.5
"""The unit of advantages, in root mean squares of a game's chips; the root mean square is updated as play changes."""

FORGET = 0.02
"""The weight of the last update's games in that root mean square."""

RARELY = 0.1
"""The least probability by which the errors of the critic are divided."""

SHARPEST = 200.0
"""The largest weight of an input that is a number."""

SOLVED = 2048
"""The most decisions from which least squares learns which features are active together."""


class Features:
    """A hidden layer of cosines with fixed random weights.

    An input that is ever neither 0 nor 1 is a number. Its weights are drawn from a Cauchy distribution, whose kernel has kinks, as
    thresholds need them; the other inputs have normal weights.
    """

    def __init__(self, seen: Array, settings: Settings, random: np.random.Generator) -> None:
        shape = seen.shape[1], settings.hidden
        sharp = np.clip(random.standard_cauchy(shape) * settings.sharpness, -SHARPEST, SHARPEST)
        number = ((seen != 0) & (seen != 1)).any(axis=0)
        weights = np.where(number[:, None], sharp, random.normal(size=shape) * settings.apart)
        self.weights, self.shift = (
            weights.astype(np.float32),
            (random.random(settings.hidden) * 2 * np.pi).astype(np.float32),
        )
        self.merges, self._scale, self.size = (
            not number.any(),
            np.float32((2 / settings.hidden) ** 0.5),
            settings.hidden,
        )
        self._mark = random.normal(size=len(number))

    def __call__(self, seen: Array) -> Array:
        """(k, hidden) the features of observations (k, K); the squares of a row sum to about 1."""
        out: Array = seen @ self.weights
        out += self.shift
        np.cos(out, out=out)
        out *= self._scale
        return out

    def merged(self, seen: Array) -> tuple[Array, Array]:
        """The first row of each observation, and for each row the number of its observation. Numbers are hardly ever equal."""
        if not self.merges:
            everyone = np.arange(len(seen))
            return everyone, everyone
        _, first, number = np.unique(seen @ self._mark, return_index=True, return_inverse=True)
        return first, number


class Rows:
    """The features of a table: for each information set of a game with finitely many, a one in a column of its own."""

    def __init__(self, game: Game) -> None:
        seen = np.concatenate([questions(game, seat)[0] for seat in (0, 1)])
        self._mark = np.random.default_rng(0).normal(size=seen.shape[1])
        marks = np.sort(seen @ self._mark)
        self.merges, self.size = True, len(marks)
        self._borders = (marks[1:] + marks[:-1]) / 2  # halfway to the next mark, so that rounding does no harm

    def __call__(self, seen: Array) -> Array:
        """(k, information sets) for observations (k, K)."""
        return np.eye(self.size, dtype=np.float32)[np.searchsorted(self._borders, seen @ self._mark)]

    def merged(self, seen: Array) -> tuple[Array, Array]:
        """As for `Features`."""
        _, first, number = np.unique(seen @ self._mark, return_index=True, return_inverse=True)
        return first, number


class _Agent:
    """A fixed policy: the softmax, over the legal actions, of features times a matrix (hidden, A)."""

    def __init__(self, features: Features | Rows, matrix: Array) -> None:
        self.features, self.matrix = features, matrix.astype(np.float32)

    def __call__(self, observations: Array, masks: Array) -> Array:
        """(k, A) probabilities for observations (k, K) and masks (k, A) of legal actions."""
        return softmax(self.features(np.asarray(observations, np.float32)) @ self.matrix, np.asarray(masks, bool))


def softmax(logits: Array, masks: Array) -> Array:
    """(k, A) probabilities of the legal actions; 0 elsewhere."""
    legal = np.where(masks, logits, -np.inf)
    out: Array = np.exp(legal - legal.max(axis=1, keepdims=True))
    out /= out.sum(axis=1, keepdims=True)
    return out


class Met(NamedTuple):
    """Decisions of sampled games, of both seats; those with equal observations are merged.

    Attributes, with k decisions:
        features: (k, hidden).
        masks: (k, A) bool, which actions are legal.
        chance: (k, A) the policy.
        times: (k, A) how often each action was taken.
        chips: (k, A) what the player who took it won in the end, in all.
    """

    features: Array
    masks: Array
    chance: Array
    times: Array
    chips: Array


class MmdSampled:
    """Magnetic mirror descent with random features on one game."""

    def __init__(self, game: Game, settings: Settings, seed: int) -> None:
        self.settings, self.updates = settings, 0
        self.random = np.random.default_rng([seed, 1])
        self.batch = Batch(game, settings.games, seed)
        self.features = self._features(self._seen_at_random())
        self.uncounted = settings.games  # those at random
        self.policy, self.critic, self.magnet = np.zeros((3, self.features.size, len(game.actions)), np.float32)
        self.average = np.zeros(self.magnet.shape)

    def _features(self, seen: Array) -> Features | Rows:
        return Features(seen, self.settings, self.random)

    def _seen_at_random(self) -> Array:
        """Observations of random play, which tell the kinds of inputs; `unit` becomes the root mean square of its chips."""
        batch, live, seen = self.batch, np.arange(self.batch.n), []
        batch.deal(live)
        while len(live):
            seen.append(batch.observe(tables=live))
            batch.move(live, batch.random_actions()[live])
            live = live[~batch.done[live]]
        self.unit = float((batch.rewards**2).mean()) ** 0.5
        return np.concatenate(seen)

    @property
    def parameters(self) -> int:
        """The entries of the matrix that is averaged; the random weights of the features are not learned."""
        return self.average.size

    def agent(self) -> _Agent:
        """The average of the magnets."""
        return _Agent(self.features, self.average)

    def last(self) -> _Agent:
        """The current policy."""
        return _Agent(self.features, self.policy)

    def step(self) -> int:
        """Play, then update critic, policy, magnet and average once."""
        settings, slower = self.settings, (1 + self.updates / self.settings.slow) ** -0.5
        met = self.play()
        visits = met.times.sum(axis=1, keepdims=True)
        solve = least_squares(met.features, visits, settings.trust, self.random)
        errors = (met.chips - met.times * (met.features @ self.critic)) / np.maximum(met.chance, RARELY)
        self.critic += settings.critic_rate * solve(errors)
        logits = np.where(met.masks, met.features @ self.policy, -np.inf)
        wanted = self.critic / (UNIT * self.unit) - settings.pull * (self.policy - self.magnet)
        gain = np.where(met.masks, met.features @ wanted, 0)
        gain -= (met.chance * gain).sum(axis=1, keepdims=True)
        lowest = logits.max(axis=1, keepdims=True) - settings.widest + math.log(slower)
        gain[~met.masks | ((logits < lowest) & (gain < 0))] = 0
        np.clip(gain, -1, 1, out=gain)
        self.policy += settings.rate * slower * solve(visits * gain)
        self.magnet += min(1.0, settings.follow * slower) * (self.policy - self.magnet)
        self.average += (self.magnet - self.average) * (settings.later + 1) / (settings.later + 1 + self.updates)
        self.updates += 1
        played, self.uncounted = settings.games + self.uncounted, 0
        return played

    def play(self) -> Met:
        """Deal at every table and play to the end, the policy in both seats."""
        batch, live, steps = self.batch, np.arange(self.batch.n), []
        batch.deal(live)
        while len(live):
            player, masks, seen = batch.to_move[live], batch.mask()[live], batch.observe(tables=live)
            first, number = self.features.merged(seen)
            features = self.features(seen[first])
            chance = softmax(features @ self.policy, masks[first])
            action = draw_by_number(chance, masks[first], number, self.random)
            batch.move(live, action)
            steps.append((features, masks[first], chance, number, action, live, player))
            live = live[~batch.done[live]]
        chips = batch.rewards
        self.unit += FORGET * (float((chips**2).mean()) ** 0.5 - self.unit)
        parts = []
        for features, masks, chance, number, action, live, player in steps:
            place, size = number * masks.shape[1] + action, masks.size
            count = np.bincount(place, minlength=size).reshape(masks.shape)
            won = np.bincount(place, chips[live, player], minlength=size).reshape(masks.shape)
            parts.append((features, masks, chance, count.astype(np.float32), won.astype(np.float32)))
        return Met(*map(np.concatenate, zip(*parts, strict=True)))


def draw_by_number(chance: Array, masks: Array, number: Array, random: np.random.Generator) -> Array:
    """(k,) an action for each row: drawn with the probabilities (m, A), legal where `masks` is, of the decision with its number."""
    upto = np.cumsum(chance, axis=1)
    upto[np.cumsum(masks[:, ::-1], axis=1)[:, ::-1] <= masks] = (
        2  # from the last legal action on, so that none is drawn after it
    )
    return np.asarray((random.random((len(number), 1), np.float32) >= upto[number]).sum(axis=1))


def least_squares(
    features: Array, visits: Array, trust: float, random: np.random.Generator
) -> Callable[[Array], Array]:
    """A function that finds the change of a matrix, (hidden, A), that moves outputs (k, A) as wanted, given moves times `visits`.

    Each feature's weight costs `trust` times its square, so moves of decisions with few visits are followed less. The smaller of
    the systems of equations is solved, that of decisions or that of features; the latter for some decisions that stand for all.
    """
    count, hidden = features.shape
    if count < hidden:
        kernel = (features @ features.T).astype(float)
        kernel[np.diag_indices(count)] += trust / visits[:, 0]
        factor = cho_factor(kernel, overwrite_a=True, check_finite=False)
        return lambda wanted: np.asarray(features.T @ cho_solve(factor, wanted / visits, check_finite=False))
    part, each = features * np.sqrt(visits), 1.0
    if count > SOLVED:
        part, each = part[random.choice(count, SOLVED, replace=False)], count / SOLVED
    gram = (part.T @ part).astype(float) * each
    gram[np.diag_indices(hidden)] += trust
    factor = cho_factor(gram, overwrite_a=True, check_finite=False)
    return lambda wanted: np.asarray(cho_solve(factor, features.T @ wanted, check_finite=False))


class MmdTabular(MmdSampled):
    """The control: all the same, but with a table in place of the random features, whose number it does not use."""

    def __init__(self, game: Game, settings: Settings, seed: int) -> None:
        self._rows = Rows(game)
        super().__init__(game, settings, seed)

    def _features(self, seen: Array) -> Rows:
        return self._rows


MMD_TABULAR = Algorithm(
    "mmd_tabular",
    Settings,
    MmdTabular,
    sees="tables",
    scored="average",
    ours=True,
    source="the control of mmd_sampled, with a table in place of its features",
)
MMD_SAMPLED = Algorithm(
    "mmd_sampled",
    Settings,
    MmdSampled,
    sees="samples",
    scored="average",
    ours=True,
    source="after Sokota et al., A Unified Approach to Reinforcement Learning, Quantal Response Equilibria [...] (2023)",
    real_hands=True,
)
