"""Searches for settings, by Optuna: the same number of trials for every algorithm, on a game and seeds that no run of the plan has.

A plan may have a search, which is done before its runs:

    search:
      game: one_card_poker(cards=5)
      seeds: [100, 101]
      seconds: 20
      trials: 16 # for each algorithm; the first tries its defaults
      families:
        - algorithms: [ppo, ppg]
          settings: # the same space for all of them
            rate: {low: 1e-4, high: 1e-2, log: true}
            entropy: [0, 0.05, 0.1, 0.2]

A trial scores the median over seeds of the last NashConv. In each round every algorithm has one trial, and the next depends on the
scores so far and on nothing else: so the file of results alone resumes an interrupted search, and its runs are done once.
"""

from __future__ import annotations

import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any

from relance.baselines.algorithms import algorithm, require, settings_of
from relance.baselines.openspiel_games import AnyGame, any_game
from relance.baselines.rows import Row, read_rows
from relance.baselines.runs import Run, planned
from relance.baselines.sweep import Failure, as_list, as_mapping, sweep
from relance.model.files import read_text, write_text

_SEARCH = ("game", "seeds", "seconds", "samples", "trials", "families")
_FAMILY = ("algorithms", "settings")
_INTERVAL = ("low", "high", "log")


@dataclass(frozen=True)
class Interval:
    """The numbers from `low` to `high`, whole ones if `whole`; with `log`, those close to 0 are tried as often as the others."""

    low: float
    high: float
    log: bool
    whole: bool


Space = Mapping[str, Interval | Sequence[Any]]
"""What may be tried for each setting: numbers of an interval, or listed values."""


@dataclass(frozen=True)
class Search:
    """A search, for the algorithms that are the keys of `spaces`; the other entries are those of a plan."""

    game: AnyGame
    seeds: tuple[int, ...]
    seconds: float | None
    samples: int | None
    trials: int
    spaces: Mapping[str, Space]

    def runs(self, name: str, settings: Mapping[str, Any]) -> list[Run]:
        """The runs of one trial, one for each seed."""
        return [planned(name, self.game, self.seconds, self.samples, seed, settings) for seed in self.seeds]

    @property
    def count(self) -> int:
        """How many runs it has, if no settings are tried twice."""
        return len(self.seeds) * sum(map(self.trials_of, self.spaces))

    def trials_of(self, name: str) -> int:
        """How many trials an algorithm has: one if there is nothing to search."""
        return self.trials if self.spaces[name] else 1


@dataclass(frozen=True)
class Found:
    """What a search found for an algorithm.

    Attributes:
        settings: the best that were tried, all of them.
        nash_conv: their score, in chips.
        default: the score of the defaults; None if they failed.
        trials, failed: how many trials there were, and how many of them failed.
        seconds, samples: what they cost in all.
    """

    settings: Mapping[str, Any]
    nash_conv: float
    default: float | None
    trials: int
    failed: int
    seconds: float
    samples: int


def search_of(plan: Any, here: bool = True) -> Search | None:
    """The search of a plan as read from YAML, checked; None if it has none. `here` as in `relance.baselines.sweep.tasks`.

    Raises:
        ValueError: there is a mistake in it, such as an unknown algorithm, or a setting out of range.
        ImportError: with `here`, an extra is missing; the message names it.
    """
    if not isinstance(plan, Mapping) or "search" not in plan:
        return None
    given = as_mapping(plan["search"], _SEARCH, "search")
    game = any_game(str(given.get("game")))
    seeds, trials = tuple(as_list(given.get("seeds"), "seeds of search")), given.get("trials")
    if isinstance(trials, bool) or not isinstance(trials, int) or trials < 1:
        raise ValueError(f"trials of search must be a whole number of at least 1, not {trials!r}")
    if len(set(map(str, seeds))) < len(seeds):
        raise ValueError(f"search: the seeds {', '.join(map(str, seeds))} are not all different")
    spaces: dict[str, Space] = {}
    for number, family in enumerate(as_list(given.get("families"), "families of search"), 1):
        where = f"family {number} of search"
        entries = as_mapping(family, _FAMILY, where)
        settings = entries.get("settings")
        if not isinstance(settings, Mapping):
            raise ValueError(f"settings of {where} must be a mapping, which may be empty, not {settings!r}")
        for name in as_list(entries.get("algorithms"), f"algorithms of {where}"):
            if name in spaces:
                raise ValueError(f"{where}: {name} appears twice")
            try:
                for seed in seeds:
                    planned(name, game, given.get("seconds"), given.get("samples"), seed, None, here)
                spaces[name] = {key: _choice(name, key, value) for key, value in settings.items()}
            except ValueError as error:
                raise ValueError(f"{where}: {error}") from None
    return Search(game, seeds, given.get("seconds"), given.get("samples"), trials, spaces)


