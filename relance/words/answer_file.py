"""Files of the answers that an agent gave, as JSON lines: written while it is asked, and continued after a stop.

The first line says what was asked, {"version": 1, "game": ..., ...}. Each other line is an answer: "seat", "node", "hand", and either the
"action" (null if it was illegal, with the "fault") or the "chances" of actions by name; "raw" has the replies of those who talk.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from relance.model.files import LineFile
from relance.model.numbers import short

VERSION = 1


class AnswerFile:
    """A file of answers that is being written; a context manager.

    A last line without an end, left by a run that was stopped, is cut off. If no path is given, a temporary file is written: it is
    removed once `done`, and stays if anything goes wrong before.

    Args:
        path: the file to begin or to continue.
        asked: what is asked, for the first line.

    Attributes:
        path: where the answers are.
        lines: the answers that the file held already, by number of the line.

    Raises:
        FileError: the file cannot be read or written, or another run is writing to it.
        ValueError: it holds answers to something else, or a line that is damaged.
    """

    def __init__(self, path: str | Path | None, asked: Mapping[str, object]) -> None:
        self._temporary = path is None
        self._file = LineFile(None if path is None else Path(path), "answers")
        self.path = self._file.path
        self.lines: dict[int, dict[str, Any]] = {}
        try:
            self._begin({"version": VERSION, **asked})
        except BaseException:
            self._file.close()
            raise

    def _begin(self, head: Mapping[str, object]) -> None:
        """Read what the file holds, or write its first line."""
        rows, size = {}, 0
        for line in self._file.lines():
            if line.is_cut:
                break
            if not isinstance(line.item, dict):
                raise ValueError(
                    f"{self.path}, line {line.number} is not an answer: {short(line.data.decode(errors='replace'))}"
                )
            rows[line.number], size = line.item, line.end
        if not self.path.stat().st_size:
            self.add([head])
            return
        first = next(iter(rows.values()), {})
        if "version" not in first:
            raise ValueError(f"{self.path} is not a file of answers: its first line does not say what was asked")
        for key, value in head.items():
            if first.get(key) != value:
                raise ValueError(
                    f"{self.path} has answers for {key}={first.get(key)!r:.300}, not for {key}={value!r:.300}; give another file"
                )
        self._file.end_at(size)
        self.lines = dict(list(rows.items())[1:])

    def add(self, lines: Iterable[Mapping[str, object]]) -> None:
        """Write these lines at once."""
        self._file.add(*lines)

    def done(self) -> None:
        """Close; delete a temporary file once all its answers are counted or it has none."""
        if self._temporary:
            self._file.close()
            self.path.unlink()

    def __enter__(self) -> AnswerFile:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()
