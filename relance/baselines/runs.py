"""One protocol for every learning algorithm: train for a budget, and score exactly on the way.

The clock runs while an algorithm trains and stands still while it is scored, so that a curve shows learning only.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import operator
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Annotated, Any, Literal, NamedTuple, TypedDict

from relance.agents.score import score
from relance.baselines.algorithms import Learner, algorithm, check_game, settings_of
from relance.baselines.settings import NotNegative
from relance.model.game import Game

SECONDS = (1.0, 3.0, 10.0, 30.0, 60.0, 120.0, 300.0, 600.0)
"""When a run with a budget of seconds is scored, in seconds of training, if nothing else is asked."""

SAMPLES = tuple(step * 10**power for power in range(2, 12) for step in (1, 3))
"""How many samples a run has taken when it is scored, if nothing else is asked."""

MOST_SEED = 2**31 - 1
"""The largest seed that all algorithms take."""

FLOOR = 1e-9
"""A NashConv, in chips, at which a run has converged: it ends, whatever is left of its budget."""

Ended = Literal["budget", "converged", "interrupted"]


class Point(NamedTuple):
    """A score on the way: training seconds and samples so far, NashConv in chips."""

    seconds: float
    samples: int
    nash_conv: float


class Keyed(TypedDict):
    """What makes a run the same run, as JSON has it."""

    game: str
    algorithm: str
    settings: Annotated[dict[str, Any], "an object"]
    seed: int
    seconds: NotNegative | None
    samples: int | None


def key_of(what: Mapping[str, Any]) -> str:
    """The key of a run: 16 hexadecimal digits of the hash of its entries of `Keyed`."""
    text = json.dumps({name: what[name] for name in Keyed.__annotations__}, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Run:
    """A run: what is trained, with which settings, seed and budget, its scores, and the policy at the end.

    `settings` has all settings of the algorithm, so that a changed default is another run. `ended` is "budget"; or "converged" if
    NashConv reached the floor before; or "interrupted", also where it has not begun, and then there is no policy.
    """

    algorithm: str
    game: Game
    seed: int
    settings: Mapping[str, Any]
    seconds: float | None
    samples: int | None
    points: Sequence[Point] = ()
    ended: Ended = "interrupted"
    agent: Any = None

    def __str__(self) -> str:
        return f"{self.algorithm} on {self.game}, seed {self.seed}"

    @property
    def keyed(self) -> Keyed:
        """What makes it the same run."""
        return {
            "game": str(self.game),
            "algorithm": self.algorithm,
            "settings": json.loads(json.dumps(dict(self.settings))),
            "seed": self.seed,
            "seconds": self.seconds,
            "samples": self.samples,
        }

    @cached_property
    def key(self) -> str:
        """See `key_of`."""
        return key_of(self.keyed)


def planned(
    name: str,
    game: Game,
    seconds: float | None = None,
    samples: int | None = None,
    seed: int = 0,
    settings: Mapping[str, Any] | None = None,
    here: bool = True,
) -> Run:
    """Return the run that `train` would make, without any score, if nothing speaks against it; arguments and errors are those of `train`.

    Without `here` it is made on another machine, of which neither memory nor extras are known.
    """
    check_budget(seconds, samples)
    seed = check_seed(seed)
    complete = dataclasses.asdict(settings_of(name, settings or {}))
    check_game(name, game, here)
    if here:
        algorithm(name).require()
    spend, take = None if seconds is None else float(seconds), None if samples is None else int(samples)
    return Run(name, game, seed, complete, spend, take)


def train(
    name: str,
    game: Game,
    seconds: float | None = None,
    samples: int | None = None,
    seed: int = 0,
    settings: Mapping[str, Any] | None = None,
    at: Sequence[float] | None = None,
    at_samples: Sequence[int] = SAMPLES,
    tick: Callable[[Point], None] = lambda point: None,
    watch: Callable[[float, int], None] = lambda seconds, samples: None,
    clock: Callable[[], float] = time.perf_counter,
) -> Run:
    """Train an algorithm on a game until a budget is spent or it has converged, and score it on the way and at the end.

    With a budget of samples only, nothing depends on the clock: the same seed gives the same scores at the same samples,
    if the algorithm itself repeats itself.

    Args:
        name: an algorithm, see `relance.baselines.algorithms.algorithm`.
        game: what to play; both seats learn.
        seconds: the budget of training seconds.
        samples: the budget of samples; training ends with whichever is spent first.
        seed: of everything random, a whole number from 0 to `MOST_SEED`.
        settings: in place of the algorithm's defaults.
        at: training seconds at which to score; by default `SECONDS` if there is a budget of seconds, else none.
        at_samples: samples at which to score.
        tick: called with every score, as it is made; what it has seen is what an interrupt leaves.
        watch: called after every step with the training seconds and samples so far.
        clock: what counts the seconds; sweeps count those of the processor, so that a busy machine shortens no budget.

    Raises:
        ValueError: the algorithm or a setting is unknown, the algorithm cannot play the game, the budget is not positive, or the
            seed is out of range.
        ImportError: an extra is missing; the message names it.
    """
    return carried_out(planned(name, game, seconds, samples, seed, settings), at, at_samples, tick, watch, clock)


def carried_out(
    run: Run,
    at: Sequence[float] | None = None,
    at_samples: Sequence[int] = SAMPLES,
    tick: Callable[[Point], None] = lambda point: None,
    watch: Callable[[float, int], None] = lambda seconds, samples: None,
    clock: Callable[[], float] = time.perf_counter,
) -> Run:
    """Train as `planned` says; arguments and errors as for `train`."""
    chosen = algorithm(run.algorithm)
    chosen.require()
    check_game(run.algorithm, run.game)
    learner: Learner = chosen.start(run.game, settings_of(run.algorithm, run.settings), run.seed)
    moments = (SECONDS if run.seconds is not None else ()) if at is None else at
    points = []
    for point in _scores(learner, run, moments, at_samples, watch, clock):
        points.append(point)
        tick(point)
    ended: Ended = "budget" if _spent(run, points[-1].seconds, points[-1].samples) else "converged"
    return dataclasses.replace(run, points=tuple(points), ended=ended, agent=learner.agent())


def on_one_thread(name: str) -> None:
    """PyTorch computes on one thread from now on, if the algorithm uses it: networks are small, and threads mostly wait for each other."""
    for module in algorithm(name).modules:
        import_module(module)
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)


def check_seed(seed: Any) -> int:
    """Return a seed as an int. Raises ValueError unless it is a whole number from 0 to `MOST_SEED`."""
    try:
        number = -1 if isinstance(seed, bool) else operator.index(seed)
    except TypeError:
        number = -1
    if not 0 <= number <= MOST_SEED:
        raise ValueError(f"seed {seed!r} must be a whole number from 0 to {MOST_SEED}")
    return number


def check_budget(seconds: float | None, samples: int | None) -> None:
    """Raise ValueError unless there is a budget, and it is positive."""
    if seconds is None and samples is None:
        raise ValueError("give a budget: seconds=, samples=, or both")
    for key, budget in {"seconds": seconds, "samples": samples}.items():
        number = isinstance(budget, (int, float)) and not isinstance(budget, bool)
        if budget is not None and not (number and 0 < budget < float("inf")):
            raise ValueError(f"{key}={budget!r} must be a positive number")
    if samples is not None and samples != int(samples):
        raise ValueError(f"samples={samples!r} must be a whole number")


def _spent(run: Run, seconds: float, samples: int) -> bool:
    """Whether a budget of the run is spent."""
    return (run.seconds is not None and seconds >= run.seconds) or (run.samples is not None and samples >= run.samples)


def _scores(
    learner: Learner,
    run: Run,
    at: Sequence[float],
    at_samples: Sequence[int],
    watch: Callable[[float, int], None],
    clock: Callable[[], float],
) -> Iterator[Point]:
    seconds, samples = 0.0, 0
    due, due_samples = sorted(at), sorted(at_samples)
    while True:
        start = clock()
        samples += learner.step()
        seconds += clock() - start
        watch(seconds, samples)
        over = _spent(run, seconds, samples)
        if over or (due and seconds >= due[0]) or (due_samples and samples >= due_samples[0]):
            due = [moment for moment in due if moment > seconds]
            due_samples = [moment for moment in due_samples if moment > samples]
            point = Point(seconds, samples, float(score(run.game, learner.agent()).nash_conv))
            yield point
            if over or point.nash_conv <= FLOOR:
                return
