"""Linear programs solved exactly.

HiGHS solves in floating point; its answer is made exact and accepted only after the optimality conditions (primal and dual
feasibility, equal objectives) hold exactly. So an answer is either exact or an error, never nearly right.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Row: TypeAlias = dict[int, Fraction]
"""A linear form: coefficients by variable index."""

ZERO, ONE = Fraction(0), Fraction(1)
_DENOMINATORS = (10, 10**2, 10**3, 10**4, 10**5, 10**6, 10**7)
TIGHT = 1e-9
"""How near to its bound the floating-point solution must be for a condition to be taken as tight."""


class NotCertifiedError(ArithmeticError):
    """No exact optimum was found near the floating-point one."""


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

    def floats(self) -> tuple[float, npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Solve in floating point: optimum, variables, and one multiplier per row (`at_most` first). Raises ValueError if there is none."""
        from scipy.optimize import linprog
        from scipy.sparse import csr_array

        def matrix(rows: list[tuple[Row, Fraction]]) -> tuple[csr_array | None, npt.NDArray[np.float64] | None]:
            if not rows:
                return None, None
            entries = [(i, j, float(c)) for i, (row, _) in enumerate(rows) for j, c in row.items()]
            where = ([i for i, _, _ in entries], [j for _, j, _ in entries])
            return csr_array(([c for _, _, c in entries], where), shape=(len(rows), self.size)), np.array(
                [float(b) for _, b in rows]
            )

        cost = np.zeros(self.size)
        for j, c in self.objective.items():
            cost[j] = -float(c)
        (a, b), (e, d) = matrix(self.at_most), matrix(self.equal)
        bounds = [(0 if j in self.nonnegative else None, None) for j in range(self.size)]
        result = linprog(cost, A_ub=a, b_ub=b, A_eq=e, b_eq=d, bounds=bounds, method="highs")
        if result.status != 0:
            raise ValueError(f"the linear program has no optimum: {result.message}")
        parts = [-result.ineqlin.marginals] * bool(self.at_most) + [-result.eqlin.marginals] * bool(self.equal)
        return -float(result.fun), result.x, np.concatenate(parts)

    def solve(self) -> tuple[Fraction, list[Fraction]]:
        """The exact optimum and a point that attains it. Raises NotCertifiedError if none is found near the float solution."""
        _, point, multipliers = self.floats()
        for x, y in self._candidates(point, multipliers):
            if self._feasible(x) and self._dominates(y):
                best = _dot(self.objective, x)
                if best == sum((y_i * b for y_i, (_, b) in zip(y, self.at_most + self.equal, strict=True)), ZERO):
                    return best, x
        raise NotCertifiedError("no exact optimum near the float optimum, by rounding or from what is tight there")

    def _candidates(
        self, point: npt.NDArray[np.float64], multipliers: npt.NDArray[np.float64]
    ) -> Iterator[tuple[list[Fraction], list[Fraction]]]:
        """Points and multipliers near the float ones: rounded, and from the conditions that are tight there."""
        for denominator in _DENOMINATORS:
            yield _round(point, denominator), _round(multipliers, denominator)
        rows = self.at_most + self.equal
        columns: list[Row] = [{} for _ in range(self.size)]
        tight: list[tuple[Row, Fraction]] = [({j: ONE}, ZERO) for j in self.nonnegative if abs(point[j]) < TIGHT]
        unused: list[tuple[Row, Fraction]] = []
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


def _round(values: npt.NDArray[np.float64], denominator: int) -> list[Fraction]:
    return [Fraction(float(v)).limit_denominator(denominator) for v in values]


def _dot(row: Row, x: list[Fraction]) -> Fraction:
    return sum((c * x[j] for j, c in row.items()), ZERO)


def solve_equations(equations: Iterable[tuple[Row, Fraction]], guess: Sequence[float]) -> list[Fraction] | None:
    """Solve sparse linear equations exactly, by elimination; None if they contradict each other.

    A variable that they leave free takes the simple fraction that is nearest to its `guess`.
    """
    pivots: dict[int, tuple[Row, Fraction]] = {}
    for coefficients, right in equations:
        row, total = dict(coefficients), right
        while row:
            known = next((j for j in row if j in pivots), None)
            if known is None:
                break
            factor = row.pop(known)
            other, value = pivots[known]
            total -= factor * value
            for j, c in other.items():
                left = row.get(j, 0) - factor * c
                if left:
                    row[j] = left
                else:
                    row.pop(j, None)
        if not row:
            if total:
                return None
            continue
        pivot = max(row, key=lambda j: abs(guess[j]))
        scale = row.pop(pivot)
        pivots[pivot] = ({j: c / scale for j, c in row.items()}, total / scale)
    out: list[Fraction | None] = [None] * len(guess)
    # A pivot's row may use variables that became pivots after it: resolve those first.
    for j, x in enumerate(guess):
        if j not in pivots:
            out[j] = Fraction(float(x)).limit_denominator(1000)
    for pivot in reversed(list(pivots)):
        row, total = pivots[pivot]
        value = total
        for j, c in row.items():
            other_value = out[j]
            assert other_value is not None
            value -= c * other_value
        out[pivot] = value
    return [x for x in out if x is not None]
