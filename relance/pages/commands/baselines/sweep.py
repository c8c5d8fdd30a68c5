"""The runs of a plan: `relance sweep`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from relance.pages.commands.shared import add_here, check_file, command, console_of, known, progress_bar

if TYPE_CHECKING:
    from relance.baselines.runs import Run


@command("relance sweep studies/field.yaml -o results.jsonl")
def sweep(
    plan: Annotated[Path, typer.Argument(help="A plan in YAML: games, algorithms with settings, seeds, budgets.")],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="The file of results, in JSON lines; by default beside the plan."),
    ] = None,
    engine: Annotated[str, typer.Option(help="loky (processes of this machine), ray or dask.")] = "loky",
    jobs: Annotated[int, typer.Option(help="How many runs at once; -1 for one per processor.")] = -1,
    algorithms: Annotated[
        list[str] | None, typer.Option("--algorithm", help="Only this algorithm; may be repeated.")
    ] = None,
    games: Annotated[list[str] | None, typer.Option("--game", help="Only this game; may be repeated.")] = None,
    seeds: Annotated[list[int] | None, typer.Option("--seed", help="Only this seed; may be repeated.")] = None,
    seconds: Annotated[float | None, typer.Option(help="Training time in seconds, instead of the plan's.")] = None,
    listed: Annotated[
        bool,
        typer.Option("--dry-run", help="List the runs and the most time that they can take, without doing them."),
    ] = False,
) -> None:
    """Do the training runs of a plan that are not yet in the results. After an interruption, repeat the same command.

    A plan's search is done first. Its trials go beside the results, to RESULTS.search.jsonl, and the settings that it finds to
    RESULTS.settings.yaml. RAY_ADDRESS or DASK_SCHEDULER_ADDRESS names a cluster.
    """
    from relance.baselines import search as finding
    from relance.baselines import sweep as job
    from relance.baselines import tuning
    from relance.baselines.rows import Row, finished

    add_here()
    path, here = output or plan.with_suffix(".jsonl"), engine == "loky"
    wanted = [known(game) for game in games or ()]  # first: the plan may name a game of the user's that this registers
    check_file(path)
    trials, settings = path.with_suffix(".search.jsonl"), path.with_suffix(".settings.yaml")

    def every_run(tuned: dict[str, Any]) -> list[Run]:
        return job.read_plan(plan, partial(job.tasks, here=here, tuned=tuned))

    def runs_of(tuned: dict[str, Any]) -> list[Run]:
        return job.chosen_runs(every_run(tuned), algorithms or (), wanted, seeds or (), seconds)

    search, chosen = job.read_plan(plan, partial(finding.search_of, here=here)), runs_of({})
    if search:
        finding.check_untouched(search, chosen)
        search = finding.narrowed_search(search, algorithms or (), seconds)
    sought = search.count if search else 0
    console, done = console_of(), finished(path)
    if listed:
        if search and settings.is_file():
            chosen = runs_of(tuning.read_found(settings).settings)
        left = [search.seconds] * tuning.runs_left(search, trials) if search else []
        if search:
            text = f"search on {', '.join(map(str, search.games))}: at most {len(left)} of {sought} runs are left"
            console.print(text, highlight=False)
        for task in chosen:
            mark = "done" if task.key in done else "    "
            console.print(f"{mark} {task}", markup=False, highlight=False, soft_wrap=True)
        left += [task.seconds for task in chosen if task.key not in done]
        console.print(_longest(left, jobs), highlight=False, soft_wrap=True)
        return
    bar_console, number = console_of(stderr=True), 0
    where = f"{trials} and {path}" if search else path
    with progress_bar(f"the finished runs are in {where}; the same command resumes") as progress:
        bar = progress.add_task("runs", total=sought + len(chosen), completed=0)

        def done_already(count: int) -> None:
            nonlocal number
            number += count
            progress.update(bar, completed=number)

        def tick(ended: Row | job.Failure) -> None:
            done_already(1)
            text = f"{number}/{sought + len(chosen)} {_line(ended)}"
            bar_console.print(text, markup=False, highlight=False, soft_wrap=True)

        def note(message: str) -> None:
            bar_console.print(message, markup=False, highlight=False, soft_wrap=True)

        try:
            if search:
                done_already(sought - tuning.runs_left(search, trials))  # the file may have runs of other algorithms
                found = tuning.tune(search, trials, engine, jobs, tick, note)
                tuning.write_found(found, search, settings)
                tuned = {name: item.settings for name, item in found.items()}
                chosen = runs_of(tuned)
                tuning.check_results(search, every_run(tuned), path)
                number = sought
            done_already(sum(task.key in done for task in chosen))
            failures = job.sweep(chosen, path, engine, jobs, tick, note)
        except job.WorkersKilledError as error:
            raise ValueError(error) from None
    console.print(f"{len(chosen) - len(failures)} of {len(chosen)} runs are in {path}", highlight=False, soft_wrap=True)
    raise typer.Exit(1 if failures else 0)


def _longest(left: list[float | None], jobs: int) -> str:
    """Return the longest time that runs with these budgets of seconds take."""
    import os

    at_once = (os.cpu_count() or 1) if jobs == -1 else jobs
    hours = sum(seconds or 0 for seconds in left) / at_once / 3600
    unknown = sum(seconds is None for seconds in left)
    more = f", and {unknown} that only samples end" if unknown else ""
    return f"{len(left)} runs are left: at most {hours:.2g} hours of training with {at_once} at a time{more}; scoring comes on top"


def _line(ended: Any) -> str:
    if not isinstance(ended, dict):
        return f"{ended.task} FAILED: {ended.error}"
    seconds, _, nash_conv = ended["points"][-1]
    what = f"{ended['algorithm']} on {ended['game']}, seed {ended['seed']}"
    return f"{what}: NashConv {nash_conv:.3g} chips after {seconds:.1f} s"
