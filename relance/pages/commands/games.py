"""The games in a list: `relance games`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from importlib import resources
from itertools import zip_longest
from textwrap import wrap
from typing import Any

import typer

from relance.pages.commands.generator import command
from relance.pages.commands.shared import terminal_columns, write
from relance.pages.commands.typed import JSON


def game_lines(games: Iterable[Mapping[str, Any]], width: int) -> Iterator[str]:
    """The games with their parameters and sources: a table, or in narrow terminals one below the other; rich would take longer to load."""
    rows = [
        (
            game["name"],
            ", ".join(f"{name}={about['default']}" for name, about in game["parameters"].items()),
            "{authors} ({year}), {title}. {where}".format_map(game["source"]),
        )
        for game in games
    ]
    if width < 100:
        for name, *rest in rows:
            yield typer.style(name, bold=True)
            yield from (
                line for text in rest for line in wrap(text, width, initial_indent="  ", subsequent_indent="  ")
            )
        return
    longest = max(len(name) for name, *_ in rows)
    half = (width - longest - 2) // 2
    yield typer.style(f"{'game':<{longest}} {'parameters':<{half}} source", bold=True)
    for name, *rest in rows:
        cells = zip_longest([name], *(wrap(text, half - 1) for text in rest), fillvalue="")
        yield from (f"{start:<{longest}} {left:<{half}} {right}".rstrip() for start, left, right in cells)


@command()
def games(json_file: JSON = None) -> None:
    """List the games with their parameters and sources.

    Examples:
        relance games
        relance games --json -
    """
    # importing the games takes longer
    text = resources.files("relance").joinpath("envs/games.json").read_text(encoding="utf-8")
    if json_file is None:
        typer.echo("\n".join(game_lines(json.loads(text), terminal_columns(sys.stdout))))
    else:
        write(json_file, text)
