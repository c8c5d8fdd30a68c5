"""Games written as text, as in `str(game)`."""

from __future__ import annotations

from relance.model.game import Game


def read_game(text: str) -> Game:
    """Make the game that a text such as "von_neumann(bet=2,hands=9)" names. Raises ValueError that says what is wrong with it."""
    from relance.envs import make

    name, bracket, rest = text.strip().partition("(")
    if bracket and not rest.endswith(")"):
        raise ValueError(f"game {text!r} lacks its closing bracket; write 'von_neumann(bet=2)'")
    given: dict[str, str] = {}
    for pair in rest[:-1].split(",") if rest[:-1].strip() else []:
        key, _, value = (part.strip() for part in pair.partition("="))
        if key in given:
            raise ValueError(f"game {text!r} gives {key!r} twice")
        given[key] = value
    return make(name.strip(), **given)
