"""Expected chips of each action against the hand: lines cross at a threshold and coincide at an indifference."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from relance.model.arrays import Floats
from relance.model.game import Game
from relance.model.piecewise import Piecewise, refined
from relance.model.strategy import Profile
from relance.pages.plots.picture import NONE, NumberTexts, Tick, picture, picture_equilibrium, silent
from relance.pages.plots.steps import FEW, MOST, POINTS, WIDTH, drawn, given_hand, hand_axis, panels, steps
from relance.pages.plots.style import DASHES, MARKS, Axes, Figure, action_colours, add_title, house_style, line_key
from relance.solvers.exact import action_values

TAKEN = 0.005
"""An action with a probability below this counts as never taken; within this of 1, as always taken."""

CLOSE = 1e-9
"""Floats that differ by at most this many chips count as equal."""


@picture(
    "chips",
    "Expected chips of each action, given the hand",
    lambda game: (
        game.is_published and max(map(game.deal.size, (0, 1))) <= 1000
    ),  # for more, exact numbers take too long
)
def draw_chips(game: Game, tick: Tick = silent, family: NumberTexts = NONE, solved: bool = False) -> Figure:
    """Draw the expected chips of each action by hand, if both then play as published; if a family is published, `family` picks a member.

    Args:
        solved: solve the game and draw the solution instead; for hands on [0, 1], the game needs hands=n.
    """
    return action_chips(game, picture_equilibrium(game, tick) if solved else game.published(False, **family))


@house_style()
def action_chips(game: Game, profile: Profile) -> Figure:
    """Return a figure: at each node, the expected chips of each action against the hand, if both then play `profile`.

    Chips are what the player who acts gets minus what they pay. Where the profile takes the action, its line is bold or, with few cards,
    its mark filled. Thresholds are dotted, ties of the best actions grey. Hands that never meet the opponent at the node are left out.
    """
    game.check(profile)
    worth = action_values(game, profile, 0) | action_values(game, profile, 1)
    drawing, axes = panels(game, 1.0, 0.75 + 2.05 * len(drawn(game)))
    colours = action_colours(game.actions)
    for node, ax in axes.items():
        met, chips = worth[node]
        decision = game.tree.decisions[node]
        taken = profile[node]
        for action, values, probability in zip(decision.actions, chips, taken, strict=True):
            _draw(ax, game, node, (met, values, probability), action, colours[action])
        for left, right in _equal_spans(game, node, met, chips):
            ax.axvspan(left, right, color="#999999", alpha=0.22, linewidth=0, zorder=0)
        cuts = sorted({cut for row in taken for cut in row.cuts}) if isinstance(taken[0], Piecewise) else []
        for cut in cuts:
            if 0 < cut < 1:
                ax.axvline(float(cut), color="#777777", linestyle=":", linewidth=0.9, zorder=1)
        hand_axis(ax, game, decision.player, cuts)
        if cuts:
            ax.grid(visible=False, axis="x")
        low, high = ax.dataLim.intervaly
        if low <= high:
            spare = max(0.12 * (high - low), (0.5 - (high - low)) / 2)  # half a chip high at least
            ax.set_ylim(low - spare, high + spare)
        else:
            ax.set_yticks([])
            ax.text(0.5, 0.5, "the opponent never leads here", ha="center", transform=ax.transAxes, fontsize=8)
        ax.set_ylabel("chips")
        keys = [
            line_key(
                action,
                color=colours[action],
                linewidth=1.6,
                linestyle="none" if is_few(game) else DASHES[i % len(DASHES)],
                marker=MARKS[i % len(MARKS)] if is_few(game) else "",
            )
            for i, action in enumerate(decision.actions)
        ]
        ax.legend(handles=keys, fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5), handlelength=2.2)
    taken_is = "filled" if is_few(game) else "bold"
    what = f"expected chips of each action, to the player who acts; {taken_is}: taken; grey: indifferent"
    return add_title(drawing, game, what)


def _draw(ax: Axes, game: Game, node: str, part: Sequence[Any], action: str, colour: str) -> None:
    """Draw an action's line: thin and dashed in its own way everywhere, but thick and named where the action is taken.

    A part is the probability of the hand and of reaching the node, the chips times that, and how often the action is taken.
    With few cards, each card has a mark beside those of the other actions, and nothing is drawn between two cards.
    """
    decision = game.tree.decisions[node]
    number = decision.index(action)
    x, y, chance = _line(game, node, part)
    taken = np.where(chance > TAKEN, y, np.nan)
    if is_few(game):
        x = x + 0.14 * (number - (len(decision.actions) - 1) / 2)  # beside each other
        look: dict[str, Any] = {"color": colour, "linestyle": "none", "marker": MARKS[number % len(MARKS)]}
        ax.plot(x, y, linewidth=1.0, markerfacecolor="#FFFFFF", **look)
        ax.plot(x, taken, zorder=2.5, **look)
        return
    ax.plot(x, y, color=colour, linewidth=1.0, linestyle=DASHES[number % len(DASHES)])
    ax.plot(x, taken, color=colour, linewidth=3.2, solid_capstyle="butt", zorder=2.5)
    _name(ax, action, x, y, (chance > 1 - TAKEN) & ~np.isnan(y))


def is_few(game: Game) -> bool:
    """Return True if hands are so few that each has its own mark."""
    return not game.deal.on_interval and max(map(game.deal.size, (0, 1))) <= FEW


def _name(ax: Axes, action: str, x: Floats, y: Floats, pure: npt.NDArray[np.bool_]) -> None:
    """Write the action above the parts where it alone is taken, if there is room; to the left where chips rise with the hand."""
    changes = np.flatnonzero(np.diff(np.concatenate([[False], pure, [False]]).astype(int)))
    for first, last in zip(changes[::2], changes[1::2] - 1, strict=True):
        if (x[last] - x[first]) / (np.nanmax(x) - np.nanmin(x)) * WIDTH > 0.07 * len(action) + 0.1:
            middle = (x[first] + x[last]) / 2
            at = middle, np.interp(middle, x[first : last + 1], y[first : last + 1])
            side = "center" if abs(y[first] - y[last]) < CLOSE else "right"
            ax.annotate(action, at, xytext=(0, 3), textcoords="offset points", ha=side, va="bottom", fontsize=8)


def _line(game: Game, node: str, part: Sequence[Any]) -> tuple[Floats, Floats, Floats]:
    """The hands, the chips given hand and node (NaN where the opponent never leads there), and how often the action is taken."""
    if isinstance(part[0], Piecewise):
        reached, worth, often = refined(part)
        chances = [float(piece[0]) if piece else 0.0 for piece in often.pieces]
        return *given_hand(worth, reached), np.repeat(chances, POINTS)
    met, values, taken = (np.array(row, float) for row in part)
    with np.errstate(divide="ignore", invalid="ignore"):
        y = np.where(met > 0, values / met, np.nan)
    if game.deal.on_interval:
        borders, (heights, chances), _ = steps(game, node, {node: [y, taken]})
        return np.repeat(borders, 2)[1:-1], np.repeat(heights, 2), np.repeat(chances, 2)
    x = np.arange(len(y), dtype=np.float64) + 0.5
    every = max(1, len(y) // MOST)
    return x[::every], y[::every], taken[::every]


def _equal_spans(game: Game, node: str, met: Any, chips: Sequence[Any]) -> list[tuple[float, float]]:
    """The intervals where the best actions are worth the same."""
    if isinstance(met, Piecewise):
        spans = []
        met, *chips = refined([met, *chips])
        for i, (left, right) in enumerate(pairwise(met.cuts)):
            middle = (left + right) / 2
            most = max(row(middle) for row in chips)
            best = [row.pieces[i] for row in chips if row(middle) == most]
            if met(middle) != 0 and len(best) > 1 and best[0] == best[1]:
                spans.append((float(left), float(right)))
        return spans
    if len(chips) < 2:
        return []
    ranked = np.sort(np.array(chips), axis=0)
    equal = (np.abs((ranked[-1] - ranked[-2]).astype(float)) <= CLOSE) & (np.asarray(met, float) > 0)
    borders, (shown,), _ = steps(game, node, {node: [equal.astype(float)]})
    return [(borders[i], borders[i + 1]) for i in np.flatnonzero(shown == 1)]