def _choice(name: str, key: str, given: Any) -> Interval | list[Any]:
    """What may be tried for a setting, with both ends or every value checked."""
    if isinstance(given, list):
        return [getattr(settings_of(name, {key: value}), key) for value in as_list(given, f"{key} of {name}")]
    entries = as_mapping(given, _INTERVAL, f"{key} of {name} must be a list of values, or")
    missing = [end for end in _INTERVAL[:2] if end not in entries]
    if missing:
        raise ValueError(f"{key} of {name} has no {missing[0]}")
    low, high = (getattr(settings_of(name, {key: entries[end]}), key) for end in _INTERVAL[:2])
    log = entries.get("log", False)
    if not isinstance(log, bool) or isinstance(low, (bool, str)):
        raise ValueError(f"{key} of {name}: log={log!r} must be true or false, and the ends must be numbers")
    if not low < high or (log and low <= 0):
        raise ValueError(f"{key} of {name}: low={low} must be below high={high}" + " and above 0" * log)
    whole = typing.get_type_hints(algorithm(name).Settings)[key] is int
    return Interval(low, high, log, whole)


class _Tuner:
    """The trials of one algorithm, by Optuna's tree-structured Parzen estimator with a fixed seed."""

    def __init__(self, search: Search, name: str) -> None:
        require("a search", "tune", "optuna")
        import optuna

        optuna.logging.set_verbosity(optuna.logging.WARNING)
        self.search, self.name, self.optuna = search, name, optuna
        self.study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=0))
        self.distributions = {key: self._distribution(choice) for key, choice in search.spaces[name].items()}
        self.tried: list[tuple[list[Run], float | None]] = []
        self.trial: Any = None
        self.runs: list[Run] = []

    def _distribution(self, choice: Interval | Sequence[Any]) -> Any:
        kinds = self.optuna.distributions
        if not isinstance(choice, Interval):
            return kinds.CategoricalDistribution(choice)
        kind = kinds.IntDistribution if choice.whole else kinds.FloatDistribution
        return kind(choice.low, choice.high, log=choice.log)

    def ask(self) -> list[Run]:
        """The runs of the next trial; none if its settings are refused together."""
        if self.tried:
            self.trial = self.study.ask(self.distributions)
        try:
            self.runs = self.search.runs(self.name, self.trial.params if self.trial else {})
        except ValueError:
            self.runs = []
        return self.runs

    def tell(self, rows: Mapping[str, Row]) -> None:
        """Tell the scores of its runs; the trial failed if one of them has none."""
        scores = [rows[run.key]["points"][-1][2] for run in self.runs if run.key in rows]
        score = median(scores) if scores and len(scores) == len(self.runs) else None
        self.tried.append((self.runs, score))
        if self.trial:
            fail = self.optuna.trial.TrialState.FAIL
            self.study.tell(self.trial, score, state=fail if score is None else None)
        elif score is not None:
            params = {key: self.runs[0].settings[key] for key in self.distributions}
            if all(_inside(choice, params[key]) for key, choice in self.search.spaces[self.name].items()):
                made = self.optuna.trial.create_trial
                self.study.add_trial(made(params=params, distributions=self.distributions, value=score))

    def found(self, rows: Mapping[str, Row]) -> Found:
        """The best settings.

        Raises:
            ValueError: every trial failed.
        """
        good = [(score, runs) for runs, score in self.tried if score is not None]
        if not good:
            raise ValueError(f"all trials of {self.name} on {self.search.game} failed")
        score, runs = min(good, key=lambda item: item[0])
        last = {run.key: rows[run.key]["points"][-1] for runs, _ in self.tried for run in runs if run.key in rows}
        seconds, samples = (sum(point[kind] for point in last.values()) for kind in (0, 1))
        failed = len(self.tried) - len(good)
        return Found(runs[0].keyed["settings"], score, self.tried[0][1], len(self.tried), failed, seconds, int(samples))


