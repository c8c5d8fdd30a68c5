"""From coarse to fine: CFR with a few hands first, its result repeated on more, until the full game is solved."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np

from relance.model.arrays import check_memory, host
from relance.model.game import Game
from relance.model.ranked_deal import RankedDeal
from relance.model.strategy import Profile, Strategy
from relance.solvers.cfr import Solver, checkpoint_hands, float_nash_conv
from relance.solvers.coarse import Rows, block_sizes, coarse

COARSEST = 1000
"""Hands of the first level; each further one has ten times as many."""

CHECKS = 1.15
"""Exploitability is looked at whenever the iterations have grown by this factor."""


def solve_by_levels(
    game: Game,
    method: str,
    tolerance: float,
    iterations: int,
    warm_start: bool,
    tick: Callable[[int, float], None],
    kept: str | os.PathLike[str] | None,
    backend: str | None = None,
    device: str | None = None,
) -> Profile:
    """Solve a finite game by CFR to this exploitability, in chips; see `relance.solve`."""
    checkpoint = Path(kept) if kept else None
    if not tolerance > 0:
        raise ValueError(f"tolerance={tolerance} must be a number above 0")
    if iterations < 1:
        raise ValueError(f"iterations={iterations} must be a whole number from 1")
    hands = game.finite_deal().size(0)
    slots = sum(len(node.actions) for node in game.tree.decisions.values())
    check_memory(8 * hands * (slots + 4), str(game))
    deal = game.finite_deal().floats
    before: Solver | None = None
    sizes: list[int] = []
    if warm_start and isinstance(deal, RankedDeal) and deal.in_step:
        while (size := COARSEST * 10 ** len(sizes)) * 2 <= hands:
            sizes.append(size)
    if checkpoint is not None and not os.access(checkpoint.parent, os.W_OK):
        raise ValueError(
            f"checkpoint {checkpoint} cannot be written: there is no folder {checkpoint.parent} to write in"
        )
    resumed = checkpoint_hands(checkpoint, game, method) if checkpoint and checkpoint.exists() else 0
    levels = [*sizes, hands]
    if resumed and resumed not in levels:
        raise ValueError(
            f"checkpoint {checkpoint} has {resumed} hands; with warm_start={warm_start} the work goes on from {levels} only"
        )
    for size in sizes:
        if size < resumed:
            continue
        assert isinstance(deal, RankedDeal)
        solver = Solver(game, method, backend, deal=coarse(deal, size), device=device)
        _begin(solver, before, checkpoint if size == resumed else None)
        before = solver
        _reach(solver, tolerance / 2, iterations, tick, checkpoint)
        rows = [_repeated(solver, player, hands) for player in (0, 1)]
        left = float_nash_conv(game.tree, rows, deal) / 2
        tick(solver.iteration, left)
        if left <= tolerance:
            return game.together(*(Strategy(p, {name: tuple(x) for name, x in rows[p].items()}) for p in (0, 1)))
    solver = Solver(game, method, backend, device=device)
    _begin(solver, before, checkpoint if resumed == hands else None)
    del before
    _reach(solver, tolerance, iterations, tick, checkpoint)
    return solver.average()


def _begin(solver: Solver, before: Solver | None, checkpoint: Path | None) -> None:
    if checkpoint is not None:
        solver.load(checkpoint)
    elif before is not None:
        solver.start_from(before)


def _repeated(solver: Solver, player: int, hands: int) -> dict[str, Rows]:
    sizes = block_sizes(hands, solver.regrets[player].shape[1])
    return {name: np.repeat(host(rows), sizes, axis=1) for name, rows in solver.average_rows(player).items()}


def _reach(
    solver: Solver,
    tolerance: float,
    iterations: int,
    tick: Callable[[int, float], None],
    checkpoint: Path | None,
) -> None:
    """Run until the exploitability of the average is at most `tolerance`; stopped before that, write the checkpoint."""
    made, step, left = 0, 10, solver.nash_conv() / 2 if solver.iteration else float("inf")
    try:
        while left > tolerance:
            if made >= iterations:
                raise ArithmeticError(
                    f"the exploitability is {left:.3g} after {made} iterations of {solver.method}, not {tolerance:.3g}"
                )
            step = min(max(step, int(made * (CHECKS - 1))), iterations - made)
            solver.run(step)
            made += step
            left = solver.nash_conv() / 2
            tick(solver.iteration, left)
    except (KeyboardInterrupt, ArithmeticError):
        if checkpoint is not None:
            solver.save(checkpoint)
        raise
