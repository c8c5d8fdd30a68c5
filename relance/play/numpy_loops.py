"""The loops of a batch in numpy, over all tables at once; `relance.play.numba_loops` has the same functions and results."""

from __future__ import annotations

from typing import Any

import numpy as np

from relance.model.arrays import Floats, Ints, Words
from relance.model.deal_table import DealTable
from relance.play.board import Board, onward, position_of
from relance.play.loops import SHIFT_32, STEP, Bools, Hands, Running, case_edge, edge, mix, paid, propose, unit

BLOCK = 8192
"""How many tables random play handles at a time, so that their data stays in the cache."""


def draw(state: Words) -> Words:
    """Return the next 64 random bits of each stream; advances the streams' `state` in place."""
    state += STEP
    bits: Words = mix(state)
    return bits


def numbers(state: Words) -> Floats:
    """Return the next random number in [0, 1) of each stream; advances the streams' `state` in place."""
    out: Floats = unit(draw(state))
    return out


def deal_hands(distribution: DealTable, state: Words) -> tuple[Hands, Floats]:
    """Deal two hands from each stream.

    Args:
        distribution, state: the table from `Deal.table`, and (k,) the states of the streams, which are advanced in place.

    Returns:
        (2, k) both players' hands, in games with chance nodes (3, k) with the runouts last; and (k,) player 0's edges: the probability of
            winning a showdown with these hands minus that of losing it.
    """
    _, mine, theirs, dealt = propose(distribution, state)
    hands = np.stack([mine, theirs])
    waiting = np.flatnonzero(~dealt)
    while len(waiting):
        streams, *proposed, dealt = propose(distribution, state[waiting])
        hands[:, waiting], state[waiting] = proposed, streams
        waiting = waiting[~dealt]
    if distribution.runouts:
        runout, hands[0] = divmod(hands[0], distribution.rows)
        return np.concatenate([hands, runout[None]]), edge(distribution, *hands)
    return hands, edge(distribution, *hands)


def put(running: Running, tables: Ints, hands: Hands, edges: Floats) -> None:
    """Start games at these tables, (k,), with hands (2, k) or, with runouts last, (3, k). `edges` is as `deal_hands` returns it, (k,)."""
    for row, dealt in zip(running.hands, hands, strict=True):  # quicker than all at once
        row[tables] = dealt
    running.edge[tables], running.node[tables] = edges, 0


def begin(distribution: DealTable, running: Running, tables: Ints) -> None:
    """Deal hands at these tables, (k,) distinct indices, by each table's random stream, and set each node in `running` to the root."""
    state = running.state.take(tables)
    put(running, tables, *deal_hands(distribution, state))
    running.state[tables] = state


def after(board: Board, node: Ints, actions: Ints) -> Ints:
    """Return the nodes, (k,), to which the action ids `actions`, (k,), lead from the nodes `node`, (k,)."""
    place = position_of(board, node) * board.width + actions
    return onward(board, node, board.child.take(place, mode="clip"))


def lead(board: Board, node: Ints, actions: Ints) -> tuple[Ints, Bools]:
    """Return, as arrays (k,), the node after each action id and whether the action is illegal; both mean nothing if the game is over."""
    follow = after(board, node, actions)
    return follow, (follow >= board.nodes) | (actions.view(np.uint64) >= board.width)


def turn_up(board: Board, running: Running, tables: Ints | None = None) -> None:
    """At these tables, (k,), by default all, go past the chance nodes that were reached, by the events in each table's runout."""
    if not len(board.chance):
        return
    row = board.chance.take(position_of(board, running.node if tables is None else running.node.take(tables)))
    here = (row >= 0).nonzero()[0]
    at = here if tables is None else tables[here]
    turned = board.turned.take(row.take(here) + running.hands[2].take(at))
    running.node[at] = onward(board, running.node.take(at), turned)


def set_edges(board: Board, distribution: DealTable, running: Running, ended: Ints) -> None:
    """Set `running.edge` at the tables `ended`, (k,), whose games are over. Do nothing if `board.case` is empty: dealing set the edges."""
    if len(board.case):
        mine, theirs = running.hands[:2, ended]
        running.edge[ended] = case_edge(board, distribution, position_of(board, running.node.take(ended)), mine, theirs)


def _drawn(board: Board, running: Running) -> Ints:
    """(n,) where a legal action that is drawn for each table stands in `Board.action` and `Board.follow`."""
    at = position_of(board, running.node)
    place = ((draw(running.state) >> SHIFT_32) * board.choices.take(at)) >> SHIFT_32
    found: Ints = place.astype(np.int64) + at * board.width
    return found


def random_actions(board: Board, running: Running, actions: Ints) -> None:
    """Draw a legal action id for each table into `actions`, (n,)."""
    actions[:] = board.action.take(_drawn(board, running))


def play_random(
    board: Board, distribution: DealTable, running: Running, steps: int, chips: Floats, games: Ints
) -> None:
    """Take `steps` random decisions at each table, dealing again after each game; add to player 0's `chips` and `games`."""
    for start in range(0, len(running.node), BLOCK):
        block = slice(start, start + BLOCK)
        of: Any = (array[..., block] for array in running)
        part, won, played = Running(*of), chips[block], games[block]
        for _ in range(steps):
            part.node[:] = onward(board, part.node, board.follow.take(_drawn(board, part)))
            turn_up(board, part)
            at = position_of(board, part.node)
            ended = (board.choices.take(at) == 0).nonzero()[0]
            set_edges(board, distribution, part, ended)
            won[ended] += paid(board, at.take(ended), part.edge.take(ended))
            played[ended] += 1
            begin(distribution, part, ended)
