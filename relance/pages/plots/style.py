"""The shared style of all figures: colours that colour-blind readers can tell apart, with dashes and marks; and saving.

matplotlib, from the extra `plot`, is imported only when something is drawn.
"""

from __future__ import annotations

import io
import math
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

from relance.model.arguments import checked
from relance.model.files import write_bytes
from relance.model.game import Game

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes as Axes
    from matplotlib.figure import Figure as Figure
else:
    Axes = Figure = Any

DASHES: tuple[Any, ...] = ("-", (0, (4, 1.5)), (0, (1, 1.2)))
MARKS = "osD^vPX"

INK = "#222222"
"""The colour of text and axes. A page can replace it, and `GRID`, with its own, light or dark."""

GRID = "#DDDDDD"
"""The colour of the grid."""

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", INK)
"""The palette of Okabe and Ito without its yellow, which is too light for lines; its black is the ink."""

PLAYER_COLOURS = ("#0072B2", "#D55E00")
"""The colours of player 0 and player 1."""

ACTIONS = {
    **dict.fromkeys(("fold", "drop"), "#767676"),
    "check": "#0072B2",
    "call": "#009E73",
    **dict.fromkeys(("bet", "high"), "#D55E00"),
    "raise": "#CC79A7",
    "reraise": "#E69F00",
}
"""The colours of the usual actions, the same in all games."""

PUBLISHED = "#CFCFCF"
"""The grey of published strategies, behind learned ones."""

SETTINGS: dict[Any, Any] = {
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "text.color": INK,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.titlecolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "grid.color": GRID,
    "grid.linewidth": 0.6,
    "axes.axisbelow": True,
    "legend.frameon": False,
    "svg.hashsalt": "relance",
    "svg.fonttype": "none",
}


SYMBOLS = 14
"""The number of characters of a heading per inch."""


@contextmanager
def house_style() -> Iterator[None]:
    """A context manager and decorator that applies the shared style to everything drawn within it.

    Raises:
        ImportError: matplotlib is not installed.
    """
    try:
        from matplotlib import rc_context
    except ImportError as error:
        raise ImportError("figures need matplotlib: pip install 'relance[plot]'") from error
    with rc_context(SETTINGS):
        yield


@checked
def figure(rows: int, columns: int, width: float, height: float, **options: Any) -> tuple[Figure, Any]:
    """A figure of `width` x `height` inches that opens no window, and its array (rows, columns) of axes."""
    with house_style():
        from matplotlib.figure import Figure

        drawing = Figure(figsize=(width, height), layout="constrained")
        return drawing, drawing.subplots(rows, columns, squeeze=False, **options)


def patch_key(label: str, **look: Any) -> Artist:
    """A coloured patch for a legend."""
    from matplotlib.patches import Patch

    return Patch(label=label, **look)


def line_key(label: str, **look: Any) -> Artist:
    """Return a line or a mark for a legend."""
    from matplotlib.lines import Line2D

    return Line2D([], [], label=label, **look)


@checked
def add_title(drawing: Figure, game: object, text: str, keys: Sequence[Artist] = ()) -> Figure:
    """Write the game's name and `text` above a figure, and a legend of `keys` below it; return the figure."""
    if keys:
        drawing.legend(handles=keys, loc="outside lower left", ncols=len(keys), fontsize=8, handlelength=1)
    _entitle(drawing, f"{game}\n{text}")
    return drawing


def _entitle(drawing: Figure, text: str) -> None:
    drawing.set_label(text)  # not yet filled, for `narrow`
    drawing.suptitle(_filled(text, int(drawing.get_figwidth() * SYMBOLS)), fontsize=9, x=0.01, ha="left")


def _filled(text: str, most: int) -> str:
    return "\n".join(fill(line, max(most, 1), break_on_hyphens=False) for line in text.split("\n"))


@house_style()
@checked
def narrow(drawing: Figure, width: float = 3.9) -> Figure:
    """Make a figure at most `width` inches wide, with text of the same size and panels stacked unless they share an axis; return it."""
    before, height = drawing.get_size_inches()
    if before > width:
        drawing.set_size_inches(width, height)
        if heading := str(drawing.get_label()):
            _entitle(drawing, heading)
        panels: list[Any] = [axes for axes in drawing.axes if axes.axison and axes.get_gridspec()]
        rows = max((axes.get_gridspec().nrows for axes in panels), default=1)
        if len(panels) > rows and all(axes.get_shared_y_axes().get_siblings(axes) == [axes] for axes in panels):
            drawing.set_figheight(height * len(panels) / rows)
            column = drawing.add_gridspec(len(panels), 1)
            for i, axes in enumerate(panels):
                axes.set_subplotspec(column[i])
        drawing.draw_without_rendering()
        for axes in panels:
            _fit(axes, drawing.bbox.width)
    return drawing


def _fit(axes: Axes, most: float) -> None:
    """Break and shorten text too long for a figure `most` pixels wide, and stagger the names of ticks."""
    from matplotlib.text import Text
    from matplotlib.ticker import FixedLocator

    for text in (*axes.get_children(), axes.xaxis.label):
        if isinstance(text, Text) and text not in axes.texts:
            box, long = text.get_window_extent(), max(map(len, text.get_text().split("\n")))
            over = max(0, box.x1 - most, -box.x0) * (1 + (text.get_horizontalalignment() == "center"))
            text.set_text(_filled(text.get_text(), int(long * (1 - over / max(box.width, 1)))))
    for text in axes.texts:
        for shorter in (text.get_label(), ""):
            if (room := text.get_clip_box()) and text.get_window_extent().width > room.width:
                text.set_text(shorter)
    names = axes.get_xticklabels()
    if isinstance(axes.xaxis.get_major_locator(), FixedLocator) and not any(name.get_rotation() for name in names):
        spans = [name.get_window_extent().padded(2).intervalx for name in names]
        axes.set_xticklabels(staggered([name.get_text().strip() for name in names], spans))


