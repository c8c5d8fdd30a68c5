"""Policies for many tables at once: strategies as tables of cumulative probabilities, or callables on whole batches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from relance.agents.opponents import Agent, function_of
from relance.agents.opponents import strategy as strategy_of
from relance.agents.reading import checked
from relance.model.game import Game
from relance.model.piecewise import Piecewise
from relance.model.strategy import Strategy

Policy: TypeAlias = Any
"""A function, or what `relance.agents.opponents.strategy` takes: a name, a Profile, a trained agent, a mixture, a pair."""


class StrategyTable(NamedTuple):
    """A strategy as arrays: for each node, cell of hands and action id the chance of that action or an earlier one.

    Attributes:
        cuts: (cells - 1,) where the strategy changes on [0, 1]; empty for finite hands, which are cells themselves.
        cells: how many cells each node has.
        interval: whether hands are on [0, 1].
        upto: (A - 1, M * cells) float64, the row of a node and cell at node * cells + cell; exactly 1 from the last action
            that is ever taken on.
    """

    cuts: npt.NDArray[np.float64]
    cells: int
    interval: bool
    upto: npt.NDArray[np.float64]


def policy_of(game: Game, policy: Policy, seat: int) -> StrategyTable | Agent:
    """What `policy` names for this seat. Raises ValueError or TypeError if it names none, or is a profile of another game."""
    return function_of(policy, seat) or tabulate(game, strategy_of(game, policy, seat))


def ids_of(game: Game, answer: Any, masks: Any, where: Callable[[int], str], uniform: Callable[[], Any]) -> Any:
    """An agent's answer as action ids: what it gives, or one for each row of probabilities (k, A), drawn by (k,) numbers in [0, 1).

    Raises ValueError, naming the row by `where`, for probabilities that are none or illegal.
    """
    given = np.asarray(answer.detach().cpu() if hasattr(answer, "detach") else answer)
    if given.ndim != 2:
        return given
    upto = np.cumsum(checked(game, given, masks, where), axis=1)
    return (uniform()[:, None] * upto[:, -1:] >= upto).sum(axis=1)


def tabulate(game: Game, strategy: Strategy) -> StrategyTable:
    """Compile a strategy of this game."""
    table = game.tree.table
    pieces = [row for rows in strategy.at.values() for row in rows if isinstance(row, Piecewise)]
    shared = Piecewise.constant(0)
    for piece in pieces:
        shared = shared + piece * 0
    every = {
        name: np.stack([np.asarray((row + shared).values() if pieces else row, float) for row in rows])
        for name, rows in strategy.at.items()
    }
    cells = max(rows.shape[1] for rows in every.values()) if every else 1
    chance = np.zeros((len(table.names), cells, len(game.actions)))
    for node, name in enumerate(table.names):
        if name in every:
            chance[node, :, table.legal_ids[node]] = every[name]
    upto = np.cumsum(chance, axis=2)
    upto /= np.where(upto[:, :, -1:] > 0, upto[:, :, -1:], 1.0)
    # No rounding of the sum may leave room behind the last action that is taken.
    rest = np.cumsum(chance[:, :, ::-1], axis=2)[:, :, ::-1]
    upto[:, :, :-1][rest[:, :, 1:] == 0] = 1.0
    rows = np.ascontiguousarray(upto[:, :, :-1].reshape(-1, len(game.actions) - 1).T)
    cuts = np.array([float(cut) for cut in shared.cuts[1:-1]])
    return StrategyTable(cuts, cells, bool(pieces), rows)


def choose(
    table: StrategyTable, node: npt.NDArray[np.int64], hand: npt.NDArray[Any], uniform: npt.NDArray[np.float64]
) -> npt.NDArray[np.int64]:
    """The action ids, (k,), that numbers in [0, 1) pick at these nodes with these hands."""
    cell = np.searchsorted(table.cuts, hand, side="right") if table.interval else hand
    row = node * table.cells + cell
    out = np.zeros(len(node), np.int64)
    for upto in table.upto:
        out += uniform >= upto.take(row)
    return out
