"""All optimal strategies of a small game: the range of every realization weight."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from relance.model.game import Game
from relance.model.numbers import show
from relance.model.strategy import Profile
from relance.pages.plots.picture import Tick, picture, silent
from relance.pages.plots.style import GRID, INK, PLAYER_COLOURS, Axes, Figure, add_title, figure, line_key, where
from relance.solvers.exact import reach_probs
from relance.solvers.optimal_set import OptimalSet, optimal_set

MARK: Mapping[str, Any] = {"color": INK, "marker": "o", "markersize": 6}
FILLS = ("#FFFFFF", INK)
"""The marks for the two ends of a published family: open and filled."""


@picture(
    "optimal_set",
    "All optimal strategies",
    # each weight takes two linear programs
    lambda game: game.is_published and game.deal.is_finite and _weights(game, 0) + _weights(game, 1) <= 50,
)
def optimal_ranges(game: Game, tick: Tick = silent) -> Figure:
    """Draw all optimal strategies of a small game: the range of each realization weight, a dot where it is unique, else a bar.

    A realization weight is the product of the player's own probabilities up to and including an action. If a family of strategies
    is published, an open mark shows the member with the least parameter, and a filled mark the one with the greatest.
    """
    found = [optimal_set(game, player) for player in (0, 1)]
    rows = max(len(game.tree.of(player)) + _weights(game, player) for player in (0, 1))
    drawing, axes = figure(1, 2, 7.8, 1.4 + 0.21 * rows)
    family = _family(game)
    for ax, own in zip(axes[0], found, strict=True):
        _panel(ax, game, own, list(family.values()), tick)
        kind = "one optimal strategy" if own.unique else "many optimal strategies"
        ax.set_title(f"player {own.player}: {kind}", fontsize=9)
    keys = [
        line_key(f"published, {name}", linestyle="none", **MARK, markerfacecolor=fill)
        for name, fill in zip(family, FILLS, strict=False)
    ]
    return add_title(drawing, game, f"value {show(found[0].value)} chips to player 0; range of each weight", keys)


def _weights(game: Game, player: int) -> int:
    return game.deal.size(player) * sum(len(node.actions) for node in game.tree.of(player).values())


def _family(game: Game) -> dict[str, Profile]:
    """The ends of the published family, if it has one parameter."""
    known = game.printed_numbers()[0].family if game.is_published else {}
    return {
        f"{name} = {show(end)}": game.published(False, **{name: end})
        for name, family in known.items()
        for end in (family.least, family.most)
        if len(known) == 1
    }


def _panel(ax: Axes, game: Game, own: OptimalSet, ends: Sequence[Profile], tick: Tick) -> None:
    labels, ranges = list[str](), own.ranges_by_hand(tick)
    colour, names = PLAYER_COLOURS[own.player], game.finite_deal().labels[own.player]
    for name, node in game.tree.of(own.player).items():
        ax.axhspan(len(labels) - 0.5, len(labels) + 0.5, color=GRID, alpha=0.5, linewidth=0)
        labels.append(where(name))
        for action in node.actions:
            weights = [reach_probs(game, profile, own.player, name) * profile.row(name, action) for profile in ends]
            for hand, (low, high) in enumerate(ranges[name, action]):
                at = len(labels)
                if low == high:
                    ax.plot(float(low), at, color=colour, marker="D", markersize=4)
                else:
                    ax.plot(
                        [float(low), float(high)], [at] * 2, c=colour, linewidth=5, alpha=0.55, solid_capstyle="butt"
                    )
                    ax.text(1.04, at, f"{show(low)} to {show(high)}", fontsize=7.5, va="center")
                    for weight, fill in zip(weights, FILLS, strict=False):
                        ax.plot(float(weight[hand]), at, **MARK, markerfacecolor=fill)
                labels.append(f"{names[hand]}: {action}")
    ax.set_yticks(range(len(labels)), labels)
    ax.tick_params(axis="y", length=0)
    ax.set(ylim=(len(labels) - 0.5, -0.5), xlim=(-0.03, 1.02), xticks=[0, 0.25, 0.5, 0.75, 1], xlabel="weight")
    ax.grid(visible=False, axis="y")
