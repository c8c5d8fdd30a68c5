"""The pictures of the report: for each game, those in `relance.plots` that are marked for reports."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from relance.envs import BLUEPRINTS
from relance.reports.game_page import caption
from relance.reports.game_page import pictures as drawn


class Picture(NamedTuple):
    """A picture of a game from a paper: the paper's key, the game's name, the caption, and the bytes of an SVG file."""

    paper: str
    game: str
    caption: str
    svg: bytes


def pictures(papers: Sequence[str], tick: Callable[[int], None] = lambda total: None) -> list[Picture]:
    """Draw the games of these papers; `tick` is called after each game with the number of games.

    Raises:
        ImportError: matplotlib is not installed.
    """
    specs = [spec for spec in BLUEPRINTS.values() if spec.source.key in papers]
    out: list[Picture] = []
    for spec in specs:
        out += [Picture(spec.source.key, spec.name, caption(name), svg) for name, svg in drawn(spec).items()]
        tick(len(specs))
    return out
