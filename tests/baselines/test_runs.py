"""Training runs: settings, budgets, and scores that the clock and the scoring do not change."""

import dataclasses
import re
import time
from dataclasses import dataclass
from typing import Literal

import pytest

import relance
from relance.baselines import runs
from relance.baselines.settings import read_settings

GAME = relance.make("one_card_poker", raises=0)
NAME = "approaching:moving"


@dataclass(frozen=True)
class Kinds:
    games: int = 3
    rate: float = 0.1
    shared: bool = True
    clip: float | None = None
    layers: tuple[int, ...] = (64, 64)
    span: tuple[float, float] = (0.0, 1.0)
    method: Literal["cfr", "cfr+"] = "cfr"
    note: str = ""


@pytest.mark.parametrize(
    ("name", "given", "read"),
    [
        ("games", "12", 12),
        ("games", "1e6", 1_000_000),
        ("games", 2.0, 2),
        ("rate", "1e-3", 0.001),
        ("rate", 1, 1.0),
        ("shared", "false", False),
        ("shared", True, True),
        ("clip", "none", None),
        ("clip", None, None),
        ("clip", "0.5", 0.5),
        ("layers", "128,32", (128, 32)),
        ("layers", [7], (7,)),
        ("layers", "", ()),
        ("span", "(1, 2)", (1.0, 2.0)),
        ("method", "cfr+", "cfr+"),
        ("note", "12", "12"),
    ],
)
def test_settings_are_read_as_their_types(name, given, read):
    value = getattr(read_settings(Kinds, {name: given}, "x"), name)
    assert value == read
    assert type(value) is type(read)


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("gamse", 1, "x has no setting 'gamse'; did you mean 'games'"),
        ("zzz", 1, "known: clip, games"),
        ("games", "many", "games='many' of x must be a whole number"),
        ("games", 1.5, "must be a whole number"),
        ("games", True, "must be a whole number"),
        ("games", "inf", "must be a whole number"),
        ("rate", "nan", "must be a number"),
        ("rate", True, "must be a number"),
        ("rate", None, "must be a number"),
        ("shared", "maybe", "must be true or false"),
        ("shared", 1, "must be true or false"),
        ("clip", "much", "must be a number or none"),
        ("layers", "a,b", "must be a list of a whole number"),
        ("layers", 3, "must be a list of"),
        ("span", "1", "must be a list: a number, a number"),
        ("method", "lp", "must be one of cfr, cfr+"),
        ("note", 3, "must be text"),
    ],
)
def test_wrong_settings_are_named(name, given, message):
    with pytest.raises(ValueError, match="setting|must be") as caught:
        read_settings(Kinds, {name: given}, "x")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("cfr", "there is no algorithm 'cfr'"),
        ("openspiel_cfrplus", "did you mean 'openspiel_cfr_plus'"),
        ("no_such.module", "no module 'no_such'"),
        ("approaching:nothing", "it lacks Settings"),
        ("os.path", "it lacks Settings"),
    ],
)
def test_unknown_algorithms_are_refused(name, message):
    with pytest.raises(ValueError, match="there is no algorithm") as caught:
        runs.train(name, GAME, seconds=1)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("budget", "message"),
    [
        ({}, "give a budget"),
        ({"seconds": 0}, "seconds=0 must be a positive number"),
        ({"seconds": float("nan")}, "must be a positive number"),
        ({"seconds": float("inf")}, "must be a positive number"),
        ({"seconds": "9"}, "seconds='9' must be a positive number"),
        ({"samples": -1}, "samples=-1 must be a positive number"),
        ({"samples": 1.5}, "samples=1.5 must be a whole number"),
    ],
)
def test_budgets_are_checked(budget, message):
    with pytest.raises(ValueError, match=message):
        runs.train(NAME, GAME, **budget)


@pytest.mark.parametrize("name", runs.ALGORITHMS)
def test_every_algorithm_has_documented_settings(name):
    missing, found = "", None
    try:
        found = runs.algorithm(name)
    except ImportError as error:
        missing = str(error)
    if missing:
        assert "pip install 'relance[" in missing
        pytest.skip(f"an extra is missing: {missing}")
    for field in dataclasses.fields(found.Settings):
        assert re.search(rf"^ +(\w+, )*{field.name}(, \w+)*: .", found.Settings.__doc__, re.MULTILINE), field.name
    assert found.Settings() == read_settings(found.Settings, dataclasses.asdict(found.Settings()), name)


def test_a_budget_of_samples_gives_the_same_scores_whatever_the_clock_says():
    first, second, slow = (
        [(p.samples, p.nash_conv) for p in runs.train(NAME, GAME, samples=2_000, seed=4, settings=settings).points]
        for settings in ({}, {}, {"nap": 0.002})
    )
    assert first == second == slow
    assert [samples for samples, _ in first] == [100, 300, 1_000, 2_000]
    other = runs.train(NAME, GAME, samples=2_000, seed=5).points
    assert [point.nash_conv for point in other] != [nash_conv for _, nash_conv in first]


def test_scores_are_those_of_the_policy_at_the_end():
    run = runs.train(NAME, GAME, samples=500)
    assert run.points[-1].nash_conv == pytest.approx(relance.nash_conv(GAME, run.agent), abs=1e-12)
    assert run.points[-1].samples == 500
    assert run.settings["speed"] == 1.0
    assert run.ended == "budget"


def test_the_clock_stands_still_while_it_is_scored():
    start = time.perf_counter()
    run = runs.train(NAME, GAME, seconds=0.05, settings={"nap": 0.01}, at_samples=(), at=(0.01, 0.02, 0.03), tick=nap)
    assert len(run.points) >= 2
    assert run.points[-1].seconds < time.perf_counter() - start - 0.2 * len(run.points)


def nap(point):
    time.sleep(0.2)


def test_a_run_that_converged_ends_early():
    run = runs.train(NAME, GAME, samples=10**6, settings={"speed": 1e12})
    assert run.ended == "converged"
    assert run.points[-1].nash_conv <= runs.FLOOR
    assert run.points[-1].samples == 100  # the first moment at which it is scored


def test_what_was_scored_outlives_an_interrupt():
    seen, steps = [], []

    def interrupted(seconds, samples):
        steps.append(samples)
        if samples == 310:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        runs.train(NAME, GAME, samples=10_000, tick=seen.append, watch=interrupted)
    assert [point.samples for point in seen] == [100, 300]
    assert steps == list(range(10, 311, 10))
