"""`relance train`, as a user meets it."""

import json
import subprocess
import time

from conftest import called
from test_baselines_sweep import RELANCE, interrupted
from test_commands_learn import GAME, NAME

run = called


def test_train_shows_scores_and_writes_a_row():
    out = run("train", NAME, GAME, "--samples", "1000", "--seed", "3", "--set", "speed=2", "-o", "-")
    assert out.returncode == 0, out.stderr
    row = json.loads(out.stdout)
    assert [point[1] for point in row["points"]] == [100, 300, 1000]
    assert (row["seed"], row["settings"]["speed"], row["samples"], row["ended"]) == (3, 2.0, 1000, "budget")
    assert "NashConv (chips)" in out.stderr
    assert "1,000" in out.stderr


def test_train_appends_to_a_file_of_results_and_makes_no_run_twice(tmp_path):
    target = tmp_path / "results.jsonl"
    arguments = ["train", NAME, GAME, "-o", str(target), "--samples"]
    assert run(*arguments, "1e2").returncode == 0
    first = target.read_text()
    assert run(*arguments, "100", "--seed", "1").returncode == 0
    assert target.read_text().startswith(first)
    assert [json.loads(line)["seed"] for line in target.read_text().splitlines()] == [0, 1]
    before, notes = target.read_text(), tmp_path / "notes"
    notes.mkdir()
    out = run(*arguments, "100", "--set", f"notes={notes}")
    assert out.returncode == 0  # another setting, so another run
    out = run(*arguments, "100")
    assert out.returncode == 2
    assert "already has this run: approaching:moving on one_card_poker" in out.stderr
    assert target.read_text().startswith(before)
    assert len(target.read_text().splitlines()) == 3


def test_a_file_that_holds_something_else_is_left_alone_and_nothing_is_trained(tmp_path):
    notes, other = tmp_path / "notes", tmp_path / "other.txt"
    notes.mkdir()
    other.write_text("milk, eggs\n")
    arguments = ["train", NAME, GAME, "--samples", "100", "--set", f"notes={notes}", "-o"]
    for target, message in ((other, "line 1 is not the row of a run"), (tmp_path, "it is a folder, not a file")):
        out = run(*arguments, str(target))
        assert out.returncode == 2
        assert message in out.stderr
        assert len(out.stderr.strip().splitlines()) == 1
    assert other.read_text() == "milk, eggs\n"
    assert not list(notes.iterdir())
    missing = tmp_path / "new.jsonl"
    assert run("train", NAME, GAME, "--samples", "100", "--set", "fails=0", "-o", str(missing)).returncode == 2
    assert not missing.exists()


def test_an_interrupted_run_may_be_made_again(tmp_path):
    from relance.baselines import rows

    target = tmp_path / "results.jsonl"
    arguments = ["train", NAME, GAME, "--samples", "100", "-o", str(target)]
    assert run(*arguments).returncode == 0
    cut = {**json.loads(target.read_text()), "ended": "interrupted", "policy": None}
    target.write_text(rows.as_text(cut))
    assert run(*arguments).returncode == 0
    assert [row["ended"] for row in rows.read_results(target)[0]] == ["interrupted", "budget"]


def test_games_of_the_current_folder_are_found(tmp_path):
    (tmp_path / "my_games.py").write_text(
        "from dataclasses import replace\nfrom relance.envs.catalogue import BLUEPRINTS\n"
        "MINE = replace(BLUEPRINTS['one_card_poker'], name='half_street')\n"
    )
    arguments = ["train", "cfr+", "my_games:MINE", "--samples", "20"]
    out = subprocess.run([*RELANCE, *arguments], capture_output=True, text=True, cwd=tmp_path)
    assert "cfr+ on half_street" in out.stdout, out.stderr


def test_train_lists_the_algorithms():
    from relance.baselines.algorithms import algorithms

    out = run("train", "--list").stdout
    assert all(f"{name}: {item.source}" in out for name, item in algorithms().items())
    assert "method=cfr+" in out


def test_ctrl_c_keeps_what_was_scored(tmp_path):
    notes, target = tmp_path / "notes", tmp_path / "row.json"
    notes.mkdir()
    settings = ["--set", "nap=0.005", "--set", f"notes={notes}"]
    start = time.monotonic()

    def ready():
        nonlocal start
        start = start if any(notes.iterdir()) else time.monotonic()
        return time.monotonic() - start > 1.5

    status, out, err = interrupted(["train", NAME, GAME, "--seconds", "60", *settings, "-o", str(target)], ready)
    assert status == 130
    assert "the scores so far are kept" in err
    assert "Traceback" not in err
    assert "interrupted" in out
    row = json.loads(target.read_text())
    assert row["ended"] == "interrupted"
    assert row["policy"] is None
    assert row["points"]
