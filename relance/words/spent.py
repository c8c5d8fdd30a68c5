"""Counts what is sent to agents that are asked, against a budget."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any


class BudgetReached(Exception):
    """Nothing more may be sent."""


@dataclass
class Spent:
    """What was sent: questions, those asked again after a reply without an action, and those sent again after a failure.

    Attributes:
        most: the budget.
        sent: how many were sent.
        read, written: the tokens of what was sent and of the replies, where the server says so.
        cut: whether the budget ended it before all was asked.
        kept: the file with what was answered, if it was cut.
    """

    most: int = sys.maxsize
    sent: int = 0
    read: int = 0
    written: int = 0
    cut: bool = False
    kept: str = ""

    @property
    def left(self) -> int:
        """How many may still be sent."""
        return self.most - self.sent

    def take(self, count: int = 1) -> None:
        """Count what is about to be sent; raises BudgetReached, and counts nothing, if that is too much."""
        if count > self.left:
            self.cut = True
            raise BudgetReached(f"the budget of {self.most:,} questions is spent")
        self.sent += count

    def as_dict(self) -> dict[str, Any]:
        """The figures, for JSON."""
        return {"sent": self.sent, "tokens_read": self.read, "tokens_written": self.written, "cut": self.cut}

    def lines(self, width: int) -> list[str]:
        """A line each if the budget ended it, and if tokens are known; the words before it are padded to this width."""
        end = f"the budget of {self.most:,} questions is spent; what was answered is kept in {self.kept}"
        told = [f"  {'cut':<{width}}{end}"] * self.cut
        if self.read or self.written:
            told.append(f"  {'sent':<{width}}{self.sent:,} questions, {self.read:,} tokens in and {self.written:,} out")
        return told
