"""Gives bad inputs to the package, and says what became of each: refused, accepted, a traceback, or a hang."""

from __future__ import annotations

import contextlib
import io
import json
import signal
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from dis import opname
from pathlib import Path
from typing import Any
from unittest import mock

from gymnasium.error import Error as GymnasiumError

DOCUMENTED = (ValueError, TypeError, ImportError, ArithmeticError, OSError, RuntimeError, GymnasiumError)
"""The errors that the package names in its docstrings, and Gymnasium's own; `Batch.deal` also has IndexError."""

RAW = (ZeroDivisionError, OverflowError, FloatingPointError, UnicodeError, json.JSONDecodeError, RecursionError)
"""Kinds of these that nobody documents: they name no input."""

SECONDS = 20
"""An input that takes more time of the processor hangs, and one that takes `WAITED` times as long by the clock."""

WAITED = 15


@dataclass(frozen=True)
class Case:
    """An input.

    Attributes:
        name: where it goes, and what it is.
        run: gives it to the package; it gets an empty folder.
        bad: whether it must be refused; otherwise it may be accepted too.
        place: its round and kind, with which it is found again.
    """

    name: str
    run: Callable[[Path], object]
    bad: bool = True
    place: str = ""


class Hang(BaseException):
    """An input took too long; see `SECONDS`."""


class Traceback(Exception):  # what a user sees
    """The command line ended in something other than a result or a line."""


def command(*arguments: object) -> None:
    """Run `relance` here. A refusal is a ValueError."""
    from relance.pages.commands.main import command_line

    out, error = io.StringIO(), io.StringIO()
    here = (
        mock.patch.object(sys, "argv", ["relance", *map(str, arguments)]),
        mock.patch("sys.stdin", io.TextIOWrapper(io.BytesIO())),
    )
    code: Any = 0
    with here[0], here[1], contextlib.redirect_stdout(out), contextlib.redirect_stderr(error):
        try:
            command_line()
        except SystemExit as end:
            code = end.code
    lines = [line for line in error.getvalue().splitlines() if line.startswith("relance: ")]
    if code == 2 and (len(lines) == 1 or "Usage:" in error.getvalue()):
        raise ValueError(lines[0] if lines else "usage")
    if code not in (0, None):
        raise Traceback(f"status {code}: {error.getvalue()[-300:]}")


@contextlib.contextmanager
def _watched() -> Iterator[None]:
    def stop(number: int, frame: object) -> None:
        raise Hang

    before = {number: signal.signal(number, stop) for number in (signal.SIGPROF, signal.SIGALRM)}
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    signal.alarm(WAITED * SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.alarm(0)
        for number, then in before.items():
            signal.signal(number, then)


def _said(error: BaseException) -> bool:
    """Whether an error was raised on purpose, by a line of the package or of a framework, not by Python itself."""
    last = error.__traceback__
    while last and last.tb_next:
        last = last.tb_next
    assert last is not None
    # The instruction, not the line: the file may have changed since Python read it, which made many false findings.
    by_python = opname[last.tb_frame.f_code.co_code[last.tb_lasti]] != "RAISE_VARARGS"
    if not (by_python and isinstance(error, (TypeError, ValueError))):
        return True
    return "PathLike" in str(error)  # Python says well enough what is no path


def judged(case: Case, folder: Path) -> str:
    """What became of an input: "refused", "fine", "accepted: ...", "traceback: ..." or "hang: ..."."""
    try:
        with _watched():
            case.run(folder)
    except Hang:
        return f"hang: {case.name}"
    except DOCUMENTED as error:
        said = str(error)
        if isinstance(error, RAW) or not said.strip():
            return f"traceback: {case.name}: {type(error).__name__}: {said[:200]}"
        return "refused" if _said(error) else f"raw: {case.name}: {type(error).__name__}: {said[:200]}"
    except IndexError as error:
        return "refused" if "tables must be" in str(error) else f"traceback: {case.name}: {error!r}"
    except Exception as error:
        return f"traceback: {case.name}: {type(error).__name__}: {str(error)[:300]}"
    return f"accepted: {case.name}" if case.bad else "fine"
