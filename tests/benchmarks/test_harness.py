"""How the benchmarks time, compare and sum up."""

import sys

import pytest

from benchmarks.child import child, run_python
from benchmarks.harness import LEAST, Missing, Row, Timing, Work, best, compare, figure, side_by_side


def counted(seconds=0.0):
    calls = []

    def call():
        calls.append(seconds)
        return {"seconds": seconds + len(calls)}

    return calls, call


def test_everybody_is_timed_at_least_three_times_even_a_slow_peer():
    slow, call = counted()
    timing = side_by_side({"peer": Work(lambda: call, slow=True)}, repeats=7)["peer"]
    assert len(slow) == timing.runs == LEAST == 3
    assert side_by_side({"peer": Work(lambda: call)}, repeats=1, budget=0.0)["peer"].runs == LEAST


def test_a_work_may_bring_its_own_figure():
    _, call = counted(10.0)
    timing = side_by_side({"peer": Work(lambda: call, units=2, slow=True, own_figure="seconds")})["peer"]
    assert (timing.median, timing.low, timing.high) == (6.0, 5.5, 6.5)
    assert timing.result == {"seconds": 13.0}


def test_a_fresh_process_reports_its_figure_and_its_memory():
    timings = side_by_side({name: child("result['seconds'] = 2.5", 60, name) for name in ("seconds", "peak")})
    assert timings["seconds"].median == 2.5
    assert timings["peak"].median > 2**20
    failed = side_by_side({"peer": child("raise OSError('gone')", 60)})["peer"]
    assert failed.median is None
    assert "gone" in failed.problem


def test_code_runs_in_an_interpreter_of_its_own(tmp_path):
    other = tmp_path / "python"
    other.symlink_to(sys.executable)
    assert run_python("import sys; print(*sys.argv)", "a word", timeout=60, python=str(other)) == "-c a word\n"
    with pytest.raises(FileNotFoundError):
        run_python("", timeout=60, python=str(tmp_path / "none"))


def test_a_work_that_fails_says_why_and_the_others_go_on():
    def prepare():
        raise Missing("not installed: nothing")

    timings = side_by_side({"ours": Work(lambda: lambda: None), "peer": Work(prepare)})
    assert timings["ours"].median > 0
    row = compare("name", "what", timings["ours"], "peer", timings["peer"], 10)
    assert row.note == "peer not installed: nothing"
    assert (row.ratio, row.met) == (None, None)


def test_the_best_configuration_is_named_only_if_it_is_quicker():
    default, quick, slow = Timing.of([1.0]), Timing.of([0.5]), Timing.of([0.97])
    assert best(default, {"numba": quick, "numpy": slow}).how == "numba"
    assert best(default, {"numpy": slow}) is None  # within 5% of it
    assert best(Timing(problem="too slow"), {"numba": quick}).how == "numba"
    assert best(default, {"numba": Timing(problem="not installed")}) is None


def test_the_ratio_is_the_peer_at_its_best_over_ours_by_default():
    ours, theirs = Timing.of([2.0]), Timing.of([20.0])
    row = Row("name", "what", ours, "peer", theirs, Timing.of([1.0]), Timing.of([8.0]), target=5)
    assert (row.ratio, row.met) == (4.0, False)
    assert Row("name", "what", ours, "peer", theirs, target=5).met is True
    assert Row("name", "what", ours, limit=1.0).met is False
    assert Row("name", "what", ours).met is None


def test_facts_of_a_row_can_be_written():
    facts = Row("name", "what", Timing.of([1.0, 2.0, 4.0], result=object())).facts()
    assert facts["ours"] == {"median": 2.0, "low": 1.0, "high": 4.0, "runs": 3, "how": "", "problem": ""}
    assert facts["ours_best"] is None
    assert Timing.of([1.0, 2.0, 4.0]).over(2) == Timing.of([0.5, 1.0, 2.0])


def test_figures_have_three_digits_and_their_unit():
    assert [figure(1.2345e-5, "s"), figure(90.0, "s"), figure(1e-13, "s")] == ["12.3 us", "90 s", "0.1 ps"]
    assert [figure(3.66e8, "B"), figure(4 * 2**30, "B"), figure(1.066, ""), figure(None, "s")] == [
        "366 MB",
        "4.29 GB",
        "1.07",
        "-",
    ]


@pytest.mark.parametrize("units", [2, None])
def test_time_is_divided_by_the_units_of_work(units):
    timing = side_by_side({"ours": Work(lambda: lambda: 2, units=units, slow=True)})["ours"]
    assert 0 < timing.low <= timing.median <= timing.high
