"""Somebody's game or solution against a reference: `relance grade`."""

from __future__ import annotations

import typer

from relance.equilibria.grades import grade_game, grade_solution
from relance.model.arguments import NotNegative
from relance.model.game_tree import GameTree
from relance.model.numbers import fraction
from relance.pages.commands.agents import read_json, typed_tree
from relance.pages.commands.generator import command
from relance.pages.commands.progress import called


@command()
def grade(theirs: str, ours: GameTree, tolerance: NotNegative = 1e-6) -> None:
    """Grade somebody's game or solution: the first difference of each kind is named, and the exit status is 1 if there is one.

    Args:
        theirs: a game as below, or a solution, FILE.json, with {'profile': {information set: {action: probability}}} and its claims: value,
            values, nash_conv, exploitability.
        ours: the reference.
        tolerance: for a solution, the chips by which it may be wrong.

    Examples:
        relance grade my_games:KuhnPoker openspiel:kuhn_poker
        relance grade theirs.efg one_card_poker
        relance grade their_solution.json openspiel:leduc_poker --tolerance 1e-4
    """
    if theirs.endswith(".json"):
        found = called(grade_solution, ours, read_json(theirs), fraction(tolerance, "tolerance"))
    else:
        found = called(grade_game, typed_tree(theirs), ours)
    print(found)
    if not found.right:
        raise typer.Exit(1)
