"""An agent's score from drawn answers: in games that were played, `relance score-games`, or asked for, `relance ask`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

from relance.model.arguments import Count
from relance.model.game import Game
from relance.model.profile_file import save_profile
from relance.pages.agent_page import agent_page
from relance.pages.commands.agents import TALKER, without_models
from relance.pages.commands.generator import command
from relance.pages.commands.progress import called
from relance.pages.commands.shared import beside, show_result, write
from relance.pages.commands.typed import FILE, JSON, WrittenPath
from relance.play.opponents import Player
from relance.words import games_score
from relance.words.endpoint import agent_at
from relance.words.game_logs import read_all
from relance.words.sampled_score import cost, score


@command(games_score.score_games)
def score_games(
    game: Game,
    logs: list[Path],
    html_file: Annotated[Path | None, "--html", WrittenPath()] = None,
    json_file: JSON = None,
    **options: Any,
) -> None:
    """Score an agent from games that were played: how far it is exploitable, chips with luck taken out, and regret.

    Args:
        logs: files with logs of `relance match --log`, Inspect, verifiers, OpenEnv or Kaggle.
        html_file: write the score as an HTML page.

    Examples:
        relance score-games one_card_poker games.jsonl --agent my_agents:talker --html agent.html
    """
    log = called(read_all, logs, game, kept="nothing was scored")
    result = called(games_score.score_games, game, log, kept="nothing was scored", **options)
    show_result(result, json_file)
    if html_file is not None:
        page, note = agent_page(result)
        write(html_file, page)
        told = [note] * bool(note) + [f"the page is in {html_file}"]
        print(*told, sep="\n", file=beside(json_file))


@command(score, agent_at, without=["text", "name"])
def ask(
    game: Game,
    agent: Annotated[tuple[str, Player], TALKER],
    answers: Count = 100,
    answers_file: FILE = None,
    strategy_file: Annotated[Path | None, "--strategy", WrittenPath()] = None,
    json_file: JSON = None,
    **options: Any,
) -> None:
    """Ask an agent many times at each information set, and estimate its NashConv and what best responses to it earn.

    Args:
        strategy_file: write the frequencies of its actions to this file, as a strategy that `score`, `grade`, `match` and `plot` read.

    Examples:
        relance ask one_card_poker my_agents:model --answers 100 --answers-file model.jsonl
        relance ask one_card_poker 'http://localhost:8000/v1#NAME' --answers 20 --answers-file model.jsonl
    """
    asked, options = agent[1], without_models(agent[1:], options)
    kept = f", less those answered in {answers_file}" if answers_file and answers_file.exists() else ""
    print(f"asking {cost(game, asked, answers, options.get('hands'))}{kept}", file=sys.stderr)
    options |= {"answers_file": answers_file, "name": agent[0]}
    result = called(score, game, asked, answers, kept="nothing was scored", **options)
    show_result(result, json_file)
    if strategy_file is not None:
        save_profile(result.game, result.profile, strategy_file)
        print(f"the strategy is in {strategy_file}", file=beside(json_file))
