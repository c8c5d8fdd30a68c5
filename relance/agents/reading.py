"""Any agent as a strategy: networks, models of Stable-Baselines3, policies and agents of OpenSpiel, functions.

Every agent is asked once for each information set of its seat, in batches, and answers with probabilities of actions. What it
is shown are the observations of `relance.rules.rules`. No framework is imported unless the agent is of its kind.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from relance.agents.answers import Masks, Observations, responder
from relance.model.deal import FiniteDeal
from relance.model.game import Game
from relance.model.laws import IntervalDeal
from relance.model.piecewise import Piecewise
from relance.model.strategy import Strategy
from relance.rules.rules import rules

Illegal: TypeAlias = Literal["error", "renormalise"]

ROUNDING = 1e-5
"""How far an agent's float probabilities may sum from 1, and how much of them may be illegal by rounding; then normalised."""

ROWS = 2**16
"""How many information sets an agent is asked for at a time."""

CELLS = 1000
"""An agent that plays hands on [0, 1] by a table is asked at the middles of so many equal cells, and plays each as its middle."""


def in_cells(game: Game, cells: int | None = None) -> Game:
    """The game with hands on [0, 1] cut into so many equal cells, by default `CELLS`."""
    return _in_cells(game, cells or CELLS)


@lru_cache(maxsize=8)
def _in_cells(game: Game, cells: int) -> Game:
    """Kept, because a law of two dependent hands takes seconds to cut."""
    return game.grid(cells)


def half(game: Game, agent: Any, seat: int, illegal: Illegal = "error") -> Strategy:
    """What `agent` plays in `seat`, in floats; with hands on [0, 1] constant on `CELLS` cells.

    Args:
        game: what is played.
        agent: see `relance.agents.score.score`; not a pair.
        seat: 0 or 1.
        illegal: "error" refuses probability on illegal actions, "renormalise" goes by what is left for legal ones.

    Raises ValueError, naming node and hand, for NaN, wrong shapes, probabilities that are negative or do not sum to 1,
    illegal actions, and agents of another game; TypeError for what is no agent.
    """
    if isinstance(game.deal, IntervalDeal):
        cells = in_cells(game)
        assert cells.cuts is not None
        return on_interval(half(cells, agent, seat, illegal), cells, seat)
    answer = responder(game, agent, seat)
    seen, masks = questions(game, seat)
    found = np.empty(masks.shape)
    for start in range(0, len(seen), ROWS):
        part, where = slice(start, start + ROWS), partial(_where, game, seat, start)
        found[part] = checked(game, answer(seen[part], masks[part]), masks[part], where, illegal)
    return _split(game, seat, found)


@lru_cache(maxsize=8)
def questions(game: Game, seat: int) -> tuple[Observations, Masks]:
    """All that `seat` can be asked: observations (N, K) and masks (N, A), nodes depth first, then hands ascending."""
    rulebook, deal, table = rules(game), game.deal, game.tree.table
    assert isinstance(deal, FiniteDeal)
    hands, width = deal.size(seat), rulebook.pieces[1].shape[0]
    nodes = np.flatnonzero(table.player == seat)
    if rulebook.numbered and deal.places is not None:
        column, written = np.full(hands, 2), deal.places[seat]
    else:
        codes = [rulebook.hand_code(seat, hand) for hand in range(hands)]
        column, written = np.array([at for at, _ in codes]), np.array([value for _, value in codes])
    seen = np.empty((len(nodes), hands, rulebook.size), np.float32)
    for block, node in zip(seen, nodes.tolist(), strict=True):
        block[:] = rulebook.observe(seat, 0, node)
        block[:, 2 : 2 + width] = 0
        block[np.arange(hands), column] = written
    masks = np.repeat(table.legal[nodes], hands, axis=0)
    seen.flags.writeable = masks.flags.writeable = False
    return seen.reshape(-1, rulebook.size), masks


_CURE = "; with illegal='renormalise' relance.score goes by what is left for legal actions"


