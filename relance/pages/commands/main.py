"""The command line: `relance --help`.

A command is a file of its name, in this folder or in the folder of a slice below it. It is read for its line in that help, and
imported when it is called. The docstring of its folder is its heading.
"""

from __future__ import annotations

import ast
import os
import re
import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from relance.pages.commands.shared import SETTINGS, stop_once

HOUSE, HERE = Path(__file__).parents[2], Path(__file__).parent


def command_files() -> dict[str, Path]:
    """The file of each command by its name, the core's first: each file with a function of its own name that `command` decorates."""
    folders = sorted((file.parent for file in HERE.glob("*/__init__.py")), key=_heading)
    return {
        path.stem.replace("_", "-"): path
        for folder in (HERE, *folders)
        for path in sorted(folder.glob("*.py"))
        if re.search(r"^@command\b", path.read_text(encoding="utf-8"), re.MULTILINE)
    }


def _heading(folder: Path) -> str:
    """The heading under which the help lists the commands of a folder."""
    return ast.get_docstring(_parsed(folder / "__init__.py")) or folder.name


def _summary(path: Path) -> str:
    """What a command does in a line: the head of its function's docstring, up to the first colon or full stop."""
    functions = (node for node in _parsed(path).body if isinstance(node, ast.FunctionDef) and node.name == path.stem)
    return re.split(r"[.:]\s", (ast.get_docstring(next(functions)) or "") + "\n")[0] + "."


def _parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


class Imported(Mapping[str, Any]):
    """The commands by name, each imported when it is asked for."""

    def __init__(self) -> None:
        self.files = command_files()

    def __getitem__(self, name: str) -> Any:
        path = self.files[name]
        module = import_module(".".join(path.relative_to(HOUSE.parent).with_suffix("").parts))
        found = typer.main.get_command(getattr(module, path.stem))
        found.name = name
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self.files)

    def __len__(self) -> int:
        return len(self.files)


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
        path = self.found.files.get(cmd_name)
        return path and TyperCommand(cmd_name, help=_summary(path))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that was called, imported."""
        name, listed, rest = super().resolve_command(ctx, args)
        return name, listed if name is None else self.found[name], rest

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """The commands under the headings of their folders."""
        for title in dict.fromkeys(_heading(path.parent) for path in self.found.files.values()):
            mine = [(name, path) for name, path in self.found.files.items() if _heading(path.parent) == title]
            with formatter.section(title):
                formatter.write_dl([(name, _summary(path)) for name, path in mine])


app = typer.Typer(
    cls=_Group,
    help="Solved poker models: their published equilibria verified exactly, and played in OpenSpiel, PettingZoo and Gymnasium.",
    no_args_is_help=True,
    **SETTINGS,
)


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
    """Options of `relance` itself."""


def command_line() -> None:
    """Run the command line. An error is one line on standard error and status 2; Ctrl-C and SIGTERM are status 130.

    Where nobody reads on, as in `relance show GAME | head -3`, it ends without a word and with status 1.
    """
    stop_once()
    try:
        try:
            app()
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except (ValueError, TypeError, ImportError, ArithmeticError, OSError, RecursionError, MemoryError) as error:
        from rich.console import Console

        Console(stderr=True, highlight=False).print(f"relance: {_line(error)}", markup=False, soft_wrap=True)
        sys.exit(2)


def _line(error: Exception) -> str:
    """The message for an error, in one line."""
    if isinstance(error, MemoryError):
        return "the memory of this machine is not enough"
    if isinstance(error, RecursionError):
        return "something that was given is nested too deeply"
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return " ".join("; ".join([str(error), *getattr(error, "__notes__", [])]).split())


if __name__ == "__main__":
    command_line()
