"""Learning: `relance train`, `sweep` and `leaderboard`."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.markup import escape

from relance.model.files import SAVED
from relance.pages.commands.shared import (
    add_here,
    command,
    complete_games,
    console_of,
    known,
    pairs,
    progress_bar,
    whole_number,
)

if TYPE_CHECKING:
    from rich.table import Table

    from relance.baselines.runs import Run


def complete_algorithms() -> list[str]:
    """The algorithms, for shell completion."""
    from relance.baselines.algorithms import algorithms

    return list(algorithms())


@command("relance train cfr+ 'von_neumann(hands=90)' --seconds 10", "relance train --list")
def train(
    algorithm: Annotated[
        str | None,
        typer.Argument(
            help="An algorithm that --list names, or the import path of your own.", autocompletion=complete_algorithms
        ),
    ] = None,
    game: Annotated[
        str | None,
        typer.Argument(
            help="A game, such as 'von_neumann(bet=2)', or module:NAME of your own, or one of OpenSpiel, such as openspiel:leduc_poker.",
            autocompletion=complete_games,
        ),
    ] = None,
    seconds: Annotated[float | None, typer.Option(help="Training time in seconds; 60 if no budget is given.")] = None,
    samples: Annotated[
        int | None,
        typer.Option(
            help="At most this many samples, such as 1e6; the training ends when either budget is spent.",
            parser=whole_number,
            metavar="<int>",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed for all randomness, from 0 to 2147483647.", min=0)] = 0,
    settings: Annotated[
        list[str] | None, typer.Option("--set", help="A setting of the algorithm, as name=value; may be repeated.")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="Append the run to this file of results, as a sweep does; - for standard output."
        ),
    ] = None,
    listed: Annotated[bool, typer.Option("--list", help="List the algorithms, their settings and sources.")] = False,
) -> None:
    """Train an algorithm on a game, in both seats, and score it exactly along the way. Ctrl-C keeps the scores so far.

    With --output, the scores so far are saved along the way too, at the first score after each minute.
    """
    from relance.baselines import runs
    from relance.baselines.algorithms import algorithms
    from relance.baselines.openspiel_games import any_game

    console = console_of(stderr=str(output) == "-")
    if listed:
        console.print(_algorithms())
        sources = (f"{item.name}: {item.source}" for item in algorithms().values())
        console.print("", *sources, sep="\n", markup=False, highlight=False, soft_wrap=True)
        return
    if algorithm is None or game is None:
        raise ValueError("name an algorithm and a game; `relance train --list` and `relance games` list them")
    if seconds is None and samples is None:
        seconds = 60.0
    made, given, points = any_game(known(game)), pairs("--set", settings or ()), list[runs.Point]()
    add_here()
    planned = runs.planned(algorithm, made, seconds, samples, seed, given)
    runs.on_one_thread(algorithm)
    saved = time.monotonic()
    with _keeping(output, planned) as keep:
        try:
            with progress_bar("the scores so far are kept") as progress:
                task = progress.add_task("training", total=samples if seconds is None else seconds)

                def tick(point: runs.Point) -> None:
                    nonlocal saved
                    points.append(point)
                    if str(output) != "-" and time.monotonic() - saved > SAVED:
                        keep(replace(planned, points=tuple(points)))
                        saved = time.monotonic()
                    progress.update(task, description=f"NashConv {point.nash_conv:.3g} chips")

                def watch(spent: float, used: int) -> None:
                    progress.update(task, completed=used if seconds is None else spent)

                run = runs.carried_out(planned, tick=tick, watch=watch)
        except KeyboardInterrupt:
            if points:
                run = replace(planned, points=tuple(points))
                _show(console, run)
                keep(run)
            raise
        _show(console, run)
        keep(run)


@contextmanager
def _keeping(path: Path | None, planned: Run) -> Iterator[Callable[[Run], None]]:
    """Yield a function that writes a run to the results file, which is checked and locked before anything is trained."""
    from relance.baselines import rows

    def say(run: Run) -> None:
        sys.stdout.write(rows.as_text(rows.as_row(run)))

    if path is None or str(path) == "-":
        yield say if path else lambda run: None
        return
    with rows.Results(path, lambda message: console_of(stderr=True).print(message, soft_wrap=True)) as file:
        if planned.key in file.finished:
            raise ValueError(f"{path} already has this run: {planned}, with this budget and these settings")
        yield lambda run: file.append(rows.as_row(run))


def _show(console: Console, run: Run) -> None:
    from relance.pages.commands.terminal import plain_table

    table = plain_table("seconds", "samples", "NashConv (chips)", justify="right")
    for point in run.points:
        table.add_row(f"{point.seconds:.1f}", f"{point.samples:,}", f"{point.nash_conv:.3g}")
    console.print(str(run), markup=False, highlight=False)
    console.print(table)
    if run.ended != "budget":
        console.print(run.ended)


def _algorithms() -> Table:
    from relance.baselines.algorithms import algorithms
    from relance.pages.commands.terminal import plain_table

    table = plain_table("algorithm", "extra", "hands", "sees", "a sample is", "settings")
    for item in algorithms().values():
        settings = ", ".join(f"{key}={value}" for key, value in vars(item.Settings()).items())
        hands = "any" if item.real_hands else "finite"
        table.add_row(item.name, item.extra, hands, item.sees or "", item.sample, escape(settings))
    return table
