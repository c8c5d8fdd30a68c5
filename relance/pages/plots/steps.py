"""Strategies of any kind as step functions of the hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.polynomial.polynomial import polyval

from relance.model.arrays import Floats
from relance.model.game import Game
from relance.model.numbers import show
from relance.model.piecewise import Piecewise, refined
from relance.model.strategy import Profile
from relance.pages.plots.style import Axes, Figure, figure, staggered, who_acts
from relance.solvers.abstraction import block_sizes
from relance.solvers.exact import reach_probs

Layer: TypeAlias = Profile | Mapping[str, Sequence[Any]]
"""A profile, or {node: a row of probabilities on equal cells of hands per action}, as results of sweeps hold them."""

FEW = 60
"""Up to this many cards are marked one by one."""

ROOM = 66
"""If the names of all hands have at most this many characters together, the axis shows each name."""

MOST = 400
"""If there are more cells than this, the means over this many blocks of neighbouring cells are shown instead."""

WIDTH = 5.6
"""The approximate width of a node's axes, in inches."""

POINTS = 33
"""The number of points of `given_hand` on each piece."""

MOST_DRAWN = 24
"""If a game has more decisions than this, only those with the shortest histories are drawn."""


def drawn(game: Game) -> list[str]:
    """The names of the decision nodes that get a panel, at most `MOST_DRAWN`, in the order of the tree."""
    histories = game.tree.histories
    first = sorted(game.tree.decisions, key=lambda node: len(histories[node]))[:MOST_DRAWN]
    return [node for node in game.tree.decisions if node in first]


def steps(game: Game, node: str, layer: Layer) -> tuple[Floats, Floats, list[list[Any]]]:
    """Return borders of hands' cells, (cells + 1,); action probabilities at `node`, (actions, cells); and as lists, exact if possible.

    A hand on [0, 1] is its own coordinate; card k is the cell from k to k + 1. The probability is NaN if the player is never dealt a hand
    of the cell, or never gets to the node with such a hand by the player's own choices.
    """
    rows = list(layer[node])
    if isinstance(rows[0], Piecewise):
        rows = refined(rows)
        exact = [row.values() for row in rows]
        return np.array(rows[0].cuts, float), np.array(exact, float), exact
    player, values = game.tree.decisions[node].player, np.array(rows, float)
    if isinstance(layer, Profile) and values.shape[1] == game.deal.size(player) <= MOST:
        never = np.array(reach_probs(game, layer, player, node) == 0, bool)
        values[:, never] = np.nan
        rows = [np.where(never, None, row) for row in rows]
    if values.shape[1] > MOST:
        blocks = np.array_split(np.arange(values.shape[1]), MOST)
        values = np.stack([values[:, block].mean(axis=1) for block in blocks], axis=1)
        rows = list(values)
    count, hands = values.shape[1], game.deal.size(player)
    if game.cuts is None or game.deal.places is None or count != hands:
        return np.linspace(0, 1 if game.deal.on_interval else hands, count + 1), values, [list(row) for row in rows]
    borders = np.array(game.cuts, float)
    held = np.abs((borders[1:] + borders[:-1]) / 2 - np.array(game.deal.places[player])[:, None]).argmin(axis=1)
    spread = np.full((len(rows), len(borders) - 1), np.nan)
    spread[:, held] = values
    return borders, spread, [list(row) for row in (rows if len(held) == len(borders) - 1 else spread)]


def given_hand(values: Piecewise, given: Piecewise) -> tuple[Floats, Floats]:
    """Return points (x, y) of `values` divided by `given`, the probability of the hand, on the same cuts; NaN where `given` is 0."""
    parts = []
    for (left, right), top, under in zip(pairwise(values.cuts), values.pieces, given.pieces, strict=True):
        x = np.linspace(float(left), float(right), POINTS)
        inner = x.copy()
        if len(under) > 1:  # a density may vanish at an end
            inner[[0, -1]] += (x[-1] - x[0]) * 1e-7 * np.array([1, -1])
        above, below = (polyval(inner, [float(c) for c in piece] or [0.0]) for piece in (top, under))
        with np.errstate(divide="ignore", invalid="ignore"):
            parts.append((x, above / below))
    x, y = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    return x, y


