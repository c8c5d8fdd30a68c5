"""Matches on the command line: `relance match`."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path
from typing import Annotated

import typer
from rich.console import RenderableType

from relance.model.files import check_folder
from relance.pages.commands.agents import (
    MAX_TOKENS,
    PLAYERS,
    TEMPERATURE,
    ListsOpponents,
    errors_of,
    for_models,
    is_url,
    player,
)
from relance.pages.commands.shared import (
    GAME,
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
from relance.play.agents import is_import_path


@command(
    "relance match published 'perturbed(0.1)' one_card_poker",
    "relance match published my_agents:talker one_card_poker --log games.jsonl",
    "relance match published uniform caller passive von_neumann",
    cls=ListsOpponents,
)
def match(
    agents: Annotated[
        list[str],
        typer.Argument(
            help=f"Two or more agents. {PLAYERS} An agent may draw its actions.", autocompletion=complete_opponents
        ),
    ],
    game: GAME,
    hands: Annotated[
        int, typer.Option(help="The most hands of each match; each deal counts as two.", parser=whole_number)
    ] = 10_000,
    seed: Annotated[int, typer.Option(help="Seed of the deals and of all that is drawn.", min=0)] = 0,
    within: Annotated[
        float | None,
        typer.Option(help="Play until the half-width of the interval is at most this, in chips, whoever wins."),
    ] = None,
    log: Annotated[
        Path | None,
        typer.Option(
            help="Write every answer to this file (of more than two agents, to files in this folder); a stopped match continues from it."
        ),
    ] = None,
    budget: Annotated[
        int | None,
        typer.Option(
            help="The most questions that a match puts to agents that are no strategies; needed for a model behind an address.",
            parser=whole_number,
        ),
    ] = None,
    temperature: TEMPERATURE = None,
    max_tokens: MAX_TOKENS = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Write the results to this file; - for standard output.")
    ] = None,
) -> None:
    """Let agents play each other: who wins, and by how many chips a hand, with most of the luck taken out.

    With more than two agents, each plays all others. Each deal is played from both seats. A match stops when it is decided, and its
    interval is valid all the same.
    """
    from relance.pages.commands.words.crosstable import crosstable
    from relance.words.endpoint import asks_a_model
    from relance.words.match import match as play_match
    from relance.words.match import match_questions, matches

    check_file(json_file, "--json", or_stdout=True)
    made, names = typed_game(game), tuple(agents)
    if len(names) == 2:
        check_file(log, "--log")
    elif log is not None:
        check_folder(log)
    if len(names) < 2:
        raise ValueError(f"a match needs two agents or more, not {len(names)}, and then the game")
    if len(set(names)) < len(names) > 2:
        raise ValueError(f"each agent is named once in a table of all against all: {', '.join(names)}")
    kept = "no match was finished" if log is None else f"{log} holds what was played, and the same command continues"
    own = " or ".join(name for name in names if is_import_path(name))
    with errors_of(own), progress_bar(kept) as progress:
        ready, told = (
            solving(progress, "getting ready"),
            for_models(names, temperature=temperature, max_tokens=max_tokens),
        )
        players = {name: player(made, name, ready, **told) for name in dict.fromkeys(names)}
        options = ", ".join(f"{key}={value}" for key, value in told.items() if value is not None)
        shown = {name: f"{name} ({options})" if options and is_url(name) else name for name in names}
        each = [match_questions(made, players[a], players[b], hands) for a, b in combinations(names, 2)]
        if budget is None and any(map(asks_a_model, players.values())):
            apart = f" in a match and {sum(each):,} in all" * (len(each) > 1)
            raise ValueError(
                f"this asks up to {max(each):,} questions{apart}; allow them with --budget {max(each)}, or fewer"
            )
        if most := sum(count if budget is None else min(count, budget) for count in each):
            progress.console.print(f"asking at most {most:,} questions", soft_wrap=True)
        task = progress.add_task("hands", total=None)

        def tick(played: int, most: int) -> None:
            progress.update(task, completed=played, total=most)

        if len(names) == 2:
            pair = shown[names[0]], shown[names[1]]
            first, second = (players[name] for name in names)
            result = play_match(
                made, first, second, hands, seed=seed, within=within, log=log, names=pair, budget=budget, tick=tick
            )
            results = [result]
            found: str | RenderableType = str(result)
        else:
            played = {shown[name]: agent for name, agent in players.items()}
            results = matches(made, played, hands, seed=seed, within=within, log=log, budget=budget, tick=tick)
            found = crosstable(results)
    if json_file is not None:
        write(json_file, json.dumps([one.as_dict() for one in results], indent=1, ensure_ascii=False) + "\n")
    console_of(stderr=str(json_file) == "-").print(
        found, markup=False, highlight=False, soft_wrap=isinstance(found, str)
    )
