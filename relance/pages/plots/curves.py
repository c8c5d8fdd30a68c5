"""Curves on logarithmic axes: how CFR and its variants approach an equilibrium."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from relance.model.game import Game
from relance.pages.plots.picture import Tick, picture
from relance.pages.plots.style import Figure, add_title, figure, house_style, line_styles
from relance.solvers.cfr_solver import Solver
from relance.solvers.cfr_variants import METHODS

CFRHistory = Sequence[tuple[int, float, float]]
"""Points (iteration, seconds of solving, exploitability in chips)."""


def cfr_curves(
    game: Game,
    iterations: int,
    methods: Sequence[str] = tuple(METHODS),
    tick: Callable[[int], None] = lambda iterations: None,
) -> dict[str, CFRHistory]:
    """Run variants of CFR on a finite game; return, by method, the exploitability at intervals and the time of solving.

    `tick` is called with the number of iterations since the last call.

    Raises:
        ValueError: a method is unknown, there are fewer than 10 iterations, or hands are on [0, 1].
    """
    if iterations < 10:
        raise ValueError(f"iterations={iterations} must be at least 10")
    out: dict[str, CFRHistory] = {}
    for solver in [Solver(game, method, foreseen=iterations) for method in methods]:
        points, spent = [], 0.0
        while solver.iteration < iterations:
            step = min(max(1, solver.iteration // 4), iterations - solver.iteration)
            start = time.perf_counter()
            solver.run(step)
            spent += time.perf_counter() - start
            points.append((solver.iteration, spent, solver.nash_conv() / 2))
            tick(step)
        out[solver.method] = points
    return out


@picture("convergence")
def draw_convergence(game: Game, tick: Tick, iterations: int = 1000, methods: Sequence[str] = ()) -> Figure:
    """Draw how CFR and its variants approach an equilibrium: exploitability against iterations, and against seconds.

    Args:
        iterations: the number of iterations of each method.
        methods: a variant of CFR, dcfr+, pdcfr+, cfr+, pcfr+, dcfr or cfr; all by default.
    """
    chosen = methods or list(METHODS)
    return convergence(game, cfr_curves(game, iterations, chosen, lambda step: tick(step, len(chosen) * iterations)))


@house_style()
def convergence(game: Game, histories: Mapping[str, CFRHistory]) -> Figure:
    """Return a log-log figure of exploitability against iterations and against seconds, a line per method.

    A line ends at an exploitability of 0, which has no logarithm.
    """
    styles = line_styles(list(histories))
    drawing, (axes,) = figure(1, 2, 8.4, 3.6, sharey=True)
    for ax, label in zip(axes, ("iterations", "seconds of solving, on one core"), strict=True):
        ax.set(xscale="log", yscale="log", xlabel=label)
    axes[0].set_ylabel("exploitability (chips)")
    for name, history in histories.items():
        points = np.array([point for point in history if point[2] > 0]).reshape(-1, 3)
        every = max(1, len(points) // 8)
        for ax, spent in zip(axes, points.T[:2], strict=True):
            ax.plot(spent, points[:, 2], label=name, markersize=4, markevery=every, linewidth=1.5, **styles[name])
    drawing.legend(*axes[0].get_legend_handles_labels(), loc="outside right upper", fontsize=8)
    return add_title(drawing, game, "exploitability of the average strategies")
