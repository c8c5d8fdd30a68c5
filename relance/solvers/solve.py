"""Solves a game in one call: by an exact or a floating-point linear program, or by CFR from coarse to fine."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias, overload

from relance.model.arguments import Count, Positive, checked
from relance.model.files import Saving, check_writable
from relance.model.game import Game
from relance.model.game_tree import GameTree, TreeProfile, as_source
from relance.model.limits import check_memory
from relance.model.numbers import MOST_DIGITS
from relance.model.ranked_deal import RankedDeal
from relance.model.strategy import Profile
from relance.solvers.abstraction import coarse
from relance.solvers.active_set import solve_in_floats
from relance.solvers.cfr_solver import Solver, read_checkpoint, result_memory
from relance.solvers.cfr_variants import METHODS
from relance.solvers.exact import exploitability
from relance.solvers.lp import solve_exactly
from relance.solvers.method_choice import (
    FIRST_ORDER,
    MOST_ITERATIONS,
    ROUNDING,
    WHOLE_MOST,
    Attempt,
    at_once,
    attempts,
    has_float_programs,
    iterations_to,
    levels,
    slots_of,
)
from relance.solvers.tree_program import check_solvable

CHECKS, STEP = 1.15, 10
"""CFR computes the exploitability each time its iterations have grown by the factor `CHECKS`, and at first every `STEP` iterations."""

FORESEEN = 30
"""From this many iterations on, it is estimated how many iterations CFR needs in all."""

OnProgress: TypeAlias = Callable[[int, float], None]
"""A function that is called with the iteration of CFR, or the number of linear programs so far, and the exploitability in chips."""


@overload
def solve(
    game: GameTree,
    method: str | None = None,
    tolerance: Positive | None = None,
    iterations: Count | None = None,
    warm_start: bool = True,
    tick: OnProgress = ...,
    checkpoint: str | os.PathLike[str] | None = None,
    backend: str | None = None,
    device: str | None = None,
) -> TreeProfile: ...
@overload
def solve(
    game: Game | str,
    method: str | None = None,
    tolerance: Positive | None = None,
    iterations: Count | None = None,
    warm_start: bool = True,
    tick: OnProgress = ...,
    checkpoint: str | os.PathLike[str] | None = None,
    backend: str | None = None,
    device: str | None = None,
) -> Profile: ...
@checked
def solve(
    game: Game | GameTree | str,
    method: str | None = None,
    tolerance: Positive | None = None,
    iterations: Count | None = None,
    warm_start: bool = True,
    tick: OnProgress = lambda iteration, exploitability: None,
    checkpoint: str | os.PathLike[str] | None = None,
    backend: str | None = None,
    device: str | None = None,
) -> Profile | TreeProfile:
    """Return an equilibrium of a game with finitely many hands, or of a game tree of two players and zero sum; exact or to a tolerance.

    By default the game's sizes, its deal and the tolerance choose the methods: see `relance.solvers.method_choice.attempts`. The profile's
    `solved_by` names the one used. The result depends only on the arguments and on whether numba is installed.

    A game tree is solved exactly up to `relance.solvers.tree_program.MOST_SETS` information sets of a player. With more, or by a method of
    CFR, the profile is in fractions too, and its exact exploitability is at most the tolerance.

    Args:
        game: a game of cards, or one with hands on [0, 1] cut by `game.grid(n)` or `game.cells(profile)`; or a game tree; or a name.
        method: "lp" for linear programs; or a variant of CFR: "dcfr+", "pdcfr+", "cfr+", "pcfr+", "dcfr" or "cfr"; by default as above.
        tolerance: the exploitability (half of NashConv, in chips) to reach; for CFR 1e-4 by default. Without a tolerance, a linear
            program is solved exactly, which needs exact probabilities.
        iterations: for CFR, the most iterations on one set of hands; by default a million.
        warm_start: for CFR with many hands, solve with coarser hands first.
        tick: called from time to time with the iteration and the exploitability so far.
        checkpoint: for CFR, a file to which the work is saved each minute and on an interrupt (Ctrl-C). If the file exists, the work
            resumes from it. A save that fails is a warning, and it is tried again a minute later.
        backend: for CFR, "numpy", "numba" or "torch"; by default numpy or numba, by the sizes alone.
        device: for CFR on torch, the device that computes, such as "cuda".

    Raises:
        TypeError: `game` is not a game.
        ValueError: the method is unknown or cannot take the game, CFR options are given without CFR, the tolerance is not above 0 or
            out of reach for floats, hands are on [0, 1], a checkpoint does not fit, or, without a tolerance, the distribution has float
            probabilities, as the normal one has.
        ArithmeticError: CFR or a linear program does not reach the tolerance.

    Examples:
        >>> print(relance.value("kuhn", relance.solve("kuhn")))
        -1/18
    """
    if method not in (None, "lp", *METHODS):
        raise ValueError(f"method={method!r} must be one of {', '.join(('lp', *METHODS))}")
    game = as_source(game)
    check_solvable(game)
    game.payoff_operator()
    every = {"iterations": iterations, "checkpoint": checkpoint, "backend": backend, "device": device}
    options = {name: value for name, value in every.items() if value is not None}
    if not warm_start:
        options["warm_start"] = False
    if method is None and tolerance is not None and not options:
        return _in_turn(game, tolerance, tick)
    if method is None:
        method = "lp" if tolerance is None else FIRST_ORDER
    if method != "lp":
        path = None if checkpoint is None else Path(checkpoint)
        most = int(iterations or MOST_ITERATIONS)
        return _by_cfr(game, method, tolerance or 1e-4, most, warm_start, tick, path, backend, device)
    for name, value in options.items():
        raise ValueError(f"{name}={value} is an option of CFR, not of linear programs; add method={FIRST_ORDER!r}")
    if tolerance is None or not has_float_programs(game):
        return _exact(game, tick)
    return _in_floats(game, tolerance, tick)


def _in_turn(game: Game | GameTree, tolerance: float, tick: OnProgress) -> Profile | TreeProfile:
    """Solve by the first method of `attempts` that neither overruns its bound nor fails."""
    *others, last = attempts(game, tolerance)
    for attempt in others:
        with suppress(ArithmeticError):
            return _by(attempt, game, tolerance, tick)
    return _by(last, game, tolerance, tick)


def _by(attempt: Attempt, game: Game | GameTree, tolerance: float, tick: OnProgress) -> Profile | TreeProfile:
    if attempt.method == "exact":
        return _exact(game, tick)
    if attempt.method == "lp":
        return _in_floats(game, tolerance, tick, attempt.most)
    return _by_cfr(game, attempt.method, tolerance, attempt.most, True, tick, None, None, None, attempt.foresee)


def _exact(game: Game | GameTree, tick: OnProgress) -> Profile | TreeProfile:
    profile = solve_exactly(game)
    tick(2, 0.0)
    return profile


def _check_tolerance(game: Game | GameTree, tolerance: float) -> None:
    """Raise ValueError if floats cannot reach a tolerance."""
    least = ROUNDING * float(min(game.max_chips, 10**MOST_DIGITS))
    if tolerance < least:
        raise ValueError(
            f"tolerance={float(tolerance):.3g} is below {least:.1g}, the least that floats reach in {game}; "
            "without a tolerance the solution is exact"
        )


def _in_floats(game: Any, tolerance: float, tick: OnProgress, pivots: int | None = None) -> Profile:
    _check_tolerance(game, tolerance)
    deal = game.finite_deal()
    hands = max(deal.size(0), deal.size(1))
    if at_once(game) and hands > WHOLE_MOST:
        raise ValueError(
            f"{game} has {hands:,} hands, but a linear program takes at most {WHOLE_MOST:,} if neighbouring hands "
            f"cannot be grouped; use method={FIRST_ORDER!r}"
        )
    check_memory(8 * hands * (3 * slots_of(game) + 4), str(game))
    profile, reached = solve_in_floats(game, tolerance, tick, pivots)
    if not reached <= tolerance:
        raise ArithmeticError(
            f"the linear program leaves an exploitability of {reached:.3g}, more than tolerance={tolerance:.3g}"
        )
    return replace(profile, solved_by="a linear program in floats")


def _by_cfr(
    game: Game | GameTree,
    method: str,
    tolerance: float,
    iterations: int,
    warm_start: bool,
    tick: OnProgress,
    checkpoint: Path | None,
    backend: str | None,
    device: str | None,
    foresee: bool = False,
) -> Profile | TreeProfile:
    """Run CFR on coarse hands first and carry the result over to finer ones, until the full game is solved."""
    _check_tolerance(game, tolerance)
    hands = game.payoff_operator().size(0)
    check_memory(result_memory(game), str(game), hands)
    deal = game.payoff_operator().floats
    sizes = levels(hands) if warm_start and isinstance(deal, RankedDeal) and deal.in_step else [hands]
    resumed = _resumed(checkpoint, game, method, sizes, warm_start) if checkpoint else None
    solver: Solver | None = None
    foreseen, aim = min(iterations, iterations_to(game, tolerance)), tolerance
    for size in sizes[sizes.index(resumed) if resumed else 0 :]:
        coarser = coarse(deal, size) if isinstance(deal, RankedDeal) and size < hands else None
        before, solver = solver, Solver(game, method, backend, deal=coarser, device=device, foreseen=foreseen)
        backend = solver.backend  # the first one's sizes choose for all
        if checkpoint and size == resumed:
            solver.load(checkpoint)
        elif before:
            solver.start_from(before)
        del before
        _run(solver, tolerance / 2 if coarser else tolerance, iterations, tick, checkpoint, foresee)
        profile: Profile | TreeProfile = replace(solver.average(), solved_by=method)
        if coarser:
            reached = float(exploitability(game, profile))
            tick(solver.iteration, reached)
            if reached <= tolerance:
                break
            del profile  # the next level needs its memory
    while solver and exploitability(game, profile) > Fraction(tolerance):
        aim *= 0.99  # fractions leave more than the floats did
        made = solver.iteration
        _run(solver, aim, max(1, iterations - made), tick, checkpoint, foresee)
        if solver.iteration == made:
            left = float(exploitability(game, profile))
            raise ArithmeticError(
                f"floats cannot tell the exploitability {left:.3g}, after {made} iterations of {method}, from tolerance={tolerance:.3g}"
            )
        profile = replace(solver.average(), solved_by=method)
    return profile


def _resumed(checkpoint: Path, game: Game | GameTree, method: str, sizes: list[int], warm_start: bool) -> int | None:
    """The number of hands in the checkpoint, or None if there is no such file."""
    check_writable(checkpoint)
    if not checkpoint.exists():
        return None
    hands = int(read_checkpoint(checkpoint, game, method)["regrets0"].shape[1])
    if hands not in sizes:
        raise ValueError(
            f"checkpoint {checkpoint} has {hands} hands; with warm_start={warm_start} a checkpoint must have {' or '.join(map(str, sizes))}"
        )
    return hands


def _run(
    solver: Solver, tolerance: float, iterations: int, tick: OnProgress, checkpoint: Path | None, foresee: bool = False
) -> None:
    """Run until the exploitability of the average is at most `tolerance`. Write the checkpoint from time to time, and on an interrupt.

    Raises:
        ArithmeticError: that many iterations are not enough. With `foresee`, it is raised as soon as that is likely.
    """
    saving = Saving()
    done, step, reached = 0, STEP, solver.nash_conv() / 2 if solver.iteration else float("inf")
    try:
        while reached > tolerance:
            if done >= iterations:
                raise ArithmeticError(
                    f"the exploitability is {reached:.3g} > {tolerance:.3g} after {done} iterations of {solver.method}; increase iterations"
                )
            step = min(max(step, int(done * (CHECKS - 1))), iterations - done)
            for start in range(0, step, part := max(STEP, step // 64)):
                solver.run(min(part, step - start))
                if checkpoint is not None:
                    saving(partial(solver.save, checkpoint))
            done += step
            reached = solver.nash_conv() / 2
            # The exploitability falls about as 1 / iterations**2.
            left = solver.iteration * (max(reached / tolerance, 1.0) ** 0.5 - 1)
            tick(solver.iteration, reached)
            if foresee and done >= FORESEEN and done + left > iterations:
                raise ArithmeticError(
                    f"{solver.method} needs about {done + left:.0f} iterations, more than the {iterations} allowed"
                )
    except (KeyboardInterrupt, ArithmeticError) as stop:
        if checkpoint is not None:
            saving.last(partial(solver.save, checkpoint), stop)
        raise
