"""Games for other programs: `relance export`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from relance.pages.commands.shared import ANY_GAME, check_file, command, progress_bar, typed_game, write


@command("relance export 'von_neumann(bet=2,hands=9)' -o von_neumann.efg")
def export(
    game: ANY_GAME,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The file to write; standard output by default.")
    ] = Path("-"),
) -> None:
    """Write a finite game as a Gambit .efg file, for pygambit and OpenSpiel's load_efg_game."""
    from relance.pages.commands.game_trees import typed_tree
    from relance.registration.efg import to_efg
    from relance.registration.efg_file import write_efg

    check_file(output, or_stdout=True)
    if (tree := typed_tree(game)) is not None:
        write(output, write_efg(tree))
        return
    made = typed_game(game)
    with progress_bar(f"{output} is as it was") as progress:
        progress.add_task("writing", total=None)
        text = to_efg(made)
    write(output, text)
