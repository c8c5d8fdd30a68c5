"""Sparse linear equations solved exactly: floating-point factors, refined until the fractions can be read off.

The factors of the matrix are computed once in float64. Each round solves for the residual, which is computed in whole numbers, and adds
about 40 bits. Fractions with a common denominator are read from the digits by continued fractions (Wan 2006), and put into the
equations: an answer is returned only if all equations hold exactly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm

import numpy as np

from relance.model.arrays import Floats

DENSE = 6000
"""The most unknowns: the factors take 8 bytes for each pair of unknowns."""

FIRST, MOST = 128, 1 << 15
"""Bits of the solution: fractions are read off at `FIRST` bits, and again each time the bits have doubled; the search ends at `MOST`."""

STEP = 30
"""A round must add at least this many bits, or the matrix is too near a singular one."""

SINGULAR = 1e-9
"""A pivot this small beside the largest one counts as 0."""

ROUND = 1000
"""The largest denominator of an unknown that the equations leave free."""


def solve_refined(
    rows: Sequence[Mapping[int, int]], right: Sequence[int], guess: Sequence[float], simple: int = ROUND
) -> list[Fraction] | None:
    """Return a solution of equations in whole numbers, near a guess; None if none is found, or an unknown is above 10^4 or so.

    Args:
        rows: the coefficients of each equation by unknown; there may be more equations than unknowns.
        right: the right sides.
        guess: about what each unknown is; unknowns that the equations leave free become fractions near it.
        simple: the largest denominator of such a fraction.
    """
    unknowns = range(len(guess))
    if len(guess) > DENSE:
        return None
    largest = [max((abs(c) for c in row.values()), default=1) for row in rows]
    matrix = np.zeros((len(rows), len(guess)))
    for i, (row, most) in enumerate(zip(rows, largest, strict=True)):
        for j, c in row.items():
            matrix[i, j] = c / most
    chosen = _independent(matrix)
    free: list[int] = []
    if chosen is None:
        from scipy.linalg import qr

        if rows:
            triangle, order = qr(matrix, mode="r", pivoting=True, check_finite=False)
        else:  # scipy 1.11 takes no empty matrix; all unknowns are free
            triangle, order = np.zeros((0, 0)), np.array(unknowns)
        diagonal = np.abs(np.diagonal(triangle))
        rank = int((diagonal > SINGULAR * diagonal.max(initial=0.0)).sum())
        free = sorted(int(j) for j in order[rank:])
        chosen = _independent(np.delete(matrix, free, axis=1))
        if chosen is None:
            return None
    known = {j: Fraction(guess[j]).limit_denominator(simple) for j in free}
    unit = lcm(*(x.denominator for x in known.values()))
    fixed = [
        unit * b - sum(int(unit * known[j]) * c for j, c in row.items() if j in known)
        for row, b in zip(rows, right, strict=True)
    ]
    place = {j: k for k, j in enumerate(j for j in unknowns if j not in known)}
    kept = [[(place[j], c * unit) for j, c in row.items() if j in place] for row in rows]
    found = _refined(kept, fixed, chosen, np.delete(matrix, free, axis=1)[chosen], [unit * largest[i] for i in chosen])
    return None if found is None else [known[j] if j in known else found[place[j]] for j in unknowns]


def _refined(
    rows: Sequence[Sequence[tuple[int, int]]],
    right: Sequence[int],
    chosen: Sequence[int],
    matrix: Floats,
    largest: Sequence[int],
) -> list[Fraction] | None:
    """The solution of all equations, from the factors of those `chosen`, which are `matrix` when divided by `largest`."""
    from scipy.linalg import lu_factor, lu_solve

    size, bits, goal = len(matrix), 0, FIRST
    digits, left = [0] * size, [right[i] for i in chosen]
    factors = lu_factor(matrix, check_finite=False) if size else None
    while bits < MOST and any(left):
        # what is left over, divided by 2 ** shift, is solved for; the digits count 2 ** -bits
        shift = max(r.bit_length() - most.bit_length() for r, most in zip(left, largest, strict=True) if r)
        up, down = max(0, -shift), max(0, shift)
        part = np.array([(r << up) / (most << down) for r, most in zip(left, largest, strict=True)])
        step = lu_solve(factors, part, check_finite=False)
        top = float(np.abs(step).max(initial=0.0))
        if not 0 < top < np.inf:
            return None
        gained = 46 - int(np.ceil(np.log2(top))) - shift
        if gained < STEP:
            return None
        added = [int(v) for v in np.rint(step * 2.0 ** (gained + shift)).tolist()]
        digits = [(d << gained) + a for d, a in zip(digits, added, strict=True)]
        left = [(r << gained) - sum([c * added[j] for j, c in rows[i]]) for r, i in zip(left, chosen, strict=True)]
        bits += gained
        if bits >= goal:
            goal = 2 * bits
            found = _read_off(digits, bits)
            if found is not None and _hold(rows, right, found):
                return found
    found = [Fraction(d, 1 << bits) for d in digits] if not any(left) else _read_off(digits, bits)
    return found if found is not None and _hold(rows, right, found) else None


def _independent(matrix: Floats) -> list[int] | None:
    """As many independent rows as there are columns, by the row pivots of an LU factorisation; None if there are fewer."""
    from scipy.linalg import lapack

    if matrix.shape[1] == 0:
        return []
    if len(matrix) < matrix.shape[1]:
        return None
    factored, pivots, _ = lapack.dgetrf(matrix)
    diagonal = np.abs(np.diagonal(factored))
    if diagonal.min() <= SINGULAR * diagonal.max():
        return None
    order = np.arange(len(matrix))
    for i, j in enumerate(pivots.tolist()):
        order[i], order[j] = order[j], order[i]
    return [int(i) for i in order[: matrix.shape[1]]]


def _read_off(digits: Sequence[int], bits: int) -> list[Fraction] | None:
    """Fractions near digits / 2 ** bits, each with at most half of the bits, by the common denominator found so far."""
    unit, one, out = 1, 1 << bits, []
    most = 1 << (bits // 2 - 8)
    near = one >> (bits // 2)
    for d in digits:
        scaled = d * unit
        whole = (2 * scaled + one) // (2 * one)
        if abs(scaled - whole * one) > near:
            part = Fraction(scaled, one).limit_denominator(max(1, most // unit))
            unit *= part.denominator
            if unit > most:
                return None
            whole = (2 * d * unit + one) // (2 * one)
        out.append(Fraction(whole, unit))
    return out


def _hold(rows: Sequence[Sequence[tuple[int, int]]], right: Sequence[int], found: Sequence[Fraction]) -> bool:
    """True if whole-number equations hold exactly."""
    unit = lcm(*(x.denominator for x in found))
    scaled = [x.numerator * (unit // x.denominator) for x in found]
    return all(sum(c * scaled[j] for j, c in row) == b * unit for row, b in zip(rows, right, strict=True))
