"""Named spots of `river`, read from `river_spots.toml`: polar, linear, merged and capped ranges, with little and with much money."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from relance.envs import river
from relance.model.blueprint import Parameters
from relance.model.game import Game, build
from relance.model.numbers import did_you_mean, fraction


@dataclass(frozen=True)
class Spot:
    """A named spot.

    Attributes:
        name, about: its name, and what it shows.
        parameters: of `river`.
        value: player 0's value in chips.
        exact: whether the value is exact; otherwise it is rounded to nine digits.
    """

    name: str
    about: str
    parameters: Mapping[str, Any]
    value: Fraction
    exact: bool

    @property
    def game(self) -> Game:
        """The game."""
        return build(river.RIVER, **self.parameters)


def spot_of(parameters: Parameters) -> str | None:
    """The name of the spot with these parameters of `river`, or None."""
    return next((name for name, values in _read().items() if values == parameters), None)


@cache
def _read() -> dict[str, Parameters]:
    kinds = river.RIVER.parameters
    return {
        name: {key: kind.read(key, found.parameters.get(key, kind.default)) for key, kind in kinds.items()}
        for name, found in spots().items()
    }


@cache
def spots() -> dict[str, Spot]:
    """All named spots."""
    text = Path(__file__).with_name("river_spots.toml").read_text(encoding="utf-8")
    out = {}
    for name, fields in tomllib.loads(text).items():
        about, value = fields.pop("about"), fields.pop("value")
        out[name] = Spot(name, about, fields, fraction(value), isinstance(value, str))
    return out


def spot(name: str) -> Spot:
    """The spot of this name.

    Raises:
        ValueError: there is none.
    """
    if name not in spots():
        raise ValueError(f"there is no spot {name!r}" + did_you_mean(name, spots()))
    return spots()[name]
