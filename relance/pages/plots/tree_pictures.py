"""Pictures of results on game trees: abstraction, exploiting an opponent, quantal responses, and refinements."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

import numpy as np

from relance.equilibria.abstraction_price import price_of_abstraction
from relance.equilibria.logit_equilibria import quantal_responses
from relance.equilibria.perfection import quasi_perfect, refinement
from relance.equilibria.restricted_responses import frontier
from relance.model.game import Game
from relance.model.game_tree import as_tree
from relance.model.numbers import show
from relance.pages.plots.picture import Tick, picture, silent
from relance.pages.plots.style import (
    COLOURS,
    GRID,
    MARKS,
    PLAYER_COLOURS,
    Figure,
    add_title,
    figure,
    label_ends,
    line_key,
    line_styles,
)
from relance.solvers.lp import solve_exactly


@picture("abstraction")
def draw_abstraction(game: Game, cells: int = 40, tick: Tick = silent) -> Figure:
    """Draw the price of abstraction: by how many chips a strategy solved on equal cells of hands falls short of the value.

    A number of cells that costs nothing has a mark below the axis.

    Args:
        cells: draw all numbers of cells from 2 to this one.

    Examples:
        relance plot abstraction von_neumann -o abstraction.svg

    Raises:
        ValueError: the game has finitely many hands, the value is not known, or there are fewer than 2 cells.
    """
    if game.deal.is_finite:
        raise ValueError(f"{game} has finitely many hands; this picture is of games with hands on [0, 1]")
    if cells < 2:
        raise ValueError(f"cells={cells} must be at least 2")
    prices: dict[int, tuple[float, ...]] = {}
    for n in range(2, cells + 1):
        prices[n] = tuple(map(float, price_of_abstraction(game, game.grid(n)).prices))
        tick(1, cells - 1)
    drawing, ((ax,),) = figure(1, 1, 5.8, 3.5)
    for player, colour in enumerate(PLAYER_COLOURS):
        lost = {n: both[player] for n, both in prices.items() if both[player] > 0}
        free = [n for n, both in prices.items() if both[player] == 0]
        look = {"color": colour, "marker": MARKS[player], "markersize": 4}
        ax.plot(lost.keys(), lost.values(), **look, linewidth=1, label=f"player {player}")
        below = {"linestyle": "none", "transform": ax.get_xaxis_transform(), "clip_on": False}
        ax.plot(free, [-0.04 - 0.04 * player] * len(free), **look, **below)
    ax.set(xscale="log", yscale="log", xlabel="cells", ylabel="price (chips)")
    ticks = [n for n in (2, 5, 10, 20, 50, 100, 200, 500, 1000) if n <= cells]
    ax.set_xticks(ticks, map(str, ticks))
    ax.minorticks_off()
    ax.tick_params(axis="x", pad=12)
    ax.legend(fontsize=8)
    told = "what strategies solved on equal cells lose on [0, 1]; marks below the axis: nothing"
    return add_title(drawing, game, told)


@picture("frontier")
def draw_frontier(game: Game, opponent: str = "uniform", player: int = 0) -> Figure:
    """Draw the most a player can earn against a known opponent, by the risk: the game's value minus what the strategy guarantees.

    Args:
        opponent: the known opponent, such as uniform or 'perturbed(0.1)'.
        player: the player who exploits the opponent: 0 or 1.

    Raises:
        ValueError: hands are on [0, 1], there is no such opponent, or the game is too large for an exact solution.
    """
    found = frontier(game, player, opponent)
    risks = [float(point.risk) for point in found.points]
    earned = [float(point.earned) for point in found.points]
    drawing, ((ax,),) = figure(1, 1, 5.8, 3.5)
    end = (risks[-1] or abs(float(found.value)) or 1.0) * 1.15  # nothing more can be earned beyond the last point
    ax.plot([*risks, end], [*earned, earned[-1]], color=COLOURS[0], linewidth=2)
    ax.plot(risks, earned, "o", color=COLOURS[0], markersize=4)
    ax.axhline(float(found.value), color="#777777", linestyle=":", linewidth=1)
    for point, x, y in zip(found.points, risks, earned, strict=True):
        texts = [show(number) for number in (point.risk, point.earned)]
        if max(map(len, texts)) < 12:
            ax.annotate(f"({', '.join(texts)})", (x, y), xytext=(4, -11), textcoords="offset points", fontsize=7.5)
    ax.set(
        xlabel="most that can be lost against anybody (chips below the value)", ylabel="earned (chips)", xlim=(0, end)
    )
    return add_title(drawing, game, f"player {player} against {opponent}; dotted: the value of the game")


@picture("quantal")
def draw_quantal(game: Game, kind: Literal["agent", "normal"] = "agent") -> Figure:
    """Draw quantal response equilibria: how often each information set takes its last action as the temperature falls.

    Args:
        kind: the choice is logit at each information set (agent), or among the pure strategies of each player (normal).

    Raises:
        ValueError: hands are on [0, 1], or the game has too many actions.
        ImportError: python-flint is missing.
    """
    tree = as_tree(game)
    halvings = np.arange(4, -13, -1) / 2  # two for each halving, from 4 down to 2^-6
    temperatures = [Fraction(2**power).limit_denominator(10**6) for power in halvings.tolist()]
    path = quantal_responses(tree, temperatures, kind, digits=6)
    drawing, (axes,) = figure(1, tree.num_players, 4.4 * tree.num_players, 3.6, sharey=True)
    for player, ax in enumerate(axes):
        labels = {s: f"{s.name}: {s.actions[-1]}" for s in tree.infosets_of(player)}
        styles = line_styles([*labels.values()])
        for s, label in labels.items():
            odds = [float(point.at[s.name][s.actions[-1]].middle) for point in path]
            look = {**styles[label], "marker": "", "linewidth": 1.5, "label": label}
            ax.plot([float(t) for t in temperatures], odds, **look)
        ax.set(xscale="log", xlabel="temperature (chips)", ylim=(-0.03, 1.03), title=f"player {player}")
        ax.invert_xaxis()
        label_ends(ax, 2.7)
    axes[0].set_ylabel("probability")
    return add_title(drawing, game, f"quantal response equilibria ({kind}): the last action at each information set")


@picture("refinement")
def draw_refinement(game: Game) -> Figure:
    """Draw an exact solution and a quasi-perfect one: the probability of the last action at each information set.

    A cross marks an information set where the exact solution is not best against any opponent who makes every mistake, each rarely.

    Raises:
        ValueError: hands are on [0, 1], or the game is too large for an exact solution.
    """
    tree = as_tree(game)
    solved = solve_exactly(tree)
    refined, found = quasi_perfect(tree), refinement(tree, solved)
    faulty = {fault.information_set for fault in found.faults}
    rows = max(len([*tree.infosets_of(player)]) for player in (0, 1))
    drawing, (axes,) = figure(1, 2, 7.8, 1.5 + 0.21 * rows)
    for player, ax in enumerate(axes):
        sets = [*tree.infosets_of(player)]
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
    return add_title(drawing, game, "two equilibria: how often the last action is taken at each information set", keys)
