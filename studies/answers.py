"""How well estimates from answers do: `python -m studies.answers` writes docs/answers.md and docs/results/answers.jsonl, in minutes."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from rich.console import Console

from studies.answers_numbers import (
    ANSWERS,
    GAMES,
    RARE_ANSWERS,
    WITHIN,
    Row,
    agents,
    agreement,
    needed,
    once_per_call,
    plain,
    rare,
    splits,
    study,
)

REPETITIONS, BOOTSTRAPS, SPLITS, CALLS = 2000, 200, 500, 200


ONCE, ONCE_ANSWERS = ("equilibrium, 30% noise", "uniform"), (20, 60, 100)
"""The agents and answers of the table of those that draw once per call."""

NAMES = ("Kuhn", "Miao")
"""What the page calls the games."""

SHARES = ("covers", "covers_value", "covers_best")
"""How often the intervals of NashConv, the value and the best responses cover."""


def results(console: Console) -> list[Row]:
    """All rows of the results file; each has a `table`."""
    rows: list[Row] = []
    with console.status("answers") as status:
        for game in GAMES:
            for agent in agents(game):
                status.update(f"{game}: {agent.name}")
                what = {"game": str(game), "agent": agent.name}
                rows += [{"table": "coverage", **what, **study(agent, n, REPETITIONS)} for n in ANSWERS]
                rows.append(
                    {
                        "table": "one",
                        **what,
                        "needed": needed(agent),
                        "plain": plain(agent, 100, BOOTSTRAPS),
                        **agreement(game, agent),
                    }
                )
        for agent in rare():
            status.update(agent.name)
            rows += [{"table": "rare", "agent": agent.name, **study(agent, n, REPETITIONS)} for n in RARE_ANSWERS]
        status.update("one number per call")
        for agent in (agent for agent in agents(GAMES[0]) if agent.name in ONCE):
            rows += [
                {"table": "once", "agent": agent.name, **once_per_call(GAMES[0], agent, n, CALLS)} for n in ONCE_ANSWERS
            ]
        status.update("hands on [0, 1]")
        rows += [{"table": "splits", **row} for row in splits(SPLITS)]
    return rows


def _table(head: Sequence[str], lines: Iterable[Sequence[object]]) -> str:
    out = ["| " + " | ".join(head) + " |", "|---" + "|---:" * (len(head) - 1) + "|"]
    return "\n".join([*out, *("| " + " | ".join(map(str, cells)) + " |" for cells in lines)])


def _share(part: float) -> str:
    return f"{part:.3f}".removeprefix("0") if part < 0.9995 else "1"


TOLD = (
    "equilibrium",
    "equilibrium, 10% noise",
    "most probable action of the equilibrium",
    "uniform",
)
"""The agents in the first table."""


def page(rows: Sequence[Row]) -> str:
    """The page in Markdown."""
    coverage = [row for row in rows if row["table"] == "coverage"]
    one = {(row["game"], row["agent"]): row for row in rows if row["table"] == "one"}
    lines = []
    for game, name in zip(map(str, GAMES), NAMES, strict=True):
        for agent in TOLD:
            mine = [row for row in coverage if (row["game"], row["agent"]) == (game, agent)]
            width = next(row["width"] / 2 for row in mine if row["answers"] == 100)
            single, share = one[game, agent], min(row["covers"] for row in mine)
            cells = [name, f"{single['exact']:.4f}", _share(share), _share(single["plain"]), f"{width:.3f}"]
            lines.append([agent, *cells, single["needed"]])
    inside = sum(row["low"] - 1e-9 <= row["exact"] <= row["high"] + 1e-9 for row in one.values())
    least = [_share(min(row[key] for row in coverage)) for key in SHARES]
    seldom = [row for row in rows if row["table"] == "rare"]
    errs = []
    for agent in dict.fromkeys(row["agent"] for row in seldom):
        mine = [row for row in seldom if row["agent"] == agent]
        errs.append([agent, f"{mine[0]['nash_conv']:.4f}", *(_share(min(row[key] for row in mine)) for key in SHARES)])
    once = [row for row in rows if row["table"] == "once"]
    least_once = [_share(min(row[key] for row in once)) for key in SHARES]
    splits = [row for row in rows if row["table"] == "splits"]
    hands = []
    for count in dict.fromkeys(row["hands"] for row in splits):
        mine = [row for row in splits if row["hands"] == count]
        off = max(abs(row["on_cells"] - row["nash_conv"]) for row in mine)
        width, share = max(row["width"] / 2 for row in mine), min(row["covers"] for row in mine)
        hands.append([count, mine[0]["answers"], f"{off:.4f}", _share(share), f"{width:.3f}"])
    needed = [row["needed"] for row in one.values()]
    return f"""# Estimates from answers

