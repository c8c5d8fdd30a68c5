"""The leaderboard's data: which runs of a results file count, their order in each game's table, and their scores after fixed budgets.

A label is the name of an algorithm with the settings in which its runs differ, such as "ppo (ent_coef=0)".
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any, get_args

from relance.baselines.algorithms import SEES, Algorithm, Scored, algorithms
from relance.baselines.rows import Row, read_results, unsaid

SECONDS = (10, 60, 600)
SAMPLES = (100_000, 1_000_000, 10_000_000)
"""The budgets shown as columns, if runs lasted that long."""

LATE, EARLY = 1.05, 0.95
"""A score counts for a budget if it was made by 1.05 times the budget, and for samples not before 0.95 times: runs are scored between two
steps, and a learner whose steps are long has no score near a small budget."""

RunsByName = dict[str, list[Row]]
"""The runs of one game, by label."""


def gathered(results: Sequence[Path]) -> list[Row]:
    """Read the rows of these results files, and keep one row for each key: a run that is repeated has the same key again.

    If a run was interrupted and repeated, the row that was not interrupted is kept or, if all were, the one with the most training time.
    If a learner's code changed and its run was repeated into the same file, the row of the newer code is kept.

    Raises:
        ValueError: a file is missing or damaged; there are no rows; or two rows have the same key, neither was interrupted, and neither
            replaces the other, because both have the same code or they are in different files.
    """
    best: dict[str, tuple[Row, Path]] = {}
    for path in results:
        if not path.is_file():
            raise ValueError(f"there is no file of results {path}")
        read, is_cut = read_results(path)
        if is_cut:
            raise ValueError(f"the last line of {path} is cut short; repeat its `relance sweep`, which drops the line")
        for row in read:
            other, where = best.setdefault(row["key"], (row, path))
            if where == path and row.get("code", "") != other.get("code", ""):
                best[row["key"]] = row, path
                continue
            if other is not row and "interrupted" not in (other["ended"], row["ended"]):
                run = f"{row['algorithm']} on {row['game']}, seed {row['seed']}"
                there = " and ".join(dict.fromkeys([str(where), str(path)]))
                raise ValueError(f"the results of {run} appear twice, in {there}; leave one of the two out")
            if _further(row) > _further(other):
                best[row["key"]] = row, path
    if not best:
        raise ValueError(f"there are no rows in {', '.join(map(str, results))}")
    return [row for row, _ in best.values()]


def parted(rows: Sequence[Row]) -> tuple[list[Row], list[Row]]:
    """Return the rows that are ranked, and the rows that are not ranked because their origin is incomplete, see `unsaid`.

    Raises:
        ValueError: none is ranked.
    """
    ranked, left = [row for row in rows if not unsaid(row)], [row for row in rows if unsaid(row)]
    if not ranked:
        first = left[0]
        raise ValueError(
            f"none of {len(left)} rows can be ranked: {first['algorithm']} on {first['game']} lacks {', '.join(unsaid(first))}"
        )
    return ranked, left


def _further(row: Row) -> tuple[bool, float]:
    """A sort key for runs with the same key: the one that was not interrupted counts more, then the longer one."""
    return row["ended"] != "interrupted", row["points"][-1][0]


def labels(rows: Sequence[Row]) -> dict[str, str]:
    """Return the label of each row by the row's key: the algorithm's name, and the settings in which the rows of that algorithm differ."""
    values: defaultdict[tuple[str, str], dict[str, object]] = defaultdict(dict)
    for row in rows:
        for setting, value in row["settings"].items():
            values[row["algorithm"], setting][short_setting(value, 12)] = value
    out = {}
    for row in rows:
        shown = []
        for setting, value in row["settings"].items():
            known = values[row["algorithm"], setting]
            digits = 3 if len({short_setting(other) for other in known.values()}) == len(known) else 12
            shown += [f"{setting}={short_setting(value, digits)}"] if len(known) > 1 else []
        out[row["key"]] = row["algorithm"] + (f" ({', '.join(shown)})" if shown else "")
    return out


def short_setting(value: object, digits: int = 3) -> str:
    """The value of a setting as text; a float is rounded to this many significant digits."""
    return f"{value:.{digits}g}" if isinstance(value, float) else str(value)


GROUPS = {
    "samples": "learning from games played to the end",
    "tree": "walking the tree, or holding all hands in tables",
    "tables": "walking the tree, or holding all hands in tables",
    "": "others",
}
"""{what algorithms see of a game, a key of `SEES`: what such algorithms do}. Those with the same value are drawn in one row of pictures."""


def groups_of(rows: Sequence[Row]) -> dict[str, list[str]]:
    """Return {group of algorithms, a value of `GROUPS`: the labels of the group's rows, see `labels`}, in the order of `GROUPS`."""
    out: dict[str, list[str]] = {group: [] for group in GROUPS.values()}
    names = labels(rows)
    for row in rows:
        mine = out[GROUPS[sees([row])]]
        if names[row["key"]] not in mine:
            mine.append(names[row["key"]])
    return out


def columns_of(rows: Sequence[Row]) -> list[tuple[int, float]]:
    """Return the columns of a table as pairs (kind, budget): first kind 1 with numbers of samples, then kind 0 with seconds.

    Each budget is one of `SAMPLES` or `SECONDS`, or the largest that a run was given. Columns without any run's score are left out.
    """
    asked = max(row["seconds"] or 0 for row in rows), max(row["samples"] or 0 for row in rows)
    columns = [
        (kind, budget)
        for kind, budgets in ((1, SAMPLES), (0, SECONDS))
        for budget in sorted({*budgets, *([asked[kind]] if asked[kind] else [])})
    ]
    return [(kind, budget) for kind, budget in columns if entries_of(rows, kind, budget)]


def deterministic(name: str) -> bool:
    """Return True if every seed gives this algorithm the same policy; False also if the algorithm is not installed."""
    return algorithms().get(name, Algorithm).deterministic


def _declared(row: Mapping[str, Any], what: str) -> Any:
    """Return what a row says of its learner under the key `what`, or else its algorithm's attribute `what`, or else the default."""
    return row.get(what) or getattr(algorithms().get(row["algorithm"], Algorithm), what)


def sees(runs: Sequence[Row]) -> str:
    """Return what the learner of these runs may see, a key of `SEES`: as its first row says, or else its algorithm; "" if unknown."""
    return _declared(runs[0], "sees") or ""


def scores_of(row: Row, policy: Scored | None = None) -> list[tuple[float, float, float]]:
    """Return the scores (seconds, samples, NashConv) of a run's "last" or "average" policy, by default of the one that `scored` names.

    The list is empty if that policy was not scored.
    """
    if policy in (None, _declared(row, "scored")):
        return row["points"]
    other = row.get("other") or []
    return [
        (seconds, samples, score)
        for (seconds, samples, _), score in zip(row["points"], other, strict=False)
        if score is not None
    ]


def ranked(board: RunsByName) -> list[tuple[str, Scored, list[Row]]]:
    """Return the lines of a game's table, best first: (label, policy, runs) for each policy, "last" or "average", that was scored.

    Algorithms that see least of the game come first. Lines whose algorithms see the same are ordered by the median NashConv of their runs
    after a number of samples: the largest number in `SAMPLES` after which at least half of these lines have a median. Lines without one
    there come next, ordered by their medians after fewer samples.
    """
    lines = [
        (label, policy, runs)
        for label, runs in board.items()
        for policy in get_args(Scored)
        if any(scores_of(row, policy) for row in runs)
    ]
    groups: defaultdict[int, list[tuple[str, Scored, list[Row]]]] = defaultdict(list)
    for one in lines:
        groups[[*SEES, ""].index(sees(one[2]))].append(one)
    return [one for _, group in sorted(groups.items()) for one in _ordered(group)]


def _ordered(lines: Sequence[tuple[str, Scored, list[Row]]]) -> list[tuple[str, Scored, list[Row]]]:
    """Return lines whose algorithms see the same of the game, in the order of their medians; see `ranked`."""
    medians = {
        budget: [_median_of(entries_of(runs, 1, budget, policy), len(runs)) for _, policy, runs in lines]
        for budget in sorted(SAMPLES, reverse=True)
    }
    reached = [found for found in medians.values() if 2 * sum(map(math.isfinite, found)) >= len(lines)]
    return [lines[i] for i in sorted(range(len(lines)), key=lambda i: [found[i] for found in reached])]


def _median_of(entries: Sequence[float], runs: int) -> float:
    return median(entries) if entries and 2 * len(entries) >= runs else math.inf


def boards_of(rows: Sequence[Row]) -> dict[str, RunsByName]:
    """Return the runs that count, by game and label, in the order of `ranked`.

    One run counts for each seed, and one in all if the algorithm is deterministic: the longest run that scored both the last and the
    average policy, or else the longest run.
    """
    names = labels(rows)
    longest: dict[tuple[str, str, int], Row] = {}
    for row in sorted(rows, key=lambda row: (bool(row.get("other")), row["seconds"] or 0, row["samples"] or 0)):
        seed = 0 if deterministic(row["algorithm"]) else row["seed"]
        longest[row["game"], names[row["key"]], seed] = row
    boards: dict[str, RunsByName] = {}
    for (game, name, _), row in sorted(longest.items(), key=lambda item: (item[0][0], item[0][2])):
        boards.setdefault(game, {}).setdefault(name, []).append(row)
    return {game: {label: runs for label, _, runs in ranked(board)} for game, board in boards.items()}


def median_run(runs: Sequence[Row]) -> Row:
    """Return the run whose last NashConv is the median of these runs; of an even number of runs, the worse of the two in the middle."""
    return sorted(runs, key=lambda run: run["points"][-1][2])[len(runs) // 2]


def at_budget(row: Row, kind: int, budget: float, policy: Scored | None = None) -> float | None:
    """Return the NashConv of a run's policy (`policy` as in `scores_of`) at a budget of training seconds or of samples.

    If `kind` is 0, the result is the last score within `budget` * `LATE` seconds. If `kind` is 1, the result is the score nearest to
    `budget` samples, which may be from `EARLY` to `LATE` times the budget.

    If the run was shorter or has no score near the budget, the result is its last score if the run converged, else None.
    """
    points, converged = scores_of(row, policy), row["ended"] == "converged"
    by_then = [point for point in points if point[kind] <= budget * LATE]
    if not by_then:
        return None
    if kind == 1 and (near := [point for point in by_then if point[kind] >= budget * EARLY]):
        return min(near, key=lambda point: abs(point[kind] - budget))[2]
    last = by_then[-1]
    return last[2] if (converged and last is points[-1]) or (kind == 0 and points[-1][kind] >= budget) else None


def entries_of(runs: Sequence[Row], kind: int, budget: float, policy: Scored | None = None) -> list[float]:
    """Return each run's NashConv at a budget of seconds (`kind` 0) or samples (`kind` 1), see `at_budget`; skip runs without one."""
    return [value for row in runs if (value := at_budget(row, kind, budget, policy)) is not None]
