"""Parameters of games with real cards: the cards on the table, and ranges of hands."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from relance.model.files import FileError, read_text
from relance.model.numbers import short
from relance.model.parameters import Parameter
from relance.model.playing_cards.ranges import NOTATION, hand_name, plain_range, read_board, read_range

LONGEST = 10**6
"""The most bytes in a range file; all 1,326 hands with long weights take a tenth of that."""


@dataclass(frozen=True)
class BoardCards(Parameter):
    """The cards on the table, `size` of them, as text such as "Ks9d7h4c2s"."""

    size: int = 5

    @property
    def allowed(self) -> str:
        """A phrase for messages: `size` different cards."""
        return f"{'four' if self.size == 4 else 'five'} different cards, such as {'Ks9d7h4c2s'[: 2 * self.size]!r}"

    def read(self, name: str, value: object) -> str:
        if not isinstance(value, str):
            raise ValueError(f"{name}={short(value)} must be {self.allowed}")
        try:
            return hand_name(read_board(value, size=self.size))
        except ValueError as error:
            raise ValueError(f"{name}={short(value)} must be {self.allowed}: {error}") from None


class Ranges(Parameter):
    """Both players' ranges, as one text, "AA;KQs:1/2 vs QQ", or as two items, each a text or the path of a file."""

    allowed = "two ranges, such as 'AA;KQs:1/2 vs QQ' or ['AA,KQs:1/2', 'QQ'], or the paths of files with one each"

    def read(self, name: str, value: object) -> tuple[str, str]:
        given = re.split(r"\bvs\b", value) if isinstance(value, str) else value
        if not isinstance(given, Sequence) or not all(isinstance(part, (str, Path)) for part in given):
            raise ValueError(f"{name}={short(value)} must be {self.allowed}")
        if len(given) != 2:
            raise ValueError(f"{name}={short(value)} has {len(given)} ranges; it must be {self.allowed}")
        first, second = (self._read_one(name, player, part) for player, part in enumerate(given))
        return first, second

    def _read_one(self, name: str, player: int, part: str | Path) -> str:
        where = f"{name}={short(str(part))} of player {player}"
        try:
            text = read_text(part, LONGEST) if isinstance(part, Path) else part
        except FileError as error:
            raise ValueError(f"{where} is not a file that holds a range: {error}") from None
        try:
            plain = plain_range(text)
            if not read_range(plain):
                raise ValueError(f"the range has no hands; {NOTATION}")
        except ValueError as error:
            raise ValueError(f"{where}: {error}") from None
        return plain

    def text(self, value: Any) -> str:
        return " vs ".join(value)
