"""Linear programs in floats, solved by the simplex method of HiGHS (Huangfu and Hall 2018; https://highs.dev).

`highspy` is HiGHS alone; by way of scipy, the same solver takes ten times as long to import.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from relance.model.arrays import Floats, Ints
from relance.model.deal import Array

Entries: TypeAlias = tuple[Array, Array, Array]
"""A sparse matrix as three arrays: row numbers, column numbers and values, in floats or exact. Entries in the same place are added."""

INSIDE, STEPS = 1e-12, 300
"""`INSIDE`: the optimality tolerance of the interior-point method, so small that variables that are 0 at all optima come out far below
the others. `STEPS`: its most iterations; some dozens are enough, or it never reaches that tolerance."""

Statuses: TypeAlias = npt.NDArray[np.int8]
LOWER, BASIC, UPPER = 0, 1, 2
"""The status of a column or row in a simplex basis: at its lower bound, basic, or at its upper bound."""


class Optimum(NamedTuple):
    """The least `cost`, a `point` that attains it, `multipliers` (change of cost per unit of a row's bound), `pivots`, and last `basis`."""

    cost: float
    point: Floats  # (columns,)
    multipliers: Floats  # (rows,) at most 0 for an upper bound
    pivots: int
    basis: Statuses  # (columns + rows,)


def minimise(
    costs: Floats,
    matrix: Entries,
    low: Floats,
    high: Floats,
    nonnegative: Array,
    pivots: int | None = None,
    tolerance: float | None = None,
    inside: bool = False,
    presolve: bool = True,
    basis: Statuses | None = None,
) -> Optimum:
    """Return an optimum of: minimise `costs @ x` subject to `low <= matrix @ x <= high`, with x at least 0 where `nonnegative`.

    Args:
        costs: (columns,) the cost of each variable.
        matrix: the row numbers, column numbers and values of its entries.
        low: (rows,), may be infinite.
        high: (rows,), may be infinite.
        nonnegative: (columns,) bool.
        pivots: the most pivots; by default there is no limit.
        tolerance: how far rows, and the signs of reduced costs, may be violated; by default 1e-7.
        inside: return a point inside the set of all optima, by the interior-point method, and not a corner of this set.
        presolve: let HiGHS make the program smaller first.
        basis: (columns + rows,) `LOWER`, `BASIC` or `UPPER` for each, from which the simplex method starts, without presolve.

    Raises:
        ArithmeticError: no optimum is found, or none within `pivots` pivots.
    """
    import highspy

    rows, columns = len(low), len(costs)
    place, values = _added(matrix[0] * columns + matrix[1], matrix[2])
    place, values = place[values != 0], values[values != 0]
    program = highspy.HighsLp()
    program.num_col_, program.num_row_ = columns, rows
    program.col_cost_, program.row_lower_, program.row_upper_ = costs, low, high
    program.col_lower_, program.col_upper_ = np.where(nonnegative, 0.0, -np.inf), np.full(columns, np.inf)
    program.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    program.a_matrix_.start_ = np.searchsorted(place, np.arange(rows + 1) * columns)
    program.a_matrix_.index_, program.a_matrix_.value_ = place % columns, values
    options = highspy.HighsOptions()
    options.output_flag, options.solver, options.threads = False, "simplex", 1
    if inside:
        options.solver, options.run_crossover = "ipm", "off"
        options.ipm_optimality_tolerance, options.ipm_iteration_limit = INSIDE, STEPS
    if not presolve:
        options.presolve = "off"
    if pivots is not None:
        options.simplex_iteration_limit = pivots
    if basis is not None:
        options.simplex_strategy = 4  # primal simplex: the point of the basis stays feasible where columns are added
    if tolerance is not None:
        options.primal_feasibility_tolerance = options.dual_feasibility_tolerance = tolerance
    solver = highspy.Highs()  # type: ignore[no-untyped-call,unused-ignore]  # highspy gives its constructor no type
    solver.passOptions(options)
    solver.passModel(program)
    if basis is not None:
        start, kinds = highspy.HighsBasis(), [*map(highspy.HighsBasisStatus, range(5))]
        given = [kinds[status] for status in basis.tolist()]
        start.col_status, start.row_status, start.valid = given[:columns], given[columns:], True
        solver.setBasis(start)
    solver.run()
    status, found, done, end = solver.getModelStatus(), solver.getSolution(), solver.getInfo(), solver.getBasis()
    if status != highspy.HighsModelStatus.kOptimal:
        raise ArithmeticError(f"a linear program in floats failed: HiGHS says {solver.modelStatusToString(status)!r}")
    point, multipliers = np.array(found.col_value), np.array(found.row_dual)
    statuses = np.array([*map(int, end.col_status), *map(int, end.row_status)], np.int8)
    return Optimum(done.objective_function_value, point, multipliers, done.simplex_iteration_count, statuses)


def _added(place: Ints, values: Floats) -> tuple[Ints, Floats]:
    """The distinct places in order, and the sum of the values at each. `np.unique` would import masked arrays, which takes longer."""
    order = np.argsort(place, kind="stable")
    sorted_places = place[order]
    first = np.concatenate(([True], sorted_places[1:] != sorted_places[:-1]))[: len(place)]
    return sorted_places[first], np.asarray(np.bincount(np.cumsum(first) - 1, values[order]), np.float64)
