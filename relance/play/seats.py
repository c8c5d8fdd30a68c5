"""Plays one seat at many tables, against opponents that are strategies or functions.

Each table has its own random streams, so its games do not depend on the number of tables.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property, partial
from typing import Any

import numpy as np
import numpy.typing as npt

from relance.model.arrays import Floats, Ints, Words
from relance.play.agents import Answer
from relance.play.batch import Batch
from relance.play.board import Sight, position_of, see
from relance.play.loops import STEP, Running, mix, running, streams, unit
from relance.play.numpy_loops import after, draw, put, turn_up
from relance.play.policies import StrategyTable, ids_at
from relance.play.rules import Vector, rules

BLOCK = 4096
"""How many random numbers are drawn at a time for all tables together; without numba, also how many hands are dealt."""

MOST = 256
"""The most random numbers, or deals, that are made at a time for one table."""

SHIFT_63 = np.uint64(63)


class Shoe:
    """Deals hands at the tables of a batch, and with each deal draws the learner's seat, each of `seats` with the same probability.

    Each deal has its own stream of random numbers. Without numba, several deals of each table are made together.
    """

    def __init__(self, batch: Batch, seats: tuple[int, ...]) -> None:
        self._batch, self._seats, n = batch, seats, batch.n
        self._ahead = 1 if batch.compiled else max(1, min(MOST, BLOCK // n))
        self._steps = np.arange(self._ahead, dtype=np.uint64) * STEP
        self._first = np.arange(n) * self._ahead
        self._dealt = running(n * self._ahead, batch.distribution) if self._ahead > 1 else None
        self._slot = self._first.copy()  # of the next deal

    def restart(self, seed: int) -> None:
        """Restart all random streams."""
        self._deals, self._left = streams(seed, np.arange(len(self._slot))), 0
        self._slot[:] = self._first

    def deal(self, tables: Ints) -> Any:
        """Begin the next games at these tables, (k,) distinct indices; return the learner's seats, (k,), or its only seat."""
        games = self._batch.running
        if self._dealt is None:
            self._deals[tables] = first = self._deals.take(tables) + STEP
            return self._begin(games, tables, mix(first))
        if not self._left:  # a table may have used all its deals
            self._deals += (self._slot - self._first).astype(np.uint64) * STEP
            state = mix((self._deals[:, None] + self._steps + STEP).ravel())
            self._seat = self._begin(self._dealt, np.arange(len(state)), state)
            self._left, self._slot[:] = self._ahead, self._first
        self._left -= 1
        slot = self._slot.take(tables)
        self._slot[tables] = slot + 1
        put(games, tables, self._dealt.hands.take(slot, axis=1), self._dealt.edge.take(slot))
        return self._seat.take(slot) if len(self._seats) == 2 else self._seat

    def _begin(self, games: Running, tables: Ints, state: Words) -> Any:
        """Begin games at these tables, each from a stream in this state, (k,); returns their seats."""
        seat: Any = (draw(state) >> SHIFT_63).astype(np.int64) if len(self._seats) == 2 else self._seats[0]
        games.state[tables] = state
        self._batch.loops.begin(self._batch.distribution, games, tables)
        return seat


