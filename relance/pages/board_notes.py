"""The parts of the leaderboard around its scores: names of games, settings, searches and machines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict

from relance.baselines.algorithms import algorithms
from relance.baselines.boards import labels, short_setting
from relance.baselines.openspiel_games import AnyGame, any_game
from relance.baselines.rows import Row, unsaid
from relance.baselines.tuning import Searched
from relance.model.game import Game
from relance.pages.plots.elements import plain


def settings_of_runs(rows: Sequence[Row]) -> list[str]:
    """The lines of a Markdown table with the settings of each algorithm's runs."""
    names = labels(rows)
    used = {names[row["key"]]: row["settings"] for row in rows}
    known = {names[row["key"]]: algorithms().get(row["algorithm"]) for row in rows}
    lines = []
    for name, settings in sorted(used.items()):
        found = known[name]
        default = "-" if found is None else "yes" if asdict(found.Settings()) == settings else "no"
        listed = ", ".join(f"{key}={short_setting(value)}" for key, value in settings.items()) or "none"
        lines.append([name, default, listed])
    return rows_table(["algorithm", "default", "settings"], lines)


def left_told(left: Sequence[Row]) -> list[str]:
    """Markdown lines on the rows that are not ranked: for each learner, how many and what they lack; empty if none."""
    if not left:
        return []
    counts = Counter((row["algorithm"], ", ".join(unsaid(row))) for row in left)
    lines = ([name, str(count), said] for (name, said), count in sorted(counts.items()))
    words = f"{len(left)} rows do not say all that others need to make them again. No figure above is of them:"
    return ["## Not ranked", "", words, "", *rows_table(["learner", "rows", "does not say"], lines), ""]


def search_told(search: Searched) -> list[str]:
    """Markdown lines on a search for settings: its method and, for each algorithm, its trials, cost and best score."""
    budget = " or ".join(
        f"{number:,.10g} {kind}" for kind, number in (("s", search.seconds), ("samples", search.samples)) if number
    )
    whichever = ", whichever came first" if search.seconds and search.samples else ""
    games = ", ".join(f"{plain(short_name(any_game(text)))} (`{plain(text)}`)" for text in search.games)
    costs = ("trials", "failed", "stopped", "processor seconds", "samples")
    heads = ("algorithm", "policy", *costs, "score: defaults", "best")
    lines = [
        f"Before its runs, each algorithm was tuned on {games}, of which no result is reported here, with {len(search.seeds)} other "
        f"seeds, each run for {budget}{whichever}. The first trial has the defaults. A score is the NashConv of one policy, the "
        "last or the average over training, as a share of uniform play's: the median over seeds, then the geometric mean over games. "
        "Hopeless trials are stopped before their last seed.",
        "",
    ]
    rows = []
    for name, item in sorted(search.found.items(), key=lambda entry: entry[1].score):
        first = "-" if item.default is None else f"{item.default:.2g}"
        counts = [str(item.trials), str(item.failed), str(item.stopped), f"{item.seconds:,.0f}", f"{item.samples:,}"]
        scored = algorithms()[name].scored if name in algorithms() else "-"
        rows.append([name, scored, *counts, first, f"{item.score:.2g}"])
    return [*lines, *rows_table(heads, rows, 2)]


def rows_table(heads: Sequence[str], rows: Iterable[Sequence[str]], words: int | None = None) -> list[str]:
    """The lines of a table in Markdown; columns after the first `words`, if given, hold numbers, aligned right."""
    marks = ["---"] * len(heads) if words is None else ["---"] * words + ["---:"] * (len(heads) - words)
    return [line(heads), f"|{'|'.join(marks)}|", *map(line, rows)]


def line(cells: Iterable[str]) -> str:
    """Return a row of a table in Markdown."""
    return f"| {' | '.join(map(plain, cells))} |"


def origin(row: Row) -> str:
    """The machine of a run and the versions of its packages, as text."""
    machine, versions = row["machine"], ", ".join(f"{name} {version}" for name, version in row["versions"].items())
    return f"{machine['cpu']}, {machine['cores']} cores, {machine['system']}, up to {row['jobs']} runs at a time; {versions}"


def origins(rows: Sequence[Row]) -> dict[str, str]:
    """Return {text of `origin`: symbol} for the rows' machines and packages: A for the most frequent text, then B and so on."""
    order = Counter(map(origin, rows)).most_common()
    return {text: chr(ord("A") + i) if i < 26 else str(i) for i, (text, _) in enumerate(order)}


def machines(rows: Sequence[Row], origins: Mapping[str, str]) -> list[str]:
    """Return Markdown lines, one for each machine with its packages: symbol, description, and the dates and number of its `rows`.

    `origins` is {description: symbol}, from the function `origins`; the function `origin` gives the description of a row's machine.
    """
    lines = []
    for text, symbol in origins.items():
        dates = sorted(row["date"] for row in rows if origin(row) == text)
        days = dates[0] if dates[0] == dates[-1] else f"{dates[0]} to {dates[-1]}"
        lines.append(f"- {symbol}: {plain(text)}; {plain(days)}, {len(dates)} runs")
    if len(origins) > 1:
        lines += ["", "**The runs are of several machines or versions:** times of different symbols do not compare."]
    return lines


def headings(texts: Sequence[str]) -> dict[str, str]:
    """A short name for each game, such as "Kuhn, 3 cards"; the full text where two names would be the same."""
    short = {text: short_name(any_game(text)) for text in texts}
    return {text: name if list(short.values()).count(name) == 1 else text for text, name in short.items()}


def short_name(game: AnyGame) -> str:
    """A game's short name and, if its hands on [0, 1] were cut into cells, the number of cells."""
    if not isinstance(game, Game):
        return str(game)
    cells = len(game.cuts) - 1 if game.cuts else 0
    return game.blueprint.short_name(game.parameters) + f", {cells} hands" * bool(cells)


def slug(text: str) -> str:
    """A game's name as part of a file name."""
    text = text.replace("=-", "=minus ").replace(":-", ":minus ").replace("/", " over ").replace("'", "")
    return re.sub("[^a-z0-9_]+", "-", text.lower()).strip("-")
