"""What the page of the benchmarks shows: lost rows, spread, load, and the best configurations."""

import csv
import json

import pytest

import benchmarks
from benchmarks.harness import Row, Timing
from benchmarks.report import page, table, together, write

OURS, PEER = Timing.of([1e-6, 2e-6, 2.5e-6]), Timing.of([9e-6, 10e-6, 11e-6])
QUICKER = Timing(4e-6, 4e-6, 5e-6, 3, "compiled")
ROWS = [
    Row("a", "won", OURS, "peer", PEER, target=4),
    Row("a", "lost", OURS, "peer", PEER, target=10, note="until then won"),
    Row("b", "lost to its best", OURS, "peer", PEER, peer_best=QUICKER, target=4),
    Row("b", "too large", OURS, ours_best=Timing(5e-7, 5e-7, 5e-7, 3, "numba"), limit=1e-6),
    Row("c", "stopped", Timing(problem="stopped"), "peer", PEER, target=4, note="relance stopped after 60 s"),
]


@pytest.fixture
def results(monkeypatch):
    monkeypatch.setattr(benchmarks, "GROUPS", {"all": {"rows": lambda settings: iter(ROWS)}})
    return json.loads(json.dumps(benchmarks.collect()))


COLUMNS = ("what", "ours", "best", "peer", "theirs", "their best", "spread", "ratio", "note")


def lines(results):
    _, *rest = csv.reader(table(results).splitlines())
    return {cells[0]: dict(zip(COLUMNS, cells, strict=True)) for cells in rest}


def test_lost_rows_stay_on_the_page(results):
    shown = lines(results)
    assert {row.what for row in ROWS} <= set(shown)
    assert [row["met"] for row in results["rows"]] == [True, False, False, False, None]
    assert shown["lost"]["note"] == "until then won"
    assert shown["stopped"]["note"] == "relance stopped after 60 s"


def test_the_spread_of_both_is_shown(results):
    shown = lines(results)
    assert shown["won"]["spread"] == "75%, 20%"
    assert shown["lost to its best"]["spread"] == "75%, 25%"  # of the figure in the ratio
    assert shown["too large"]["spread"] == "75%"
    assert shown["stopped"]["spread"] == "20%"


def test_default_and_best_are_shown_where_they_differ(results):
    shown = lines(results)
    assert (shown["lost to its best"]["theirs"], shown["lost to its best"]["their best"]) == ("10 us", "4 us: compiled")
    assert shown["lost to its best"]["ratio"] == "2x"
    assert (shown["too large"]["best"], shown["won"]["best"]) == ("500 ns: numba", "")


def test_the_load_of_the_machine_is_on_the_page(results):
    results["load"], results["machine"]["cores"] = [0.25, 1.5], 2
    assert "2 cores, load 0.2 before and 1.5 after" in page(results)


def test_rows_of_another_machine_replace_those_of_the_same_benchmark(results):
    machine = {**results["machine"], "cpu": "Another", "cores": 16}
    rows = [Row("b", "on the card", OURS).facts()]
    both = together(
        results, {**results, "machine": machine, "rows": rows, "versions": {"pgx": "2.6", "rlcard": "not installed"}}
    )
    assert [row["what"] for row in both["rows"]] == ["won", "lost", "stopped", "on the card"]
    assert "\n\nThe rows of `b` have this date, machine and software: " in page(both)
    assert "Another, 16 cores" in page(both)
    assert page(both).count("rlcard") == page(results).count("rlcard")
    assert len(results["rows"]) == len(ROWS)


def test_what_is_not_steady_is_no_figure(monkeypatch):
    wild = Timing.of([1e-6, 2e-6, 30e-6])
    rows = [Row("a", "ours", wild, "peer", PEER, target=4), Row("a", "limit", wild, limit=1e-5)]
    monkeypatch.setattr(benchmarks, "GROUPS", {"all": {"rows": lambda settings: iter(rows)}})
    results = json.loads(json.dumps(benchmarks.collect()))
    shown = lines(results)
    assert (shown["ours"]["ours"], shown["ours"]["ratio"]) == ("1 us to 30 us", "-")
    assert shown["limit"]["ours"] == "1 us to 30 us"
    assert {row["met"] for row in results["rows"]} == {None}


def test_the_page_begins_with_a_picture_of_the_rows_that_a_reader_wants(monkeypatch, tmp_path):
    rows = [Row("a", "won", OURS, "peer", PEER, front="a game"), Row("a", "lost", PEER, "other", OURS, front="a hand")]
    monkeypatch.setattr(benchmarks, "GROUPS", {"all": {"rows": lambda settings: iter([*rows, *ROWS])}})
    results = json.loads(json.dumps(benchmarks.collect()))
    first, _, _ = page(results).partition("## All rows")
    assert "(benchmarks-front.svg)" in first
    assert "| a game | 2 us | peer | 10 us | 5x |" in first
    assert len([line for line in first.splitlines() if line.startswith("| a ")]) == 2
    _, every, drawn = write(results, tmp_path)
    assert "\nwon,2 us," in every.read_text()
    assert all(word in drawn.read_text() for word in ("a game", "a hand", "other", "5x", "0.2x", "2 us, 10 us"))


def test_a_quick_run_meets_no_aim(monkeypatch):
    monkeypatch.setattr(benchmarks, "GROUPS", {"all": {"rows": lambda settings: iter(ROWS)}})
    results = benchmarks.collect(quick=True)
    assert {row["met"] for row in results["rows"]} == {None}
    assert "QUICK RUN" in page(results)


def test_a_benchmark_that_fails_is_a_row_with_the_reason(monkeypatch, tmp_path):
    def fails(settings):
        yield ROWS[0]
        raise OSError("no disk")

    monkeypatch.setattr(benchmarks, "GROUPS", {"all": {"broken": fails}})
    results = benchmarks.collect()
    assert [row["what"] for row in results["rows"]] == ["won", "broken"]
    assert results["rows"][-1]["note"] == "not available: OSError: no disk"
    _, every = write(results, tmp_path)
    assert "no disk" in every.read_text()
