"""Assemble logged games from their rows: which games are complete, the chips paid, and the losses of the decisions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np

from relance.model.game import Game
from relance.play.agents import by_name
from relance.play.coach import Coach
from relance.play.opponents import Player
from relance.play.rules import rules
from relance.words.confidence_sequence import mean_interval
from relance.words.log_rows import Fault, LogRow, answer_place


class Mean(NamedTuple):
    """A mean over games, with a 95% interval that is valid at any number of games; see `relance.words.confidence_sequence`."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.mean:z.4f} [{self.low:z.4f}, {self.high:z.4f}]"


class Against(NamedTuple):
    """The results of an agent in one seat against one opponent; chips are the agent's, per hand.

    Attributes:
        opponent, seat: the opponent's name, and the agent's seat.
        hands: how many games are logged to their end, without a contradiction between rows.
        chips: the mean of the chips paid; None if no game ended.
        adjusted: the luck-adjusted mean of chips; None also if the opponent's strategy is not known.
        best: the chips that a best response earns in this seat against this opponent; None if its strategy is not known.
        decisions: how many answers were scored.
        lost: the mean of the expected chips that an answer lost; None if none was scored.
        reference_opponent: the opponent against whom the answers were scored; "" if there was none.
    """

    opponent: str
    seat: int
    hands: int
    chips: Mean | None
    adjusted: Mean | None
    best: float | None
    decisions: int
    lost: float | None
    reference_opponent: str

    def facts(self) -> dict[str, str]:
        """Return {label: text} for printing, with the results that are not None."""
        out = {"chips a hand": f"{self.chips} in {self.hands} hands"} if self.chips else {}
        if self.adjusted is not None:
            out["luck-adjusted"] = f"{self.adjusted}; a best response earns {self.best:z.4f}"
        if self.lost is not None:
            out["regret per decision"] = (
                f"{self.lost:.4f} against {self.reference_opponent}, the mean of {self.decisions}"
            )
        return out


class Episode(NamedTuple):
    """One game of an agent: the rows of the answers that counted, and the row of its terminal node, None if the log lacks it."""

    answers: tuple[LogRow, ...]
    terminal: LogRow | None


def counted_answers(rows: Sequence[LogRow]) -> list[LogRow]:
    """The answers of one agent that counted in a game, in order: no terminal nodes, and no answer after which the agent was asked again."""
    again = [not after.is_terminal and after.node == row.node for row, after in pairwise(rows)]
    return [row for row, asked in zip(rows, [*again, False], strict=False) if not (row.is_terminal or asked)]


def episodes(game: Game, rows: Iterable[LogRow]) -> tuple[list[Episode], list[Fault]]:
    """Assemble the games of one agent from its rows, and return the games and the faults.

    A game whose rows contradict each other, or do not lead to its terminal node, is left out, and becomes a fault.
    """
    groups: dict[object, list[LogRow]] = defaultdict(list)
    for row in rows:
        groups[row.played].append(row)
    out, faults = [], []
    for group in groups.values():
        ends = [row for row in group if row.is_terminal]
        answers = counted_answers(sorted(group, key=lambda row: row.is_terminal))
        episode = Episode(tuple(answers), ends[0] if ends else None)
        first = group[0]
        wrong = "it ends twice" if len(ends) > 1 else _contradiction(game, first.seat, episode)
        if not wrong:
            out.append(episode)
            continue
        where = f"seed {first.seed}, episode {first.episode}, seat {first.seat}"
        faults.append(Fault(where, "games that do not fit together", wrong))
    return out, faults


def _contradiction(game: Game, seat: int, episode: Episode) -> str:
    """Return the contradiction in a game, or an empty text."""
    rows = [*episode.answers, *([episode.terminal] if episode.terminal else [])]
    if len({row.hand for row in rows}) > 1:
        return f"the hand is {rows[0].hand} and then {next(row.hand for row in rows if row.hand != rows[0].hand)}"
    if episode.terminal is None:
        return ""
    end = at = episode.terminal.node
    expected = {}
    while choice := game.tree.last_choice(at, seat):
        at, action = choice
        expected[at] = game.tree.decisions[at].actions[action]
    taken = {row.node: row.action for row in episode.answers if not row.is_illegal}
    if taken != expected:
        wrong = next(node for node in (*reversed(expected), *taken) if taken.get(node) != expected.get(node))
        return f"the answer at {wrong!r} is not the one that leads to its terminal node, {end!r}"
    refused = [row.node for row in episode.answers if row.is_illegal]
    forfeit = [end] if end in game.tree.of(seat) else []
    return "" if refused == forfeit else "it lacks an illegal answer, or the forfeit that such an answer leads to"


def scored_against(game: Game, played: Sequence[Episode], opponent: Player | None) -> tuple[Against, ...]:
    """Score an agent's games by opponent and seat; `opponent` played the other seat where the log names no known opponent."""
    groups: dict[tuple[str, int], list[Episode]] = defaultdict(list)
    for episode in played:
        first = next(iter(episode.answers), episode.terminal)
        assert first is not None
        groups[first.opponent, first.seat].append(episode)
    return tuple(_against(game, name, seat, group, opponent) for (name, seat), group in sorted(groups.items()))


def _against(game: Game, name: str, seat: int, played: list[Episode], opponent: Player | None) -> Against:
    coach, reference_opponent = _coach(game, seat, name, is_of_log=True), name
    if coach is None and opponent is not None:
        coach, reference_opponent = (
            _coach(game, seat, opponent),
            opponent if isinstance(opponent, str) else name or "the opponent",
        )
    critic = coach
    if critic is None:
        critic, reference_opponent = _coach(game, seat, "published"), "published"
    losses = [[critic.loss(*answer_place(game, row)) for row in one.answers if critic] for one in played]
    ended = [(one.terminal, lost) for one, lost in zip(played, losses, strict=True) if one.terminal]
    worst = rules(game).worst
    chips = _mean([float(end.chips or 0) for end, _ in ended], -worst[seat], worst[1 - seat])
    adjusted = best = None
    if coach is not None:
        best = float(coach.value)
        adjusted = _mean([best - sum(lost) for _, lost in ended], best - coach.max_loss(), best)
    every = list(chain.from_iterable(losses))
    lost = float(np.mean(every)) if every else None
    return Against(
        name, seat, len(ended), chips, adjusted, best, len(every), lost, reference_opponent if critic else ""
    )


def _mean(values: Sequence[float], least: float, most: float) -> Mean | None:
    x = np.random.default_rng(0).permutation(np.asarray(values, float))  # a log may have short games first
    return Mean(float(x.mean()), *mean_interval(x, least, most)) if len(x) else None


def _coach(game: Game, seat: int, opponent: Player, is_of_log: bool = False) -> Coach | None:
    """The `Coach` that scores the seat's decisions against this opponent; None if the opponent's strategy is not known."""
    try:
        return Coach(game, seat, by_name(str(opponent)) if is_of_log else opponent, exact=False)
    except ValueError:  # a name that says nothing to Relance, such as that of a model
        return None
