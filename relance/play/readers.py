"""Reads an agent as a strategy, by asking it once for its action probabilities at each information set of its seat.

It is shown the observations of `relance.play.rules`. Torch networks and plain functions are read here. No framework is imported: each
framework's adapter adds a reader for its own agents with `read_with`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from types import FunctionType, MethodType
from typing import Any, Literal, TypeAlias, TypeGuard

import numpy as np
import numpy.typing as npt

from relance.model.arrays import Floats, host
from relance.model.game import Game
from relance.model.limits import check_memory
from relance.model.numbers import short
from relance.model.strategy import Strategy
from relance.play.board import compile_sight, see
from relance.play.networks import Masks, Observations, probabilities
from relance.play.rules import rules

Answer: TypeAlias = Callable[[Observations, Masks], Any]
"""A function of observations (N, K) and masks (N, A) that returns probabilities (N, A) or action ids (N,), as an array or a tensor."""

Illegal: TypeAlias = Literal["error", "renormalise"]

ROUNDING = 1e-5
"""How far the sum of an agent's float probabilities may be from 1, and how much may be on illegal actions; the rest is normalised."""

ROWS = 2**16
"""How many information sets an agent is asked for at a time."""

AGAIN = 64
"""How many answers of a function are asked for twice, to check that they are not drawn at random."""

ESTIMATE = "estimate it from drawn answers: relance.words.score(game, agent, answers=100), or `relance ask` on the command line"
"""What to do with an agent whose probabilities are not known."""

CELLS = 1000
"""With hands on [0, 1] an agent is asked only at the middles of equal cells, this many by default, and plays all hands of a cell alike.
`relance.score` makes the cells smaller until its figures settle."""


@lru_cache(maxsize=8)
def in_cells(game: Game, cells: int = CELLS) -> Game:
    """The game with hands on [0, 1] cut into equal cells. Cached, because cutting a law of dependent hands takes seconds."""
    return game.grid(cells)


# Kinds of agents


@dataclass(frozen=True)
class Reader:
    """How a framework's agents are read.

    Attributes:
        kind: what an agent of this kind is called in messages, such as "a Stable-Baselines3 model".
        reads: whether an agent is of this kind.
        answer: takes a game, an agent and a seat; returns the agent as an `Answer`; raises ValueError for an agent of another game.
        one_seat: whether an agent of this kind plays only one seat, so that a list of two of them is a pair.
        finite_hands: whether it can only play games with finitely many hands.
        draws: whether it answers with actions that it draws, so that its strategy can only be estimated.
    """

    kind: str
    reads: Callable[[Any], bool]
    answer: Callable[[Game, Any, int], Answer]
    one_seat: bool = False
    finite_hands: bool = False
    draws: bool = False


_READERS: list[Reader] = []
_NETWORK = Reader("a torch module", callable, lambda game, module, seat: partial(probabilities, module))


def read_with(*readers: Reader) -> None:
    """Add readers for more kinds of agents; if several readers fit an agent, the one added first is used."""
    _READERS.extend(readers)


def reader_of(agent: object) -> Reader | None:
    """The reader of a framework's agent or of a torch network; None for anything else."""
    if isinstance(agent, (str, FunctionType, MethodType)):  # no framework has such agents
        return None
    known = next((reader for reader in _READERS if reader.reads(agent)), None)
    torch = sys.modules.get("torch")
    return _NETWORK if known is None and torch is not None and isinstance(agent, torch.nn.Module) else known


def is_function(agent: object) -> TypeGuard[Answer]:
    """True if an agent is a plain function of observations and masks: neither a class nor an agent with a reader."""
    return callable(agent) and not isinstance(agent, type) and reader_of(agent) is None


def _answer(game: Game, agent: object, seat: int) -> Answer:
    reader = reader_of(agent)
    if reader is not None and reader.draws:
        raise ValueError(f"{reader.kind} draws its actions; {ESTIMATE}")
    if reader is not None:
        return reader.answer(game, agent, seat)
    if is_function(agent):
        return partial(_steady, agent)
    raise no_agent(agent)


def no_agent(agent: object) -> TypeError:
    """The error for an object that is not an agent; it says what an agent may be."""
    kinds = ", ".join(reader.kind for reader in (_NETWORK, *_READERS))
    return TypeError(
        f"{type(agent).__name__} {short(agent)} is not an agent; an agent is {kinds}, a Profile, the name of an opponent, a callable "
        "(observations, masks) -> probabilities or action ids, or a pair or a mixture of these"
    )


