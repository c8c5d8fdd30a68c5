"""What learners that sample games share: whole games played through `relance.play.batch.Batch`, and ordinary networks.

A learner here sees what any user's would: observations, masks of legal actions, whose turn it is, and the chips at the end. One
network plays both seats, as the observation includes the seat. The decisions of each seat are a trajectory of their own.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np

from relance.baselines.algorithms import Algorithm, Lazy
from relance.model.arrays import Array
from relance.play.batch import Batch

torch = Lazy("torch")

model_free = partial(Algorithm, sees="samples", real_hands=True, extra="torch", modules=("torch",))
"""An algorithm that learns from games sampled through the public environment."""

T = TypeVar("T")
Tensor: TypeAlias = Any
Module: TypeAlias = Any
"""A torch.Tensor and a torch.nn.Module; without torch there are no types for them."""


def play_out(batch: Batch, act: Callable[[Array, Array], tuple[Array, T]]) -> list[tuple[Array, Array, T]]:
    """Deal at every table and play to the end.

    Args:
        batch: the tables; afterwards `batch.rewards` has the chips of each seat.
        act: given observations (k, K) and masks (k, A) at the tables where somebody must move, returns actions (k,) and what to keep.

    Returns:
        For each round the tables (k,), the players who moved (k,), and what `act` kept.
    """
    live, rounds = np.arange(batch.n), []
    batch.deal(live)
    while len(live):
        player = batch.to_move[live]
        action, kept = act(batch.observe(tables=live), batch.mask()[live])
        batch.move(live, action)
        rounds.append((live, player, kept))
        live = live[~batch.done[live]]
    return rounds


def draw_actions(probs: Array, masks: Array, random: np.random.Generator, rows: Array | slice = np.s_[:]) -> Array:
    """Draw actions (n,), each from the row of `probs` (k, A) that `rows` (n,) names, by default all; `masks` (k, A) is true if legal."""
    upto = np.cumsum(probs, axis=1)
    # 2 from the last legal action on, so that none is drawn after it
    upto[np.cumsum(masks[:, ::-1], axis=1)[:, ::-1] <= masks] = 2
    upto = upto[rows]
    return np.asarray((random.random((len(upto), 1), np.float32) >= upto).sum(axis=1))


class SampledDecisions(NamedTuple):
    """Decisions of sampled games, of both seats, as tensors.

    Attributes, for k decisions, A actions, and observations of K numbers:
        obs: (k, K) observations.
        masks: (k, A) bool, which actions are legal.
        actions: (k,) the action ids taken.
        logprobs: (k,) the log-probability with which each was taken.
        values: (k,) the critic's forecast of the chips, at the time.
        advantages: (k,) in chips.
    """

    obs: Tensor
    masks: Tensor
    actions: Tensor
    logprobs: Tensor
    values: Tensor
    advantages: Tensor

    def some(self, rows: Tensor) -> SampledDecisions:
        """Return the decisions with these indices only."""
        return SampledDecisions(*(part[rows] for part in self))


def sampled(
    batch: Batch, policy: Module, critic: Module, gae_lambda: float, random: np.random.Generator
) -> SampledDecisions:
    """Play a game at every table with the policy in both seats, and return all decisions.

    The advantages are generalised advantage estimates (Schulman et al., 2016), undiscounted, along one seat's decisions. If `gae_lambda` is
    1, they are the final chips less the critic's forecast; if 0, the forecast at the seat's next decision (if any) replaces the chips.
    """

    def act(seen: Array, legal: Array) -> tuple[Array, tuple[Tensor, ...]]:
        obs, masks = torch.from_numpy(seen), torch.from_numpy(legal)
        with torch.no_grad():
            logprobs, values = log_softmax(policy(obs), masks), critic(obs).squeeze(1)
        action = draw_actions(logprobs.exp().numpy(), legal, random)
        actions = torch.from_numpy(action)
        return action, (obs, masks, actions, logprobs.gather(1, actions[:, None]).squeeze(1), values)

    rounds = play_out(batch, act)
    # (n, 2) what follows each seat's decision: at first the chips at the end
    ahead = torch.from_numpy(batch.rewards.astype(np.float32))
    later, advantages = torch.zeros_like(ahead), []
    for tables, player, (*_, values) in reversed(rounds):
        advantage = ahead[tables, player] - values + gae_lambda * later[tables, player]
        later[tables, player], ahead[tables, player] = advantage, values
        advantages.append(advantage)
    parts = [*zip(*(kept for _, _, kept in rounds), strict=True), advantages[::-1]]
    return SampledDecisions(*map(torch.cat, parts))


def log_softmax(logits: Tensor, masks: Tensor) -> Tensor:
    """(k, A) log-probabilities of the legal actions; about -1e9 elsewhere."""
    return torch.log_softmax(logits.masked_fill(~masks, -1e9), 1)


def perceptron(inputs: int, hidden: int, outputs: int, random: Any) -> Module:
    """Make a multilayer perceptron with two hidden layers of width `hidden`, orthogonal initial weights, and initial outputs close to 0."""
    first, second = linear(inputs, hidden, random, 2**0.5), linear(hidden, hidden, random, 2**0.5)
    return torch.nn.Sequential(first, torch.nn.ReLU(), second, torch.nn.ReLU(), linear(hidden, outputs, random))


def linear(inputs: int, outputs: int, random: Any, gain: float = 0.01) -> Module:
    """Make a linear layer with orthogonal initial weights of norm `gain`; the default is small, for layers of outputs."""
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
        return np.asarray(log_softmax(logits, torch.as_tensor(masks, dtype=torch.bool)).exp().numpy())


def copied(network: Module) -> Module:
    """Return a copy of a network, whose weights have no gradients."""
    return copy.deepcopy(network).requires_grad_(False)


def follow(slow: Module, quick: Module, tau: float) -> None:
    """Move each weight of a slow copy of a network the fraction `tau` of its distance to that network's."""
    for behind, ahead in zip(slow.parameters(), quick.parameters(), strict=True):
        behind.lerp_(ahead.detach(), tau)


def size_of(network: Module) -> int:
    """How many numbers a network consists of."""
    return sum(weights.numel() for weights in network.parameters())


def divergence(one: Tensor, other: Tensor) -> Tensor:
    """The Kullback-Leibler divergence KL(one || other), its mean over the k rows; both arguments are log-probabilities (k, A)."""
    return (one.exp() * (one - other)).sum(1).mean()


def minibatches(count: int, epochs: int, parts: int, random: Any) -> Iterator[Tensor]:
    """Yield the indices 0 to `count` - 1 in `parts` random parts, `epochs` times."""
    for _ in range(epochs):
        yield from torch.randperm(count, generator=random).chunk(parts)
