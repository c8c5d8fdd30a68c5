"""What all environments check: the game that is asked for, and options with a few allowed values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from relance.envs import make
from relance.model.game import Game


def game_of(game: str | Game, parameters: Mapping[str, object]) -> Game:
    """The game by name and parameters, or the Game itself, which takes no parameters."""
    if isinstance(game, Game) and parameters:
        raise ValueError(f"parameters {sorted(parameters)} go with a game's name; {game} has its own already")
    return game if isinstance(game, Game) else make(game, **parameters)


def check_options(*options: tuple[str, Any, tuple[Any, ...]]) -> None:
    """Raise ValueError unless each (name, value, allowed values) has an allowed one."""
    for name, value, allowed in options:
        if isinstance(value, (bool, float)) or value not in allowed:  # True and 1.0 are equal to 1
            raise ValueError(f"{name}={value!r} must be one of {', '.join(map(repr, allowed))}")
