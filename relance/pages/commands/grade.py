"""Somebody's game or solution against a reference: `relance grade`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from relance.pages.commands.shared import command, console_of, progress_bar


@command(
    "relance grade my_games:KuhnPoker openspiel:kuhn_poker",
    "relance grade theirs.efg one_card_poker",
    "relance grade their_solution.json openspiel:leduc_poker --tolerance 1e-4",
)
def grade(
    theirs: Annotated[
        str,
        typer.Argument(
            help="A game: openspiel:NAME, FILE.efg, or module:NAME, a Python game of OpenSpiel or a tree; or a solution, FILE.json, with "
            "{'profile': {information set: {action: probability}}} and its claims: value, values, nash_conv, exploitability."
        ),
    ],
    ours: Annotated[
        str, typer.Argument(help="The reference: a game of Relance, openspiel:NAME, FILE.efg or module:NAME.")
    ],
    tolerance: Annotated[float, typer.Option(help="For a solution, the chips by which it may be wrong.")] = 1e-6,
) -> None:
    """Grade somebody's game or solution: the first difference of each kind is named, and the exit status is 1 if there is one."""
    from relance.equilibria.grades import grade_game, grade_solution
    from relance.model.files import read_text
    from relance.model.numbers import fraction
    from relance.pages.commands.game_trees import any_tree

    if not (margin := fraction(tolerance, "tolerance")) >= 0:
        raise ValueError(f"--tolerance {tolerance} must be at least 0")
    with progress_bar("nothing was graded"):
        reference = any_tree(ours)
        if theirs.endswith(".json"):
            try:
                told = json.loads(read_text(Path(theirs)))
            except json.JSONDecodeError as error:
                raise ValueError(f"{theirs} is no JSON: {error}") from None
            found = grade_solution(reference, told, margin)
        else:
            found = grade_game(any_tree(theirs), reference)
    console_of().print(str(found), markup=False, highlight=False, soft_wrap=True)
    if not found.right:
        raise typer.Exit(1)
