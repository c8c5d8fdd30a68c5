"""The words of the leaderboard around its tables: names of games, how to read it, settings, searches and machines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict

from relance.baselines.algorithms import SEES, algorithms
from relance.baselines.boards import deterministic, labels, short_setting
from relance.baselines.openspiel_games import AnyGame, any_game
from relance.baselines.rows import Row
from relance.baselines.runs import FLOOR
from relance.baselines.tuning import Searched
from relance.model.game import Game
from relance.pages.plots.elements import plain


def reading(rows: Sequence[Row], thresholds: bool) -> list[str]:
    """The paragraphs that say what the figures mean."""
    names = ", ".join(name for name in sorted({row["algorithm"] for row in rows}) if deterministic(name))
    fixed = f" Nothing is random in {names}: one run is enough." if names else ""
    told = (
        "Thresholds are those that give each action its learned frequency, beside the published ones; they do not show with which hands "
        "the action is taken: a player who bets all hands below the middle equally often may have the thresholds of one who bets only "
        "the worst of them. The number in brackets does: how far the learned probabilities at the node are from the published ones, "
        "from 0 to 1 (half the sum of the absolute differences over actions, averaged over hands as they get there when both play as "
        "published). Both are medians over the runs whose policies are kept: here the median run of each algorithm."
    )
    far = (
        "A picture of distances shows how far the policy that learns is from the point to which the method's theorem says that it goes "
        "while its magnet stays: the quantal response equilibrium for the magnet it has then, with certified digits. A learner whose "
        "magnet moves follows a moving point."
    )
    moving = any(None not in row.get("distance", [None]) for row in rows)
    return [
        "NashConv is exact for finitely many hands; hands on [0, 1] are cut into cells until it changes by at most 0.001. The clock "
        "stops while a run is scored. An entry is the score nearest to a number of samples, if it is within 5%, or the last within the "
        f"seconds, over the runs that lasted that long: `-` means no run, `1 of 3` one of three. A run "
        f"whose NashConv reaches {FLOOR:g} has converged and ends; it keeps its score.{fixed} "
        "With five runs, the least and the most are a 94% confidence interval of the "
        "median. Processor seconds depend on the machine and on what else it does (a busy one did half as much in them), and on how a "
        "learner is written: they rank programs, not methods.",
        "",
        "Samples are games played to their end, also those before the first update, unless the row says what else a sample is. The last "
        "policy is what the learner would play now. The average is over training: that of the method itself where it has one (CFR, NFSP, "
        "PSRO, ESCHER, MMD of ours), otherwise equal shares of up to 64 snapshots since half of the samples. Rows made before both were "
        "scored say which is not run. Parameters are the numbers of the scored policy; a learner with as many features as the game has "
        "information sets is a table in disguise, whatever it sees: compare `mmd_sampled` with its control `mmd_tabular`.",
        "",
        "A picture of mistakes splits the NashConv of each algorithm's median run by decision: what it plays, and what would earn "
        "more against itself. So a missing bluff also shows at the node where the other player calls too much or too little. "
        "Policies are stored with three digits; runs closer to an equilibrium than that are left out.",
        "",
        "Algorithms are ranked among those that see as much of the game as they do, by the median after the most samples that at "
        "least half of them reached; an entry counts if at least half of the runs have it. Those that got less far follow:",
        "",
        *(f"- {word}: {meaning}." for word, meaning in SEES.items()),
        "",
        *([told, ""] if thresholds else []),
        *([far, ""] if moving else []),
        "Made by `relance sweep PLAN.yaml -o RESULTS.jsonl` and `relance leaderboard RESULTS.jsonl -o leaderboard.md`.",
    ]


def settings_of_runs(rows: Sequence[Row]) -> list[str]:
    """A table of the settings of each algorithm's runs."""
    names = labels(rows)
    used = {names[row["key"]]: row["settings"] for row in rows}
    known = {names[row["key"]]: algorithms().get(row["algorithm"]) for row in rows}
    lines = ["The settings of the runs, and whether they are today's defaults.", ""]
    lines += [line(["algorithm", "default", "settings"]), "|---|---|---|"]
    for name, settings in sorted(used.items()):
        found = known[name]
        default = "-" if found is None else "yes" if asdict(found.Settings()) == settings else "no"
        listed = ", ".join(f"{key}={short_setting(value)}" for key, value in settings.items()) or "none"
        lines.append(line([name, default, listed]))
    return lines


def search_told(search: Searched) -> list[str]:
    """A table of what the search found for each algorithm, and its cost."""
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
        line(heads),
        "|---|---|" + "---:|" * 7,
    ]
    for name, item in sorted(search.found.items(), key=lambda entry: entry[1].score):
        first = "-" if item.default is None else f"{item.default:.2g}"
        counts = [str(item.trials), str(item.failed), str(item.stopped), f"{item.seconds:,.0f}", f"{item.samples:,}"]
        scored = algorithms()[name].scored if name in algorithms() else "-"
        lines.append(line([name, scored, *counts, first, f"{item.score:.2g}"]))
    return lines


def line(cells: Iterable[str]) -> str:
    """A row of a table in Markdown."""
    return f"| {' | '.join(map(plain, cells))} |"


def origin(row: Row) -> str:
    """The machine and the versions of a run."""
    machine, versions = row["machine"], ", ".join(f"{name} {version}" for name, version in row["versions"].items())
    return f"{machine['cpu']}, {machine['cores']} cores, {machine['system']}, up to {row['jobs']} runs at a time; {versions}"


def origins(rows: Sequence[Row]) -> dict[str, str]:
    """A letter for each combination of machine and versions, the most frequent first."""
    order = Counter(map(origin, rows)).most_common()
    return {text: chr(ord("A") + i) if i < 26 else str(i) for i, (text, _) in enumerate(order)}


def machines(rows: Sequence[Row], origins: Mapping[str, str]) -> list[str]:
    """A line for each machine, with its letter."""
    lines = []
    for text, letter in origins.items():
        dates = sorted(row["date"] for row in rows if origin(row) == text)
        days = dates[0] if dates[0] == dates[-1] else f"{dates[0]} to {dates[-1]}"
        lines.append(f"- {letter}: {plain(text)}; {plain(days)}, {len(dates)} runs")
    if len(origins) > 1:
        lines += ["", "**The runs are of several machines or versions:** times of different letters do not compare."]
    return lines


def headings(texts: Sequence[str]) -> dict[str, str]:
    """A short name for each game, such as "Kuhn, 3 cards"; the full text where two names would be the same."""
    short = {text: short_name(any_game(text)) for text in texts}
    return {text: name if list(short.values()).count(name) == 1 else text for text, name in short.items()}


def short_name(game: AnyGame) -> str:
    """A game's short name with, for hands on [0, 1] that were cut into cells, their number."""
    if not isinstance(game, Game):
        return str(game)
    cells = len(game.cuts) - 1 if game.cuts else 0
    return game.blueprint.named(game.parameters) + f", {cells} hands" * bool(cells)
