"""Agents that answer: `relance ask`, and their logged games: `relance score-games`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from relance.pages.commands.agents import (
    MAX_TOKENS,
    PLAYERS,
    TEMPERATURE,
    ListsOpponents,
    errors_of,
    for_models,
    player,
)
from relance.pages.commands.shared import (
    GAME,
    asking,
    check_file,
    command,
    complete_opponents,
    console_of,
    progress_bar,
    solving,
    typed_game,
    whole_number,
    write,
)


@command(
    "relance ask one_card_poker my_agents:model --answers 100 --answers-file model.jsonl",
    "relance ask one_card_poker 'http://localhost:8000/v1#NAME' --answers 20 --answers-file model.jsonl",
    cls=ListsOpponents,
)
def ask(
    game: GAME,
    agent: Annotated[str, typer.Argument(help=PLAYERS, autocompletion=complete_opponents)],
    answers: Annotated[int, typer.Option(help="How often to ask at each information set.", parser=whole_number)] = 100,
    answers_file: Annotated[
        Path | None, typer.Option(help="Add each answer to this file at once; a file that exists is continued.")
    ] = None,
    hands: Annotated[
        int | None,
        typer.Option(
            help="At how many hands of each player to ask, if there are many or they are on [0, 1].",
            parser=whole_number,
        ),
    ] = None,
    budget: Annotated[int | None, typer.Option(help="The most questions to ask.", parser=whole_number)] = None,
    temperature: TEMPERATURE = None,
    max_tokens: MAX_TOKENS = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Write the estimate to this file; - for standard output.")
    ] = None,
) -> None:
    """Ask an agent that draws its actions many times at each information set, and estimate its NashConv and what best responses earn."""
    from relance.words.sampled_score import cost, score

    check_file(answers_file, "--answers-file")
    check_file(json_file, "--json", or_stdout=True)
    played, told = typed_game(game), for_models([agent], temperature=temperature, max_tokens=max_tokens)
    with errors_of(agent), progress_bar("nothing was scored") as progress:
        found = player(played, agent, solving(progress, "scoring"), **told)
        kept = f", less those answered in {answers_file}" if answers_file and answers_file.exists() else ""
        progress.console.print(f"asking {cost(played, found, answers, hands)}{kept}", soft_wrap=True)
        result = score(
            played, found, answers, hands=hands, answers_file=answers_file, budget=budget, tick=asking(progress)
        )
    if json_file is not None:
        write(json_file, json.dumps(result.as_dict(), indent=1, ensure_ascii=False) + "\n")
    console_of(stderr=str(json_file) == "-").print(str(result), markup=False, highlight=False, soft_wrap=True)
