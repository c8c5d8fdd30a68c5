"""The leaderboard: a page of NashConv after fixed budgets, with pictures, made from the rows of sweeps."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import numpy as np

from relance.baselines.algorithms import SEES, Scored, algorithms
from relance.baselines.boards import (
    RunsByName,
    boards_of,
    columns_of,
    deterministic,
    entries_of,
    gathered,
    groups_of,
    median_run,
    ranked,
    sample_of,
    sees,
)
from relance.baselines.openspiel_games import any_game
from relance.baselines.rows import Policy, Row
from relance.baselines.runs import FLOOR
from relance.baselines.tuning import Searched, read_found
from relance.model.files import check_writable, write_text
from relance.model.game import Game
from relance.model.strategy import Profile
from relance.pages.board_notes import (
    headings,
    machines,
    origin,
    origins,
    rows_table,
    search_told,
    settings_of_runs,
)
from relance.pages.plots.elements import page, plain, template
from relance.pages.plots.steps import layer_profile
from relance.pages.submissions import gaps_as_csv, latex_of, table_of
from relance.play.exact_score import score
from relance.play.thresholds import by_frequency, thresholds_of
from relance.solvers.method_choice import number_of_sets
from relance.solvers.mistakes import Mistake, mistakes

RUNS = 3
"""Entries from fewer runs than this are marked."""


def write_leaderboard(
    results: Sequence[Path],
    output: Path,
    tick: Callable[[int], None] = lambda total: None,
    csv: Path | None = None,
    latex: Path | None = None,
    gaps: Path | None = None,
) -> list[Path]:
    """Write the page and, beside it, its pictures; return the paths of all that was written.

    Args:
        results: results of sweeps, in JSON lines.
        output: the page; its pictures go beside it.
        tick: called after each game with the number of games.
        csv: write all entries to this file as values too.
        latex: write the medians by samples to this file as LaTeX tables.
        gaps: write the differences between learners, with 95% intervals, to this file.

    Raises:
        ValueError: an error of `gathered`, or a file cannot be written.
        OSError: the page cannot be written.
    """
    from relance.pages.plots.style import save

    rows, captions = gathered(results), dict[str, dict[str, str]]()
    every = ((csv, table_of), (latex, latex_of), (gaps, gaps_as_csv))
    tables = [(path, table) for path, table in every if path is not None]
    for path in (output, *(path for path, _ in tables)):
        check_writable(path)
    for text, drawn in leaderboard_pictures(rows, output.stem):
        captions[text] = {name: caption for name, caption, _ in drawn}
        for name, _, figure in drawn:
            save(figure, output.parent / name)
        tick(len(boards_of(rows)))
    write_text(output, leaderboard_page(rows, captions, searches_of(results)))
    for path, table in tables:
        write_text(path, table(rows))
    drawings = [output.parent / name for names in captions.values() for name in names]
    return [output, *drawings, *(path for path, _ in tables)]


class Drawn(NamedTuple):
    """A picture of the page: the name of its file, its caption, and the matplotlib figure."""

    name: str
    caption: str
    figure: Any


def leaderboard_pictures(rows: Sequence[Row], stem: str) -> Iterator[tuple[str, list[Drawn]]]:
    """For each game its pictures, in files whose names start with `stem`: curves, distances, learned strategies and mistakes.

    Raises:
        ImportError: matplotlib is not installed.
    """
    from relance.pages.learning_pictures import learned_strategies, learning_curves
    from relance.pages.plots.mistakes import mistake_map

    boards, groups = boards_of(rows), groups_of(rows)
    names = headings(list(boards))
    for text, board in boards.items():
        game, file, title = _on_interval(text), f"{stem}-{slug(names[text])}", names[text]
        curves = learning_curves(title, curves_of(board), groups)
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
    """The searches whose settings lie beside these files of results, as `relance sweep` writes them."""
    beside = (path.with_suffix(".settings.yaml") for path in results)
    return [read_found(path) for path in beside if path.is_file()]


def _on_interval(text: str) -> Game | None:
    """The game, if its hands are on [0, 1]."""
    game = any_game(text)
    return game if isinstance(game, Game) and game.deal.on_interval else None


def _policies(runs: Sequence[Row]) -> list[Policy]:
    return [policy for run in runs if (policy := run["policy"])]


def mistakes_of(board: RunsByName) -> dict[str, list[Mistake]]:
    """The mistakes of each label's median run, without the runs whose NashConv is that of rounding: rows keep three digits."""
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
"""For `relance.pages.learning_pictures.learning_curves`: by "seconds" and "samples", then by label, a curve for each run."""


def curves_of(
    board: RunsByName,
    scores: Callable[[Row], Sequence[Any]] = lambda row: [score for *_, score in row["points"]],
) -> CurvesByKind:
    """The curves of NashConv, or of other scores, of the labels all of whose runs have them.

    Scores below the floor are drawn at it, for the logarithmic axis.
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
    """The curves of the distance from the point that a learner's theorem names."""
    return curves_of(board, lambda row: row.get("distance", [None]))


