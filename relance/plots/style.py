"""The one style of all figures: colours that colour-blind readers can tell apart, dashes and marks beside them, and saving as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias

try:
    from matplotlib import rc_context
    from matplotlib.figure import Figure as _Figure
except ImportError as error:
    raise ImportError("figures need matplotlib: pip install 'relance[plot]'") from error

Figure: TypeAlias = Any
"""A matplotlib Figure, which belongs to no window; `save` writes it."""

Axes: TypeAlias = Any
"""A matplotlib Axes."""

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""The palette of Okabe and Ito, without its yellow, which is too light for lines."""

DASHES: tuple[Any, ...] = ("-", (0, (4, 1.5)), (0, (1, 1.2)))
MARKS = "osD^vPX"

PUBLISHED = "#CFCFCF"
"""What is published lies behind what is learned, in grey."""

SETTINGS = {
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#DDDDDD",
    "grid.linewidth": 0.6,
    "axes.axisbelow": True,
    "legend.frameon": False,
    "svg.hashsalt": "relance",
    "svg.fonttype": "none",
}


def figure(rows: int, columns: int, width: float, height: float, **options: Any) -> tuple[Figure, Any]:
    """A figure of `width` x `height` inches with an array (rows, columns) of axes."""
    with rc_context(SETTINGS):
        made = _Figure(figsize=(width, height), layout="constrained")
        return made, made.subplots(rows, columns, squeeze=False, **options)


def line_styles(names: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Colour, dashes and mark of each name, as arguments of `Axes.plot`; no two alike for up to 21 names."""
    return {
        name: {
            "color": COLOURS[i % len(COLOURS)],
            "linestyle": DASHES[i // len(COLOURS) % len(DASHES)],
            "marker": MARKS[(i + i // len(COLOURS)) % len(MARKS)],
        }
        for i, name in enumerate(names)
    }


def save(drawing: Figure, path: Path) -> None:
    """Write a figure as SVG, the same bytes each time. Raises ValueError if the file cannot be written."""
    try:
        with rc_context(SETTINGS):
            drawing.savefig(path, format="svg", metadata={"Date": None})
    except OSError as error:
        raise ValueError(f"{path} cannot be written: {error.strerror}") from None
