"""The leaderboard as files: CSV of all scores, CSV of the gaps between learners, and LaTeX tables for a paper."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from statistics import median

from relance.baselines.algorithms import SEES
from relance.baselines.boards import RunsByName, boards_of, columns_of, ranked, sees
from relance.baselines.openspiel_games import any_game, uniform_nash_conv
from relance.baselines.rows import Row
from relance.pages.board_notes import headings, slug
from relance.pages.board_tables import KINDS, Cell, Column, Part, digits, entries, estimate, game_table, middle, summary

HEADS = (
    "game", "algorithm", "policy", "sees", "budget", "kind", "runs", "median", "low", "high", "least", "most", "share",
)  # fmt: skip
"""The columns of `table_of`. NashConv is in chips; its 95% interval, low to high; share is median / uniform play's."""

GAPS = ("game", "algorithm", "policy", "sees", "budget", "kind", "figure", "behind", "low", "high")
"""The columns of `gaps_as_csv`: NashConv in chips or, in lines over several games, as a share of uniform play's."""


def table_of(rows: Sequence[Row]) -> str:
    """All scores of these results as CSV text: a line per game, learner, policy and budget, with columns `HEADS`."""
    lines: list[Sequence[object]] = [HEADS]
    for game, board in boards_of(rows).items():
        uniform = uniform_nash_conv(any_game(game))
        for name, policy, runs in ranked(board):
            for kind, budget in columns_of(rows):
                column = Column(kind, budget, policy)
                if values := entries(runs, column):
                    of = game, name, policy, sees(runs), f"{budget:.0f}", KINDS[kind], min(len(values), len(runs))
                    _, *interval = estimate(middle, [values])
                    spread = (median(values), *interval, min(values), max(values), median(values) / uniform)
                    lines.append((*of, *(f"{value:.6g}" for value in spread)))
    return _csv(lines)


def gaps_as_csv(rows: Sequence[Row]) -> str:
    """CSV text with the columns `GAPS`: how far each NashConv is above the least one of learners with the same access to the game.

    `SEES` has the kinds of access.
    """
    lines: list[Sequence[object]] = [GAPS]
    wide, over = summary(rows)
    tables = [(game, *game_table(board)) for game, board in boards_of(rows).items()]
    for game, columns, parts in [*tables, ("", wide, over)]:
        for part in parts:
            for label, cells in part.cells.items():
                for column, cell in zip(columns, cells, strict=True):
                    if cell:
                        of = game or f"{len(column.games)} games", label, column.policy, part.sees
                        gap = [f"{value:.6g}" for value in (cell.estimate.value, *(cell.gap or (0, 0, 0)))]
                        lines.append((*of, f"{column.budget:.0f}", KINDS[column.kind], *gap))
    return _csv(lines)


def _csv(lines: Sequence[Sequence[object]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(lines)
    return out.getvalue()


def latex_of(rows: Sequence[Row]) -> str:
    """The tables as LaTeX text for the package booktabs: one over games and one for each game, each with a label."""
    boards = boards_of(rows)
    names = headings(list(boards))
    wide, over = summary(rows)
    out = ["% \\usepackage{booktabs}"]
    if wide:
        what = r"NashConv as a share of uniform play's (\%): interquartile means over games"
        out += _latex("games", what, wide, over, {}, 100)
    for game, board in boards.items():
        what = f"NashConv in chips, {_escaped(names[game])}: medians over runs"
        out += _latex(slug(names[game]), what, *game_table(board), board)
    return "\n".join(out) + "\n"


def _latex(
    label: str, what: str, columns: Sequence[Column], parts: Sequence[Part], board: RunsByName, scale: float = 1
) -> list[str]:
    spans = list(dict.fromkeys(column.spent for column in columns))
    heads = [rf"\multicolumn{{2}}{{c}}{{{_spent(*spent)}}}" for spent in spans]
    rules = [rf"\cmidrule(lr){{{2 * i + 2}-{2 * i + 3}}}" for i in range(len(spans))]
    runs = ["runs"] * bool(board)
    lines = [
        rf"\begin{{table}}\caption{{{what}, with 95\% bootstrap intervals. Bold: the least of those that see as much; "
        r"$\approx$: the interval of the difference from it has 0 in it.}",
        rf"\label{{tab:{label}}}\centering\small",
        rf"\begin{{tabular}}{{l{'r' * (len(columns) + len(runs))}}}\toprule",
        " & ".join(["", *heads, *[""] * len(runs)]) + r" \\ " + "".join(rules),
        " & ".join(["learner", *(column.policy for column in columns), *runs]) + r" \\",
    ]
    for part in parts:
        said = f"sees {part.sees}" if part.sees in SEES else "others"
        lines.append(rf"\midrule \multicolumn{{{len(columns) + 1 + len(runs)}}}{{l}}{{\emph{{{said}}}}} \\")
        for name, cells in part.cells.items():
            count = [str(len(board[name]))] if board else []
            lines.append(" & ".join([_escaped(name), *(_cell(cell, scale) for cell in cells), *count]) + r" \\")
    return [*lines, r"\bottomrule\end{tabular}\end{table}"]


def _spent(kind: int, budget: float, games: Sequence[str]) -> str:
    return f"{budget:,.10g} {KINDS[kind]}" + (f", {len(games)} games" if games else "")


def _cell(cell: Cell | None, scale: float) -> str:
    if cell is None:
        return "--"
    value, low, high = (digits(figure * scale) for figure in cell.estimate)
    shown = rf"\textbf{{{value}}}" if cell.gap is None else value
    interval = "" if low == high or low == "nan" else f" ({low}--{high})"
    return (r"$\approx$" if cell.is_level else "") + shown + interval


def _escaped(text: str) -> str:
    return re.sub(r"([&%$#_{}])", r"\\\1", text)
