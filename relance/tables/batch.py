"""Many games at once: one at each of n tables, stepped together; with the extra `fast` compiled, with identical results."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from relance.agents.drawing import Policy, StrategyTable, choose, ids_of, policy_of
from relance.model.arrays import Floats, Ints, Words
from relance.model.game import Game
from relance.rules.board import Vectors, compile_board, compile_sight, seats, see
from relance.rules.dealing import deal_hands, edges
from relance.rules.rules import rules
from relance.rules.streams import SHIFT_32, check_whole, draw, streams, unit

Bools: TypeAlias = npt.NDArray[np.bool_]

BLOCK = 8192
"""How many tables numpy takes at a time in random play, so that they stay in the cache."""

WORTH_COMPILING = 1024
"""From how many tables on the compiled path is taken by itself, where numba is installed."""


class Totals(NamedTuple):
    """What random play came to at each table: `chips` to player 0, and how many `games` ended, both (n,)."""

    chips: Floats
    games: Ints


class Played(NamedTuple):
    """Whole games, round by round: `chips` to player 0 and how many `decisions` both players took, both (rounds, n)."""

    chips: Floats
    decisions: Ints


class Batch:
    """n tables at which the same game is played, dealt and stepped together.

    Table i has a random stream of its own, numbered `first + i`, whatever n is: Batch(game, 100, seed=1) plays what
    Batch(game, 60, seed=1) and Batch(game, 40, seed=1, first=60) play, with numba and without.

    Args:
        game: a Game.
        n: how many tables, from 1.
        seed: a whole number from 0; None takes one from the system, found in `seed`.
        first: the number of the first table.
        autoreset: "same_step" deals a finished table anew at once, so that no table ever waits; "next_step" leaves it to
            be seen, and the next step deals it anew and ignores its action.
        compiled: whether to use numba; None does so where it is installed and n is large.

    Attributes (every call updates the arrays in place; copy what you keep):
        compiled: whether numba is used.
        node: (n,) int, index into `game.tree.table`; 0 is the root.
        done: (n,) bool, whether the last step ended the table's game.
        chips: (n,) chips to player 0 of the games that the last step ended, 0 elsewhere; see `rewards`.

    Raises ValueError or TypeError for arguments other than these, and ImportError for `compiled=True` without numba.
    """

    def __init__(
        self,
        game: Game,
        n: int,
        seed: int | None = None,
        *,
        first: int = 0,
        autoreset: Literal["same_step", "next_step"] = "same_step",
        compiled: bool | None = None,
    ) -> None:
        if not isinstance(game, Game):
            raise TypeError(f"a batch needs a relance Game, such as relance.make(...), not {type(game).__name__}")
        check_whole("n", n, 1, 2**31)
        check_whole("first", first, 0, 2**31)
        if autoreset not in ("same_step", "next_step"):
            raise ValueError(f"autoreset={autoreset!r} must be 'same_step' or 'next_step'")
        self.game, self.n, self.first, self.autoreset = game, int(n), int(first), autoreset
        self._rules = rules(game)
        self._board, self._law = compile_board(self._rules), game.deal.table()
        self.compiled = _worth_compiling(self.n, compiled)
        self._legal = game.tree.table.legal
        self._sight = compile_sight(self._rules)
        self.node: Ints = np.zeros(self.n, np.int64)
        self.done: Bools = np.zeros(self.n, bool)
        self.chips: Floats = np.zeros(self.n)
        self._hands: npt.NDArray[Any] = np.zeros((2, self.n), np.float64 if self._law.on_interval else np.int64)
        self.reset(int(np.random.SeedSequence().generate_state(1, np.uint64)[0]) if seed is None else seed)

    @property
    def hands(self) -> npt.NDArray[Any]:
        """(n, 2) the hands of player 0 and player 1: int indices, or float64 in [0, 1]."""
        return self._hands.T

    @property
    def to_move(self) -> Ints:
        """(n,) the player to move, -1 at tables whose game is over."""
        return self._board.player.take(self.node)

    @property
    def rewards(self) -> Floats:
        """(n, 2) chips to both players of the games that the last step ended, 0 elsewhere."""
        return np.stack([self.chips, 0.0 - self.chips], axis=1)

    def mask(self) -> Bools:
        """(n, A) which action ids are legal; none where the game is over."""
        return self._legal.take(self.node, axis=0)

    def reset(self, seed: int | None = None) -> None:
        """Deal at every table. A `seed` starts all streams anew; without one they go on."""
        if seed is not None:
            self._state: Words = streams(seed, np.arange(self.first, self.first + self.n))
            self.seed = int(seed)
        self.deal(np.arange(self.n))

    def deal(self, tables: Ints | Bools) -> None:
        """Deal anew at these tables, (k,) distinct indices or an (n,) bool mask, whether or not their games are over."""
        tables = np.arange(self.n)[tables]  # compiled code checks no bounds
        self._deal(tables)
        self.done[tables], self.chips[tables] = False, 0.0

    def _deal(self, tables: Ints) -> None:
        if self._kernels and self._law.compiles:
            self._kernels.deal_tables(self._law, self._state, tables, self._hands)
        else:
            state = self._state[tables]
            self._hands[:, tables] = deal_hands(self._law, state)
            self._state[tables] = state
        self.node[tables] = 0

    def draw(self, tables: Ints) -> Floats:
        """A number in [0, 1) from the stream of each of these tables, (k,) distinct indices."""
        state = self._state[tables]
        out = unit(draw(state))
        self._state[tables] = state
        return out

    def random_actions(self) -> Ints:
        """(n,) legal action ids, each equally likely, from the tables' streams; 0 where the game is over."""
        if self._kernels:
            found: Ints = np.empty(self.n, np.int64)
            self._kernels.in_parts(self._kernels.random_actions, self.n, 1, self._board, self._state, self.node, found)
            return found
        bits = draw(self._state) >> SHIFT_32
        place = (bits * self._board.choices.take(self.node)) >> SHIFT_32
        return self._board.action.take(self.node * self._board.width + place.astype(np.int64))

    @property
    def _kernels(self) -> Any:
        return import_module("relance.tables.batch_compiled") if self.compiled else None

    def step(self, actions: npt.NDArray[np.integer[Any]]) -> None:
        """Play `actions`, (n,) action ids; sets `done` and `chips`, and deals anew as `autoreset` says.

        Tables whose game was over before are dealt anew, whatever their action.

        Raises ValueError, naming table, action and what is legal, and changes nothing if any action is none or illegal.
        """
        actions = self._checked(actions, self.n)
        redeal = self._kernels is not None and self.autoreset == "same_step" and self._law.compiles
        fresh = np.zeros(0, np.int64) if redeal else np.flatnonzero(self.to_move < 0)
        if self._kernels:
            tables = (self._board, self._law, self._state, self.node, self._hands)
            bad = self._kernels.step_tables(*tables, actions, self.chips, self.done, redeal)
            if bad >= 0:
                raise ValueError(self._complaint(bad, actions[bad]))
        else:
            self._step(actions, fresh)
        if self.autoreset == "same_step" and not redeal:
            fresh = np.concatenate([fresh, np.flatnonzero(self.done)])
        if len(fresh):
            self._deal(fresh)

    def _step(self, actions: Ints, waiting: Ints) -> None:
        follow = self._board.child.take(self.node * self._board.width + actions, mode="clip")
        wrong = (actions < 0) | (actions >= self._board.width) | (follow < 0)
        wrong[waiting], follow[waiting] = False, 0
        if wrong.any():
            bad = int(wrong.argmax())
            raise ValueError(self._complaint(bad, actions[bad]))
        self.node[:] = follow
        np.equal(self._board.choices.take(follow), 0, out=self.done)
        self.chips[:] = 0.0
        self._pay(np.flatnonzero(self.done))

    def _pay(self, ended: Ints) -> None:
        leaf = self.node.take(ended)
        edge = edges(self._law, self._hands[:, ended])
        self.chips[ended] = self._board.constant.take(leaf) + self._board.stake.take(leaf) * edge

    def move(self, tables: Ints, actions: npt.NDArray[np.integer[Any]]) -> None:
        """Play one action at each of these tables, (k,) distinct indices, and deal none anew.

        Sets `done` and `chips` at those that end and leaves the others' alone. Raises as `step` does, also where the game
        is over already.
        """
        actions = self._checked(actions, len(tables))
        follow = self._board.child.take(self.node.take(tables) * self._board.width + actions, mode="clip")
        wrong = (actions < 0) | (actions >= self._board.width) | (follow < 0)
        if wrong.any():
            bad = int(wrong.argmax())
            raise ValueError(self._complaint(int(tables[bad]), actions[bad]))
        self.node[tables] = follow
        ended = tables[self._board.choices.take(follow) == 0]
        self.done[ended] = True
        self._pay(ended)

    def _checked(self, actions: npt.NDArray[np.integer[Any]], size: int) -> Ints:
        given = np.asarray(actions)
        if given.dtype.kind not in "iu" or given.shape != (size,):
            raise ValueError(
                f"actions must be whole numbers of shape ({size},), not {given.dtype} of shape {given.shape}"
            )
        return given.astype(np.int64, copy=False)

    def _complaint(self, table: int, action: int) -> str:
        return f"table {table}: {self._rules.illegal(int(action), int(self.node[table]))}"

    def observe(self, player: int | npt.NDArray[np.integer[Any]] | None = None, tables: Ints | None = None) -> Vectors:
        """(k, K) float32, what `player` sees at these tables, by default all: the vectors of `relance.rules.rules`.

        `player` is 0, 1 or an array (k,), else ValueError; by default who is to move, and player 0 where the game is over.
        """
        tables = np.arange(self.n) if tables is None else tables
        node = self.node.take(tables)
        players = np.maximum(self._board.player.take(node), 0) if player is None else seats(player, len(node))
        return see(self._sight, players, node, self._hands[players, tables])

    def play_random(self, steps: int) -> Totals:
        """Take `steps` random decisions at every table, dealing anew at once when a game ends.

        As so many `random_actions` and `step` with `autoreset="same_step"`. Tables whose game is over are dealt anew
        first; afterwards `done` and `chips` are blank.
        """
        check_whole("steps", steps, 0)
        totals = Totals(np.zeros(self.n), np.zeros(self.n, np.int64))
        self._deal(np.flatnonzero(self.to_move < 0))
        self.done[:], self.chips[:] = False, 0.0
        if self._kernels and self._law.compiles:
            tables = (self._board, self._law, self._state, self.node, self._hands)
            self._kernels.in_parts(self._kernels.play_random, self.n, steps, *tables, steps, *totals)
            return totals
        for start in range(0, self.n, BLOCK):
            self._play_block(slice(start, start + BLOCK), steps, totals)
        return totals

    def _play_block(self, block: slice, steps: int, totals: Totals) -> None:
        board, law = self._board, self._law
        state, hands, chips, games = self._state[block], self._hands[:, block], totals.chips[block], totals.games[block]
        node = self.node[block].copy()
        count = board.choices.take(node)
        for _ in range(steps):
            bits = draw(state)
            bits >>= SHIFT_32
            bits *= count
            bits >>= SHIFT_32
            place = bits.view(np.int64)
            node *= board.width
            place += node
            board.follow.take(place, out=node, mode="clip")
            board.choices.take(node, out=count, mode="clip")
            ended = np.flatnonzero(count == 0)
            leaf = node.take(ended)
            chips[ended] += board.constant.take(leaf) + board.stake.take(leaf) * edges(law, hands.take(ended, axis=1))
            games[ended] += 1
            current = state.take(ended)
            hands[:, ended] = deal_hands(law, current)
            state[ended], node[ended], count[ended] = current, 0, board.choices[0]
        self.node[block] = node

    def play(self, first: Policy, second: Policy, rounds: int = 1) -> Played:
        """Play `rounds` whole games at every table, newly dealt, and leave the last ones finished.

        A policy is an opponent by name, such as "published" or "perturbed(0.1)" (see `relance.agents.opponents`), a Profile, a
        mixture of these, or a callable (observations (k, K), masks (k, A)) -> action ids (k,) or probabilities (k, A), asked for
        all tables at which it is to move.
        """
        check_whole("rounds", rounds, 1)
        policies = [policy_of(self.game, policy, seat) for seat, policy in enumerate((first, second))]
        out = Played(np.zeros((rounds, self.n)), np.zeros((rounds, self.n), np.int64))
        tables = [policy for policy in policies if isinstance(policy, StrategyTable)]
        everyone = np.arange(self.n)
        for chips, decisions in zip(*out, strict=True):
            self.deal(everyone)
            if self._kernels and len(tables) == 2:
                self._kernels.play_tables(
                    self._board, self._law, *tables, self._state, self.node, self._hands, chips, decisions
                )
                self.chips[:], self.done[:] = chips, True
                continue
            live = everyone
            while len(live):
                for player in (0, 1):
                    mine = live[self.to_move.take(live) == player]
                    if len(mine):
                        self.move(mine, self.ask(policies[player], player, mine))
                        decisions[mine] += 1
                live = live[~self.done.take(live)]
            chips[:] = self.chips
        return out

    def ask(self, policy: StrategyTable | Policy, player: int, tables: Ints) -> Ints:
        """The action ids, (k,), that a policy of `player` takes at these tables, at all of which he is to move."""
        if isinstance(policy, StrategyTable):
            return choose(policy, self.node.take(tables), self._hands[player].take(tables), self.draw(tables))
        masks = self._legal.take(self.node.take(tables), axis=0)
        answer, where = policy(self.observe(player, tables), masks), lambda row: f"table {tables[row]}"
        return self._checked(ids_of(self.game, answer, masks, where, lambda: self.draw(tables)), len(tables))


def _worth_compiling(n: int, compiled: bool | None) -> bool:
    installed = find_spec("numba") is not None
    if compiled and not installed:
        raise ImportError("compiled=True needs numba; install relance[fast]")
    return installed and n >= WORTH_COMPILING if compiled is None else compiled
