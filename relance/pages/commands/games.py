"""The games in a list: `relance games`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from itertools import zip_longest
from pathlib import Path
from textwrap import wrap
from typing import Annotated, Any

import typer

from relance.pages.commands.shared import check_file, command, terminal_columns, write

LIST = Path(__file__).parents[2] / "envs/games.json"
"""The rows of `game_rows()`, written by `make numbers`; to build the games only to list them takes as long as importing numpy."""

WIDE = 100
"""The fewest columns in which games are listed as a table."""


def game_rows() -> list[dict[str, Any]]:
    """Each game with its parameters and source, as plain data."""
    from relance.envs.catalogue import BLUEPRINTS

    return [
        {
            "name": spec.name,
            "title": spec.title,
            "parameters": {
                name: {"default": kind.text(kind.default), "allowed": kind.allowed, "doc": kind.doc}
                for name, kind in spec.parameters.items()
            },
            "source": asdict(spec.source),
        }
        for spec in BLUEPRINTS.values()
    ]


def list_text(rows: list[dict[str, Any]]) -> str:
    """What `LIST` holds, and `relance games --json` writes."""
    return json.dumps(rows, indent=1, ensure_ascii=False) + "\n"


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
    if width < WIDE:
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


@command("relance games", "relance games --json -")
def games(
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Write the list to this file; - for standard output.")
    ] = None,
) -> None:
    """List the games with their parameters and sources."""
    check_file(json_file, "--json", or_stdout=True)
    text = LIST.read_text(encoding="utf-8")
    if json_file is None:
        typer.echo("\n".join(game_lines(json.loads(text), terminal_columns())))
    else:
        write(json_file, text)
