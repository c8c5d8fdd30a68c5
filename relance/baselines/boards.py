"""The runs of sweeps by game and label: which ones count, their order, and their scores after fixed budgets."""

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
    """All rows of these files. Of runs with the same key, keep the one that finished, or the longest.

    A learner that was changed is run again into the same file: its later rows replace those of its earlier code.

    Raises:
        ValueError: a file is missing or damaged, there are no rows, or a run appears twice.
    """
    best: dict[str, tuple[Row, Path]] = {}
    for path in results:
        if not path.is_file():
            raise ValueError(f"there are no results {path}")
        read, is_cut = read_results(path)
        if is_cut:
            raise ValueError(f"the last line of {path} is cut short; `relance sweep` drops it")
        for row in read:
            other, where = best.setdefault(row["key"], (row, path))
            if where == path and row.get("code", "") != other.get("code", ""):
                best[row["key"]] = row, path
                continue
            if other is not row and "interrupted" not in (other["ended"], row["ended"]):
                run = f"{row['algorithm']} on {row['game']}, seed {row['seed']}"
                raise ValueError(f"{run} appears twice, in {where} and {path}")
            if _further(row) > _further(other):
                best[row["key"]] = row, path
    if not best:
        raise ValueError(f"there are no rows in {', '.join(map(str, results))}")
    return [row for row, _ in best.values()]


def parted(rows: Sequence[Row]) -> tuple[list[Row], list[Row]]:
    """The rows that are ranked, and those that are not as they leave something of their origin `unsaid`.

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
    """For the key of each row, the name of its algorithm and the settings in which the algorithm's rows differ."""
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
    """A setting as text, floats rounded to this many digits."""
    return f"{value:.{digits}g}" if isinstance(value, float) else str(value)


GROUPS = {
    "samples": "learning from games played to the end",
    "tree": "walking the tree, or holding all hands in tables",
    "tables": "walking the tree, or holding all hands in tables",
    "": "others",
}
"""What the algorithms of a picture's row do, by what they see."""


def groups_of(rows: Sequence[Row]) -> dict[str, list[str]]:
    """Group the labels by what their algorithms may see."""
    out: dict[str, list[str]] = {group: [] for group in GROUPS.values()}
    names = labels(rows)
    for row in rows:
        mine = out[GROUPS[sees([row])]]
        if names[row["key"]] not in mine:
            mine.append(names[row["key"]])
    return out


def columns_of(rows: Sequence[Row]) -> list[tuple[int, float]]:
    """The budgets that some run has an entry for, (1, samples) and then (0, seconds), with the longest that was asked for."""
    asked = max(row["seconds"] or 0 for row in rows), max(row["samples"] or 0 for row in rows)
    columns = [
        (kind, budget)
        for kind, budgets in ((1, SAMPLES), (0, SECONDS))
        for budget in sorted({*budgets, *([asked[kind]] if asked[kind] else [])})
    ]
    return [(kind, budget) for kind, budget in columns if entries_of(rows, kind, budget)]


def deterministic(name: str) -> bool:
    """True if an algorithm is deterministic; False if it is not installed."""
    return algorithms().get(name, Algorithm).deterministic


def _declared(row: Mapping[str, Any], what: str) -> Any:
    """What a row says of its learner, or else the algorithm, or else what algorithms are by default."""
    return row.get(what) or getattr(algorithms().get(row["algorithm"], Algorithm), what)


def sees(runs: Sequence[Row]) -> str:
    """Return what the algorithm of these runs may see of a game, as the rows say, or else the algorithm; empty if neither does."""
    return _declared(runs[0], "sees") or ""


def scores_of(row: Row, policy: Scored | None = None) -> list[tuple[float, float, float]]:
    """The points of a row for one of its policies, by default for the one that its points are of; empty if it was not scored."""
    if policy in (None, _declared(row, "scored")):
        return row["points"]
    other = row.get("other") or []
    return [
        (seconds, samples, score)
        for (seconds, samples, _), score in zip(row["points"], other, strict=False)
        if score is not None
    ]


def ranked(board: RunsByName) -> list[tuple[str, Scored, list[Row]]]:
    """The lines of a game's table: each label with each policy that was scored, in order.

    Those that see least of the game come first. Those that see as much are ordered by the median after the most samples of `SAMPLES` that
    at least half of them have an entry for, not by seconds. Those without an entry there follow in their order after fewer samples.
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
    """Lines that compare, in the order of their medians."""
    medians = {
        budget: [_median_of(entries_of(runs, 1, budget, policy), len(runs)) for _, policy, runs in lines]
        for budget in sorted(SAMPLES, reverse=True)
    }
    reached = [found for found in medians.values() if 2 * sum(map(math.isfinite, found)) >= len(lines)]
    return [lines[i] for i in sorted(range(len(lines)), key=lambda i: [found[i] for found in reached])]


def _median_of(entries: Sequence[float], runs: int) -> float:
    return median(entries) if entries and 2 * len(entries) >= runs else math.inf


def boards_of(rows: Sequence[Row]) -> dict[str, RunsByName]:
    """The runs by game and label, in the order of `ranked`: for each seed, or of all if nothing is random, the longest of those that scored
    both policies, or else of all."""
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
    """The run whose last NashConv is the median of these; of an even number, the worse of the two in the middle."""
    return sorted(runs, key=lambda run: run["points"][-1][2])[len(runs) // 2]


def at_budget(row: Row, kind: int, budget: float, policy: Scored | None = None) -> float | None:
    """The NashConv of a policy, as for `scores_of`: the last within a budget of seconds (kind 0), the nearest to one of samples (kind 1).

    None if the run was shorter, or has no score near the samples, see `EARLY`; a run that converged keeps its last score.
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
    """The scores of `at_budget`, for the runs that have one."""
    return [value for row in runs if (value := at_budget(row, kind, budget, policy)) is not None]
