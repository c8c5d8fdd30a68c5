"""What the usual scores make of scripted stand-ins for language models: `python -m studies.stand_ins` writes docs/stand_ins.md.

With --url and --model it scores a real model in the same way, and shows it among the stand-ins:

    python -m studies.stand_ins --url http://localhost:8000/v1 --model NAME --answers 20 --hands 200
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

import relance
from relance.agents.endpoint import Endpoint, EndpointError
from relance.agents.intervals import Figure
from relance.agents.stand_ins import STAND_INS
from relance.agents.talking import TextAgent
from relance.model.files import write_text
from relance.model.game import Game
from relance.rules.wording import PLAIN, Wording
from studies.stand_in_scores import TITLES, Scores, exact_scores, measured_scores, order, probability_by_set, ranks

GAMES = {
    "one_card_poker(raises=0)": "Kuhn's game",
    "one_card_poker": "Miao's game, with a raise",
    "von_neumann(hands=9)": "von Neumann's game on nine cells, which has a pure equilibrium",
}
KUHN = next(iter(GAMES))
DRESSES = (1, 2, 3)
HANDS, ANSWERS = 2000, 200
"""In words: how many hands each stand-in plays in each seat, and how often it is asked at each information set."""

NAMES = ("hands won", "probability of the action", "chips a hand", "loss a decision", "NashConv")
"""The columns of the picture."""

SHOWN = ("equilibrium", "noise 1/10", "honest caller", "most probable", "always bets", "at random")
"""The stand-ins that the picture shows in colour."""


class Found(NamedTuple):
    """A stand-in or a model in a game.

    Attributes:
        game, agent: their names.
        exact: its scores from its known probabilities; None for a model.
        measured: from hands that it played in words.
        nash_conv: from its answers in words, with an interval.
        illegal: the share of its answers that were illegal.
        hands, answers: how many it played in each seat, and gave at each information set.
    """

    game: str
    agent: str
    exact: Scores | None
    measured: Scores
    nash_conv: Figure
    illegal: float
    hands: int
    answers: int

    def row(self) -> dict[str, Any]:
        """The finding as a line of a results file."""
        exact = self.exact._asdict() if self.exact else None
        measured = self.measured._asdict() | {"nash_conv": list(self.nash_conv)}
        return {
            "game": self.game,
            "agent": self.agent,
            "exact": exact,
            "measured": measured,
            "illegal": self.illegal,
            "hands": self.hands,
            "answers": self.answers,
        }


Tick = Callable[[int], None]


def measure(
    game: Game,
    text: str,
    name: str,
    agents: Sequence[TextAgent],
    exact: Scores | None,
    hands: int,
    answers: int,
    tick: Tick,
    answers_file: str | None = None,
) -> Found:
    """Ask and play in words. `agents` are the same agent twice: to be asked, and to play."""
    done = 0

    def told(so_far: int, _: int) -> None:
        nonlocal done
        tick(so_far - done)
        done = so_far

    estimate = relance.score(game, agents[0], answers=answers, answers_file=answers_file, tick=told)
    played, illegal = measured_scores(game, agents[1], hands, seed=1, tick=tick)
    return Found(text, name, exact, played, estimate.nash_conv, illegal, hands, answers)


def stand_ins(hands: int, answers: int, tick: Tick) -> list[Found]:
    """All stand-ins in all games, exactly and in words."""
    found = []
    for text in GAMES:
        game = relance.make(text)
        for number, one in enumerate(STAND_INS.values()):
            agents = [one.agent(game, seed=2 * number + k) for k in (0, 1)]
            exact = exact_scores(game, one)
            found.append(measure(game, text, one.name, agents, exact, hands, answers, tick))
    return found


# The page


def page(found: Sequence[Found], hearts: Sequence[tuple[str, Scores]]) -> str:
    """The page in Markdown. `hearts`: who knows the game by heart, by the name of the wording."""
    kuhn = sorted((one for one in found if one.game == KUHN), key=lambda one: _exact(one).nash_conv or 0)
    head = ["stand-in", *TITLES.values(), "NashConv", "in words: chips", "in words: NashConv"]
    lines = ["| " + " | ".join(head) + " |", "|---" + "|---:" * (len(head) - 1) + "|"]
    lines += [
        "| "
        + " | ".join([one.agent, *_figures(_exact(one)), f"{one.measured.chips:+.3f}", _interval(one.nash_conv)])
        + " |"
        for one in kuhn
    ]
    inside = sum(one.nash_conv.low <= (_exact(one).nash_conv or 0) + 1e-9 <= one.nash_conv.high + 2e-9 for one in found)
    rules = "\n".join(f"- **{one.name}** {one.doc}." for one in STAND_INS.values())
    chips = orders(found)[KUHN]["chips"]
    once = {name: probability_by_set(relance.make(KUHN), STAND_INS[name]) for name in ("equilibrium", "most probable")}
    return f"""# What the usual scores make of simple players

