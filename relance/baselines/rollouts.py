"""What the model-free learners share: whole games sampled through `relance.play.batch.Batch`, and ordinary networks.

A learner here sees what any user's would: observations, masks of legal actions, whose turn it is, and the chips at the end. One
network plays both seats, as the observation includes the seat. The decisions of each seat are a trajectory of their own.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from relance.baselines.algorithms import Algorithm, Lazy
from relance.model.arrays import Array
from relance.model.game import Game
from relance.play.batch import Batch

torch = Lazy("torch")

model_free = partial(Algorithm, sees="samples", real_hands=True, extra="torch", modules=("torch",))
"""An algorithm that learns from games sampled through the public environment."""

Tensor: TypeAlias = Any
Module: TypeAlias = Any
"""A torch.Tensor and a torch.nn.Module; without torch there are no types for them."""


class SampledDecisions(NamedTuple):
    """Decisions of sampled games, of both seats, as tensors.

    Attributes, with k decisions:
        seen: (k, K) observations.
        masks: (k, A) bool, which actions are legal.
        action: (k,) the action ids taken.
        log_chance: (k,) the log-probability with which each was taken.
        value: (k,) the critic's forecast of the chips, at the time.
        gain: (k,) the advantage of the action, in chips.
    """

    seen: Tensor
    masks: Tensor
    action: Tensor
    log_chance: Tensor
    value: Tensor
    gain: Tensor

    def some(self, rows: Tensor) -> SampledDecisions:
        """These rows only."""
        return SampledDecisions(*(part[rows] for part in self))


class Games:
    """Tables at which one policy plays both seats to the end.

    Args:
        game: the game.
        count: how many games are played at a time.
        seed: the seed of deals and actions.
    """

    changes = ("batch", "_random")

    def __init__(self, game: Game, count: int, seed: int) -> None:
        self.batch, self.actions = Batch(game, count, seed), len(game.actions)
        self.size = self.batch.observe().shape[1]
        self._random = np.random.default_rng([seed, 1])

    def play(self, policy: Module, critic: Module, trace: float) -> SampledDecisions:
        """Deal at every table and play to the end.

        The advantages are generalised advantage estimates (Schulman et al., 2016), undiscounted, along the decisions of one seat:
        with `trace` 1 the chips at the end less the forecast, with `trace` 0 the seat's next forecast less this one.
        """
        batch, live = self.batch, np.arange(self.batch.n)
        batch.deal(live)
        steps: list[tuple[Tensor, Tensor, Tensor, Tensor, Tensor]] = []
        places: list[tuple[Array, Array]] = []
        while len(live):
            player, masks = batch.to_move[live], torch.from_numpy(batch.mask()[live])
            seen = torch.from_numpy(batch.observe(tables=live))
            with torch.no_grad():
                log_chances, value = log_chances_of(policy(seen), masks), critic(seen).squeeze(1)
            action = drawn_actions(log_chances, self._random)
            batch.move(live, action.numpy())
            steps.append((seen, masks, action, log_chances.gather(1, action[:, None]).squeeze(1), value))
            places.append((live, player))
            live = live[~batch.done[live]]
        ahead = torch.from_numpy(
            batch.rewards.astype(np.float32)
        )  # (n, 2) what follows each seat's decision: at first the end
        later, gains = torch.zeros_like(ahead), []
        for (*_, value), (live, player) in zip(reversed(steps), reversed(places), strict=True):
            gain = ahead[live, player] - value + trace * later[live, player]
            later[live, player], ahead[live, player] = gain, value
            gains.append(gain)
        seen, masks, action, log_chance, value = map(torch.cat, zip(*steps, strict=True))
        return SampledDecisions(seen, masks, action, log_chance, value, torch.cat(gains[::-1]))


def drawn_actions(log_chances: Tensor, random: np.random.Generator) -> Tensor:
    """(k,) actions drawn with log-probabilities (k, A)."""
    noise = torch.from_numpy(random.exponential(size=log_chances.shape).astype(np.float32))
    return (log_chances - noise.log()).argmax(1)


def log_chances_of(logits: Tensor, masks: Tensor) -> Tensor:
    """(k, A) log-probabilities of the legal actions; about -1e9 elsewhere."""
    return torch.log_softmax(logits.masked_fill(~masks, -1e9), 1)


def perceptron(inputs: int, hidden: int, outputs: int, random: Any) -> Module:
    """A multilayer perceptron with two hidden layers of this width, orthogonal at the start, and outputs that start close to 0."""
    first, second = linear(inputs, hidden, 2**0.5, random), linear(hidden, hidden, 2**0.5, random)
    return torch.nn.Sequential(first, torch.nn.ReLU(), second, torch.nn.ReLU(), linear(hidden, outputs, SMALL, random))


SMALL = 0.01
"""The length of the weights of outputs at the start."""


def linear(inputs: int, outputs: int, gain: float, random: Any) -> Module:
    """A linear layer with orthogonal weights of this length."""
    layer = torch.nn.utils.skip_init(torch.nn.Linear, inputs, outputs)
    torch.nn.init.orthogonal_(layer.weight, gain, generator=random)
    torch.nn.init.zeros_(layer.bias)
    return layer


class NetworkPlayer:
    """A fixed policy: the softmax, over the legal actions, of a network's outputs.

    Attributes:
        network: the network, of observations (k, K), with outputs (k, A).
    """

    changes = ("network",)

    def __init__(self, network: Module) -> None:
        self.network = network

    def __call__(self, observations: Array, masks: Array) -> Array:
        """(k, A) probabilities for observations (k, K) and masks (k, A) of legal actions."""
        with torch.no_grad():
            logits = self.network(torch.as_tensor(observations, dtype=torch.float32))
        return np.asarray(log_chances_of(logits, torch.as_tensor(masks, dtype=torch.bool)).exp().numpy())


def copied(network: Module) -> Module:
    """A copy of a network that does not learn."""
    return copy.deepcopy(network).requires_grad_(False)


def size_of(network: Module) -> int:
    """How many numbers a network consists of."""
    return sum(weights.numel() for weights in network.parameters())


def divergence(one: Tensor, other: Tensor) -> Tensor:
    """The mean Kullback-Leibler divergence of probabilities (k, A) from others, given the logs of both."""
    return (one.exp() * (one - other)).sum(1).mean()


def shuffled(count: int, epochs: int, parts: int, random: Any) -> Iterator[Tensor]:
    """Yield the indices 0 to `count` - 1 in `parts` random parts, `epochs` times."""
    for _ in range(epochs):
        yield from torch.randperm(count, generator=random).chunk(parts)
