"""Named spots of `river` and `turn`, read from `river_spots.toml` and `turn_spots.toml`: kinds of ranges, with short and deep stacks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from relance.model.arguments import checked
from relance.model.blueprint import Parameters
from relance.model.game import Game
from relance.model.numbers import did_you_mean, fraction
from relance.model.parameters import Parameter

ROUNDED = Fraction(1, 2_000_000)
"""A spot's value is off by at most this many chips, if the value is not exact and the spot's file does not say by how much."""


@dataclass(frozen=True)
class Spot:
    """A named situation of the river or turn.

    Attributes:
        of: the name of the game, "river" or "turn".
        name, about: the name of the spot, and what it shows.
        parameters: the parameters of the game.
        value: player 0's value in chips.
        within: by how much the value may be off; 0 if it is exact.
    """

    of: str
    name: str
    about: str
    parameters: Mapping[str, Any]
    value: Fraction
    within: Fraction

    @property
    def exact(self) -> bool:
        """True if the value is exact."""
        return self.within == 0

    @property
    def game(self) -> Game:
        """The game of this spot, which `relance.make` makes."""
        from relance.envs.catalogue import make

        return make(self.of, **self.parameters)


def spot_of(game: str, values: Parameters, kinds: Mapping[str, Parameter]) -> str | None:
    """Return the name of the spot of `game` ("river" or "turn") whose parameters have these values; None if there is no such spot.

    Args:
        game: the name of the game.
        values: the value of each parameter, by its name.
        kinds: by name, the `Parameter` objects of the game. Each reads its value in a spot's file, and has a default if no value is there.
    """
    for name, found in spots(game).items():
        if all(kind.read(key, found.parameters.get(key, kind.default)) == values[key] for key, kind in kinds.items()):
            return name
    return None


@checked
@cache
def spots(game: str) -> dict[str, Spot]:
    """Return all named spots of the game "river" or "turn", a dict from each name to a `Spot`."""
    import tomllib

    text = Path(__file__).with_name(f"{game}_spots.toml").read_text(encoding="utf-8")
    out = {}
    for name, fields in tomllib.loads(text).items():
        about, value = fields.pop("about"), fields.pop("value")
        within = fraction(fields.pop("within", 0 if isinstance(value, str) else ROUNDED))
        out[name] = Spot(game, name, about, fields, fraction(value), within)
    return out


@checked
def river_spot(name: str) -> Spot:
    """Return a named spot of the game `river`: a board, ranges, pot and bets.

    Raises:
        ValueError: there is no spot of this name.
    """
    return _spot("river", name)


@checked
def turn_spot(name: str) -> Spot:
    """Return a named spot of the game `turn`; ValueError if there is no spot of this name."""
    return _spot("turn", name)


def _spot(game: str, name: str) -> Spot:
    if name not in spots(game):
        raise ValueError(f"there is no spot {name!r} of {game}" + did_you_mean(name, spots(game)))
    return spots(game)[name]
