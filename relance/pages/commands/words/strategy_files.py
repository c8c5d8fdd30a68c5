"""Logs of games, as strategies that `relance plot --learned` draws."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from relance.model.game import Game


def is_mine(path: Path) -> bool:
    """True if the file is a log of games."""
    from relance.words.game_logs import is_log

    return is_log(path)


def strategy_files(game: Game, files: Sequence[Path]) -> dict[str, Any]:
    """Return how often each action was taken in these logs of the game, by agent."""
    from relance.words.game_logs import read_all
    from relance.words.games_score import score_games

    log = read_all(files, game.whole if game.hands else game)
    names = dict.fromkeys(row.agent for row in log.rows)
    return {name or "played": score_games(game.whole, log, name, hands=game.hands).frequencies for name in names}
