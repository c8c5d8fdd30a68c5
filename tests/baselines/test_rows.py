"""Rows of results: what they say, and what is wrong with one."""

import json
from pathlib import Path

import pytest
from test_sweep import lines, plan

from relance.baselines import rows
from relance.baselines.sweep import sweep


def test_rows_say_what_was_run_and_where(tmp_path, joblib):
    path = tmp_path / "results.jsonl"
    assert sweep(plan(), path, jobs=1) == []
    for row in lines(path):
        assert row["key"] == rows.key_of(row)
        assert [point[1] for point in row["points"]] == [100]
        assert set(row["policy"]) == {"", "check", "check-bet", "bet"}
        assert {"cpu", "cores"} <= set(row["machine"])
        assert {"python", "relance", "numpy"} <= set(row["versions"])
        assert row["jobs"] == 1
    assert sorted(row["seed"] for row in lines(path)) == [0, 1, 2]


@pytest.mark.parametrize(
    ("part", "value", "message"),
    [
        ("points", [], "'points' must be a list with at least one"),
        ("points", [[1, 2]], "'points' must be a list with at least one"),
        ("points", [[1, 2, float("nan")]], "all of them finite numbers"),
        ("points", [[1, 2, 1e999]], "all of them finite numbers"),
        ("machine", None, "the line has no 'machine'"),
        ("machine", {"cpu": "Z80"}, "'machine' must be an object with cpu, cores, system and arch"),
        ("ended", "stopped", "'ended' must be one of 'budget', 'converged', 'interrupted'"),
        ("policy", {"": [[0.5], [0.5, 1]]}, "'policy' must be null, or"),
        ("policy", {"": [[1.5], [-0.5]]}, "'policy' must be null, or"),
        ("policy", {"": [[], []]}, "'policy' must be null, or"),
        ("jobs", "1", "'jobs' must be a whole number"),
        ("seed", 8, "is not that of its run"),
        ("settings", [], "'settings' must be an object"),
    ],
)
def test_what_is_wrong_with_a_row_is_told_with_file_and_line(tmp_path, joblib, part, value, message):
    path = tmp_path / "results.jsonl"
    sweep(plan(), path, jobs=1)
    first, second, third = lines(path)
    second[part] = value
    if value is None:
        del second[part]
    path.write_text("".join(json.dumps(row) + "\n" for row in (first, second, third)))
    with pytest.raises(ValueError, match="results.jsonl, line 2 is not the row of a run: ") as caught:
        rows.read_results(path)
    assert message in str(caught.value)


def test_blank_lines_are_passed_over(tmp_path, joblib):
    path, messages = tmp_path / "results.jsonl", []
    sweep(plan(seeds=[0]), path, jobs=1)
    path.write_text(path.read_text() + "\n  \n\n  ")
    assert len(rows.finished(path)) == 1
    sweep(plan(seeds=[0, 1]), path, jobs=1, note=messages.append)
    assert [row["seed"] for row in rows.read_results(path)[0]] == [0, 1]
    assert messages == []


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="a device without an end")
def test_what_is_no_file_is_neither_read_nor_written(tmp_path):
    for path, kind in ((tmp_path, "folder"), (Path("/dev/null"), "device"), (Path("/dev/zero"), "device")):
        with pytest.raises(ValueError, match=f"{path} cannot be read: it is a {kind}, not a file"):
            rows.read_results(path)
        with (
            pytest.raises(ValueError, match=f"{path} cannot be written: it is a {kind}"),
            rows.Results(path, print),
        ):
            pass
