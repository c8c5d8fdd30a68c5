"""Magnetic mirror descent by self-play: a policy gradient with a pull towards a slow copy of itself, which converges.

The policy plays itself at many tables. A critic learns what each action earns on average, for each seat, betting and hand. The
logits of the policy then move by `learning_rate` times the advantage of each action, less `magnet_coef` times the log of how much
likelier the policy takes it than the magnet does. The pull turns cycles around an equilibrium into spirals towards the magnet's
equilibrium. The magnet follows the policy slowly, so that the pull vanishes in the end. The policy that is scored has the average of
the magnets' logits, in which later magnets count more: sampling noise moves a magnet for a long time, but cancels out in the average.

The algorithm is that of Sokota et al. (2023). The magnet follows as in Perolat et al., From Poincare Recurrence to Convergence
(2021); the step in logits is that of NeuRD, Hennes et al. (2020); the weights of the average grow as in Brown and Sandholm, Solving
Imperfect-Information Games via Discounted Regret Minimization (2019).

There are two kinds. `mmd` has networks of one hidden layer, and counts its visits in a table of all decision nodes and hands.
`mmd_sampled` is told nothing about the game: it plays through `relance.play.batch.Batch`, and sees observations, masks, whose turn it
is, and chips. Its policy, critic and magnet are matrices that multiply fixed random features, so a mean of such matrices is again one. At
each decision that was sampled, a step wants each output to move by some amount; least squares finds the change of the matrix that comes
nearest to these moves, so a step does not depend on how often features are active together. That is a natural gradient, as in Kakade, A
Natural Policy Gradient (2001). On a game with fewer information sets than random features, these can stand for a table with an
entry for each information set; `mmd_tabular`, which has that table, is the control.
"""

from __future__ import annotations

import copy
import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from scipy.linalg import cho_factor, cho_solve

from relance.baselines.algorithms import Algorithm, GoesTo
from relance.baselines.features import Cells, Cosines, Features, Knots, Tents
from relance.baselines.rollouts import draw_actions, play_out
from relance.baselines.settings import Count, NotNegative, Positive, Ranged
from relance.model.arrays import Array
from relance.model.game import Game
from relance.play.batch import Batch
from relance.play.rules import rules


@dataclass(frozen=True)
class Settings(Ranged):
    """Settings of `Mmd`.

    The defaults are not the best settings of 50 trials for the leaderboard, which fail in some games: in `endgame_cards` NashConv is 3.3
    chips after a million games, and 0.1 with the defaults. The best trial of `mmd_sampled` fails likewise in Ponssard's game.

    Attributes:
        num_envs: tables at which a game is played to its end for each update.
        hidden_size: width of the hidden layer of policy and critic.
        knots: number of tent functions that encode a hand on [0, 1].
        learning_rate: how far a logit moves, at the start, for an advantage of 1. Advantages are divided by the most chips that a player
            can lose. The rate falls as updates ** -0.5.
        critic_learning_rate: the fraction of its error that the critic corrects in each update.
        magnet_coef: the pull to the magnet, a slow copy of the policy: the advantage that balances a log-probability 1 above the magnet's.
        tau: the fraction of its distance to the policy that the magnet covers in an update, at the start; it falls as `learning_rate` does.
        anneal_updates: after how many updates `learning_rate` and `tau` have fallen to 0.7 of their start.
        logit_threshold: how far a logit may fall below that of the likeliest action, at the start, so that every action is still tried. The
            least probability of an action is then about exp(-logit_threshold), and falls as `learning_rate` does.
        prior_count: the number of decisions at a card or knot after which a step has half its full length; after fewer it is shorter.
        average_power: in the average, the magnet after update n has about the weight n to this power; 0 gives the plain mean.
    """

    num_envs: Count = 8192
    hidden_size: Count = 128
    knots: Knots = 64
    learning_rate: Positive = 1.0
    critic_learning_rate: Positive = 0.5
    magnet_coef: Positive = 0.2
    tau: Positive = 0.05
    anneal_updates: Positive = 200.0
    logit_threshold: Positive = 7.0
    prior_count: Positive = 20.0
    average_power: NotNegative = 2.0


