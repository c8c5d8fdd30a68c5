"""All pictures of `relance plot` by name: the function that draws each, its caption, and the games whose report has it."""

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
    """A drawing function, its caption in reports ("" if none has it), and a test for games whose report includes it."""

    draw: Callable[..., Figure]
    caption: str
    in_report: Callable[[Game], bool]


PICTURES: dict[str, Picture] = {}
"""The pictures by name, in the order in which their files are imported."""


def picture(
    name: str, caption: str = "", in_report: Callable[[Game], bool] = lambda game: True
) -> Callable[[Callable[P, Figure]], Callable[P, Figure]]:
    """Return a decorator that registers a drawing function as the picture `name`, in the shared style.

    The function's signature and docstring make the command `relance plot NAME`. Reports call it with its first argument, the game, alone.
    """

    def register(draw: Callable[P, Figure]) -> Callable[P, Figure]:
        styled = house_style()(draw)
        PICTURES[name] = Picture(styled, caption, in_report)
        return styled

    return register


def pictures() -> dict[str, Picture]:
    """All registered pictures, by name. matplotlib is imported only when one is drawn."""
    for module in pkgutil.iter_modules(plots.__path__):
        import_module(f"{plots.__name__}.{module.name}")
    return PICTURES


MOST_DECISIONS = 50
"""Reports have no pictures of a game with more decision nodes than this."""


def caption(name: str) -> str:
    """Return the caption of the picture with this name."""
    return pictures()[name].caption


def game_figures(spec: Blueprint) -> dict[str, Figure]:
    """By name, the pictures in the report on a game with default parameters; none if it has over `MOST_DECISIONS` nodes.

    Raises:
        ImportError: matplotlib is not installed.
    """
    game = build(spec)
    if len(game.tree.decisions) > MOST_DECISIONS:
        return {}
    known = pictures().items()
    return {name: entry.draw(game) for name, entry in known if entry.caption and entry.in_report(game)}


def game_pictures(spec: Blueprint) -> dict[str, bytes]:
    """The figures of `game_figures`, by name, as the bytes of SVG files."""
    return {name: render(figure) for name, figure in game_figures(spec).items()}


class Tick(Protocol):
    """A callback for progress: `advance` more steps are done, of `total` if that is known."""

    def __call__(self, advance: int = 1, total: int | None = None) -> None: ...


def silent(advance: int = 1, total: int | None = None) -> None:
    """A `Tick` that does nothing."""


NumberTexts: TypeAlias = Mapping[str, str]
"""Exact numbers as text, by name, such as {"alpha": "1/3"}."""

Layers: TypeAlias = Mapping[str, Layer]
"""Strategies as a `Layer`, by name."""

Strategies: TypeAlias = Mapping[str, object]
"""Strategies of any kind that `relance.score` takes, by name."""

NONE: Mapping[str, Any] = MappingProxyType({})
"""An empty mapping, the default for numbers or strategies by name."""


def picture_equilibrium(game: Game, tick: Tick, tolerance: float | None = None) -> Profile:
    """An equilibrium of a finite game, up to an exploitability of `tolerance` chips: by default 0 for a small game, else 1e-5."""
    return solve(game, tolerance=tolerance or (None if is_small(game) else 1e-5), tick=lambda *_: tick())
