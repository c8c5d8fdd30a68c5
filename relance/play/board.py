"""The rules of a game as flat arrays, and what players see at many tables at once."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from relance.model.arrays import Floats, Ints, Words
from relance.model.tree import OVER
from relance.play.rules import Rules, Vector
from relance.play.runouts import fought, turns

MOST_SEEN = 2**18
"""Up to this many numbers, all that players can see in a game is kept, with every hand."""


class Board(NamedTuple):
    """The public rules as flat arrays over A action ids and 2 M nodes.

    These are the M nodes of the tree, and each of them once more after the player to move has forfeited there.

    Attributes:
        width, nodes: A and M.
        child: (2 M * A,) the node that an action leads to, at node * A + action id. Illegal actions forfeit; a finished game stays so.
        choices: (2 M,) the number of legal actions; 0 where the game is over.
        action, follow: (M * A,) the k-th legal action id and the node it leads to, at node * A + k.
        player: (2 M,) who acts, `OVER` where the game is over, `CHANCE` where an event turns up.
        constant, stake: (2 M,) chips to player 0 are constant + stake * edge; 0 while the game goes on.
        mask: (2 M, A) int8, the legal actions of the player to move; all ones where the game is over.
        chance, turned: where events turn up, the row of each node, and the nodes that runouts lead to; see `relance.play.runouts.turns`.
            `chance` is (2 M,), and both are empty in games without events.
        case: (2 M,) where the edges of a terminal node's case begin in `DealTable.edge`; empty in games with one case.
    """

    width: int
    nodes: int
    child: Ints
    choices: Words
    action: Ints
    follow: Ints
    player: Ints
    constant: Floats
    stake: Floats
    mask: npt.NDArray[np.int8]
    chance: Ints
    turned: Ints
    case: Ints


def compile_board(rulebook: Rules) -> Board:
    """The public rules as arrays."""
    tree, deal = rulebook.game.tree, rulebook.deal
    table = tree.table
    nodes, width = table.child.shape
    here, over = np.arange(nodes)[:, None], (table.player < 0)[:, None]
    child = np.where(table.legal, table.child, np.where(over, here, nodes + here))
    stays = np.broadcast_to(nodes + here, child.shape)
    action = np.zeros((nodes, width), np.int64)  # the legal ids come first; the entries after them are never read
    for node, legal in enumerate(table.legal_ids):
        action[node, : len(legal)] = legal
    lost = np.take(rulebook.forfeits, np.maximum(table.player, 0))
    ones = np.ones_like(table.legal)
    chance, turned = turns(tree)
    case = np.zeros(0 if tree.is_usual else 2 * nodes, np.int64)
    if not tree.is_usual:
        starts = {of: k * deal.size(0) * deal.size(1) for k, of in enumerate(fought(tree))}
        case[:nodes] = [starts.get(of, 0) for of in table.cases]
    return Board(
        width,
        nodes,
        np.concatenate([child, stays]).ravel().astype(np.int64),
        np.concatenate([table.legal.sum(axis=1), np.zeros(nodes)]).astype(np.uint64),
        action.ravel(),
        np.take_along_axis(child, action, axis=1).ravel().astype(np.int64),
        np.concatenate([table.player, np.full(nodes, OVER)]).astype(np.int64),
        np.concatenate([np.where(over[:, 0], table.constant, 0.0), lost]),
        np.concatenate([np.where(over[:, 0], table.stake, 0.0), np.zeros(nodes)]),
        np.concatenate([table.legal | (table.player == OVER)[:, None], ones]).astype(np.int8),
        np.concatenate([chance, np.full(len(chance), -1)]),
        turned,
        case,
    )


class Sight(NamedTuple):
    """What players see, over 2 players, the 2 M nodes of a `Board`, and observations of length K. A forfeit looks like its node.

    Attributes:
        rows: (2, 2 M * whole, K) by player, at node * whole + hand, what they see with each hand; if `whole` is 1, without the hand.
        whole: the number of hands if the rows contain the hand, else 1.
        column, value: (2 * hands,) the position and value that encode each hand. On [0, 1] there is one column; the value is the hand.
        hands: the most hands of a player; 0 if hands are numbers in [0, 1].
    """

    rows: Vector
    whole: int
    column: Ints
    value: Vector
    hands: int


def compile_sight(rulebook: Rules) -> Sight:
    """What each player sees at each node, with each hand if that takes at most `MOST_SEEN` numbers."""
    column, value, finite = rulebook.column, rulebook.value, rulebook.deal.is_finite
    rows, whole = np.concatenate([rulebook.blank] * 2, axis=1)[:, :, None], 1
    if finite and rows.size * column.shape[1] <= MOST_SEEN:
        whole = column.shape[1]
        rows = np.repeat(rows, whole, axis=2)
        for player in (0, 1):
            rows[player, :, np.arange(whole), column[player]] = value[player][:, None]
    count = column.shape[1] if finite else 0
    return Sight(rows.reshape(2, -1, rulebook.size), whole, column.ravel(), value.ravel(), count)


def seats(player: int | npt.NDArray[np.integer[Any]], tables: int) -> Ints:
    """(tables,) the seat at each table, from one seat for all or one for each; ValueError unless all are 0 or 1."""
    seat = np.asarray(player)
    if seat.dtype.kind not in "iu" or ((seat != 0) & (seat != 1)).any() or seat.shape not in ((), (tables,)):
        raise ValueError(f"player={player!r} must be 0 or 1, or an array of them of shape ({tables},)")
    return np.broadcast_to(seat, tables)


def see(sight: Sight, player: Ints | int, node: Ints, hand: npt.NDArray[Any]) -> Vector:
    """(k, K) float32, fresh: what these players (or this one) see at these nodes with these hands, all (k,)."""
    _, count, size = sight.rows.shape
    row = node if sight.whole == 1 else node * sight.whole + hand
    if isinstance(player, int):
        out: Vector = sight.rows[player].take(row, axis=0)
    else:
        out = sight.rows.reshape(-1, size).take(player * count + row, axis=0)
    if sight.whole == 1:
        code: Any = player * sight.hands + hand if sight.hands else 0
        column, value = sight.column.take(code), sight.value.take(code) if sight.hands else hand
        out.reshape(-1)[np.arange(0, out.size, size) + column] = value
    return out
