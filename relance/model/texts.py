"""Readers for the text of a game or a profile, used wherever text is accepted. It imports nothing, because `relance` fills it at once."""

from collections.abc import Callable
from typing import Any

READ: dict[str, Callable[..., Any]] = {}
"""By "game", what makes a game of text; by "profile", what reads whatever says how both play a game; by "tree", what makes a game tree;
by "solved", what solves a game; by "dump", what makes a profile of a game and of TexasSolver's JSON. `relance` fills it."""
