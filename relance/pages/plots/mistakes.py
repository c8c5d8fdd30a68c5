"""What learners do wrong: how much of each learner's NashConv each kind of mistake makes up."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

from relance.model.game import Game
from relance.pages.plots.picture import NONE, Layers, Tick, picture, silent
from relance.pages.plots.steps import layer_profile
from relance.pages.plots.style import COLOURS, GRID, Figure, figure, headed, house_style, where
from relance.solvers.mistakes import Mistake, mistakes

SHOWN = 10
"""At most this many mistakes have their own column, chosen by their largest share of some NashConv; the others share one column."""


@picture("mistakes")
def draw_mistakes(game: Game, tick: Tick = silent, learned: Layers = NONE) -> Figure:
    """Draw what learned or logged strategies do wrong, as parts of their NashConv: by node, what is played and what is better.

    Examples:
        relance plot mistakes one_card_poker --learned results.jsonl -o mistakes.svg
    """
    if not learned:
        raise ValueError("this picture needs --learned: a file of results, or a log of games")
    found = {}
    for name, layer in learned.items():
        found[name] = mistakes(*layer_profile(game, layer, game.uniform().as_float() if game.deal.is_finite else None))
        tick()
    return mistake_map(game, found)


@house_style()
def mistake_map(game: object, found: Mapping[str, Sequence[Mistake]]) -> Figure:
    """A row for each strategy and a column for each mistake, with its share of the NashConv, which is shown on the right."""
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
    drawing, axes = figure(1, 1, 2.6 + 0.52 * wide, 2.1 + 0.24 * count)
    ax = axes[0][0]
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
    return headed(drawing, game, what)
