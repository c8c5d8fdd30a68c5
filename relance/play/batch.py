"""Plays one game at each of n tables, all stepped together.

The loops are in `relance.play.numpy_loops` and, for numba (the extra `fast`), in `relance.play.numba_loops`.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from relance.model import numba_start
from relance.model.arguments import checked
from relance.model.arrays import Floats, Ints
from relance.model.deal_table import DealTable
from relance.model.game import Game
from relance.model.limits import check_memory
from relance.play.board import compile_board, compile_sight, seats, see
from relance.play.loops import Bools, Hands, running
from relance.play.numpy_loops import go_on, lead, numbers, set_edges, turn_up
from relance.play.rules import Vector, game_of, rules
from relance.play.runouts import law_of
from relance.play.strategy_table import StrategyTable
from relance.play.streams import check_whole, streams

WORTH_COMPILING = 1024
"""From this many tables on, numba is the default if it is installed."""


TABLE = 60
"""The bytes that a table takes."""


class Totals(NamedTuple):
    """The totals of random play at each table: `chips` to player 0, and the number of `games` that ended, both (n,)."""

    chips: Floats
    games: Ints


class Batch:
    """n tables that play the same game and are dealt and stepped together.

    Table i has its own random stream, numbered `first + i`, whatever n is. Batch(game, 100, seed=1) plays the same games as
    Batch(game, 60, seed=1) and Batch(game, 40, seed=1, first=60) together, with or without numba.

    Args:
        game: a Game, or its text.
        n: how many tables, at least 1.
        seed: a whole number, at least 0; None draws one from the system, and stores it in the attribute `seed`.
        first: the number of the first table.
        autoreset: "same_step" deals a finished table again at once. "next_step" shows the end; the next step deals the table again
            and ignores its action.
        compiled: use numba or not; None uses it if it is installed and n is large. Normal hands are always dealt without it.

    Attributes:
        compiled: True if numba is used.
        node: (n,) int, the node of each table's game as an index into `game.tree.table`; 0 is the root.
        done: (n,) bool, True where the last step ended the table's game.
        chips: (n,) chips to player 0 of the games that the last step ended, 0 elsewhere; see `rewards`.

    Every call updates the arrays in place; copy what you keep.

    Raises:
        TypeError: `game` is neither a Game nor its text.
        ValueError: another argument is not allowed.
        ImportError: `compiled=True`, and numba is not installed.
    """

    @checked
    def __init__(
        self,
        game: Game | str,
        n: int,
        seed: int | None = None,
        *,
        first: int = 0,
        autoreset: Literal["same_step", "next_step"] = "same_step",
        compiled: bool | None = None,
    ) -> None:
        game = game_of(game, {})
        check_whole("n", n, 1, 2**31)
        check_memory(
            TABLE * n, f"a batch of n={n} tables", instead="take fewer tables at a time, with first= for the others"
        )
        check_whole("first", first, 0, 2**31)
        self.game, self.n, self.first, self.autoreset = game, int(n), int(first), autoreset
        self._rules, self._law = rules(game), law_of(game)
        self._board, self._sight = compile_board(self._rules), compile_sight(self._rules)
        self.compiled = compiles(self._law, self.n, compiled)
        self._mover, self._every = np.maximum(self._board.player, 0), np.arange(self.n)
        self._running = running(self.n, self._law)
        self._state, self.node, self._hands, self._edge, self.chips, self.done = self._running
        self.reset(int(np.random.SeedSequence().generate_state(1, np.uint64)[0]) if seed is None else seed)

    @property
    def _loops(self) -> ModuleType:
        return loops(self.compiled)

    @property
    def hands(self) -> Hands:
        """(n, 2) the hands of player 0 and player 1: int indices, or float64 in [0, 1]."""
        return self._hands[:2].T

    @property
    def to_move(self) -> Ints:
        """(n,) the player to move, -1 at tables whose game is over."""
        return self._board.player.take(self.node)

    @property
    def rewards(self) -> Floats:
        """(n, 2) chips to both players of the games that the last step ended, 0 elsewhere."""
        out = np.empty((self.n, 2))
        out[:, 0], out[:, 1] = self.chips, 0.0 - self.chips
        return out

    def mask(self) -> Bools:
        """(n, A) which action ids are legal; none where the game is over."""
        return self.game.tree.table.legal.take(self.node, axis=0)

    def reset(self, seed: int | None = None) -> None:
        """Deal at every table. A `seed` restarts all random streams; without one they continue."""
        if seed is not None:
            self._state[:] = streams(seed, np.arange(self.first, self.first + self.n))
            self.seed = int(seed)
        self.deal(self._every)

    def deal(self, tables: Ints | Bools) -> None:
        """Deal again at these tables, (k,) distinct indices or an (n,) bool mask, even if their games are not over."""
        try:
            tables = self._every[tables]  # compiled code checks no bounds
            if tables.ndim != 1:
                raise IndexError(f"these have {tables.ndim} axes")
        except IndexError as error:
            raise IndexError(
                f"tables must be indices below {self.n} or a bool mask of shape ({self.n},): {error}"
            ) from None
        self._deal(tables)
        self.done[tables], self.chips[tables] = False, 0.0

    def _deal(self, tables: Ints) -> None:
        self._loops.begin(self._law, self._running, tables)

    def draw(self, tables: Ints) -> Floats:
        """A number in [0, 1) from the stream of each of these tables, (k,) distinct indices."""
        state = self._state[tables]
        out = numbers(state)
        self._state[tables] = state
        return out

    def random_actions(self) -> Ints:
        """(n,) legal action ids, each equally likely, from the tables' streams; 0 where the game is over."""
        actions: Ints = np.empty(self.n, np.int64)
        self._loops.random_actions(self._board, self._running, actions)
        return actions

    def step(self, actions: npt.NDArray[np.integer[Any]]) -> None:
        """Play `actions`, (n,) action ids; sets `done` and `chips`, and deals again as `autoreset` says.

        Tables whose game was over before the step are dealt again, whatever their action.

        Raises:
            ValueError: an action is illegal, or not an action id. The message names the table and the legal actions; nothing changes.
        """
        actions = check_actions(actions, self.n)
        follow, wrong = lead(self._board, self.node, actions)
        over = self.to_move < 0
        if wrong.any() and (wrong & ~over).any():
            bad = int((wrong & ~over).argmax())
            raise ValueError(self._complaint(bad, actions[bad]))
        self.node[:] = follow
        turn_up(self._board, self._running)
        go_on(self._board, self._law, self._running, over.nonzero()[0], self._deal)
        if self.autoreset == "same_step":
            self._deal(self.done.nonzero()[0])

    def move(self, tables: Ints, actions: npt.NDArray[np.integer[Any]]) -> None:
        """Play one action at each of these tables, (k,) distinct indices, without dealing new hands.

        Sets `done` and `chips` only at tables whose game ends. Raises as `step` does, and also if a table's game is over.
        """
        actions = check_actions(actions, len(tables))
        node = self.node.take(tables)
        follow, wrong = lead(self._board, node, actions)
        wrong |= follow == node
        if wrong.any():
            bad = int(wrong.argmax())
            raise ValueError(self._complaint(int(tables[bad]), actions[bad]))
        self.node[tables] = follow
        turn_up(self._board, self._running, tables)
        follow = self.node.take(tables)
        over = self._board.choices.take(follow) == 0
        ended, leaf = tables[over], follow[over]
        self.done[ended] = True
        set_edges(self._board, self._law, self._running, ended)
        self.chips[ended] = self._board.constant.take(leaf) + self._board.stake.take(leaf) * self._edge.take(ended)

    def _complaint(self, table: int, action: int) -> str:
        return f"table {table}: {self._rules.illegal(int(action), int(self.node[table]))}"

    def observe(self, player: int | npt.NDArray[np.integer[Any]] | None = None, tables: Ints | None = None) -> Vector:
        """(k, K) float32, what `player` sees at these tables (by default all): the observations of `relance.play.rules`.

        `player` is 0, 1 or an array (k,), else ValueError; by default the player to move, or player 0 if the game is over.
        """
        here, node = (self._every, self.node) if tables is None else (tables, self.node.take(tables))
        players = self._mover.take(node) if player is None else seats(player, len(node))
        return see(self._sight, players, node, self._hands.reshape(-1).take(players * self.n + here))

    def play_random(self, steps: int) -> Totals:
        """Take `steps` random decisions at every table, dealing again at once when a game ends.

        The same as calling `random_actions` and `step` repeatedly with `autoreset="same_step"`. Tables whose game is over are
        first dealt again; afterwards `done` is false and `chips` is 0 everywhere.
        """
        check_whole("steps", steps, 0)
        totals = Totals(np.zeros(self.n), np.zeros(self.n, np.int64))
        self.deal(self.to_move < 0)
        self.done[:], self.chips[:] = False, 0.0
        self._loops.play_random(self._board, self._law, self._running, steps, *totals)
        return totals

    def play_tables(self, first: StrategyTable, second: StrategyTable, decisions: Ints) -> None:
        """Play the dealt games to their ends by these strategies, with numba; add each table's number of decisions to `decisions`, (n,)."""
        self._loops.play_tables(self._board, self._law, first, second, self._running, decisions)


@cache
def loops(compiled: bool) -> ModuleType:
    """The loops in numba or in numpy; their results are identical."""
    return import_module(f"relance.play.{'numba' if compiled else 'numpy'}_loops")


def compiles(law: DealTable, tables: int, compiled: bool | None) -> bool:
    """Return True if numba deals from this law to this many tables; takes `compiled` and raises errors as `Batch` does."""
    installed = numba_start.installed()
    if compiled and not installed:
        raise ImportError("compiled=True needs numba; install relance[fast]")
    wanted = installed and tables >= WORTH_COMPILING if compiled is None else compiled
    return wanted and law.compiles


def check_actions(actions: npt.ArrayLike, tables: int) -> Ints:
    """The actions as an array; ValueError unless they are whole numbers of shape (tables,)."""
    ids = np.asarray(actions)
    if ids.dtype.kind not in "iu" or ids.shape != (tables,):
        raise ValueError(f"actions must be whole numbers of shape ({tables},), not {ids.dtype} of shape {ids.shape}")
    return ids.astype(np.int64, copy=False)
