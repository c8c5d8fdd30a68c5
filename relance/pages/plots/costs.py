"""What each difference from the published strategies costs, for example where an agent bluffs too little."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from relance.model.game import Game
from relance.model.strategy import Profile
from relance.pages.plots.picture import NONE, Layers, NumberTexts, picture
from relance.pages.plots.steps import layer_profile
from relance.pages.plots.style import COLOURS, Figure, figure, headed, house_style, line_key, patch_key, who_acts
from relance.solvers.deviations import Deviation, deviations

SHOWN = 15
"""The most information sets shown, the costliest first."""

LITTLE, MUCH = COLOURS[1], COLOURS[0]
"""The colours for actions taken too rarely and too often."""


@picture("costs")
def draw_costs(game: Game, family: NumberTexts = NONE, learned: Layers = NONE) -> Figure:
    """Draw where a learned or logged strategy differs from the published one, and what each difference costs in NashConv.

    Args:
        learned: the first strategy is drawn.

    Examples:
        relance plot costs one_card_poker --learned results.jsonl -o costs.svg
    """
    if not learned:
        raise ValueError("this picture needs --learned: a file of results, or a log of games")
    name, layer = next(iter(learned.items()))
    if not isinstance(layer, Profile) and not game.deal.is_finite:
        game = game.grid(len(next(iter(layer.values()))[0]))
    published = game.published(False, **family).as_float()
    return cost_bars(game, deviations(game, layer_profile(game, layer, published)[1], published), name)


@house_style()
def cost_bars(game: Game, found: Sequence[Deviation], name: str = "played") -> Figure:
    """A bar for each information set, the costliest on top: the cost of the difference, with both probabilities beside it."""
    shown = [one for one in found if one.cost > 0][:SHOWN]
    drawing, axes = figure(1, 2, 7.0, 1.3 + 0.3 * max(len(shown), 1), sharey=True, width_ratios=(1, 1))
    chance, cost = axes[0]
    deal = game.finite_deal()
    labels = [
        f"{who_acts(game, one.node)}, {deal.label(one.player, one.hand)}: {one.kind or one.action}" for one in shown
    ]
    colours = [LITTLE if one.played < one.reference else MUCH for one in shown]
    places = np.arange(len(shown))[::-1]
    for place, one, colour in zip(places, shown, colours, strict=True):
        chance.plot([one.reference, one.played], [place, place], color=colour, linewidth=1.5, zorder=2)
        chance.plot([one.reference], [place], "|", color="#222222", markersize=11, markeredgewidth=2, zorder=3)
        chance.plot([one.played], [place], "o", color=colour, markersize=6, zorder=4)
    cost.barh(places, [one.cost for one in shown], color=colours, height=0.62)
    chance.set(xlim=(-0.04, 1.04), xlabel="probability", xticks=[0, 0.5, 1])
    chance.set_yticks(places, labels)
    chance.tick_params(axis="y", length=0)
    cost.set(xlabel="chips of NashConv that it costs")
    cost.tick_params(axis="y", length=0)
    for ax in (chance, cost):
        ax.spines["left"].set_visible(False)
        ax.grid(visible=False, axis="y")
        ax.set_ylim(-0.6, max(len(shown), 1) - 0.4)
    keys = [
        patch_key("too little", facecolor=LITTLE),
        patch_key("too often", facecolor=MUCH),
        line_key(name, marker="o", color="#222222", linestyle=""),
        line_key("published", marker="|", color="#222222", linestyle="", markersize=10, markeredgewidth=2),
    ]
    return headed(drawing, game, "where it differs from the published strategies, and what that costs", keys)
