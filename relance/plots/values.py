"""The value of a game against its parameters, exact, with the borders between the cases of the published solution."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from relance.model.blueprint import Blueprint
from relance.model.game import build
from relance.model.numbers import did_you_mean, exact, show
from relance.plots.style import COLOURS, INK, Figure, figure, headed, styled
from relance.solvers.exact import value

Tick = Callable[[], None]

POINTS, SIDE, FINE = 60, 30, 120
"""Values along a curve, along a side of a square, and cases along a side."""

BISECTIONS = 40
"""Halvings that find a border: to 1e-12 of the range."""


def axis(spec: Blueprint, name: str, low: object = None, high: object = None) -> tuple[Fraction, Fraction]:
    """The range of a parameter: as given, else 0 to 1 for probabilities and 0 to four times the default for chips.

    Raises ValueError for a parameter that is no number, or an empty range.
    """
    numeric = [key for key, p in spec.parameters.items() if p.kind in ("chips", "amount", "probability", "bets")]
    if name not in numeric:
        raise ValueError(f"{spec.name} has no parameter {name!r} to draw along" + did_you_mean(name, numeric))
    parameter = spec.parameters[name]
    default = parameter.default[0] if parameter.kind == "bets" else parameter.default
    most = Fraction(1) if parameter.kind == "probability" else 4 * default
    start, end = exact(0 if low is None else low, name), exact(most if high is None else high, name)
    if not 0 <= start < end:
        raise ValueError(f"the range of {name} from {show(start)} to {show(end)} must go up from 0 or more")
    parameter.read(name, end)
    return start, end


def first_axes(spec: Blueprint, count: int) -> list[str]:
    """The parameters to draw along of themselves: probabilities first, then bets, the ante last."""
    order = ("probability", "bets", "chips", "amount")
    names = [key for kind in order for key, p in spec.parameters.items() if p.kind == kind and key != "ante"]
    if len(names) < count:
        raise ValueError(
            f"{spec.name} has no {count} numbers to draw along: its parameters are {', '.join(spec.parameters)}"
        )
    return names[:count]


@styled
def value_curve(
    spec: Blueprint, name: str, given: Mapping[str, Any], ends: tuple[Fraction, Fraction], tick: Tick = lambda: None
) -> Figure:
    """The exact value of the published strategies against a parameter; a dotted line where another case of the solution begins.

    Args:
        spec: the game.
        name: the parameter along the axis, from `ends[0]` to `ends[1]`; see `axis`.
        given: the other parameters.
        tick: called after each of `POINTS` values, and of those at borders.

    Raises ValueError if nothing is published anywhere along it.
    """
    inner = _inner(ends, POINTS)
    cases = [_case(spec, {**given, name: x}) for x in inner]
    changes = zip(inner, inner[1:], cases, cases[1:], strict=False)
    borders = [_border(spec, given, name, a, b) for a, b, before, after in changes if before != after]
    inner, worth = sorted([*inner, *borders]), []
    for x in inner:
        worth.append(_value(spec, {**given, name: x}))
        tick()
    if all(v is None for v in worth):
        raise ValueError(_unpublished(spec, {**given, name: inner[POINTS // 2]}))
    drawing, ((ax,),) = figure(1, 1, 5.8, 3.5)
    shown = [np.nan if v is None else float(v) for v in worth]
    ax.plot([float(x) for x in inner], shown, color=COLOURS[0], linewidth=2)
    for border in borders:
        ax.axvline(float(border), color="#777777", linestyle=":", linewidth=1)
        ax.annotate(
            f"{name} = {_near(border)}", (float(border), 0.03), xycoords=("data", "axes fraction"),
            xytext=(4, 0), textcoords="offset points", fontsize=8,
        )  # fmt: skip
    ax.set(xlabel=_label(spec, name), ylabel="value to player 0 (chips)", xlim=[float(end) for end in ends])
    headed(drawing, _titled(spec, given), f"value of the published strategies against {name}")
    return drawing


@styled
def value_square(
    spec: Blueprint,
    names: Sequence[str],
    given: Mapping[str, Any],
    ends: Sequence[tuple[Fraction, Fraction]],
    tick: Tick = lambda: None,
) -> Figure:
    """The value over two parameters as shades and level lines, and thick lines between the cases of the published solution.

    `tick` is called after each of `SIDE` columns of values. Raises ValueError if nothing is published anywhere.
    """
    x, y = (_inner(end, SIDE) for end in ends)
    rows = []
    for a in x:
        rows.append([_value(spec, {**given, names[0]: a, names[1]: b}) for b in y])
        tick()
    table = np.array([[np.nan if v is None else float(v) for v in row] for row in rows]).T
    if np.isnan(table).all():
        raise ValueError(_unpublished(spec, {**given, names[0]: x[SIDE // 2], names[1]: y[SIDE // 2]}))
    drawing, ((ax,),) = figure(1, 1, 6.4, 4.8)
    across, up = [float(a) for a in x], [float(b) for b in y]
    shades = ax.contourf(across, up, table, levels=12, cmap="cividis", alpha=0.8)
    drawing.colorbar(shades, ax=ax, label="value to player 0 (chips)")
    fine = [_inner(end, FINE) for end in ends]
    cases = [[_case(spec, {**given, names[0]: a, names[1]: b}) for a in fine[0]] for b in fine[1]]
    kinds = sorted({case for row in cases for case in row if case is not None})
    index = np.array([[-1 if case is None else kinds.index(case) for case in row] for row in cases])
    sides = [[float(a) for a in side] for side in fine]
    for k, case in enumerate(kinds):
        inside = (index == k).astype(float)
        if len(kinds) > 1:
            ax.contour(*sides, inside, levels=[0.5], colors="#FFFFFF", linewidths=3)
            ax.contour(*sides, inside, levels=[0.5], colors="#000000", linewidths=1.4)
        rows_in, columns_in = np.nonzero(inside)
        middle = np.argmin((rows_in - rows_in.mean()) ** 2 + (columns_in - columns_in.mean()) ** 2)
        place = sides[0][columns_in[middle]], sides[1][rows_in[middle]]
        box = {"boxstyle": "round,pad=0.25", "facecolor": "#FFFFFF", "edgecolor": INK, "linewidth": 0.6}
        if len(kinds) > 1:
            where = spec.printed[case].source.where
            named = (f"Section {where}" if where[0].isdigit() else where).replace(", ", ",\n", 1)
            ax.text(*place, named, ha="center", va="center", fontsize=7.5, bbox=box)
    ax.grid(visible=False)
    (left, right), (bottom, top) = ([float(end) for end in pair] for pair in ends)
    ax.set(xlabel=_label(spec, names[0]), ylabel=_label(spec, names[1]), xlim=(left, right), ylim=(bottom, top))
    blank = "; blank: nothing is published" if np.isnan(table).any() else ""
    headed(drawing, _titled(spec, given), f"value of the published strategies over {names[0]} and {names[1]}{blank}")
    return drawing


def _inner(ends: tuple[Fraction, Fraction], count: int) -> list[Fraction]:
    """Points between the ends and nearly at them: at the ends themselves a game may be none."""
    low, high = ends
    parts = [Fraction(1, 1000), *(Fraction(k, count - 1) for k in range(1, count - 1)), Fraction(999, 1000)]
    return [low + part * (high - low) for part in parts]


def _value(spec: Blueprint, given: Mapping[str, Any]) -> Any:
    """The value of what is published, or None."""
    if _case(spec, given) is None:
        return None
    try:
        game = build(spec, **given)
    except ValueError:  # parameters that do not go together
        return None
    return value(game, game.published())


def _case(spec: Blueprint, given: Mapping[str, Any]) -> int | None:
    """Which of the published solutions holds, or None."""
    read = {name: p.read(name, given.get(name, p.default)) for name, p in spec.parameters.items()}
    return next((k for k, printed in enumerate(spec.printed) if printed.refuses(read) is None), None)


def _border(spec: Blueprint, given: Mapping[str, Any], name: str, low: Fraction, high: Fraction) -> Fraction:
    before = _case(spec, {**given, name: low})
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        low, high = (middle, high) if _case(spec, {**given, name: middle}) == before else (low, middle)
    return (low + high) / 2


def _near(border: Fraction) -> str:
    """A border as the simple fraction that it is found to be, or in four digits."""
    simple = border.limit_denominator(200)
    return show(simple) if abs(simple - border) < Fraction(1, 10**9) else f"{float(border):.4f}"


def _unpublished(spec: Blueprint, given: Mapping[str, Any]) -> str:
    try:
        build(spec, **given).published()
    except ValueError as error:
        return str(error)
    return f"nothing is published for {spec.name} along this range"


def _label(spec: Blueprint, name: str) -> str:
    parameter = spec.parameters[name]
    return f"{name}: {parameter.doc}" if len(parameter.doc) < 60 else name


def _titled(spec: Blueprint, given: Mapping[str, Any]) -> str:
    said = ", ".join(
        f"{name}={spec.parameters[name].text(spec.parameters[name].read(name, v))}" for name, v in given.items()
    )
    return f"{spec.title} ({said})" if said else spec.title


def published_along(
    spec: Blueprint, names: Sequence[str], given: Mapping[str, Any], ends: Sequence[tuple[Fraction, Fraction]]
) -> bool:
    """Whether something is published at some inner point of these ranges."""
    points = product(*([low + (high - low) * Fraction(k, 7) for k in range(1, 7)] for low, high in ends))
    return any(_value(spec, {**given, **dict(zip(names, point, strict=True))}) is not None for point in points)
