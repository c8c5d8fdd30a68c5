"""The pictures of the leaderboard: curves of learning, and learned strategies over the published ones."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from relance.baselines.algorithms import Scored
from relance.baselines.runs import FLOOR
from relance.model.game import Game
from relance.model.piecewise import Piecewise
from relance.model.strategy import Profile
from relance.pages.plots.steps import Layer
from relance.pages.plots.style import (
    COLOURS,
    PUBLISHED,
    Axes,
    Figure,
    add_title,
    figure,
    house_style,
    label_ends,
    line_styles,
    who_acts,
)

Curve = Sequence[tuple[float, float]]
"""Points (seconds or samples spent, NashConv in chips)."""

LABELS = {"seconds": "seconds of training, on one core", "samples": "samples: games, or nodes looked at"}

HEIGHT = 3.0
"""The height of a row of learning curves, in inches."""


@house_style()
def learning_curves(
    title: str,
    curves: Mapping[str, Mapping[str, Sequence[Curve]]],
    groups: Mapping[str, Sequence[str]],
    ylabel: str = "NashConv (chips)",
    averages: Sequence[str] = (),
) -> Figure:
    """Return a log-log figure of NashConv against seconds and samples: the median over runs, and a band of their range.

    Each group has a row of axes, and each line its name at its end. Scores must be above 0: runs are interpolated on a logarithmic scale.

    Args:
        title: the name of the game.
        curves: {"seconds" or "samples": {name of a learner: a curve for each run}}.
        groups: {heading of a row: the names in the row}. Names without curves are not drawn, but keep their line style for other figures.
        ylabel: the quantity that is drawn, if it is not NashConv.
        averages: the names whose scores are of the average policy over training, not of the last policy.
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
            label_ends(ax, HEIGHT - 0.8)
        row[0].set(ylabel=ylabel, title=head)
    told = "median over runs, and a band from the least to the most; dashes and marks only tell names apart"
    means = ", ".join(name for name in averages if name in shown)
    told += f"; average over training: {means}; last policy: the others" if means else ""
    return add_title(drawing, title, told)


@house_style()
def training_curves(game: object, curves: Mapping[Scored, Curve], uniform: float) -> Figure:
    """Return a log-log figure of one run's NashConv against samples, with uniform play's NashConv as a dotted line.

    Args:
        game: the game, or its name.
        curves: for the "last" policy and the "average" over training, points (samples, NashConv in chips).
        uniform: uniform play's NashConv in chips.
    """
    drawing, ((ax,),) = figure(1, 1, 5.6, 3.4)
    styles = line_styles(list(curves))
    for name, points in curves.items():
        samples, scores = np.array([(max(n, 1), max(score, FLOOR)) for n, score in points]).T
        ax.plot(samples, scores, label=name, markersize=3.5, linewidth=1.5, **styles[name])
    ax.axhline(uniform, color="#777777", linestyle=":", linewidth=1, label="uniform play")
    ax.set(xscale="log", yscale="log", xlabel="samples", ylabel="NashConv (chips)")
    ax.legend(fontsize=8)
    return add_title(drawing, game, "NashConv of the last policy and of the average over training")


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


def learned_strategies(game: Game, learned: Mapping[str, Sequence[Layer]], published: Profile | None = None) -> Figure:
    """Return a figure of how often each action but the first is taken, by node and hand; published strategies in grey.

    Args:
        game: a game with hands on [0, 1], or on equal cells of it.
        learned: {name of a learner: the policy of each run}, as rows of probabilities on equal cells of [0, 1]. Each name has a row of
            panels (a column if there are more than three nodes), and each run a line.
        published: a profile of the game on all of [0, 1]; its thresholds are dotted lines.
    """
    nodes, names = list(game.tree.decisions), list(learned)
    if down := len(nodes) > 3:
        size = len(nodes), len(names), 2 + 1.05 * len(names), 1.2 + 1.1 * len(nodes)
    else:
        size = len(names), len(nodes), 1.4 + 2.9 * len(nodes), 1.2 + 1.05 * len(names)
    drawing, axes = figure(*size, sharex=True, sharey=True)
    axes = axes.T if down else axes
    for row, name in zip(axes, names, strict=True):
        _named(row[0], name, above=down)
        for ax, node in zip(row, nodes, strict=True):
            _panel(ax, game, node, [run[node] for run in learned[name]], published)
    for ax, node in zip(axes[0], nodes, strict=True):
        _named(ax, who_acts(game, node), above=not down)
        for i, action in enumerate(game.tree.decisions[node].actions[1:]):
            look = {"color": COLOURS[i % len(COLOURS)], "fontsize": 8, "fontweight": "bold"}
            x, y = (-0.45, 0.12 * (1 - i)) if down else (0.3 * i, 1.04)
            ax.text(x, y, action, ha="right" if down else "left", transform=ax.transAxes, **look)
    for ax in axes[:, -1] if down else axes[-1]:
        ax.set_xlabel("hand")
    return add_title(drawing, game, "probability of each action but the first; grey: published, its thresholds dotted")


def _named(ax: Axes, name: str, above: bool) -> None:
    if above:
        ax.set_title(name.replace(" (", "\n("), fontsize=9, pad=16)
    else:
        ax.set_ylabel(name.replace(", ", ",\n"), rotation=0, ha="right", va="center")


def _panel(ax: Axes, game: Game, node: str, runs: Sequence[Any], published: Profile | None) -> None:
    for i in range(1, len(game.tree.decisions[node].actions)):
        if published is not None:
            _behind(ax, published[node][i], hatch=None if i == 1 else "////")
        for rows in runs:
            borders = np.linspace(0, 1, len(rows[i]) + 1)
            ax.stairs(rows[i], borders, color=COLOURS[(i - 1) % len(COLOURS)], linewidth=1.1, alpha=0.8, baseline=None)
    ax.set(xlim=(0, 1), ylim=(-0.05, 1.05), xticks=[0, 0.5, 1], yticks=[0, 0.5, 1])
    ax.set_xticklabels(["0", "0.5", "1"])


def _behind(ax: Axes, row: Any, hatch: str | None) -> None:
    assert isinstance(row, Piecewise)
    cuts, values = [float(cut) for cut in row.cuts], [float(value) for value in row.values()]
    face = "none" if hatch else PUBLISHED
    ax.stairs(values, cuts, fill=True, facecolor=face, edgecolor=PUBLISHED, hatch=hatch)
    for cut in cuts[1:-1]:
        ax.axvline(cut, color="#777777", linestyle=":", linewidth=0.9)
