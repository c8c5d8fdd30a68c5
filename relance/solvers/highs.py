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
"""The entries of a sparse matrix: rows, columns, values, in floats or exact. Entries in the same place are added."""


INSIDE, STEPS = 1e-12, 300
"""How near to the optimum the interior-point method goes, so that what is 0 at all optima is far below the rest; and its most steps: some
dozens do, or it never comes so near."""


Statuses: TypeAlias = npt.NDArray[np.int8]
LOWER, BASIC, UPPER = 0, 1, 2
"""What a basis says of a column or row: at its lower bound, basic, at its upper bound."""


class Optimum(NamedTuple):
    """The least cost, a point that attains it, the change of the cost per unit of each row's bound, the number of pivots, the basis."""

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
    """Minimise `costs @ x` subject to `low <= matrix @ x <= high`, with x at least 0 where `nonnegative`.

    Args:
        costs: (columns,).
        matrix: its entries.
        low: (rows,), may be infinite.
        high: (rows,), may be infinite.
        nonnegative: (columns,) bool.
        pivots: the most pivots; by default there is no limit.
        tolerance: how far conditions and the optimality of costs may be violated; by default 1e-7.
        inside: return a point inside the set of all optima, by the interior-point method, and not a corner of it.
        presolve: let HiGHS make the program smaller first.
        basis: (columns + rows,) where to start; nothing is presolved then.

    Raises:
        ArithmeticError: no optimum is found, or not within this many pivots.
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
        raise ArithmeticError(f"a linear program in floats failed: {solver.modelStatusToString(status)}")
    point, multipliers = np.array(found.col_value), np.array(found.row_dual)
    statuses = np.array([*map(int, end.col_status), *map(int, end.row_status)], np.int8)
    return Optimum(done.objective_function_value, point, multipliers, done.simplex_iteration_count, statuses)


def _added(place: Ints, values: Floats) -> tuple[Ints, Floats]:
    """The distinct places in order, and the sum of the values at each. `np.unique` would import masked arrays, which takes longer."""
    order = np.argsort(place, kind="stable")
    sorted_places = place[order]
    first = np.concatenate(([True], sorted_places[1:] != sorted_places[:-1]))[: len(place)]
    return sorted_places[first], np.asarray(np.bincount(np.cumsum(first) - 1, values[order]), np.float64)
