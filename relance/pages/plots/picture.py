"""How a picture describes itself: its name, its help, its options, and the games whose report includes it; and all pictures."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Any, NamedTuple, ParamSpec, Protocol, TypeAlias

from relance.model.blueprint import Blueprint
from relance.model.game import Game, build
from relance.model.strategy import Profile
from relance.pages import plots
from relance.pages.plots.steps import Layer
from relance.pages.plots.style import Figure, house_style, render
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


def pictures() -> dict[str, Picture]:
    """The kinds of picture, by name. matplotlib is imported only when one is drawn."""
    for module in pkgutil.iter_modules(plots.__path__):
        import_module(f"{plots.__name__}.{module.name}")
    return PICTURES


MOST_DECISIONS = 50
"""A picture with a panel for each of more decisions is not read on a page."""


def caption(name: str) -> str:
    """Return the caption of a picture."""
    return pictures()[name].caption


def game_figures(spec: Blueprint) -> dict[str, Figure]:
    """The pictures of a game at its defaults by name: those that suit a report; none of a game with very many decisions.

    Raises:
        ImportError: matplotlib is not installed.
    """
    game = build(spec)
    if len(game.tree.decisions) > MOST_DECISIONS:
        return {}
    known = pictures().items()
    return {name: entry.draw(game) for name, entry in known if entry.caption and entry.in_report(game)}


def game_pictures(spec: Blueprint) -> dict[str, bytes]:
    """Those of `game_figures` as SVG files."""
    return {name: render(figure) for name, figure in game_figures(spec).items()}


class Tick(Protocol):
    """A callback for progress: `advance` more steps, of `total` if that is known."""

    def __call__(self, advance: int = 1, total: int | None = None) -> None: ...


def silent(advance: int = 1, total: int | None = None) -> None:
    """A `Tick` that does nothing."""


NumberTexts: TypeAlias = Mapping[str, str]
"""Exact numbers as text, by name."""

Layers: TypeAlias = Mapping[str, Layer]
"""Strategies, by name."""

Strategies: TypeAlias = Mapping[str, object]
"""Strategies of any kind that `relance.score` takes, by name."""

NONE: Mapping[str, Any] = MappingProxyType({})
"""No numbers, or no layers."""


def picture_equilibrium(game: Game, tick: Tick, tolerance: float | None = None) -> Profile:
    """An equilibrium of a game with finitely many hands: to `tolerance` in chips, by default exact for a small game, else to 1e-5."""
    return solve(game, tolerance=tolerance or (None if is_small(game) else 1e-5), tick=lambda *_: tick())
