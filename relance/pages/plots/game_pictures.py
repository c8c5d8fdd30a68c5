"""The pictures of a game for a page: those in `relance.pages.plots` that are marked for reports."""

from __future__ import annotations

from relance.model.blueprint import Blueprint
from relance.model.game import build
from relance.pages.plots import pictures as known_pictures
from relance.pages.plots.style import Figure, render

MOST_DECISIONS = 50
"""A picture with a panel for each of more decisions is not read on a page."""


def caption(name: str) -> str:
    """Return the caption of a picture."""
    return known_pictures()[name].caption


def game_figures(spec: Blueprint) -> dict[str, Figure]:
    """The pictures of a game at its defaults by name: those that suit a report; none of a game with very many decisions.

    Raises:
        ImportError: matplotlib is not installed.
    """
    game = build(spec)
    if len(game.tree.decisions) > MOST_DECISIONS:
        return {}
    known = known_pictures().items()
    return {name: entry.draw(game) for name, entry in known if entry.caption and entry.in_report(game)}


def game_pictures(spec: Blueprint) -> dict[str, bytes]:
    """Those of `game_figures` as SVG files."""
    return {name: render(figure) for name, figure in game_figures(spec).items()}
