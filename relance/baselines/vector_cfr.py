"""Relance's own CFR in vector form (`relance.solvers.cfr`) as a baseline."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial

from relance.baselines.algorithms import Algorithm, Iterated
from relance.model.game import Game
from relance.solvers.cfr_solver import Solver


@dataclass(frozen=True)
class Settings:
    """Settings of vector CFR.

    Attributes:
        method: the variant of CFR, see `relance.solvers.cfr_variants`.
    """

    method: str = "cfr+"


FORESEEN = 10_000
"""About how many iterations a learner runs; it is stopped by its budget."""


def start_cfr(game: Game, settings: Settings, seed: int) -> Iterated:
    """Start CFR, whose average strategies are scored. An iteration counts as one sample for each pair of hands at each terminal node."""
    solver = Solver(game, settings.method, foreseen=FORESEEN)
    games = math.prod(regrets.shape[1] for regrets in solver.regrets) * len(game.tree.leaves)
    return Iterated(solver, partial(solver.run, 1), games, solver.average)


CFR = Algorithm(
    "cfr+",
    Settings,
    start_cfr,
    sees="tables",
    scored="average",
    source="Tammelin, Solving Large Imperfect Information Games Using CFR+ (2014)",
    deterministic=True,
)
