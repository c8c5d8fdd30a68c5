"""Polytopes given by linear inequalities, in fractions: their corners, and the point of a polytope nearest to a given one."""

from __future__ import annotations

import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from relance.model.arrays import Floats
from relance.solvers.exact_lp import NotCertifiedError
from relance.solvers.exact_simplex import CONSTANT, ZERO, LinearForm

NEGLIGIBLE = 1e-9
"""In floats, a multiplier or a gain below this counts as 0."""

TRIES = 100
"""The most sets of inequalities that `nearest_point` tries, in fractions, as those that are tight."""


@dataclass(frozen=True)
class Inequality:
    """A linear form of the coordinates that is at least 0 on a polytope, and a text that says what this means."""

    form: LinearForm
    text: str


def nearest_point(
    gram: Sequence[Sequence[Fraction]],
    right: Sequence[Fraction],
    known: Sequence[Inequality],
    violated: Callable[[Sequence[Any]], Sequence[Inequality]],
) -> list[Fraction]:
    """Return the exact point t, (n,), that minimises t G t / 2 - r t under inequalities; G, (n, n), is `gram`, and r, (n,), is `right`.

    The inequalities are `known`, and those that `violated` returns for a point that violates them. Linear equations in fractions give t and
    multipliers for tight inequalities, first guessed in floats, then changed until no multiplier is negative and t violates no inequality.

    Raises:
        NotCertifiedError: no choice of tight inequalities passes.
    """
    size = len(right)
    tight = _tight_in_floats(gram, right, known, violated)
    for _ in range(TRIES):
        rows = [[*row, *(-cut.form.get(k, ZERO) for cut in tight)] for k, row in enumerate(gram)]
        rows += [[*(cut.form.get(k, ZERO) for k in range(size)), *[ZERO] * len(tight)] for cut in tight]
        sides = [*right, *(-cut.form.get(CONSTANT, ZERO) for cut in tight)]
        try:
            solved = [row[0] for row in solve_square(rows, [[side] for side in sides])]
        except StopIteration:
            break
        point, prices = solved[:size], solved[size:]
        wrong = [cut for cut in known if value_of(cut.form, point) < 0] or [*violated(point)]
        if not wrong and min(prices, default=ZERO) >= 0:
            return point
        kept = [cut for cut, price in zip(tight, prices, strict=True) if price > 0]
        tight = [*kept, *wrong] if len(kept) == len(tight) else kept
    raise NotCertifiedError("the search for the exact optimal strategy nearest to the profile failed")


def _tight_in_floats(
    gram: Sequence[Sequence[Fraction]],
    right: Sequence[Fraction],
    known: Sequence[Inequality],
    violated: Callable[[Sequence[Any]], Sequence[Inequality]],
) -> list[Inequality]:
    """The inequalities with a multiplier above 0, as a program of least distance (Lawson and Hanson 1974, chapter 23) in floats."""
    size, cuts = len(right), [*known]
    if not size:
        return []
    while True:
        rows = [[float(cut.form.get(k, 0)) for k in range(size)] for cut in cuts]
        constants = [float(cut.form.get(CONSTANT, 0)) for cut in cuts]
        point, prices = least_distance(np.array(gram, float), np.array(right, float), rows, constants)
        new = [cut for cut in violated(point.tolist()) if cut not in cuts]
        if not new:
            return [cut for cut, price in zip(cuts, prices, strict=True) if price > NEGLIGIBLE]
        cuts += new


def least_distance(
    gram: Floats, right: Floats, rows: Sequence[Sequence[float]], constants: Sequence[float]
) -> tuple[Floats, Floats]:
    """Return the t that minimises t G t / 2 - r t where `rows` t + `constants` >= 0, and the multiplier of each row, in floats.

    G is `gram`, and r is `right`. This is a program of least distance (Lawson and Hanson 1974, chapter 23).
    """
    from scipy.linalg import cholesky, solve_triangular
    from scipy.optimize import nnls

    size, count = len(right), len(rows)
    root = cholesky(gram, lower=True)
    first = solve_triangular(root, right, lower=True)
    across = solve_triangular(root, np.array(rows, float).reshape(count, size).T, lower=True)
    room = -np.array(constants, float) - across.T @ first
    prices = np.zeros(count)
    if count and room.max() > 0:
        prices, _ = nnls(np.vstack([across, room]), np.append(np.zeros(size), 1.0), maxiter=100 * (count + 10))
        prices = prices / (1 - room @ prices)
    return solve_triangular(root.T, first + across @ prices, lower=False), prices


def solve_square(matrix: Sequence[Sequence[Fraction]], right: Sequence[Sequence[Fraction]]) -> list[list[Fraction]]:
    """Return X such that `matrix` X = `right`, by elimination; StopIteration if the matrix has no inverse."""
    rows = [[*a, *b] for a, b in zip(matrix, right, strict=True)]
    size = len(rows)
    for i in range(size):
        pivot = next(k for k in range(i, size) if rows[k][i])
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [c / rows[i][i] for c in rows[i]]
        for k in range(size):
            if k != i and (factor := rows[k][i]):
                rows[k] = [a - factor * b if b else a for a, b in zip(rows[k], rows[i], strict=True)]
    return [row[size:] for row in rows]


def _parma() -> Any:
    """The module `ppl`. What it imports takes Ctrl-C for itself, and loses it once another handler was set and put back: it is undone."""
    before = signal.getsignal(signal.SIGINT)
    try:
        import ppl
    except ImportError as error:
        raise ImportError("listing corners needs pplpy: pip install 'relance[polytopes]'") from error
    if before is not None and signal.getsignal(signal.SIGINT) is not before:
        signal.signal(signal.SIGINT, before)
    return ppl


def list_corners(inequalities: Sequence[Inequality], size: int) -> list[list[Fraction]]:
    """Return the corners of a bounded polytope with `size` coordinates, by the Parma Polyhedra Library.

    Raises:
        ImportError: pplpy is missing.
    """
    ppl = _parma()
    system = ppl.Constraint_System()
    for cut in inequalities:
        unit = np.lcm.reduce([1, *(c.denominator for c in cut.form.values())], dtype=object)
        form = sum(
            (int(c * unit) * ppl.Variable(k) for k, c in cut.form.items() if k != CONSTANT), ppl.Linear_Expression(0)
        )
        system.insert(form + int(cut.form.get(CONSTANT, ZERO) * unit) >= 0)
    found = ppl.C_Polyhedron(system)
    out = []
    for corner in found.minimized_generators():
        assert corner.is_point()  # it is bounded
        numbers = [*corner.coefficients()]
        out.append([Fraction(int(c), int(corner.divisor())) for c in numbers + [0] * (size - len(numbers))])
    return sorted(out)


def value_of(form: LinearForm, coordinates: Sequence[Any]) -> Any:
    """Return the value of a linear form at a point, in floats if `coordinates` are."""
    if coordinates and isinstance(coordinates[0], float):
        return sum((float(c) * coordinates[k] for k, c in form.items() if k != CONSTANT), float(form.get(CONSTANT, 0)))
    return sum((c * coordinates[k] for k, c in form.items() if k != CONSTANT), form.get(CONSTANT, 0))


def distinct(cuts: Sequence[Inequality]) -> list[Inequality]:
    """Return the inequalities without those that are positive multiples of an earlier one."""
    out: dict[tuple[tuple[int, Fraction], ...], Inequality] = {}
    for cut in cuts:
        scale = max(abs(c) for c in cut.form.values())
        out.setdefault(tuple(sorted((k, c / scale) for k, c in cut.form.items())), cut)
    return [*out.values()]
