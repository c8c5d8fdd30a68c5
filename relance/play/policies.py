"""Chooses players' actions at one table or at many: draws them from a strategy, or asks a function for them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from relance.model.arrays import Floats, Ints
from relance.model.game import Game
from relance.model.piecewise import Piecewise, refined
from relance.model.sequences import sides
from relance.model.strategy import Rows, Strategy
from relance.play.agents import Answer, as_array, in_seat, is_function, legal_probabilities, strategy
from relance.play.batch import Batch, check_actions
from relance.play.board import position_of
from relance.play.loops import Slots
from relance.play.loops import StrategyTable as StrategyTable
from relance.play.networks import Masks
from relance.play.opponents import Player
from relance.play.table import Table

LISTED = 10_000
"""Up to this many rows of a strategy are kept as lists, which are read faster one by one."""


def tabulate(game: Game, strategy: Strategy) -> StrategyTable:
    """Return a strategy of this game as a table from which actions are drawn quickly."""
    if isinstance(strategy.at, Rows):
        return _tabulate_rows(strategy.at)
    nodes, width = game.tree.table, len(game.actions)
    functions = [row for rows in strategy.at.values() for row in rows]
    interval, cuts = any(isinstance(function, Piecewise) for function in functions), np.zeros(0)
    if interval:
        functions = refined(functions)
        cuts = np.array([float(cut) for cut in functions[0].cuts[1:-1]])
        functions = [function.values() for function in functions]
    cells = len(functions[0]) if functions else 0
    start, chance = np.zeros(len(nodes.names), np.int64), np.zeros((len(strategy.at), cells, width))
    rest, index = iter(functions), {name: i for i, name in enumerate(nodes.names)}
    for place, name in enumerate(strategy.at):
        node = index[name]
        start[node] = place * cells
        for action in nodes.legal_ids[node]:
            chance[place, :, action] = np.asarray(next(rest), float)
    upto = _upto(chance)[:, :, :-1].reshape(len(strategy.at) * cells, width - 1)
    return StrategyTable(cuts, interval, start, np.ascontiguousarray(upto.T))


def _tabulate_rows(rows: Rows) -> StrategyTable:
    """Compile a strategy of a large tree."""
    table, form = rows.tree.table, sides(rows.tree)[rows.player]
    upto: Floats = np.empty((form.size, rows.array.shape[1]))
    for group in form.widths:  # the nodes with so many actions
        block = rows.array[group.slots].reshape(*group.shape, -1)
        upto[group.slots] = _upto(block.transpose(0, 2, 1)).transpose(0, 2, 1).reshape(-1, upto.shape[1])
    start, legal = np.zeros(table.size, np.int32), table.offsets[0] > 0
    start[table.player == rows.player] = form.starts
    slots = Slots(table.kind, legal.sum(axis=1), np.argsort(~legal, axis=1, kind="stable"))
    return StrategyTable(np.zeros(0), False, start, upto, slots)


def _upto(chance: Floats) -> Floats:
    """The cumulative probabilities along the last axis, which end with 1."""
    upto = np.cumsum(chance, axis=2)
    upto /= np.where(upto[:, :, -1:] > 0, upto[:, :, -1:], 1.0)
    # Rounding must not leave any probability after the last action that the strategy takes.
    onward = np.cumsum(chance[:, :, ::-1], axis=2)[:, :, ::-1]
    upto[:, :, :-1][onward[:, :, 1:] == 0] = 1.0
    return upto


def choose(table: StrategyTable, node: Ints, hand: npt.NDArray[Any], uniform: Floats) -> Ints:
    """Return the action ids that numbers `uniform` in [0, 1) draw from a strategy at these nodes with these hands; all (k,)."""
    row = table.start.take(node)
    if table.slots is not None:
        kind, place = table.slots.kind.take(node), np.zeros(len(node), np.int64)
        last = table.slots.counts.take(kind) - 1
        for k in range(last.max(initial=0)):
            place += uniform >= table.upto[row + np.minimum(k, last), hand]  # the last of them is 1
        chosen: Ints = table.slots.ids[kind, place]
        return chosen
    row += np.searchsorted(table.cuts, hand, side="right") if table.interval else hand
    ids: Ints = np.add.reduce(uniform >= table.upto.take(row, axis=1), 0, np.int64)
    return ids


class Sampler:
    """Draws the actions of a strategy one at a time; `choose` draws many at once."""

    def __init__(self, table: StrategyTable) -> None:
        self._table, rows = table, table.upto.T
        self._start = table.start.tolist() if table.slots is None else None
        self._rows: Any = rows.tolist() if self._start and len(rows) <= LISTED else rows
        self._cuts = table.cuts.tolist() if table.interval else None

    def draw(self, node: int, hand: Any, uniform: float) -> int:
        """Return the action id that a random number `uniform` in [0, 1) draws at this node with this hand."""
        if self._start is None:
            return int(choose(self._table, np.array([node]), np.array([hand]), np.array([uniform]))[0])
        row = self._start[node] + (hand if self._cuts is None else bisect_right(self._cuts, hand))
        return bisect_right(self._rows[row], uniform)


def policy_of(game: Game, policy: Player, seat: int) -> StrategyTable | Answer:
    """Return a function unchanged, any other policy as the table of its strategy in this seat; errors as in `agents.strategy`."""
    player = in_seat(policy, seat)
    return player if is_function(player) else tabulate(game, strategy(game, player, seat))


def ids_of(
    game: Game, answer: object, masks: Masks, where: Callable[[int], str], uniform: Callable[[], Floats]
) -> npt.NDArray[Any]:
    """Return a function's answer as action ids; if the answer is probabilities (k, A), draw an action for each row.

    Args:
        game: the game.
        answer: what the function returned for `masks`.
        masks: (k, A) which actions are legal.
        where: returns the name of a row, for errors.
        uniform: returns (k,) random numbers in [0, 1); called only if actions are drawn.

    Raises:
        ValueError: the probabilities do not sum to 1, or some are of illegal actions.
    """
    ids = as_array(answer)
    if ids.ndim != 2:
        return ids
    upto = np.cumsum(legal_probabilities(game, ids, masks, where), axis=1)
    drawn: Ints = (uniform()[:, None] * upto[:, -1:] >= upto).sum(axis=1)
    return drawn


def play_on(table: Table, seat: int, player: Sampler | Answer, draws: np.random.Generator) -> None:
    """Let a player act at a table while it is their turn in this seat; ValueError for an illegal answer of a function."""
    while table.player == seat:
        if isinstance(player, Sampler):
            table.act(player.draw(table.node, table.hands[seat], draws.random()))
            continue
        rules, mask = table.rules, table.mask(seat).astype(bool)[None]
        answer = player(table.observe(seat)[None], mask)
        ids = ids_of(rules.game, answer, mask, lambda row: "the opponent", lambda: draws.random(1))
        action = rules.action_id(ids.item() if ids.size == 1 else answer)
        if not mask[0, action]:
            raise ValueError("the opponent's " + rules.illegal(action, table.node))
        table.act(action)


def ids_at(
    batch: Batch,
    policy: StrategyTable | Answer,
    player: int,
    tables: Ints,
    uniform: Callable[[], Floats],
    name: Callable[[int], str] = "table {}".format,
) -> Ints:
    """Return the action ids, (k,), that `policy` takes at k tables of a batch, where it is the turn of `player`.

    `uniform` returns (k,) random numbers in [0, 1); `name` returns what a table is called in errors. A function's ids may be illegal.
    """
    node = batch.node.take(tables)
    if isinstance(policy, StrategyTable):
        return choose(policy, node, batch.hands_of(player, tables), uniform())
    masks = batch.board.mask.take(position_of(batch.board, node), axis=0).view(bool)
    answer = policy(batch.observe(player, tables), masks)
    return check_actions(ids_of(batch.game, answer, masks, lambda row: name(tables[row]), uniform), len(tables))
