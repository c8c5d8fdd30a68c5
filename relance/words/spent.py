"""Counts the questions that are sent to agents, against a budget."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any


class BudgetReached(Exception):
    """The budget of questions is spent; no more may be sent."""


@dataclass
class Spent:
    """The count of questions sent in a run, with those sent again after a reply without an action or after a failure.

    Attributes:
        most: the budget: the most questions that may be sent.
        sent: how many were sent so far.
        read, written: the tokens of the questions and of the replies, where the server says so.
        cut: whether the budget ended the run before all questions were asked.
        kept: the file that keeps the answers.
    """

    most: int = sys.maxsize
    sent: int = 0
    read: int = 0
    written: int = 0
    cut: bool = False
    kept: str = ""

    @property
    def left(self) -> int:
        """How many questions may still be sent."""
        return self.most - self.sent

    def take(self, count: int = 1) -> None:
        """Count `count` questions before they are sent; if the budget has no room for all, count none and raise BudgetReached."""
        if count > self.left:
            self.cut = True
            raise BudgetReached(f"the budget of {self.most:,} questions is spent")
        self.sent += count

    def as_dict(self) -> dict[str, Any]:
        """Return the questions and tokens, and whether the budget ended the run, for JSON."""
        return {"sent": self.sent, "tokens_read": self.read, "tokens_written": self.written, "cut": self.cut}

    def lines(self, width: int) -> list[str]:
        """Return up to two lines, with labels of this width: that the budget ended the run, and the number of questions and tokens."""
        end = f"the budget of {self.most:,} questions is spent; what was answered is kept in {self.kept}"
        told = [f"  {'cut':<{width}}{end}"] * self.cut
        if self.read or self.written:
            told.append(f"  {'sent':<{width}}{self.sent:,} questions, {self.read:,} tokens in and {self.written:,} out")
        return told
