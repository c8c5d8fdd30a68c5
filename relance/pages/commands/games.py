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

from relance.model.numbers import did_you_mean, short
from relance.pages.commands.generator import command
from relance.pages.commands.shared import terminal_columns, write_result
from relance.pages.commands.typed import JSON


def game_lines(games: Iterable[Mapping[str, Any]], width: int) -> Iterator[str]:
    """Yield the games with parameters and sources: a table, or a list in narrow terminals. The library rich, slow to load, is not used."""
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


def about_parameters(game: Mapping[str, Any], width: int) -> Iterator[str]:
    """Lines of text on a game: its title, what its parameters mean, its other names, and its source."""
    yield from (typer.style(game["name"], bold=True), game["title"], "")
    for name, about in game["parameters"].items():
        told = f"{name}={about['default']}  {about['doc']}; {about['allowed']}"
        yield from wrap(told, width, initial_indent="  ", subsequent_indent="      ")
    for alias, fixed in game["aliases"].items():
        made = ",".join(f"{name}={value}" for name, value in fixed.items())
        yield f"\n{alias} is {game['name']}{f'({made})' * bool(made)}"
    yield "\n{authors} ({year}), {title}. {where}".format_map(game["source"])


@command()
def games(name: str = "", /, json_file: JSON = None) -> None:
    """List the games with their parameters and sources; or show one of them.

    Args:
        name: a game to describe; by default all are listed.

    Examples:
        relance games
        relance games kuhn
        relance games --json -
    """
    # importing the games takes longer
    text = resources.files("relance").joinpath("envs/games.json").read_text(encoding="utf-8")
    rows, width = json.loads(text), terminal_columns(sys.stdout)
    if name:
        rows = [row for row in rows if name == row["name"] or name in row["aliases"]]
        if not rows:
            known = [one for row in json.loads(text) for one in (row["name"], *row["aliases"])]
            raise ValueError(f"there is no game {short(name)}" + did_you_mean(name, known))
    if json_file is None:
        typer.echo("\n".join(about_parameters(rows[0], width) if name else game_lines(rows, width)))
    else:
        write_result(json_file, {"games": rows})
