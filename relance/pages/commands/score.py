"""Scores of agents, and grades of games and solutions: `relance score` and `relance grade`."""

from __future__ import annotations

import sys
from typing import Any

import typer

from relance.equilibria.grades import grade_game, grade_solution
from relance.model.arguments import NotNegative
from relance.model.game import Game
from relance.model.game_tree import GameTree
from relance.model.numbers import fraction
from relance.model.profile_file import FILES
from relance.pages.commands.agents import source
from relance.pages.commands.generator import command
from relance.pages.commands.progress import called
from relance.pages.commands.shared import show_result
from relance.pages.commands.typed import JSON
from relance.play.exact_score import most_questions
from relance.play.exact_score import score as score_agent
from relance.play.opponents import Player


@command(score_agent)
def score(game: Game | GameTree, agent: Player, json_file: JSON = None, **options: Any) -> None:
    """Score an agent that plays both seats: its NashConv, what best responses earn against it, and how far it is from published play.

    Examples:
        relance score von_neumann 'perturbed(0.1)'
        relance score 'von_neumann(hands=90)' profile.json
        relance score one_card_poker my_agents:bluffer
        relance score openspiel:kuhn_poker uniform
    """
    if (
        isinstance(game, Game)
        and "hands" not in options
        and not game.deal.is_finite
        and (most := most_questions(game, agent))
    ):
        print(f"asking at most {most:,} questions; --budget and --hands lower this", file=sys.stderr)
    show_result(called(score_agent, game, agent, kept="nothing was scored", **options), json_file)


@command()
def grade(theirs: str, ours: Game | GameTree, tolerance: NotNegative = 1e-6) -> None:
    """Grade somebody's game or solution against a reference: print the first difference of each kind, with exit status 1.

    Args:
        theirs: a game, in the same words as OURS; or a solution, FILE.json, with {'profile': {information set: {action: probability}}} and
            what it claims: value, values, nash_conv, exploitability; or TexasSolver's dump of a river or turn.
        ours: the reference game.
        tolerance: for a solution, the error in chips up to which it is right.

    Examples:
        relance grade my_games:KuhnPoker openspiel:kuhn_poker
        relance grade theirs.efg one_card_poker
        relance grade their_solution.json openspiel:leduc_poker --tolerance 1e-4
    """
    if theirs.endswith(FILES):
        found = called(grade_solution, ours, theirs, fraction(tolerance, "tolerance"))
    else:
        found = called(grade_game, source(theirs), ours)
    print(found)
    if not found.right:
        raise typer.Exit(1)
