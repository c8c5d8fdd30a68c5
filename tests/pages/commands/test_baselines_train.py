"""`relance train`, as a user meets it."""

import errno
import json
import re
import shutil
import subprocess
import time

import pytest
from conftest import called
from test_baselines_sweep import RELANCE, interrupted
from test_commands_learn import GAME, NAME

import relance

run = called


def test_train_shows_scores_and_writes_a_row():
    out = run("train", NAME, GAME, "--samples", "1000", "--seed", "3", "--set", "speed=2", "-o", "-")
    assert out.returncode == 0, out.stderr
    row = json.loads(out.stdout)
    assert [point[1] for point in row["points"]] == [100, 300, 1000]
    assert (row["seed"], row["settings"]["speed"], row["samples"], row["ended"]) == (3, 2.0, 1000, "budget")
    (line,) = [line for line in out.stderr.splitlines() if line.split()[1:2] == ["1,000"]]
    assert "last: NashConv (chips)  average: NashConv (chips)" in out.stderr
    last, average = (f"{score:.3g}" for score in (row["points"][-1][2], row["other"][-1]))
    assert line.split()[2:] == [last, average]


def test_train_tells_how_far_both_policies_are_from_an_equilibrium_and_draws_them(tmp_path):
    pytest.importorskip("matplotlib", reason="needs the extra plot")
    picture = tmp_path / "run.svg"
    out = run("train", NAME, GAME, "--samples", "1000", "--plot", str(picture))
    assert out.returncode == 0, out.stderr
    pattern = (
        r"^(the last policy|the average over training): (\S+) chips, (\S+)% of uniform play's; .* wins (\S+) chips"
    )
    told = re.findall(pattern, out.stdout, re.MULTILINE)
    assert [words for words, *_ in told] == ["the last policy", "the average over training"]
    uniform = relance.score(GAME, "uniform").nash_conv
    for _, score, share, won in told:
        assert float(share) == pytest.approx(100 * float(score) / float(uniform), rel=0.05)
        assert float(won) == pytest.approx(float(score) / 2, rel=0.05)
    assert {"last", "average", "uniform play", "samples"} <= set(re.findall(r">([^<>]+)</text>", picture.read_text()))
    out = run("train", NAME, GAME, "--samples", "100", "--plot", str(tmp_path / "run.txt"))
    assert (out.returncode, "must end in .svg, .pdf or .png" in out.stderr) == (2, True)


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
    assert f"the scores and the strategy so far are in {target}" in err
    assert "Traceback" not in err
    assert "interrupted" in out
    row = json.loads(target.read_text())
    assert row["ended"] == "interrupted"
    assert row["points"]
    picture = run("plot", "costs", GAME, "--learned", str(target), "-o", str(tmp_path / "costs.svg"))
    assert picture.returncode == 0, picture.stderr


def test_a_stop_before_the_first_score_says_what_there_is(tmp_path):
    files = {name: tmp_path / name for name in ("rows.jsonl", "strategy.json", "learner.npz")}
    rows, strategy, learner = map(str, files.values())
    for arguments, said, kept in (
        (["-o", rows], "nothing is kept: it was not scored yet", []),
        ([], "nothing is kept: name a file with --output, --strategy or --checkpoint", []),
        (["-o", rows, "--strategy", strategy], f"the strategy so far is in {strategy}", ["strategy.json"]),
        (["--checkpoint", learner], f"the policy so far is in {learner}", ["learner.npz", "strategy.json"]),
    ):
        notes = tmp_path / "notes"
        notes.mkdir()
        settings = ["--set", "nap=0.2", "--set", f"notes={notes}", "--samples", "100000"]

        def is_learning(notes=notes):  # it starts a little after this file is made, and is scored two seconds later
            return any(time.time() - path.stat().st_mtime > 0.3 for path in notes.iterdir())

        status, _, err = interrupted(["train", NAME, GAME, *settings, *arguments], is_learning)
        assert (status, err.strip().endswith(f"stopped; {said}")) == (130, True), err
        shutil.rmtree(notes)
        assert sorted(path.name for path in tmp_path.iterdir()) == kept
    for path in (strategy, learner):
        assert run("score", GAME, path).returncode == 0
    assert "approaching:moving cannot go on after a stop" in err


def test_a_full_disk_ends_no_run_and_the_result_is_shown(tmp_path, monkeypatch):
    def fsync(handle):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("relance.model.files.SAVED", 0.0)
    monkeypatch.setattr("relance.model.files.os.fsync", fsync)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    learner, rows = tmp_path / "learner.npz", tmp_path / "rows.jsonl"
    out = run("train", "cfr+", GAME, "--samples", "2400", "--checkpoint", str(learner), "-o", str(rows))
    assert out.returncode == 2
    assert out.stdout.count("\n") >= 4  # the scores
    told = out.stderr.splitlines()
    assert (
        told[0]
        == f"relance: {learner} cannot be written: No space left on device; the work goes on, and the save is tried again"
    )
    assert told[-2] == f"relance: {learner} cannot be written: No space left on device"
    (rest,) = tmp_path.glob("relance-rest-*")
    assert (
        told[-1]
        == f"relance: {rows} cannot be written: No space left on device; the 5 lines that were not written are in {rest}"
    )
    assert all(json.loads(line)["policy"] for line in rest.read_text().splitlines())


def test_a_run_goes_on_from_its_checkpoint_with_the_same_command(tmp_path):
    path, rows = str(tmp_path / "learner.npz"), str(tmp_path / "rows.jsonl")
    arguments = ["train", "mmd_sampled", GAME, "--set", "num_envs=64", "--checkpoint", path, "-o", rows, "--samples"]
    assert run(*arguments, "1000").returncode == 0
    out = run(*arguments, "2000")
    assert out.returncode == 0, out.stderr
    first, second = (json.loads(line)["points"] for line in (tmp_path / "rows.jsonl").read_text().splitlines())
    assert second[: len(first)] == first
    assert len(second) > len(first)
    out = run("train", "mmd_sampled", GAME, "--set", "num_envs=65", "--checkpoint", path, "--samples", "3000")
    assert (out.returncode, "is of another run: settings=" in out.stderr) == (2, True)
    (tmp_path / "other.npz").write_bytes(b"PK")
    out = run("train", "mmd_sampled", GAME, "--checkpoint", str(tmp_path / "other.npz"), "--samples", "3000")
    assert (out.returncode, "other.npz is damaged or is not a checkpoint" in out.stderr) == (2, True)