@dataclass(frozen=True)
class SampledSettings(Ranged):
    """Settings of `MmdSampled`.

    Attributes:
        num_envs, critic_learning_rate, magnet_coef, tau, anneal_updates, logit_threshold, average_power: as for `mmd`.
        num_features: how many random features there are.
        binary_scale: standard deviation of the weights of inputs that are 0 or 1; the larger, the fewer features two decisions share.
        number_scale: median size of the weights of real-valued inputs; the larger, the sharper the thresholds that are learned early.
        learning_rate: how far a step moves a logit, at the start, for an advantage of 1.5 (`UNIT`) times the root mean square of the chips
            that games pay; a larger advantage moves it no farther. The rate falls as updates ** -0.5.
        prior_count: the number of visits of a decision after which a step has half its full length; after fewer it is shorter.
    """

    num_envs: Count = 4096
    num_features: Count = 192
    binary_scale: Positive = 5.0
    number_scale: Positive = 10.0
    learning_rate: Positive = 1.0
    critic_learning_rate: Positive = 0.5
    magnet_coef: Positive = 0.3
    tau: Positive = 0.05
    anneal_updates: Positive = 200.0
    logit_threshold: Positive = 4.0
    prior_count: Positive = 5.0
    average_power: NotNegative = 2.0


UNIT = 1.5
"""In `MmdSampled`, an advantage of this many root mean squares of a game's chips counts as 1; that mean is updated in training."""

FORGET = 0.02
"""The weight of the last update's games in that root mean square."""

RARELY = 0.1
"""The least probability by which the errors of the critic are divided."""

SOLVED = 2048
"""The most decisions from which least squares learns which features are active together."""


class Matrix:
    """A linear map from features to outputs: a matrix, whose entries start at 0."""

    changes = ("weights",)

    def __init__(self, features: int, outputs: int) -> None:
        self.weights = (np.zeros((features, outputs), np.float32),)

    def table(self) -> Array:
        """Return the matrix, (features, outputs), that maps features to outputs."""
        return self.weights[0]

    def move(self, change: Array) -> None:
        """Add `change`, (features, outputs), to the matrix."""
        self.weights[0][:] += change


class Network:
    """A linear map from features to outputs, whose matrix is computed by a network with a hidden layer; the network's weights are trained.

    Row i is the network's output for feature i alone. The first layer has a wide random row for each feature, so the hidden layers of two
    features are nearly orthogonal: a gradient step on the output for one feature hardly moves that for another. Outputs start at 0.

    Args:
        features, hidden, outputs: the sizes of the layers.
        unit: the factor by which the network's outputs are multiplied: 1 for logits, and for a critic the most chips that can be lost.
        random: the generator of the weights.
    """

    changes = ("weights",)

    def __init__(self, features: int, hidden: int, outputs: int, unit: float, random: np.random.Generator) -> None:
        shapes = (features, hidden), (hidden, outputs)
        self.weights = tuple(random.standard_normal(shape, np.float32) for shape in shapes)
        self.unit, self._scale = unit, np.float32(hidden**-0.5)
        self._start: Array = np.zeros((), np.float32)
        self._start = self.table() / np.float32(unit)

    def table(self) -> Array:
        """Return the matrix, (features, outputs), that maps features to outputs: row i is the network's output for feature i alone."""
        first, last = self.weights
        return (np.tanh(first) @ last * self._scale - self._start) * np.float32(self.unit)

    def move(self, change: Array) -> None:
        """Make a gradient step on the network's weights, which moves the matrix that `table` returns in about the direction `change`."""
        first, last = self.weights
        hidden, step = np.tanh(first), change.astype(np.float32) * (self._scale / np.float32(self.unit))
        first += step @ last.T * (1 - hidden**2)
        last += hidden.T @ step


class Agent:
    """A fixed policy: the softmax, over the legal actions, of features times a table (features, A)."""

    def __init__(self, features: Features, table: Array) -> None:
        self.features, self.table = features, table.astype(np.float32)

    def __call__(self, observations: Array, masks: Array) -> Array:
        """(k, A) probabilities for observations (k, K) and masks (k, A) of legal actions."""
        return softmax(self.features(np.asarray(observations, np.float32)) @ self.table, np.asarray(masks, bool))


def softmax(logits: Array, masks: Array) -> Array:
    """(k, A) probabilities of the legal actions; 0 elsewhere."""
    legal = np.where(masks, logits, -np.inf)
    out: Array = np.exp(legal - legal.max(axis=1, keepdims=True))
    out /= out.sum(axis=1, keepdims=True)
    return out


class Met(NamedTuple):
    """Decisions of sampled games, of both seats, merged where their observations are equal.

    Attributes, with k decisions:
        features: (k, size) the features of the observations.
        masks: (k, A) bool, which actions are legal.
        chance: (k, A) the probability with which the policy took each action.
        times: (k, A) how often each action was taken.
        chips: (k, A) for each action, the chips won at the end of each game by the player who took the action, summed over games.
    """

    features: Any
    masks: Array
    chance: Array
    times: Array
    chips: Array


