"""The leaderboard: a page with pictures of learners' NashConv after fixed budgets, from results of `relance sweep`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np

from relance.baselines.algorithms import SEES, algorithms
from relance.baselines.boards import RunsByName, boards_of, deterministic, gathered, groups_of, median_run, parted
from relance.baselines.openspiel_games import any_game
from relance.baselines.rows import Policy, Row
from relance.baselines.runs import FLOOR
from relance.baselines.tuning import Searched, read_found
from relance.model.files import check_writable, write_text
from relance.model.game import Game
from relance.model.strategy import Profile
from relance.pages.board_files import gaps_as_csv, latex_of, table_of
from relance.pages.board_notes import (
    headings,
    left_told,
    machines,
    origins,
    rows_table,
    search_told,
    settings_of_runs,
    slug,
)
from relance.pages.board_tables import KINDS, Cell, Column, Part, digits, game_table, summary
from relance.pages.plots.elements import page, plain, template
from relance.pages.plots.steps import layer_profile
from relance.play.exact_score import score
from relance.play.thresholds import by_frequency, thresholds_of
from relance.solvers.method_choice import number_of_sets
from relance.solvers.mistakes import Mistake, mistakes

RUNS = 3
"""A learner with fewer runs than this is marked "(few)" in the tables, unless nothing in it is random."""

NARROW = "\N{NO-BREAK SPACE}"
"""The non-breaking space, which keeps a number and its interval on one line of a table."""


def write_leaderboard(
    results: Sequence[Path],
    output: Path,
    tick: Callable[[int], None] = lambda total: None,
    csv: Path | None = None,
    latex: Path | None = None,
    gaps: Path | None = None,
    games: Sequence[str] = (),
) -> list[Path]:
    """Write the leaderboard and its pictures; return the paths of all files written. After an error nothing has changed.

    Args:
        results: files of results of `relance sweep`, in JSON lines.
        output: the Markdown file of the page; the pictures go into the same folder.
        tick: called after each game with the total number of games.
        csv: also write all scores to this CSV file, with 95% intervals.
        latex: also write the tables to this LaTeX file, for the package booktabs.
        gaps: also write to this CSV file how far each learner is above the least NashConv, with 95% intervals.
        games: only results on these games; all games by default.

    Raises:
        ValueError: the results cannot be read or ranked, one of the `games` has no run, or a file cannot be written.
        OSError: the page cannot be written.
    """
    from relance.pages.plots.style import save

    rows, left = parted(on_games(gathered(results), games))
    captions = dict[str, dict[str, str]]()
    every = ((csv, table_of), (latex, latex_of), (gaps, gaps_as_csv))
    tables = [(path, table) for path, table in every if path is not None]
    for path in (output, *(path for path, _ in tables)):
        check_writable(path)
    with TemporaryDirectory(dir=output.parent, prefix=".relance-") as folder:
        for text, drawn in leaderboard_pictures(rows, output.stem):
            captions[text] = {name: caption for name, caption, _ in drawn}
            for name, _, figure in drawn:
                save(figure, Path(folder) / name)
            tick(len(boards_of(rows)))
        page = leaderboard_page(rows, captions, searches_of(results), left)
        texts = [(path, table(rows)) for path, table in tables]
        drawings = [output.parent / name for names in captions.values() for name in names]
        for drawing in drawings:
            (Path(folder) / drawing.name).replace(drawing)
    for path, text in (*texts, (output, page)):
        write_text(path, text)
    return [output, *drawings, *(path for path, _ in tables)]


def on_games(rows: Sequence[Row], games: Sequence[str]) -> list[Row]:
    """The rows of results on these games, or all rows if `games` is empty.

    Raises:
        ValueError: one of the games has no row.
    """
    wanted = [any_game(text) for text in games]
    there = {text: any_game(text) for text in dict.fromkeys(row["game"] for row in rows)}
    for game in wanted:
        if game not in there.values():
            raise ValueError(f"there is no run on {game}; the runs are on {'; '.join(there)}")
    return [row for row in rows if not wanted or there[row["game"]] in wanted]


class Drawn(NamedTuple):
    """A picture of the leaderboard: the name of its file, its caption, and the matplotlib figure."""

    name: str
    caption: str
    figure: Any


def leaderboard_pictures(rows: Sequence[Row], stem: str) -> Iterator[tuple[str, list[Drawn]]]:
    """For each game, its text and its pictures: curves, learned strategies, mistakes. Names of files start with `stem`.

    Raises:
        ImportError: matplotlib is not installed.
    """
    from relance.pages.learning_pictures import learned_strategies, learning_curves
    from relance.pages.plots.mistakes import mistake_map

    boards, groups = boards_of(rows), groups_of(rows)
    names = headings(list(boards))
    for text, board in boards.items():
        game, file, title = _on_interval(text), f"{stem}-{slug(names[text])}", names[text]
        means = [name for name, runs in board.items() if runs[0].get("scored") == "average"]
        curves = learning_curves(title, curves_of(board), groups, averages=means)
        drawn = [Drawn(f"{file}.svg", "NashConv against seconds and samples", curves)]
        if (far := distance_curves_of(board))["seconds"]:
            away = learning_curves(title, far, groups, "largest difference of a probability")
            drawn.append(Drawn(f"{file}-distance.svg", "Distance from the point that the method's theorem names", away))
        policies = {name: learned for name, runs in board.items() if (learned := _policies(runs))}
        if policies and game:
            over = learned_strategies(game, policies, _published(game))
            drawn.append(Drawn(f"{file}-strategies.svg", "Learned strategies over the published ones", over))
        if found := mistakes_of(board):
            wrong = mistake_map(title, found)
            drawn.append(Drawn(f"{file}-mistakes.svg", "What each does wrong, as parts of its NashConv", wrong))
        yield text, drawn


def searches_of(results: Sequence[Path]) -> list[Searched]:
    """The searches for settings: `relance sweep` writes each beside its file of results, as RESULTS.settings.yaml."""
    beside = (path.with_suffix(".settings.yaml") for path in results)
    return [read_found(path) for path in beside if path.is_file()]


def _on_interval(text: str) -> Game | None:
    """The game, if its hands are on [0, 1]."""
    game = any_game(text)
    return game if isinstance(game, Game) and game.deal.on_interval else None


def _policies(runs: Sequence[Row]) -> list[Policy]:
    return [policy for run in runs if (policy := run["policy"])]


def mistakes_of(board: RunsByName) -> dict[str, list[Mistake]]:
    """Return {label: mistakes of the learner's median run}, without runs whose stored policy is missing or off by over 50% in NashConv."""
    out = {}
    for label, runs in board.items():
        row = median_run(runs)
        game, policy = any_game(row["game"]), row["policy"]
        if isinstance(game, Game) and policy:
            found, true = mistakes(*layer_profile(game, policy)), row["points"][-1][2]
            if abs(sum(one.cost for one in found) - true) <= true / 2:
                out[label] = found
    return out


CurvesByKind = dict[str, dict[str, list[list[tuple[float, float]]]]]
"""{"seconds" or "samples": {label: a curve for each run}}; a curve is a list of points (seconds or samples, score)."""


def curves_of(
    board: RunsByName, scores: Callable[[Row], Sequence[Any]] = lambda row: [score for *_, score in row["points"]]
) -> CurvesByKind:
    """The curves of each label's runs: NashConv in chips, or other `scores`, against seconds and against samples.

    A label is left out if one of its runs lacks these scores. A score below `FLOOR` becomes `FLOOR`, for the logarithmic axis.
    """
    known = {name: runs for name, runs in board.items() if all(None not in scores(row) for row in runs)}
    return {
        kind: {
            name: [
                [
                    (max(spent[i], least), max(score, FLOOR))
                    for spent, score in zip(row["points"], scores(row), strict=True)
                ]
                for row in runs
            ]
            for name, runs in known.items()
        }
        for i, (kind, least) in enumerate((("seconds", 1e-4), ("samples", 1)))
    }


def distance_curves_of(board: RunsByName) -> CurvesByKind:
    """Return curves of the largest difference in a probability between a policy and the one to which its learner provably converges."""
    return curves_of(board, lambda row: row.get("distance", [None]))


def _published(game: Game) -> Profile | None:
    return game.whole.published() if game.whole.is_published else None


def leaderboard_page(
    rows: Sequence[Row],
    captions: Mapping[str, Mapping[str, str]],
    searches: Sequence[Searched] = (),
    left: Sequence[Row] = (),
) -> str:
    """The leaderboard page as Markdown text.

    Args:
        rows: the rows of results that are ranked, see `relance.baselines.boards.parted`.
        captions: by the text of a game, the names of its picture files, each with its caption.
        searches: the searches that found the settings.
        left: the rows that are not ranked; the page counts them and says what they lack.
    """
    boards = boards_of(rows)
    names = headings(list(boards))
    thresholds = {text: _thresholds(_on_interval(text), board) for text, board in boards.items()}
    lines = list[str]()
    for text, board in boards.items():
        more = [f"`{plain(text)}`: {sets_in_words(text)}; NashConv in chips.", "", *_table(*game_table(board), board)]
        lines += ["", f"## {plain(names[text])}", "", *more]
        for name, caption in captions.get(text, {}).items():
            lines += ["", f"![{caption}, {plain(names[text])}]({name})"]
        lines += thresholds[text]
    wide, over = summary(rows)
    random = ", ".join(name for name in sorted({row["algorithm"] for row in rows}) if deterministic(name))
    moving = any(None not in row.get("distance", [None]) for row in rows)
    optional = {"leaderboard_thresholds.md": any(thresholds.values()), "leaderboard_distances.md": moving}
    more = [part for search in searches for part in ("", "## Search for settings", "", *search_told(search))]
    missing = ", ".join(sorted(set(algorithms()) - {row["algorithm"] for row in rows}))
    more += ["", f"No run yet: {missing}."] if missing else []
    return page(
        "leaderboard.md",
        summary=["## Over games", "", "NashConv in percent of uniform play's.", "", *_table(wide, over, {}, 100), ""]
        if wide
        else "",
        boards=lines,
        floor=f"{FLOOR:g}",
        fixed=f" Nothing is random in {random}: one run is enough." if random else "",
        sees=(f"- **{word}**: {meaning}." for word, meaning in SEES.items()),
        notes="".join(template(name) for name, is_needed in optional.items() if is_needed),
        left=left_told(left),
        machines=machines(rows, origins(rows)),
        settings=settings_of_runs(rows),
        more=more,
    )


def _table(columns: Sequence[Column], parts: Sequence[Part], board: RunsByName, scale: float = 1) -> list[str]:
    """A table in Markdown, names and figures first; the table over games has no `board`."""
    ends = ["runs", "parameters"] if board else []
    filled = [i for i in range(len(columns)) if any(cells[i] for part in parts for cells in part.cells.values())]
    heads = ["learner", *(_head(columns[i]) for i in filled), *ends]
    lines = [f"| {' | '.join(heads)} |", f"|---{'|---:' * (len(heads) - 1)}|"]
    for part in parts:
        said = f"sees {part.sees}" if part.sees else "does not say what it sees"
        lines.append(f"| *{said}* {'| ' * (len(heads) - 1)}|")
        for label, cells in part.cells.items():
            runs = board.get(label, [])
            found = algorithms().get(runs[0]["algorithm"] if runs else label.partition(" (")[0])
            words = [_cell(cells[i], len(runs), scale) for i in filled]
            if board:
                few = " (few)" * (len(runs) < RUNS and not deterministic(runs[0]["algorithm"]))
                size = next((f"{size:,}" for row in runs if (size := row.get("parameters"))), "-")
                words += [f"{len(runs)}{few}", size]
            name = plain(label) + f",{NARROW}ours" * bool(found and found.ours)
            lines.append(f"| {' | '.join([name, *words]).replace(' (', NARROW + '(')} |")
    return lines


def _head(column: Column) -> str:
    over = f", {len(column.games)} games" if column.games else ""
    return f"{column.policy}, {column.budget:,.10g} {KINDS[column.kind] if column.kind else 's'}{over}"


def _cell(cell: Cell | None, runs: int, scale: float) -> str:
    """A figure with its interval, and how many of the runs have one."""
    if cell is None:
        return "-"
    value, low, high = (digits(figure * scale) for figure in cell.estimate)
    notes = [] if low in (high, "nan") else [f"{low} to {high}"]
    notes += [f"{cell.runs} of {runs}"] * (cell.runs < runs)
    shown = f"**{value}**" if cell.gap is None else "≈ " * cell.is_level + value
    return (shown + (f" ({', '.join(notes)})" if notes else "")).replace(" ", NARROW)


def sets_in_words(text: str) -> str:
    """Return in words how many information sets the game with the name `text` has; for one of OpenSpiel, "a game of OpenSpiel"."""
    game = any_game(text)
    if not isinstance(game, Game):
        return "a game of OpenSpiel"
    if not game.deal.is_finite:
        return "infinitely many information sets"
    return f"{number_of_sets(game):,} information sets"


def _thresholds(game: Game | None, board: RunsByName) -> list[str]:
    """For hands on [0, 1], a table of the published thresholds and of those that match each action's learned frequency."""
    published = _published(game) if game else None
    if game is None or published is None:
        return []
    actions = [
        (name, i, action, *thresholds_of(published[name][i]))
        for name, node in game.tree.decisions.items()
        for i, action in enumerate(node.actions)
        if i > 0
    ]
    if len(actions) > 4:  # the table would be wider than a page
        return []
    heads = [
        f"{action} {f'after {name}' if name else 'first'}: {', '.join(f'{cut:.4f}' for cut in printed)}"
        for name, _, action, printed, _ in actions
    ]
    lines = list[list[str]]()
    for label, runs in board.items():
        cells, policies = [label], _policies(runs)
        off = [distances(game, policy) for policy in policies]
        for name, i, _, printed, starts in actions:
            rows = [np.array(policy[name][i]) for policy in policies]
            learned = [by_frequency(row, printed, starts, (np.arange(len(row)) + 0.5) / len(row)) for row in rows]
            cell = ", ".join(f"{median(values):.4f}" for values in zip(*learned, strict=True)) or "-"
            known = [far[name] for far in off if name in far]
            cells.append(cell + (f" ({median(known):.3f})" if known else ""))
        lines.append(cells)
    return ["", *rows_table(["algorithm", *heads], lines)]


def distances(game: Game, policy: Mapping[str, Sequence[Sequence[float]]]) -> dict[str, float]:
    """At each node, the mean over hands of half the absolute differences between `policy` and published probabilities.

    Empty if the published strategies are a family, or if `policy` holds averages over several hands.
    """
    cells = len(next(iter(policy.values()))[0])
    if game.deal.is_finite and cells != game.deal.size(0):
        return {}
    on, profile = layer_profile(game, policy)
    return score(on, profile).differences or {}
