"""Functions that read the text of a game or a profile. `relance` registers them, so this module imports nothing."""

from collections.abc import Callable
from typing import Any

READ: dict[str, Callable[..., Any]] = {}
"""The functions by name: "game" makes a game from text, "tree" a game tree, "profile" a profile from any description,
"dump" a profile from TexasSolver's JSON; "solved" solves a game. `relance` fills this on import."""
