"""Strategies as bars over the hands: which hands bet, check, fold or call."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from relance.equilibria.grades import in_short
from relance.model.arguments import check_unused, checked
from relance.model.game import Game, as_profile
from relance.model.numbers import show
from relance.model.piecewise import Piecewise
from relance.pages.plots.picture import (
    NONE,
    Layers,
    NumberTexts,
    Strategies,
    Tick,
    picture,
    picture_equilibrium,
    silent,
)
from relance.pages.plots.steps import WIDTH, Layer, drawn, hand_axis, panels, runs, steps
from relance.pages.plots.style import INK, Axes, Figure, action_colours, add_title, house_style, patch_key, tint
from relance.solvers.exact import nash_conv

STRIP, GAP = 0.34, 0.08
"""The height of a strip and the space between two, in inches."""

ABOVE = 0.14
"""The space above a single strip, in inches, for the names of parts too narrow to hold them."""

SYMBOL = 0.062
"""The width of a character of text in a strip, in inches."""


@picture("strategy", "The published strategies", lambda game: game.is_published)
def draw_strategies(
    game: Game,
    strategies: Strategies = NONE,
    /,
    tick: Tick = silent,
    family: NumberTexts = NONE,
    learned: Layers = NONE,
    solved: bool = False,
) -> Figure:
    """Draw how often each action is taken with each hand, by the published or the given strategies, with the NashConv of the latter.

    Args:
        strategies: the strategies to draw, one beneath the other; by default the published ones; `family` picks the member of a family.
        learned: learned or logged strategies, drawn beneath the others.
        solved: also solve the game and draw the solution; for hands on [0, 1], the game needs hands=n.
    """
    if strategies:
        check_unused("strategies to draw", {"family": family})
    layers: dict[str, Layer] = {}
    for name, strategy in strategies.items():
        profile = as_profile(game, strategy)
        layers[f"{name}, NashConv {in_short(nash_conv(game, profile))}"] = profile
    if not strategies and (game.whole.is_published or not (solved or learned)):
        layers["published"] = game.whole.published(False, **family)
    if solved:
        layers["solved"] = picture_equilibrium(game, tick)
    return strategy_bars(game, layers | dict(learned))


@house_style()
@checked
def strategy_bars(game: Game, layers: Mapping[str, Layer]) -> Figure:
    """Return a figure with a strip of hands per decision node and strategy: one colour where it is pure, split where it is mixed.

    Args:
        game: the game.
        layers: strategies by name, from the top down: profiles (published, solved) of this game or of its [0, 1] version, or
            the policies in results of sweeps.
    """
    each = STRIP + GAP
    named = {node: thin_parts(game, node, layers) for node in drawn(game)}
    tall = [each * len(layers) + ABOVE * bool(thin) for thin in named.values()]
    drawing, axes = panels(game, 1.1, 0.75 + 0.72 * len(tall) + sum(tall), tall)
    colours = action_colours(game.actions)
    for node, ax in axes.items():
        player = game.tree.decisions[node].player
        cuts = set()
        for i, layer in enumerate(layers.values()):
            _strip(ax, game, node, layer, -i * each, colours)
            cuts |= {cut for row in layer[node] if isinstance(row, Piecewise) for cut in row.cuts}
        ax.set(ylim=(-(len(layers) - 1) * each - 0.03, STRIP + 0.03 + ABOVE * bool(named[node])))
        for middle, at, action in named[node]:
            ax.plot([middle, middle], [STRIP, STRIP + 0.03], color="#777777", linewidth=0.7)
            ax.text(at, STRIP + 0.035, action, ha="center", va="bottom", fontsize=7.5, color=INK)
        ax.set_yticks([STRIP / 2 - i * each for i in range(len(layers))], list(layers))
        ax.tick_params(axis="y", length=0)
        ax.grid(visible=False)
        ax.spines[["left", "bottom"]].set_visible(False)
        hand_axis(ax, game, player, sorted(cuts))
    keys = [patch_key(action, facecolor=tint(colours[action])) for action in game.actions]
    what = "how often each action is taken; shaded where it is mixed, empty where the hand never comes"
    return add_title(drawing, game, what, keys)


def thin_parts(game: Game, node: str, layers: Mapping[str, Layer]) -> list[tuple[float, float, str]]:
    """Return the names of actions to write above the picture of a strategy at `node`, where they do not fit in, as far as there is room.

    The picture is a strip of hands. A part of it is a run of hands with equal probabilities; its action is named if it is always taken.

    Returns:
        (part's middle, name's middle, action) for each narrow part, in units of hands; empty if `layers` has more than one strategy.
    """
    if len(layers) > 1:
        return []
    (layer,) = layers.values()
    borders, rows, given = steps(game, node, layer)
    span, end, out = borders[-1] - borders[0], borders[0] - 1.0, []
    for first, after in runs(given):
        width = borders[after] - borders[first]
        for action, row in zip(game.tree.decisions[node].actions, rows, strict=True):
            half = len(action) * SYMBOL / WIDTH * span / 2
            middle = (borders[first] + borders[after]) / 2
            at = min(max(middle, borders[0] + half), borders[-1] - half)
            if row[first] > 0.995 and width < 2 * half + 0.04 / WIDTH * span and at - half >= end:
                out.append((middle, at, action))
                end = at + half
    return out


def _strip(ax: Axes, game: Game, node: str, layer: Layer, bottom: float, colours: Mapping[str, str]) -> None:
    borders, rows, given = steps(game, node, layer)
    parts = runs(given)
    firsts = [first for first, _ in parts]
    borders, rows = borders[[0, *(end for _, end in parts)]], rows[:, firsts]
    actions = game.tree.decisions[node].actions
    total = rows.sum(axis=0)
    tops = bottom + STRIP * np.cumsum(rows / np.where(total > 0, total, 1), axis=0)
    under = np.full(rows.shape[1], bottom)
    mixed = (rows > 0.005).sum(axis=0) > 1
    for action, row, top in zip(actions, rows, tops, strict=True):
        if (row > 0).any():
            ax.stairs(top, borders, baseline=under, fill=True, facecolor=tint(colours[action]), linewidth=0)
            shown = np.where(mixed & (row > 0), top, np.nan)
            if mixed.any():
                ax.stairs(
                    shown, borders, baseline=under, fill=True, facecolor="none", edgecolor=colours[action],
                    hatch="///", linewidth=0, alpha=0.35,
                )  # fmt: skip
        under = top
    span = borders[-1] - borders[0]
    wide = (borders[1:] - borders[:-1]) / span * WIDTH > 0.12  # of two narrower ones none has a border
    for i, first in enumerate(firsts):
        left, right = borders[i], borders[i + 1]
        if i + 1 < len(parts) and (wide[i] or wide[i + 1]):
            ax.plot([right, right], [bottom, bottom + STRIP], color="#FFFFFF", linewidth=1.2)
        for action, row, top, exact in zip(actions, rows, tops, given, strict=True):
            _label(ax, action, exact[first], row[i], (left, right), top[i], span)


def _label(
    ax: Axes, action: str, exactly: object, chance: float, ends: tuple[float, float], top: float, span: float
) -> None:
    """Write the action in its part of the strip if there is room."""
    from matplotlib.transforms import Bbox, TransformedBbox

    if not chance * STRIP >= 0.1:
        return
    chance_text = f"{exactly:.2g}" if isinstance(exactly, float) else show(exactly)
    full = action if chance > 0.995 else f"{action} {chance_text}"
    room = (ends[1] - ends[0]) / span * WIDTH
    for text in (full, action):
        if len(text) * SYMBOL + 0.04 <= room:
            middle = (ends[0] + ends[1]) / 2, top - chance * STRIP / 2
            written = ax.text(*middle, text, ha="center", va="center", fontsize=7.5, color="#000000", label=action)
            part = Bbox.from_extents(ends[0], 0, ends[1], 1)
            written.set_clip_box(TransformedBbox(part, ax.transData))  # `narrow` shortens wider text
            return
