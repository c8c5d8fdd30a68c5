"""Search for settings with Optuna: the same number of trials for each algorithm, on games and seeds that no run of the plan uses.

A plan may have a search, which is done before its runs:

    search:
      games: [one_card_poker(cards=5), liars_dice]
      seeds: [100, 101, 102]
      samples: 100_000
      trials: 50 # for each algorithm, if its family has no number of its own; the first tries its defaults
      families:
        - algorithms: [ppo, ppg]
          settings: # the same space for all of them
            learning_rate: {low: 1e-4, high: 1e-2, log: true}
            ent_coef: [0, 0.05, 0.1, 0.2]

The score of a trial is a share of uniform play's NashConv, so that the stakes of a game do not matter: in each game the median over seeds
of the last NashConv, divided by that of uniform play; then the geometric mean over games. A trial goes through the seeds in turn, and is
stopped early where Optuna's median pruner finds it worse than half of the earlier ones. The next settings depend on the scores so far
alone, so Optuna's journal of the trials resumes a search: only the trials that were interrupted begin again.
"""

from __future__ import annotations

import typing
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from statistics import geometric_mean, median
from typing import Any

from relance.baselines.algorithms import algorithm, settings_of
from relance.baselines.openspiel_games import AnyGame, any_game, uniform_nash_conv
from relance.baselines.runs import FLOOR, Run, planned
from relance.baselines.sweep import as_list, as_mapping

_SEARCH = ("games", "seeds", "seconds", "samples", "trials", "families")
_FAMILY = ("algorithms", "settings", "trials")
_INTERVAL = ("low", "high", "log")


@dataclass(frozen=True)
class Interval:
    """The numbers from `low` to `high` that a setting may have; only whole numbers if `whole`, on a logarithmic scale if `log`."""

    low: float
    high: float
    log: bool
    whole: bool


Space = Mapping[str, Interval | Sequence[Any]]
"""The values to try for each setting: numbers of an interval, or a list."""


@dataclass(frozen=True)
class Search:
    """A search for settings, as a plan describes it.

    Attributes:
        games, seeds, seconds, samples: of the runs of each trial.
        uniform: NashConv of uniform play in each of the games, in chips.
        trials: the number of trials for each algorithm.
        spaces: the values to try, for each algorithm.
    """

    games: tuple[AnyGame, ...]
    uniform: tuple[float, ...]
    seeds: tuple[int, ...]
    seconds: float | None
    samples: int | None
    trials: Mapping[str, int]
    spaces: Mapping[str, Space]

    def runs(self, name: str, settings: Mapping[str, Any], seed: int) -> list[Run]:
        """Return the runs of a trial with one seed: a run for each game."""
        return [planned(name, game, self.seconds, self.samples, seed, settings) for game in self.games]

    def score(self, nash_convs: Sequence[Sequence[float]]) -> float:
        """Return a trial's score (low is good): the geometric mean over games of the median of nash_convs[seed][game] / uniform[game]."""
        return geometric_mean(
            max(median(column), FLOOR) / chips
            for column, chips in zip(zip(*nash_convs, strict=True), self.uniform, strict=True)
        )

    @property
    def count(self) -> int:
        """The most runs of the search; there are fewer if settings are tried twice or a trial is stopped early."""
        return len(self.games) * len(self.seeds) * sum(map(self.trials_of, self.spaces))

    def trials_of(self, name: str) -> int:
        """Return how many trials an algorithm has: one if there is nothing to search."""
        return self.trials[name] if self.spaces[name] else 1