def staggered(names: Sequence[str], spans: Sequence[Any]) -> list[str]:
    """Return the names under an axis, with line breaks that put each on the first line of three where its span (left, right) is free."""
    ends, out = [-math.inf] * 3, []
    for name, (left, right) in zip(names, spans, strict=True):
        line = next((i for i, end in enumerate(ends) if left >= end), 2)
        ends[line] = right
        out.append("\n" * line + name)
    return out


def label_ends(ax: Axes, inches: float) -> None:
    """Write each line's name to the right of the axes, level with its end, or as near as the other names allow.

    With seven colours this is easier to read than a legend. The vertical axis must have its limits, and is about `inches` high.
    """
    scale = math.log if ax.get_yscale() == "log" else float
    low, high = map(scale, ax.get_ylim())
    lines: list[Any] = [*ax.get_lines()]
    lines.sort(key=lambda line: line.get_ydata()[-1])
    wanted = [(scale(line.get_ydata()[-1]) - low) / (high - low) for line in lines]
    gap = 1.3 * 7.5 / 72 / inches  # symbols are of 7.5 points
    for line, level in zip(lines, spaced(wanted, gap), strict=True):
        name, end, colour = line.get_label(), (line.get_xdata()[-1], line.get_ydata()[-1]), line.get_color()
        thread = {"arrowstyle": "-", "color": colour, "linewidth": 0.6, "shrinkA": 0, "shrinkB": 0}
        ax.annotate(
            name, end, xytext=(1.03, level), textcoords="axes fraction", va="center", fontsize=7.5, color=colour,
            arrowprops=thread,
        )  # fmt: skip


def spaced(wanted: Sequence[float], gap: float) -> list[float]:
    """The places at least `gap` apart nearest to those `wanted`, which ascend; close neighbours become one block."""
    blocks: list[tuple[float, int]] = []  # the mean of the places wanted, each minus its offset in the block; how many
    for want in wanted:
        blocks.append((want, 1))
        while len(blocks) > 1 and blocks[-1][0] - blocks[-2][0] < gap * (blocks[-2][1] + blocks[-1][1]) / 2:
            (a, m), (b, n) = blocks[-2:]
            blocks[-2:] = [((a * m + b * n) / (m + n), m + n)]
    return [middle + gap * (i - (count - 1) / 2) for middle, count in blocks for i in range(count)]


def line_styles(names: Sequence[str]) -> dict[str, dict[str, Any]]:
    """The colour, dashes and mark of each name, as arguments of `Axes.plot`; distinct for up to 21 names."""
    return {
        name: {
            "color": COLOURS[i % len(COLOURS)],
            "linestyle": DASHES[i // len(COLOURS) % len(DASHES)],
            "marker": MARKS[(i + i // len(COLOURS)) % len(MARKS)],
        }
        for i, name in enumerate(names)
    }


def action_colours(actions: Sequence[str]) -> dict[str, str]:
    """A colour for each action of a game, distinct for the usual actions and at least three more."""
    used = {ACTIONS[action] for action in actions if action in ACTIONS}
    order = dict.fromkeys(("#E69F00", "#D55E00", "#56B4E9", *COLOURS))
    free = [colour for colour in order if colour not in used]
    others = [action for action in actions if action not in ACTIONS]
    return {**ACTIONS, **{action: free[i % len(free)] for i, action in enumerate(others)}}


def tint(colour: str) -> str:
    """A lighter shade of a colour, as a background for dark text."""
    parts = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(255 - 0.42 * (255 - part)):02X}" for part in parts)


def where(node: str) -> str:
    """A decision node in words: "after check-bet", or "at the start"."""
    return f"after {node}" if node else "at the start"


def who_acts(game: Game, node: str) -> str:
    """The player who acts at a decision node, and the node, in words."""
    return f"player {game.tree.decisions[node].player}, {where(node)}"


FORMATS = ("svg", "pdf", "png")


def file_format(path: Path) -> str:
    """The format of a picture, "svg", "pdf" or "png", from the suffix of its file; "svg" for standard output, -.

    Raises:
        ValueError: the suffix is none of these.
    """
    suffix = "svg" if str(path) == "-" else path.suffix.lower().removeprefix(".")
    if suffix not in FORMATS:
        raise ValueError(f"{path} must end in {', '.join('.' + name for name in FORMATS[:-1])} or .{FORMATS[-1]}")
    return suffix


@checked
def render(drawing: Figure, kind: str = "svg") -> bytes:
    """A figure as the bytes of an SVG, PDF or PNG file; the same figure gives the same bytes."""
    file, dates = io.BytesIO(), {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}
    with house_style():
        drawing.savefig(file, format=kind, metadata=dates[kind], dpi=200)
    return file.getvalue()


def save(drawing: Figure, path: Path) -> None:
    """Write a figure as SVG, PDF or PNG, depending on the suffix of the file; - is standard output, as SVG.

    Raises:
        ValueError: the suffix is another, or the file cannot be written.
    """
    data = render(drawing, file_format(path))
    if str(path) == "-":
        sys.stdout.buffer.write(data)
        return
    write_bytes(path, data)
