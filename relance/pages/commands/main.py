"""The command line: `relance --help`.

A command is a function that `command` decorates, in this folder or in a folder below it. The docstring of the folder's package is the
command's heading in the help. `commands.json`, which `make numbers` writes, holds the heading, module and summary of each command, so
that the help imports no command, and a call imports one.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from itertools import groupby, pairwise
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from relance.model.renamed import now_called
from relance.pages.commands.shared import SETTINGS, open_streams, remember_run, stop_once, unsaved_work

TABLE = Path(__file__).with_name("commands.json")
"""The file with {name of a command: (heading in the help, module, summary in a line)}."""


class Imported(Mapping[str, Any]):
    """The commands by name, each imported when it is asked for."""

    def __init__(self) -> None:
        self.known: dict[str, tuple[str, str, str]] = json.loads(TABLE.read_text(encoding="utf-8"))

    def __getitem__(self, name: str) -> Any:
        found = typer.main.get_command(getattr(import_module(self.known[name][1]), name.replace("-", "_")))
        found.name = name
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self.known)

    def __len__(self) -> int:
        return len(self.known)


def command_table() -> dict[str, tuple[str, str, str]]:
    """Import all modules of commands; return {command: (heading in the help, module, summary)}, the commands of this folder first."""
    top, first = Path(__file__).parents[3], import_module(str(__package__)).__doc__
    found: dict[str, tuple[str, str, str]] = {}
    for path in Path(__file__).parent.rglob("*.py"):
        module = import_module(".".join(path.relative_to(top).with_suffix("").parts))
        heading = str(import_module(module.__name__.rpartition(".")[0]).__doc__)
        for name, made in vars(module).items():
            if isinstance(made, typer.Typer) and name != "app":
                summary = re.split(r"[.:]\s", (typer.main.get_command(made).help or "") + "\n")[0] + "."
                found[name.replace("_", "-")] = heading, module.__name__, summary
    return dict(sorted(found.items(), key=lambda item: (item[1][0] != first, item[1][0], item[0])))


class _Group(TyperGroup):
    """The commands of `relance`."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.found = Imported()
        self.commands = self.found  # type: ignore[assignment]  # nothing is added to it

    def list_commands(self, ctx: Any) -> list[str]:
        """The names of the commands."""
        return list(self.found)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """A command as the help lists it."""
        return TyperCommand(cmd_name, help=self.found.known[cmd_name][2]) if cmd_name in self.found.known else None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that was called, imported."""
        remember_run(command=shlex.join(["relance", *args]))
        name, listed, rest = super().resolve_command(ctx, args)
        return name, listed if name is None else self.found[name], rest

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """The commands under the headings of their folders."""
        for heading, commands in groupby(self.found.known.items(), lambda item: item[1][0]):
            with formatter.section(heading):
                formatter.write_dl([(name, summary) for name, (_, _, summary) in commands])


app = typer.Typer(cls=_Group, no_args_is_help=True, **SETTINGS)


def _version(wanted: bool) -> None:
    if wanted:
        from relance.pages.commands.versions import versions

        print(versions())
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_version,
            is_eager=True,
            help="Show the versions that a report of a bug needs, and exit.",
        ),
    ] = False,
) -> None:
    """Prove, solve, train, score and play games of bluffing whose equilibria are known exactly."""


def command_line() -> None:
    """Run the command line. An error is one line on standard error and status 2; Ctrl-C and SIGTERM are status 130.

    If the reader of the output stops, as in `relance show GAME | head -3`, the program ends without a message, with status 1.
    """
    open_streams()
    stop_once()
    try:
        try:
            for before, word in pairwise(sys.argv):
                if hint := now_called("picture" if before == "plot" else "option", word.partition("=")[0]):
                    raise ValueError(f"there is no {word}{hint}")
            with unsaved_work():
                app()
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except (ValueError, TypeError, ImportError, ArithmeticError, OSError, RecursionError, MemoryError) as error:
        print(f"relance: {_line(error)}", file=sys.stderr)
        sys.exit(2)


def _line(error: Exception) -> str:
    """The message for an error, in one line."""
    if isinstance(error, MemoryError):
        return "this machine does not have enough memory"
    if isinstance(error, RecursionError):
        return "a file or an argument is nested too deeply"
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return " ".join("; ".join([str(error), *getattr(error, "__notes__", [])]).split())


if __name__ == "__main__":
    command_line()
