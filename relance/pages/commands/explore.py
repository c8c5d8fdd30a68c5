"""An interactive page in the browser: `relance explore`."""

from __future__ import annotations

import os
import sys
from typing import Annotated

from relance.pages.commands.agents import NAMED_GAME
from relance.pages.commands.generator import command


@command()
def explore(game: Annotated[str | None, NAMED_GAME] = None, /, port: int = 2718, browser: bool = True) -> None:
    """Explore a game in the browser: change its parameters, or move a strategy away from equilibrium, and see each player's exact gain.

    The page is served on this machine only and needs no network. Ctrl-C stops it.

    Args:
        game: the game to start with, such as 'von_neumann(bet=3)'; the page offers the others.
        port: the port of the page on this machine; 0 takes any free one.
        browser: open the page in the browser.

    Examples:
        relance explore 'von_neumann(bet=3)'
        relance explore --no-browser --port 8080
    """
    import webbrowser

    from relance.pages.explore.position import opened

    if game is not None:
        opened(game)
    from relance.pages.explore.serve import address, bound, serve

    listening = bound(port)
    page = address(listening, game)
    print(f"the explorer is at {page} until Ctrl-C", flush=True)
    try:
        serve(listening, game, lambda: webbrowser.open(page) if browser else None)
    except KeyboardInterrupt:
        sys.stdout.flush()
        os._exit(130)  # marimo's threads never end, and nothing is left to write