def checked(
    game: Game, given: Any, masks: Masks, where: Callable[[int], str], illegal: Illegal = "error"
) -> npt.NDArray[np.float64]:
    """An agent's answer as probabilities (N, A) of legal actions; `where` names a row. Raises ValueError as `half` does."""
    answer = np.asarray(given.detach().cpu() if hasattr(given, "detach") else given)
    n, width = masks.shape
    if answer.shape == (n,) and answer.dtype.kind in "iu":
        wrong = (answer < 0) | (answer >= width)
        if wrong.any():
            row = int(wrong.argmax())
            ids = ", ".join(f"{i} ({name})" for i, name in enumerate(game.actions))
            raise ValueError(f"{where(row)}: the agent's {answer[row]} is no action id; there are {ids}")
        answer = np.eye(width)[answer]
    if answer.shape != (n, width) or answer.dtype.kind not in "fiub":
        raise ValueError(
            f"the agent answered {n} observations of {game} with {answer.dtype} of shape {answer.shape}; "
            f"probabilities of shape ({n}, {width}) or whole action ids of shape ({n},) are needed"
        )
    chance = answer.astype(float)
    bad = ~np.isfinite(chance) | (chance < -ROUNDING)
    if bad.any():
        row, action = (int(i) for i in np.argwhere(bad)[0])
        what = f"gives {game.actions[action]!r} the probability {chance[row, action]}; it must be from 0 to 1"
        raise ValueError(f"{where(row)}: the agent {what}")
    chance = chance.clip(0.0)
    total = chance.sum(axis=1)
    strict = illegal == "error"
    off = (total > 1 + ROUNDING) | (strict & (total < 1 - ROUNDING))
    if off.any():
        row = int(off.argmax())
        cure = _CURE if total[row] < 1 else ""
        raise ValueError(f"{where(row)}: the agent's probabilities sum to {total[row]:g}, not to 1{cure}")
    legal = np.where(masks, chance, 0.0)
    kept = legal.sum(axis=1)
    lost = (total - kept > ROUNDING) if strict else kept <= 0
    if lost.any():
        row = int(lost.argmax())
        action = int(np.where(masks[row], 0, chance[row]).argmax())
        allowed = ", ".join(name for name, fine in zip(game.actions, masks[row], strict=True) if fine)
        raise ValueError(
            f"{where(row)}: the agent gives the illegal action {game.actions[action]!r} the probability "
            f"{chance[row, action]:.4g}; legal: {allowed}{_CURE if strict else ''}"
        )
    out: npt.NDArray[np.float64] = legal / kept[:, None]
    return out


def _where(game: Game, seat: int, start: int, row: int) -> str:
    assert isinstance(game.deal, FiniteDeal)
    hands, row = game.deal.size(seat), start + row
    name = list(game.tree.of(seat))[row // hands]
    return f"{game.name}, node {name!r}, hand {game.deal.labels[seat][row % hands]}"


def _split(game: Game, seat: int, found: npt.NDArray[np.float64]) -> Strategy:
    """Rows of probabilities, in the order of `questions`, as a strategy."""
    assert isinstance(game.deal, FiniteDeal)
    hands, at = game.deal.size(seat), {}
    for i, (name, node) in enumerate(game.tree.of(seat).items()):
        block = found[i * hands : (i + 1) * hands]
        at[name] = tuple(np.ascontiguousarray(block[:, game.action_id(action)]) for action in node.actions)
    return Strategy(seat, at)


def on_interval(strategy: Strategy, cells: Game, seat: int) -> Strategy:
    """A strategy on cells as one on [0, 1]; where a cell is never dealt it plays as in the nearest that is."""
    assert isinstance(cells.deal, FiniteDeal)
    assert cells.cuts is not None
    assert cells.deal.places is not None
    cuts = tuple(cells.cuts)
    middles = (np.arange(len(cuts) - 1) + 0.5) / (len(cuts) - 1)
    nearest = np.abs(middles[:, None] - cells.deal.places[seat]).argmin(axis=1)
    return strategy.map(lambda row: Piecewise(cuts, [(p,) if p else () for p in row[nearest].tolist()]).simplified())
