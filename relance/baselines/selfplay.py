"""What self-play learners share: one network for both seats, its policy, and games sampled at many tables.

The observation includes the seat. Learners see only sampled games, never the exact operators of the deal.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, NamedTuple

import numpy as np

from relance.baselines.algorithms import Algorithm, Lazy
from relance.baselines.rollouts import Tensor
from relance.baselines.settings import Range
from relance.model.arrays import Array
from relance.model.game import Game
from relance.play.agents import questions
from relance.play.batch import Batch
from relance.play.rules import rules

torch = Lazy("torch")

self_play = partial(Algorithm, sees="tables", real_hands=True, extra="torch", modules=("torch",))
"""A self-play algorithm: it samples games, but counts its visits in a table of all decision nodes and hands."""


Knots = Annotated[int, Range(2)]
"""The default number of tent functions that encode a hand on [0, 1], see `Encoder`."""


class Inputs(NamedTuple):
    """Observations as network inputs: (k, 2) input cells, and (k, 2) their weights."""

    cells: Tensor
    shares: Tensor


class Encoder:
    """Turns observations into network inputs: there is one input cell for each decision node and each card or knot.

    A number in [0, 1] lies between two of `knots` evenly spaced knots and activates both, the nearer one more (a tent function):
    the closer the knots, the sharper the thresholds that can be learned. A card has a cell of its own.

    The seat and the betting, a row of zeros and ones, identify the node. The product of this row with fixed random weights, the
    node's mark, is different for each node. Nodes are numbered by ascending mark.

    Attributes:
        size: the number of input cells.
    """

    def __init__(self, game: Game, knots: int) -> None:
        shared = rules(game)
        self.columns = shared.pieces[1].shape[0]
        self._hand = np.s_[2 : 2 + self.columns]
        self.knots = knots if shared.numbered or shared.showing else 1
        self._weights = np.random.default_rng(0).normal(size=shared.size - self.columns)
        deciding = [(player, node) for node, player in enumerate(shared.player) if player >= 0]
        marks = np.sort(self._marks(np.stack([shared.observe(player, 0, node) for player, node in deciding])))
        self._borders = (marks[1:] + marks[:-1]) / 2  # halfway to the next mark, so that rounding does no harm
        self.size = len(deciding) * self.columns * self.knots

    def _marks(self, observations: Array) -> Array:
        """(k,) the mark of the node of each observation."""
        return np.asarray(np.delete(observations, self._hand, axis=1).astype(float) @ self._weights)

    def __call__(self, observations: Array) -> Inputs:
        """The inputs of observations (k, K)."""
        node = np.searchsorted(self._borders, self._marks(observations))
        hand = observations[:, self._hand]  # zeros, but for the number of the hand in one column
        first = (node * self.columns + hand.argmax(axis=1)) * self.knots
        place = hand.max(axis=1) * (self.knots - 1)
        left = np.minimum(place.astype(np.int64), max(self.knots - 2, 0))
        right = (place - left).astype(np.float32)
        cells = np.stack([first + left, first + np.minimum(left + 1, self.knots - 1)], axis=1)
        return Inputs(torch.as_tensor(cells), torch.as_tensor(np.stack([1 - right, right], axis=1)))


class Network:
    """A network with one hidden layer, evaluated at the input cells; between two knots its outputs are linear in the hand.

    Each cell has a wide random row of `first`, so that the hidden layers of two cells are nearly orthogonal: a gradient step on the
    output of one cell hardly moves the others. Outputs start at 0.

    Attributes:
        parameters: `first` (cells, hidden) and `last` (hidden, outputs).
    """

    def __init__(self, cells: int, hidden: int, outputs: int, random: Any) -> None:
        first, last = (torch.randn(*shape, generator=random) for shape in ((cells, hidden), (hidden, outputs)))
        self.parameters = first.requires_grad_(), last.requires_grad_()
        self._start = torch.zeros(())
        self._start = self.table().detach()

    def table(self) -> Tensor:
        """(cells, outputs) the outputs at each input cell."""
        first, last = self.parameters
        return first.tanh() @ last * len(last) ** -0.5 - self._start

    def __call__(self, inputs: Inputs) -> Tensor:
        """(k, outputs) the outputs for these inputs."""
        return look_up(self.table(), inputs)


def look_up(table: Tensor, inputs: Inputs) -> Tensor:
    """(k, outputs) the rows of a table (cells, outputs), weighted by the inputs."""
    return torch.nn.functional.embedding_bag(inputs.cells, table, per_sample_weights=inputs.shares, mode="sum")


def log_softmax(values: Tensor, masks: Tensor) -> Tensor:
    """(k, A) log-probabilities of the legal actions; about -1e9 elsewhere."""
    return torch.log_softmax(values.masked_fill(~masks, -1e9), 1)


class Agent:
    """A fixed policy: the softmax, over the legal actions, of the outputs at the input cells.

    Attributes:
        encoder: the encoder of observations.
        table: (cells, A) the outputs.
    """

    def __init__(self, encoder: Encoder, table: Tensor) -> None:
        self.encoder, self.table = encoder, table.detach().clone()

    def __call__(self, observations: Array, masks: Array) -> Array:
        """(k, A) probabilities for observations (k, K) and masks (k, A) of legal actions."""
        return self.probabilities(self.encoder(observations), torch.as_tensor(masks, dtype=torch.bool))

    def probabilities(self, inputs: Inputs, masks: Tensor) -> Array:
        """The same for inputs."""
        return np.asarray(log_softmax(look_up(self.table, inputs), masks).exp().numpy())


class Sampled(NamedTuple):
    """Decisions of sampled games, of both seats; with finitely many hands, equal decisions are merged and counted.

    Attributes, with k decisions:
        inputs: the observations, encoded.
        masks: (k, A) bool, which actions are legal.
        count: (k, A) how often each action was taken.
        chips: (k, A) what the player who acted won in the end, on average; 0 where the action was not taken.
        near: (k,) how many decisions were sampled at the nearest input cell, including this one.
    """

    inputs: Inputs
    masks: Tensor
    count: Tensor
    chips: Tensor
    near: Tensor


class Tables:
    """Many tables at which an agent plays itself.

    Args:
        game: the game.
        games: the number of games played at a time.
        encoder: the encoder of observations.
        seed: the seed of deals and actions.
    """

    def __init__(self, game: Game, games: int, encoder: Encoder, seed: int) -> None:
        self.batch, self.encoder = Batch(game, games, seed), encoder
        self._random = np.random.default_rng([seed, 1])
        self._player, self._legal = game.tree.table.player.astype(np.int64), game.tree.table.legal
        self._known: tuple[Inputs, Array] | None = None
        if game.deal.is_finite:
            asked = [questions(game, seat) for seat in (0, 1)]
            self._known = encoder(np.concatenate([seen for seen, _ in asked])), np.concatenate([m for _, m in asked])
            self._first = np.zeros(len(self._player), np.int64)
            for seat, offset in ((0, 0), (1, len(asked[0][0]))):
                nodes = np.flatnonzero(self._player == seat)
                self._first[nodes] = offset + np.arange(len(nodes)) * game.deal.size(seat)

    def play(self, agent: Agent) -> Sampled:
        """Deal at every table and play to the end, the agent in both seats."""
        batch, live = self.batch, np.arange(self.batch.n)
        batch.deal(live)
        known = None if self._known is None else self._upto(agent, *self._known)
        seen: list[tuple[Inputs, Array]] = []
        took: list[tuple[Array, ...]] = []
        while len(live):
            node = batch.node.take(live)
            player = self._player.take(node)
            if known is None:
                seen.append((self.encoder(batch.observe(tables=live)), self._legal.take(node, axis=0)))
                row, upto = live, self._upto(agent, *seen[-1])
            else:
                row = self._first.take(node) + batch.hands[live, player]
                upto = known.take(row, axis=0)
            action = (self._random.random((len(live), 1), np.float32) >= upto).sum(axis=1)
            batch.move(live, action)
            took.append((live, row, player, action))
            live = live[~batch.done.take(live)]
        table, row, player, action = (np.concatenate(part) for part in zip(*took, strict=True))
        chips = (1 - 2 * player) * batch.chips.take(table)
        if self._known is not None:
            return _gathered(*self._known, row, action, chips)
        inputs = Inputs(*(torch.cat(part) for part in zip(*(inputs for inputs, _ in seen), strict=True)))
        masks = np.concatenate([masks for _, masks in seen])
        return _gathered(inputs, masks, np.arange(len(action)), action, chips)

    def _upto(self, agent: Agent, inputs: Inputs, masks: Array) -> Array:
        """(k, A - 1) cumulative probabilities of the actions; 2 from the last legal action on, so that no later one is drawn."""
        upto = np.cumsum(agent.probabilities(inputs, torch.as_tensor(masks))[:, :-1], axis=1)
        upto[np.cumsum(masks[:, ::-1], axis=1)[:, -2::-1] == 0] = 2.0
        return upto


def _gathered(inputs: Inputs, masks: Array, row: Array, action: Array, chips: Array) -> Sampled:
    """Decisions merged by row and action, without rows that did not occur."""
    shape = masks.shape
    place = row * shape[1] + action
    count = np.bincount(place, minlength=masks.size).reshape(shape)
    mean = np.bincount(place, chips, minlength=masks.size).reshape(shape) / np.maximum(count, 1)
    cell = np.where(inputs.shares[:, 1] >= 0.5, inputs.cells[:, 1], inputs.cells[:, 0])
    near = np.bincount(cell, count.sum(axis=1)).take(cell)
    met = np.flatnonzero(count.any(axis=1))
    numbers = (torch.as_tensor(part[met], dtype=torch.float32) for part in (count, mean, near))
    return Sampled(Inputs(inputs.cells[met], inputs.shares[met]), torch.as_tensor(masks[met]), *numbers)
