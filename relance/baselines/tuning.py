"""Carry out a search of `relance.baselines.search`: Optuna chooses and stores its trials, and the best settings go into a file."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from relance.baselines.algorithms import code_of, require
from relance.baselines.rows import Row, is_done, read_results
from relance.baselines.runs import Run
from relance.baselines.search import Interval, Search
from relance.baselines.sweep import LARGEST, Failure, ended_work, work
from relance.model.files import read_text, write_text


@dataclass(frozen=True)
class Found:
    """The result of a search for one algorithm.

    Attributes:
        settings: all settings of the best trial.
        score: the score of these settings, see `relance.baselines.search`.
        default: the score of the first trial, whose settings were the defaults at that time; None if it failed.
        trials, failed, stopped: how many trials there were, how many of them failed, and how many were stopped early.
        seconds, samples: training seconds and samples of all trials together.
    """

    settings: Mapping[str, Any]
    score: float
    default: float | None
    trials: int
    failed: int
    seconds: float
    samples: int
    stopped: int = 0


STARTING = 10
"""The most trials of an algorithm that are drawn at random, before the estimator has something to go by."""


def study_of(search: Search, name: str, path: Path) -> Any:
    """Return the Optuna study, which has the trials so far, of one algorithm from the journal `path`; if there is none, add an empty one.

    The name of the study has a hash of the algorithm's code and of the search's games, seeds, budgets and values to try. So a change of any
    of them begins another study.

    Raises:
        ValueError: the file is not a journal of Optuna.
        ImportError: Optuna is missing.
    """
    require("a search", "sweep", "optuna")
    import optuna
    from optuna.storages.journal import JournalFileBackend

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    of = [code_of(name), search.games, search.seeds, search.seconds, search.samples, search.spaces[name]]
    title = f"{name} {hashlib.sha256(str(of).encode()).hexdigest()[:16]}"
    try:
        storage = optuna.storages.JournalStorage(JournalFileBackend(str(path)))
        pruner = optuna.pruners.MedianPruner()
        return optuna.create_study(storage=storage, study_name=title, pruner=pruner, load_if_exists=True)
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path} is not a journal of Optuna: {error}") from None


def _ended(study: Any) -> list[Any]:
    """The trials that have ended, also those that failed by themselves; one that was interrupted is tried again."""
    return [t for t in study.trials if t.state.name in ("COMPLETE", "PRUNED") or "failed" in t.user_attrs]


class _Failed(Exception):
    """A run of a trial failed, or its settings do not go together."""


def one_trial(item: tuple[Search, str, Path], jobs: int, driver: int) -> list[Row | Failure]:
    """Carry out the next trial of an algorithm, in a worker; return the rows of its runs, and the failures.

    The settings that are tried depend on the trials so far and their number alone: a search that was stopped goes on as if nothing
    had happened. The first trial has the defaults, and at most a quarter of the trials are drawn at random.

    Args:
        item: the search, the name of the algorithm, and Optuna's journal.
        jobs: how many trials share the machine at a time.
        driver: the process id of the search, which started the worker.
    """
    import optuna

    search, name, path = item
    study, rows = study_of(search, name, path), list[Row | Failure]()
    number, space = len(_ended(study)), search.spaces[name]
    random = min(STARTING, max(1, search.trials_of(name) // 4))
    study.sampler = optuna.samplers.TPESampler(seed=zlib.crc32(f"{name} {number}".encode()), n_startup_trials=random)
    for stopped in study.get_trials(states=(optuna.trial.TrialState.RUNNING,)):
        study.tell(stopped.number, state=optuna.trial.TrialState.FAIL)

    def objective(trial: Any) -> float:
        settings = {key: _tried(trial, key, choice) for key, choice in space.items()} if number else {}
        scores, nash_convs = list[float](), list[list[float]]()
        for seed in search.seeds:
            with suppress(ValueError):  # settings that do not go together
                rows.extend(work(run, jobs, driver) for run in search.runs(name, settings, seed))
            done = [row for row in rows if not isinstance(row, Failure)]
            trial.set_user_attr("cost", [sum(row["points"][-1][kind] for row in done) for kind in (0, 1)])
            last = [row for row in done if row["seed"] == seed]
            if len(last) < len(search.games):
                trial.set_user_attr("failed", True)
                raise _Failed
            trial.set_user_attr("settings", last[0]["settings"])
            nash_convs.append([row["points"][-1][2] for row in last])
            scores.append(search.score(nash_convs))
            trial.report(scores[-1], len(scores))
            if number and seed != search.seeds[-1] and trial.should_prune():
                raise optuna.TrialPruned
        return scores[-1]

    study.optimize(objective, n_trials=1, catch=(_Failed,))
    return rows


def _tried(trial: Any, key: str, choice: Interval | Sequence[Any]) -> Any:
    """The value of a setting in a trial."""
    if not isinstance(choice, Interval):
        return trial.suggest_categorical(key, choice)
    suggest = trial.suggest_int if choice.whole else trial.suggest_float
    return suggest(key, choice.low, choice.high, log=choice.log)


def tune(
    search: Search,
    path: Path,
    engine: str = "loky",
    jobs: int = -1,
    tick: Callable[[Row | Failure], None] = lambda row: None,
    note: Callable[[str], None] = lambda message: None,
) -> dict[str, Found]:
    """Start or resume a search, a trial of each algorithm at a time, and return its result for each algorithm.

    Args:
        search: what to search.
        path: Optuna's journal of the trials, which may have those of other searches; workers need to reach it.
        engine: where trials run, as for `relance.baselines.sweep.sweep`, whose errors this raises too.
        jobs: trials at a time; -1 is one per processor.
        tick: called with each row and each failure.
        note: called with a sentence about each problem that the search recovered from.

    Raises:
        ValueError: the file is not a journal of Optuna, or all trials of an algorithm failed.
    """
    while left := [name for name in search.spaces if _left(search, name, path)]:
        for rows in ended_work(one_trial, {name: (search, name, path) for name in left}, engine, jobs, note):
            for row in rows:
                tick(row)
    return {name: best_found(search, name, path) for name in search.spaces}


def best_found(search: Search, name: str, path: Path) -> Found:
    """Return the best of an algorithm's trials that ran with all seeds.

    Raises:
        ValueError: every trial failed.
    """
    ended = _ended(study_of(search, name, path))
    by_end = {end: [trial for trial in ended if trial.state.name == end] for end in ("COMPLETE", "FAIL", "PRUNED")}
    if not by_end["COMPLETE"]:
        raise ValueError(f"all trials of {name} on {', '.join(map(str, search.games))} failed")
    best = min(by_end["COMPLETE"], key=lambda trial: trial.value)
    seconds, samples = map(sum, zip(*(trial.user_attrs["cost"] for trial in ended), strict=True))
    failed, stopped = len(by_end["FAIL"]), len(by_end["PRUNED"])
    settings = best.user_attrs["settings"]
    return Found(settings, best.value, ended[0].value, len(ended), failed, seconds, int(samples), stopped)


def _left(search: Search, name: str, path: Path) -> int:
    return search.trials_of(name) - len(_ended(study_of(search, name, path)))


def runs_left(search: Search, path: Path) -> int:
    """Return how many runs `search` has still to do after those in the journal at `path`, if no further trial is stopped early."""
    trials = sum(_left(search, name, path) for name in search.spaces) if path.exists() else 0
    return len(search.games) * len(search.seeds) * trials if path.exists() else search.count


def check_results(search: Search, plan: Sequence[Run], path: Path) -> None:
    """Check that the runs in a file of results have the settings of the plan, for the algorithms that were searched.

    Raises:
        ValueError: a run has other settings; the message names the first.
    """
    known = [(run.algorithm, run.keyed["settings"]) for run in plan]
    mine = [row for row in read_results(path)[0] if is_done(row) and row["algorithm"] in search.spaces]
    if others := [row for row in mine if (row["algorithm"], row["settings"]) not in known]:
        row, what = others[0], "with other settings than the search found"
        settings = ", ".join(f"{key}={value}" for key, value in row["settings"].items())
        first = f"{row['algorithm']} on {row['game']}, seed {row['seed']}, with {settings}"
        raise ValueError(f"{path} has {len(others)} runs {what}, such as {first}; new runs need another file")


class Searched(NamedTuple):
    """The contents of a file of found settings: games, seeds and budget of the search, and its result for each algorithm."""

    games: list[str]
    seeds: list[int]
    seconds: float | None
    samples: int | None
    found: Mapping[str, Found]

    @property
    def settings(self) -> dict[str, Mapping[str, Any]]:
        """The best settings by algorithm."""
        return {name: item.settings for name, item in self.found.items()}


def write_found(found: Mapping[str, Found], search: Search, path: Path) -> None:
    """Write the result of a search as YAML, an entry for each algorithm; entries of other algorithms from the same search stay.

    Raises:
        ValueError: it cannot be written, or the file there is of another kind.
    """
    import yaml

    head = (
        "# The best settings of each algorithm that a search found, their score and that of the defaults (NashConv as a share of "
        "uniform play's), and its cost.\n"
    )
    of = Searched(list(map(str, search.games)), list(search.seeds), search.seconds, search.samples, found)
    if path.is_file() and (earlier := read_found(path))[:4] == of[:4]:
        found = {**earlier.found, **found}
    entries = {name: {**vars(item), "seconds": round(item.seconds, 1)} for name, item in found.items()}
    write_text(path, head + yaml.safe_dump({**of._asdict(), "found": entries}, sort_keys=False, width=120))


def read_found(path: Path) -> Searched:
    """Read a file of found settings, which `write_found` wrote.

    Raises:
        ValueError: the file cannot be read, or is not of that kind.
        ImportError: PyYAML is missing.
    """
    require("a file of settings", "sweep", "yaml")
    import yaml

    try:
        given = yaml.safe_load(read_text(path, LARGEST))
        return Searched(**{**given, "found": {name: Found(**entry) for name, entry in given["found"].items()}})
    except (yaml.YAMLError, AttributeError, KeyError, TypeError, ValueError, RecursionError) as error:
        raise ValueError(
            f"{path} is not a file of settings that a search found: {' '.join(str(error).split())}"
        ) from None