class Descent(ABC):
    """Magnetic mirror descent on one game; subclasses say what the features are and how outputs move.

    Attributes:
        features: the map from observations to features.
        unit: the number of chips that counts as an advantage of 1.
        steepest: the bound on the change of a logit in a step, up or down, before `learning_rate` scales the change. Without the bound, the
            change is critic / `unit` - `magnet_coef` * log(policy / magnet), less the mean of this under the policy.
        uncounted: games that were played before the first step, and are not yet counted as samples.
        policy, magnet, critic: maps from features to the logits of the policy and of the magnet, and to the critic's forecasts of chips.
        average: (size, A) the average over the magnets so far, as a table from features to logits.
    """

    features: Features
    unit: float
    steepest = math.inf
    uncounted = 0
    policy: Network | Matrix
    critic: Network | Matrix
    changes = ("updates", "unit", "uncounted", "random", "batch", "policy", "critic", "magnet", "average")

    def __init__(self, game: Game, settings: Any, seed: int) -> None:
        self.settings, self.updates = settings, 0
        self.random = np.random.default_rng([seed, 1])
        self.batch = Batch(game, settings.num_envs, seed)
        self.begin(game)
        self.magnet = copy.deepcopy(self.policy)
        self.average = self.magnet.table().astype(float)

    @abstractmethod
    def begin(self, game: Game) -> None:
        """Set `features`, `policy`, `critic` and `unit`, the number of chips that counts as an advantage of 1."""

    @abstractmethod
    def solver(self, features: Any, visits: Array) -> Callable[[Array], Array]:
        """Return a function that finds what to add to a linear map's matrix, (size, A), so that its outputs change about as wanted.

        The outputs, (k, A), are `features`, (k, size), times the matrix: a row for each of k sampled decisions. `visits`, (k, 1), counts
        how often each decision was met. The function's argument, (k, A), has the wanted changes of the outputs times `visits`.
        """

    @property
    def parameters(self) -> int:
        """The number of entries of the table `average`, which gives the scored policy; the features' fixed random weights do not count."""
        return self.average.size

    def agent(self) -> Agent:
        """Return the average of the magnets, the policy that is scored."""
        return Agent(self.features, self.average)

    def last(self) -> Agent:
        """The current policy."""
        return Agent(self.features, self.policy.table())

    def step(self) -> int:
        """Play, then update critic, policy, magnet and average once; return the number of games played."""
        settings, slower = self.settings, (1 + self.updates / self.settings.anneal_updates) ** -0.5
        met, policy = self.play(), self.policy.table()
        visits = met.times.sum(axis=1, keepdims=True)
        solve = self.solver(met.features, visits)
        errors = (met.chips - met.times * (met.features @ self.critic.table())) / np.maximum(met.chance, RARELY)
        self.critic.move(settings.critic_learning_rate * solve(errors))
        logits = np.where(met.masks, met.features @ policy, -np.inf)
        wanted = self.critic.table() / self.unit - settings.magnet_coef * (policy - self.magnet.table())
        gain = np.where(met.masks, met.features @ wanted, 0)
        gain -= (met.chance * gain).sum(axis=1, keepdims=True)
        lowest = logits.max(axis=1, keepdims=True) - settings.logit_threshold + math.log(slower)
        gain[~met.masks | ((logits < lowest) & (gain < 0))] = 0
        np.clip(gain, -self.steepest, self.steepest, out=gain)
        self.policy.move(settings.learning_rate * slower * solve(visits * gain))
        for behind, ahead in zip(self.magnet.weights, self.policy.weights, strict=True):
            behind += min(1.0, settings.tau * slower) * (ahead - behind)
        self.average += (
            (self.magnet.table() - self.average)
            * (settings.average_power + 1)
            / (settings.average_power + 1 + self.updates)
        )
        self.updates += 1
        played, self.uncounted = self.batch.n + self.uncounted, 0
        return played

    def play(self) -> Met:
        """Deal at every table and play to the end, the policy in both seats."""
        policy = self.policy.table()

        def act(seen: Array, legal: Array) -> tuple[Array, tuple[Any, ...]]:
            first, number = self.features.merged(seen)
            features, masks = self.features(seen[first]), legal[first]
            chance = softmax(features @ policy, masks)
            action = draw_actions(chance, masks, self.random, number)
            return action, (features, masks, chance, number, action)

        rounds, parts = play_out(self.batch, act), []
        chips = self.batch.rewards
        for live, player, (features, masks, chance, number, action) in rounds:
            place, size = number * masks.shape[1] + action, masks.size
            count = np.bincount(place, minlength=size).reshape(masks.shape)
            won = np.bincount(place, chips[live, player], minlength=size).reshape(masks.shape)
            parts.append((features, masks, chance, count.astype(np.float32), won.astype(np.float32)))
        features, *others = zip(*parts, strict=True)
        joined = sparse.vstack(features, "csr") if sparse.issparse(features[0]) else np.concatenate(features)
        return Met(joined, *map(np.concatenate, others))


