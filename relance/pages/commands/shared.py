"""Shared parts of the commands: consoles, a progress bar, files, and what may be typed."""

from __future__ import annotations

import atexit
import json
import math
import os
import shutil
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import typer

from relance.model.files import SaveWarning, UnsavedWarning, check_folder, check_writable, write_text
from relance.model.provenance import about_run

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

COLUMNS = shutil.get_terminal_size().columns

SETTINGS: dict[str, Any] = {
    "pretty_exceptions_enable": False,
    "rich_markup_mode": None,
    "context_settings": {"help_option_names": ["-h", "--help"], "terminal_width": min(COLUMNS, 100)},
}
"""How every command shows its help and its errors: as plain text, which needs neither frames nor the import of rich."""


def check_paths(options: Mapping[str, object]) -> None:
    """Raise ValueError if two arguments name one file, since what one writes there would replace what the other needs."""
    names: dict[Path, str] = {}
    for name, value in options.items():
        given = {path.resolve() for path in (value if isinstance(value, list) else [value]) if isinstance(path, Path)}
        for path in given - {Path("-").resolve()}:
            if (other := names.setdefault(path, name)) != name:
                raise ValueError(
                    f"{path} is given twice, as {other} and as {name}; each needs a file or folder of its own"
                )


def pairs(option: str, texts: Sequence[str]) -> dict[str, str]:
    """The values of an option such as `--set name=value`, by name."""
    for text in texts:
        if "=" not in text:
            raise ValueError(f"{option} {text} must be name=value")
    return {name.strip(): value.strip() for name, _, value in (text.partition("=") for text in texts)}


def add_here() -> None:
    """Make modules in the current folder importable, after the installed ones."""
    with suppress(OSError):
        here = str(Path.cwd())
        if here not in sys.path:
            sys.path.append(here)


def whole_number(text: str) -> int:
    """Read a whole number such as 100000 or 1e5."""
    try:
        return int(text)
    except ValueError:
        with suppress(ValueError, OverflowError):
            if float(text).is_integer():
                return int(float(text))
    raise typer.BadParameter(f"{text!r} is not a whole number, such as 100000 or 1e5")


def beside(path: Path | None) -> TextIO:
    """The stream for messages: standard error if the result goes to standard output (`path` is -), else standard output."""
    return sys.stderr if str(path) == "-" else sys.stdout


def terminal_columns(stream: TextIO) -> int:
    """The number of columns of the terminal; in a pipe, enough for a table."""
    return shutil.get_terminal_size().columns if stream.isatty() else 140


def console_of(path: Path | None = None) -> Console:
    """Return a console for messages: on standard error if the result goes to standard output (`path` is -), else on standard output."""
    from rich.console import Console

    stream = beside(path)
    # fractions are of one colour
    return Console(file=stream, width=terminal_columns(stream), height=24, highlight=False, emoji=False)


def open_streams() -> None:
    """Replace each standard stream that the shell has closed, as `>&-` does, by one that writes and reads nothing."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - to the end


def stop_once() -> None:
    """Treat SIGTERM, with which Slurm and containers end a program, like Ctrl-C: what was done is saved.

    Of the signals within a second only the first counts: pressing again, or `timeout`, which signals twice, does not interrupt saving.
    """
    last = -math.inf

    def stop(number: int, frame: object) -> None:
        nonlocal last
        before, last = last, time.monotonic()
        if last - before > 1:
            raise KeyboardInterrupt

    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, stop)
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # a shell's job in the background ignores it
            signal.signal(signal.SIGINT, stop)
        atexit.register(_ignore_from_now, stop)


def _ignore_from_now(stop: Callable[[int, Any], object]) -> None:
    """Ignore the signals that `stop` handles: Python drops its handlers as it ends, and the next signal would kill it, with its status."""
    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) is stop:
            signal.signal(number, signal.SIG_IGN)


@contextmanager
def unsaved_work() -> Iterator[None]:
    """A context that prints each failure to save as a line, and ends with status 2 if something is unsaved at the end."""
    with warnings.catch_warnings():
        shown, last = warnings.showwarning, False

        def say(message: Any, category: type[Warning], *where: Any, **more: Any) -> None:
            nonlocal last
            last |= issubclass(category, UnsavedWarning)
            if issubclass(category, SaveWarning):
                print(f"relance: {message}", file=sys.stderr)
            else:
                shown(message, category, *where, **more)

        warnings.simplefilter("always", SaveWarning)
        warnings.showwarning = say
        try:
            yield
        except SystemExit as end:
            if last and not end.code:
                sys.exit(2)
            raise


_open: list[Progress] = []


@contextmanager
def progress_bar(kept: str = "no results were written") -> Iterator[Progress]:
    """Yield a progress bar, shown on standard error if that is a terminal; inside another `progress_bar`, yield the same bar.

    After Ctrl-C, print the notes of the KeyboardInterrupt, which say what was kept; if it has no notes, print `kept`.
    """
    if _open:
        yield _open[0]
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    try:
        with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
            _open.append(progress)
            yield progress
    except KeyboardInterrupt as stop:
        console.print("; ".join(["stopped", *getattr(stop, "__notes__", [kept])]), soft_wrap=True)
        raise
    finally:
        _open.clear()


def check_file(path: Path, option: str, or_stdout: bool = False, is_folder: bool = False) -> None:
    """Raise ValueError, before anything is computed, if this file, or a file in this folder, cannot be written."""
    if is_folder:
        check_folder(path)
    elif str(path) != "-":
        check_writable(path)
    elif not or_stdout:
        raise ValueError(f"{option} must be the name of a file, not - (standard output)")


def write(path: Path, text: str) -> None:
    """Write a text to a file; the path - is standard output."""
    if str(path) == "-":
        sys.stdout.write(text)
    else:
        write_text(path, text)


_run: dict[str, Any] = {}


def remember_run(**told: Any) -> None:
    """Remember this run for `about_this_run`: the `command` as typed, the `options` as typed or by default, and the `values` read."""
    _run.update(told)


def about_this_run() -> dict[str, Any]:
    """Return the object `about` of JSON results: game, seed, options, models asked; see `relance.model.provenance.about_run`."""
    options, game = json.loads(json.dumps(_run["options"], default=str)), _run["values"].get("game")
    seed = options.pop("seed", None)
    models = list(_models(list(_run["values"].values()), game))
    told = {"game": game and str(game), "seed": seed, "options": options} | ({"models": models} if models else {})
    return about_run(_run["command"], **told)


def _models(value: Any, game: Any) -> Iterator[dict[str, Any]]:
    """What each model in these values says of itself."""
    if isinstance(value, (list, tuple)):
        for one in value:
            yield from _models(one, game)
    elif hasattr(value, "settings_in"):  # a `TextAgent`, which is not imported for other commands
        yield value.settings_in(game)


def write_result(path: Path | None, data: Mapping[str, Any]) -> None:
    """Write a result as JSON, with its origin under "about"; nothing if `path` is None."""
    if path is not None:
        write_json(path, {"about": about_this_run(), **data})


def write_json(path: Path | None, data: Any) -> None:
    """Write data to a file as JSON; nothing if `path` is None."""
    if path is not None:
        write(path, json.dumps(data, indent=1, ensure_ascii=False) + "\n")


def show_result(result: Any, json_file: Path | None) -> None:
    """Print a result, and then write its `as_dict()` as JSON; it is printed first, as the disk may be full."""
    print(result, file=beside(json_file))
    write_result(json_file, result.as_dict())
