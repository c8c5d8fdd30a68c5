"""The exact value of a game against its parameters, with the borders between the cases of the published solution."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise, product
from typing import Annotated, Any

import numpy as np

from relance.model.arrays import Floats
from relance.model.blueprint import Blueprint
from relance.model.game import Game, build
from relance.model.numbers import Number, did_you_mean, fraction, show
from relance.model.parameters import Probability
from relance.pages.plots.picture import Tick, picture, silent
from relance.pages.plots.style import COLOURS, INK, Axes, Figure, add_title, figure
from relance.solvers.exact import value
from relance.solvers.lp import solve_lp
from relance.solvers.method_choice import is_small

POINTS, SIDE, FINE = 60, 30, 120
"""The number of values along a curve and a side of a square, and of points on a side at which the case is looked up."""


def axis(game: Game, name: str, low: object = None, high: object = None) -> tuple[Fraction, Fraction]:
    """The ends of an axis along the parameter `name`: by default 0 and `Parameter.furthest`, at most 1 for a probability.

    Raises:
        ValueError: the parameter is not a number, or the range is empty.
    """
    parameters = game.blueprint.parameters
    numeric = [key for key, p in parameters.items() if p.drawn is not None]
    if name not in numeric:
        raise ValueError(f"{game.name} has no numeric parameter {name!r} for an axis" + did_you_mean(name, numeric))
    parameter, at = parameters[name], game.parameters[name]
    start = fraction(0 if low is None else low, name)
    end = fraction(parameter.furthest(at) if high is None else high, name)
    if not 0 <= start < end:
        raise ValueError(
            f"{name} from {show(start)} to {show(end)} is not a range: it must start at 0 or above, and end higher"
        )
    parameter.read(name, end)
    return start, end


def first_axes(game: Game, count: int) -> list[str]:
    """The names of `count` parameters, the default axes of a picture: probabilities first, then bets, the ante last."""
    parameters = game.blueprint.parameters
    ranks = {key: (key == "ante", p.drawn) for key, p in parameters.items() if p.drawn is not None}
    names = sorted(ranks, key=ranks.__getitem__)
    if len(names) < count:
        raise ValueError(
            f"{game.name} does not have {count} numeric parameters for axes: its parameters are {', '.join(parameters)}"
        )
    return names[:count]


@picture("value", "The value against one parameter", lambda game: _in_report(game, 1))
def value_curve(
    game: Game,
    along: Sequence[str] = (),
    low: Annotated[str | None, "--from"] = None,
    high: Annotated[str | None, "--to"] = None,
    tick: Tick = silent,
) -> Figure:
    """Draw the exact value of the published strategies against a parameter; dotted lines mark where another case of the solution starts.

    If nothing is published at any point of the curve, a small game with finitely many hands is solved at each point.

    Args:
        along: the parameter along the axis; by default the first probability or bet.
        low: where the axis begins.
        high: where the axis ends.

    Raises:
        ValueError: there is no such axis, or nothing is published at any point and the game is not small with finitely many hands.
    """
    names = along or first_axes(game, 1)
    if len(names) > 1:
        raise ValueError(f"`relance plot value` takes one parameter, not {', '.join(names)}; `plot square` takes two")
    (name,) = names
    ends = axis(game, name, low, high)
    inner = _inner(ends, POINTS)
    cases = [_case(game, {name: x}) for x in inner]
    changes = pairwise(zip(inner, cases, strict=True))
    borders = [_border(game, name, a, b) for (a, before), (b, after) in changes if before != after]
    inner, values = sorted([*inner, *borders]), []
    solved = all(case is None for case in cases) and game.deal.is_finite and is_small(game)
    for x in inner:
        values.append(_value(game, {name: x}, solved))
        tick(1, len(inner))
    if all(v is None for v in values):
        _moved(game, {name: inner[POINTS // 2]}).published()  # raises an error that says why
    drawing, ((ax,),) = figure(1, 1, 5.8, 3.5)
    ax.plot(_floats(inner), _floats(values), color=COLOURS[0], linewidth=2)
    for border in borders:
        ax.axvline(float(border), color="#777777", linestyle=":", linewidth=1)
        ax.annotate(
            f"{name} = {_near(border)}", (float(border), 0.03), xycoords=("data", "axes fraction"),
            xytext=(4, 0), textcoords="offset points", fontsize=8,
        )  # fmt: skip
    ax.set(xlabel=_label(game, name), ylabel="value to player 0 (chips)", xlim=_floats(ends))
    what = "value, solved at each point," if solved else "value of the published strategies"
    return add_title(drawing, _titled(game, names), f"{what} against {name}")


@picture("square", "The value over two parameters", lambda game: _in_report(game, 2))
def value_square(game: Game, along: Sequence[str] = (), tick: Tick = silent) -> Figure:
    """Draw the value over two parameters as shades and contour lines, with thick lines between the cases of the published solution.

    Args:
        along: the two parameters, that of the horizontal axis first.

    Raises:
        ValueError: there are no such axes, or nothing is published at any point of the picture.
    """
    names = along or first_axes(game, 2)
    if len(names) != 2 or names[0] == names[1]:
        raise ValueError(f"the picture needs two different parameters, one for each axis, not {', '.join(names)}")
    ends = [axis(game, name) for name in names]

    def at(x: Fraction, y: Fraction) -> dict[str, Fraction]:
        return {names[0]: x, names[1]: y}

    across, up = (_inner(end, SIDE) for end in ends)
    columns = []
    for x in across:
        columns.append(_floats([_value(game, at(x, y)) for y in up]))
        tick(1, SIDE)
    values = np.array(columns).T
    if np.isnan(values).all():
        _moved(game, at(across[SIDE // 2], up[SIDE // 2])).published()  # raises an error that says why
    drawing, ((ax,),) = figure(1, 1, 6.4, 4.8)
    shades = ax.contourf(_floats(across), _floats(up), values, levels=12, cmap="cividis", alpha=0.8)
    drawing.colorbar(shades, ax=ax, label="value to player 0 (chips)")
    across, up = (_inner(end, FINE) for end in ends)
    cases = _floats([[_case(game, at(x, y)) for x in across] for y in up])
    _draw_cases(ax, game.blueprint, _floats(across), _floats(up), cases)
    ax.grid(visible=False)
    xlabel, ylabel = (_label(game, name) for name in names)
    ax.set(xlabel=xlabel, ylabel=ylabel, xlim=_floats(ends[0]), ylim=_floats(ends[1]))
    blank = "; blank: nothing is published" if np.isnan(values).any() else ""
    what = f"value of the published strategies over {names[0]} and {names[1]}{blank}"
    return add_title(drawing, _titled(game, names), what)


def _draw_cases(ax: Axes, spec: Blueprint, across: Floats, up: Floats, cases: Floats) -> None:
    """Draw the borders of the cases, shape (up, across), and write the name of each case in its middle."""
    kinds = np.unique(cases[~np.isnan(cases)]).astype(int)
    if len(kinds) < 2:
        return
    box = {"boxstyle": "round,pad=0.25", "facecolor": "#FFFFFF", "edgecolor": INK, "linewidth": 0.6}
    for case in kinds:
        inside = (cases == case).astype(float)
        ax.contour(across, up, inside, levels=[0.5], colors="#FFFFFF", linewidths=3)
        ax.contour(across, up, inside, levels=[0.5], colors="#000000", linewidths=1.4)
        rows, columns = np.nonzero(inside)
        middle = np.argmin((rows - rows.mean()) ** 2 + (columns - columns.mean()) ** 2)
        where = spec.printed[case].source.where
        name = (f"Section {where}" if where[0].isdigit() else where).replace(", ", ",\n", 1)
        ax.text(across[columns[middle]], up[rows[middle]], name, ha="center", va="center", fontsize=7.5, bbox=box)


def _floats(numbers: Sequence[Any]) -> Floats:
    """Numbers as floats, NaN for None."""
    return np.array(numbers, np.float64)


def _inner(ends: tuple[Fraction, Fraction], count: int) -> list[Fraction]:
    """Points between the ends and very close to them; at the ends themselves the game may not exist."""
    low, high = ends
    near = (high - low) / 1000
    return [low + near, *_parts(ends, count - 1), high - near]


def _parts(ends: tuple[Fraction, Fraction], count: int) -> list[Fraction]:
    """The points that divide a range into `count` equal parts."""
    low, high = ends
    return [low + Fraction(k, count) * (high - low) for k in range(1, count)]


def _moved(game: Game, point: Mapping[str, Fraction]) -> Game:
    """The game with some of its parameters at `point`, and with its hands not cut into cells."""
    return build(game.blueprint, **{**game.parameters, **point})


def _value(game: Game, point: Mapping[str, Fraction], solved: bool = False) -> Number | None:
    """The value of the published strategies, or of the game if `solved`; None if there is no such strategy or game."""
    if not solved and _case(game, point) is None:
        return None
    try:
        there = _moved(game, point)
    except ValueError:  # these parameters do not fit together
        return None
    return solve_lp(there)[0] if solved else value(there, there.published())


def _case(game: Game, point: Mapping[str, Fraction]) -> int | None:
    """The index of the published solution that applies, or None."""
    kinds = game.blueprint.parameters
    parameters = {name: kinds[name].read(name, at) for name, at in {**game.parameters, **point}.items()}
    return game.blueprint.printed_index(parameters)


def _border(game: Game, name: str, low: Fraction, high: Fraction) -> Fraction:
    """Where the case at `low` ends."""
    before = _case(game, {name: low})
    for _ in range(40):  # to 1e-12 of the range
        middle = (low + high) / 2
        low, high = (middle, high) if _case(game, {name: middle}) == before else (low, middle)
    return (low + high) / 2


def _near(border: Fraction) -> str:
    """A border as a simple fraction if it is one, else to four digits."""
    simple = border.limit_denominator(200)
    return show(simple) if abs(simple - border) < 1e-9 else f"{float(border):.4f}"


def _label(game: Game, name: str) -> str:
    doc = game.blueprint.parameters[name].doc
    return f"{name}: {doc}" if len(doc) < 60 else name


def _titled(game: Game, names: Sequence[str]) -> str:
    """The title of a game, with its parameters except these."""
    kinds = game.blueprint.parameters
    others = [f"{name}={kinds[name].text(at)}" for name, at in game.parameters.items() if name not in names]
    return f"{game.blueprint.title} ({', '.join(others)})" if others else game.blueprint.title


def _in_report(game: Game, count: int) -> bool:
    """Return True if the report of a game includes a picture over `count` parameters: two if it has two probabilities, else one.

    Strategies must also be published at one of a few sample points.
    """
    chances = sum(isinstance(p, Probability) for p in game.blueprint.parameters.values())
    if not game.is_published or count != 1 + (chances > 1):
        return False
    try:
        names = first_axes(game, count)
        if "ante" in names:  # the value simply grows with it
            return False
        sides = [_parts(axis(game, name), 7) for name in names]
    except ValueError:  # these parameters do not exist
        return False
    return any(_value(game, dict(zip(names, point, strict=True))) is not None for point in product(*sides))
