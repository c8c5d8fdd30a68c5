"""Linear programs solved exactly.

HiGHS solves a program in floating point. Its answer is rounded to fractions and accepted only if the optimality conditions
(primal and dual feasibility, equal objectives) hold exactly. So the result is either exact or an error, never approximate.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from relance.model.arrays import Floats

Row: TypeAlias = dict[int, Fraction]
"""A linear form: coefficients by variable index."""

ZERO, ONE = Fraction(0), Fraction(1)
TIGHT = 1e-9
"""A condition counts as tight if the floating-point solution is within this of its bound."""


class NotCertifiedError(ArithmeticError):
    """There is no exact optimum near the floating-point one."""


@dataclass
class Program:
    """maximise objective . x subject to rows `left <= right` and `left == right`; variables are free unless in `nonnegative`."""

    size: int = 0
    nonnegative: set[int] = field(default_factory=set)
    objective: Row = field(default_factory=dict)
    at_most: list[tuple[Row, Fraction]] = field(default_factory=list)
    equal: list[tuple[Row, Fraction]] = field(default_factory=list)

    def variables(self, count: int, nonnegative: bool = False) -> list[int]:
        """Add `count` variables and return their indices."""
        new = list(range(self.size, self.size + count))
        self.size += count
        if nonnegative:
            self.nonnegative.update(new)
        return new

    def floats(self) -> tuple[float, Floats, Floats]:
        """Solve in floating point.

        Returns:
            The optimum, the variables, and one multiplier per row, those of `at_most` first.

        Raises:
            ValueError: if there is no optimum.
        """
        from scipy.optimize import linprog
        from scipy.sparse import csr_array

        def matrix(rows: list[tuple[Row, Fraction]]) -> tuple[csr_array, list[float]]:
            places = [[i for i, (row, _) in enumerate(rows) for _ in row], [j for row, _ in rows for j in row]]
            values = [float(c) for row, _ in rows for c in row.values()]
            return csr_array((values, places), shape=(len(rows), self.size)), [float(b) for _, b in rows]

        cost = [-float(self.objective.get(j, 0)) for j in range(self.size)]
        bounds = [(0 if j in self.nonnegative else None, None) for j in range(self.size)]
        result = linprog(cost, *matrix(self.at_most), *matrix(self.equal), bounds, method="highs")
        if result.status != 0:
            raise ValueError(f"the linear program has no optimum: {result.message}")
        return -float(result.fun), result.x, -np.concatenate([result.ineqlin.marginals, result.eqlin.marginals])

    def solve(self) -> tuple[Fraction, list[Fraction]]:
        """Return the exact optimum and a point that attains it.

        Raises:
            ValueError: if there is no optimum.
            NotCertifiedError: if no exact optimum is found near the float one.
        """
        _, point, multipliers = self.floats()
        for x, y in self._candidates(point, multipliers):
            if self._feasible(x) and self._dominates(y):
                best = _dot(self.objective, x)
                if best == sum((y_i * b for y_i, (_, b) in zip(y, self.at_most + self.equal, strict=True)), ZERO):
                    return best, x
        raise NotCertifiedError("no exact optimum near the float optimum, by rounding or from what is tight there")

    def _candidates(self, point: Floats, multipliers: Floats) -> Iterator[tuple[list[Fraction], list[Fraction]]]:
        """Exact points and multipliers near the float ones: first rounded, then solved from the conditions that are tight."""
        for digits in range(1, 8):
            yield _round(point, 10**digits), _round(multipliers, 10**digits)
        rows = self.at_most + self.equal
        columns: list[Row] = [{} for _ in range(self.size)]
        tight = [({j: ONE}, ZERO) for j in self.nonnegative if abs(point[j]) < TIGHT]
        unused = []
        for i, (row, b) in enumerate(rows):
            for j, c in row.items():
                columns[j][i] = c
            slack = float(b) - sum(float(c) * point[j] for j, c in row.items())
            if i >= len(self.at_most) or abs(slack) < TIGHT:
                tight.append((row, b))
            if i < len(self.at_most) and abs(multipliers[i]) < TIGHT:
                unused.append(({i: ONE}, ZERO))
        for j, column in enumerate(columns):
            cost = self.objective.get(j, ZERO)
            reduced = sum(float(c) * multipliers[i] for i, c in column.items()) - float(cost)
            if j not in self.nonnegative or abs(reduced) < TIGHT:
                unused.append((column, cost))
        x, y = solve_equations(tight, point.tolist()), solve_equations(unused, multipliers.tolist())
        if x is not None and y is not None:
            yield x, y

    def _feasible(self, x: list[Fraction]) -> bool:
        return (
            all(x[j] >= 0 for j in self.nonnegative)
            and all(_dot(row, x) == b for row, b in self.equal)
            and all(_dot(row, x) <= b for row, b in self.at_most)
        )

    def _dominates(self, y: list[Fraction]) -> bool:
        """Dual feasibility: the rows weighted by y give at least the objective in every variable."""
        if any(y_i < 0 for y_i in y[: len(self.at_most)]):
            return False
        slack = [-self.objective.get(j, ZERO) for j in range(self.size)]
        for y_i, (row, _) in zip(y, self.at_most + self.equal, strict=True):
            if y_i:
                for j, c in row.items():
                    slack[j] += y_i * c
        return all(s >= 0 if j in self.nonnegative else s == 0 for j, s in enumerate(slack))


def _round(values: Iterable[float], denominator: int) -> list[Fraction]:
    return [Fraction(float(v)).limit_denominator(denominator) for v in values]


def _dot(row: Row, x: list[Fraction]) -> Fraction:
    return sum((c * x[j] for j, c in row.items()), ZERO)


def solve_equations(equations: Iterable[tuple[Row, Fraction]], guess: Sequence[float]) -> list[Fraction] | None:
    """Solve sparse linear equations exactly, by elimination; None if they contradict each other.

    A variable that the equations leave free is set to a simple fraction near its `guess`.
    """
    pivots: dict[int, tuple[Row, Fraction]] = {}
    for coefficients, right in equations:
        row, total = dict(coefficients), right
        while (known := next((j for j in row if j in pivots), None)) is not None:
            factor = row.pop(known)
            other, value = pivots[known]
            total -= factor * value
            for j, c in other.items():
                rest = row.get(j, 0) - factor * c
                if rest:
                    row[j] = rest
                else:
                    row.pop(j, None)
        if not row:
            if total:
                return None
            continue
        pivot = max(row, key=lambda j: abs(guess[j]))
        scale = row.pop(pivot)
        pivots[pivot] = ({j: c / scale for j, c in row.items()}, total / scale)
    out = _round(guess, 1000)
    for pivot, (row, total) in reversed(pivots.items()):  # a pivot's row may use variables that became pivots after it
        out[pivot] = total - _dot(row, out)
    return out
