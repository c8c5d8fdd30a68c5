"""`relance score --games`: the score of an agent from logged games, in the terminal, as JSON and as a page."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from relance.commands.shared import check_file, console_of, progress_bar, write
from relance.model.game import Game


def score_log(
    game: Game,
    files: Sequence[Path],
    agent: str | None,
    opponent: object | None,
    hands: int | None,
    html_file: Path | None,
    json_file: Path | None,
) -> None:
    """Score what is logged in these files, print it, and write what is asked for; see `relance.commands.agents.score`."""
    from relance.agents.games import score_games
    from relance.registration.game_logs import read_all

    if html_file is not None:
        check_file(html_file, "--html")
    to_stdout = str(json_file) == "-"
    if json_file is not None and not to_stdout:
        check_file(json_file, "--json")
    console = console_of(stderr=to_stdout)
    with progress_bar(Console(stderr=True), "nothing was scored") as progress:
        task = progress.add_task("reading", total=None)
        log = read_all(files, game)
        progress.update(task, description="scoring")
        result = score_games(game, log, agent, opponent=opponent, hands=hands)
        text = str(result)
    console.print(text, markup=False, highlight=False, soft_wrap=True)
    if json_file is not None:
        write(json_file, json.dumps(result.as_dict(), indent=1, ensure_ascii=False) + "\n")
    if html_file is not None:
        from relance.reports.agent_page import agent_page

        page, note = agent_page(result)
        write(html_file, page)
        if note:
            console.print(note, markup=False, soft_wrap=True)
        console.print(f"the page is in {html_file}", markup=False, highlight=False, soft_wrap=True)
