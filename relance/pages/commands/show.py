"""A game and its published strategies: `relance show`."""

from __future__ import annotations

from typing import Annotated

import typer

from relance.pages.commands.shared import GAME, command, console_of, pairs, progress_bar, typed_game


@command(
    "relance show one_card_poker",
    "relance show one_card_poker --family alpha=1/4",
    "relance show bellman_blackwell --as-printed",
)
def show(
    game: GAME,
    as_printed: Annotated[
        bool, typer.Option("--as-printed", help="Where the paper has a misprint, show the strategies uncorrected.")
    ] = False,
    family: Annotated[
        list[str] | None, typer.Option(help="A free parameter of the published family: name=value; may be repeated.")
    ] = None,
) -> None:
    """Show a game: its rules, the published strategies, their value and NashConv, and the source."""
    from relance.pages.commands import terminal as report

    with progress_bar("nothing is shown") as progress:
        progress.add_task("computing", total=None)
        lines = report.about_game(typed_game(game), as_printed, pairs("--family", family or ()))
    for line in lines:
        console_of().print(line, markup=False, highlight=False, soft_wrap=True)
