"""The leaderboard of learners: `relance leaderboard`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from relance.baselines.boards import gathered
from relance.model.arguments import Count
from relance.pages.commands.agents import IMPORTED, NAMED_GAME
from relance.pages.commands.generator import command
from relance.pages.commands.progress import called
from relance.pages.commands.shared import progress_bar
from relance.pages.commands.typed import WrittenPath
from relance.pages.leaderboard import on_games, write_leaderboard
from relance.pages.submissions import RowCheck, elsewhere


@command(write_leaderboard)
def leaderboard(
    results: list[Path],
    /,
    *,
    output: Annotated[Path, "--output", "-o", WrittenPath()],
    check: Count | None = None,
    modules: IMPORTED = (),
    games: Annotated[Sequence[str], NAMED_GAME] = (),
    **options: Any,
) -> None:
    """Make the leaderboard from the results of sweeps: a page of NashConv after fixed budgets, with pictures.

    With --check, a row whose scores cannot be reproduced ends the command with status 1, and nothing is written. Early scores must be
    the same; later scores, which differ from processor to processor, must be near those of other seeds.

    Args:
        check: first reproduce the scores of each row up to this many samples, and say which differ.
        modules: a module of your own to import first, whose algorithm made a row.

    Examples:
        relance leaderboard results.jsonl -o leaderboard.md
    """
    if check is not None and not _are_right(results, games, check):
        raise typer.Exit(1)
    page, *others = called(write_leaderboard, results, output, games=games, kept="nothing was written", **options)
    pictures = [path for path in others if path.suffix == ".svg"]
    print(page, *(path for path in others if path not in pictures), sep="\n")
    if pictures:
        print(f"{len(pictures)} pictures {pictures[0].parent / page.stem}-*.svg")


def _are_right(results: list[Path], games: Sequence[str], most: int) -> bool:
    """Make each row again up to so many samples, and say at once what is wrong with it; return True if nothing is."""
    rows, right = on_games(gathered(results), games), True
    with progress_bar("no page was written") as progress:
        task = progress.add_task("rows made again", total=len(rows))
        number = 0

        def tick(share: float, what: str) -> None:
            progress.update(task, completed=number + min(share, 1), description=what)

        check = RowCheck(most, tick)
        for number, row in enumerate(rows):
            faults = check.faults(row)
            what = f"{number + 1}/{len(rows)} {row['algorithm']} on {row['game']}, seed {row['seed']}"
            if faults:
                right = False
                print(*(f"{what}: {fault}" for fault in faults), sep="\n")
                if other := elsewhere(row):
                    print(f"{what}: made with {other}")
            else:
                print(f"{what}: the scores are the same again", file=sys.stderr)
    return right
