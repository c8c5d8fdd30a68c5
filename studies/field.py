"""Who is ahead among the learners of studies/field.yaml, from docs/results/field.jsonl and searched.jsonl.

`python -m studies.field` writes docs/field.md, all comparisons into docs/field.csv, and the scores with searched settings into
docs/searched.csv.

`python -m studies.field thin FILE` drops what the pages do not use from a file of results, or of trials (*.search.jsonl);
`thin docs/results/searched.jsonl none`, as no page draws those policies.
"""

from __future__ import annotations

import csv
import io
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import comb
from pathlib import Path
from statistics import mean, median
from typing import NamedTuple, get_args

from relance.baselines.algorithms import Scored, algorithms
from relance.baselines.board_notes import headings, line, search_told
from relance.baselines.boards import boards_of, entries_of, gathered, thinned
from relance.baselines.leaderboard import RUNS, searches_of, sets_in_words
from relance.baselines.openspiel_games import any_game, uniform_nash_conv
from relance.baselines.rows import Row, as_text
from relance.baselines.submissions import table_of
from relance.baselines.tuning import Searched, read_found
from relance.files import write_text

PLAIN = "without"
GENERIC = ("ppo", "ppg", "mmd_published")
SPECIAL = ("rnad", "openspiel_nfsp", "openspiel_psro", "openspiel_escher")
OURS = "mmd_sampled"
OTHERS = ("ppo", "ppg", "mmd_published", "nash_pg", "emagnet", "rnad", "openspiel_nfsp", "openspiel_psro")
"""All others that learn from games played to the end, on our games."""

CONTROL = "mmd_tabular"
"""Ours, counting in a table."""

OURS_AND_OTHERS = f"{OURS} / the others, averages"

BOTH = "the average / the last policy"
"""The question that compares each learner with itself."""


class Question(NamedTuple):
    """Whether the best of the first learners is ahead of the best of the second, each by one of its policies."""

    text: str
    firsts: Sequence[str]
    seconds: Sequence[str]
    policies: tuple[Scored, Scored] = ("last", "last")


QUESTIONS = (
    Question("policy gradients / the others", GENERIC, SPECIAL),
    Question("PPO with / without its entropy bonus", ("ppo",), (PLAIN,)),
    Question(OURS_AND_OTHERS, (OURS,), OTHERS, ("average", "average")),
    Question(f"{OURS} / its table, averages", (OURS,), (CONTROL,), ("average", "average")),
    *(Question(BOTH, (name,), (name,), ("average", "last")) for name in (*OTHERS, OURS, CONTROL)),
)

BUDGETS = (100_000, 1_000_000, 10_000_000)
"""Samples after which learners are compared."""

TOLD = BUDGETS[1]
"""The samples of which the page names the games."""

Scores = Mapping[str, Mapping[str, Sequence[float]]]
"""NashConv at a budget by game and learner, a number for each seed."""


def learner(row: Row) -> str:
    """The algorithm of a run; PPO without an entropy bonus has a name of its own."""
    return PLAIN if row["algorithm"] == "ppo" and not row["settings"]["entropy"] else row["algorithm"]


def scores(rows: Sequence[Row], budget: float, policy: Scored) -> Scores:
    """NashConv of one policy after so many samples, where at least `RUNS` runs lasted so long and scored it."""
    runs: dict[str, dict[str, list[Row]]] = {}
    for game, board in boards_of(rows).items():
        for row in (row for mine in board.values() for row in mine):
            runs.setdefault(game, {}).setdefault(learner(row), []).append(row)
    return {
        game: {name: found for name, mine in board.items() if len(found := entries_of(mine, 1, budget, policy)) >= RUNS}
        for game, board in runs.items()
    }


def best(board: Mapping[str, Sequence[float]], names: Sequence[str]) -> str | None:
    """The learner among these with the least median, or None if none was scored."""
    return min((name for name in names if name in board), key=lambda name: median(board[name]), default=None)


def verdict(mine: Sequence[float], theirs: Sequence[float]) -> str:
    """Whether one learner is ahead of another: all its runs are better than all of the other's."""
    return "ahead" if max(mine) < min(theirs) else "behind" if min(mine) > max(theirs) else "level"


class Compared(NamedTuple):
    """Two learners on one game after the same number of samples, a NashConv for each seed."""

    question: str
    samples: int
    game: str
    first: str
    second: str
    mine: Sequence[float]
    theirs: Sequence[float]

    @property
    def factor(self) -> float:
        """By what factor the first's median is less."""
        return median(self.theirs) / median(self.mine)

    @property
    def verdict(self) -> str:
        """Where the first stands."""
        return verdict(self.mine, self.theirs)


def compared(rows: Sequence[Row]) -> Iterator[Compared]:
    """Every comparison that the runs allow."""
    found = {(budget, policy): scores(rows, budget, policy) for budget in BUDGETS for policy in get_args(Scored)}
    for text, firsts, seconds, (mine, theirs) in QUESTIONS:
        for samples in BUDGETS:
            for game, board in found[samples, mine].items():
                others = found[samples, theirs][game]
                first, second = best(board, firsts), best(others, seconds)
                if first and second:
                    yield Compared(text, samples, game, first, second, board[first], others[second])