class Mmd(Descent):
    """Magnetic mirror descent with networks of one hidden layer on one game."""

    def begin(self, game: Game) -> None:
        self.features, self.unit = Tents(game, self.settings.knots), max(rules(game).worst)
        sizes = self.features.size, self.settings.hidden_size, len(game.actions)
        self.policy, self.critic = (Network(*sizes, unit, self.random) for unit in (1.0, self.unit))

    def solver(self, features: Any, visits: Array) -> Callable[[Array], Array]:
        """Return a function as `Descent.solver` does; it changes the outputs for a feature by about the mean of the wanted changes.

        A feature is a node with a card, or with a knot (a grid point of [0, 1]). The mean is over the n visits of the node with this card,
        or with hands near this knot; it is multiplied by n / (n + `prior_count`), so that features with few visits change little.
        """
        cells, shares = features.indices.reshape(-1, 2), features.data.reshape(-1, 2)
        nearest = np.where(shares[:, 1] >= 0.5, cells[:, 1], cells[:, 0])
        near = np.bincount(nearest, visits[:, 0])[nearest, None]
        return lambda wanted: features.T @ (wanted / (near + self.settings.prior_count))

    def goes_to(self) -> GoesTo:
        """Return the point to which the policy converges while the magnet stays: the agent quantal response equilibrium around the magnet.

        Its temperature is `magnet_coef` times `unit`, in chips.
        """
        return GoesTo(
            "agent", self.settings.magnet_coef * self.unit, self.last(), Agent(self.features, self.magnet.table())
        )


class MmdSampled(Descent):
    """Magnetic mirror descent from sampled games, with random features or, if `table`, with one feature for each information set."""

    steepest = 1.0

    def __init__(self, game: Game, settings: SampledSettings, seed: int, table: bool = False) -> None:
        self._table = table
        super().__init__(game, settings, seed)

    def begin(self, game: Game) -> None:
        settings, seen = self.settings, self.seen_at_random()
        self.features = (
            Cells(game)
            if self._table
            else Cosines(seen, settings.num_features, settings.binary_scale, settings.number_scale, self.random)
        )
        self.policy, self.critic = (Matrix(self.features.size, len(game.actions)) for _ in range(2))

    def seen_at_random(self) -> Array:
        """Play uniformly at random; return all k observations, (k, K). `unit` becomes `UNIT` times the chips' root mean square."""

        def act(seen: Array, legal: Array) -> tuple[Array, Array]:
            return draw_actions(softmax(np.zeros(legal.shape), legal), legal, self.random), seen

        seen = np.concatenate([seen for _, _, seen in play_out(self.batch, act)])
        self.unit, self.uncounted = self._unit(), self.batch.n
        return seen

    def _unit(self) -> float:
        """Return `UNIT` times the root mean square of the chips that the last games paid; `unit` starts there and follows slowly."""
        return UNIT * math.sqrt((self.batch.rewards**2).mean())

    def play(self) -> Met:
        met = super().play()
        self.unit += FORGET * (self._unit() - self.unit)
        return met

    def solver(self, features: Any, visits: Array) -> Callable[[Array], Array]:
        return least_squares(features, visits, self.settings.prior_count, self.random)


def least_squares(
    features: Array, visits: Array, trust: float, random: np.random.Generator
) -> Callable[[Array], Array]:
    """Return a function from wanted changes of outputs to the change of a matrix, (size, A), that best makes them, by ridge regression.

    The outputs at k decisions, (k, A), are `features`, (k, size), times the matrix. The function takes (k, A), the wanted changes times
    `visits`, (k, 1), how often each decision was met. An entry of the change costs `trust` times its square, so rarely met decisions count
    less. If k < size, k equations are solved; else `size` equations, with coefficients from at most `SOLVED` decisions drawn at random.
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


ours = partial(
    Algorithm,
    scored="average",
    ours=True,
    source="after Sokota et al., A Unified Approach to Reinforcement Learning, Quantal Response Equilibria [...] (2023)",
)
"""An algorithm of this file."""

MMD = ours("mmd", Settings, Mmd, sees="tables", real_hands=True)
MMD_TABULAR = ours(
    "mmd_tabular",
    SampledSettings,
    partial(MmdSampled, table=True),
    sees="tables",
    source="the control of mmd_sampled, with a table in place of its features",
)
MMD_SAMPLED = ours("mmd_sampled", SampledSettings, MmdSampled, sees="samples", real_hands=True)
