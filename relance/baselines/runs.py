"""One protocol for every learning algorithm: train for a budget, and compute exact scores along the way.

The clock runs while an algorithm trains and stands still while it is scored, so that a curve shows learning only.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, TypedDict, get_args

from relance.baselines.algorithms import Algorithm, Scored, algorithm, check_playable, settings_of
from relance.baselines.averages import Average
from relance.baselines.checkpoints import Checkpoint
from relance.baselines.fixed_points import distance_if_known
from relance.baselines.openspiel_games import AnyGame, any_game, exact_nash_conv
from relance.model.arguments import Count, NotNegative, PathName, Positive, Range, check, checked
from relance.model.arrays import without_interrupt
from relance.model.files import SaveWarning, Saving
from relance.play.rules import check_whole

SECONDS = (1.0, 3.0, 10.0, 30.0, 60.0, 120.0, 300.0, 600.0)
"""The seconds of training after which a run with a budget of seconds is scored."""

SAMPLES = tuple(step * 10**power for power in range(2, 12) for step in (1, 3))
"""The default numbers of samples after which a run is scored."""

MOST_SEED = 2**31 - 1
"""The largest seed that all algorithms accept."""

MINUTE = 60.0
"""The budget of training seconds where none is given."""

FLOOR = 1e-9
"""A NashConv, in chips, at which a run has converged: it ends before its budget is spent."""

Ended = Literal["budget", "converged", "interrupted"]


class Point(NamedTuple):
    """A score during training.

    Attributes:
        seconds, samples: training seconds and samples so far.
        nash_conv: NashConv, in chips, of the policy that the learner's `agent()` returns.
        other: NashConv of the average over training (`relance.baselines.averages`) if `agent()` returns the last policy, and of the last
            policy if it returns an average; None if there is none.
        distance: how far the learner is from the point to which it converges, see `relance.baselines.fixed_points.distance_if_known`.
    """

    seconds: float
    samples: int
    nash_conv: float
    other: float | None = None
    distance: float | None = None


class Interrupted(KeyboardInterrupt):
    """Training was stopped by Ctrl-C, or by another KeyboardInterrupt.

    Attributes:
        run: the run as far as it came, with the scores so far, and the policy so far as its `agent`.
    """

    def __init__(self, run: Run) -> None:
        super().__init__(f"{run} was stopped; `run` of this error has its scores and its policy so far")
        self.run = run


class Keyed(TypedDict):
    """The JSON entries that distinguish one run from another."""

    game: str
    algorithm: str
    settings: Annotated[dict[str, Any], "an object"]
    seed: int
    seconds: NotNegative | None
    samples: Annotated[int, Range(1, sys.float_info.max)] | None


def key_of(what: Mapping[str, Any]) -> str:
    """Return the key of a run: 16 hexadecimal digits of the hash of its entries that `Keyed` lists."""
    text = json.dumps({name: what[name] for name in Keyed.__annotations__}, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Run:
    """A run: the algorithm and game, its settings, seed and budget, its scores, and the policy at the end.

    Attributes:
        settings: all settings of the algorithm, so that a changed default is another run.
        points: the scores so far.
        ended: "budget"; "converged", if NashConv reached `FLOOR` first; or "interrupted", also before the run has begun.
        agent: the policy at the end, or when it was stopped.
        parameters: as for `relance.baselines.algorithms.Learner`, at the end; None if the learner does not say.
    """

    algorithm: str
    game: AnyGame
    seed: int
    settings: Mapping[str, Any]
    seconds: float | None
    samples: int | None
    points: Sequence[Point] = ()
    ended: Ended = "interrupted"
    agent: Any = None
    parameters: int | None = None

    def __str__(self) -> str:
        return f"{self.algorithm} on {self.game}, seed {self.seed}"

    @property
    def keyed(self) -> Keyed:
        """The entries that distinguish this run from others."""
        return {
            "game": str(self.game),
            "algorithm": self.algorithm,
            "settings": json.loads(json.dumps(dict(self.settings))),
            "seed": self.seed,
            "seconds": self.seconds,
            "samples": self.samples,
        }

    @property
    def curves(self) -> dict[Scored, list[tuple[int, float]]]:
        """The learning curves: pairs (samples, NashConv in chips) for the "last" policy and for the "average" over training, if scored."""
        mine: Scored = algorithm(self.algorithm).scored
        other: Scored = "average" if mine == "last" else "last"
        found: dict[Scored, list[tuple[int, float]]] = {
            mine: [(point.samples, point.nash_conv) for point in self.points],
            other: [(point.samples, point.other) for point in self.points if point.other is not None],
        }
        return {policy: found[policy] for policy in get_args(Scored) if found[policy]}

    @property
    def what(self) -> dict[str, Any]:
        """The entries that distinguish this run from others, as in `keyed`, without its budget ("seconds" and "samples")."""
        return {name: value for name, value in self.keyed.items() if name not in ("seconds", "samples")}

    @cached_property
    def key(self) -> str:
        """The key of this run, 16 hexadecimal digits, see `key_of`."""
        return key_of(self.keyed)


def planned(
    name: str,
    game: AnyGame,
    seconds: float | None = None,
    samples: int | None = None,
    seed: int = 0,
    settings: Mapping[str, Any] | None = None,
    here: bool = True,
) -> Run:
    """Check a run without starting it. Arguments and errors are those of `train`.

    If `here` is false, the run is for another machine, so the memory and the extras of this one are not checked.
    """
    check_budget(seconds, samples)
    check_whole("seed", seed, 0, MOST_SEED)
    complete = dataclasses.asdict(settings_of(name, settings or {}))
    check_playable(name, game, here)
    if here:
        algorithm(name).require()
    budgets = None if seconds is None else float(seconds), None if samples is None else int(samples)
    return Run(name, game, int(seed), complete, *budgets)


@checked
def train(
    name: str,
    game: AnyGame | str,
    seconds: Positive | None = None,
    samples: Count | None = None,
    seed: int = 0,
    settings: Mapping[str, Any] | None = None,
    at_samples: Sequence[int] = SAMPLES,
    tick: Callable[[Point], None] = lambda point: None,
    watch: Callable[[float, int], None] = lambda seconds, samples: None,
    clock: Callable[[], float] = time.perf_counter,
    checkpoint: PathName | None = None,
) -> Run:
    """Train an algorithm on a game until a budget is spent or it has converged, and score it along the way and at the end.

    With a budget of samples only, nothing depends on the clock: the same seed gives the same scores at the same samples, also if the run
    was stopped and went on from a checkpoint.

    Args:
        name: an algorithm, see `relance.baselines.algorithms.algorithm`.
        game: what to play, or its text; both seats learn.
        seconds: the budget of training seconds, 60 if neither is given. The run is also scored after 1, 3, 10, 30 seconds and so on.
        samples: the budget of samples; training ends when either budget is spent.
        seed: the seed for all randomness, a whole number from 0 to 2,147,483,647.
        settings: these replace the algorithm's defaults.
        at_samples: samples at which to score.
        tick: called with each score as soon as it is computed.
        watch: called after every step with the training seconds and samples so far.
        clock: the clock that counts seconds; sweeps use processor time, which a busy machine disturbs less than wall time.
        checkpoint: a file .npz to which the learner, its scores and its policy are saved each minute, after a stop and at the end. If the
            file exists, the run goes on from there, also to a larger budget. `relance.score` and all that reads strategies read its
            policy. For a learner that cannot go on, such as OpenSpiel's, a warning says so, and the file has its policy only.

    Raises:
        Interrupted: it was stopped, as by Ctrl-C; it is a KeyboardInterrupt whose `run` has the scores and the policy so far.
        ValueError: the algorithm or a setting is unknown, the algorithm cannot play the game, the budget is not positive, or the
            seed is out of range.
        ImportError: an extra is missing; the message names it.
    """
    algorithm(name, imports=True)
    seconds = MINUTE if seconds is None and samples is None else seconds
    return carried_out(
        planned(name, any_game(game) if isinstance(game, str) else game, seconds, samples, seed, settings),
        at_samples,
        tick,
        watch,
        clock,
        None if checkpoint is None else Path(checkpoint),
    )


def carried_out(
    run: Run,
    at_samples: Sequence[int] = SAMPLES,
    tick: Callable[[Point], None] = lambda point: None,
    watch: Callable[[float, int], None] = lambda seconds, samples: None,
    clock: Callable[[], float] = time.perf_counter,
    checkpoint: Path | None = None,
    keep: Callable[[Run], object] = lambda run: None,
) -> Run:
    """Carry out a run that `planned` made. Arguments and errors are those of `train`; each minute `keep` is called with the run so far."""
    chosen = algorithm(run.algorithm, imports=True)  # in a worker that has not imported what the driver has
    chosen.require()
    check_playable(run.algorithm, run.game)
    with one_thread(chosen):
        learner = chosen.start(run.game, settings_of(run.algorithm, run.settings), run.seed)
        most_seconds, most_samples = run.seconds or math.inf, run.samples or math.inf
        seconds, samples, points, stepping = 0.0, 0, list[Point](), False
        average = None if chosen.scored == "average" else Average(run.game)
        file = None if checkpoint is None else Checkpoint(checkpoint, run.what, run.game, learner, average)
        if file and not file.resumes:
            said = f"{run.algorithm} cannot go on after a stop; checkpoint {checkpoint} keeps its policy only"
            warnings.warn(said, SaveWarning, stacklevel=2)
        if file and (before := file.load()):
            seconds, samples, points = before["seconds"], before["samples"], [Point(*told) for told in before["points"]]
        scored = points[-1] if points else Point(0.0, 0, 0.0)
        due: Sequence[float] = [moment for moment in SECONDS if moment > scored.seconds and run.seconds is not None]
        due_samples: Sequence[int] = [moment for moment in at_samples if moment > scored.samples]
        saving, keeping = Saving(), Saving()

        def save() -> None:
            if file:
                file.save(seconds=seconds, samples=samples, points=points)

        def so_far() -> Run:
            size = getattr(learner, "parameters", None)
            return dataclasses.replace(run, points=tuple(points), agent=learner.agent(), parameters=size)

        def is_spent() -> bool:
            return seconds >= most_seconds or samples >= most_samples

        def is_due() -> bool:
            return any(moment <= seconds for moment in due) or any(moment <= samples for moment in due_samples)

        def step() -> None:
            nonlocal seconds, samples, stepping
            stepping, start = True, clock()
            samples += learner.step()
            seconds += clock() - start
            if average:
                average.after_step(samples, learner.agent)
            stepping = False

        def score() -> None:
            other = average.policy() if average else learner.last() if hasattr(learner, "last") else None
            points.append(
                Point(
                    seconds,
                    samples,
                    exact_nash_conv(run.game, learner.agent()),
                    exact_nash_conv(run.game, other) if other else None,
                    distance_if_known(run.game, learner),
                )
            )
            tick(points[-1])

        ended: Ended | None = None
        try:
            while ended is None:
                if not (is_spent() or is_due()):  # as it is where a run goes on that was stopped while it was scored
                    without_interrupt(step)
                    watch(seconds, samples)
                if (is_spent() or is_due()) and (not points or points[-1][:2] != (seconds, samples)):
                    due = [moment for moment in due if moment > seconds]
                    due_samples = [moment for moment in due_samples if moment > samples]
                    score()
                if points and points[-1][:2] == (seconds, samples):
                    ended = "budget" if is_spent() else "converged" if points[-1].nash_conv <= FLOOR else None
                saving(save)
                keeping(lambda: keep(so_far()))
            saving.last(save)
        except KeyboardInterrupt as stop:
            if stepping:  # broken off by a second Ctrl-C
                raise
            interrupted = Interrupted(so_far())
            if file and saving.last(save, interrupted):
                kept = "the same call goes on from" if file.resumes else "the policy so far is in"
                interrupted.add_note(f"{kept} {file.path}")
            raise interrupted from stop
        return dataclasses.replace(so_far(), ended=ended)


@contextmanager
def one_thread(chosen: Algorithm[Any]) -> Iterator[None]:
    """Import the modules of `chosen`, an algorithm. In the `with` block PyTorch uses one thread.

    With small networks several threads would mostly wait. Several threads would also round sums in another order.
    """
    for module in chosen.modules:
        import_module(module)
    torch: Any = sys.modules.get("torch")
    if torch is None:
        yield
        return
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    # with the first optimiser PyTorch imports more of itself for a second; that is not training
    torch.optim.SGD([torch.zeros(1)])
    try:
        yield
    finally:
        torch.set_num_threads(before)


def check_budget(seconds: float | None, samples: int | None) -> None:
    """Check that there is a budget.

    Raises:
        ValueError: neither is given, one is not above 0, or samples are not whole.
        TypeError: one is not a number.
    """
    if seconds is None and samples is None:
        raise ValueError("give a budget: seconds, samples, or both")
    check("seconds", seconds, Positive | None)
    check("samples", samples, Count | None)
