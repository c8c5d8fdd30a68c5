"""The simplex method in fractions, from any start, for programs whose optimum floats cannot find.

It is the parametric self-dual method. We add a number mu times random amounts, positive for each variable and negative for each
cost, so that any dictionary is optimal for large mu. Then mu falls to 0, and each pivot keeps the dictionary optimal. See
Vanderbei, Linear Programming: Foundations and Extensions, chapter 7.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, TypeAlias

LinearForm: TypeAlias = dict[int, Fraction]
"""A linear form: its nonzero coefficients by variable index."""

ZERO, ONE = Fraction(0), Fraction(1)

CONSTANT, SHIFT = -1, -2
"""The keys of a linear form's constant, and of its coefficient of mu, the parameter of the parametric self-dual method."""

AMOUNTS = 10**5, 10**6
"""mu is multiplied by random whole numbers between these. With simpler ones, several variables could reach 0 at once."""


class Dictionary:
    """A simplex dictionary: the basic variables and the objective as linear forms of the other variables, which are 0.

    Args:
        equations: linear forms that are 0, with their constants at `CONSTANT`.
        objective: the linear form to maximise.
        free: the variables that may be negative; no others may.
        likely: for each variable, whether it is free, and a score: free variables, then those of high scores, are basic at the start.
        one: 1 as a number of the type that the forms hold.

    Raises:
        ValueError: the equations contradict each other, or nothing bounds the objective.
    """

    def __init__(
        self,
        equations: Iterable[LinearForm],
        objective: LinearForm,
        free: set[int],
        likely: Mapping[int, tuple[bool, float]],
        one: Any = ONE,
    ) -> None:
        self.one = one
        self.objective = dict(objective)
        self.rows: dict[int, LinearForm] = {}
        for equation in equations:
            row = {j: c for j, c in equation.items() if c}
            for j in [j for j in row if j in self.rows]:
                add_multiple(row, row.pop(j), self.rows[j])
            entering = max((j for j in row if j >= 0), key=likely.__getitem__, default=None)
            if entering is not None:
                self._enter(entering, row)
            elif row:
                raise ValueError("the linear program has no optimum: no point satisfies its equations")
        for j in sorted(self._others(), key=likely.__getitem__, reverse=True):
            leaving = min((i for i in self.rows if j in self.rows[i]), key=likely.__getitem__, default=None)
            if leaving is not None and likely[leaving] < likely[j]:
                self._pivot(leaving, j)
        self.basic = free & self.rows.keys()
        for j in self.basic:  # they are unbounded, so they need no row
            del self.rows[j]
        if any(j in self.objective for j in free):
            raise ValueError("the linear program has no optimum: nothing bounds its objective")

    def optimal_basis(self) -> set[int]:
        """Pivot until the dictionary is optimal; return its basic variables.

        Raises:
            ValueError: there is no optimum.
        """
        draw, zero = random.Random(0), 0 * self.one
        for row in self.rows.values():
            row[SHIFT] = self.one * draw.randint(*AMOUNTS)
        shifts = {j: -self.one * draw.randint(*AMOUNTS) for j in sorted(self._others())}
        while True:
            mu, leaving, entering = self._next(shifts)
            if entering is not None:
                falling = [i for i, row in self.rows.items() if entering in row and row[entering] < 0]
                if not falling:
                    raise ValueError("the linear program has no optimum: nothing bounds its objective")
                ratios = {i: -self._at(self.rows[i], mu) / self.rows[i][entering] for i in falling}
                self._pivot(min(falling, key=ratios.__getitem__), entering, shifts)
            elif leaving is not None:
                row = self.rows[leaving]
                rising = [j for j, c in row.items() if j >= 0 and c > 0]
                if not rising:
                    raise ValueError("the linear program has no optimum: no point satisfies its constraints")
                ratios = {j: -(self.objective.get(j, zero) + mu * shifts.get(j, zero)) / row[j] for j in rising}
                self._pivot(leaving, min(rising, key=ratios.__getitem__), shifts)
            else:
                return self.basic | self.rows.keys()

    def _next(self, shifts: LinearForm) -> tuple[Fraction, int | None, int | None]:
        """The least mu for which the dictionary is optimal, and the variable that bounds mu there, either a basic one or another one."""
        mu, leaving, entering = 0 * self.one, None, None
        for i, row in self.rows.items():
            if CONSTANT in row and row[CONSTANT] < 0 and (needed := -row[CONSTANT] / row[SHIFT]) > mu:
                mu, leaving = needed, i
        for j, cost in self.objective.items():
            if j >= 0 and cost > 0 and (needed := -cost / shifts[j]) > mu:
                mu, entering = needed, j
        return mu, leaving, entering

    def _at(self, row: LinearForm, mu: Fraction) -> Fraction:
        zero: Fraction = 0 * self.one
        return row.get(CONSTANT, zero) + mu * row.get(SHIFT, zero)

    def _others(self) -> set[int]:
        """The variables that are not basic."""
        return {j for row in [self.objective, *self.rows.values()] for j in row if j >= 0}

    def _pivot(self, leaving: int, entering: int, *more: LinearForm) -> None:
        """Swap a basic variable for another one, and rewrite the linear forms `more` too."""
        row = self.rows.pop(leaving)
        row[leaving] = -self.one
        self._enter(entering, row, *more)

    def _enter(self, entering: int, row: LinearForm, *more: LinearForm) -> None:
        """Make `entering` basic by a linear form that is 0."""
        scale = -row.pop(entering)
        row = row if scale == 1 else {j: c / scale for j, c in row.items()}
        for other in (self.objective, *self.rows.values(), *more):
            if entering in other:
                add_multiple(other, other.pop(entering), row)
        self.rows[entering] = row


def add_multiple(row: dict[int, Any], factor: Any, other: Mapping[int, Any]) -> None:
    """Add `factor` times `other` to `row`, in place; coefficients that become 0 are removed."""
    for j, c in other.items():
        total = row[j] + factor * c if j in row else factor * c
        if total:
            row[j] = total
        else:
            row.pop(j, None)


def sum_of_rows(terms: Iterable[tuple[Any, Mapping[int, Any]]]) -> dict[int, Any]:
    """Return the sum of factor * row over `terms`, pairs of (factor, row); the object `ONE` as a factor costs nothing."""
    out: dict[int, Any] = {}
    for factor, row in terms:
        if factor:
            for j, c in row.items():
                part = c if factor is ONE else factor * c
                out[j] = out[j] + part if j in out else part
    return {j: c for j, c in out.items() if c}
