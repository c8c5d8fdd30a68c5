"""Shared parts of the commands: how to make one, examples in the help, completion, consoles, a progress bar, files."""

from __future__ import annotations

import atexit
import math
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from relance.model.files import check_writable, write_text

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

    from relance.model.game import Game

COLUMNS = shutil.get_terminal_size().columns

SETTINGS: dict[str, Any] = {
    "pretty_exceptions_enable": False,
    "rich_markup_mode": None,
    "context_settings": {"help_option_names": ["-h", "--help"], "terminal_width": min(COLUMNS, 100)},
}
"""How every command shows its help and its errors: as plain text, which needs neither frames nor the import of rich."""


def command(
    *lines: str, cls: type[TyperCommand] | None = None, group: bool = False
) -> Callable[[Callable[..., None]], typer.Typer]:
    """Make a command of a function, with examples at the end of its help; or a group, to which commands are then added."""

    def made(function: Callable[..., None]) -> typer.Typer:
        alone = typer.Typer(add_completion=False, no_args_is_help=group, epilog=examples(*lines), **SETTINGS)

        @wraps(function)
        def run(*arguments: Any, **options: Any) -> None:
            _check_paths(options)
            try:
                function(*arguments, **options)
            except SystemExit as end:  # an agent or a module of the user's: `relance` would end as if all were well
                if isinstance(end.__context__, BrokenPipeError):  # rich: who reads the pipe has enough
                    raise
                raise ValueError(f"an agent or a module called sys.exit({end.code!r})") from end

        alone.callback()(function) if group else alone.command(epilog=examples(*lines), cls=cls)(run)
        return alone

    return made


def _check_paths(options: Mapping[str, object]) -> None:
    """Raise ValueError if two arguments name one file, since what one writes there would replace what the other needs."""
    names: dict[Path, str] = {}
    for name, value in options.items():
        given = {path.resolve() for path in (value if isinstance(value, list) else [value]) if isinstance(path, Path)}
        for path in given - {Path("-").resolve()}:
            if (other := names.setdefault(path, name)) != name:
                raise ValueError(
                    f"{path} is given twice, as {other} and as {name}; each needs a file or folder of its own"
                )


def examples(*lines: str) -> str:
    """The end of a command's help."""
    return "\n\n".join((f"Example{'s' * (len(lines) > 1)}:", *lines))


def pairs(option: str, texts: Sequence[str]) -> dict[str, str]:
    """The values of an option such as `--set name=value`, by name."""
    for text in texts:
        if "=" not in text:
            raise ValueError(f"{option} {text} must be name=value")
    return {name.strip(): value.strip() for name, _, value in (text.partition("=") for text in texts)}


def complete_games() -> list[tuple[str, str]]:
    """The games, for shell completion."""
    from relance.envs.catalogue import BLUEPRINTS

    return [(name, spec.title) for name, spec in BLUEPRINTS.items()]


def complete_opponents() -> list[tuple[str, str]]:
    """The opponents, for shell completion."""
    from relance.play.opponents import OPPONENTS

    return [*((name, entry.doc) for name, entry in OPPONENTS.items()), ("solved", "an equilibrium, solved first")]


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


GAME = Annotated[
    str,
    typer.Argument(
        help="A game with parameters, such as 'von_neumann(bet=2,hands=9)', or the import path module:NAME of your own Blueprint.",
        autocompletion=complete_games,
    ),
]

ANY_GAME = Annotated[
    str,
    typer.Argument(
        help="A game of Relance, such as 'von_neumann(bet=2,hands=9)' or module:NAME of your own Blueprint; openspiel:NAME, a game of "
        "OpenSpiel; or a Gambit file, FILE.efg.",
        autocompletion=complete_games,
    ),
]


def known(text: str) -> str:
    """The game that a user typed, by its registered name; a game of their own, `module:NAME`, is registered first."""
    from relance.registration.own_games import own

    add_here()
    return own(text)


def typed_game(text: str) -> Game:
    """The game that a user typed."""
    from relance.envs.catalogue import make

    return make(known(text))


def terminal_columns(stderr: bool = False) -> int:
    """The columns of the terminal; in a pipe, enough for a table."""
    stream = sys.stderr if stderr else sys.stdout
    return shutil.get_terminal_size().columns if stream.isatty() else 140


def console_of(stderr: bool = False) -> Console:
    """A console of so many columns."""
    from rich.console import Console

    # fractions are of one colour
    return Console(stderr=stderr, width=terminal_columns(stderr), height=24, highlight=False, emoji=False)


def stop_once() -> None:
    """Treat SIGTERM, with which Slurm and containers end a program, like Ctrl-C: what was done is saved.

    Either counts once a second, so that pressing again, or `timeout`, which signals twice, does not break into what is being saved.
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
def progress_bar(kept: str = "no results were written") -> Iterator[Progress]:
    """A progress bar on a terminal, nothing in a pipe, both on standard error. After Ctrl-C, a line says what was kept."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    try:
        with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
            yield progress
    except KeyboardInterrupt as stop:
        console.print("; ".join(["stopped", *getattr(stop, "__notes__", [kept])]), soft_wrap=True)
        raise


def solving(progress: Progress, text: str) -> Callable[[int, float], None]:
    """Add a line to a progress bar, and return the callback by which `relance.solve` updates it."""
    task = progress.add_task(text, total=None)
    return lambda iteration, left: progress.update(
        task, description=f"solving: iteration {iteration}, exploitability {left:.1e}"
    )


def asking(progress: Progress) -> Callable[[int, int], None]:
    """Add a line to a progress bar, and return the callback by which `relance.score` updates it as answers come in."""
    task = progress.add_task("asking", total=None)
    return lambda done, total: progress.update(task, completed=done, total=total)


def check_file(path: Path | None, option: str = "--output", or_stdout: bool = False) -> None:
    """Raise ValueError, before anything is computed, if this file cannot be written. No file is fine."""
    if path is None or (or_stdout and str(path) == "-"):
        return
    if str(path) == "-":
        raise ValueError(f"{option} must be the name of a file")
    check_writable(path)


def write(path: Path, text: str) -> None:
    """Write a file; - is standard output."""
    if str(path) == "-":
        sys.stdout.write(text)
        return
    write_text(path, text)
