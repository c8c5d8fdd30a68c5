"""Pictures of the mistakes of learned or logged strategies and their costs: by kind, and by information set."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

from relance.model.game import Game
from relance.model.strategy import Profile
from relance.pages.plots.picture import NONE, Layers, NumberTexts, Tick, picture, silent
from relance.pages.plots.steps import layer_profile
from relance.pages.plots.style import (
    COLOURS,
    GRID,
    Figure,
    add_title,
    figure,
    house_style,
    line_key,
    patch_key,
    where,
    who_acts,
)
from relance.solvers.deviations import SAME, Deviation, deviations
from relance.solvers.mistakes import Mistake, mistakes

SHOWN = 10
"""The most mistakes with their own column: those with the largest share of a strategy's NashConv; others share one."""

MOST_BARS = 15
"""The most information sets shown, the costliest first."""

LARGE = 0.2
"""Differences in probability above this are shown even if they cost nothing; those with a negative cost never are."""

LITTLE, MUCH = COLOURS[1], COLOURS[0]
"""The colours for actions taken too rarely and too often."""


def _given(learned: Layers) -> Layers:
    if not learned:
        raise ValueError("this picture needs --learned: a file of `relance train -o` or a sweep, or a log of games")
    return learned


@picture("mistakes")
def draw_mistakes(game: Game, tick: Tick = silent, learned: Layers = NONE) -> Figure:
    """Draw each mistake of learned or logged strategies (a node, the action played, a better action) as a share of NashConv.

    Examples:
        relance plot mistakes one_card_poker --learned results.jsonl -o mistakes.svg
    """
    found = {}
    for name, layer in _given(learned).items():
        found[name] = mistakes(*layer_profile(game, layer, game.uniform().as_float() if game.deal.is_finite else None))
        tick()
    return mistake_map(game, found)


@house_style()
def mistake_map(game: object, found: Mapping[str, Sequence[Mistake]]) -> Figure:
    """Return a figure: a row per strategy with its NashConv, and a column per mistake with its share of the NashConv."""
    totals = {name: sum(one.cost for one in made) for name, made in found.items()}
    shares: dict[str, dict[str, float]] = defaultdict(dict)
    for name, made in found.items():
        for one in made:
            shares[f"{where(one.node)}: {one}"][name] = one.cost / totals[name]
    order = sorted(shares, key=lambda label: -max(shares[label].values()))
    columns = {label: [shares[label].get(name, 0.0) for name in found] for label in order[:SHOWN]}
    if order[SHOWN:]:
        columns["all others"] = [sum(shares[label].get(name, 0.0) for label in order[SHOWN:]) for name in found]
    table = np.array(list(columns.values())).T
    count, wide = table.shape
    drawing, ((ax,),) = figure(1, 1, 2.6 + 0.52 * wide, 2.1 + 0.24 * count)
    for row, column in np.ndindex(count, wide):
        share = table[row, column]
        if share >= 0.005:
            ax.bar(column, 0.86, 0.92, row - 0.43, color=COLOURS[1], alpha=0.12 + 0.6 * share, linewidth=0)
            ax.text(column, row, f"{share:.0%}", ha="center", va="center", fontsize=7.5)
    ax.set(xlim=(-0.5, wide - 0.5), ylim=(count - 0.5, -0.5))
    ax.set_xticks(range(wide), list(columns), rotation=38, ha="left", rotation_mode="anchor", fontsize=8)
    ax.set_yticks(range(count), list(found))
    ax.xaxis.tick_top()
    right = ax.secondary_yaxis("right")
    right.set_yticks(range(count), [f"{total:.2g}" for total in totals.values()])
    for one in (ax, right):
        one.tick_params(length=0)
        one.spines[:].set_visible(False)
    ax.grid(visible=False)
    ax.hlines(np.arange(count - 1) + 0.5, -0.5, wide - 0.5, color=GRID, linewidth=0.5)
    what = "what is played, and what would earn more, as parts of NashConv (on the right, in chips)"
    return add_title(drawing, game, what)


@picture("costs")
def draw_costs(game: Game, family: NumberTexts = NONE, learned: Layers = NONE) -> Figure:
    """Draw where a learned or logged strategy differs from the published one, and what each difference costs in NashConv.

    Args:
        family: picks the published strategy to compare with.
        learned: learned or logged strategies, of which only the first is drawn.

    Examples:
        relance plot costs one_card_poker --learned results.jsonl -o costs.svg
    """
    name, layer = next(iter(_given(learned).items()))
    if not isinstance(layer, Profile) and not game.deal.is_finite:
        game = game.grid(len(next(iter(layer.values()))[0]))
    published = game.published(False, **family).as_float()
    return cost_bars(game, deviations(game, layer_profile(game, layer, published)[1], published), name)


@house_style()
def cost_bars(game: Game, found: Sequence[Deviation], name: str = "played") -> Figure:
    """Return a figure with a row for each information set where a profile differs from the published one, the costliest on top.

    On the left are the probabilities of an action in both profiles; on the right is a bar for what the difference costs in NashConv.

    Args:
        game: the game.
        found: the differences, of which at most `MOST_BARS` are drawn.
        name: what the figure calls the profile.
    """
    least = [-SAME if abs(one.played - one.reference) > LARGE else SAME for one in found]
    shown = [one for one, above in zip(found, least, strict=True) if one.cost > above][:MOST_BARS]
    drawing, ((chance, cost),) = figure(1, 2, 7.0, 1.3 + 0.3 * max(len(shown), 1), sharey=True, width_ratios=(1, 1))
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
    chance.set(xlim=(-0.04, 1.04), xlabel="probability", xticks=[0, 0.5, 1], yticks=places, yticklabels=labels)
    cost.set(xlabel="chips of NashConv that it costs")
    for ax in (chance, cost):
        ax.tick_params(axis="y", length=0)
        ax.spines["left"].set_visible(False)
        ax.grid(visible=False, axis="y")
        ax.set_ylim(-0.6, max(len(shown), 1) - 0.4)
    keys = [
        patch_key("too little", facecolor=LITTLE),
        patch_key("too often", facecolor=MUCH),
        line_key(name, marker="o", color="#222222", linestyle=""),
        line_key("published", marker="|", color="#222222", linestyle="", markersize=10, markeredgewidth=2),
    ]
    return add_title(drawing, game, "where it differs from the published strategies, and what that costs", keys)
