"""An interactive page in the browser: `relance explore`."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from relance.pages.commands.shared import command, complete_games, console_of, known


@command("relance explore 'von_neumann(bet=3)'", "relance explore --no-browser --port 8080")
def explore(
    game: Annotated[
        str | None,
        typer.Argument(
            help="The game to start with, such as 'von_neumann(bet=3)'; the page offers the others.",
            autocompletion=complete_games,
        ),
    ] = None,
    port: Annotated[
        int, typer.Option(help="The port of the page on this machine; 0 takes any free one.", min=0, max=65535)
    ] = 2718,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in the browser.")] = True,
) -> None:
    """Explore a game in the browser: change its parameters, or move a strategy away from equilibrium, and see each player's exact gain.

    The page is served on this machine only and needs no network. Ctrl-C stops it.
    """
    import webbrowser

    from relance.pages.explore.position import opened

    if game is not None:
        game = known(game)
        opened(game)
    from relance.pages.explore.serve import address, bound, serve

    listening = bound(port)
    page = address(listening, game)
    console_of().print(f"the explorer is at {page} until Ctrl-C", markup=False, highlight=False, soft_wrap=True)
    try:
        serve(listening, game, lambda: webbrowser.open(page) if browser else None)
    except KeyboardInterrupt:
        sys.stdout.flush()
        os._exit(130)  # marimo's threads never end, and nothing is left to write
