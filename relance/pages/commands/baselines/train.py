"""Training of one algorithm on one game: `relance train`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from rich.console import Console
from rich.markup import escape

from relance.baselines import rows, runs
from relance.baselines.algorithms import algorithm, algorithms, require
from relance.baselines.openspiel_games import AnyGame, any_game, uniform_nash_conv
from relance.baselines.runs import Interrupted, Point, Run
from relance.model.files import Saving
from relance.model.game import Game, as_profile
from relance.model.profile_file import save_profile
from relance.pages.commands.agents import algorithm_words, game_words
from relance.pages.commands.generator import command
from relance.pages.commands.plot import picture_file
from relance.pages.commands.shared import beside, console_of, progress_bar, write_json
from relance.pages.commands.terminal import plain_table
from relance.pages.commands.typed import Kind, WrittenPath
from relance.pages.learning_pictures import training_curves
from relance.pages.plots.style import save
from relance.registration.game_trees import game_tree
from relance.registration.own_games import own
from relance.solvers.tree_values import as_tree_profile

NO_FILE = "name a file with --output, --strategy or --checkpoint"


def _learnable(text: str) -> AnyGame:
    """A game, such as 'von_neumann(bet=2)', or module:NAME of your own, or one of OpenSpiel, such as openspiel:leduc_poker."""
    return any_game(own(text))


@command(runs.train, without=["at_samples"])
def train(
    name: Annotated[str | None, Kind(words=algorithm_words)] = None,
    game: Annotated[AnyGame | None, Kind(_learnable, game_words)] = None,
    /,
    seconds: float | None = None,
    samples: int | None = None,
    settings: Annotated[Mapping[str, Any] | None, "--set"] = None,
    output: Annotated[Path | None, "--output", "-o"] = None,
    strategy_file: Annotated[Path | None, "--strategy", WrittenPath()] = None,
    checkpoint: Annotated[Path | None, WrittenPath()] = None,
    plot: Annotated[Path | None, WrittenPath(or_stdout=True), Kind(picture_file, typed=Path)] = None,
    listed: Annotated[bool, "--list"] = False,
    **options: Any,
) -> None:
    """Train an algorithm on a game, in both seats, and score it exactly along the way.

    Without --seconds and --samples, training takes 60 seconds. Ctrl-C and SIGTERM keep the scores and the strategy so far in the files
    named. These are also written along the way: --strategy and --checkpoint each minute, --output at the first score after each minute.

    Args:
        name: an algorithm that --list names, or the import path of your own.
        settings: a setting of the algorithm, as name=value.
        output: append the run to this file of results, as a sweep does; - for standard output.
        strategy_file: write the strategy to this file, which `score`, `grade`, `match` and `plot` read.
        plot: draw two curves over the number of samples: the NashConv of the last policy, and that of the average policy.
        listed: list the algorithms, their settings and sources.

    Examples:
        relance train cfr+ 'von_neumann(hands=90)' --seconds 10
        relance train --list
    """
    console = console_of(output)
    if listed:
        return _show_algorithms(console)
    if name is None or game is None:
        raise ValueError("name an algorithm and a game; `relance train --list` and `relance games` list them")
    if plot is not None:
        require("--plot", "plot", "matplotlib")
    seconds = runs.MINUTE if seconds is None and samples is None else seconds
    algorithm(name, imports=True)
    planned = run = runs.planned(name, game, seconds, samples, settings=settings, **options)
    tree: Any = game_tree(str(game)) if strategy_file is not None and not isinstance(game, Game) else None

    def write_strategy(run: Run) -> None:
        if strategy_file is not None and isinstance(game, Game):
            save_profile(game, as_profile(game, run.agent), strategy_file)
        elif strategy_file is not None:
            write_json(strategy_file, {"game": str(game), "profile": as_tree_profile(tree, run.agent).texts()})

    with _keeping(output, planned) as append:
        appended = 0

        def keep(run: Run) -> None:
            nonlocal appended
            if len(run.points) > appended and str(output) != "-":
                append(run)
                appended = len(run.points)
            write_strategy(run)

        try:
            with progress_bar("nothing was trained") as progress:
                task = progress.add_task("training", total=samples if seconds is None else seconds)

                def tick(point: Point) -> None:
                    scores = replace(planned, points=[point]).curves
                    said = ", ".join(f"{policy} {score:.3g}" for policy, [(_, score)] in scores.items())
                    progress.update(task, description=f"NashConv: {said} chips")

                def watch(spent: float, used: int) -> None:
                    progress.update(task, completed=used if seconds is None else spent)

                try:
                    run = runs.carried_out(planned, tick=tick, watch=watch, checkpoint=checkpoint, keep=keep)
                except Interrupted as stop:
                    run = stop.run
                    if strategy_file is not None and Saving().last(partial(write_strategy, run), stop):
                        stop.add_note(f"the strategy so far is in {strategy_file}")
                    if run.points and output is not None:
                        stop.add_note(
                            f"the scores and the strategy so far are in {'standard output' if str(output) == '-' else output}"
                        )
                    elif not (strategy_file or checkpoint):
                        stop.add_note("nothing is kept: " + ("it was not scored yet" if output else NO_FILE))
                    raise
        finally:
            if run.points:
                uniform = uniform_nash_conv(game)
                _show(console, run, uniform)
                append(run)
                if plot is not None:
                    save(training_curves(run, run.curves, uniform), plot)
    if strategy_file is not None:
        write_strategy(run)
        print(f"the strategy is in {strategy_file}", file=beside(output))


@contextmanager
def _keeping(path: Path | None, planned: Run) -> Iterator[Callable[[Run], None]]:
    """Yield a function that writes a run to the results file, which is checked and locked before anything is trained."""
    if path is None or str(path) == "-":
        yield lambda run: print(rows.as_text(rows.as_row(run)), end="") if path else None
        return
    with rows.Results(path, lambda message: print(message, file=sys.stderr)) as file:
        if planned.key in file.finished:
            raise ValueError(f"{path} already has this run: {planned}, with this budget and these settings")
        yield lambda run: file.append(rows.as_row(run))


def _show(console: Console, run: Run, uniform: float) -> None:
    """The scores of both policies side by side, and what the last of them mean."""
    curves = {policy: dict(points) for policy, points in run.curves.items()}
    table = plain_table(
        "seconds", "samples", *(f"{policy}: NashConv (chips)" for policy in curves), numbers=2 + len(curves)
    )
    for point in run.points:
        scores = (points.get(point.samples) for points in curves.values())
        figures = ("-" if score is None else f"{score:.3g}" for score in scores)
        table.add_row(f"{point.seconds:.1f}", f"{point.samples:,}", *figures)
    console.print(str(run), markup=False)
    console.print(table)
    words = {"last": "the last policy", "average": "the average over training"}
    for policy, points in curves.items():
        score = points[max(points)]
        share = f", {100 * score / uniform:.3g}% of uniform play's" if uniform else ""
        won = f"a best response to it wins {score / 2:.2g} chips a hand more than the game is worth, on average over both seats"
        console.print(f"{words[policy]}: {score:.3g} chips{share}; {won}", soft_wrap=True)
    if run.ended != "budget":
        console.print(run.ended)


def _show_algorithms(console: Console) -> None:
    table = plain_table("algorithm", "extra", "hands", "sees", "settings")
    for item in algorithms().values():
        settings = ", ".join(f"{key}={value}" for key, value in vars(item.Settings()).items())
        hands = "any" if item.real_hands else "finite"
        table.add_row(item.name, item.extra, hands, item.sees or "", escape(settings))
    console.print(table)
    sources = (f"{item.name}: {item.source}" for item in algorithms().values())
    console.print("", *sources, sep="\n", markup=False, soft_wrap=True)
