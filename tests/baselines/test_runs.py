"""Training runs: settings, budgets, and scores that the clock and the scoring do not change."""

import dataclasses
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import Literal

import pytest

import relance
from relance.baselines import runs
from relance.baselines.algorithms import algorithms, check_playable
from relance.baselines.settings import read_settings
from relance.envs.catalogue import make
from relance.model import limits

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
        ("os", "it lacks Settings"),
        (".os", "known: "),
        ("", "known: "),
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
        ({"seconds": 0}, "seconds=0 must be a number above 0"),
        ({"seconds": float("nan")}, "seconds=nan must be a number above 0"),
        ({"seconds": float("inf")}, "seconds=inf must be a number above 0"),
        ({"seconds": "9"}, "seconds='9' must be a number above 0"),
        ({"samples": -1}, "samples=-1 must be a whole number at least 1"),
        ({"samples": 1.5}, "samples=1.5 must be a whole number"),
    ],
)
def test_budgets_are_checked(budget, message):
    with pytest.raises((ValueError, TypeError), match=message):
        runs.train(NAME, GAME, **budget)


def test_samples_and_seeds_are_whole_numbers_however_written():
    import numpy as np

    from relance.baselines.rows import as_row

    rows = [as_row(runs.train(NAME, GAME, samples=n, seed=s)) for n, s in ((100, 3), (1e2, np.int64(3)))]
    assert len({row["key"] for row in rows}) == 1
    assert [type(row["samples"]) for row in rows] == [int, int]


@pytest.mark.parametrize("name", [NAME, "cfr+"])
@pytest.mark.parametrize("seed", [-1, 2**31, True, 1.0, "0", None])
def test_seeds_are_checked_once_for_all_algorithms(name, seed):
    said = rf"seed[ =]{re.escape(repr(seed))} must be a whole number"
    with pytest.raises((ValueError, TypeError), match=said):
        runs.train(name, GAME, samples=1, seed=seed)


@pytest.mark.parametrize("name", [item.name for item in algorithms().values() if not item.real_hands])
def test_games_that_cannot_be_played_are_refused_before_the_algorithm_starts(name):
    for text, message in (
        (
            "von_neumann",
            f"has infinitely many hands; {name} needs finitely many, such as those of von_neumann(hands=9)",
        ),
        ("von_neumann(hands=1000000)", "GiB of memory; the machine has"),
    ):
        if name in ("cfr+", "mmd_tabular") and "hands" in text:
            continue  # they need no table of pairs of hands
        with pytest.raises(ValueError, match=re.escape(message)):
            runs.check_playable(name, make(text))
    runs.check_playable(name, GAME)


def test_a_game_is_checked_before_it_is_trained_on(monkeypatch):
    started = []
    monkeypatch.setattr("relance.baselines.vector_cfr.Solver", lambda *given: started.append(given))
    with pytest.raises(ValueError, match="cfr\\+ needs finitely many"):
        runs.train("cfr+", relance.make("von_neumann"), samples=1)
    assert not started


def test_an_algorithm_is_named_by_a_plain_module():
    assert runs.train("approaching", GAME, samples=10).algorithm == "approaching"


@pytest.mark.parametrize("name", algorithms())
def test_every_algorithm_has_documented_settings(name):
    chosen = runs.algorithm(name)
    for field in dataclasses.fields(chosen.Settings):
        assert re.search(rf"^ +(\w+, )*{field.name}(, \w+)*: .", chosen.Settings.__doc__, re.MULTILINE), field.name
    assert chosen.Settings() == read_settings(chosen.Settings, dataclasses.asdict(chosen.Settings()), name)


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
    run = runs.train(NAME, GAME, seconds=0.05, settings={"nap": 0.01}, at_samples=(10, 20, 30), tick=nap)
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


def test_algorithms_are_known_without_their_extras():
    """So that names are completed, and a game or a missing extra is refused, before anything is imported that takes seconds."""
    code = "from relance.baselines.algorithms import algorithms; import sys; print({*algorithms()}, 'torch' in sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.endswith(" False\n")
    assert all(name in out.stdout for name in algorithms())
    assert all(item.source and item.sees and bool(item.extra) == bool(item.modules) for item in algorithms().values())


@pytest.mark.parametrize("name", [item.name for item in algorithms().values() if item.extra])
def test_a_missing_extra_is_named_before_the_run(name, monkeypatch):
    for module in algorithms()[name].modules:
        with monkeypatch.context() as patch:
            patch.setitem(sys.modules, module, None)
            with pytest.raises(ImportError, match=rf"needs \w+: pip install 'relance\[{algorithms()[name].extra}\]'"):
                runs.train(name, GAME, samples=1)


def test_an_algorithm_of_ones_own_may_say_what_ours_say(tmp_path, monkeypatch):
    (tmp_path / "stated.py").write_text(
        "from approaching import Settings, start\nfrom relance.baselines.algorithms import Algorithm\n"
        "ONE = Algorithm('one', Settings, start, deterministic=True)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    assert runs.algorithm("stated:ONE").deterministic
    with pytest.raises(ValueError, match="stated:ONE needs finitely many"):
        runs.train("stated:ONE", relance.make("von_neumann"), samples=1)


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("mmd", {"rate": 0}, "rate=0.0 must be above 0"),
        ("mmd", {"later": "-1"}, "later=-1.0 must be at least 0"),
        ("mmd", {"knots": 1}, "knots=1 must be at least 2"),
        ("ppo", {"entropy": -1}, "entropy=-1.0 must be at least 0"),
        ("openspiel_nfsp", {"anticipatory": 1.5}, "anticipatory=1.5 must be between 0 and 1"),
        ("openspiel_deep_cfr", {"batch": 0}, "batch=0 must be at least 1"),
        ("openspiel_q_learning", {"epsilon": "inf"}, "epsilon=inf must be between 0 and 1"),
        ("openspiel_q_learning", {"step_size": "inf"}, "step_size=inf must be above 0"),
    ],
)
def test_settings_out_of_range_are_refused_without_the_extra(name, given, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        runs.settings_of(name, given)


def test_a_game_too_large_for_an_algorithm_is_refused_at_once(monkeypatch):
    monkeypatch.setattr(limits, "memory", lambda: 2**34)
    with pytest.raises(ValueError, match="asking an agent of one_card_poker.* needs .* GiB"):
        check_playable("mmd_sampled", make("one_card_poker(cards=1000000)"))
