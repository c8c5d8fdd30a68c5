"""The operators `mass` and `edge` at each decision: how likely a hand meets the opponent's hands, and how it fares."""

from __future__ import annotations

from typing import Any

import numpy as np

from relance.model.arrays import Floats
from relance.model.game import Game
from relance.model.piecewise import Piecewise, refined
from relance.pages.plots.picture import NONE, NumberTexts, picture
from relance.pages.plots.steps import drawn, given_hand, hand_axis, panels
from relance.pages.plots.style import COLOURS, Figure, add_title, line_key, patch_key
from relance.solvers.exact import reach_probs

WEIGHT = "#BBBBBB"


@picture("operators")
def operators(game: Game, family: NumberTexts = NONE) -> Figure:
    """Draw the opponent's hands that reach each decision in published play, and their mass and edge against each hand of the player.

    The shaded area w is how often the opponent comes there with each hand. For a hand of the player, mass(w) is the probability of meeting
    these hands, and edge(w) that of beating them minus that of losing to them. `family` picks the member of a published family.
    """
    profile, deal = game.published(False, **family), game.deal
    drawing, axes = panels(game, 0.6, 0.75 + 1.9 * len(drawn(game)))
    for node, ax in axes.items():
        player = game.tree.decisions[node].player
        weight = reach_probs(game, profile, 1 - player, node)
        ax.fill_between(*_points(weight, deal.constant(1 - player, 1)), color=WEIGHT, linewidth=0, alpha=0.6)
        for operator, colour in ((deal.mass, COLOURS[0]), (deal.edge, COLOURS[1])):
            ax.plot(*_points(operator(player, weight), deal.prior(player)), color=colour, linewidth=1.8)
        cuts = weight.cuts if isinstance(weight, Piecewise) else []
        hand_axis(ax, game, player, cuts)
        ax.set_ylim(-1.08, 1.08)
    keys = [
        patch_key("w, over the opponent's hands", facecolor=WEIGHT, alpha=0.6),
        line_key("mass(w)", color=COLOURS[0], linewidth=1.8),
        line_key("edge(w)", color=COLOURS[1], linewidth=1.8),
    ]
    return add_title(
        drawing, game, "the opponent's hands that come here, and what they are to each hand of the player", keys
    )


def _points(function: Any, given: Any) -> tuple[Floats, Floats]:
    """Points (x, y) of a function of the hand, divided by the probability of the hand; a card has width 1."""
    if isinstance(function, Piecewise):
        return given_hand(*refined([function, given]))
    with np.errstate(divide="ignore", invalid="ignore"):
        values = np.array(function, float) / np.array(given, float)
    return np.repeat(np.arange(len(values) + 1, dtype=float), 2)[1:-1], np.repeat(values, 2)