The players here are scripts, not language models: nothing on this page says how well a language model plays. They read the question in
words, follow a simple rule and answer in words, as a model would; but what they play is known exactly, so it can be seen what a score
makes of them. All of it is made by `python -m studies.stand_ins` (extra `plot`), within minutes; the figures are in
`docs/results/stand_ins.jsonl`.

**NashConv** is the truth here: what two opponents who know the player could win from it, one in each seat. The usual scores are:
chips a hand against the published opponent; the share of those hands that are won (a tie counts half); what a decision loses on average,
compared with the best action against that opponent; and the probability of the chosen action in the published equilibrium, which was
[proposed as a reward](https://github.com/PrimeIntellect-ai/community-environments/pull/725), here on average over the decisions that come
up. An illegal answer forfeits the most that can be lost.

## In Kuhn's game

{chr(10).join(lines)}

The first columns are exact. The last two come from words alone: {found[0].hands:,} hands in each seat, and {found[0].answers:,} answers at
each information set, with 95% intervals. Over all games, {inside} of {len(found)} intervals hold the exact NashConv.

![The stand-ins in Kuhn's game in the order of each score, the best on top](stand_ins.svg)

- *Honest caller* bets and calls the ace, calls the king and never bluffs. It loses nothing to the equilibrium and no decision is wrong
  against it, so chips and losses put it level with the equilibrium. Its NashConv is 1/3.
- *Most probable* always takes the likeliest action of the equilibrium. The probability of its actions is higher than that of the
  equilibrium itself, so that reward prefers it. The same is true if every information set counts once, as in single questions:
  {once["most probable"]:.3f}, and {once["equilibrium"]:.3f} for the equilibrium.
- The share of hands won is worse than useless: *{_top(found, "wins")}* has the highest. Betting wins many small pots and loses the large
  ones.

## Which orders are wrong

A pair is in the wrong order if the score prefers the player with the larger NashConv, and tied if the score is the same and NashConv is
not. Kendall's tau-b is 1 for the order of NashConv, 0 for no relation, -1 for the opposite.

{_orders(found)}

In Kuhn's game chips put {chips.wrong} of {chips.pairs} pairs in the wrong order and cannot tell {chips.tied} apart, though these chips
are exact: no number of hands mends it. In von Neumann's game, whose equilibrium here is pure, there is less to miss.

## Who knows the game by heart

*By heart* plays the equilibrium if the game is told in the words of the papers, and at random if it is not. `relance.redressed(game,
seed)` tells the same game in other words: other names of players, hands and actions, other amounts of chips, another order. The exact
answers stay the same, times the units in a chip; figures here are in chips.

| wording | chips a hand | NashConv |
|---|---:|---:|
{chr(10).join(f"| {name} | {scores.chips:+.4f} | {scores.nash_conv or 0:.4f} |" for name, scores in hearts)}

## The stand-ins

{rules}

A hand is below average if it loses more than it wins when compared with all hands of the opponent.

## A real model

```console
$ python -m studies.stand_ins --url http://localhost:8000/v1 --model NAME --answers 20 --hands 200
$ python -m studies.stand_ins --url http://localhost:8000/v1 --model NAME --dress 7 --answers-file answers.jsonl
```

The address is that of any OpenAI-compatible server; a key is read from `OPENAI_API_KEY`, if it is set. The model is shown among the
stand-ins. It says first how many questions it will ask; with `--answers-file`, a run that was stopped goes on where it was.
"""


def _exact(one: Found) -> Scores:
    assert one.exact is not None
    return one.exact


def _figures(scores: Scores) -> list[str]:
    return [
        f"{scores.chips:+.4f}",
        f"{scores.wins:.4f}",
        f"{abs(scores.loss):.4f}",
        f"{scores.probability:.4f}",
        f"{scores.nash_conv or 0:.4f}",
    ]


def _interval(figure: Figure) -> str:
    return f"{figure.point:.3f} ({figure.low:.3f} to {figure.high:.3f})"


def orders(found: Sequence[Found]) -> dict[str, dict[str, Any]]:
    """For each game and usual score the `Order` of the stand-ins. Without who knows it by heart: in plain words that is the equilibrium."""
    out: dict[str, dict[str, Any]] = {}
    for text in dict.fromkeys(one.game for one in found):
        scores = {one.agent: _exact(one) for one in found if one.game == text and not STAND_INS[one.agent].by_heart}
        out[text] = {score: order(scores, score) for score in TITLES}
    return out


def _top(found: Sequence[Found], score: str) -> str:
    return max((one for one in found if one.game == KUHN), key=lambda one: getattr(_exact(one), score)).agent


def _orders(found: Sequence[Found]) -> str:
    lines = [
        "| game | score | tau-b | wrong | tied | for example, it prefers or ties |",
        "|---|---|---:|---:|---:|---|",
    ]
    for text, scores in orders(found).items():
        for score, what in scores.items():
            better, worse = what.example or ("", "")
            example = f"{worse} to {better}" if better else ""
            shares = [f"{count} of {what.pairs}" for count in (what.wrong, what.tied)]
            lines.append("| " + " | ".join([GAMES[text], TITLES[score], f"{what.tau:+.2f}", *shares, example]) + " |")
    return "\n".join(lines)


def picture(found: Sequence[Found], path: Path) -> None:
    """Draw the places of the stand-ins in Kuhn's game by each score: equal ones meet."""
    from relance.plots.style import GRID, INK, figure, headed, line_styles, save

    kuhn = [one for one in found if one.game == KUHN and not STAND_INS[one.agent].by_heart]
    scores = [_exact(one) for one in kuhn]
    columns = [
        [-one.wins for one in scores],
        [-one.probability for one in scores],
        [-one.chips for one in scores],
        [one.loss for one in scores],
        [one.nash_conv or 0.0 for one in scores],
    ]
    places = list(zip(*map(ranks, columns), strict=True))
    drawing, ((axes,),) = figure(1, 1, 7.4, 5.2)
    looks: Mapping[str, Mapping[str, Any]] = line_styles(SHOWN)
    right = sorted(range(len(kuhn)), key=lambda i: (places[i][-1], places[i][0]))
    for spot, i in enumerate(right):
        name = kuhn[i].agent
        look = looks.get(name, {"color": "#999999", "marker": "o", "linestyle": "-"})
        width = {"linewidth": 2.0, "zorder": 3} if name in looks else {"linewidth": 1.0}
        axes.plot(range(len(columns)), places[i], markersize=4, **look, **width)
        axes.annotate(
            name,
            (len(columns) - 1, places[i][-1]),
            xytext=(len(columns) - 0.72, spot + 1),
            va="center",
            fontsize=8,
            color=look["color"] if name in looks else INK,
            arrowprops={"arrowstyle": "-", "color": GRID},
        )
    axes.set_xticks(
        range(len(columns)),
        [name.replace(" ", "\n", 1) for name in NAMES],
    )
    axes.set_yticks([1, len(kuhn)], ["best", "worst"])
    axes.invert_yaxis()
    axes.set_xlim(-0.2, len(columns) + 0.5)
    axes.grid(False)
    headed(drawing, "Kuhn's game", "scripted stand-ins in the order of each score; equal ones meet")
    save(drawing, path)


# Running


def _bar() -> Progress:
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    return Progress(*columns, console=Console(stderr=True), transient=True)


def _sets(game: Game) -> int:
    return sum(game.deal.size(node.player) for node in game.tree.decisions.values())


def write(folder: Path, hands: int, answers: int) -> None:
    """Make the page, the picture and the results."""
    steps = sum(len(STAND_INS) * (2 * hands + answers * _sets(relance.make(text))) for text in GAMES)
    with _bar() as bar:
        task = bar.add_task("answers and hands", total=steps)
        found = stand_ins(hands, answers, lambda count: bar.advance(task, count))
    game, one = relance.make(KUHN), STAND_INS["by heart"]
    wordings: list[Wording] = [PLAIN, *(relance.redressed(game, seed) for seed in DRESSES)]
    hearts = [(wording.name, exact_scores(game, one, wording)) for wording in wordings]
    (folder / "results").mkdir(parents=True, exist_ok=True)
    write_text(folder / "results" / "stand_ins.jsonl", "".join(json.dumps(one.row()) + "\n" for one in found))
    write_text(folder / "stand_ins.md", page(found, hearts))
    picture(found, folder / "stand_ins.svg")
    print(f"wrote stand_ins.md, stand_ins.svg and results/stand_ins.jsonl into {folder}")


def score_model(options: argparse.Namespace) -> Found:
    """Score a model behind an address, and print it among the stand-ins."""
    game = relance.make(options.game)
    wording = PLAIN if options.dress is None else relance.redressed(game, options.dress)
    endpoint = Endpoint(
        options.url, options.model, options={} if options.temperature is None else {"temperature": options.temperature}
    )
    agent = TextAgent(endpoint, options.retries, wording, batched=True)
    steps = options.answers * _sets(game) + 2 * options.hands
    console = Console()
    console.print(
        f"{options.model}: {options.answers * _sets(game):,} questions, then {2 * options.hands:,} hands of {game}",
        highlight=False,
    )
    with _bar() as bar:
        task = bar.add_task("answers and hands", total=steps)
        found = measure(
            game,
            options.game,
            options.model,
            [agent, agent],
            None,
            options.hands,
            options.answers,
            lambda count: bar.advance(task, count),
            options.answers_file,
        )
    others = [(one.name, exact_scores(game, one, wording), "") for one in STAND_INS.values()]
    mine = found.measured._replace(nash_conv=found.nash_conv.point)
    table = Table(box=None, pad_edge=False)
    for heading in ("agent", *TITLES.values(), "NashConv"):
        table.add_column(heading, justify="left" if heading == "agent" else "right")
    for name, scores, mark in sorted([*others, (options.model, mine, "> ")], key=lambda row: row[1].nash_conv or 0):
        table.add_row(mark + name, *_figures(scores), style="bold" if mark else None)
    console.print(table)
    console.print(
        f"NashConv {_interval(found.nash_conv)}, {found.illegal:.1%} of the answers in play illegal; stand-ins are exact",
        highlight=False,
    )
    if options.output:
        with Path(options.output).open("a", encoding="utf-8") as file:
            file.write(json.dumps(found.row() | {"wording": wording.name}) + "\n")
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m studies.stand_ins", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--folder", type=Path, default=Path("docs"), help="where the page goes")
    parser.add_argument(
        "--hands", type=int, default=None, help=f"hands in each seat (default {HANDS}, or 100 for a model)"
    )
    parser.add_argument(
        "--answers", type=int, default=None, help=f"answers at each information set (default {ANSWERS}, or 20)"
    )
    parser.add_argument("--url", help="score a model at this OpenAI-compatible address")
    parser.add_argument("--model", help="its name there")
    parser.add_argument("--game", default=KUHN, help="for a model: the game")
    parser.add_argument("--dress", type=int, help="for a model: the number of a dress; by default the plain words")
    parser.add_argument(
        "--retries", type=int, default=0, choices=(0, 1), help="for a model: ask again after an illegal answer"
    )
    parser.add_argument("--temperature", type=float, help="for a model: by default, the server's")
    parser.add_argument("--answers-file", help="for a model: keeps its answers, and goes on from them")
    parser.add_argument("--output", "-o", help="for a model: add the result to this file of JSON lines")
    options = parser.parse_args(arguments)
    if (options.url is None) != (options.model is None):
        parser.error("--url and --model go together")
    options.hands = options.hands or (100 if options.url else HANDS)
    options.answers = options.answers or (20 if options.url else ANSWERS)
    try:
        if options.url:
            score_model(options)
        else:
            write(options.folder, options.hands, options.answers)
    except (ValueError, OSError, EndpointError) as error:
        print(f"error: {error}", *getattr(error, "__notes__", ()), sep="\n", file=sys.stderr)
        return 2
    except KeyboardInterrupt as stop:
        print("stopped", *getattr(stop, "__notes__", ()), sep="\n", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
