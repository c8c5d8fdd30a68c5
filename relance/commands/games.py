"""The games in a list: `relance games`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from itertools import zip_longest
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Annotated

import typer

from relance.commands.shared import check_file, command, terminal_columns, write

if TYPE_CHECKING:
    from relance.model.blueprint import Blueprint


WIDE = 100
"""The fewest columns in which games are listed as a table."""


def game_lines(specs: Iterable[Blueprint], width: int) -> Iterator[str]:
    """The games with their parameters and sources: a table, or in narrow terminals one below the other; rich would take longer to load."""
    rows = [
        (spec.name, ", ".join(f"{name}={p.text(p.default)}" for name, p in spec.parameters.items()), str(spec.source))
        for spec in specs
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
    from relance.envs import BLUEPRINTS

    check_file(json_file, "--json", or_stdout=True)
    if json_file is None:
        typer.echo("\n".join(game_lines(BLUEPRINTS.values(), terminal_columns())))
        return
    rows = [
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
    write(json_file, json.dumps(rows, indent=1, ensure_ascii=False) + "\n")
