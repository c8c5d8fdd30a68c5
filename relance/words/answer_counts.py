"""Counts answers by information set, and estimates the score of an agent from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np

from relance.model.arrays import Floats
from relance.model.game import Game
from relance.model.numbers import short
from relance.play.agents import ROUNDING
from relance.words.estimate import Estimate, estimate
from relance.words.log_rows import FAULTS, logged_hand
from relance.words.nash_conv_interval import PARTS
from relance.words.question_plan import Inquiry, inquiry

AnswerLine: TypeAlias = dict[str, Any]
"""An answer as a line of a file of answers; `relance.words.kept_files` has its keys."""


def estimated(game: Game, lines: Sequence[AnswerLine], hands: object = None) -> Estimate | None:
    """Estimate an agent's score from answers collected elsewhere, as in logs; None if an information set has no answer.

    `game` and `hands`, as for `relance.words.score`, choose the information sets. ValueError if a line is not an answer at one of them.
    """
    record = Tally(inquiry(game, hands))
    record.read(dict(enumerate(lines)), "answers")
    return record.estimate()


class _Refused(ValueError):
    """An answer that does not fit, with the reason in words."""


class Tally:
    """All answers so far, by information set.

    Attributes:
        where: the information sets.
        sure: for each seat, True if the strategy in this seat is known, so that one answer at each information set is enough.
        given: {(seat, node, hand): each answer as a row of probabilities of the legal actions and, last, of an illegal answer}.
        told: {(seat, node, hand): how many answers were probabilities}.
        count, faults: the number of all answers, and {reason: the number of illegal answers for it}.
    """

    def __init__(self, where: Inquiry, sure: Sequence[bool] = (False, False)) -> None:
        self.where, self.sure, self.count, self.faults = where, sure, 0, Counter[str]()
        sets = [(seat, *place) for seat in (0, 1) for place in where.sets(seat)]
        self.given: dict[tuple[int, str, int], list[Floats]] = {place: [] for place in sets}
        self.told = dict.fromkeys(self.given, 0)
        self._places = [{logged_hand(where.asked, p, hand): i for i, hand in enumerate(where.hands[p])} for p in (0, 1)]

    def read(self, lines: Mapping[int, AnswerLine], source: str) -> None:
        """Count answers, given by line number; ValueError, with `source` and the line, if a line is no answer in this game."""
        for number, line in lines.items():
            try:
                self.add(line)
            except (ValueError, KeyError, TypeError, IndexError) as error:
                why = f": {error}" if isinstance(error, _Refused) else f" is not an answer in this game: {short(line)}"
                raise ValueError(f"{source}, line {number}{why}") from None

    def named(self, seat: int, node: str, hand: int) -> AnswerLine:
        """Return the seat, node, hand and number (from 1) of the next answer at an information set, by the keys of a file of answers."""
        held = logged_hand(self.where.asked, seat, self.where.hands[seat][hand])
        return {"seat": seat, "node": node, "hand": held, "number": len(self.given[seat, node, hand]) + 1}

    def add(self, line: AnswerLine) -> None:
        """Count an answer; ValueError or KeyError if its information set or action does not exist, or its number is not the next."""
        key = line["seat"], line["node"], self._places[line["seat"]][line["hand"]]
        actions = self.where.game.tree.decisions[line["node"]].actions
        row = np.zeros(len(actions) + 1)
        if (chances := line.get("chances")) is not None:
            for action, chance in chances.items():
                row[actions.index(action)] = chance
            row[-1] = max(0.0, 1 - row.sum())
            if not (row >= 0).all() or not row.sum() < 1 + ROUNDING:
                raise ValueError
            row /= row.sum()
        else:
            row[-1 if line["action"] is None else actions.index(line["action"])] = 1
        if (number := line.get("number", len(self.given[key]) + 1)) != len(self.given[key]) + 1:
            follows = f"but {len(self.given[key]) + 1} comes next at this information set; a line is missing or doubled"
            raise _Refused(f"the answer has `number` {short(number)}, {follows}")
        if self.sure[line["seat"]] and row[-1] > ROUNDING:
            raise _Refused(f"player {line['seat']} is a strategy, but this answer is illegal: {short(line)}")
        if line.get("fault") not in (None, *FAULTS):
            raise ValueError
        self.given[key].append(row)
        self.told[key] += chances is not None
        self.count += 1
        if fault := line.get("fault"):
            self.faults[fault] += 1

    def estimate(self) -> Estimate | None:
        """Estimate the agent's score from the answers so far; None if an information set has no answer."""
        if not all(self.given.values()):
            return None
        game, sure = self.where.game, self.sure
        some = [len(rows) for (seat, *_), rows in self.given.items() if not sure[seat]]
        size = min(PARTS, max(2, min(some, default=0) + 1))
        counts, illegal, spread = {}, {}, {}
        for name, node in game.tree.decisions.items():
            hands = game.finite_deal().size(node.player)
            parts, spread[name] = np.zeros((size, hands, len(node.actions) + 1)), np.ones(hands)
            for hand in range(hands):
                rows = self.given.get((node.player, name, hand), [])
                alike = sure[node.player] or (self.told[node.player, name, hand] == len(rows) > 1)
                if rows and alike:
                    spread[name][hand] = 0.0 if sure[node.player] else _spread(np.array(rows))
                if rows and not spread[name][hand]:
                    parts[:, hand] = np.mean(rows, axis=0)
                    continue
                for i, row in enumerate(rows, 1):  # in order; if there are too few, the first part stays empty
                    parts[size - 1 - (len(rows) - i) * size // len(rows), hand] += row
            counts[name], illegal[name] = parts[..., :-1], parts[..., -1]
        found = estimate(game, counts, illegal, spread)
        lost = sum(float(row[-1]) for rows in self.given.values() for row in rows)
        return replace(found, answers=self.count, illegal=lost, faults=dict(self.faults), note=self.where.note)


def _spread(rows: Floats) -> float:
    """The variance of answers that are probabilities, as a share of that of actions drawn from them."""
    mean = rows.mean(axis=0)
    drawn = float((mean * (1 - mean)).sum())
    varied = float(rows.var(axis=0, ddof=1).sum())
    return min(1.0, varied / drawn) if varied > ROUNDING**2 else 0.0
