"""Training runs: settings, budgets, and scores that the clock and the scoring do not change."""

import re
import time

import pytest

import relance
from relance.baselines import runs
from relance.baselines.algorithms import algorithms, check_playable
from relance.envs.catalogue import make
from relance.model import limits

GAME = relance.make("one_card_poker", raises=0)

NAME = "approaching:moving"


@pytest.mark.parametrize(
    ("budget", "message"),
    [
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


def test_without_a_budget_a_run_takes_a_minute_and_a_plan_is_refused():
    clock = iter(range(0, 1000, 7))
    run = runs.train(NAME, GAME, clock=lambda: float(next(clock)))
    assert (run.seconds, run.samples, run.ended) == (60.0, None, "budget")
    with pytest.raises(ValueError, match="give a budget"):
        runs.planned(NAME, GAME)


def test_a_run_has_the_scores_of_both_policies_by_their_names():
    for name, mine, other in ((NAME, "last", "average"), ("mmd_sampled", "average", "last"), ("cfr+", "average", None)):
        run = runs.train(name, GAME, samples=1000)
        assert run.curves[mine] == [(point.samples, point.nash_conv) for point in run.points]
        if other:
            assert run.curves[other] == [(point.samples, point.other) for point in run.points]
        assert set(run.curves) == {mine, other} - {None}


def test_samples_and_seeds_are_whole_numbers_however_written():
    import numpy as np

    from relance.baselines.rows import as_row

    rows = [as_row(runs.train(NAME, GAME, samples=n, seed=s)) for n, s in ((100, 3), (1e2, np.int64(3)))]
    assert len({row["key"] for row in rows}) == 1
    assert [type(row["samples"]) for row in rows] == [int, int]


@pytest.mark.parametrize("name", [NAME, "cfr+"])
@pytest.mark.parametrize("seed", [-1, 2**31, True, 1.0, "0", None])
def test_seeds_are_checked_once_for_all_algorithms(name, seed):
    said = rf"seed={re.escape(repr(seed))} must be a whole number"
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


def test_every_way_of_training_uses_one_thread_and_puts_back_how_many_there_were():
    """Sums depend on the number of threads, and so would the scores of a row that is made again."""

    torch = pytest.importorskip("torch", reason="needs the extra torch")
    before, counts = torch.get_num_threads(), []
    torch.set_num_threads(2)
    try:
        runs.train(NAME, GAME, samples=20, watch=lambda seconds, samples: counts.append(torch.get_num_threads()))
        assert (counts, torch.get_num_threads()) == ([1, 1], 2)
        with pytest.raises(ArithmeticError):
            runs.train(NAME, GAME, samples=100, settings={"fails": 0})
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)


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


def test_a_game_too_large_for_an_algorithm_is_refused_at_once(monkeypatch):
    monkeypatch.setattr(limits, "memory", lambda: 2**34)
    with pytest.raises(ValueError, match="asking an agent of one_card_poker.* needs .* GiB"):
        check_playable("mmd_sampled", make("one_card_poker(cards=1000000)"))
