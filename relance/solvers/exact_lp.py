"""Linear programs solved exactly.

HiGHS solves a program in floating point. Its answer is rounded to fractions and accepted only if the optimality conditions
(primal and dual feasibility, equal objectives) hold exactly. If no rounding passes, because amounts or probabilities are too
far apart for floats, exact pivots continue from there. Small programs use exact pivots alone, which take less time than
HiGHS needs to start. So the result is exact, never approximate.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np

from relance.model.arrays import Floats
from relance.solvers.exact_simplex import CONSTANT, ONE, ZERO, Dictionary, LinearForm, add_multiple
from relance.solvers.highs import minimise

TIGHT = 1e-9
"""A condition counts as tight if the floating-point solution is within this of its bound."""

TOLERANCE = 1e-10
"""The tolerance of the floating-point solution for conditions and for the optimum: the smallest that HiGHS accepts."""

FEW = 70
"""Programs of at most this many variables are solved by exact pivots alone."""

LITTLE = 3000
"""Programs of at most this many variables times rows are solved in Fractions if flint is not imported yet: the import takes longer."""

FromFraction: TypeAlias = Callable[[Fraction], Any]
"""A function that turns a Fraction into a number of the type that a program computes with, such as flint's fmpq."""


class NotCertifiedError(ArithmeticError):
    """No candidate for an exact solution passes its check in fractions, which is a bug in the solver."""


@dataclass
class Program:
    """Maximise `objective` . x, where row . x <= b for each (row, b) in `at_most`, and row . x = b for each (row, b) in `equal`.

    x has `size` entries; those with an index in `nonnegative` are at least 0. Coefficients are Fractions, or what `number` makes of one.
    """

    size: int = 0
    nonnegative: set[int] = field(default_factory=set)
    objective: LinearForm = field(default_factory=dict)
    at_most: list[tuple[LinearForm, Fraction]] = field(default_factory=list)
    equal: list[tuple[LinearForm, Fraction]] = field(default_factory=list)
    number: FromFraction = Fraction

    def variables(self, count: int, nonnegative: bool = False) -> list[int]:
        """Add `count` variables and return their indices."""
        new = list(range(self.size, self.size + count))
        self.size += count
        if nonnegative:
            self.nonnegative.update(new)
        return new

    def floats(self, **options: Any) -> tuple[float, Floats, Floats]:
        """Solve in floating point; the options are those of `relance.solvers.highs.minimise`.

        Returns:
            The greatest objective, a point that attains it, and one multiplier per row, those of `at_most` first.

        Raises:
            ArithmeticError: no optimum is found.
        """
        rows = self.at_most + self.equal
        places = [(i, j, float(c)) for i, (row, _) in enumerate(rows) for j, c in row.items()]
        at, to, values = zip(*places, strict=True) if places else ((), (), ())
        high = np.array([float(b) for _, b in rows])
        found = minimise(
            -np.array([float(self.objective.get(j, 0)) for j in range(self.size)]),
            (np.array(at, np.int64), np.array(to, np.int64), np.array(values, float)),
            np.where(np.arange(len(rows)) < len(self.at_most), -np.inf, high),
            high,
            np.array([j in self.nonnegative for j in range(self.size)]),
            tolerance=TOLERANCE,
            **options,
        )
        return -found.cost, found.point, -found.multipliers

    def solve(self) -> tuple[Fraction, list[Fraction]]:
        """Return the exact greatest objective and a point that attains it; ValueError if there is no optimum."""
        return self.optimum()[:2]

    def optimum(self) -> tuple[Fraction, list[Fraction], list[Fraction]]:
        """Return the exact greatest objective, a point that attains it, and one multiplier per row, those of `at_most` first.

        Raises:
            ValueError: there is no optimum.
            NotCertifiedError: no candidate passes the exact check, which is a bug in the solver.
        """
        much = "flint" in sys.modules or self.size * len(self.at_most + self.equal) > LITTLE
        quick = self.over(quick_numbers()) if much else self
        for x, y in quick._candidates():
            if quick._feasible(x) and quick._dominates(y):
                best = _dot(quick.objective, x)
                if best == _dot({i: b for i, (_, b) in enumerate(quick.at_most + quick.equal)}, y):
                    return _as_fraction(best), [_as_fraction(v) for v in x], [_as_fraction(v) for v in y]
        raise NotCertifiedError(
            "no optimum of a linear program passes the exact check; this is a bug in Relance, please report the game"
        )

    def over(self, number: FromFraction) -> Program:
        """Return the same program with all coefficients converted by `number`."""

        def form(row: LinearForm) -> LinearForm:
            return {j: number(c) for j, c in row.items()}

        at_most, equal = ([(form(row), number(b)) for row, b in rows] for rows in (self.at_most, self.equal))
        return Program(self.size, self.nonnegative, form(self.objective), at_most, equal, number)

    def _candidates(self) -> Iterator[tuple[list[Fraction], list[Fraction]]]:
        """Yield exact points and multipliers: the rounded floats, then solutions of what is tight there, then pivots from there.

        Programs with few variables go straight to the pivots.
        """
        start, guess = np.zeros(self.size), np.zeros(len(self.at_most) + len(self.equal))
        conditions = [*sorted(self.nonnegative), *range(self.size, self.size + len(self.at_most))]
        room = price = dict.fromkeys(conditions, 0.0)
        if self.size > FEW:
            with suppress(ArithmeticError):  # floats cannot solve every program; pivots then start anywhere
                _, start, guess = self.floats()
                for digits in range(1, 8):
                    yield _round(start, 10**digits, self.number), _round(guess, 10**digits, self.number)
                room, price = self._slacks(start, guess)
                tight, unused = ({k for k in conditions if abs(side[k]) < TIGHT} for side in (room, price))
                yield from self._solved(tight, unused, start, guess)
        likely = {k: (False, room[k] - price[k]) for k in conditions}
        likely |= {j: (True, 0.0) for j in range(self.size) if j not in self.nonnegative}
        equations = [{**row, CONSTANT: -b} for row, b in self.equal]
        one = self.number(ONE)
        equations += [{**row, self.size + i: one, CONSTANT: -b} for i, (row, b) in enumerate(self.at_most)]
        free = set(range(self.size)) - self.nonnegative
        basic = Dictionary(equations, self.objective, free, likely, one).optimal_basis()
        yield from self._solved(set(conditions) - basic, set(conditions) & basic, start, guess)

    def _columns(self) -> list[LinearForm]:
        """The rows' coefficients by variable."""
        columns: list[LinearForm] = [{} for _ in range(self.size)]
        for i, (row, _) in enumerate(self.at_most + self.equal):
            for j, c in row.items():
                columns[j][i] = c
        return columns

    def _slacks(self, x: Floats, y: Floats) -> tuple[dict[int, float], dict[int, float]]:
        """Return how far each condition is from being tight, and how far each multiplier of a condition is from 0.

        For j < `size`, condition j says that variable j is not negative; condition `size` + i is row i of `at_most`.
        """
        columns = self._columns()
        room = {j: float(x[j]) for j in self.nonnegative}
        price = {self.size + i: float(y[i]) for i in range(len(self.at_most))}
        for i, (row, b) in enumerate(self.at_most):
            room[self.size + i] = float(b) - sum(float(c) * x[j] for j, c in row.items())
        for j in self.nonnegative:
            price[j] = sum(float(c) * y[i] for i, c in columns[j].items()) - float(self.objective.get(j, ZERO))
        return room, price

    def _solved(
        self, tight: set[int], unused: set[int], point: Floats, multipliers: Floats
    ) -> Iterator[tuple[list[Fraction], list[Fraction]]]:
        """The point at which these conditions are tight, and the multipliers that are 0 for the unused ones; see `_slacks`."""
        zero, one = self.number(ZERO), self.number(ONE)
        first = [({j: one}, zero) for j in self.nonnegative & tight]
        first += [row for i, row in enumerate(self.at_most) if self.size + i in tight] + self.equal
        second = [({i: one}, zero) for i in range(len(self.at_most)) if self.size + i in unused]
        for j, column in enumerate(self._columns()):
            if j not in self.nonnegative or j in unused:
                second.append((column, self.objective.get(j, zero)))
        x = solve_equations(first, point.tolist(), self.number)
        y = solve_equations(second, multipliers.tolist(), self.number)
        if x is not None and y is not None:
            yield x, y

    def _feasible(self, x: list[Fraction]) -> bool:
        return (
            all(x[j] >= 0 for j in self.nonnegative)
            and all(_dot(row, x) == b for row, b in self.equal)
            and all(_dot(row, x) <= b for row, b in self.at_most)
        )

    def _dominates(self, y: list[Fraction]) -> bool:
        """Dual feasibility: the rows weighted by y are at least the objective in every variable."""
        if any(y_i < 0 for y_i in y[: len(self.at_most)]):
            return False
        zero: Fraction = self.number(ZERO)
        slack = [-self.objective.get(j, zero) for j in range(self.size)]
        for y_i, (row, _) in zip(y, self.at_most + self.equal, strict=True):
            if y_i:
                for j, c in row.items():
                    slack[j] += y_i * c
        return all(s >= 0 if j in self.nonnegative else s == 0 for j, s in enumerate(slack))


