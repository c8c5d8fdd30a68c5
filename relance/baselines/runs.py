"""One protocol for every learning algorithm: train for a budget, and score exactly on the way.

An algorithm is one file with `Settings` (a frozen dataclass, a sentence per field) and `start(game, settings, seed)`, which
returns a `Learner`; several variants of one file are several `Algorithm` objects. The clock runs while it trains and stands
still while it is scored, so that a curve shows learning only.
"""

from __future__ import annotations

import dataclasses
import operator
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal, NamedTuple, Protocol

from relance.baselines.settings import read_settings
from relance.model.arrays import check_memory
from relance.model.deal import FiniteDeal
from relance.model.game import Game
from relance.model.numbers import did_you_mean

ALGORITHMS: dict[str, str] = {
    "mmd": "relance.baselines.train_mmd",
    "ppo": "relance.baselines.train_ppo",
    "cfr+": "relance.baselines.vector_cfr",
    "openspiel_cfr": "relance.baselines.openspiel_tabular:cfr",
    "openspiel_cfr_plus": "relance.baselines.openspiel_tabular:cfr_plus",
    "openspiel_mccfr": "relance.baselines.openspiel_tabular:mccfr",
    "openspiel_xfp": "relance.baselines.openspiel_tabular:xfp",
    "openspiel_q_learning": "relance.baselines.openspiel_tabular:q_learning",
    "openspiel_nfsp": "relance.baselines.openspiel_torch:nfsp",
    "openspiel_policy_gradient": "relance.baselines.openspiel_torch:policy_gradient",
    "openspiel_ppo": "relance.baselines.openspiel_torch:ppo",
    "openspiel_deep_cfr": "relance.baselines.openspiel_deep_cfr:deep_cfr",
    "openspiel_regression_cfr": "relance.baselines.openspiel_deep_cfr:regression_cfr",
}
"""Algorithms by name, and where each is: a module, or "module:name" of an `Algorithm` in it; imported when it is used."""

DETERMINISTIC = ("cfr+", "openspiel_cfr", "openspiel_cfr_plus", "openspiel_xfp")
"""Those in which nothing is random: every seed gives the same, at other speeds."""

ON_INTERVAL = ("mmd", "ppo")
"""Those of `ALGORITHMS` that take hands on [0, 1] as they are; the others need finitely many."""

ON_TREE = ("openspiel_cfr", "openspiel_cfr_plus", "openspiel_mccfr", "openspiel_xfp", "openspiel_regression_cfr")
"""Those that hold the game's whole tree, pair of hands by pair of hands, in memory."""

NODE, PAIR = 500, 16
"""The least bytes that OpenSpiel takes for a node of the tree, and Relance for a pair of hands that it deals to OpenSpiel."""

SECONDS = (1.0, 3.0, 10.0, 30.0, 60.0, 120.0, 300.0, 600.0)
"""When a run with a budget of seconds is scored, in seconds of training, if nothing else is asked."""

SAMPLES = tuple(step * 10**power for power in range(2, 12) for step in (1, 3))
"""How many samples a run has taken when it is scored, if nothing else is asked."""

MOST_SEED = 2**31 - 1
"""The largest seed that all algorithms take."""

FLOOR = 1e-9
"""A NashConv, in chips, at which a run has converged: it ends, whatever is left of its budget."""


class Learner(Protocol):
    """An algorithm at work on one game."""

    def step(self) -> int:
        """Train a little, well under a second where that can be; return how many samples it took (games played, or states visited)."""

    def agent(self) -> Any:
        """The policy that it would now play, as `relance.score` takes it."""


class Algorithm(NamedTuple):
    """What a module of one algorithm has as `Settings` and `start`, for modules that hold several."""

    Settings: type[Any]
    start: Callable[[Game, Any, int], Learner]


class Point(NamedTuple):
    """A score on the way: training seconds and samples so far, NashConv in chips."""

    seconds: float
    samples: int
    nash_conv: float


@dataclass(frozen=True)
class Run:
    """A whole run: what was trained, with which settings, seed and budget, its scores, and the policy at the end.

    `ended` is "budget"; or "converged" if NashConv reached the floor before; or "interrupted", and then there is no policy.
    """

    algorithm: str
    game: Game
    seed: int
    settings: Mapping[str, Any]
    seconds: float | None
    samples: int | None
    points: Sequence[Point]
    ended: Literal["budget", "converged", "interrupted"]
    agent: Any


def algorithm(name: str) -> Any:
    """Return what has the `Settings` and `start` of an algorithm: a module, or an `Algorithm` in it.

    `name` is one of `ALGORITHMS`, or an import path of your own such as "my_module", "my_package.my_module" or "my_module:variant".
    Raises ValueError for an unknown name, ImportError naming the extra that is missing.
    """
    module, _, variant = ALGORITHMS.get(name, name).partition(":")
    if not all(part.isidentifier() for part in module.split(".")):
        raise ValueError(f"there is no algorithm {name!r}" + did_you_mean(name, ALGORITHMS))
    try:
        found = import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module}.".startswith(f"{error.name}."):
            raise
        hint = "" if "." in name or ":" in name else did_you_mean(name, ALGORITHMS)
        raise ValueError(f"there is no algorithm {name!r}: no module {error.name!r}{hint}") from None
    chosen = getattr(found, variant, None) if variant else found
    if not (hasattr(chosen, "Settings") and hasattr(chosen, "start")):
        raise ValueError(f"there is no algorithm {name!r}: it lacks Settings and start(game, settings, seed)")
    return chosen


