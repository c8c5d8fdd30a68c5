"""What the commands share: the application, consoles, a progress bar, writing files."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

app = typer.Typer(
    help="Solved poker models: their published equilibria verified exactly, and played in OpenSpiel, PettingZoo and Gymnasium.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


GAME = Annotated[str, typer.Argument(help="A game with parameters, such as 'von_neumann(bet=2,hands=9)'.")]


def console_of(stderr: bool = False) -> Console:
    """As wide as the terminal; in a pipe wide enough for a table."""
    stream = sys.stderr if stderr else sys.stdout
    return Console(stderr=stderr, width=None if stream.isatty() else 140)


@contextmanager
def progress_bar(console: Console, kept: str = "no results were written") -> Iterator[Progress]:
    """A bar on the terminal, nothing in a pipe; Ctrl-C ends it with a line that says what is kept."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    try:
        with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
            yield progress
    except KeyboardInterrupt:
        console.print(f"stopped; {kept}", soft_wrap=True)
        raise


def write(path: Path, text: str) -> None:
    """Write a file; - is standard output."""
    if str(path) == "-":
        sys.stdout.write(text)
        return
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise ValueError(f"{path} cannot be written: {error.strerror}") from None
