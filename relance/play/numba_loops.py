"""The loops of `relance.play.loops`, compiled by numba (the extra `fast`); imported only where they are used."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numba import njit, types  # type: ignore[import-untyped,unused-ignore]  # numba has no types
from numba.extending import overload, register_jitable  # type: ignore[import-untyped,unused-ignore]  # no types

from relance.model.arrays import Floats, Ints, in_shares, thread_count
from relance.model.deal_table import DealTable
from relance.play import board as boards
from relance.play import loops
from relance.play.board import Board
from relance.play.loops import Running

# Nothing here allocates. With numba's runtime on, counting references to a distribution's arrays takes ten times as long as dealing.
_OPTIONS: dict[str, Any] = {"_nrt": False, "nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
THREADED_FROM = 2_000_000
"""From this many actions on, the work is split among `relance.model.arrays.thread_count` threads; the games are the same."""


@overload(loops.index, jit_options=_OPTIONS, strict=False)  # type: ignore[arg-type,unused-ignore]  # numba names few of them
def _index(numbers: Any) -> Callable[[Any], Any]:
    return lambda numbers: np.int64(numbers)


@overload(loops.quotient, jit_options=_OPTIONS, strict=False)  # type: ignore[arg-type,unused-ignore]  # numba names few of them
def _quotient(pair: Any, columns: Any) -> Callable[[Any, Any], Any]:
    return lambda pair, columns: np.int64(np.uint32(pair) // np.uint32(columns))  # shorter numbers are divided sooner


@overload(boards.position_of, jit_options=_OPTIONS, strict=False)  # type: ignore[arg-type,unused-ignore]  # numba names few of them
def _position(board: Any, node: Any) -> Callable[[Any, Any], Any]:
    if _has_positions(board):
        return lambda board, node: np.uint64(board.position[node])
    return lambda board, node: np.uint64(node)


@overload(boards.onward, jit_options=_OPTIONS, strict=False)  # type: ignore[arg-type,unused-ignore]  # numba names few of them
def _onward(board: Any, node: Any, further: Any) -> Callable[[Any, Any, Any], Any]:
    if _has_positions(board):
        return lambda board, node, further: np.uint64(node) + np.uint64(further)
    return lambda board, node, further: np.uint64(further)


def _has_positions(board: Any) -> bool:
    """True for the type of the board of a large tree; a small one is compiled without them."""
    return not isinstance(board.types[board.fields.index("position")], types.NoneType)


# A distribution has many arrays: passing it to a function that is not inlined takes longer than most games.
INLINED: tuple[Any, ...] = (
    *(loops.mix, loops.unit, loops.pick, loops.propose, loops.place, loops.polynomial),
    *(loops.edge, loops.edge_of_indices, loops.deal, loops.paid, loops.cell, loops.case_edge, loops.act),
    *(loops.put_at, loops.turned_up, loops.drawn_choice),
)
CALLED: tuple[Any, ...] = (loops.propose_cards, loops.propose_cells, loops.density)
for part in (*INLINED, *CALLED):
    register_jitable(forceinline=part in INLINED, **_OPTIONS)(part)

_compiled: Any = njit(cache=True, **_OPTIONS)
begin, reply_by_table = map(_compiled, (loops.begin, loops.reply_by_table))
_random_actions, _play_random = map(_compiled, (loops.random_actions, loops.play_random))


def threads(tables: int, actions: int) -> int:
    """Return how many threads share the work at this many tables with this many actions each."""
    return min(tables, thread_count()) if tables * actions >= THREADED_FROM else 1


def random_actions(board: Board, running: Running, actions: Ints) -> None:
    """Draw a legal action id for each table; see `numpy_loops.random_actions`."""
    in_shares(partial(_random_actions, board, running, actions), len(actions), threads(len(actions), 1))


def play_random(
    board: Board, distribution: DealTable, running: Running, steps: int, chips: Floats, games: Ints
) -> None:
    """Take random decisions at each table; see `numpy_loops.play_random`."""
    play = partial(_play_random, board, distribution, running, steps, chips, games)
    in_shares(play, len(chips), threads(len(chips), steps))