def settings_of(name: str, given: Mapping[str, Any]) -> Any:
    """Return the settings of an algorithm with `given` in place of its defaults. Raises ValueError for an unknown one or a wrong type."""
    return read_settings(algorithm(name).Settings, given, name)


def check_game(name: str, game: Game, here: bool = True) -> None:
    """Raise ValueError for a game that an algorithm of `ALGORITHMS` cannot play, as far as that is known before it starts.

    With `here`, also for one that does not fit into the memory of this machine.
    """
    deal = game.deal
    if name not in ALGORITHMS or name in ON_INTERVAL:
        return
    if not isinstance(deal, FiniteDeal):
        few = f"{game.name}(hands=9)"
        raise ValueError(f"{game} has infinitely many hands; {name} needs finitely many, such as those of {few}")
    pairs = deal.size(0) * deal.size(1) if here else 0
    if name in ON_TREE:
        check_memory(NODE * pairs * len(game.tree.table.names), f"{name} on the whole tree of {game}")
    elif name.startswith("openspiel_"):
        check_memory(PAIR * pairs, f"{name} on {game}")


def train(
    name: str,
    game: Game,
    seconds: float | None = None,
    samples: int | None = None,
    seed: int = 0,
    settings: Mapping[str, Any] | None = None,
    at: Sequence[float] | None = None,
    at_samples: Sequence[int] = SAMPLES,
    floor: float = FLOOR,
    tick: Callable[[Point], None] | None = None,
    watch: Callable[[float, int], None] | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> Run:
    """Train an algorithm on a game until a budget is spent or it has converged, and score it on the way and at the end.

    With a budget of samples only, nothing depends on the clock: the same seed gives the same scores at the same samples,
    if the algorithm itself is deterministic.

    Args:
        name: one of `ALGORITHMS`, or an import path, see `algorithm`.
        game: what to play; both seats learn.
        seconds, samples: the budget; training ends with whichever is spent first.
        seed: of everything random, a whole number from 0 to `MOST_SEED`.
        settings: in place of the algorithm's defaults.
        at: training seconds at which to score; by default `SECONDS` if there is a budget of seconds, else none.
        at_samples: samples at which to score.
        floor: a NashConv at which the run has converged and ends, in chips; 0 never ends it unless it is an exact equilibrium.
        tick: called with every score, as it is made; what it has seen is what an interrupt leaves.
        watch: called after every step with the training seconds and samples so far.
        clock: what counts the seconds; sweeps count those of the processor, so that a busy machine shortens no budget.

    Raises ValueError for an unknown algorithm or setting, a game that the algorithm cannot play, a budget that is not positive, or
    a seed out of range.
    """
    check_budget(seconds, samples)
    seed, samples = check_seed(seed), None if samples is None else int(samples)
    chosen = settings_of(name, settings or {})
    check_game(name, game)
    learner: Learner = algorithm(name).start(game, chosen, seed)
    moments = (SECONDS if seconds is not None else ()) if at is None else at
    points = []
    for point in _scores(learner, game, seconds, samples, moments, at_samples, floor, watch, clock):
        points.append(point)
        if tick:
            tick(point)
    spent = (seconds is not None and points[-1].seconds >= seconds) or (
        samples is not None and points[-1].samples >= samples
    )
    return Run(
        algorithm=name,
        game=game,
        seed=seed,
        settings=dataclasses.asdict(chosen),
        seconds=seconds,
        samples=samples,
        points=tuple(points),
        ended="budget" if spent else "converged",
        agent=learner.agent(),
    )


def on_one_thread() -> None:
    """PyTorch computes on one thread from now on, if it is imported: networks are small, and threads mostly wait for each other."""
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)


def check_seed(seed: Any) -> int:
    """Return a seed as an int. Raises ValueError unless it is a whole number from 0 to `MOST_SEED`."""
    try:
        found = -1 if isinstance(seed, bool) else operator.index(seed)
    except TypeError:
        found = -1
    if not 0 <= found <= MOST_SEED:
        raise ValueError(f"seed {seed!r} must be a whole number from 0 to {MOST_SEED}")
    return found


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


def _scores(
    learner: Learner,
    game: Game,
    seconds: float | None,
    samples: int | None,
    at: Sequence[float],
    at_samples: Sequence[int],
    floor: float,
    watch: Callable[[float, int], None] | None,
    clock: Callable[[], float],
) -> Iterator[Point]:
    spent, used = 0.0, 0
    due, due_samples = sorted(at), sorted(at_samples)
    while True:
        start = clock()
        used += learner.step()
        spent += clock() - start
        if watch:
            watch(spent, used)
        over = (seconds is not None and spent >= seconds) or (samples is not None and used >= samples)
        if over or (due and spent >= due[0]) or (due_samples and used >= due_samples[0]):
            due = [moment for moment in due if moment > spent]
            due_samples = [moment for moment in due_samples if moment > used]
            point = Point(spent, used, nash_conv_of(game, learner.agent()))
            yield point
            if over or point.nash_conv <= floor:
                return


def nash_conv_of(game: Game, agent: Any) -> float:
    """NashConv of any agent that `relance.score` takes, in chips."""
    from relance.agents.score import score

    return float(score(game, agent).nash_conv)
