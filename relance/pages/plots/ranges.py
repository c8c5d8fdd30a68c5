"""Strategies over hold'em hands, in the square of 13 by 13 groups that players know: pairs on the diagonal, suited hands above."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from relance.model.arguments import Positive, check_unused
from relance.model.arrays import Floats
from relance.model.game import Game, as_profile
from relance.model.numbers import did_you_mean
from relance.model.playing_cards.hole_deal import HoleDeal
from relance.model.playing_cards.ranges import ORDER, StartingHand, group_of
from relance.model.strategy import Profile
from relance.pages.plots.picture import NONE, NumberTexts, Tick, picture, picture_equilibrium, silent
from relance.pages.plots.style import (
    Axes,
    Figure,
    action_colours,
    add_title,
    figure,
    house_style,
    patch_key,
    tint,
    who_acts,
)
from relance.play.opponents import Player
from relance.solvers.exact import reach_probs

MOST = 6
"""If a game has more decisions than this, only the first ones are drawn, unless nodes are named."""

ACROSS = 2
"""The number of squares side by side."""


@picture(
    "range",
    "The published strategies by group of hands",
    lambda game: isinstance(game.deal, HoleDeal) and game.is_published,
)
def draw_ranges(
    game: Game,
    strategy: Player = None,
    /,
    tick: Tick = silent,
    family: NumberTexts = NONE,
    nodes: Sequence[str] = (),
    solved: bool = False,
    tolerance: Positive | None = None,
) -> Figure:
    """Draw how often each group of hold'em hands takes each action, in a square of 13 by 13; by default as published.

    Args:
        strategy: the strategies to draw; by default the published ones; `family` picks the member of a family.
        nodes: a decision to draw, such as 'check-bet 1', '' for the first.
        solved: solve the game and draw the solution.
        tolerance: if `solved`, the exploitability in chips to reach; by default 1e-5, or for a small game 0, an exact solution.

    Examples:
        relance plot range river -o range.svg
    """
    if strategy is not None:
        check_unused("a strategy to draw", {"family": family, "solved": solved, "tolerance": tolerance})
        profile = as_profile(game, strategy)
    elif solved:
        check_unused("solved", {"family": family})
        profile = picture_equilibrium(game, tick, tolerance)
    else:
        check_unused("published strategies; it is for solved", {"tolerance": tolerance})
        profile = game.published(False, **family)
    return range_squares(game, profile, nodes)


@house_style()
def range_squares(game: Game, profile: Profile, nodes: Sequence[str] = ()) -> Figure:
    """Return a figure: per decision a square of 13 by 13 groups, each filled by the shares of its hands that take an action.

    Args:
        game, profile: a game with hold'em hands, and the profile to draw.
        nodes: names of decisions; by default the first `MOST`.

    Raises:
        ValueError: the hands are not hold'em hands, or there is no such decision.
    """
    deal, known = game.deal, game.tree.decisions
    if not isinstance(deal, HoleDeal):
        raise ValueError(f"{game} has no hold'em hands to draw in a square; 'river' has them")
    for node in nodes:
        if node not in known:
            raise ValueError(f"there is no decision {node!r} in {game.name}" + did_you_mean(node, known))
    chosen = list(nodes) or list(known)[:MOST]
    rows = -(-len(chosen) // ACROSS)
    drawing, axes = figure(rows, ACROSS, 4.3 * ACROSS, 0.9 + 4.5 * rows)
    colours = {action: tint(colour) for action, colour in action_colours(game.actions).items()}
    for ax in axes.flat[len(chosen) :]:
        ax.axis("off")
    for ax, node in zip(axes.flat, chosen, strict=False):
        by_group = shares(deal, game, profile, node)
        never = "" if any(part.sum() > 0 for part in by_group.values()) else "; no hand comes here"
        ax.set_title(who_acts(game, node) + never, fontsize=9)
        _square(ax, by_group, known[node].actions, colours)
    shown = [action for action in game.actions if any(action in known[node].actions for node in chosen)]
    keys = [patch_key(action, facecolor=colours[action]) for action in shown]
    what = "what each group of hands does; a cell is as full as its hands are in the range and get there"
    return add_title(drawing, game, what, keys)


def shares(deal: HoleDeal, game: Game, profile: Profile, node: str) -> dict[StartingHand, Floats]:
    """Return {group: array (actions,)}: the share of the group's possible hands that get to the node and take each action.

    A hand counts with its probability in the range, relative to the most probable hand.
    """
    player, there = game.tree.decisions[node].player, deal.floats.in_case(game.tree.cases[node])
    assert isinstance(there, HoleDeal)
    weight = np.asarray(there.distribution[player]) * np.asarray(reach_probs(game, profile, player, node), float)
    taken = np.stack([np.asarray(row, float) for row in profile[node]]) * weight / np.max(there.distribution[player])
    out: dict[StartingHand, Floats] = {}
    for hand, column in zip(deal.hands[player], taken.T, strict=True):
        if column.any():  # not if the hand holds the card that turned up
            group = group_of(hand)
            out[group] = out.get(group, 0.0) + column / there.possible(group)
    return out


def _square(
    ax: Axes, by_group: Mapping[StartingHand, Floats], actions: Sequence[str], colours: Mapping[str, str]
) -> None:
    from matplotlib.patches import Rectangle

    for row in range(13):
        for column in range(13):
            high, low = 12 - min(row, column), 12 - max(row, column)
            group = StartingHand(high, low, "" if row == column else "s" if column > row else "o")
            ax.add_patch(Rectangle((column, row), 1, 1, facecolor="#F4F4F4", edgecolor="#FFFFFF", linewidth=0.8))
            parts = by_group.get(group, np.zeros(len(actions)))
            full, left = float(parts.sum()), 0.0
            for action, part in zip(actions, parts, strict=True):
                if part > 0:
                    width = part / full
                    place = (column + left, row + 1 - full)
                    ax.add_patch(Rectangle(place, width, full, facecolor=colours[action], linewidth=0))
                    left += width
            ink = "#222222" if full > 0 else "#9A9A9A"
            name = ORDER[high] + ORDER[low] + group.kind
            ax.text(column + 0.5, row + 0.52, name, ha="center", va="center", fontsize=6.5, color=ink)
    ax.set(xlim=(0, 13), ylim=(13, 0), aspect="equal", xticks=[], yticks=[])
    ax.grid(visible=False)
    ax.spines[["left", "bottom"]].set_visible(False)
