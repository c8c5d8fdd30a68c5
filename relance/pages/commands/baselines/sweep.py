"""The training runs of a plan: `relance sweep`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from math import ceil
from pathlib import Path
from typing import Annotated, Any

import typer

from relance.baselines import search as finding
from relance.baselines import sweep as job
from relance.baselines import tuning
from relance.baselines.rows import Row, finished
from relance.baselines.runs import Run
from relance.model.blueprint import counted
from relance.pages.commands.agents import IMPORTED, NAMED_GAME
from relance.pages.commands.generator import command
from relance.pages.commands.shared import check_file, progress_bar
from relance.pages.commands.typed import OUTPUT


@command(job.sweep, job.chosen_runs, without=["path"])
def sweep(
    plan: Path,
    output: OUTPUT = None,
    engine: str = "loky",
    jobs: int = -1,
    algorithms: Sequence[str] = (),
    games: Annotated[Sequence[str], NAMED_GAME] = (),
    seeds: Sequence[int] = (),
    seconds: float | None = None,
    modules: IMPORTED = (),
    listed: Annotated[bool, "--dry-run"] = False,
) -> None:
    """Do the training runs of a plan that are not yet in the results. After an interruption, repeat the same command.

    If the plan has a search for settings, it is done first. Its trials go beside the results, to Optuna's journal RESULTS.search.log, and
    the settings found to RESULTS.settings.yaml. The environment variable RAY_ADDRESS or DASK_SCHEDULER_ADDRESS names a cluster.

    Args:
        plan: a plan in YAML: games, algorithms with settings, seeds, budgets; options pick some of these, or replace the seconds of a run.
        output: the file of results, in JSON lines; by default beside the plan.
        modules: a module of your own to import first, with algorithms or games that the plan names.
        listed: only list the runs, and the most time that they can take.

    Examples:
        relance sweep studies/board.yaml -o results.jsonl
    """
    path, here = output or plan.with_suffix(".jsonl"), engine == "loky"
    check_file(path, "--output")
    trials, settings = path.with_suffix(".search.log"), path.with_suffix(".settings.yaml")

    def every_run(tuned: dict[str, Any]) -> list[Run]:
        return job.read_plan(plan, partial(job.tasks, here=here, tuned=tuned))

    def runs_of(tuned: dict[str, Any]) -> list[Run]:
        return job.chosen_runs(every_run(tuned), algorithms, games, seeds, seconds)

    search, chosen = job.read_plan(plan, partial(finding.search_of, here=here)), runs_of({})
    if search:
        finding.check_untouched(search, chosen)
        search = finding.narrowed_search(search, algorithms, seconds)
    sought = search.count if search else 0
    done = finished(path)
    if listed:
        if search and settings.is_file():
            chosen = runs_of(tuning.read_found(settings).settings)
        left = [search.seconds] * tuning.runs_left(search, trials) if search else []
        if search:
            games_of = ", ".join(map(str, search.games))
            print(f"search on {games_of}: at most {len(left)} of {sought} runs are left")
        for task in chosen:
            print("done" if task.key in done else "    ", task)
        left += [task.seconds for task in chosen if task.key not in done]
        print(_longest(left, jobs))
        return
    number, note = 0, partial(print, file=sys.stderr)
    where = f"{trials} and {path}" if search else path
    with progress_bar(f"the finished runs are in {where}; the same command resumes") as progress:
        bar = progress.add_task("runs", total=sought + len(chosen), completed=0)

        def done_already(count: int) -> None:
            nonlocal number
            number += count
            progress.update(bar, completed=number)

        def tick(ended: Row | job.Failure) -> None:
            done_already(1)
            note(f"{number}/{sought + len(chosen)} {_line(ended)}")

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
    print(f"{len(chosen) - len(failures)} of {len(chosen)} runs are in {path}")
    raise typer.Exit(1 if failures else 0)


def _longest(left: list[float | None], jobs: int) -> str:
    """How many runs with these budgets of seconds are left, and the longest time that they take."""
    import os

    at_once = (os.cpu_count() or 1) if jobs == -1 else jobs
    timed = [seconds for seconds in left if seconds is not None]
    hours, others = sum(timed) / at_once / 3600, len(left) - len(timed)
    most = f"{hours:.1f} hours" if hours >= 3 else counted(ceil(60 * hours), "minute")
    more = [f"at most {most} of training with {at_once} at a time, scoring comes on top"] if timed else []
    more += [f"{others} of them end after a number of samples, however long that takes"] if others else []
    return "; ".join([f"{counted(len(left), 'run')} left", *more])


def _line(ended: Any) -> str:
    if not isinstance(ended, dict):
        return f"{ended.task} FAILED: {ended.error}"
    seconds, _, nash_conv = ended["points"][-1]
    what = f"{ended['algorithm']} on {ended['game']}, seed {ended['seed']}"
    return f"{what}: NashConv {nash_conv:.3g} chips after {seconds:.1f} s"
