"""Agents that draw their actions: `relance ask`."""

from __future__ import annotations

import sys
from typing import Annotated, Any

from relance.model.arguments import Count
from relance.model.game import Game
from relance.pages.commands.agents import TALKER, without_models
from relance.pages.commands.generator import command
from relance.pages.commands.progress import called
from relance.pages.commands.shared import show_result
from relance.pages.commands.typed import FILE, JSON
from relance.play.opponents import Player
from relance.words.endpoint import agent_at
from relance.words.sampled_score import cost, score


@command(score, agent_at, without=["text"])
def ask(
    game: Game,
    agent: Annotated[tuple[str, Player], TALKER],
    answers: Count = 100,
    answers_file: FILE = None,
    json_file: JSON = None,
    **options: Any,
) -> None:
    """Ask an agent that draws its actions many times at each information set, and estimate its NashConv and what best responses earn.

    Examples:
        relance ask one_card_poker my_agents:model --answers 100 --answers-file model.jsonl
        relance ask one_card_poker 'http://localhost:8000/v1#NAME' --answers 20 --answers-file model.jsonl
    """
    asked, options = agent[1], without_models(agent[1:], options)
    kept = f", less those answered in {answers_file}" if answers_file and answers_file.exists() else ""
    print(f"asking {cost(game, asked, answers, options.get('hands'))}{kept}", file=sys.stderr)
    result = called(score, game, asked, answers, answers_file=answers_file, kept="nothing was scored", **options)
    show_result(result, json_file)
