"""What the usual scores make of scripted baselines for language models: `python -m studies.scripted_baselines` writes docs/stand_ins.md.

With --url and --model it scores a real model in the same way, and shows it among the scripted baselines:

    python -m studies.stand_ins --url http://localhost:8000/v1 --model NAME --answers 20 --hands 200
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

import relance
from relance.model.files import write_text
from relance.model.game import Game
from relance.play.wording import PLAIN, Wording
from relance.words.endpoint import Endpoint, EndpointError
from relance.words.text_agent import TextAgent
from studies.scripted_models import SCRIPTED_BASELINES
from studies.scripted_page import GAMES, KUHN, figures, interval, page, picture
from studies.scripted_scores import TITLES, Found, Scores, exact_scores, measured_scores, read

RENAMINGS = (1, 2, 3)
HANDS, ANSWERS = 2000, 200
"""In words: how many hands each scripted baseline plays in each seat, and how often it is asked at each information set."""

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
    log: str | None = None,
) -> Found:
    """Ask and play in words. `agents` are the same agent twice: to be asked, and to play."""
    done = 0

    def told(so_far: int, _: int) -> None:
        nonlocal done
        tick(so_far - done)
        done = so_far

    estimate = relance.words.score(game, agents[0], answers=answers, answers_file=answers_file, tick=told)
    done = 0
    played, illegal = measured_scores(game, agents[1], hands, seed=1, tick=told, log=log)
    return Found(text, name, exact, played, estimate.nash_conv, illegal, hands, answers)


def scripted_baselines(hands: int, answers: int, tick: Tick) -> list[Found]:
    """All scripted baselines in all games, exactly and in words."""
    found = []
    for text in GAMES:
        game = relance.make(text)
        for number, one in enumerate(SCRIPTED_BASELINES.values()):
            agents = [one.agent(game, seed=2 * number + k) for k in (0, 1)]
            exact = exact_scores(game, one)
            found.append(measure(game, text, one.name, agents, exact, hands, answers, tick))
    return found


# Running


def _bar() -> Progress:
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    return Progress(*columns, console=Console(stderr=True), transient=True)


def _sets(game: Game) -> int:
    return sum(game.deal.size(node.player) for node in game.tree.decisions.values())


def write(folder: Path, hands: int, answers: int) -> None:
    """Make the page, the picture and the results."""
    steps = sum(len(SCRIPTED_BASELINES) * (2 * hands + answers * _sets(relance.make(text))) for text in GAMES)
    with _bar() as bar:
        task = bar.add_task("answers and hands", total=steps)
        found = scripted_baselines(hands, answers, lambda count: bar.advance(task, count))
    (folder / "results").mkdir(parents=True, exist_ok=True)
    write_text(folder / "results" / "stand_ins.jsonl", "".join(json.dumps(one.row()) + "\n" for one in found))
    write_page(folder)


def hearts() -> list[tuple[str, Scores]]:
    """The exact scores of the one that knows Kuhn's game by heart, by wording."""
    game, one = relance.make(KUHN), SCRIPTED_BASELINES["by heart"]
    wordings: list[Wording] = [PLAIN, *(relance.words.renamed_wording(game, seed) for seed in RENAMINGS)]
    return [(wording.name, exact_scores(game, one, wording)) for wording in wordings]


def write_page(folder: Path) -> None:
    """Make the page and the picture from the results that are kept."""
    found = read(folder / "results" / "stand_ins.jsonl")
    write_text(folder / "stand_ins.md", page(found, hearts()))
    picture(found, folder / "stand_ins.svg")
    print(f"wrote stand_ins.md and stand_ins.svg into {folder}")


def score_model(options: argparse.Namespace) -> Found:
    """Score a model behind an address, and print it among the scripted baselines."""
    game = relance.make(options.game)
    wording = PLAIN if options.renaming is None else relance.words.renamed_wording(game, options.renaming)
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
            options.log,
        )
    others = [(one.name, exact_scores(game, one, wording), "") for one in SCRIPTED_BASELINES.values()]
    mine = found.measured._replace(nash_conv=found.nash_conv.point)
    table = Table(box=None, pad_edge=False)
    for heading in ("agent", "NashConv", *TITLES.values()):
        table.add_column(heading, justify="left" if heading == "agent" else "right")
    for name, scores, mark in sorted([*others, (options.model, mine, "> ")], key=lambda row: row[1].nash_conv or 0):
        table.add_row(mark + name, *figures(scores), style="bold" if mark else None)
    console.print(table)
    console.print(
        f"NashConv {interval(found.nash_conv)}, {found.illegal:.1%} of the answers in play illegal; scripted baselines are exact",
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
    parser.add_argument("--page", action="store_true", help="make the page from the results that are kept")
    parser.add_argument("--url", help="score a model at this OpenAI-compatible address")
    parser.add_argument("--model", help="its name there")
    parser.add_argument("--game", default=KUHN, help="for a model: the game")
    parser.add_argument(
        "--renaming", type=int, help="for a model: the seed of a renamed game; by default the plain words"
    )
    parser.add_argument(
        "--retries", type=int, default=0, choices=(0, 1), help="for a model: ask again after an illegal answer"
    )
    parser.add_argument("--temperature", type=float, help="for a model: by default, the server's")
    parser.add_argument("--answers-file", help="for a model: keeps its answers, and goes on from them")
    parser.add_argument("--log", help="for a model: keeps the hands that it plays, and goes on from them")
    parser.add_argument("--output", "-o", help="for a model: add the result to this file of JSON lines")
    options = parser.parse_args(arguments)
    if (options.url is None) != (options.model is None):
        parser.error("--url and --model go together")
    options.hands = options.hands or (100 if options.url else HANDS)
    options.answers = options.answers or (20 if options.url else ANSWERS)
    try:
        if options.url:
            score_model(options)
        elif options.page:
            write_page(options.folder)
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
