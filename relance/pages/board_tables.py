"""The numbers of the leaderboard: medians, and means over games, each with a 95% interval and its gap to the best.

The mean over games is that of Agarwal et al., Deep Reinforcement Learning at the Edge of the Statistical Precipice (2021), as the
library rliable computes it: the interquartile mean of all runs, with a bootstrap that resamples the runs of each game. SciPy does that
here, as rliable has had no release since 2024 and brings pandas and seaborn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import inf, lcm, nan
from typing import Any, NamedTuple, get_args

import numpy as np
from scipy import stats

from relance.baselines.algorithms import SEES, Scored
from relance.baselines.boards import RunsByName, boards_of, columns_of, deterministic, entries_of, sees
from relance.baselines.openspiel_games import any_game, uniform_nash_conv
from relance.baselines.rows import Row
from relance.model.arrays import Floats

RESAMPLES = 2000
"""How many samples the bootstrap draws."""

KINDS = ("seconds", "samples")
"""What a budget counts: 0 stands for seconds and 1 for samples in `Column.kind`."""

RunScores = Sequence[float]
"""The scores of runs on one game, a number for each run."""

Statistic = Callable[[Sequence[Floats], int], Any]
"""A function of (samples, axis), such as a median; `samples` holds an array of run scores for each game."""


class Column(NamedTuple):
    """A column: a budget of seconds (kind 0) or samples (kind 1), the policy scored, and the games in a mean over games."""

    kind: int
    budget: float
    policy: Scored
    games: tuple[str, ...] = ()

    @property
    def spent(self) -> tuple[int, float, tuple[str, ...]]:
        """The kind of budget, the budget and the games: columns that agree in these three can be compared."""
        return self.kind, self.budget, self.games


class Estimate(NamedTuple):
    """A statistic with the ends of its 95% interval, which are nan if a learner that is not deterministic has one run only."""

    value: float
    low: float
    high: float


class Cell(NamedTuple):
    """A statistic of a learner's scores in a column.

    Attributes:
        estimate: the statistic.
        runs: the number of the learner's runs; in a mean over games, the number on the game with the fewest runs.
        gap: how far the statistic is above the lowest one of all learners with the same access to the game, in all columns with the same
            budget and games, for either policy (last or average); None for the lowest one itself.
    """

    estimate: Estimate
    runs: int
    gap: Estimate | None = None

    @property
    def is_level(self) -> bool:
        """Return True if the interval of `gap` (how far the entry is above the best one) contains 0: both may be equally good."""
        return self.gap is not None and self.gap.low <= 0 <= self.gap.high


class Part(NamedTuple):
    """The learners with the same access to a game: `sees` is a key of `SEES`, which says what they may see of it, or "" if unknown.

    `cells` has, by the learner's label, an entry for each column: a cell, or None if the learner has no score there.
    """

    sees: str
    cells: dict[str, list[Cell | None]]


def middle(samples: Sequence[Floats], axis: int = -1) -> Any:
    """Return the median over runs, along `axis`, of the scores on one game; `samples` is a list of one array, the scores on this game."""
    return np.median(samples[0], axis=axis)


def over_games(samples: Sequence[Floats], axis: int = -1) -> Any:
    """Return the interquartile mean of all runs along `axis`. `samples` has an array of scores per game; each game has equal weight."""
    most = lcm(*(one.shape[axis] for one in samples))
    alike = [np.repeat(one, most // one.shape[axis], axis=axis) for one in samples]
    return stats.trim_mean(np.concatenate(alike, axis=axis), 0.25, axis=axis)


def estimate(statistic: Statistic, mine: Sequence[RunScores], theirs: Sequence[RunScores] = ()) -> Estimate:
    """The statistic of `mine`, minus that of `theirs` if given, with a 95% bootstrap interval over each game's runs."""
    samples = [np.array(one, float) for one in (*mine, *theirs)]

    def figure(*drawn: Floats, axis: int = -1) -> Any:
        less = statistic(drawn[len(mine) :], axis) if theirs else 0.0
        return statistic(drawn[: len(mine)], axis) - less

    value = float(figure(*samples))
    if min(map(len, samples)) < 2:
        return Estimate(value, nan, nan)
    random = np.random.default_rng(0)
    drawn = stats.bootstrap(samples, figure, n_resamples=RESAMPLES, method="percentile", random_state=random)
    return Estimate(value, *map(float, drawn.confidence_interval))


def entries(runs: Sequence[Row], column: Column) -> RunScores:
    """Return a learner's scores for a column. A deterministic learner has one score, given twice, so that its interval has length 0."""
    found = entries_of(runs, column.kind, column.budget, column.policy)
    return found * 2 if len(found) == 1 and deterministic(runs[0]["algorithm"]) else found