class Seats:
    """A batch at which a learner plays one seat at each table, against opponents in the other seat. `step` takes the learner's actions.

    Args:
        batch: the tables, whose own random streams are not used.
        seats: the seats that the learner may be dealt, one or both.
        opponents: {seat: the opponent who plays it}. An opponent is a `StrategyTable`, or a function of observations and masks that
            returns action ids or probabilities.

    Attributes:
        batch: the tables. An illegal action of the learner forfeits; see `Batch.node`.
        opponents: {seat: the opponent who plays it from now on}.
        seat: (n,) the learner's seat at each table.
    """

    def __init__(self, batch: Batch, seats: tuple[int, ...], opponents: Mapping[int, StrategyTable | Answer]) -> None:
        self.batch, self._seats, self.opponents = batch, seats, opponents
        self._shoe = Shoe(batch, seats)
        self._turns = max(rules(batch.game).turns(player, in_a_row=True) for player in (0, 1))
        self._ahead = max(1, min(MOST, BLOCK // batch.n))
        batch.node[:], batch.done[:] = batch.board.nodes, True
        self.seat = np.full(batch.n, seats[0])
        self.restart(batch.seed)

    def restart(self, seed: int) -> None:
        """Restart all random streams."""
        n = self.batch.n
        self._shoe.restart(seed)
        self._numbers = streams(seed, np.arange(2**31, 2**31 + n))
        self._turn, self._block = 0, -1

    def deal(self, tables: Ints) -> None:
        """Deal new hands and the learner's seat at these tables, (k,) distinct indices, each at the root."""
        self.seat[tables] = self._shoe.deal(tables)

    def step(self, actions: Ints, deal: Callable[[Ints], None]) -> None:
        """Play the learner's action ids, (n,), then let opponents act. Illegal actions forfeit; `deal` begins games where one was over."""
        batch, board = self.batch, self.batch.board
        batch.node[:] = after(board, batch.node, actions)
        batch.go_on(batch.done.nonzero()[0], deal, self.reply)

    def reply(self) -> None:
        """Let the opponents act where it is their turn; ValueError for an illegal answer of a function."""
        batch, board, running = self.batch, self.batch.board, self.batch.running
        for _ in range(self._turns):
            self._turn += 1
            for player, one in self.opponents.items():
                if batch.compiled and isinstance(one, StrategyTable) and one.slots is None:
                    batch.loops.reply_by_table(board, one, player, self.seat, running, self._numbers, self._turn)
                    continue
                moves = board.player.take(position_of(board, running.node)) == player
                tables = (moves & (self._who() != player)).nonzero()[0]
                if not len(tables):
                    continue
                try:
                    ids = ids_at(batch, one, player, tables, partial(self._uniform, tables))
                    if not isinstance(one, StrategyTable):
                        batch.next_nodes(tables, ids)  # raises for an illegal one
                except ValueError as error:
                    raise ValueError(f"the opponent's answer: {error}") from error
                running.node[tables] = after(board, running.node.take(tables), ids)
                turn_up(board, running, tables)

    def _uniform(self, tables: Ints) -> Floats:
        """(k,) the number in [0, 1) that each of these tables has in this turn. A block of turns is drawn with its first one."""
        block, row = divmod(self._turn - 1, self._ahead)
        if block != self._block:
            turns = np.arange(block * self._ahead + 1, (block + 1) * self._ahead + 1, dtype=np.uint64)
            self._block, self._drawn = block, unit(mix(self._numbers + (turns * STEP)[:, None]))
        numbers: Floats = self._drawn[row].take(tables)
        return numbers

    def _who(self, tables: Ints | None = None) -> Any:
        """The seats at these tables, by default all; the only one if there is one."""
        if len(self._seats) == 1:
            return self._seats[0]
        return self.seat if tables is None else self.seat.take(tables)

    @property
    def mine(self) -> npt.NDArray[Any]:
        """(n,) the learner's hand at each table."""
        return self.batch.hands_of(self._who())

    @property
    def rewards(self) -> Floats:
        """Return a new array, (n tables,): the learner's chips from each game that the last step ended; 0 at the other tables."""
        chips, who = self.batch.chips, self._who()
        if isinstance(who, int):
            return 0.0 - chips if who else chips.copy()
        return np.where(who == 0, chips, 0.0 - chips)

    @property
    def mask(self) -> npt.NDArray[np.int8]:
        """(n, A) 1 for each action id that the learner may take, 0 for the others; all ones where the game is over."""
        return self.batch.board.mask.take(position_of(self.batch.board, self.batch.node), axis=0)

    def observe(self, tables: Ints | None = None) -> Vector:
        """Return the learner's observations, (k, K), at these tables, by default at all n."""
        return self._seen(self.batch.sight, tables)

    def observe_each(self, tables: Ints) -> npt.NDArray[np.object_]:
        """Return the learner's observations, an object array (k,) of read-only vectors, which tables may share to save time."""
        if self.batch.sight.whole > 1:
            return self._seen(self._shared, tables)[:, 0]
        seen = self.observe(tables)
        seen.flags.writeable = False
        return np.fromiter(seen, object, len(seen))

    @cached_property
    def _shared(self) -> Sight:
        """The `Sight` of the batch, with each observation in its `rows` as one object."""
        rows = self.batch.sight.rows.copy()
        rows.flags.writeable = False
        each = np.fromiter(rows.reshape(-1, rows.shape[2]), object, rows.shape[0] * rows.shape[1])
        return self.batch.sight._replace(rows=each.reshape(2, -1, 1))

    def _seen(self, sight: Sight, tables: Ints | None) -> npt.NDArray[Any]:
        who, node = self._who(tables), self.batch.node
        return see(sight, who, node if tables is None else node.take(tables), self.batch.hands_of(who, tables))
