"""A game as text, for people and for other programs: `relance show` and `relance export`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from relance.model.game import Game
from relance.model.game_tree import GameTree
from relance.pages.commands.generator import command
from relance.pages.commands.progress import called
from relance.pages.commands.shared import write
from relance.pages.commands.terminal import about_game
from relance.pages.commands.typed import WrittenPath
from relance.registration.efg import to_efg


@command()
def show(game: Game, as_printed: bool = False, family: Mapping[str, str] | None = None) -> None:
    """Show a game: its rules, the published strategies, their value and NashConv, and the source.

    Args:
        as_printed: where the paper has a misprint, show the strategies uncorrected.

    Examples:
        relance show one_card_poker
        relance show one_card_poker --family alpha=1/4
        relance show bellman_blackwell --as-printed
    """
    print(*called(about_game, game, as_printed, family or {}, kept="nothing is shown"), sep="\n")


@command(to_efg)
def export(
    game: Game | GameTree,
    output: Annotated[Path, "--output", "-o", WrittenPath(or_stdout=True)] = Path("-"),
    **options: Any,
) -> None:
    """Write a finite game as a Gambit .efg file, for pygambit and OpenSpiel's load_efg_game.

    Args:
        output: the file to write; standard output by default.

    Examples:
        relance export 'von_neumann(bet=2,hands=9)' -o von_neumann.efg
    """
    write(output, called(to_efg, game, kept=f"{output} is as it was", **options))
