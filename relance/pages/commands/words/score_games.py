"""The score of an agent in games that were played: `relance score-games`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from relance.model.game import Game
from relance.pages.agent_page import agent_page
from relance.pages.commands.generator import command
from relance.pages.commands.progress import called
from relance.pages.commands.shared import beside, show_result, write
from relance.pages.commands.typed import JSON, WrittenPath
from relance.words import logged_score
from relance.words.game_logs import read_all


@command(logged_score.score_games)
def score_games(
    game: Game,
    logs: list[Path],
    html_file: Annotated[Path | None, "--html", WrittenPath()] = None,
    json_file: JSON = None,
    **options: Any,
) -> None:
    """Score an agent from games that were played: how far it is exploitable, its chips with luck taken out, and what decisions lost.

    Args:
        logs: logs of `relance match --log`, Inspect, verifiers, OpenEnv or Kaggle.
        html_file: write the score as a page.

    Examples:
        relance score-games one_card_poker games.jsonl --agent my_agents:talker --html agent.html
    """
    log = called(read_all, logs, game, kept="nothing was scored")
    result = called(logged_score.score_games, game, log, kept="nothing was scored", **options)
    show_result(result, json_file)
    if html_file is not None:
        page, note = agent_page(result)
        write(html_file, page)
        told = [note] * bool(note) + [f"the page is in {html_file}"]
        print(*told, sep="\n", file=beside(json_file))
