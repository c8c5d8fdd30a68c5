"""Two agents of any kind at many tables: each deal is played twice, with the seats swapped. A log is written and can be resumed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from relance.model.arrays import Floats, Ints
from relance.model.game import Game
from relance.model.strategy import Strategy
from relance.play.agents import Answer, in_seat, is_function
from relance.play.agents import strategy as strategy_of
from relance.play.batch import Batch
from relance.play.coach import Coach
from relance.play.opponents import Player
from relance.play.policies import StrategyTable, ids_at, tabulate
from relance.play.rules import rules
from relance.words.kept_files import LogWriter
from relance.words.log_rows import LogRow, answer_place, decision_row, terminal_row
from relance.words.spent import Spent
from relance.words.text_agent import Question, TextAgent

BATCH = 16
"""The size of a batch of questions, for an agent that answers many at once; each batch is logged before the next."""

DRAWS = 2**30
"""The number of the first random stream for actions; the earlier ones deal hands."""


@dataclass(frozen=True)
class Seated:
    """An agent in one seat: its `strategy`, None if the strategy cannot be read, and `asked`, the object that chooses its actions."""

    strategy: Strategy | None
    asked: StrategyTable | TextAgent | Answer


def seated(game: Game, player: Player, seat: int) -> Seated:
    """Return a `Seated`; its strategy is read by `relance.play.strategy`, or is None for a `TextAgent` or a function that draws actions."""
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
    """Plays each deal of a match twice: deal d (from 0) is game 2d, with the first agent in seat 0, and game 2d + 1, with it in seat 1.

    The hands and all random draws depend only on the seed and the number of the game.

    Args:
        game, seed, names, log: as for `relance.match`; ValueError if the log is of another match.
        players: both agents, each in both seats.
        scorers: for both agents, {seat: the `Coach` that computes the loss of their decisions there}; {} if no losses are needed.
        spent: counts the questions that are sent.

    Attributes:
        answers, illegal: for both agents, how many answers they gave, and {reason: how many were illegal for it}.
    """

    def __init__(
        self,
        game: Game,
        players: Sequence[Sequence[Seated]],
        scorers: Sequence[dict[int, Coach]],
        seed: int,
        names: tuple[str, str],
        log: LogWriter | None = None,
        spent: Spent | None = None,
    ) -> None:
        self._game, self._players, self._scorers, self._spent = game, players, scorers, spent or Spent()
        self._seed, self._names, self._log, self._nodes = seed, names, log, game.tree.table.names
        self.answers, self.illegal = [0, 0], (Counter[str](), Counter[str]())
        self._known: dict[tuple[int, int, str], list[LogRow]] = {}
        for row in log.rows if log else ():
            about = self._about(row.episode, row.seat)
            if any(getattr(row, key) != value for key, value in about.items()):
                raise ValueError(
                    f"the log holds another match: {row.where}, episode {row.episode}, is of {row.agent!r} against {row.opponent!r} with "
                    f"seed {row.seed}, not of {about['agent']!r} against {about['opponent']!r} with seed {seed}"
                )
            known = self._known.setdefault((row.episode, row.seat, "end" if row.is_terminal else row.node), [])
            asked = players[(row.seat + row.episode) % 2][row.seat].asked
            if row.is_illegal and isinstance(asked, StrategyTable):
                raise ValueError(f"{row.where}: {row.agent!r} is a strategy, but this answer is illegal")
            if len(known) > _retries(asked):
                raise ValueError(f"{row.where} repeats {known[0].where}: both have the same episode, player and node")
            known.append(row)

    def play(self, first: int, deals: int) -> tuple[Floats, Floats]:
        """Play `deals` deals, from number `first` on.

        Returns:
            The chips that the first agent wins in seats 0 and 1, (deals, 2), and that each agent's decisions lose in both, (2, deals).
        """
        tables, lost = duplicate_tables(self._game, self._seed, first, deals), np.zeros((2, 2 * deals))
        live = np.arange(2 * deals)
        while len(live):
            for who, seat in product((0, 1), repeat=2):
                moves = (tables.to_move[live] == seat) & ((live + who) % 2 == seat)
                if (mine := live[moves]).size:
                    self._move(tables, who, seat, mine, lost[who])
            live = live[~tables.done[live]]
        chips = tables.chips.reshape(deals, 2)
        chips[:, 1] *= -1
        return chips, lost.reshape(2, deals, 2).sum(axis=2)

    def _move(self, tables: Batch, who: int, seat: int, at: Ints, lost: Floats) -> None:
        """The agent `who` acts in this seat at these tables; what that loses is added to `lost`, (n,)."""
        asked, nodes, hands = self._players[who][seat].asked, tables.node[at], tables.hands_of(seat, at)
        actions = self._answers(asked, tables, who, seat, at)
        if seat in self._scorers[who]:
            for node in np.unique(nodes).tolist():
                here = nodes == node
                lost[at[here]] += self._scorers[who][seat].losses(node, hands[here], actions[here])
        tables.move(at, actions, "forfeit")
        for i in at[tables.done[at]].tolist() if self._log is not None else ():
            episode, node, chips = _episode(tables, i), int(tables.node[i]) % tables.board.nodes, float(tables.chips[i])
            ends = [(p, tables.hands[i, p], node, chips * (1 - 2 * p)) for p in (0, 1)]
            new = [end for end in ends if (episode, end[0], "end") not in self._known]
            self._note(*(terminal_row(self._game, *end, **self._about(episode, end[0])) for end in new))

    def _answers(self, asked: Any, tables: Batch, who: int, seat: int, at: Ints) -> Ints:
        """The action ids of an agent; what the log holds is not asked again."""
        said: dict[int, list[LogRow]] = {}
        for i in at.tolist():
            known = self._known.get((_episode(tables, i), seat, self._nodes[tables.node[i]]), [])
            if known and (not known[-1].is_illegal or len(known) > _retries(asked)):
                said[i] = known
        left = [i for i in at.tolist() if i not in said]
        if isinstance(asked, TextAgent):
            size = BATCH if asked.batched else 1
            for part in (left[k : k + size] for k in range(0, len(left), size)):
                held = {i: (tables.hands[i, seat].item(), self._nodes[tables.node[i]]) for i in part}
                questions = [Question(seat, *held[i], _cards(tables, seat, i)) for i in part]
                for place, answer in asked.answered(self._game, questions, self._spent):
                    i = part[place]
                    said[i] = [self._row(tables, seat, i, **reply) for reply in answer.replies]
                    self._note(*said[i])
        else:
            self._spent.take(0 if isinstance(asked, StrategyTable) else len(left))
            uniform, names = tables.draw(at), dict(enumerate(self._game.actions))
            where = lambda i: f"{self._game.name}, node {self._nodes[int(tables.node[i])]!r}"  # noqa: E731
            drawn = ids_at(tables, asked, seat, at, lambda: uniform, where)
            if self._log is None:  # strategies, which never act illegally
                self.answers[who] += len(at)
                return drawn
            for i, action in zip(at.tolist(), drawn.tolist(), strict=True):
                if i not in said:
                    raw = "" if action in names else str(action)
                    said[i] = [self._row(tables, seat, i, names.get(action), raw=raw)]
                    self._note(*said[i])
        self.answers[who] += sum(map(len, said.values()))
        self.illegal[who].update(row.why_illegal for rows in said.values() for row in rows if row.is_illegal)
        return np.array([answer_place(self._game, said[i][-1])[2] for i in at.tolist()], np.int64)

    def _about(self, episode: int, seat: int) -> dict[str, Any]:
        who = (seat + episode) % 2
        return {"seed": self._seed, "episode": episode, "agent": self._names[who], "opponent": self._names[1 - who]}

    def _row(self, tables: Batch, seat: int, i: int, action: str | None, **said: Any) -> LogRow:
        hand, node = tables.hands[i, seat].item(), int(tables.node[i])
        return decision_row(self._game, seat, hand, node, action, **said, **self._about(_episode(tables, i), seat))

    def _note(self, *rows: LogRow) -> None:
        """Write rows that the log does not hold."""
        if self._log is not None:
            self._log.write(*rows)


def _retries(asked: object) -> int:
    return asked.retries if isinstance(asked, TextAgent) else 0


def duplicate_tables(game: Game, seed: int, first: int, deals: int) -> Batch:
    """Return tables for `deals` deals from number `first` on, two for each deal: table i is game 2 * `first` + i."""
    dealt = Batch(game, deals, seed, first=first, compiled=False)
    tables = Batch(game, 2 * deals, seed, first=DRAWS + 2 * first, compiled=False)
    tables.give(np.repeat(dealt.running.hands, 2, axis=1), np.repeat(dealt.running.edge, 2))
    return tables


def _episode(tables: Batch, i: int) -> int:
    """The number of the game at table i."""
    return tables.first - DRAWS + i


def _cards(tables: Batch, seat: int, i: int) -> str | None:
    """The hand as real cards, if the game deals them; the same in both games of a deal."""
    deal = np.random.default_rng([tables.seed, _episode(tables, i) // 2])
    shown = rules(tables.game).show((tables.hands[i, 0].item(), tables.hands[i, 1].item()), deal)
    return shown[seat] if shown else None
