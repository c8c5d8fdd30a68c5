"""How solvers approach an equilibrium: exploitability against iterations, and against seconds."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated

from relance.model.game import Game
from relance.plots.picture import Option, Tick, picture
from relance.plots.style import Figure, figure, headed, line_styles, styled
from relance.solvers.cfr import Solver
from relance.solvers.methods import METHODS

History = Sequence[tuple[int, float, float]]
"""Points (iteration, seconds of solving, exploitability in chips)."""

GROWTH = 1.25
"""Exploitability is looked at whenever the iterations have grown by this factor."""


def histories(
    game: Game,
    iterations: int,
    methods: Sequence[str] = tuple(METHODS),
    tick: Callable[[int], None] = lambda made: None,
) -> dict[str, list[tuple[int, float, float]]]:
    """Run CFR's variants on a finite game and look at them on the way; the clock stands still while a score is taken.

    `tick` hears how many iterations were made since the last call. Raises ValueError for an unknown method, fewer than
    10 iterations, or hands on [0, 1].
    """
    if iterations < 10:
        raise ValueError(f"iterations={iterations} must be at least 10")
    found = {}
    for solver in [Solver(game, method) for method in methods]:
        points, spent = [], 0.0
        while solver.iteration < iterations:
            step = min(max(1, int(solver.iteration * (GROWTH - 1))), iterations - solver.iteration)
            start = time.perf_counter()
            solver.run(step)
            spent += time.perf_counter() - start
            points.append((solver.iteration, spent, solver.nash_conv() / 2))
            tick(step)
        found[solver.method] = points
    return found


@picture("convergence")
def draw_convergence(
    game: Game,
    tick: Tick,
    iterations: Annotated[int, Option("How many of each method.")] = 1000,
    methods: Annotated[
        Sequence[str], Option(f"{', '.join(METHODS)}; may be repeated; all by default.", "--method")
    ] = (),
) -> Figure:
    """Draw how CFR and its variants approach an equilibrium: exploitability against iterations, and against seconds."""
    chosen = methods or list(METHODS)
    return convergence(game, histories(game, iterations, chosen, lambda made: tick(made, len(chosen) * iterations)))


@styled
def convergence(game: Game, found: Mapping[str, History]) -> Figure:
    """Exploitability against iterations and against seconds, log-log, a line per method.

    An exploitability of 0, which has no logarithm, ends a line.
    """
    styles = line_styles(list(found))
    drawing, ((left, right),) = figure(1, 2, 8.4, 3.6, sharey=True)
    for name, history in found.items():
        points = [point for point in history if point[2] > 0]
        every = max(1, len(points) // 8)
        for ax, k in ((left, 0), (right, 1)):
            ax.plot(
                [p[k] for p in points], [p[2] for p in points], label=name, markersize=4, markevery=every, linewidth=1.5, **styles[name]
            )  # fmt: skip
    left.set(xscale="log", yscale="log", xlabel="iterations", ylabel="exploitability (chips)")
    right.set(xscale="log", xlabel="seconds of solving, on one core")
    drawing.legend(*left.get_legend_handles_labels(), loc="outside right upper", fontsize=8)
    headed(drawing, game, "exploitability of the average strategies")
    return drawing
