"""Names at the ends of lines, in the lines' colours and without overlaps; with seven colours this is easier to read than a legend."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from relance.pages.plots.style import Axes

BESIDE = 1.03
"""Where the names start, in widths of the axes."""

SIZE = 7.5
"""The size of the letters, in points."""


def label_ends(ax: Axes, ends: Mapping[str, tuple[float, float]], colours: Mapping[str, str], inches: float) -> None:
    """Write each name to the right of the axes, level with the end (x, y) of its line, or as near as the other names allow.

    The vertical axis must have its limits, and is about `inches` high.
    """
    scale = math.log if ax.get_yscale() == "log" else float
    low, high = map(scale, ax.get_ylim())
    wanted = {name: (scale(y) - low) / (high - low) for name, (_, y) in ends.items()}
    names = sorted(wanted, key=lambda name: wanted[name])
    gap = 1.3 * SIZE / 72 / inches
    for name, level in zip(names, spaced([wanted[name] for name in names], gap), strict=True):
        thread = {"arrowstyle": "-", "color": colours[name], "linewidth": 0.6, "shrinkA": 0, "shrinkB": 0}
        ax.annotate(
            name, ends[name], xytext=(BESIDE, level), textcoords="axes fraction", va="center", fontsize=SIZE,
            color=colours[name], arrowprops=thread,
        )  # fmt: skip


def spaced(wanted: Sequence[float], gap: float) -> list[float]:
    """The places nearest to the ascending ones wanted that lie at least `gap` apart; neighbours too close become one block."""
    blocks: list[tuple[float, int]] = []  # the mean of the places wanted, each minus its offset in the block; how many
    for want in wanted:
        blocks.append((want, 1))
        while len(blocks) > 1 and blocks[-1][0] - blocks[-2][0] < gap * (blocks[-2][1] + blocks[-1][1]) / 2:
            (a, m), (b, n) = blocks[-2:]
            blocks[-2:] = [((a * m + b * n) / (m + n), m + n)]
    return [middle + gap * (i - (count - 1) / 2) for middle, count in blocks for i in range(count)]
