"""Curves on logarithmic axes: how learners and solvers approach an equilibrium."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt

from relance.model.game import Game
from relance.plots.line_labels import label_ends
from relance.plots.picture import Option, Tick, picture
from relance.plots.style import Axes, Figure, figure, headed, house_style, line_styles
from relance.solvers.cfr_solver import Solver
from relance.solvers.cfr_variants import METHODS

Curve = Sequence[tuple[float, float]]
"""Points (seconds or samples spent, NashConv in chips)."""

History = Sequence[tuple[int, float, float]]
"""Points (iteration, seconds of solving, exploitability in chips)."""

LABELS = {"seconds": "seconds of training, on one core", "samples": "samples: games, or nodes looked at"}

GROWTH = 1.25
"""Exploitability is computed each time the number of iterations has grown by this factor."""


HEIGHT = 3.0
"""The size of a row of learning curves, in inches."""


def _log_axes(width: float, height: float, labels: Sequence[str], ylabel: str) -> tuple[Figure, Sequence[Axes]]:
    """A figure with axes side by side, one per label, which share the vertical axis."""
    drawing, (axes,) = figure(1, len(labels), width, height, sharey=True)
    for ax, label in zip(axes, labels, strict=True):
        ax.set(xscale="log", yscale="log", xlabel=label)
    axes[0].set_ylabel(ylabel)
    return drawing, axes


def cfr_curves(
    game: Game,
    iterations: int,
    methods: Sequence[str] = tuple(METHODS),
    tick: Callable[[int], None] = lambda iterations: None,
) -> dict[str, History]:
    """Run variants of CFR on a finite game, and compute the exploitability at intervals while the clock is stopped.

    `tick` is called with the number of iterations since the last call.

    Raises:
        ValueError: the method is unknown, there are fewer than 10 iterations, or hands are on [0, 1].
    """
    if iterations < 10:
        raise ValueError(f"iterations={iterations} must be at least 10")
    out: dict[str, History] = {}
    for solver in [Solver(game, method) for method in methods]:
        points, spent = [], 0.0
        while solver.iteration < iterations:
            step = min(max(1, int(solver.iteration * (GROWTH - 1))), iterations - solver.iteration)
            start = time.perf_counter()
            solver.run(step)
            spent += time.perf_counter() - start
            points.append((solver.iteration, spent, solver.nash_conv() / 2))
            tick(step)
        out[solver.method] = points
    return out


@picture("convergence")
def draw_convergence(
    game: Game,
    tick: Tick,
    iterations: Annotated[int, Option("The number of iterations of each method.")] = 1000,
    methods: Annotated[
        Sequence[str], Option(f"{', '.join(METHODS)}; may be repeated; all by default.", "--method")
    ] = (),
) -> Figure:
    """Draw how CFR and its variants approach an equilibrium: exploitability against iterations, and against seconds."""
    chosen = methods or list(METHODS)
    return convergence(game, cfr_curves(game, iterations, chosen, lambda step: tick(step, len(chosen) * iterations)))


@house_style()
def convergence(game: Game, histories: Mapping[str, History]) -> Figure:
    """Exploitability against iterations and against seconds, log-log, a line per method.

    A line ends at an exploitability of 0, which has no logarithm.
    """
    styles = line_styles(list(histories))
    labels = ("iterations", "seconds of solving, on one core")
    drawing, axes = _log_axes(8.4, 3.6, labels, "exploitability (chips)")
    for name, history in histories.items():
        points = np.array([point for point in history if point[2] > 0]).reshape(-1, 3)
        every = max(1, len(points) // 8)
        for ax, spent in zip(axes, points.T[:2], strict=True):
            ax.plot(spent, points[:, 2], label=name, markersize=4, markevery=every, linewidth=1.5, **styles[name])
    drawing.legend(*axes[0].get_legend_handles_labels(), loc="outside right upper", fontsize=8)
    headed(drawing, game, "exploitability of the average strategies")
    return drawing


@house_style()
def learning_curves(
    title: str,
    curves: Mapping[str, Mapping[str, Sequence[Curve]]],
    groups: Mapping[str, Sequence[str]],
    ylabel: str = "NashConv (chips)",
) -> Figure:
    """NashConv, or what `ylabel` says, against seconds and against samples, log-log: the median over runs, their range as a band.

    Each group has a row of axes, and each line has its name at its end. Between its scores, a run is interpolated on the logarithms.
    All numbers must be above 0.

    Args:
        title: the game.
        curves: by "seconds" and "samples", then by name: a curve for each run.
        groups: by the heading of its row, the names in it, even names that only other figures show, so that each keeps its line style.
    """
    shown = {name for by_name in curves.values() for name in by_name}
    rows = {head: names for head, names in groups.items() if shown & set(names)}
    drawing, axes = figure(len(rows), len(curves), 5.0 * len(curves), 0.4 + HEIGHT * len(rows), sharex="col")
    for row, (head, names) in zip(axes, rows.items(), strict=True):
        styles = line_styles(names)
        for ax, (kind, by_name) in zip(row, curves.items(), strict=True):
            mine = {name: by_name[name] for name in names if name in by_name}
            for name, runs in mine.items():
                _curve(ax, name, runs, styles[name])
            ax.set(xscale="log", yscale="log", xlabel=LABELS[kind])
            ax.tick_params(labelbottom=True)
            ax.set_ylim(*ax.get_ylim())  # fixed, so that the names stay in place
            ends = {line.get_label(): (line.get_xdata()[-1], line.get_ydata()[-1]) for line in ax.get_lines()}
            label_ends(ax, ends, {name: styles[name]["color"] for name in ends}, HEIGHT - 0.8)
        row[0].set(ylabel=ylabel, title=head)
    drawing.suptitle(title, fontsize=10, x=0.01, ha="left")
    return drawing


def _curve(ax: Axes, name: str, runs: Sequence[Curve], style: Mapping[str, Any]) -> None:
    shown = _moments(runs)
    values = np.exp([np.interp(np.log(shown), *np.log(np.array(run, float)).T) for run in runs])
    ax.plot(shown, np.median(values, axis=0), label=name, markersize=3.5, linewidth=1.5, **style)
    ax.fill_between(shown, values.min(axis=0), values.max(axis=0), color=style["color"], alpha=0.15, linewidth=0)


def _moments(runs: Sequence[Curve]) -> npt.NDArray[np.float64]:
    """Points on the axis, four per power of ten (1, 1.8, 3.2, 5.6), from the first that all runs reach to the last."""
    start, end = max(run[0][0] for run in runs), min(run[-1][0] for run in runs)
    if end <= start:
        return np.array([end])
    grid = 10.0 ** (np.arange(math.ceil(4 * math.log10(start)), math.floor(4 * math.log10(end)) + 1) / 4)
    inner = grid[(grid > start * 1.05) & (grid < end / 1.05)]
    return np.array([start, *inner, end])
