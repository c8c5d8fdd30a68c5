"""How a picture describes itself: its name, its help, its options, and the games whose report includes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, ParamSpec, Protocol, TypeAlias

from relance.model.game import Game
from relance.model.strategy import Profile
from relance.pages.plots.steps import Layer
from relance.pages.plots.style import Figure, house_style
from relance.solvers.method_choice import is_small
from relance.solvers.solve import solve

P = ParamSpec("P")


class Picture(NamedTuple):
    """A drawing function, its caption in reports ("" if it is in none), and a test for the games whose report includes it."""

    draw: Callable[..., Figure]
    caption: str
    in_report: Callable[[Game], bool]


PICTURES: dict[str, Picture] = {}
"""The pictures by name, in the order in which their files are imported."""


def picture(
    name: str, caption: str = "", in_report: Callable[[Game], bool] = lambda game: True
) -> Callable[[Callable[P, Figure]], Callable[P, Figure]]:
    """Register a function as the picture `name`: `relance.pages.commands.generator` makes its command of its signature and docstring.

    The first argument is the game. Reports pass only that. It draws in the shared style.
    """

    def register(draw: Callable[P, Figure]) -> Callable[P, Figure]:
        styled = house_style()(draw)
        PICTURES[name] = Picture(styled, caption, in_report)
        return styled

    return register


class Tick(Protocol):
    """A callback for progress: `advance` more steps, of `total` if that is known."""

    def __call__(self, advance: int = 1, total: int | None = None) -> None: ...


def silent(advance: int = 1, total: int | None = None) -> None:
    """A `Tick` that does nothing."""


NumberTexts: TypeAlias = Mapping[str, str]
"""Exact numbers as text, by name."""

Layers: TypeAlias = Mapping[str, Layer]
"""Strategies, by name."""

NONE: Mapping[str, Any] = MappingProxyType({})
"""No numbers, or no layers."""


def picture_equilibrium(game: Game, tick: Tick) -> Profile:
    """An equilibrium of a game with finitely many hands: exact for a small game, else to 1e-5 chips."""
    return solve(game, tolerance=None if is_small(game) else 1e-5, tick=lambda *_: tick())