This page tells how far to trust [`relance.words.score(game, agent, answers=n)`](howto/score_answers.md), and how many answers to
ask for, if an agent such as a language model gives answers but no probabilities. We measured this on {len(one) // len(GAMES)} agents of
known [NashConv](glossary.md), in Kuhn's game and in Miao's, which has 13 cards and a raise.

- **The 95% intervals contain the true figure often enough.** With {ANSWERS[0]} to {ANSWERS[-1]:,} answers at each information set, the
  share of {REPETITIONS:,} intervals that contain the true NashConv is at least {least[0]}. For the value the share is at
  least {least[1]}, and for what best responses earn it is at least {least[2]}.
- **The intervals of a plain bootstrap do not.** The frequencies of the answers look more exploitable than the agent is, and a bootstrap
  doubles this bias. For agents at an equilibrium, the bootstrap's middle 95% never contained the true NashConv. The low end of our interval
  avoids the bias: it comes from best responses that are found on earlier answers and valued on later ones.
- **An interval of ±{WITHIN} chips takes {min(needed)} to {max(needed):,} answers** at each information set: few for a pure strategy, many
  for a strategy mixed everywhere.

"Covers" is the share of intervals that contain the true NashConv, for the number of answers at which it is lowest. "Bootstrap" is this
share for the intervals of {BOOTSTRAPS} plain bootstraps with 100 answers. "±" is half the mean width with 100 answers, in chips.
`docs/results/answers.jsonl` has all agents.

{_table(["agent", "game", "NashConv", "covers", "bootstrap", "±", f"answers for ±{WITHIN}"], lines)}

We also called `relance.words.score` once for each agent and game: {inside} of {len(one)} intervals contain the true NashConv.

## Agents that err rarely

An agent that errs 2% of the time makes no error in 100 answers with probability 13%. Then neither the frequencies nor a standard error show
its errors. So the high end of the interval also allows for best responses to errors that may not have occurred yet, and corrects for the
skewed estimates that rare errors cause. For {RARE_ANSWERS[0]} to {RARE_ANSWERS[-1]:,} answers, the last three columns show the lowest share
of intervals that contain the true figure: NashConv ("covers"), the value, and what best responses earn.

{_table(["agent", "NashConv", "covers", "the value", "best responses"], errs)}

## Agents that draw once per call

The intervals assume independent answers, but an agent may draw one random number per call and use it for every observation. So
`relance.words.score` asks a function about one observation per call, in another order each round. We computed {CALLS} such
intervals for each of {len(ONCE)} agents in Kuhn's game and each number of answers from {ONCE_ANSWERS[0]} to {ONCE_ANSWERS[-1]}. The lowest
share that contains the true figure
is {least_once[0]} for NashConv, {least_once[1]} for the value and {least_once[2]} for best responses. With {CALLS} intervals, a true
share of .95 comes out between .92 and .98 by chance. If one call asks about all information sets, the shares fall to .795 for the value
and .880 for best responses.

## Hands on [0, 1]: many hands or many answers

For hands in [0, 1] the agent is asked about the middle of each [cell](glossary.md), and scored as if it played the whole cell like the
middle. Should 1,000 questions at each decision node ask about many hands, or often about few hands? Each figure in the table is the worst
of {len({row["agent"] for row in splits})} agents in von Neumann's game with bet 2. "Off" is the error in NashConv that the cells cause.
"Covers" is the share of {SPLITS} intervals that contain the true NashConv on [0, 1].

{_table(["hands", "answers", "off", "covers", "±"], hands)}

The interval leaves out the error that the cells cause; fewer hands mean larger cells. Fewer answers per hand widen the interval. 20 to
50 hands are a good choice.

`python -m studies.answers` makes this page.
"""


def main(folder: str = "docs") -> None:
    """Write answers.md and results/answers.jsonl into `folder`."""
    console = Console(stderr=True)
    rows = [{key: short(value) for key, value in row.items()} for row in results(console)]
    with (Path(folder) / "results" / "answers.jsonl").open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    (Path(folder) / "answers.md").write_text(page(rows), encoding="utf-8")
    console.print(f"wrote answers.md and results/answers.jsonl into {folder}")


def short(value: object) -> object:
    """A number with six digits after the point."""
    return round(value, 6) if isinstance(value, float) else value


if __name__ == "__main__":
    main(*sys.argv[1:])
