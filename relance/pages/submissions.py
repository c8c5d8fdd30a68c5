"""Rows that others send: whether they can be made again, and all scores as a table of values."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from itertools import combinations
from statistics import median

import numpy as np

from relance.baselines.algorithms import algorithm, code_of
from relance.baselines.boards import RunsByName, at_budget, boards_of, columns_of, entries_of, ranked, sees
from relance.baselines.openspiel_games import any_game
from relance.baselines.rows import Row
from relance.baselines.runs import carried_out, planned
from relance.pages.board_notes import headings

SAME = 1e-3
"""How far, as a share, a score that is made again may be off: machines add floats in other orders."""

KINDS = ("seconds", "samples")
"""What a budget counts."""

HEADS = ("game", "algorithm", "policy", "sees", "budget", "kind", "runs", "median", "least", "most")
"""The columns of the CSV: a line for each entry, with NashConv in chips."""


def faults_of(row: Row, most: int) -> list[str]:
    """Run a row's learner again, up to its last score at no more than `most` samples, and return what is wrong with the row.

    Returns:
        A sentence for each score of either policy that differs, for what the row says of its learner, for code that has changed, or for a
        row without such a score; none if all is right.

    Raises:
        ValueError, ImportError: the learner or its game is not at hand.
    """
    others = row.get("other") or [None] * len(row["points"])
    pairs = zip(row["points"], others, strict=False)
    due = {int(samples): (score, other) for (_, samples, score), other in pairs if samples <= most}
    if not due:
        return [f"it has no score at {most:,} samples or less"]
    name, faults = row["algorithm"], list[str]()
    chosen, game = algorithm(name), any_game(row["game"])
    if row.get("code", "") not in ("", code_of(name)):
        faults.append(f"it was made by other code, {row['code']}; this is {code_of(name)}")
    for key, right in {"sees": chosen.sees or "", "sample": chosen.sample, "scored": chosen.scored}.items():
        if row.get(key, right) != right:
            faults.append(f"{key} is {right!r}, not {row.get(key)!r}")
    for point in carried_out(planned(name, game, None, max(due), row["seed"], row["settings"]), sorted(due)).points:
        told = due.get(point.samples, (None, None))
        scores = zip(("NashConv", "that of its other policy"), told, (point.nash_conv, point.other), strict=True)
        for what, score, made in scores:
            if score is not None and (made is None or abs(score - made) > SAME * max(score, made)):
                found = "not known" if made is None else f"{made:.6g}"
                faults.append(f"at {point.samples:,} samples {what} is {found}, not {score:.6g}")
    return faults


def table_of(rows: Sequence[Row]) -> str:
    """All entries of the boards as CSV, in the columns of `HEADS`."""
    lines: list[Sequence[object]] = [HEADS]
    for game, board in boards_of(rows).items():
        for name, policy, runs in ranked(board):
            for kind, budget in columns_of(rows):
                if values := entries_of(runs, kind, budget, policy):
                    of = game, name, policy, sees(runs), f"{budget:.0f}", KINDS[kind]
                    lines.append((*of, len(values), median(values), min(values), max(values)))
    return _csv(lines)


def _csv(lines: Sequence[Sequence[object]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(lines)
    return out.getvalue()


def latex_of(rows: Sequence[Row]) -> str:
    """The median after each number of samples as a LaTeX table for each game, for the package booktabs."""
    budgets = [(kind, budget) for kind, budget in columns_of(rows) if kind == 1]
    names, out = headings(list(boards_of(rows))), []
    for game, board in boards_of(rows).items():
        heads = ["algorithm", "policy", *(f"{budget:,.0f}" for _, budget in budgets)]
        lines = [
            [name, policy, *(f"{median(found):.2g}" if found else "--" for found in entries)]
            for name, policy, runs in ranked(board)
            if any(entries := [entries_of(runs, kind, budget, policy) for kind, budget in budgets])
        ]
        body = [" & ".join(map(_escaped, cells)) + r" \\" for cells in [heads, *lines]]
        out += [
            rf"\begin{{table}}\caption{{NashConv in chips after so many samples: {_escaped(names[game])}}}",
            rf"\begin{{tabular}}{{ll{'r' * len(budgets)}}}\toprule",
            body[0] + r"\midrule",
            *body[1:],
            r"\bottomrule\end{tabular}\end{table}",
        ]
    return "\n".join(out) + "\n"


GAPS = ("game", "first", "second", "budget", "kind", "mean", "low", "high")
"""The columns of the CSV of differences, see `gaps_between_learners`."""


def gaps_as_csv(rows: Sequence[Row]) -> str:
    """All differences between two learners of a game, with their intervals, as CSV in the columns of `GAPS`."""
    lines: list[Sequence[object]] = [GAPS]
    for game, board in boards_of(rows).items():
        for kind, budget in columns_of(rows):
            for pair, gap in gaps_between_learners(board, kind, budget).items():
                lines.append((game, *pair, f"{budget:.0f}", KINDS[kind], *(f"{g:.6g}" for g in gap)))
    return _csv(lines)


def _escaped(text: str) -> str:
    return re.sub(r"([&%$#_{}])", r"\\\1", text)


def gaps_between_learners(
    board: RunsByName, kind: int, budget: float
) -> dict[tuple[str, str], tuple[float, float, float]]:
    """By pair of labels, the mean NashConv of the first less that of the second after a budget, with a 95% interval.

    The interval is a percentile bootstrap over runs: with few runs it is too narrow. Pairs with fewer than two runs each are left out.
    """
    found = {
        name: np.array([v for row in runs if (v := at_budget(row, kind, budget)) is not None])
        for name, runs in board.items()
    }
    rng, out = np.random.default_rng(0), {}
    for first, second in combinations([name for name, values in found.items() if len(values) > 1], 2):
        means = [
            found[name][rng.integers(len(found[name]), size=(2000, len(found[name])))].mean(axis=1)
            for name in (first, second)
        ]
        low, high = np.quantile(means[0] - means[1], [0.025, 0.975])
        out[first, second] = float(found[first].mean() - found[second].mean()), float(low), float(high)
    return out
