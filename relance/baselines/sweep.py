"""Sweeps: many training runs from one plan, through joblib on the processors of a machine or on a cluster.

A plan is a YAML file with groups of runs, and maybe a search before them (`relance.baselines.search`):

    seeds: [0, 1, 2]                # for all groups, or inside a group; likewise `seconds` and `samples`
    seconds: 600                    # training time of each run, in processor seconds
    runs:
      - games: [one_card_poker(raises=0), "von_neumann(hands=9)"]
        algorithms: [cfr+, {mmd: {hidden_size: 32}}]

Workers train and return rows. Only the driver writes them, as each run ends, to the results file of `relance.baselines.rows`.
Runs that already have a row are skipped, and runs of a killed worker are repeated.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from relance.baselines.algorithms import algorithms, require
from relance.baselines.engines import ENGINES, results, started
from relance.baselines.openspiel_games import any_game
from relance.baselines.rows import Results, Row, as_row
from relance.baselines.runs import Run, carried_out, check_budget, planned
from relance.model.files import read_text
from relance.model.limits import check_memory
from relance.model.numbers import did_you_mean

_COMMON = ("seeds", "seconds", "samples")
_GROUP = ("games", "algorithms", *_COMMON)
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
R = TypeVar("R")
T = TypeVar("T")
LARGEST = 10**5
"""The most bytes of a plan."""

_ATTEMPTS = 3
"""The number of times in a row that workers may be killed without a run ending in between."""

WORKER = 100 * 2**20
"""The least bytes of a process of this machine that runs an algorithm."""


class Failure(NamedTuple):
    """A run that ended with an error and has no row."""

    task: Run
    error: str


class WorkersKilledError(OSError):
    """Workers were killed again and again, and no run ended in between."""


def read_plan(path: Path, read: Callable[[Any], R]) -> R:
    """Read the YAML of a plan, and return what `read`, such as `tasks`, makes of it.

    Raises:
        ValueError: the file cannot be read, or has a mistake; the message says where.
        ImportError: PyYAML, or an extra of an algorithm, is missing.
    """
    require("a sweep", "sweep", "yaml")
    import yaml

    class Loader(yaml.SafeLoader):  # type: ignore[misc]  # PyYAML gives no types
        """A loader that rejects duplicate keys; PyYAML itself silently takes the last one."""

        def compose_mapping_node(self, anchor: Any) -> Any:
            node = super().compose_mapping_node(anchor)
            seen = set()
            for key, _ in node.value:
                if isinstance(key, yaml.ScalarNode) and key.value in seen:
                    raise ValueError(f"line {key.start_mark.line + 1}: {key.value!r} appears twice")
                seen.add(key.value if isinstance(key, yaml.ScalarNode) else None)
            return node

    text = read_text(path, LARGEST)
    try:
        return read(yaml.load(text, Loader))
    except yaml.YAMLError as error:
        raise ValueError(f"{path} is not YAML: {' '.join(str(error).split())}") from None
    except RecursionError:
        raise ValueError(f"{path} is not a plan: it is nested too deeply") from None
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def tasks(plan: Any, here: bool = True, tuned: Mapping[str, Mapping[str, Any]] | None = None) -> list[Run]:
    """Return the runs of a plan as read from YAML, seed by seed.

    If `here` is true, the runs are for this machine: games that do not fit into its memory, and missing extras, are errors too. `tuned` has
    the settings that a search found, by algorithm; they replace the defaults.

    Raises:
        ValueError: there is a mistake in the plan.
        ImportError: with `here`, an extra is missing; the message names it.
    """
    common = as_mapping(plan, ("runs", "search", *_COMMON), "the plan")
    common.pop("search", None)
    groups = as_list(common.pop("runs", None), "runs")
    by_key: dict[str, Run] = {}
    for number, group in enumerate(groups, 1):
        where = f"group {number} of runs"
        for task in _group({**common, **as_mapping(group, _GROUP, where)}, where, here, tuned):
            if task.key in by_key:
                raise ValueError(f"{where}: {task} appears twice")
            by_key[task.key] = task
    return sorted(by_key.values(), key=lambda task: task.seed)  # so that an interrupted sweep covers every algorithm


def _group(
    group: Mapping[str, Any], where: str, here: bool, tuned: Mapping[str, Mapping[str, Any]] | None
) -> Iterator[Run]:
    budgets = group.get("seconds"), group.get("samples")
    games, algorithms, seeds = (
        as_list(group.get(key), f"{key} of {where}") for key in ("games", "algorithms", "seeds")
    )
    for text, given, seed in product(games, algorithms, seeds):
        name, settings = _algorithm(given, where)
        try:
            chosen = {**(tuned or {}).get(name, {}), **settings}
            yield planned(name, any_game(str(text)), *budgets, seed, chosen, here)
        except (TypeError, ValueError) as error:
            raise ValueError(f"{where}: {error}") from None


def _algorithm(given: Any, where: str) -> tuple[str, Mapping[str, Any]]:
    """Read "name" or {name: {setting: value}}."""
    name, settings = next(iter(given.items())) if isinstance(given, Mapping) and len(given) == 1 else (given, {})
    if not isinstance(name, str) or not isinstance(settings, Mapping):
        raise ValueError(f"{where}: algorithm {given!r} must be a name, or {{name: {{setting: value}}}}")
    return name, settings


def as_mapping(given: Any, allowed: Collection[str], where: str) -> dict[str, Any]:
    """Check that an entry of a plan is a mapping with `allowed` keys only, and return it as a dictionary; else raise ValueError."""
    if not isinstance(given, Mapping):
        raise ValueError(f"{where} must be a mapping with {', '.join(allowed)}, not {type(given).__name__}")
    for key in given:
        if key not in allowed:
            raise ValueError(f"{where} has an unknown key {key!r}" + did_you_mean(str(key), allowed))
    return dict(given)


def as_list(given: Any, where: str) -> list[Any]:
    """Check that an entry of a plan is a list with at least one entry, and return it; else raise ValueError."""
    if not isinstance(given, list) or not given:
        raise ValueError(f"{where} must be a list with at least one entry, not {given!r}")
    return given


def chosen_runs(
    plan: Sequence[Run],
    algorithms: Sequence[str] = (),
    games: Sequence[str] = (),
    seeds: Sequence[int] = (),
    seconds: float | None = None,
) -> list[Run]:
    """Return the runs of a plan with these algorithms, games and seeds (all, if a list is empty), perhaps with another budget of seconds.

    Args:
        plan: the runs.
        algorithms: only runs of these algorithms.
        games: only runs on these games.
        seeds: only runs with these seeds.
        seconds: training time in seconds, instead of the plan's.

    Raises:
        ValueError: an algorithm, game or seed is not in the plan.
    """
    wanted: dict[str, Collection[Any]] = {
        "algorithm": algorithms,
        "game": [any_game(text) for text in games],
        "seed": seeds,
    }
    part = list(plan)
    for field, values in wanted.items():
        known = dict.fromkeys(getattr(task, field) for task in plan)
        for value in values:
            if value not in known:
                raise ValueError(f"the plan has no {field} {value}; it has {', '.join(map(str, known))}")
        part = [task for task in part if not values or getattr(task, field) in values]
    if seconds is not None:
        check_budget(seconds, None)
        part = list({task.key: task for task in (replace(task, seconds=float(seconds)) for task in part)}.values())
    return part


def sweep(
    plan: Sequence[Run],
    path: Path,
    engine: str = "loky",
    jobs: int = -1,
    tick: Callable[[Row | Failure], None] = lambda row: None,
    note: Callable[[str], None] = lambda message: None,
) -> list[Failure]:
    """Carry out the runs of a plan that have no row in a results file, append their rows, and return the failures.

    Args:
        plan: what to run, see `tasks`.
        path: the JSON-lines file of results; a last line that was cut short is dropped first.
        engine: "loky", processes of this machine; "ray" or "dask", a cluster.
        jobs: runs at a time; -1 is one per processor. Each uses one thread.
        tick: called with each row once it is written, and with each failure.
        note: called with a sentence about each problem that the sweep recovered from.

    Raises:
        ValueError: the engine is unknown, or the file is damaged or cannot be opened to write. If writing fails later, see `LineFile`.
        ImportError: an extra is missing; the message names it.
        WorkersKilledError: workers were killed three times without a run ending in between.
    """
    if engine not in ENGINES:
        raise ValueError(f"engine {engine!r} must be one of {', '.join(ENGINES)}")
    if jobs == 0 or jobs < -1:
        raise ValueError(f"jobs={jobs} must be -1 (one per processor) or at least 1")
    if engine == "loky":
        check_memory(WORKER * jobs, f"jobs={jobs} runs at a time", instead="-1 is one per processor")
    failures: list[Failure] = []
    with Results(path, note) as file:
        left = [task for task in plan if task.key not in file.finished]
        own = {task.algorithm.partition(":")[0] for task in left} - algorithms().keys()
        with closing(ended_work(work, {task.key: task for task in left}, engine, jobs, note, own)) as ended:
            for row in ended:
                if isinstance(row, Failure):
                    failures.append(row)
                else:
                    file.append(row)
                tick(row)
    return failures


def ended_work(
    do: Callable[..., R],
    items: Mapping[str, T],
    engine: str,
    jobs: int,
    note: Callable[[str], None],
    modules: Collection[str] = (),
) -> Generator[R, None, None]:
    """Apply `do` to each item in workers, and yield the results as they arrive; an item whose worker was killed is repeated.

    Other arguments and errors are those of `sweep`; `modules` are sent to workers on other machines, see `started`.
    """
    left, kills = dict(items), 0
    if not left:
        return
    with _threads_kept(), started(engine, jobs, modules) as (count, killed):
        while left:
            job = partial(_named, do, jobs=min(count, len(left)), driver=os.getpid())
            try:
                with closing(results(job, list(left.items()), count)) as ended:
                    for name, result in ended:
                        kills = 0
                        if left.pop(name, None) is not None:  # a cluster may do the last one twice
                            yield result
            except killed:
                kills += 1
                if kills == _ATTEMPTS:
                    raise WorkersKilledError(
                        f"workers were killed {kills} times, and no run ended in between; {len(left)} runs are left"
                    ) from None
                note("a worker was killed; the runs that had not ended are repeated")


def _named(do: Callable[..., R], item: tuple[str, T], jobs: int, driver: int) -> tuple[str, R]:
    return item[0], do(item[1], jobs=jobs, driver=driver)


@contextmanager
def _threads_kept() -> Iterator[None]:
    """Restore the settings of threads of this process, which with one job is itself the worker."""
    before = {name: os.environ[name] for name in _THREADS if name in os.environ}
    try:
        yield
    finally:
        for name in _THREADS:
            os.environ.pop(name, None)
        os.environ.update(before)


def work(task: Run, jobs: int, driver: int) -> Row | Failure:
    """Carry out a run on one thread; return its row, or its failure. `jobs` runs share the machine; process `driver` started the worker."""
    os.environ.update(dict.fromkeys(_THREADS, "1"))
    if os.getpid() != driver and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the driver handles Ctrl-C and stops the workers
    driven = os.getppid() == driver

    def watch(seconds: float, used: int) -> None:
        if driven and os.getppid() != driver:
            os._exit(1)  # the driver was killed: free the processor for the next sweep

    try:
        return as_row(carried_out(task, watch=watch, clock=time.process_time), jobs)
    except Exception as error:  # whatever an algorithm raises fails only this run, not the sweep
        return Failure(task, f"{type(error).__name__}: {error}")
