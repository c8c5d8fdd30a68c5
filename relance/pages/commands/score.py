"""The exact score of an agent: `relance score`."""

from __future__ import annotations

import sys
from typing import Any

from relance.model.game import Game
from relance.model.game_tree import GameTree
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
        print(f"asking {most:,} questions at most; --budget and --hands ask fewer", file=sys.stderr)
    show_result(called(score_agent, game, agent, kept="nothing was scored", **options), json_file)