def quick_numbers() -> FromFraction:
    """Return a function that turns a Fraction into flint's fmpq, ten times as fast; or Fraction itself without the extra `proof`."""
    try:
        from flint import fmpq
    except ImportError:
        return Fraction
    return lambda number: fmpq(number.numerator, number.denominator)


def _as_fraction(number: Any) -> Fraction:
    """A Fraction again, from what `quick_numbers` makes of one."""
    return Fraction(int(number.numerator), int(number.denominator))


def _round(values: Iterable[float], denominator: int, number: FromFraction) -> list[Fraction]:
    values = list(map(float, values))
    rounded = {v: number(Fraction(v).limit_denominator(denominator)) for v in set(values)}
    return [rounded[v] for v in values]


def _dot(row: LinearForm, x: list[Fraction]) -> Fraction:
    return sum(c * x[j] for j, c in row.items() if x[j])  # type: ignore[return-value]


def solve_equations(
    equations: Iterable[tuple[LinearForm, Fraction]], guess: Sequence[float], number: FromFraction = Fraction
) -> list[Fraction] | None:
    """Return the exact solution of linear equations, each (coefficients by variable, right side); None if they contradict each other.

    A variable that the equations leave free is set to a fraction near its `guess`, with a denominator of at most 1000.
    """
    pivots: dict[int, tuple[LinearForm, Fraction]] = {}
    for coefficients, right in sorted(
        equations, key=lambda equation: len(equation[0])
    ):  # sorted by length, the shortest rows stay short
        row, total = {j: c for j, c in coefficients.items() if c}, right
        while (known := next((j for j in row if j in pivots), None)) is not None:
            factor = row.pop(known)
            other, value = pivots[known]
            total -= factor * value
            add_multiple(row, -factor, other)
        if not row:
            if total:
                return None
            continue
        pivot = max(row, key=lambda j: abs(guess[j]))
        scale = row.pop(pivot)
        pivots[pivot] = ({j: c / scale for j, c in row.items()}, total / scale)
    out = _round(guess, 1000, number)
    for pivot, (row, total) in reversed(pivots.items()):  # a pivot's row may use variables that became pivots later
        out[pivot] = total - _dot(row, out)
    return out
