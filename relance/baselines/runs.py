"""One protocol for every learning algorithm: train for a budget, and score exactly on the way.

An algorithm is one file with `Settings` (a frozen dataclass, a sentence per field) and `start(game, settings, seed)`, which
returns a `Learner`. The clock runs while it trains and stands still while it is scored, so that a curve shows learning only.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, NamedTuple, Protocol

from relance.model.game import Game
from relance.model.numbers import did_you_mean

ALGORITHMS: dict[str, str] = {
    "mmd": "relance.baselines.train_mmd",
    "cfr+": "relance.baselines.vector_cfr",
    "openspiel_cfr": "relance.baselines.openspiel_tabular:cfr",
    "openspiel_cfr_plus": "relance.baselines.openspiel_tabular:cfr_plus",
    "openspiel_mccfr": "relance.baselines.openspiel_tabular:mccfr",
    "openspiel_xfp": "relance.baselines.openspiel_tabular:xfp",
    "openspiel_q_learning": "relance.baselines.openspiel_tabular:q_learning",
    "openspiel_nfsp": "relance.baselines.openspiel_torch:nfsp",
    "openspiel_policy_gradient": "relance.baselines.openspiel_torch:policy_gradient",
    "openspiel_ppo": "relance.baselines.openspiel_torch:ppo",
    "openspiel_deep_cfr": "relance.baselines.openspiel_torch:deep_cfr",
    "openspiel_regression_cfr": "relance.baselines.openspiel_torch:regression_cfr",
}
"""Algorithms by name, and the module of each, or module:name where it holds several; imported when its algorithm is used."""

SECONDS = (1.0, 3.0, 10.0, 30.0, 60.0, 120.0, 300.0, 600.0)
"""When a run is scored, in seconds of training, if nothing else is asked."""


class Learner(Protocol):
    """An algorithm at work on one game."""

    def step(self) -> int:
        """Train a little, well under a second where that can be; return how many samples it took (games played, or states visited)."""

    def agent(self) -> Any:
        """The policy that it would now play, as `relance.score` takes it."""


class Algorithm(NamedTuple):
    """An algorithm of a module that holds several; a module that is one algorithm has the same two names itself."""

    Settings: Any
    start: Callable[[Game, Any, int], Learner]


class Point(NamedTuple):
    """A score on the way: training seconds and samples so far, NashConv in chips."""

    seconds: float
    samples: int
    nash_conv: float


@dataclass(frozen=True)
class Run:
    """A whole run: what was trained, with which settings and seed, its scores, and the policy at the end."""

    algorithm: str
    game: Game
    seed: int
    settings: Mapping[str, Any]
    points: Sequence[Point]
    agent: Any


def algorithm(name: str) -> Any:
    """Return an algorithm: whatever has its `Settings` and `start`. Raises ValueError for an unknown name, ImportError naming the extra that is missing."""
    if name not in ALGORITHMS:
        raise ValueError(f"there is no algorithm {name!r}" + did_you_mean(name, ALGORITHMS))
    module, _, member = ALGORITHMS[name].partition(":")
    found = import_module(module)
    return getattr(found, member) if member else found


def settings_of(name: str, given: Mapping[str, Any]) -> Any:
    """Return the settings of an algorithm with `given` in place of its defaults. Raises ValueError for an unknown one or a wrong type."""
    known = {field.name: field for field in dataclasses.fields(algorithm(name).Settings)}
    defaults = algorithm(name).Settings()
    values = {}
    for key, value in given.items():
        if key not in known:
            raise ValueError(f"{name} has no setting {key!r}" + did_you_mean(key, known))
        kind = type(getattr(defaults, key))
        try:
            values[key] = kind(value)
        except (TypeError, ValueError):
            raise ValueError(f"{key}={value!r} of {name} must be {kind.__name__}") from None
    return dataclasses.replace(defaults, **values)


def train(
    name: str,
    game: Game,
    seconds: float | None = None,
    samples: int | None = None,
    seed: int = 0,
    settings: Mapping[str, Any] | None = None,
    at: Sequence[float] = SECONDS,
    tick: Callable[[Point], None] | None = None,
) -> Run:
    """Train an algorithm on a game until a budget is spent, and score it on the way and at the end.

    Args:
        name: one of `ALGORITHMS`.
        game: what to play; both seats learn.
        seconds, samples: the budget; training ends with whichever is spent first.
        seed: of everything random.
        settings: in place of the algorithm's defaults.
        at: training seconds at which to score.
        tick: called with every score.
    """
    budgets = {"seconds": seconds, "samples": samples}
    if seconds is None and samples is None:
        raise ValueError("give a budget: seconds=, samples=, or both")
    for key, budget in budgets.items():
        if budget is not None and not budget > 0:
            raise ValueError(f"{key}={budget} must be positive")
    chosen = settings_of(name, settings or {})
    learner: Learner = algorithm(name).start(game, chosen, seed)
    points = []
    for point in _scores(learner, game, seconds, samples, at):
        points.append(point)
        if tick:
            tick(point)
    return Run(name, game, seed, dataclasses.asdict(chosen), tuple(points), learner.agent())


def _scores(
    learner: Learner, game: Game, seconds: float | None, samples: int | None, at: Sequence[float]
) -> Iterator[Point]:
    from relance.baselines.score import score

    spent, used, due = 0.0, 0, sorted(at)
    while True:
        start = time.perf_counter()
        used += learner.step()
        spent += time.perf_counter() - start
        over = (seconds is not None and spent >= seconds) or (samples is not None and used >= samples)
        if over or (due and spent >= due[0]):
            due = [moment for moment in due if moment > spent]
            yield Point(spent, used, float(score(game, learner.agent()).nash_conv))
        if over:
            return
