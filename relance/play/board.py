"""The rules of a game as flat arrays, and what players see at many tables at once."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from relance.model.arrays import Floats, Ints, Words
from relance.model.tree import OVER
from relance.model.tree_table import TreeTable
from relance.play.rules import Rules, Vector
from relance.play.runouts import fought, turns

MOST_SEEN = 2**18
"""If all observations of a game, with every hand, have at most this many numbers, they are kept in memory."""


class Board(NamedTuple):
    """The public rules of a game as flat arrays, for A action ids and the M nodes of the tree.

    Node number M + i means that the player to move at node i has forfeited there. The arrays are indexed by position. In a small tree
    each node is a position; in a large tree, of more than `MOST_LISTED` nodes, all nodes from which the game goes on alike share one
    (`TreeTable.positions`). The M nodes have P positions, and so have the M forfeits: position P + i is the forfeit at position i.

    In a large tree the entries of `child`, `follow` and `turned` are the next node's number minus that of the present node.

    Attributes:
        width, nodes: A and M.
        position: (2 M,) int32, the position of each node; None in a small tree, where P is M and a position is the node's number.
        child: (2 P * A,) at position * A + action id, the node after the action. Illegal actions forfeit; a finished game stays so.
        choices: (2 P,) the number of legal actions; 0 where the game is over.
        action, follow: (P * A,) at position * A + k, the k-th legal action id, and the node that this action leads to.
        player: (2 P,) who acts, `OVER` where the game is over, `CHANCE` at a chance node.
        constant, stake: (2 P,) chips to player 0 are constant + stake * edge; 0 while the game goes on. An edge is as in `loops.edge`.
        mask: (2 P, A) int8, the legal actions of the player to move; all ones where the game is over.
        chance: (2 P,) at a chance node, the index in `turned` at which its row begins; elsewhere -1. Empty in games without chance nodes.
        turned: the rows, one after another. A row has the next node for each runout (all chance events of a play). Empty like `chance`.
        case: (2 P,) at a terminal node, where its edges, one for each pair of hands, begin in `DealTable.edge`. Edges may depend on the
            events before the showdown, and on the rule that compares hands. Empty if there are no events and the higher hand always wins.
    """

    width: int
    nodes: int
    position: npt.NDArray[np.int32] | None
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
    """Return the public rules of a game as the arrays of a `Board`."""
    tree, deal = rulebook.game.tree, rulebook.deal
    table, shared = tree.table, tree.is_large
    position, last = table.positions
    further, player, size = table.offsets[0][table.kind[last]], table.player[last], table.size
    legal, over, start = further > 0, (player < 0)[:, None], 0 if shared else last[:, None]
    child = start + np.where(legal, further, np.where(over, 0, size))
    stays = np.broadcast_to(start if shared else size + start, child.shape)
    action = np.argsort(~legal, axis=1, kind="stable")  # the entries after the legal ids are never read
    lost = np.take(rulebook.forfeits, np.maximum(player, 0))
    chance, turned = turns(tree)
    case = np.zeros(0 if tree.is_usual else 2 * len(last), np.int64)
    if not tree.is_usual:
        starts = {of: k * deal.size(0) * deal.size(1) for k, of in enumerate(fought(tree))}
        case[: len(last)] = np.array([starts.get(of, 0) for of in table.every_case])[table.case[last]]
    return Board(
        width=len(tree.actions),
        nodes=size,
        position=np.concatenate([position, position + np.int32(len(last))]) if shared else None,
        child=np.concatenate([child, stays]).ravel().astype(np.int64),
        choices=np.concatenate([legal.sum(axis=1), np.zeros(len(last))]).astype(np.uint64),
        action=action.ravel(),
        follow=np.take_along_axis(child, action, axis=1).ravel().astype(np.int64),
        player=np.concatenate([player, np.full(len(last), OVER)]).astype(np.int64),
        constant=np.concatenate([np.where(over[:, 0], table.constant[last], 0.0), lost]),
        stake=np.concatenate([np.where(over[:, 0], table.stake[last], 0.0), np.zeros(len(last))]),
        mask=np.concatenate([legal | (player == OVER)[:, None], np.ones_like(legal)]).astype(np.int8),
        chance=np.concatenate([chance, np.full(len(chance), -1)]),
        turned=turned,
        case=case,
    )


def position_of(board: Board, node: Ints) -> npt.NDArray[np.integer[Any]]:
    """Return the positions of nodes, by which the arrays of a `Board` are indexed."""
    return node if board.position is None else board.position.take(node)


def onward(board: Board, node: Ints, further: Ints) -> Ints:
    """Return the next nodes. `further` has entries of `Board.child`, `follow` or `turned`; only in a large tree is `node` added to them."""
    return further if board.position is None else node + further


class Sight(NamedTuple):
    """What each player sees, as K numbers, at each of a tree's M nodes. Number M + i is the forfeit at node i: it looks the same as node i.

    Attributes:
        rows: (2, 2 M * whole, K) each player's observations. Row node * whole + hand has this hand at this node; if `whole` is 1, row
            `node` lacks the hand. Empty in a large tree, of more than `MOST_LISTED` nodes, where observations are made when asked for.
        whole: the number of hands if `rows` has observations with the hand, else 1.
        column, value: (2 * hands,) each. An observation shows a hand by the number `value[i]` at index `column[i]`, where i is
            player * hands + hand. On [0, 1] `column` has one entry, and the number is the hand itself.
        hands: the most hands of a player; 0 if hands are numbers in [0, 1].
        tree, public: for a large tree, its table, and the index in an observation at which the history begins; else None and 0.
    """

    rows: Vector
    whole: int
    column: Ints
    value: Vector
    hands: int
    tree: TreeTable | None
    public: int


def compile_sight(rulebook: Rules) -> Sight:
    """Return what the players of a game see at its nodes, as the arrays of a `Sight`.

    `Sight.rows` has observations with the hand if hands are finitely many, the tree is small, and this takes at most `MOST_SEEN` numbers.
    """
    column, value, finite = rulebook.column, rulebook.value, rulebook.deal.is_finite
    rows, whole, tree = np.concatenate([rulebook.blank] * 2, axis=1)[:, :, None], 1, rulebook.game.tree
    if finite and not tree.is_large and rows.size * column.shape[1] <= MOST_SEEN:
        whole = column.shape[1]
        rows = np.repeat(rows, whole, axis=2)
        for player in (0, 1):
            rows[player, :, np.arange(whole), column[player]] = value[player][:, None]
    count, rows = column.shape[1] if finite else 0, rows.reshape(2, rows.shape[1] * whole, rulebook.size)
    history = (tree.table, rulebook.public) if tree.is_large else (None, 0)
    return Sight(rows, whole, column.ravel(), value.ravel(), count, *history)


def seats(player: int | npt.NDArray[np.integer[Any]], tables: int) -> Ints:
    """Return the seat at each table, (tables,). `player` has one seat for all tables or one for each; ValueError unless all are 0 or 1."""
    seat = np.asarray(player)
    if seat.dtype.kind not in "iu" or ((seat != 0) & (seat != 1)).any() or seat.shape not in ((), (tables,)):
        raise ValueError(f"player={player!r} must be 0 or 1, or an array of 0s and 1s of shape ({tables},)")
    return np.broadcast_to(seat, tables)


def see(sight: Sight, player: Ints | int, node: Ints, hand: npt.NDArray[Any]) -> Vector:
    """Return new observations, (k, K) float32, of players (k,), or of one player, at nodes (k,) with hands (k,)."""
    if sight.whole == 1:
        out = without_hands(sight, player, node)
        show_hands(sight, out, player, hand)
        return out
    return without_hands(sight, player, node * sight.whole + hand)


def without_hands(sight: Sight, player: Ints | int, row: Ints) -> Vector:
    """Return the rows `row`, (k,), of `Sight.rows`, for players (k,) or for one player: a new array of k observations of K numbers.

    If `Sight.whole` is 1, row `node` lacks the hand; else row node * whole + hand has it. In a large tree the rows are computed here.
    """
    _, count, size = sight.rows.shape
    out: Vector
    if sight.tree is not None:
        out = np.zeros((len(row), size), np.float32)
        out[np.arange(len(row)), player] = 1
        sight.tree.mark(row % sight.tree.size, out[:, sight.public :])
    elif isinstance(player, int):
        out = sight.rows[player].take(row, axis=0)
    else:
        out = sight.rows.reshape(-1, size).take(player * count + row, axis=0)
    return out


def show_hands(sight: Sight, seen: Vector, player: Ints | int, hand: npt.NDArray[Any]) -> None:
    """Write the hands, (k,), of players (k,), or of one player, into `seen`, observations (k, K) without hands."""
    code: Any = player * sight.hands + hand if sight.hands else 0
    column, value = sight.column.take(code), sight.value.take(code) if sight.hands else hand
    seen.reshape(-1)[np.arange(0, seen.size, seen.shape[1]) + column] = value
