"""The score of an agent in games that were played: `relance score-games`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from relance.pages.commands.agents import ListsOpponents, errors_of, player
from relance.pages.commands.shared import (
    GAME,
    check_file,
    command,
    complete_opponents,
    console_of,
    progress_bar,
    typed_game,
    whole_number,
    write,
)


@command(
    "relance score-games one_card_poker games.jsonl --html agent.html",
    cls=ListsOpponents,
)
def score_games(
    game: GAME,
    logs: Annotated[
        list[Path], typer.Argument(help="Logs of `relance match --log`, Inspect, verifiers, OpenEnv or Kaggle.")
    ],
    agent: Annotated[str | None, typer.Option(help="Its name in the log, if the log has several agents.")] = None,
    opponent: Annotated[
        str | None,
        typer.Option(help="Who played the other seat, where the log does not say.", autocompletion=complete_opponents),
    ] = None,
    hands: Annotated[
        int | None, typer.Option(help="The number of cells that hands on [0, 1] are cut into.", parser=whole_number)
    ] = None,
    html_file: Annotated[Path | None, typer.Option("--html", help="Write the score as a page.")] = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Write the score to this file; - for standard output.")
    ] = None,
) -> None:
    """Score an agent from games that were played: how far it is exploitable, its chips with luck taken out, and what decisions lost."""
    from relance.words import logged_score
    from relance.words.game_logs import read_all

    check_file(html_file, "--html")
    check_file(json_file, "--json", or_stdout=True)
    to_stdout = str(json_file) == "-"
    made, console = typed_game(game), console_of(stderr=to_stdout)
    with errors_of(opponent or ""), progress_bar("nothing was scored") as progress:
        task = progress.add_task("reading", total=None)
        against = player(made, opponent) if opponent else None
        log = read_all(logs, made)
        progress.update(task, description="scoring")
        result = logged_score.score_games(made, log, agent, opponent=against, hands=hands)
        text = str(result)
    console.print(text, markup=False, highlight=False, soft_wrap=True)
    if json_file is not None:
        write(json_file, json.dumps(result.as_dict(), indent=1, ensure_ascii=False) + "\n")
    if html_file is not None:
        from relance.pages.agent_page import agent_page

        page, note = agent_page(result)
        write(html_file, page)
        if note:
            console.print(note, markup=False, soft_wrap=True)
        console.print(f"the page is in {html_file}", markup=False, highlight=False, soft_wrap=True)
