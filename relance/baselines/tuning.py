"""Carry out a search of `relance.baselines.search`: its trials, run by Optuna, and what it found."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from relance.baselines.algorithms import require
from relance.baselines.rows import Row, is_done, read_results
from relance.baselines.runs import Run
from relance.baselines.search import Interval, Search
from relance.baselines.sweep import LARGEST, Failure, sweep
from relance.model.files import read_text, write_text


@dataclass(frozen=True)
class Found:
    """What a search found for an algorithm.

    Attributes:
        settings: the best that were tried, all of them.
        score: their score, see `relance.baselines.search`.
        default: the score of the defaults; None if they failed.
        trials, failed, stopped: how many trials there were, how many of them failed, and how many were stopped early.
        seconds, samples: what they cost in all.
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


class _Tuner:
    """The trials of one algorithm, by Optuna's tree-structured Parzen estimator and its median pruner, seed by seed.

    The sampler's seed is the algorithm's own, so that no two start with the same points, and at most a quarter of the trials are random.
    """

    def __init__(self, search: Search, name: str) -> None:
        require("a search", "sweep", "optuna")
        import optuna

        optuna.logging.set_verbosity(optuna.logging.WARNING)
        self.search, self.name, self.optuna = search, name, optuna
        random = min(STARTING, max(1, search.trials // 4))
        sampler = optuna.samplers.TPESampler(seed=zlib.crc32(name.encode()), n_startup_trials=random)
        self.study = optuna.create_study(sampler=sampler, pruner=optuna.pruners.MedianPruner())
        self.distributions = {key: self._distribution(choice) for key, choice in search.spaces[name].items()}
        self.states = optuna.trial.TrialState
        self.tried: list[tuple[list[Run], float | None, Any]] = []
        self.scores: list[float] = []  # of the trial so far
        self._trials = self._in_turn()
        self.asked = next(self._trials)
        """The runs of the trial with its next seed; empty if this combination of settings is invalid."""

    def _distribution(self, choice: Interval | Sequence[Any]) -> Any:
        kinds = self.optuna.distributions
        if not isinstance(choice, Interval):
            return kinds.CategoricalDistribution(choice)
        kind = kinds.IntDistribution if choice.whole else kinds.FloatDistribution
        return kind(choice.low, choice.high, log=choice.log)

    @property
    def left(self) -> int:
        """The most runs that are left to do."""
        trials = self.search.trials_of(self.name) - len(self.tried)
        return len(self.search.games) * (trials * len(self.search.seeds) - len(self.scores))

    def tell(self, rows: Mapping[str, Row]) -> None:
        """Report the scores of the runs asked for; the trial has failed if one of them has no row."""
        self.asked = self._trials.send(rows)

    def _in_turn(self) -> Generator[list[Run], Mapping[str, Row], None]:
        """The trials in turn, the defaults first: yields runs, and is sent rows."""
        for number in range(self.search.trials_of(self.name)):
            trial = self.study.ask(self.distributions) if number else None
            runs, score, state = yield from self._seed_by_seed(trial)
            self.tried.append((runs, score, state))
            if trial:
                self.study.tell(trial, score, state=state)
            elif score is not None:
                params = {key: runs[0].settings[key] for key in self.distributions}
                made, steps = self.optuna.trial.create_trial, dict(enumerate(self.scores, 1))
                with suppress(ValueError):  # the defaults need not be in the space
                    default = made(
                        params=params, distributions=self.distributions, value=score, intermediate_values=steps
                    )
                    self.study.add_trial(default)
            self.scores = []
        yield []

    def _seed_by_seed(self, trial: Any) -> Generator[list[Run], Mapping[str, Row], tuple[list[Run], float | None, Any]]:
        """The runs of a trial, its score if it has one, and how it ended."""
        runs, nash_convs = list[Run](), list[list[float]]()
        for seed in self.search.seeds:
            try:
                asked = self.search.runs(self.name, trial.params if trial else {}, seed)
            except ValueError:
                asked = []
            runs += asked
            rows = yield asked
            if not asked or any(run.key not in rows for run in asked):
                return runs, None, self.states.FAIL
            nash_convs.append([rows[run.key]["points"][-1][2] for run in asked])
            self.scores.append(self.search.score(nash_convs))
            if trial:
                trial.report(self.scores[-1], len(self.scores))
                if seed != self.search.seeds[-1] and trial.should_prune():
                    return runs, None, self.states.PRUNED
        return runs, self.scores[-1], self.states.COMPLETE

    def found(self, rows: Mapping[str, Row]) -> Found:
        """The best settings of the trials with all seeds.

        Raises:
            ValueError: every trial failed.
        """
        good = [(score, runs) for runs, score, _ in self.tried if score is not None]
        if not good:
            raise ValueError(f"all trials of {self.name} on {', '.join(map(str, self.search.games))} failed")
        score, runs = min(good, key=lambda item: item[0])
        last = {run.key: rows[run.key]["points"][-1] for runs, _, _ in self.tried for run in runs if run.key in rows}
        seconds, samples = (sum(point[kind] for point in last.values()) for kind in (0, 1))
        failed, stopped = (
            sum(how == end for _, _, how in self.tried) for end in (self.states.FAIL, self.states.PRUNED)
        )
        settings, default = runs[0].keyed["settings"], self.tried[0][1]
        return Found(settings, score, default, len(self.tried), failed, seconds, int(samples), stopped)


def tune(
    search: Search,
    path: Path,
    engine: str = "loky",
    jobs: int = -1,
    tick: Callable[[Row | Failure], None] = lambda row: None,
    note: Callable[[str], None] = lambda message: None,
) -> dict[str, Found]:
    """Run or resume a search, and return what it found by algorithm. Arguments and errors are also those of `sweep`.

    Raises:
        ValueError: the file has runs that are not of this search, or all trials of an algorithm failed.
    """
    rows = _rows(path)
    resumed = [_resumed(search, name, rows) for name in search.spaces]
    tuners, known = [tuner for tuner, _ in resumed], set[str]().union(*(keys for _, keys in resumed))
    others = [row for row in rows.values() if row["key"] not in known and row["algorithm"] in search.spaces]
    _refuse(others, path, "not of this search, another space, budget or version of Optuna needs another file")

    def kept(ended: Row | Failure) -> None:
        if not isinstance(ended, Failure):
            rows[ended["key"]] = ended
        tick(ended)

    while going := [tuner for tuner in tuners if tuner.left]:
        runs = [run for tuner in going for run in tuner.asked]
        if any(run.key not in rows for run in runs):
            sweep(runs, path, engine, jobs, kept, note)
        for tuner in going:
            tuner.tell(rows)
    return {tuner.name: tuner.found(rows) for tuner in tuners}


def runs_left(search: Search, path: Path) -> int:
    """The most runs that a search with this file of results still has to do."""
    rows = _rows(path)
    return sum(_resumed(search, name, rows)[0].left for name in search.spaces) if rows else search.count


def _resumed(search: Search, name: str, rows: Mapping[str, Row]) -> tuple[_Tuner, set[str]]:
    """An algorithm's trials as far as there are rows, and the keys of all; what has no rows before the last new ones has failed."""
    ahead, keys, asked, last = _Tuner(search, name), set[str](), 0, 0
    while ahead.left:
        new = {run.key for run in ahead.asked} - keys
        last = asked if new & rows.keys() else last
        asked += 1
        keys |= new
        ahead.tell(rows)
    tuner, asked = _Tuner(search, name), 0
    while tuner.left and (asked < last or all(run.key in rows for run in tuner.asked)):
        tuner.tell(rows)
        asked += 1
    return tuner, keys


def _rows(path: Path) -> dict[str, Row]:
    """The rows of a file that need not be repeated, by key."""
    return {row["key"]: row for row in read_results(path)[0] if is_done(row)}


def check_results(search: Search, plan: Sequence[Run], path: Path) -> None:
    """Refuse a file of results with runs of these algorithms that have other settings than those of the plan.

    Raises:
        ValueError: there are such runs; the message names the first.
    """
    known = [(run.algorithm, run.keyed["settings"]) for run in plan]
    mine = [row for row in _rows(path).values() if row["algorithm"] in search.spaces]
    others = [row for row in mine if (row["algorithm"], row["settings"]) not in known]
    _refuse(others, path, "of other settings than those found; they need another file")


def _refuse(others: Sequence[Row], path: Path, what: str) -> None:
    if others:
        row = others[0]
        settings = ", ".join(f"{key}={value}" for key, value in row["settings"].items())
        first = f"{row['algorithm']} on {row['game']}, seed {row['seed']}, with {settings}"
        raise ValueError(f"{path} has {len(others)} runs that are {what}; the first is {first}")


class Searched(NamedTuple):
    """A search as a file holds it: the games, budget and seeds of its runs, and what it found for each algorithm."""

    games: list[str]
    seeds: list[int]
    seconds: float | None
    samples: int | None
    found: Mapping[str, Found]

    @property
    def settings(self) -> dict[str, Mapping[str, Any]]:
        """The settings that it found, by algorithm."""
        return {name: item.settings for name, item in self.found.items()}


def write_found(found: Mapping[str, Found], search: Search, path: Path) -> None:
    """Write what a search found as YAML, an entry for each algorithm; what the same search found for others stays in the file.

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
    """Read a file that `write_found` wrote.

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
