"""The exact score of an agent: `relance score`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from relance.pages.commands.agents import STRATEGIES, ListsOpponents, errors_of, player
from relance.pages.commands.shared import (
    ANY_GAME,
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

if TYPE_CHECKING:
    from relance.play.exact_score import Score
    from relance.play.tree_score import TreeScore


@command(
    "relance score von_neumann 'perturbed(0.1)'",
    "relance score 'von_neumann(hands=90)' profile.json",
    "relance score one_card_poker my_agents:bluffer",
    "relance score openspiel:kuhn_poker uniform",
    cls=ListsOpponents,
)
def score(
    game: ANY_GAME,
    agent: Annotated[str, typer.Argument(help=STRATEGIES, autocompletion=complete_opponents)],
    hands: Annotated[
        int | None,
        typer.Option(help="With hands on [0, 1], the number of cells of a fixed grid.", parser=whole_number),
    ] = None,
    budget: Annotated[int | None, typer.Option(help="The most questions to ask.", parser=whole_number)] = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Write the score to this file; - for standard output.")
    ] = None,
) -> None:
    """Score an agent that plays both seats: its NashConv, what best responses earn against it, and how far it is from published play."""
    from relance.pages.commands.game_trees import tree_player, typed_tree
    from relance.play.exact_score import most_questions
    from relance.play.exact_score import score as score_agent

    check_file(json_file, "--json", or_stdout=True)
    if (tree := typed_tree(game)) is not None:
        for name, given in (("--hands", hands), ("--budget", budget)):
            if given is not None:
                raise ValueError(f"{name} {given} is an option for games of Relance, not for game trees")
    with errors_of(agent), progress_bar("nothing was scored") as progress:
        result: Score | TreeScore
        if tree is not None:
            result = score_agent(tree, tree_player(tree, agent))
        else:
            played = typed_game(game)
            found = player(played, agent, solving(progress, "scoring"))
            if hands is None and not played.deal.is_finite and (most := most_questions(played, found)):
                progress.console.print(
                    f"asking {most:,} questions at most; --budget and --hands ask fewer", soft_wrap=True
                )
            result = score_agent(played, found, hands=hands, budget=budget)
        text = str(result)
    if json_file is not None:
        write(json_file, json.dumps(result.as_dict(), indent=1, ensure_ascii=False) + "\n")
    console_of(stderr=str(json_file) == "-").print(text, markup=False, highlight=False, soft_wrap=True)