def as_csv(found: Sequence[Compared]) -> str:
    """All comparisons as a table of values."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    spans = [f"{which}_{what}" for which in ("first", "second") for what in ("least", "median", "most")]
    writer.writerow(["question", "samples", "game", "first", "second", *spans, "first_is"])
    for one in found:
        values = [f"{pick(side):.6g}" for side in (one.mine, one.theirs) for pick in (min, median, max)]
        writer.writerow([*one[:5], *values, one.verdict])
    return file.getvalue()


def _spread(values: Sequence[float]) -> str:
    spread = f"{min(values):.2g} to {max(values):.2g}".replace(" ", "\N{NO-BREAK SPACE}")
    return f"{median(values):.2g} ({spread})"


def _table(heads: Sequence[str], lines: Sequence[Sequence[object]]) -> str:
    return "\n".join([line(heads), "|---" * len(heads) + "|", *(line(list(map(str, cells))) for cells in lines)])


def _counts(found: Sequence[Compared]) -> list[list[object]]:
    """A row for each question and budget: how often the first is ahead, behind and level, and by what factor."""
    out: list[list[object]] = []
    for question, samples in dict.fromkeys(one[:2] for one in found):
        mine = [one for one in found if one[:2] == (question, samples)]
        verdicts = [one.verdict for one in mine]
        factor = median(one.factor for one in mine)
        counts = [verdicts.count(said) for said in ("ahead", "behind", "level")]
        out.append([question, f"{samples:,}", *counts, f"{factor:.2g}"])
    return out


def long_seeds(rows: Sequence[Row]) -> dict[str, int]:
    """For each game with runs that samples end, the least number of such runs of a learner."""
    runs = Counter((row["game"], row["algorithm"]) for row in rows if row["samples"])
    return {game: min(n for (of, _), n in runs.items() if of == game) for game, _ in runs}


def table_of_medians(rows: Sequence[Row], budget: int) -> str:
    """A table of the learners with runs that samples end: medians of the average and the last policy on each game after so many samples."""
    rows = [row for row in rows if row["samples"]]
    averages, lasts = (scores(rows, budget, policy) for policy in ("average", "last"))
    games = [game for game in dict.fromkeys(row["game"] for row in rows) if averages[game]]
    names = headings(games)

    def cell(game: str, name: str) -> str:
        values, last = averages[game].get(name), lasts[game].get(name)
        if not values:
            return "-"
        behind = any(verdict(values, others) == "behind" for others in averages[game].values())
        return ("" if behind else "\N{BULLET} ") + f"{median(values):.2g} / " + (f"{median(last):.2g}" if last else "-")

    def place(name: str) -> float:
        """The mean of the learner's places on its games, as a share of the others there."""
        mine = [(median(board[name]), board) for board in averages.values() if name in board]
        return mean(mean(median(other) < value for other in board.values()) for value, board in mine)

    learners = sorted({name for game in games for name in averages[game]}, key=lambda name: (place(name), name))
    heads = [
        "learner",
        "sees",
        *(f"{names[game]} ({sets_in_words(game).replace('information ', '')})" for game in games),
    ]
    uniform = ["uniform play", "-", *(f"{uniform_nash_conv(any_game(game)):.2g}" for game in games)]
    lines = [[name, algorithms()[name].sees, *(cell(game, name) for game in games)] for name in learners]
    return _table(heads, [*lines, uniform])


def ours_told(found: Sequence[Compared]) -> str:
    """Where ours stands on each game, in words."""
    mine = [one for one in found if one.question == OURS_AND_OTHERS and one.samples == BUDGETS[0]]
    names = headings([one.game for one in mine])
    places = {said: [names[one.game] for one in mine if one.verdict == said] for said in ("ahead", "level", "behind")}
    return "; ".join(f"{said} on {joined(games)}" for said, games in places.items() if games)


def seeds_told(rows: Sequence[Row]) -> str:
    """For each game with runs that samples end, the least number of such runs of a learner, in words."""
    seeds = long_seeds(rows)
    names = headings(list(seeds))
    games = {
        count: [names[game] for game in seeds if seeds[game] == count]
        for count in sorted(set(seeds.values()), reverse=True)
    }
    return "; ".join(f"{count} on {joined(known)}" for count, known in games.items())


def joined(names: Sequence[str]) -> str:
    """Names in words, in quotes where one has a comma."""
    quoted = [f'"{name}"' if "," in name else name for name in names]
    return " and ".join(filter(None, (", ".join(quoted[:-1]), quoted[-1])))


def chances(seeds: int) -> int:
    """Once in so many times, all runs of one of two equal learners are better by chance than all of the other."""
    return comb(2 * seeds, seeds) // 2


