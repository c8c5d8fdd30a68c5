"""The pictures of the report: of each game its tree, its published strategies, and what they are worth."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from relance.envs import BLUEPRINTS
from relance.model.blueprint import Blueprint
from relance.model.game import Game, build
from relance.model.parameters import Probability

MOST_HANDS = 1000
"""Of more hands expected chips are not drawn: exact numbers take too long."""

MOST_PROGRAMS = 50
"""Linear programs for which all optimal strategies are still looked for."""

Draw = Callable[[], Any]


@dataclass(frozen=True)
class Picture:
    """A picture of a game that a paper describes: the paper's key, the game's name, what is seen, and the bytes of an SVG file."""

    paper: str
    game: str
    caption: str
    svg: bytes


def pictures(papers: Sequence[str], tick: Callable[[int], None] = lambda total: None) -> list[Picture]:
    """Draw the games of these papers; `tick` is called after each game with their number.

    Raises ImportError without matplotlib.
    """
    from relance.plots.style import render

    specs = [spec for spec in BLUEPRINTS.values() if spec.source.key in papers]
    out = []
    for spec in specs:
        for caption, draw in _drawn(spec):
            out.append(Picture(spec.source.key, spec.name, caption, render(draw())))
        tick(len(specs))
    return out


def _drawn(spec: Blueprint) -> Iterator[tuple[str, Draw]]:
    from relance.plots.bars import strategy_bars
    from relance.plots.chips import action_chips
    from relance.plots.faces import face_ranges
    from relance.plots.trees import betting_tree

    game = build(spec)
    yield "The betting tree", lambda: betting_tree(game)
    if not game.is_published:
        return
    published = game.published()
    yield "The published strategies", lambda: strategy_bars(game, {"published": published})
    if max(map(game.deal.size, (0, 1))) <= MOST_HANDS:
        yield "Expected chips of each action, given the hand", lambda: action_chips(game, published)
    yield from _values(game)
    if game.deal.is_finite and _programs(game) <= MOST_PROGRAMS:
        yield "All optimal strategies", lambda: face_ranges(game)


def _programs(game: Game) -> int:
    return sum(len(node.actions) * game.deal.size(node.player) for node in game.tree.decisions.values())


def _values(game: Game) -> Iterator[tuple[str, Draw]]:
    """Along one parameter, or over two probabilities, where something is published for more than one point."""
    from relance.plots.values import axis, first_axes, published_along, value_curve, value_square

    chances = [name for name, p in game.blueprint.parameters.items() if isinstance(p, Probability)]
    count = 2 if len(chances) > 1 else 1
    try:
        names = first_axes(game, count)
        ends = [axis(game, name) for name in names]
    except ValueError:  # no such numbers
        return
    if not published_along(game, names, ends):
        return
    if count == 1:
        yield f"The value against {names[0]}", lambda: value_curve(game, names)
    else:
        yield f"The value over {names[0]} and {names[1]}", lambda: value_square(game, names)