def columns_for(runs: Iterable[Sequence[Row]]) -> list[Column]:
    """Return a table's columns: two policies, last and average, for each budget of samples reached, or of seconds if no run has samples."""
    found = columns_of([row for mine in runs for row in mine])
    kind = max((kind for kind, _ in found), default=1)
    return [Column(*one, policy) for one in found if one[0] == kind for policy in get_args(Scored)]


def game_table(board: RunsByName) -> tuple[list[Column], list[Part]]:
    """Return a game's table, medians over runs of NashConv in chips: columns, and rows in parts by what learners may see of the game."""
    columns = columns_for(board.values())
    found = {label: [[entries(runs, column)] for column in columns] for label, runs in board.items()}
    return columns, _parts({label: sees(runs) for label, runs in board.items()}, found, columns, middle)


def summary(rows: Sequence[Row]) -> tuple[list[Column], list[Part]]:
    """Return the table over games, interquartile means of NashConv as a share of uniform play's; columns and parts as in `game_table`.

    A budget of samples has two columns, for the last and the average policy, if at least half of the learners have a score there. A column
    is a mean over a set of games. Each of these learners proposes a set: the games on which that learner has scores. The set is taken for
    which the number of games times the number of learners with scores on all of them is largest. The smallest budget also has columns over
    the games on which all its learners have scores, if that is several. A learner without a score on one of a column's games has no entry.
    """
    boards = boards_of(rows)
    scale = {game: uniform_nash_conv(any_game(game)) for game in boards}
    seen = {label: sees(runs) for board in boards.values() for label, runs in board.items()}
    columns = [column for column in columns_for([rows]) if column.kind == 1]
    wide: list[Column] = []
    for budget in dict.fromkeys(column.budget for column in columns):
        of = [column for column in columns if column.budget == budget]
        have = {
            label: tuple(
                game for game, board in boards.items() if any(entries(board.get(label, []), column) for column in of)
            )
            for label in seen
        }
        known = [games for games in have.values() if games]
        if 2 * len(known) < len(seen):
            continue
        most = max(known, key=lambda games: (len(games) * sum(set(games) <= set(one) for one in known), len(games)))
        shared = tuple(game for game in most if all(game in one for one in known))
        for games in dict.fromkeys([most] if wide else [most, shared]):
            wide += [Column(1, budget, column.policy, games) for column in of if len(games) > 1]
    found = {
        label: [
            [
                [value / scale[game] for value in entries(boards[game][label], column)] if label in boards[game] else []
                for game in column.games
            ]
            for column in wide
        ]
        for label in seen
    }
    parts = _parts({label: seen[label] for label in seen if any(map(all, found[label]))}, found, wide, over_games)
    return wide, [Part(part.sees, dict(sorted(part.cells.items(), key=lambda item: _place(item[1])))) for part in parts]


def _place(cells: Sequence[Cell | None]) -> list[float]:
    """A sort key: the lesser figure of the two policies, column by column."""
    values = [cell.estimate.value if cell else inf for cell in cells]
    return [min(pair) for pair in zip(values[::2], values[1::2], strict=True)]


def _parts(
    seen: Mapping[str, str],
    found: Mapping[str, Sequence[Sequence[RunScores]]],
    columns: Sequence[Column],
    of: Statistic,
) -> list[Part]:
    parts = []
    for what in (*SEES, ""):
        mine = {label: found[label] for label in seen if seen[label] == what}
        made = {label: [_cell(of, sample) for sample in samples] for label, samples in mine.items()}
        for spent in dict.fromkeys(column.spent for column in columns):
            places = [i for i, column in enumerate(columns) if column.spent == spent]
            known = [
                (cell.estimate.value, label, i) for label, cells in made.items() for i in places if (cell := cells[i])
            ]
            if not known:
                continue
            _, first, at = min(known)
            for _, label, i in known:
                if (cell := made[label][i]) and (label, i) != (first, at):
                    made[label][i] = cell._replace(gap=estimate(of, mine[label][i], mine[first][at]))
        if mine:
            parts.append(Part(what, made))
    return parts


def _cell(of: Statistic, samples: Sequence[RunScores]) -> Cell | None:
    return Cell(estimate(of, samples), min(map(len, samples))) if samples and all(samples) else None


def digits(value: float) -> str:
    """A number as text, to two significant digits, or to a whole number from 100 on."""
    return f"{value:.2g}" if abs(value) < 99.5 else f"{value:,.0f}"
