"""Relance's own CFR in vector form (`relance.solvers.cfr`) as a baseline."""

from __future__ import annotations

from dataclasses import dataclass

from relance.baselines.algorithms import Algorithm
from relance.model.game import Game
from relance.model.strategy import Profile
from relance.solvers.cfr import Solver


@dataclass(frozen=True)
class Settings:
    """Settings of vector CFR.

    Attributes:
        method: the variant of CFR, see `relance.solvers.methods`.
    """

    method: str = "cfr+"


class VectorCfr:
    """A solver at work."""

    def __init__(self, game: Game, settings: Settings, seed: int) -> None:
        self.solver = Solver(game, settings.method)

    def step(self) -> int:
        """One iteration."""
        self.solver.run(1)
        return sum(regrets.size for regrets in self.solver.regrets)

    def agent(self) -> Profile:
        """The average strategies so far."""
        return self.solver.average()


CFR = Algorithm(
    "cfr+",
    Settings,
    VectorCfr,
    sample="an action of a hand",
    source="Tammelin, Solving Large Imperfect Information Games Using CFR+ (2014)",
    deterministic=True,
)
