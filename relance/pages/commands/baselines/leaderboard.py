"""The page of results: `relance leaderboard`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from relance.baselines.boards import gathered
from relance.model.arguments import Count
from relance.pages.commands.agents import IMPORTED
from relance.pages.commands.generator import command
from relance.pages.commands.progress import called
from relance.pages.commands.shared import progress_bar
from relance.pages.commands.typed import WrittenPath
from relance.pages.leaderboard import write_leaderboard
from relance.pages.submissions import faults_of


@command(write_leaderboard)
def leaderboard(
    results: list[Path],
    /,
    *,
    output: Annotated[Path, "--output", "-o", WrittenPath()],
    check: Count | None = None,
    modules: IMPORTED = (),
    **options: Any,
) -> None:
    """Make the leaderboard from the results of sweeps: a page of NashConv after fixed budgets, with pictures.

    With --check, a row that cannot be made again stops the command with status 1, and nothing is written.

    Args:
        check: first make the scores of each row up to this many samples again, and say which differ.
        modules: a module of your own to import first, whose algorithm made a row.

    Examples:
        relance leaderboard results.jsonl -o leaderboard.md
    """
    if check is not None and not _are_right(results, check):
        raise typer.Exit(1)
    kept = f"{output} may still be the old version"
    print(*called(write_leaderboard, results, output, kept=kept, **options), sep="\n")


def _are_right(results: list[Path], most: int) -> bool:
    """Make each row again up to so many samples, and say at once what is wrong with it; return True if nothing is."""
    rows, right = gathered(results), True
    with progress_bar("no page was written") as progress:
        for row in progress.track(rows, description="rows made again"):
            for fault in faults_of(row, most):
                right = False
                print(f"{row['algorithm']} on {row['game']}, seed {row['seed']}: {fault}")
    return right
