"""A game and its published strategies: `relance show`."""

from __future__ import annotations

from collections.abc import Mapping

from relance.model.game import Game
from relance.pages.commands.generator import command
from relance.pages.commands.progress import called
from relance.pages.commands.terminal import about_game


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
