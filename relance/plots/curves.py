"""Learning curves: NashConv against what was spent."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

import numpy as np
import numpy.typing as npt

from relance.plots.style import Axes, Figure, figure, line_styles

Curve = Sequence[tuple[float, float]]
"""Points (what was spent, NashConv in chips)."""

LABELS = {"seconds": "seconds of training, on one core", "samples": "samples: games, or nodes looked at"}


def learning_curves(
    title: str, curves: Mapping[str, Mapping[str, Sequence[Curve]]], names: Sequence[str] | None = None
) -> Figure:
    """NashConv against seconds and against samples, log-log: the median over runs as a line, their range as a band.

    Between its scores a run is interpolated on the logarithms. Spent amounts and NashConv must be above 0.

    Args:
        title: what was played.
        curves: by "seconds" and "samples", then by name: a curve for each run.
        names: all names that figures beside this one show, so that each keeps its line style; by default those of `curves`.
    """
    there = list(dict.fromkeys(name for by_name in curves.values() for name in by_name))
    styles = line_styles(names or there)
    drawing, axes = figure(1, len(curves), 4.0 * len(curves) + 2.2, 4.2, sharey=True)
    for ax, (kind, by_name) in zip(axes[0], curves.items(), strict=True):
        for name, runs in by_name.items():
            _curve(ax, name, runs, styles[name])
        ax.set(xscale="log", yscale="log", xlabel=LABELS[kind])
    axes[0][0].set_ylabel("NashConv (chips)")
    drawing.suptitle(title, fontsize=10, x=0.01, ha="left")
    handles = dict(zip(*reversed(axes[0][0].get_legend_handles_labels()), strict=True))
    order = sorted(handles, key=lambda name: _last(curves["seconds"][name]))
    drawing.legend([handles[name] for name in reversed(order)], order[::-1], loc="outside right upper", fontsize=8)
    return drawing


def _curve(ax: Axes, name: str, runs: Sequence[Curve], style: Mapping[str, Any]) -> None:
    shown = _moments(runs)
    values = np.exp([np.interp(np.log(shown), *np.log(np.array(run, float)).T) for run in runs])
    ax.plot(shown, np.median(values, axis=0), label=name, markersize=3.5, linewidth=1.5, **style)
    ax.fill_between(shown, values.min(axis=0), values.max(axis=0), color=style["color"], alpha=0.15, linewidth=0)


def _moments(runs: Sequence[Curve]) -> npt.NDArray[np.float64]:
    """Four moments in each power of ten, 1, 1.8, 3.2, 5.6, from the first that all runs have reached to the last."""
    start, end = max(run[0][0] for run in runs), min(run[-1][0] for run in runs)
    if end <= start:
        return np.array([end])
    grid = 10.0 ** (np.arange(math.ceil(4 * math.log10(start)), math.floor(4 * math.log10(end)) + 1) / 4)
    inner = grid[(grid > start * 1.05) & (grid < end / 1.05)]
    return np.array([start, *inner, end])


def _last(runs: Sequence[Curve]) -> float:
    return median(run[-1][1] for run in runs)
