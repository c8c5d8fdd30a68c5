"""The page of results: `relance leaderboard`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from relance.pages.commands.shared import add_here, check_file, command, console_of, progress_bar, whole_number, write


@command("relance leaderboard results.jsonl -o leaderboard.md")
def leaderboard(
    results: Annotated[list[Path], typer.Argument(help="Results of sweeps, in JSON lines.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The page; its pictures go beside it.")],
    csv_file: Annotated[
        Path | None, typer.Option("--csv", help="Write all entries to this file as values too.")
    ] = None,
    latex_file: Annotated[
        Path | None, typer.Option("--latex", help="Write the medians by samples to this file as LaTeX tables.")
    ] = None,
    gaps_file: Annotated[
        Path | None,
        typer.Option("--gaps", help="Write the differences between learners, with 95% intervals, to this file."),
    ] = None,
    check: Annotated[
        int | None,
        typer.Option(
            "--check",
            help="First make the scores of each row up to this many samples again, and say which differ.",
            parser=whole_number,
            metavar="<int>",
        ),
    ] = None,
) -> None:
    """Make the leaderboard from the results of sweeps: a page of NashConv after fixed budgets, with pictures.

    With --check, a row that cannot be made again stops the command with status 1, and nothing is written.
    """
    from relance.pages.leaderboard import write_leaderboard

    check_file(output)
    check_file(csv_file, "--csv")
    check_file(latex_file, "--latex")
    check_file(gaps_file, "--gaps")
    add_here()
    if check is not None:
        _check(results, check)
    with progress_bar(f"{output} may still be the old version") as progress:
        task = progress.add_task("pictures", total=None)
        written = write_leaderboard(results, output, lambda total: progress.update(task, total=total, advance=1))
    if csv_file or latex_file or gaps_file:
        from relance.baselines.boards import gathered
        from relance.pages.submissions import gaps_as_csv, latex_of, table_of

        rows = gathered(results)
        for file, table in ((csv_file, table_of), (latex_file, latex_of), (gaps_file, gaps_as_csv)):
            if file:
                write(file, table(rows))
                written = [*written, file]
    console_of().print(*map(str, written), sep="\n", highlight=False, soft_wrap=True)


def _check(results: list[Path], most: int) -> None:
    """Make each row again up to so many samples, and say at once what is wrong with it; the command then ends with status 1."""
    from relance.baselines.boards import gathered
    from relance.pages.submissions import faults_of

    if most < 1:
        raise ValueError(f"--check {most} must be a whole number of at least 1")
    rows, wrong, console = gathered(results), False, console_of()
    with progress_bar("no page was written") as progress:
        task = progress.add_task("rows made again", total=len(rows))
        for row in rows:
            for fault in faults_of(row, most):
                wrong = True
                text = f"{row['algorithm']} on {row['game']}, seed {row['seed']}: {fault}"
                console.print(text, markup=False, highlight=False, soft_wrap=True)
            progress.advance(task)
    if wrong:
        raise typer.Exit(1)
