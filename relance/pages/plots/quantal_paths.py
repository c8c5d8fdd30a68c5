"""Where learners with a bonus for entropy go: quantal response equilibria as the temperature falls."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from relance.equilibria.logit_equilibria import quantal_responses
from relance.model.game import Game
from relance.model.game_tree import as_tree
from relance.pages.plots.line_labels import label_ends
from relance.pages.plots.picture import picture
from relance.pages.plots.style import Figure, figure, headed, line_styles

COLDEST, STEPS = -6, 2
"""The path goes from temperature 4 down to 2^-6, with this many points for each halving."""

HEIGHT = 3.6


@picture("quantal")
def draw_quantal(game: Game, kind: Literal["agent", "normal"] = "agent") -> Figure:
    """Draw how often each information set takes its last action, as the temperature falls and the equilibrium is approached.

    Args:
        kind: each information set chooses by itself (agent), or whole plans.

    Raises:
        ValueError: hands are on [0, 1], or the game has too many actions.
        ImportError: python-flint is missing.
    """
    tree = as_tree(game)
    powers = [Fraction(k, STEPS) for k in range(2 * STEPS, COLDEST * STEPS - 1, -1)]
    temperatures = [Fraction(2 ** float(power)).limit_denominator(10**6) for power in powers]
    path = quantal_responses(tree, temperatures, kind, digits=6)
    drawing, (axes,) = figure(1, tree.players, 4.4 * tree.players, HEIGHT, sharey=True)
    for player, ax in enumerate(axes):
        sets = [*tree.sets_of(player)]
        names = {s.name: f"{s.name}: {s.actions[-1]}" for s in sets}
        styles = line_styles([*names.values()])
        ends = {}
        for s in sets:
            odds = [float(point.at[s.name][s.actions[-1]].middle) for point in path]
            label = names[s.name]
            ax.plot(
                [float(t) for t in temperatures], odds, linewidth=1.5, **{**styles[label], "marker": ""}, label=label
            )
            ends[label] = float(temperatures[-1]), odds[-1]
        ax.set(xscale="log", xlabel="temperature (chips)", ylim=(-0.03, 1.03), title=f"player {player}")
        ax.invert_xaxis()
        label_ends(ax, ends, {name: styles[name]["color"] for name in ends}, HEIGHT - 0.9)
    axes[0].set_ylabel("probability")
    return headed(drawing, game, f"quantal response equilibria ({kind}): the last action at each information set")