def _inside(choice: Interval | Sequence[Any], value: Any) -> bool:
    return choice.low <= value <= choice.high if isinstance(choice, Interval) else value in choice


def tune(
    search: Search,
    path: Path,
    engine: str = "loky",
    jobs: int = -1,
    tick: Callable[[Row | Failure], None] = lambda row: None,
    note: Callable[[str], None] = lambda message: None,
) -> dict[str, Found]:
    """Do a search, or go on with it, and return what it found by algorithm. Arguments and errors are also those of `sweep`.

    Raises:
        ValueError: the file has runs that are not of this search, or all trials of an algorithm failed.
    """
    tuners, mine = {name: _Tuner(search, name) for name in search.spaces}, set[str]()
    for number in range(search.trials):
        going = [tuner for name, tuner in tuners.items() if number < search.trials_of(name)]
        runs = [run for tuner in going for run in tuner.ask()]
        mine |= {run.key for run in runs}
        rows = _rows(path)
        if any(run.key not in rows for run in runs):
            _check_others(search, path, mine)
            sweep(runs, path, engine, jobs, tick, note)
            rows = _rows(path)
        for tuner in going:
            tuner.tell(rows)
    _check_others(search, path, mine)
    return {name: tuner.found(_rows(path)) for name, tuner in tuners.items()}


def _rows(path: Path) -> dict[str, Row]:
    """The rows of a file that were not interrupted, by key."""
    return {row["key"]: row for row in read_rows(path)[0] if row["ended"] != "interrupted"}


def _check_others(search: Search, path: Path, mine: set[str]) -> None:
    """Refuse a file with runs of these algorithms that the search did not ask for."""
    others = [row for row in _rows(path).values() if row["key"] not in mine and row["algorithm"] in search.spaces]
    if others:
        row = others[0]
        settings = ", ".join(f"{key}={value}" for key, value in row["settings"].items())
        raise ValueError(
            f"{path} has {len(others)} runs that are not of this search, the first {row['algorithm']} on {row['game']}, "
            f"seed {row['seed']}, with {settings}; another space, budget or version of Optuna needs another file"
        )


def only(search: Search, algorithms: Sequence[str], seconds: float | None) -> Search:
    """The part of a search for these algorithms (none: all), with another budget of seconds if one is given."""
    spaces = {name: space for name, space in search.spaces.items() if not algorithms or name in algorithms}
    return replace(search, spaces=spaces, seconds=search.seconds if seconds is None else float(seconds))


def check_untouched(search: Search, plan: Sequence[Run]) -> None:
    """Check that the runs of a plan are on games and seeds that its search has not seen.

    Raises:
        ValueError: a run of an algorithm that was searched is on the game of the search, or has one of its seeds.
    """
    for run in plan:
        if run.algorithm in search.spaces and (run.game == search.game or run.seed in search.seeds):
            what = f"the game {run.game}" if run.game == search.game else f"the seed {run.seed}"
            raise ValueError(f"{run}: {what} is one of the search; the runs of a plan need others")


def write_found(found: Mapping[str, Found], search: Search, path: Path) -> None:
    """Write what a search found as YAML, an entry for each algorithm.

    Raises:
        ValueError: it cannot be written.
    """
    import yaml

    head = (
        f"# The best settings of each algorithm on {search.game}, with the scores (NashConv in chips, the median over seeds) and "
        "the cost of the search.\n"
    )
    table = {name: {**vars(item), "seconds": round(item.seconds, 1)} for name, item in found.items()}
    write_text(path, head + yaml.safe_dump(table, sort_keys=False, width=120))


def read_found(path: Path) -> dict[str, dict[str, Any]]:
    """The settings of a file that `write_found` wrote, by algorithm.

    Raises:
        ValueError: the file cannot be read, or is not of that kind.
    """
    import yaml

    try:
        return {name: dict(entry["settings"]) for name, entry in yaml.safe_load(read_text(path)).items()}
    except (yaml.YAMLError, AttributeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path} is not a file of settings that a search found: {error}") from None
