"""Files of `relance.words.LogRow`: read with all faults counted, and written a line at a time while games are played."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from relance.model.files import Line, LineFile, check_kind, read_lines
from relance.model.game import Game
from relance.words.log_rows import NEEDED, UNFINISHED, Log, LogError, LogRow, parse_rows


def read_log(path: str | Path, game: Game | None = None) -> Log:
    """Read a log that was written in this form.

    A last line without an end, of a run that was stopped, is one of the faults. So are rows of another game, if `game` is given.

    Raises:
        OSError: the file cannot be read.
        ValueError: nothing in it is a row.
    """
    source = Path(path)
    check_kind(source, "read")
    return used(parse_rows(parsed_lines(source), game), str(source))


def used(log: Log, name: str) -> Log:
    """The log unchanged.

    Raises:
        ValueError: it has no rows; the message names the first faults.
    """
    if log.rows:
        return log
    reasons = list(dict.fromkeys(fault.kind for fault in log.faults))
    first = [next(str(fault) for fault in log.faults if fault.kind == kind) for kind in reasons[:3]]
    raise ValueError(f"nothing in {name} can be used: " + ("; ".join(first) or "it is empty"))


def parsed_lines(source: Path) -> Iterator[tuple[str, object]]:
    """Each line with its place: its content, or a LogError; raises as `read_lines` does."""
    return map(_parsed, read_lines(source))


def _parsed(line: Line) -> tuple[str, object]:
    where = f"line {line.number}"
    if line.is_cut:
        return where, LogError(UNFINISHED, "the line has no end")
    return where, LogError("damaged lines", f"this is not JSON: {line.problem}") if line.problem else line.item


def is_log(path: Path) -> bool:
    """True if the first line of a file is a row."""
    check_kind(path, "read")
    if not path.exists():
        return False
    first = next((item for _, item in parsed_lines(path)), None)
    return isinstance(first, dict) and set(NEEDED) <= set(first)


class LogWriter:
    """A log that is written while games are played; a context manager. Rows that the file holds already stay.

    A last line without an end, left by a run that was stopped, is cut off.

    Args:
        path: the file; it is made if there is none. None makes a temporary one, which stays.
        game: the game of all its rows.

    Attributes:
        path: the file.
        rows: the rows that the file held already.
        written: how many were added.

    Raises:
        FileError: the file cannot be written, or another run is writing to it.
        ValueError: it holds anything but a log of this game.
    """

    def __init__(self, path: str | Path | None, game: Game) -> None:
        self._file = LineFile(None if path is None else Path(path), "match")
        self.path = self._file.path
        self.rows: tuple[LogRow, ...] = ()
        self.written = 0
        try:
            self._begin(game)
        except BaseException:
            self._file.close()
            raise

    def _begin(self, game: Game) -> None:
        lines = self._file.lines()
        log = parse_rows(map(_parsed, lines), game)
        for fault in log.faults:
            if fault.kind != UNFINISHED:
                raise ValueError(f"{self.path} cannot be continued as a log of {game}: {fault}")
        whole = [line for line in lines if not line.is_cut]
        self._file.end_at(whole[-1].end if whole else 0)
        self.rows = log.rows

    def write(self, *rows: LogRow) -> None:
        """Add these rows, each in one line, at once."""
        self._file.add(*map(LogRow.to_dict, rows))
        self.written += len(rows)

    def __enter__(self) -> LogWriter:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()
