"""One call that solves a game."""

from __future__ import annotations

import os
from collections.abc import Callable

from relance.model.game import Game
from relance.model.strategy import Profile
from relance.solvers.exact import exploitability

METHODS = ("lp", "cfr", "cfr+", "dcfr", "pcfr+")


def solve(
    game: Game,
    method: str | None = None,
    tolerance: float | None = None,
    iterations: int | None = None,
    warm_start: bool = True,
    tick: Callable[[int, float], None] = lambda iteration, exploitability: None,
    checkpoint: str | os.PathLike[str] | None = None,
    backend: str | None = None,
    device: str | None = None,
) -> Profile:
    """Return an equilibrium of a game with finitely many hands, exact or to a tolerance.

    Args:
        game: cards, or hands on [0, 1] cut by `game.grid(n)` or `game.cells(profile)`.
        method: "lp", the sequence-form linear program; or "cfr+", "pcfr+", "dcfr", "cfr" in vector form. By default "cfr+" if
            a tolerance is given, else "lp".
        tolerance: the exploitability (half of NashConv, in chips) to reach; for CFR by default 1e-4. A linear program is
            solved exactly without it, which needs exact probabilities, and in floats, which is much quicker, with it.
        iterations: for CFR, the most that are made on one set of hands; by default a million.
        warm_start: for CFR with many hands, solve with coarser hands first.
        tick: for CFR, called now and then with the iteration and the exploitability of the average.
        checkpoint: for CFR, a file that an interrupt (Ctrl-C) leaves what was solved in; if it is there, the work goes on from it.
        backend, device: for CFR, "numpy", "numba", "torch" or "cupy", and where the last two compute, such as "cuda"; by default
            numba if it is installed and there are many hands, else numpy.

    Raises ValueError for an unknown method, options of CFR without CFR, a tolerance that is not above 0, hands on [0, 1], or,
    without a tolerance, a law whose probabilities are floats, such as the normal one; ArithmeticError if the tolerance is not
    reached in so many iterations.
    """
    chosen = method or ("lp" if tolerance is None else "cfr+")
    if chosen not in METHODS:
        raise ValueError(f"method={method!r} must be one of {', '.join(METHODS)}")
    if chosen == "lp":
        ignored = {"iterations": iterations, "checkpoint": checkpoint, "backend": backend, "device": device}
        for name, value in {**ignored, "warm_start": None if warm_start else False}.items():
            if value is not None:
                raise ValueError(f"{name}={value} goes with CFR, not with a linear program: give a method of CFR")
        return _by_program(game, tolerance)
    from relance.solvers.levels import solve_by_levels

    target = 1e-4 if tolerance is None else tolerance
    most = 1_000_000 if iterations is None else iterations
    return solve_by_levels(game, chosen, target, most, warm_start, tick, checkpoint, backend, device)


SMALL = 120
"""Information sets of the games that a linear program solves exactly while somebody waits: in two seconds at most."""


def is_small(game: Game) -> bool:
    """Whether a game with finitely many hands has at most `SMALL` information sets, and exact probabilities."""
    deal = game.finite_deal()
    return deal.is_exact and sum(deal.size(node.player) for node in game.tree.decisions.values()) <= SMALL


def _by_program(game: Game, tolerance: float | None) -> Profile:
    from relance.solvers.lp import solve_in_floats, solve_lp

    if tolerance is None:
        return solve_lp(game)[1]
    if not tolerance > 0:
        raise ValueError(f"tolerance={tolerance} must be a number above 0")
    profile = solve_in_floats(game)
    left = exploitability(game, profile)
    if not left <= tolerance:
        raise ArithmeticError(
            f"the program in floats leaves an exploitability of {left:.3g}, more than {tolerance:.3g}"
        )
    return profile
