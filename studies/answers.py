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

How far to trust `relance.words.score(game, agent, answers=n)` ([how to](howto/score_answers.md)), measured on
{len(one) // len(GAMES)} agents of known NashConv in Kuhn's game and in Miao's with 13 cards.

- **The 95% intervals cover**: with {ANSWERS[0]} to {ANSWERS[-1]:,} answers at each information set, the lowest share of
  {REPETITIONS:,} estimates is {least[0]} for NashConv, {least[1]} for the value and {least[2]} for the best responses.
- **A bootstrap does not**: frequencies look more exploitable than the agent is, and a plain bootstrap of them has that bias twice. At
  the equilibria its middle 95% never covered. The low end of our interval comes from best responses that are found on earlier answers
  and valued on later ones.
- **±{WITHIN} chips take** {min(needed)} to {max(needed):,} answers at each information set: few of a pure strategy, many of one that
  mixes everywhere.

"Covers" is the lowest share of the intervals of NashConv that hold it, over the numbers of answers; "bootstrap", the share of
{BOOTSTRAPS} with 100 answers; "±", half the mean width with 100, in chips. `docs/results/answers.jsonl` has all agents.

{_table(["agent", "game", "NashConv", "covers", "bootstrap", "±", f"answers for ±{WITHIN}"], lines)}

One call of `relance.words.score` for each agent and game, as a function that draws: {inside} of {len(one)} intervals cover.

## Agents that err rarely

An agent that errs 2% of the time may not have erred in 100 answers, and its errors then do not show in the frequencies, nor in a standard
error. So the high end also counts a best response that relies on errors that may be there, and is moved as rare errors are skewed. The
lowest shares over {RARE_ANSWERS[0]} to {RARE_ANSWERS[-1]:,} answers:

{_table(["agent", "NashConv", "covers", "the value", "best responses"], errs)}

## Agents that draw once per call

The intervals take all answers as independent, but an agent may draw one random number per call and use it for every observation. So
`relance.words.score` asks a function about one observation per call, in another order each round. The lowest shares of {CALLS} such
estimates in Kuhn's game, with {ONCE_ANSWERS[0]} to {ONCE_ANSWERS[-1]} answers, are {least_once[0]} for NashConv, {least_once[1]} for the
value and {least_once[2]} for best responses; by chance, a true .95 shows as .92 to .98. Asked about all information sets in one call,
they were .795 for the value and .880 for best responses.

## Hands on [0, 1]: many hands or many answers

Von Neumann's game with bet 2: the worst of {len({row["agent"] for row in splits})} agents, with 1,000 questions at each node. An agent is
estimated as if it played each cell as it plays its middle. "Off" is how far the NashConv of that is from the true one on [0, 1];
"covers", how often of {SPLITS} times the interval holds the true one.

{_table(["hands", "answers", "off", "covers", "±"], hands)}

Fewer hands mean larger cells, whose error the interval does not include; few answers at a hand make it wide. 20 to 50 hands are a good
choice.

Made by `python -m studies.answers`.
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
