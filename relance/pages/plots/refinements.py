"""What an exact solution and a refined one do where play never comes."""

from __future__ import annotations

from relance.equilibria.perfection import quasi_perfect, refinement
from relance.model.game import Game
from relance.model.game_tree import as_tree
from relance.pages.plots.picture import picture
from relance.pages.plots.style import COLOURS, GRID, Figure, figure, headed, line_key
from relance.solvers.tree_program import solve_tree

ROW = 0.21
"""The height of the row of an information set, in inches."""


@picture("refinement")
def draw_refinement(game: Game) -> Figure:
    """Draw an exact solution and a quasi-perfect one: how often each information set takes its last action.

    A cross marks where the first is not best against any opponent who plays everything.

    Raises:
        ValueError: hands are on [0, 1], or the game is too large for an exact solution.
    """
    tree = as_tree(game)
    solved = solve_tree(tree)
    refined, found = quasi_perfect(tree), refinement(tree, solved)
    faulty = {fault.information_set for fault in found.faults}
    rows = max(len([*tree.sets_of(player)]) for player in (0, 1))
    drawing, (axes,) = figure(1, 2, 7.8, 1.5 + ROW * rows)
    for player, ax in enumerate(axes):
        sets = [*tree.sets_of(player)]
        for k, s in enumerate(sets):
            before, after = (float(profile[s.name][s.actions[-1]]) for profile in (solved, refined))
            ax.plot([before, after], [k, k], color=GRID, linewidth=3, solid_capstyle="butt", zorder=1)
            ax.plot(after, k, "o", color=COLOURS[2], markersize=7)
            mark = "X" if s.name in faulty else "o"
            ax.plot(before, k, mark, color=COLOURS[1], markersize=6 if mark == "X" else 3.5)
        ax.set_yticks(range(len(sets)), [f"{s.name}: {s.actions[-1]}" for s in sets])
        ax.tick_params(axis="y", length=0)
        ax.set(ylim=(len(sets) - 0.5, -0.5), xlim=(-0.05, 1.05), xlabel="probability", title=f"player {player}")
        ax.grid(visible=False, axis="y")
    keys = [
        line_key("quasi-perfect", color=COLOURS[2], marker="o", linestyle="none", markersize=7),
        line_key("solved", color=COLOURS[1], marker="o", linestyle="none", markersize=3.5),
        line_key("solved, and foolish after a mistake", color=COLOURS[1], marker="X", linestyle="none"),
    ]
    return headed(drawing, game, "two equilibria: how often the last action is taken at each information set", keys)
