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
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from math import inf
from pathlib import Path
from statistics import mean, median
from typing import NamedTuple, get_args

from relance.baselines.algorithms import Scored, algorithms
from relance.baselines.boards import boards_of, entries_of, gathered, parted, thinned
from relance.baselines.openspiel_games import any_game, uniform_nash_conv
from relance.baselines.rows import Row, as_text
from relance.baselines.tuning import Searched, read_found
from relance.model.files import write_text
from relance.pages.board_files import table_of
from relance.pages.board_notes import headings, line, search_told
from relance.pages.board_tables import Estimate, estimate, middle
from relance.pages.leaderboard import RUNS, searches_of, sets_in_words

PLAIN = "ppo without bonus"
GENERIC = ("ppo", "ppg", "mmd_published")
SPECIAL = ("rnad", "openspiel_nfsp", "openspiel_psro", "openspiel_escher")
OURS = "mmd_sampled"
OTHERS = ("ppo", "ppg", "mmd_published", "nash_pg", "emagnet", "rnad", "openspiel_nfsp", "openspiel_psro")
"""All others that learn from games played to the end, on our games."""

SEARCHABLE = (*OTHERS, "openspiel_deep_cfr", "openspiel_escher")
"""All that the plan would tune on our games, besides ours."""

CONTROL = "mmd_tabular"
"""Ours, counting in a table."""

GENERAL = "policy gradients / the others"
OURS_AND_OTHERS = f"{OURS} / the others, averages"

FEWEST = 5
"""How many learners a column needs for a dot."""

BOTH = "the average / the last policy"
"""The question that compares each learner with itself."""


class Question(NamedTuple):
    """Whether the best of the first learners is ahead of the best of the second, each by one of its policies."""

    text: str
    firsts: Sequence[str]
    seconds: Sequence[str]
    policies: tuple[Scored, Scored] = ("last", "last")