def _steady(function: Answer, seen: Observations, masks: Masks) -> npt.NDArray[Any]:
    """The answer of a function; ValueError if it answers differently when asked again, since its probabilities are then unknown."""
    first = as_array(function(seen.copy(), masks.copy()))
    if first.shape[:1] != (len(seen),) or first.dtype.kind not in "fiub":
        return first  # wrong shape or type: `legal_probabilities` raises the error
    few = slice(0, AGAIN)
    for _ in range(-(-AGAIN // len(seen))):
        again = as_array(function(seen[few].copy(), masks[few].copy()))
        if again.shape != first[few].shape or not np.allclose(first[few], again, atol=1e-4, equal_nan=True):
            raise ValueError(
                "the agent answers the same observations differently when it is asked again; return the probabilities (N, A) that "
                f"it draws its actions from, pass the model itself, or {ESTIMATE}"
            )
    return first


def as_array(answer: object) -> npt.NDArray[Any]:
    """An answer as a numpy array; tensors on any device are copied."""
    try:
        return np.asarray(host(answer) if hasattr(answer, "detach") else answer)
    except ValueError:
        raise ValueError(f"the agent answered {short(answer)}, whose rows have different lengths") from None


# Questions and answers


def read(game: Game, agent: object, seat: int, illegal: Illegal = "error") -> Strategy:
    """The strategy that `agent` plays in `seat`, in floats; with hands on [0, 1] it is constant on `CELLS` cells.

    Args:
        game: the game.
        agent: a torch network, an agent of a framework, or a function; see `relance.score`.
        seat: 0 or 1.
        illegal: "error" refuses probability on illegal actions, "renormalise" drops it and scales up the rest.

    Raises:
        ValueError: for NaN, wrong shapes, probabilities that are negative or do not sum to 1, illegal actions (naming node and
            hand), and agents of another game.
        TypeError: for anything that is not an agent.
    """
    if not game.deal.is_finite:
        cells = in_cells(game)
        return cells.strategy_on_interval(read(cells, agent, seat, illegal))
    answer = _answer(game, agent, seat)
    seen, masks = questions(game, seat)
    chance = np.empty(masks.shape)
    for start in range(0, len(seen), ROWS):
        part, where = slice(start, start + ROWS), partial(_where, game, seat, start)
        chance[part] = legal_probabilities(game, answer(seen[part], masks[part]), masks[part], where, illegal)
    nodes = game.tree.of(seat)
    blocks = chance.reshape(len(nodes), game.finite_deal().size(seat), masks.shape[1]).transpose(0, 2, 1)
    at = {
        name: tuple(np.ascontiguousarray(block[game.action_id(action)]) for action in node.actions)
        for block, (name, node) in zip(blocks, nodes.items(), strict=True)
    }
    return Strategy(seat, at)


def check_questions(game: Game, seat: int) -> None:
    """Raise ValueError if the observations of all information sets of `seat` do not fit into memory."""
    sets = len(game.tree.of(seat)) * game.deal.size(seat)
    what = f"asking an agent of {game} at all {sets:,} information sets of player {seat}"
    check_memory(sets * (4 * rules(game).size + 40 + 9 * len(game.actions)), what, instead="take fewer hands")


@lru_cache(maxsize=8)
def questions(game: Game, seat: int) -> tuple[Observations, Masks]:
    """All questions for `seat`: observations (N, K) and masks (N, A), nodes depth first, then hands ascending."""
    table, hands = game.tree.table, game.finite_deal().size(seat)
    nodes = np.flatnonzero(table.player == seat)
    check_questions(game, seat)
    node, hand = np.repeat(nodes, hands), np.tile(np.arange(hands), len(nodes))
    seen, masks = see(compile_sight(rules(game)), np.full(len(node), seat), node, hand), table.legal.take(node, axis=0)
    seen.flags.writeable = masks.flags.writeable = False
    return seen, masks


_CURE = "; with illegal='renormalise' relance.score drops illegal actions and scales up the rest"


def legal_probabilities(
    game: Game, answer: object, masks: Masks, where: Callable[[int], str], illegal: Illegal = "error"
) -> Floats:
    """An agent's answer as probabilities (N, A) of legal actions. `where` returns the name of a row, for errors; raises as `read` does."""
    given, (n, width) = as_array(answer), masks.shape
    if given.shape == (n,) and given.dtype.kind in "iu":
        wrong = (given < 0) | (given >= width)
        if wrong.any():
            row = int(wrong.argmax())
            raise ValueError(f"{where(row)}: the answer {given[row]} is not an action id; {rules(game).ids}")
        given = np.eye(width)[given]
    if given.shape != (n, width) or given.dtype.kind not in "fiub":
        raise ValueError(
            f"the agent answered {n} observations of {game} with {given.dtype} of shape {given.shape}; "
            f"probabilities of shape ({n}, {width}) or action ids of shape ({n},) are needed"
        )
    chance = given.astype(float)
    bad = ~np.isfinite(chance) | (chance < -ROUNDING)
    if bad.any():
        row, action = np.argwhere(bad)[0].tolist()
        what = f"the probability {chance[row, action]}; it must be between 0 and 1"
        raise ValueError(f"{where(row)}: the agent gives {game.actions[action]!r} {what}")
    chance = chance.clip(0.0)
    total = chance.sum(axis=1)
    strict = illegal == "error"
    off = (total > 1 + ROUNDING) | (strict & (total < 1 - ROUNDING))
    if off.any():
        row = int(off.argmax())
        cure = _CURE if total[row] < 1 else ""
        raise ValueError(f"{where(row)}: the agent's probabilities sum to {total[row]:g}, not to 1{cure}")
    legal = np.where(masks, chance, 0.0)
    left = legal.sum(axis=1)
    lost = (total - left > ROUNDING) if strict else left <= 0
    if lost.any():
        row = int(lost.argmax())
        action = int(np.where(masks[row], 0, chance[row]).argmax())
        allowed = ", ".join(name for name, fine in zip(game.actions, masks[row], strict=True) if fine)
        raise ValueError(
            f"{where(row)}: the agent gives the illegal action {game.actions[action]!r} the probability "
            f"{chance[row, action]:.4g}; legal: {allowed}{_CURE if strict else ''}"
        )
    normalised: Floats = legal / left[:, None]
    return normalised


def _where(game: Game, seat: int, start: int, row: int) -> str:
    labels = game.finite_deal().labels[seat]
    node, hand = divmod(start + row, len(labels))
    return f"{game.name}, node {list(game.tree.of(seat))[node]!r}, hand {labels[hand]}"