def page(rows: Sequence[Row], searched: Sequence[Row], search: Searched) -> str:
    """The page in Markdown, with the rows that have the settings of a search."""
    found = list(compared(rows))
    names = headings(list(dict.fromkeys(one.game for one in found)))
    decided = [
        [names[one.game], f"{one.first} {_spread(one.mine)}", f"{one.second} {_spread(one.theirs)}", one.verdict]
        for one in found
        if one.samples == TOLD and one.verdict != "level" and one.question != BOTH
    ]
    scored = {name for budget in BUDGETS for board in scores(rows, budget, "last").values() for name in board}
    special = [name for name in SPECIAL if name in scored]
    timed = {row["seed"] for row in rows if not row["samples"]}
    return f"""# Who is ahead

Which learners of the [leaderboard](leaderboard.md) are ahead after the same number of games played to their end.

There are {len(timed)} seeds of 30 processor seconds each. Some games also have runs to a million samples or to ten, with both policies, for
each learner at least so many: {seeds_told(rows)}.

Figures are NashConv in chips, of last policies unless a row says "averages".
"Ahead" means that the worst run of one is better than the best of the other, "behind" the opposite, "level" that they overlap.

{_table(["first / second", "samples", "ahead", "behind", "level", "second / first, median"], _counts(found))}

- **Policy gradients** are the best of {", ".join(GENERIC)} on each game. Of **the others**,
  {", ".join(SPECIAL)}, only {" and ".join(special)} has scores within 5% of these budgets. Rudolph et al.
  ([arXiv 2502.08938](https://arxiv.org/abs/2502.08938)) find that such learners do not outperform generic policy gradients.
- **The bonus** is the only setting that differs; a search had chosen it.
- **Ours**, `{OURS}`, stands beside the best of all others that learn from games; it plays more games in a second than they do.
  On games with fewer information sets than its 192 features it learns a table; `{CONTROL}` counts in one.
- **The average** over training is what most of the theory is about.

The games that are not level after {TOLD:,} samples, with the median, the least and the most
([field.csv](field.csv) has every comparison):

{_table(["game", "first", "second", "first is"], decided)}

## With settings from fifty trials

The settings above are from ten trials on one game, of which PPO, PPG, MMD and NashPG shared nine. These learners were tuned again.

{chr(10).join(search_told(search))}

NashConv with what it found, the average over training / the last policy: medians over the seeds, of which each learner has at least
{seeds_told(searched)}. The dot marks averages of which no learner that was run is ahead, and a dash what was not run.
Sets are information sets, and the [leaderboard](leaderboard.md) says what learners see.
[searched.csv](searched.csv) has the least, the most and other budgets.

After {BUDGETS[0]:,} samples, as many as the search had:

{table_of_medians(searched, BUDGETS[0])}

After {TOLD:,} samples:

{table_of_medians(searched, TOLD)}

After {TOLD:,} samples with the settings from ten trials:

{table_of_medians(rows, TOLD)}

- **Ours** against the best of all others that learn from games, averages after {BUDGETS[0]:,} samples:
  {ours_told(list(compared(searched)))}.
  Its table is behind there too, wherever it ran: that ours has 192 features for more information sets is not the whole reason.
- **Settings that are good after {BUDGETS[0]:,} samples** on the games of the search need not be so later or elsewhere: compare R-NaD and
  published MMD on the endgame, and MMD on Leduc hold'em, in the last two tables.
- **MCCFR** knows the game: one of its samples is a traversal of the tree.

## What these runs cannot show

- What a search finds for PPG and for OpenSpiel's learners, or for another budget than its own; what policy gradients do after
  {BUDGETS[2]:,} samples, or on the larger games after {TOLD:,}.
- Ours on untouched ground: its default of `widest` was changed after a look at a game of the board.
- An order of learners that are level. With ten seeds, equals are "ahead" or "behind" by chance once in
  {chances(10):,} times, with five once in {chances(5)}, with three once in {chances(3)}; the best of a family is a choice after the fact.

Made by `python -m studies.field`.
"""


def thin(results: str = "docs/results/field.jsonl", policies: str = "medians") -> None:
    """Keep only the policies of median runs in a file of results, or "none"; of a search the best settings, and whatever is not done."""
    path = Path(results)
    rows = gathered([path])
    if path.name.endswith(".search.jsonl"):
        found = read_found(path.with_name(path.name.replace(".search.jsonl", ".settings.yaml"))).settings
        kept = [
            Row(**{**row, "policy": None, "points": row["points"][-1:], "other": (row.get("other") or [])[-1:]})
            for row in rows
            if row["settings"] == found.get(row["algorithm"], row["settings"])
        ]
    else:
        kept = thinned(rows) if policies == "medians" else [Row(**{**row, "policy": None}) for row in rows]
    write_text(path, "".join(map(as_text, kept)))


def main(results: str = "docs/results", output: str = "docs") -> None:
    """Write the page, and its tables beside it."""
    names = [Path(results) / f"{name}.jsonl" for name in ("field", "searched")]
    rows, searched = (gathered([path]) for path in names)
    written = {
        "field.md": page(rows, searched, searches_of(names[1:])[0]),
        "field.csv": as_csv(list(compared(rows))),
        "searched.csv": table_of(searched),
    }
    for name, text in written.items():
        write_text(Path(output) / name, text)


if __name__ == "__main__":
    thin(*sys.argv[2:]) if sys.argv[1:2] == ["thin"] else main(*sys.argv[1:])
