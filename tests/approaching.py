"""An algorithm for tests: it moves from uniform play towards the published strategies, 10 samples a step, with a random wobble."""

import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from relance.model.strategy import Profile, Strategy


@dataclass(frozen=True)
class Settings:
    """Settings.

    Attributes:
        speed: the weight of uniform play falls as 1 / (1 + speed * steps).
        nap: seconds that a step takes.
        notes: a folder that gets a file "seed-started-*" when a run starts.
        killed: the seed whose worker is killed in its third step, unless `notes` has a file "killed".
        always: kill it each time.
        fails: the seed that raises an error.
    """

    speed: float = 1.0
    nap: float = 0.0
    notes: str | None = None
    killed: int | None = None
    always: bool = False
    fails: int | None = None


class Approaching:
    def __init__(self, game, settings, seed):
        self.settings, self.seed, self.steps = settings, seed, 0
        self.uniform, self.published = game.uniform().as_float(), game.published().as_float()
        self.random = np.random.default_rng(seed)
        self.weight = 1.0
        if settings.notes:
            (Path(settings.notes) / f"{seed}-started-{os.getpid()}-{time.time_ns()}").touch()

    def step(self):
        time.sleep(self.settings.nap)
        self.steps += 1
        self.weight = self.random.uniform(0.9, 1) / (1 + self.settings.speed * self.steps)
        if self.steps == 3 and self.seed == self.settings.fails:
            raise ArithmeticError("it diverged")
        if self.steps == 3 and self.seed == self.settings.killed:
            mark = Path(self.settings.notes) / "killed"
            if self.settings.always or not mark.exists():
                mark.touch()
                os.kill(os.getpid(), signal.SIGKILL)
        return 10

    def agent(self):
        halves = []
        for mine, theirs in zip(self.uniform.strategies, self.published.strategies, strict=True):
            at = {
                node: tuple(self.weight * u + (1 - self.weight) * p for u, p in zip(rows, theirs.at[node], strict=True))
                for node, rows in mine.at.items()
            }
            halves.append(Strategy(mine.player, at))
        return Profile(self.uniform.game, self.uniform.tree, tuple(halves))


def start(game, settings, seed):
    return Approaching(game, settings, seed)


class moving:  # the same, as one of several algorithms of a module
    Settings = Settings
    start = staticmethod(start)
