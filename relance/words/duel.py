"""Two agents of any kind at many tables: each deal is played twice, with the seats swapped. A log is written and can be resumed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from relance.model.arrays import Floats, Ints
from relance.model.game import Game
from relance.model.strategy import Strategy
from relance.play.batch import check_actions
from relance.play.board import compile_board, compile_sight, see
from relance.play.coach import Coach
from relance.play.loops import running
from relance.play.numpy_loops import choose, deal_hands, numbers, put, set_edges, turn_up
from relance.play.opponents import Player, in_seat
from relance.play.opponents import strategy as strategy_of
from relance.play.policies import ids_of
from relance.play.readers import Answer, is_function
from relance.play.rules import rules
from relance.play.runouts import law_of
from relance.play.strategy_table import StrategyTable, tabulate
from relance.play.streams import streams
from relance.words.log_files import LogWriter
from relance.words.log_rows import LogRow, decision_row, ending_row
from relance.words.text_agent import Question, TextAgent

BATCH = 16
"""The size of a batch of questions, for an agent that answers many at once; each batch is logged before the next."""

DRAWS = 2**30
"""The number of the first random stream for actions; the earlier ones deal hands."""

NONE = -1
"""The id of an answer that names no action."""


@dataclass(frozen=True)
class Seated:
    """An agent in one seat: its `strategy`, if that can be read, and the agent to ask."""

    strategy: Strategy | None
    asked: StrategyTable | TextAgent | Answer


def seated(game: Game, player: Player, seat: int) -> Seated:
    """Read an agent for this seat. Agents that answer in words, and functions that draw actions, have no strategy.

    Raises:
        ValueError, TypeError: as `relance.play.opponents.strategy` does, but for functions.
    """
    player = in_seat(player, seat)
    if isinstance(player, TextAgent):
        return Seated(None, player)
    try:
        known = strategy_of(game, player, seat)
    except ValueError:
        if is_function(player):  # it draws, or what is wrong with it shows when it plays
            return Seated(None, player)
        raise
    return Seated(known, tabulate(game, known))


class Duel:
    """Plays deals, numbered from 0: deal d is games 2d and 2d + 1, in which the first agent has seat 0 and seat 1.

    What is dealt and drawn here depends only on the seed and the number of the game.

    Args:
        game: the game.
        players: both agents, each in both seats.
        judges: for both agents, by seat, the coach that knows what their decisions lose; may be empty.
        seed: of all random streams.
        names: of both agents, for the log.
        log: write all answers and endings here, and do not ask again for what it holds.

    Attributes:
        answers, illegal: for both agents, how many answers they gave, and how many were illegal.

    Raises:
        ValueError: the log holds rows of another match.
    """

    def __init__(
        self,
        game: Game,
        players: Sequence[Sequence[Seated]],
        judges: Sequence[dict[int, Coach]],
        seed: int,
        names: tuple[str, str],
        log: LogWriter | None = None,
    ) -> None:
        self._game, self._players, self._judges = game, players, judges
        self._seed, self._names, self._log = seed, names, log
        self._sight, self._table = compile_sight(rules(game)), game.tree.table
        self.answers, self.illegal = [0, 0], [0, 0]
        self._known: dict[tuple[int, int, str], list[LogRow]] = {}
        for row in log.rows if log else ():
            about = self._about(row.episode, row.seat)
            if any(getattr(row, key) != value for key, value in about.items()):
                raise ValueError(
                    f"the log holds another match: episode {row.episode} is of {row.agent!r} against {row.opponent!r} with seed "
                    f"{row.seed}, not of {about['agent']!r} against {about['opponent']!r} with seed {seed}"
                )
            self._known.setdefault((row.episode, row.seat, "end" if row.is_ending else row.node), []).append(row)

    def play(self, first: int, deals: int) -> tuple[Floats, Floats]:
        """Play these deals, `first` and those after it.

        Returns:
            (deals, 2) the chips of the first agent in seat 0 and in seat 1; and (2 agents, deals) what the decisions of each in both
            games of a deal lost.
        """
        tables, live = DuplicateTables(self._game, self._seed, first, deals), np.arange(2 * deals)
        while len(live):
            for who in (0, 1):
                for seat in (0, 1):
                    moves = (self._table.player[tables.node[live]] == seat) & ((live + who) % 2 == seat)
                    if (mine := live[moves & ~tables.over[live]]).size:
                        self._move(tables, who, seat, mine)
            live = live[~tables.over[live]]
        chips = tables.chips.reshape(deals, 2)
        chips[:, 1] *= -1
        return chips, tables.lost.reshape(2, deals, 2).sum(axis=2)

    def _move(self, tables: DuplicateTables, who: int, seat: int, at: Ints) -> None:
        """The agent `who` acts in this seat at these tables."""
        asked, nodes, hands = self._players[who][seat].asked, tables.node[at], tables.hands[seat, at]
        ask = self._said if isinstance(asked, TextAgent) else self._drawn
        actions = ask(asked, tables, who, seat, at)
        fine = (actions >= 0) & (actions < len(self._game.actions))
        fine[fine] = self._table.legal[nodes[fine], actions[fine]]
        if seat in self._judges[who]:
            for node in np.unique(nodes).tolist():
                here = nodes == node
                tables.lost[who, at[here]] += self._judges[who][seat].losses(node, hands[here], actions[here])
        tables.act(at[fine], actions[fine])
        ended = at[~fine | (self._table.player[tables.node[at]] < 0)]
        tables.pay(ended)
        if self._log is not None:
            for i in ended.tolist():
                chips, node = float(tables.chips[i]), int(tables.node[i])
                self._note(*(
                    ending_row(self._game, p, tables.hands[p, i], node, chips * (1 - 2 * p), **self._about(tables.first + i, p))
                    for p in (0, 1)
                ))  # fmt: skip

    def _drawn(self, asked: Any, tables: DuplicateTables, who: int, seat: int, at: Ints) -> Ints:
        """The action ids of a strategy or a function; an answer that the log holds is taken from it."""
        nodes, hands, uniform = tables.node[at], tables.hands[seat, at], tables.draw(at)
        if isinstance(asked, StrategyTable):
            actions = choose(asked, nodes, hands, uniform)
        else:
            masks, seen = self._table.legal.take(nodes, axis=0), see(self._sight, np.full(len(at), seat), nodes, hands)
            where = [f"{self._game.name}, node {self._table.names[node]!r}" for node in nodes]
            ids = ids_of(self._game, asked(seen, masks), masks, where.__getitem__, lambda: uniform)
            actions = check_actions(ids, len(at)).copy()
        self.answers[who] += len(at)
        names = dict(enumerate(self._game.actions))
        for place, i in enumerate(at.tolist() if self._log is not None else ()):
            known = self._known.get(self._key(tables, seat, i))
            if known:
                actions[place] = self._id(known[-1].action)
            else:
                action = int(actions[place])
                self._note(self._row(tables, seat, i, names.get(action), "" if action in names else str(action)))
        legal = self._table.legal
        self.illegal[who] += sum(not (0 <= a < len(names) and legal[n, a]) for n, a in zip(nodes, actions, strict=True))
        return actions

    def _said(self, asked: Any, tables: DuplicateTables, who: int, seat: int, at: Ints) -> Ints:
        """The action ids of an agent that answers in words; what the log holds is not asked again."""
        said: dict[int, list[LogRow]] = {}
        for i in at.tolist():
            known = self._known.get(self._key(tables, seat, i), [])
            if known and (not known[-1].is_illegal or len(known) > asked.retries):
                said[i] = known
        left, size = [i for i in at.tolist() if i not in said], BATCH if asked.batched else 1
        for part in (left[k : k + size] for k in range(0, len(left), size)):
            names = [self._table.names[tables.node[i]] for i in part]
            hands = [tables.hands[seat, i].item() for i in part]
            questions = [
                Question(seat, hand, name, tables.cards(seat, i))
                for hand, name, i in zip(hands, names, part, strict=True)
            ]
            for place, answer in asked.answered(self._game, questions):
                i = part[place]
                said[i] = [self._row(tables, seat, i, action, text) for text, action in answer.replies]
                self._note(*said[i])
        self.answers[who] += sum(map(len, said.values()))
        self.illegal[who] += sum(row.is_illegal for rows in said.values() for row in rows)
        return np.array([self._id(said[i][-1].action) for i in at.tolist()], np.int64)

    # Rows

    def _key(self, tables: DuplicateTables, seat: int, i: int) -> tuple[int, int, str]:
        return tables.first + i, seat, self._table.names[tables.node[i]]

    def _id(self, action: str | None) -> int:
        return self._game.actions.index(action) if action in self._game.actions else NONE

    def _about(self, episode: int, seat: int) -> dict[str, Any]:
        who = (seat + episode) % 2
        return {"seed": self._seed, "episode": episode, "agent": self._names[who], "opponent": self._names[1 - who]}

    def _row(self, tables: DuplicateTables, seat: int, i: int, action: str | None, raw: str) -> LogRow:
        hand, node = tables.hands[seat, i].item(), int(tables.node[i])
        return decision_row(self._game, seat, hand, node, action, raw=raw, **self._about(tables.first + i, seat))

    def _note(self, *rows: LogRow) -> None:
        """Write rows that the log does not hold."""
        if self._log is not None:
            self._log.write(
                *(row for row in rows if not (row.is_ending and (row.episode, row.seat, "end") in self._known))
            )


class DuplicateTables:
    """The games of some deals, two of each.

    Attributes:
        first: the number of the first game.
        hands: (2, n) both players' hands; where events turn up, (3, n) with the runouts.
        node: (n,) the node of each game, as an index into `game.tree.table`.
        chips: (n,) chips to player 0 of games that are over.
        over: (n,) bool.
        lost: (2, n) what the decisions of both agents lost.
    """

    def __init__(self, game: Game, seed: int, first: int, deals: int) -> None:
        self._rules, self._seed, self._law = rules(game), seed, law_of(game)
        self._board = compile_board(self._rules)
        self.first, n = 2 * first, 2 * deals
        once, edges = deal_hands(self._law, streams(seed, np.arange(first, first + deals)))
        self._running = running(n, self._law)
        self._numbers, self.node, self.hands, self._edge, self.chips, self.over = self._running
        put(self._running, np.arange(n), np.repeat(once, 2, axis=1), np.repeat(edges, 2))
        self._numbers[:] = streams(seed, DRAWS + np.arange(self.first, self.first + n))
        self.lost = np.zeros((2, n))

    def draw(self, at: Ints) -> Floats:
        """A number in [0, 1) for each of these games."""
        state = self._numbers[at]
        out = numbers(state)
        self._numbers[at] = state
        return out

    def cards(self, seat: int, i: int) -> str | None:
        """The hand as real cards, if the game deals them; the same in both games of a deal."""
        hands = self.hands[0, i].item(), self.hands[1, i].item()
        shown = self._rules.show(hands, np.random.default_rng([self._seed, (self.first + i) // 2]))
        return shown[seat] if shown else None

    def act(self, at: Ints, actions: Ints) -> None:
        """Play these legal actions in these games."""
        self.node[at] = self._board.child.take(self.node[at] * self._board.width + actions)
        turn_up(self._board, self._running, at)

    def pay(self, ended: Ints) -> None:
        """End these games: at an ending it pays, at a decision the player to move forfeits."""
        node, worst = self.node[ended], self._rules.worst
        mover = self._board.player[node]
        set_edges(self._board, self._law, self._running, ended)
        paid = self._board.constant[node] + self._board.stake[node] * self._edge[ended]
        self.chips[ended] = np.where(mover < 0, paid, np.where(mover == 1, worst[1], -worst[0]))
        self.over[ended] = True
