"""Plays one game at each of n tables, all stepped together; the loops are in `numpy_loops` and, for numba, in `numba_loops`."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from relance.model import numba_start
from relance.model.arguments import checked
from relance.model.arrays import Floats, Ints
from relance.model.game import Game
from relance.model.limits import check_memory
from relance.model.renamed import HasOldNames
from relance.play.board import compile_board, compile_sight, position_of, seats, see
from relance.play.loops import Bools, Hands, paid, running, streams
from relance.play.numpy_loops import lead, numbers, put, set_edges, turn_up
from relance.play.rules import Vector, check_whole, game_of, rules
from relance.play.runouts import distribution_of
from relance.play.table import IllegalAction

WORTH_COMPILING = 1024
"""From this many tables on, numba is the default if it is installed."""


TABLE = 60
"""About how many bytes of memory one table of a batch takes."""


class Totals(NamedTuple):
    """The totals of random play at each table: `chips` to player 0, and the number of `games` that ended, both (n,)."""

    chips: Floats
    games: Ints


class Batch(HasOldNames):
    """n tables that play the same game and are dealt and stepped together.

    Table i has its own random stream, numbered `first + i`, whatever n is. Batch(game, 100, seed=1) plays the same games as
    Batch(game, 60, seed=1) and Batch(game, 40, seed=1, first=60) together, with or without numba.

    Args:
        game: a Game, or its text.
        n: how many tables, at least 1.
        seed: a whole number, at least 0; None draws one from the system, and stores it in the attribute `seed`.
        first: the number of the first table.
        autoreset: "same_step" deals a finished table again at once. "next_step" deals it in the next step, whose action is ignored.
        compiled: use numba or not; None uses it if it is installed and n is large.

    Attributes:
        compiled: True if numba is used.
        board, sight, distribution, running: arrays of the public rules, of what players see, of how hands are dealt, and of the games.
        node: (n,) int, the node of each table's game as an index into `game.tree.table`; 0 is the root. Where the player to move has
            forfeited by an illegal action, the number of nodes is added to the node where that happened.
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
        self._rules, self.distribution = rules(game), distribution_of(game)
        self.board, self.sight = compile_board(self._rules), compile_sight(self._rules)
        installed = numba_start.installed()
        if compiled and not installed:
            raise ImportError("compiled=True needs numba; install relance[fast]")
        self.compiled = installed and self.n >= WORTH_COMPILING if compiled is None else compiled
        self._mover, self._every = np.maximum(self.board.player, 0), np.arange(self.n)
        self._legal = self.board.mask.view(bool) & (self.board.choices > 0)[:, None]
        self.running = running(self.n, self.distribution)
        self._state, self.node, self._hands, _, self.chips, self.done = self.running
        self.reset(int(np.random.SeedSequence().generate_state(1, np.uint64)[0]) if seed is None else seed)

    @property
    def loops(self) -> ModuleType:
        """The module, in numba or in numpy, that deals and steps the tables; both give identical results."""
        return import_module(f"relance.play.{'numba' if self.compiled else 'numpy'}_loops")

    @property
    def hands(self) -> Hands:
        """The hands of player 0 and player 1, an array (n, 2): int indices, or float64 in [0, 1]."""
        return self._hands[:2].T

    @property
    def to_move(self) -> Ints:
        """The player to move at each table, (n,); -1 where the game is over."""
        return self.board.player.take(position_of(self.board, self.node))

    @property
    def rewards(self) -> Floats:
        """Return the chips to players 0 and 1, (n, 2), of the games that the last step ended; 0 at other tables."""
        out = np.empty((self.n, 2))
        out[:, 0], out[:, 1] = self.chips, 0.0 - self.chips
        return out

    def mask(self) -> Bools:
        """Return which of the A action ids are legal at each table, bool (n, A); none where the game is over."""
        return self._legal.take(position_of(self.board, self.node), axis=0)

    def reset(self, seed: int | None = None) -> None:
        """Deal new hands at every table. A `seed` restarts all random streams; without a seed they continue."""
        if seed is not None:
            self._state[:] = streams(seed, np.arange(self.first, self.first + self.n))
            self.seed = int(seed)
        self.deal(self._every)

    def deal(self, tables: Ints | Bools) -> None:
        """Deal again at these tables, (k,) distinct indices or an (n,) bool mask, even if their games are not over."""
        try:
            tables = self._every[tables]  # compiled code checks no bounds
            if tables.ndim != 1:
                raise IndexError(f"the given array has {tables.ndim} axes, not 1")
        except IndexError as error:
            raise IndexError(
                f"tables must be indices below {self.n} or a bool mask of shape ({self.n},): {error}"
            ) from None
        self._deal(tables)
        self.done[tables], self.chips[tables] = False, 0.0

    def give(self, hands: Hands, edges: Floats) -> None:
        """Start games at all tables with these hands, (2, n), or with chance nodes (3, n), with the runouts last. Random streams restart.

        `edges`, (n,), has for each table player 0's probability of winning a showdown with these hands minus that of losing it.
        """
        self.running.state[:] = streams(self.seed, np.arange(self.first, self.first + self.n))
        put(self.running, self._every, hands, edges)
        self.done[:], self.chips[:] = False, 0.0

    def _deal(self, tables: Ints) -> None:
        self.loops.begin(self.distribution, self.running, tables)

    def draw(self, tables: Ints) -> Floats:
        """Draw a number in [0, 1) from the random stream of each of these tables, (k,) distinct indices."""
        state = self._state[tables]
        out = numbers(state)
        self._state[tables] = state
        return out

    def random_actions(self) -> Ints:
        """Draw legal action ids, (n,), each equally likely, from the tables' streams; 0 where the game is over."""
        actions: Ints = np.empty(self.n, np.int64)
        self.loops.random_actions(self.board, self.running, actions)
        return actions

    def step(self, actions: npt.NDArray[np.integer[Any]]) -> None:
        """Play `actions`, (n,) action ids; sets `done` and `chips`, and deals again as `autoreset` says.

        Tables whose game was over before the step are dealt again, whatever their action.

        Raises:
            ValueError: an action is illegal, or not an action id. The message names the table and the legal actions; nothing changes.
        """
        actions = check_actions(actions, self.n)
        follow, wrong = lead(self.board, self.node, actions)
        over = self.to_move < 0
        if wrong.any() and (wrong & ~over).any():
            bad = int((wrong & ~over).argmax())
            raise ValueError(self._complaint(bad, actions[bad]))
        self.node[:] = follow
        self.go_on(over.nonzero()[0], self._deal)
        if self.autoreset == "same_step":
            self._deal(self.done.nonzero()[0])

    def go_on(self, again: Ints, deal: Callable[[Ints], None], reply: Callable[[], None] | None = None) -> None:
        """Finish a step in which all players to move have acted: go past chance nodes, deal, let opponents reply; sets `chips` and `done`.

        Args:
            again: (k,) the tables whose games were over before the step; they are dealt again.
            deal: a function of tables, (k,), that deals new hands there.
            reply: a function that lets opponents act where it is their turn.
        """
        board = self.board
        turn_up(board, self.running)
        if len(again):
            deal(again)
        if reply is not None:
            reply()
        at = position_of(board, self.node)
        np.less(board.player.take(at), 0, out=self.done)
        if len(board.case):
            set_edges(board, self.distribution, self.running, self.done.nonzero()[0])
        np.multiply(board.stake.take(at), self.running.edge, out=self.chips)
        self.chips += board.constant.take(at)
        if len(again):
            self.done[again], self.chips[again] = False, 0.0

    def next_nodes(self, tables: Ints, actions: npt.NDArray[np.integer[Any]], illegal: IllegalAction = "raise") -> Ints:
        """Return the nodes, (k,), to which the action ids `actions`, (k,), lead at `tables`, (k,). Nothing changes.

        Raises:
            ValueError: a table's game is over, or an action is illegal and `illegal` is "raise"; with "forfeit" it leads to a forfeit.
        """
        actions, node = check_actions(actions, len(tables)), self.node.take(tables)
        follow, wrong = lead(self.board, node, actions)
        over = self.board.choices.take(position_of(self.board, node)) == 0
        if illegal == "forfeit":
            follow, wrong = np.where(wrong, self.board.nodes + node, follow), over
        wrong |= over
        if wrong.any():
            bad = int(wrong.argmax())
            raise ValueError(self._complaint(int(tables[bad]), actions[bad]))
        return follow

    def move(self, tables: Ints, actions: npt.NDArray[np.integer[Any]], illegal: IllegalAction = "raise") -> None:
        """Play one action at each of these tables, (k,) distinct indices, without dealing new hands.

        Sets `done` and `chips` only at tables whose game ends. `illegal` and the errors are as for `next_nodes`.
        """
        self.node[tables] = self.next_nodes(tables, actions, illegal)
        turn_up(self.board, self.running, tables)
        at = position_of(self.board, self.node.take(tables))
        over = self.board.choices.take(at) == 0
        ended = tables[over]
        set_edges(self.board, self.distribution, self.running, ended)
        self.chips[ended] = paid(self.board, at[over], self.running.edge.take(ended))
        self.done[ended] = True

    def _complaint(self, table: int, action: int) -> str:
        forfeited, node = divmod(int(self.node[table]), self.board.nodes)
        why = "the game is over by a forfeit" if forfeited else self._rules.illegal(int(action), node)
        return f"table {table}: {why}"

    def observe(self, player: int | npt.NDArray[np.integer[Any]] | None = None, tables: Ints | None = None) -> Vector:
        """Return `player`'s observations at k tables, by default all, (k, K) float32; see `relance.play.rules`.

        `player` is 0, 1 or an array (k,), else ValueError; by default the player to move, or player 0 if the game is over.
        """
        node = self.node if tables is None else self.node.take(tables)
        players = self._mover.take(position_of(self.board, node)) if player is None else seats(player, len(node))
        return see(self.sight, players, node, self.hands_of(players, tables))

    def hands_of(self, player: int | Ints, tables: Ints | None = None) -> npt.NDArray[Any]:
        """Return the hands, (k,), at these tables, by default all: of one player, or of `player[i]` at the i-th of them."""
        found: npt.NDArray[Any]
        if isinstance(player, int):
            found = self._hands[player] if tables is None else self._hands[player].take(tables)
        else:
            found = self._hands.reshape(-1).take(player * self.n + (self._every if tables is None else tables))
        return found

    def play_random(self, steps: int) -> Totals:
        """Return for each table player 0's total chips and the number of games that ended, in `steps` random decisions.

        The play is that of `random_actions` and `step` in turn with `autoreset="same_step"`: tables whose game is over are dealt again,
        at the start and after each decision. Afterwards `done` is false and `chips` is 0 at all tables.
        """
        check_whole("steps", steps, 0)
        totals = Totals(np.zeros(self.n), np.zeros(self.n, np.int64))
        self.deal(self.to_move < 0)
        self.done[:], self.chips[:] = False, 0.0
        self.loops.play_random(self.board, self.distribution, self.running, steps, *totals)
        return totals


def check_actions(actions: npt.ArrayLike, tables: int) -> Ints:
    """Return action ids as an int64 array; ValueError unless they are whole numbers of shape (tables,)."""
    ids = np.asarray(actions)
    if ids.dtype.kind not in "iu" or ids.shape != (tables,):
        raise ValueError(f"actions must be whole numbers of shape ({tables},), not {ids.dtype} of shape {ids.shape}")
    return ids.astype(np.int64, copy=False)