def layer_profile(game: Game, layer: Layer, otherwise: Profile | None = None) -> tuple[Game, Profile]:
    """Return a layer, a strategy to draw, as (game, profile): on `game` or, for a layer of cells of [0, 1], on the grid of these cells.

    The layer's probabilities, which may be rounded, are scaled to sum to 1. If the layer has means over blocks of neighbouring hands, each
    hand gets the means of its block. Wherever a probability is NaN, `otherwise` is played.
    """
    if isinstance(layer, Profile):
        return game, layer
    if not game.deal.is_finite:
        game = game.grid(len(next(iter(layer.values()))[0]))
    plan = {}
    for name, node in game.tree.decisions.items():
        rows, hands = np.array(layer[name], float), game.deal.size(node.player)
        rows = np.repeat(rows, block_sizes(hands, rows.shape[1]), axis=1)
        if otherwise is not None:
            rows = np.where(np.isnan(rows), np.array(otherwise[name]), rows)
        plan[name] = node.by_action(rows / rows.sum(axis=0))
    return game, game.profile(plan)


def panels(
    game: Game, margin: float, height: float, shares: Sequence[float] | None = None
) -> tuple[Figure, dict[str, Axes]]:
    """A figure, and its axes for each decision node that is drawn, one below the other; a line says how many nodes are not drawn.

    The function `drawn` picks the nodes. `margin` (beside the axes) and `height` (total) are in inches; `shares` gives the relative
    heights, by default all equal.
    """
    nodes = drawn(game)
    drawing, axes = figure(len(nodes), 1, margin + WIDTH, height, height_ratios=shares)
    for (ax,), node in zip(axes, nodes, strict=True):
        ax.set_title(who_acts(game, node), fontsize=9)
    left = len(game.tree.decisions) - len(nodes)
    rest = f"\n{left} decisions with longer histories are not drawn" if left else ""
    axes[-1][0].set_xlabel("hand, the weakest on the left" + rest)
    return drawing, dict(zip(nodes, axes[:, 0], strict=True))


def hand_axis(ax: Axes, game: Game, player: int, cuts: Sequence[Any]) -> None:
    """Write the names of the player's hands or, for hands on [0, 1], the thresholds `cuts` under the axis."""
    if game.deal.on_interval:
        ax.set_xlim(0, 1)
        if cuts:
            marks = [0, *(cut for cut in cuts if 0 < cut < 1), 1]
            ax.set_xticks([float(cut) for cut in marks], _staggered(marks))
        return
    labels = game.finite_deal().labels[player]
    ax.set_xlim(0, len(labels))
    if sum(map(len, labels)) <= ROOM:
        ax.set_xticks(np.arange(len(labels)) + 0.5, labels)
        ax.tick_params(axis="x", length=0)
    else:
        at = np.linspace(0, len(labels) - 1, 5).round().astype(int)
        names = ax.set_xticks(at + 0.5, [labels[i] for i in at], fontsize=8)
        names[-1].label1.set_horizontalalignment("right")


def _staggered(cuts: Sequence[Any]) -> list[str]:
    """The names of the cuts, on three lines where they would touch."""
    names = [name if len(name := show(cut)) <= 8 else f"{float(cut):.4f}".rstrip("0") for cut in cuts]
    halves = [(len(name) + 1) * 0.065 / WIDTH / 2 for name in names]
    return staggered(names, [(float(cut) - half, float(cut) + half) for cut, half in zip(cuts, halves, strict=True)])


def runs(given: Sequence[Sequence[Any]]) -> list[tuple[int, int]]:
    """Return (first cell, last cell + 1) for each run of cells whose probabilities agree to two decimals; `given` is (actions, cells)."""
    rough = np.array(given, float).round(2)
    change = np.flatnonzero((rough[:, 1:] != rough[:, :-1]).any(axis=0)) + 1
    borders = [0, *change.tolist(), rough.shape[1]]
    return list(pairwise(borders))
