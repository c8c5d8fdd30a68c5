"""Relance's own CFR in vector form (`relance.solvers.cfr`) as a baseline. A sample is one action of one hand, looked at once."""

from __future__ import annotations

from dataclasses import dataclass

from relance.model.game import Game
from relance.model.strategy import Profile
from relance.solvers.cfr import Solver


@dataclass(frozen=True)
class Settings:
    """Settings of vector CFR.

    Attributes:
        method: "cfr", "cfr+", "dcfr" or "pcfr+".
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


def start(game: Game, settings: Settings, seed: int) -> VectorCfr:
    """Start vector CFR; nothing in it is random. Raises ValueError for hands on [0, 1] or an unknown method."""
    return VectorCfr(game, settings, seed)
