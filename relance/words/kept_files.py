"""Files of answers and of games, as JSON lines: written while agents are asked, and continued after a stop.

In a file of answers the first line says what was asked: "version", "game", "hands", "agents", "about". Each other line is an answer. It
has the "seat", "node" and "hand"; the "action", or null and a "fault" if it was illegal, or else the "chances" of actions by name; "raw",
the replies, if the agent answers in words; and the answer's "number" at its information set, from 1. A line of a log is a `LogRow`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path

from relance.model.arguments import PathName
from relance.model.files import Line, LineFile
from relance.model.game import Game
from relance.model.numbers import short
from relance.model.provenance import about_run
from relance.words.answer_counts import Tally
from relance.words.log_rows import UNFINISHED, LogRow, parse_rows, parsed_lines
from relance.words.spent import Spent

VERSION = 1
"""The version of the form of files of answers."""

KEYS = ("seat", "node", "hand", "number", "action", "chances", "raw", "fault")
"""The keys that an answer may have in a file of answers."""


class KeptFile(LineFile):
    """A file of JSON lines that a run adds to, and that a later run continues; a context manager.

    A last line without an end, left by a run that was stopped, is cut off.

    Args:
        path: the file; None for a temporary file, which stays only if an error or the budget ended the run after something was kept.
        called: a part of the temporary file's name.
        spent: the count of the questions sent in the run; its attribute `kept` is set to the path of the file.

    Raises:
        FileError: the file cannot be read or written, or another run is writing to it.
        ValueError: the file belongs to another run, or has a damaged line.
    """

    def __init__(self, path: PathName | None, called: str, spent: Spent) -> None:
        super().__init__(None if path is None else Path(path), called)
        self._is_temporary, self._spent = path is None, spent
        spent.kept = str(self.path)
        try:
            lines = self.lines()
            self._read(lines)
            self.end_at(max((line.end for line in lines if not line.is_cut), default=0))
        except BaseException:
            self.close()
            raise

    @abstractmethod
    def _read(self, lines: Sequence[Line]) -> None:
        """Take what the file holds already; raises ValueError if it cannot be continued."""

    @abstractmethod
    def _kept(self) -> str:
        """Return what the file has kept for a later run, for an error; "" if nothing."""

    def __exit__(self, *raised: object) -> None:
        self.close()
        if isinstance(raised[1], BaseException) and (kept := self._kept()):
            raised[1].add_note(kept)
        elif self._is_temporary and not (self._spent.cut and self._kept()):
            self.path.unlink()


class AnswerFile(KeptFile):
    """A file of answers, which are counted in `record`; its first line has `asked`: the game, its hands, and the agents.

    A file with answers is refused if `unnamed`, the text kept for a nameless agent, is not empty. `models` has settings of `TextAgent`s.
    """

    def __init__(
        self,
        path: PathName | None,
        asked: Mapping[str, object],
        record: Tally,
        spent: Spent,
        unnamed: str = "",
        models: Sequence[Mapping[str, object]] = (),
    ) -> None:
        self._asked, self._record, self._unnamed = {"version": VERSION, **asked}, record, unnamed
        super().__init__(path, "answers", spent)
        if not self.path.stat().st_size:
            self.add(self._asked | {"about": about_run("relance.words.score", models=models)})

    def _read(self, lines: Sequence[Line]) -> None:
        for line in lines:
            if not (line.is_cut or isinstance(line.item, dict)):
                said = short(line.data.decode(errors="replace"))
                raise ValueError(f"{self.path}, line {line.number} is not an answer: {said}")
        if not lines:
            return
        first = lines[0].item or {}
        if "version" not in first:
            raise ValueError(f"{self.path} is not a file of answers: its first line has no `version`")
        for key, value in self._asked.items():
            if first.get(key) != value:
                has = f"has answers for {key}={first.get(key)!r:.300}, not for {key}={value!r:.300}"
                raise ValueError(f"{self.path} {has}; give another file")
        if self._unnamed and len(lines) > 1:
            only = f"without a name of its own, kept as {self._unnamed!r}"
            say = f"if it is the same agent, give name={self._unnamed!r}; else give another file"
            raise ValueError(f"{self.path} has answers of an agent {only}; {say}")
        for line in lines:
            known = KEYS if line.number > lines[0].number else (*self._asked, "about")
            if unknown := [key for key in line.item or () if key not in known]:
                raise ValueError(f"{self.path}, line {line.number} has unknown keys: {', '.join(map(short, unknown))}")
        self._record.read({line.number: line.item for line in lines[1:] if not line.is_cut}, str(self.path))

    def _kept(self) -> str:
        named = f" and name={self._unnamed!r}" * bool(self._unnamed)
        continues = f"are kept in {self.path}; the same call with this file of answers{named} continues from there"
        return f"{self._record.count:,} answers {continues}" if self._record.count else ""


class LogWriter(KeptFile):
    """A log of games, all of one game. `rows` are the rows that the file held when it was opened; they stay in it."""

    def __init__(self, path: PathName | None, game: Game, spent: Spent | None = None) -> None:
        self._game, self._written = game, False
        super().__init__(path, "match", spent or Spent())

    def _read(self, lines: Sequence[Line]) -> None:
        log = parse_rows(parsed_lines(lines), self._game)
        for fault in log.faults:
            if fault.kind != UNFINISHED:
                raise ValueError(f"{self.path} cannot be continued as a log of {self._game}: {fault}")
        self.rows = log.rows

    def write(self, *rows: LogRow) -> None:
        """Write these rows to the file at once, one a line."""
        self.add(*map(LogRow.to_dict, rows))
        self._written |= bool(rows)

    def _kept(self) -> str:
        kept = f"what was played is kept in {self.path}; the same match with this log continues from there"
        return kept if self._written else ""