def _published(game: Game) -> Profile | None:
    return game.whole.published() if game.whole.is_published else None


def slug(text: str) -> str:
    """A game's name as part of a file name."""
    text = text.replace("=-", "=minus ").replace(":-", ":minus ").replace("/", " over ").replace("'", "")
    return re.sub("[^a-z0-9_]+", "-", text.lower()).strip("-")


def leaderboard_page(
    rows: Sequence[Row], captions: Mapping[str, Mapping[str, str]], searches: Sequence[Searched] = ()
) -> str:
    """The page in Markdown. `captions` maps each game to the names of its picture files, each with its caption."""
    letters, boards = origins(rows), boards_of(rows)
    columns, names = columns_of(rows), headings(list(boards))
    thresholds = {text: _thresholds(_on_interval(text), board) for text, board in boards.items()}
    lines = list[str]()
    for text, board in boards.items():
        lines += ["", f"## {plain(names[text])}", "", *_table(board, columns, letters), ""]
        lines.append(f"`{plain(text)}`: {sets_in_words(text)}")
        for name, caption in captions.get(text, {}).items():
            lines += ["", f"![{caption}, {plain(names[text])}]({name})"]
        lines += thresholds[text]
    random = ", ".join(name for name in sorted({row["algorithm"] for row in rows}) if deterministic(name))
    moving = any(None not in row.get("distance", [None]) for row in rows)
    optional = {"leaderboard_thresholds.md": any(thresholds.values()), "leaderboard_distances.md": moving}
    more = [part for search in searches for part in ("", "## Search for settings", "", *search_told(search))]
    missing = ", ".join(sorted(set(algorithms()) - {row["algorithm"] for row in rows}))
    more += ["", f"No run yet: {missing}."] if missing else []
    return page(
        "leaderboard.md",
        boards=lines,
        floor=f"{FLOOR:g}",
        fixed=f" Nothing is random in {random}: one run is enough." if random else "",
        sees=(f"- {word}: {meaning}." for word, meaning in SEES.items()),
        notes="".join(template(name) for name, is_needed in optional.items() if is_needed),
        machines=machines(rows, letters),
        settings=settings_of_runs(rows),
        more=more,
    )


def _table(board: RunsByName, columns: Sequence[tuple[int, float]], letters: Mapping[str, str]) -> list[str]:
    budgets = [f"{budget:,.10g} {'samples' if kind else 's'}" for kind, budget in columns]
    heads = ["algorithm", "policy", "sees", "parameters", "runs", *budgets, *["machine"] * (len(letters) > 1)]
    lines = list[list[str]]()
    alone = Counter(name for name, _, _ in ranked(board))
    for name, policy, runs in ranked(board):
        enough = len(runs) >= RUNS or deterministic(runs[0]["algorithm"])
        found, unit = algorithms().get(runs[0]["algorithm"]), sample_of(runs)
        other = "average" if policy == "last" else "last"
        cells = [
            name + ", ours" * bool(found and found.ours),
            policy + f" ({other}: not run)" * (alone[name] == 1),
            (sees(runs) or "-") + f" (a sample is {unit})" * (unit != "a game"),
            next((f"{size:,}" for row in runs if (size := row.get("parameters"))), "-"),
            str(len(runs)) + ("" if enough else " (few)"),
        ]
        cells += [_cell(runs, kind, budget, policy) for kind, budget in columns]
        if len(letters) > 1:
            cells.append(", ".join(sorted({letters[origin(row)] for row in runs})))
        lines.append(cells)
    return rows_table(heads, lines, 3)


def sets_in_words(text: str) -> str:
    """Return the number of information sets of a game, in words."""
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
    """The distance of a row's policy from the published one at each node, see `relance.play.thresholds.differences`.

    Empty if the published strategies are a family, or the row stores averages over several hands.
    """
    cells = len(next(iter(policy.values()))[0])
    if game.deal.is_finite and cells != game.deal.size(0):
        return {}
    on, profile = layer_profile(game, policy)
    return score(on, profile).differences or {}


def _cell(runs: Sequence[Row], kind: int, budget: float, policy: Scored) -> str:
    """The median with its range, and how many of the runs have an entry."""
    values = entries_of(runs, kind, budget, policy)
    if not values:
        return "-"
    least, most = f"{min(values):.2g}", f"{max(values):.2g}"
    notes = [] if least == most else [f"{least} to {most}"]
    if len(values) < len(runs):
        notes.append(f"{len(values)} of {len(runs)}")
    together = ", ".join(notes).replace(" ", "\N{NO-BREAK SPACE}")
    return f"{median(values):.2g}" + (f" ({together})" if notes else "")