QUESTIONS = (
    Question(GENERAL, GENERIC, SPECIAL),
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
    settings = row["settings"]
    bonus = settings.get("ent_coef", settings.get("entropy"))  # its name in rows from before 28 November 2026
    return PLAIN if row["algorithm"] == "ppo" and not bonus else row["algorithm"]


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


def better(rows: Sequence[Row], budget: float) -> Scores:
    """NashConv after so many samples, of whichever of a learner's two policies has the lesser median."""
    last, average = (scores(rows, budget, policy) for policy in ("last", "average"))
    return {
        game: {
            name: min((board[name] for board in (last[game], average[game]) if name in board), key=median)
            for name in dict.fromkeys((*average[game], *last[game]))
        }
        for game in last
    }


def best(board: Mapping[str, Sequence[float]], names: Sequence[str]) -> str | None:
    """The learner among these with the least median, or None if none was scored."""
    return min((name for name in names if name in board), key=lambda name: median(board[name]), default=None)


def difference(mine: Sequence[float], theirs: Sequence[float]) -> Estimate:
    """The difference of two learners' medians, with its 95% interval."""
    return estimate(middle, [mine], [theirs])


@cache
def verdict(mine: tuple[float, ...], theirs: tuple[float, ...]) -> str:
    """Whether one learner is ahead of another: the interval of the difference of their medians is below 0."""
    _, low, high = difference(mine, theirs)
    return "ahead" if high < 0 else "behind" if low > 0 else "level"


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
        return verdict(tuple(self.mine), tuple(self.theirs))


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
    more = ["first_runs", "second_runs", "difference", "low", "high", "first_is"]
    writer.writerow(["question", "samples", "game", "first", "second", *spans, *more])
    for one in found:
        values = [f"{pick(side):.6g}" for side in (one.mine, one.theirs) for pick in (min, median, max)]
        gap = [f"{value:.6g}" for value in difference(one.mine, one.theirs)]
        writer.writerow([*one[:5], *values, len(one.mine), len(one.theirs), *gap, one.verdict])
    return file.getvalue()


def _spread(values: Sequence[float]) -> str:
    spread = f"{min(values):.2g} to {max(values):.2g}".replace(" ", "\N{NO-BREAK SPACE}")
    return f"{median(values):.2g} ({spread})"


def _gap(one: Compared) -> str:
    value, low, high = (f"{figure:.2g}" for figure in difference(one.mine, one.theirs))
    return f"{value} ({low} to {high})".replace(" ", "\N{NO-BREAK SPACE}")


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
    boards = {game: board for game, board in better(rows, budget).items() if board}
    games = [game for game in dict.fromkeys(row["game"] for row in rows) if game in boards]
    names = headings(games)

    def cell(game: str, name: str) -> str:
        board, shown = boards[game], [scored[game].get(name) for scored in (averages, lasts)]
        if name not in board:
            return "-"
        behind = any(verdict(tuple(board[name]), tuple(others)) == "behind" for others in board.values())
        dot = "" if behind or len(board) < FEWEST else "\N{BULLET} "
        return dot + " / ".join(f"{median(values):.2g}" if values else "-" for values in shown)

    def place(name: str) -> float:
        """The mean of the learner's places on its games, as a share of the others there."""
        mine = [(median(board[name]), board) for board in boards.values() if name in board]
        return mean(mean(median(other) < value for other in board.values()) for value, board in mine)

    learners = sorted({name for board in boards.values() for name in board}, key=lambda name: (place(name), name))
    heads = [
        "learner",
        "sees",
        *(f"{names[game]} ({sets_in_words(game).replace('information ', '')})" for game in games),
    ]
    uniform = ["uniform play", "-", *(f"{uniform_nash_conv(any_game(game)):.2g}" for game in games)]
    lines = [[named(name), algorithms()[name].sees, *(cell(game, name) for game in games)] for name in learners]
    return _table(heads, [*lines, uniform])


def named(name: str) -> str:
    """A learner's name, marked where it is ours."""
    return f"{name} (ours)" if algorithms()[name].ours else name


def ours_told(rows: Sequence[Row], budget: int, name: str = OURS) -> str:
    """Where one of ours stands on each game beside the best of the others, in words."""
    boards = {game: board for game, board in better(rows, budget).items() if name in board and best(board, OTHERS)}
    names = headings(list(boards))
    places: dict[str, list[str]] = {"ahead": [], "level": [], "behind": []}
    for game, board in boards.items():
        places[verdict(tuple(board[name]), tuple(board[str(best(board, OTHERS))]))].append(names[game])
    return "; ".join(f"{said} on {joined(games)}" for said, games in places.items() if games)


def worse_told(boards: Scores, than: Mapping[str, Mapping[str, float]]) -> str:
    """The learners whose median is worse than these figures of games, in words."""
    worse = {
        game: [name for name, values in board.items() if median(values) > than.get(game, {}).get(name, inf)]
        for game, board in boards.items()
    }
    names = headings(list(worse))
    return "; ".join(f"{joined(found)} on {joined([names[game]])}" for game, found in worse.items() if found) or "none"


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


def page(rows: Sequence[Row], searched: Sequence[Row], search: Searched) -> str:
    """The page in Markdown, with the rows that have the settings of a search."""
    found = list(compared(rows))
    names = headings(list(dict.fromkeys(one.game for one in found)))
    decided = [
        [
            one.question,
            names[one.game],
            f"{one.first} {_spread(one.mine)}",
            f"{one.second} {_spread(one.theirs)}",
            _gap(one),
            one.verdict,
        ]
        for one in found
        if one.samples == TOLD and one.verdict != "level" and one.question != BOTH
    ]
    special = [name for name in SPECIAL if any(one.second == name for one in found if one.question == GENERAL)]
    timed = {row["seed"] for row in rows if not row["samples"]}
    runs = [len(values) for one in found for values in (one.mine, one.theirs)]
    tuned = {budget: _only(better(searched, budget), search.found) for budget in BUDGETS[:2]}
    uniform = {game: dict.fromkeys(board, uniform_nash_conv(any_game(game))) for game, board in tuned[TOLD].items()}
    ours = "\n".join(
        f"    - after {budget:,} samples {told}." for budget in BUDGETS if (told := ours_told(searched, budget))
    )
    tables = "\n\n".join(
        f"After {budget:,} samples{', the most that a run of the search had' if budget == BUDGETS[0] else ''}:\n\n"
        f"{table_of_medians(searched, budget)}"
        for budget in BUDGETS
    )
    return f"""# Who is ahead

Which learners of the [leaderboard](leaderboard.md) are ahead after the same number of samples: complete games, or what a learner that
knows the game counts.

Most games have {len(timed)} runs of 30 processor seconds for each learner. Some also have runs of a million samples or of ten, in which
both policies were scored: at least {seeds_told(rows)}.

Figures are NashConv in chips, of last policies unless a row says "averages".
"Ahead" means that the 95% interval of the difference of the medians, from a bootstrap over runs, is below 0, "behind" that it is above,
"level" that 0 is in it. A run counts where it was scored within 5% of the samples: {min(runs)} to {max(runs)} of each learner, as those
that are slow do not get there in 30 s. Of these {len(rows)} rows, {len(parted(rows)[1])} do not say all that others need to make
them again.

{_table(["first / second", "samples", "ahead", "behind", "level", "second / first, median"], _counts(found))}

- **Policy gradients** are the best of {joined(GENERIC)} on each game. Of **the others**, {joined(SPECIAL)}, only
  {joined(special)} has scores at these samples. Rudolph et al.
  ([arXiv 2502.08938](https://arxiv.org/abs/2502.08938)) find that such learners do not outperform generic policy gradients. These rows do
  not settle it: the best of three, chosen afterwards, stands against one.
- **The bonus** is the only setting that differs. The learning rate was chosen together with it, so this shows what it costs to leave the
  bonus out, and not how good plain PPO can be.
- **Ours**, `{OURS}`, is compared with the best of the others that learn from games and were scored there. It plays more games in a second
  than they do. On games with fewer information sets than its 192 features it learns a table; `{CONTROL}` counts in one.
- **The average** is the method's own for ours, whose later policies weigh more. For the others it is that of up to 64 snapshots from the
  second half of training; R-NaD, MMD and NashPG aim at a good last policy.

The games that are not level after {TOLD:,} samples, with the median, the least and the most, and the difference with its interval
([field.csv](field.csv) has every comparison, also of averages with last policies, and how many runs each has):

{_table(["first / second", "game", "first", "second", "first - second", "first is"], decided)}

## With settings from fifty trials

The settings above are the best of ten trials on one game: the defaults and nine random points, the same for PPO, PPG, published MMD and
NashPG. EMAgnet and MCCFR have their defaults, and `{CONTROL}` has what was found for `{OURS}`. These learners were tuned again.

{chr(10).join(search_told(search))}

A learner whose own policy is an average was tuned by that, as ours were, and all others by their last policy; scores of the two kinds
do not compare. What was searched is in `studies/field.yaml`; all else has its default, such as the magnet of EMAgnet and NashPG. R-NaD is
scored as its authors play it, with probabilities rounded to 1/32. {_slow_told(search)}

NashConv with the settings that were found, the average over training / the last policy: medians over the seeds, of which each learner has
at least {seeds_told(searched)}.
Each learner counts by the better of its two policies. A dot marks those that no other is ahead of, where at least {FEWEST} ran; rows are
in the order of their mean place. A dash is what was not run or not scored.
Sets are information sets, and the [leaderboard](leaderboard.md) says what learners see.
[searched.csv](searched.csv) has the least, the most and other budgets.

{tables}

After {TOLD:,} samples with the settings from ten trials:

{table_of_medians(rows, TOLD)}

- **Ours**, `{OURS}`, against the best of the others that learn from games, each by the better of its two policies:
{ours}
    - Its table, `{CONTROL}`, after {BUDGETS[0]:,}: {ours_told(searched, BUDGETS[0], CONTROL)}. It was tuned apart. So having
      192 features for more information sets is at most a part of the reason.
- **Settings that are good after {BUDGETS[0]:,} samples** on the games of the search need not be so later or elsewhere. By medians, after
  {TOLD:,}
    - worse than uniform play: {worse_told(tuned[TOLD], uniform)};
    - worse than after {BUDGETS[0]:,}: {worse_told(tuned[TOLD], _medians(tuned[BUDGETS[0]]))};
    - worse than with the settings from ten trials: {worse_told(tuned[TOLD], _medians(better(rows, TOLD)))}.
- **MCCFR** knows the game: one of its samples is a traversal of the tree. So do deep CFR and ESCHER, one of whose samples is an end of the
  game that they came to.

## What these runs cannot show

- What a search finds for {joined([*(name for name in SEARCHABLE if name not in search.found), "another budget than its own"])}; what
  policy gradients do after {BUDGETS[2]:,} samples, or on the larger games after {TOLD:,}; what NFSP, PSRO, deep CFR and ESCHER do after
  more than {BUDGETS[0]:,}, or on the larger games.
- How ours does on games that did not influence it: its default of `logit_threshold` was changed after a look at a game of the board.
- An order of learners that are level. A 95% interval is of one comparison of independent runs, and with three runs it is too narrow; of
  the {len(found)} comparisons here some {round(len(found) / 20)} would be "ahead" or "behind" if all were equal, and the best of a family
  is a choice after the fact.

Made by `python -m studies.field`.
"""


def _only(boards: Scores, names: Collection[str]) -> Scores:
    return {game: {name: board[name] for name in board if name in names} for game, board in boards.items()}


def _medians(boards: Scores) -> dict[str, dict[str, float]]:
    return {game: {name: median(values) for name, values in board.items()} for game, board in boards.items()}


def _slow_told(search: Searched) -> str:
    """How many samples the learners had that time ended, in words."""
    seconds, samples = search.seconds or inf, search.samples or inf
    means = {name: seconds * one.samples / one.seconds for name, one in search.found.items()}
    slow = [f"{name} after {count / 1000:.2g} thousand" for name, count in means.items() if count < samples]
    return f"Time ended runs of {joined(slow)} samples, on average." if slow else ""


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