def search_of(plan: Any, here: bool = True) -> Search | None:
    """Return the search of a plan as read from YAML, checked; None if the plan has none. `here` as in `relance.baselines.sweep.tasks`.

    Raises:
        ValueError: there is a mistake in it, such as an unknown algorithm, or a setting out of range.
        ImportError: with `here`, an extra is missing; the message names it.
    """
    if not isinstance(plan, Mapping) or "search" not in plan:
        return None
    given = as_mapping(plan["search"], _SEARCH, "search")
    games = tuple(any_game(str(text)) for text in as_list(given.get("games"), "games of search"))
    uniform = tuple(map(uniform_nash_conv, games))
    if least := [str(game) for game, chips in zip(games, uniform, strict=True) if chips <= FLOOR]:
        raise ValueError(f"search: uniform play is an equilibrium of {least[0]}, where nothing can be learned")
    seeds = tuple(as_list(given.get("seeds"), "seeds of search"))
    for what, values in {"games": games, "seeds": seeds}.items():
        if len(set(map(str, values))) < len(values):
            raise ValueError(f"search: the {what} {', '.join(map(str, values))} are not all different")
    spaces, counts = dict[str, Space](), dict[str, int]()
    for number, family in enumerate(as_list(given.get("families"), "families of search"), 1):
        where = f"family {number} of search"
        entries = as_mapping(family, _FAMILY, where)
        settings, trials = entries.get("settings"), entries.get("trials", given.get("trials"))
        if isinstance(trials, bool) or not isinstance(trials, int) or trials < 1:
            raise ValueError(f"trials of {where} must be a whole number of at least 1, not {trials!r}")
        if not isinstance(settings, Mapping):
            raise ValueError(f"settings of {where} must be a mapping, which may be empty, not {settings!r}")
        for name in as_list(entries.get("algorithms"), f"algorithms of {where}"):
            if name in spaces:
                raise ValueError(f"{where}: {name} appears twice")
            try:
                for game, seed in product(games, seeds):
                    planned(name, game, given.get("seconds"), given.get("samples"), seed, None, here)
                counts[name], spaces[name] = trials, {key: _choice(name, key, value) for key, value in settings.items()}
            except (TypeError, ValueError) as error:
                raise ValueError(f"{where}: {error}") from None
    return Search(games, uniform, seeds, given.get("seconds"), given.get("samples"), counts, spaces)


def _choice(name: str, key: str, given: Any) -> Interval | list[Any]:
    """The values to try for a setting, with both ends or every value checked."""
    if isinstance(given, list):
        return [getattr(settings_of(name, {key: value}), key) for value in as_list(given, f"{key} of {name}")]
    instead = "" if isinstance(given, Mapping) else " must be a list of values, or"
    entries = as_mapping(given, _INTERVAL, f"{key} of {name}{instead}")
    missing = [end for end in _INTERVAL[:2] if end not in entries]
    if missing:
        raise ValueError(f"{key} of {name} needs {' and '.join(_INTERVAL[:2])}; it has no {missing[0]}")
    low, high = (getattr(settings_of(name, {key: entries[end]}), key) for end in _INTERVAL[:2])
    log = entries.get("log", False)
    if not isinstance(log, bool) or isinstance(low, (bool, str)):
        raise ValueError(f"{key} of {name}: low and high must be numbers, and log={log!r} true or false")
    if not low < high or (log and low <= 0):
        raise ValueError(f"{key} of {name}: low={low} must be below high={high}" + ", and above 0 as log is true" * log)
    whole = typing.get_type_hints(algorithm(name).Settings)[key] is int
    return Interval(low, high, log, whole)


def narrowed_search(search: Search, algorithms: Sequence[str], seconds: float | None) -> Search:
    """Return the search for these algorithms only (all, if the list is empty), with another budget of seconds if one is given."""
    spaces = {name: space for name, space in search.spaces.items() if not algorithms or name in algorithms}
    return replace(search, spaces=spaces, seconds=search.seconds if seconds is None else float(seconds))


def check_untouched(search: Search, plan: Sequence[Run]) -> None:
    """Check that no run of a plan has a game or a seed of the plan's search.

    Raises:
        ValueError: a run of an algorithm that was searched is on a game of the search, or has one of its seeds.
    """
    for run in plan:
        if run.algorithm in search.spaces and (run.game in search.games or run.seed in search.seeds):
            what = f"the game {run.game}" if run.game in search.games else f"the seed {run.seed}"
            raise ValueError(
                f"{run}: {what} is also in the search for settings; a plan's runs need other games and seeds than the search of the plan"
            )
