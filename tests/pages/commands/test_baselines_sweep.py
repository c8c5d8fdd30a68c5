"""`relance sweep`, as a user meets it."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import called
from test_commands_learn import GAME, NAME

from relance.baselines.tuning import read_found

RELANCE = [sys.executable, "-m", "relance.pages.commands.main"]

FAKE = str(Path(__file__).parents[2])


def environment():
    return {**os.environ, "PYTHONPATH": os.pathsep.join([FAKE, *filter(None, [os.environ.get("PYTHONPATH")])])}


run = called


def interrupted(arguments, ready, number=signal.SIGINT, seconds=60.0):
    """Send a signal to the driver and its workers, as a terminal does, once `ready()`; SIGKILL to the driver alone."""
    driver = subprocess.Popen(
        [*RELANCE, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
        start_new_session=True,
    )
    end = time.monotonic() + seconds
    while not ready() and driver.poll() is None and time.monotonic() < end:
        time.sleep(0.05)
    if number == signal.SIGKILL:
        driver.kill()
        driver.wait()
        driver.stdout.close()  # its workers hold the other ends, so there is no end to read to
        driver.stderr.close()
        return driver.returncode, "", ""
    os.killpg(driver.pid, number)
    out, err = driver.communicate(timeout=seconds)
    return driver.returncode, out, err


def test_algorithms_of_the_current_folder_are_found(plan, tmp_path):
    (tmp_path / "mine.py").write_text("from relance.baselines.vector_cfr import Settings, start_cfr as start\n")
    path = plan()
    path.write_text(path.read_text().replace(f"{{'{NAME}': {{}}}}", "mine"))
    for arguments in (
        ["train", "mine", GAME, "--samples", "10"],
        ["sweep", str(path), "--import", "mine", "--jobs", "2"],
    ):
        out = subprocess.run([*RELANCE, *arguments], capture_output=True, text=True, cwd=tmp_path)
        assert out.returncode == 0, out.stderr


@pytest.fixture
def plan(tmp_path):
    pytest.importorskip("joblib", reason="needs the extra sweep")
    pytest.importorskip("yaml", reason="needs the extra sweep")

    def written(**settings):
        path = tmp_path / "plan.yaml"
        given = ", ".join(f"{name}: {value}" for name, value in settings.items())
        path.write_text(
            f"seeds: [0, 1, 2]\nsamples: 60\nruns:\n  - games: ['{GAME}']\n    algorithms: [{{'{NAME}': {{{given}}}}}]\n"
        )
        return path

    return written


def test_a_sweep_writes_beside_its_plan_and_goes_on(plan):
    path = plan()
    results = path.with_suffix(".jsonl")
    out = run("sweep", str(path), "--seed", "1", "--jobs", "1")
    assert out.returncode == 0, out.stderr
    assert "1/1 approaching:moving on one_card_poker" in out.stderr
    first = results.read_text()
    assert [line.split()[0] for line in run("sweep", str(path), "--dry-run").stdout.splitlines()].count("done") == 1
    out = run("sweep", str(path), "--jobs", "1")
    assert "3 of 3 runs are in" in out.stdout
    assert results.read_text().startswith(first)
    assert len(results.read_text().splitlines()) == 3


def test_a_sweep_searches_first_and_its_runs_have_what_was_found(plan):
    pytest.importorskip("optuna", reason="needs the extra sweep")
    path = plan()
    families = f"[{{algorithms: ['{NAME}'], settings: {{speed: [2.0]}}}}]"
    search = f"search:\n  {{games: [ponssard], seeds: [7], samples: 30, trials: 2, families: {families}}}\n"
    path.write_text(search + path.read_text())
    dry = run("sweep", str(path), "--dry-run", "--jobs", "1").stdout
    assert "search on ponssard(pot=" in dry
    assert "at most 2 of 2 runs are left" in " ".join(dry.split())
    assert "5 runs left; 5 of them end after a number of samples, however long that takes" in dry
    out = run("sweep", str(path), "--jobs", "1")
    assert out.returncode == 0, out.stderr
    assert "5/5 approaching:moving on one_card_poker" in out.stderr
    assert "3 of 3 runs are in" in out.stdout
    assert path.with_suffix(".search.log").exists()
    assert read_found(path.with_suffix(".settings.yaml")).settings[NAME]["speed"] == 2.0
    rows = [json.loads(line) for line in path.with_suffix(".jsonl").read_text().splitlines()]
    assert {row["settings"]["speed"] for row in rows} == {2.0}
    dry = run("sweep", str(path), "--dry-run").stdout
    assert dry.count("done approaching") == 3
    assert "0 runs left" in dry
    path.write_text(path.read_text().replace("[2.0]", "[0.25, 0.5]"))
    again = run("sweep", str(path), "--jobs", "1")
    assert again.returncode == 2
    assert "plan.jsonl has 3 runs with other settings than the search found" in again.stderr
    assert "such as approaching:moving on one_card_poker" in again.stderr
    path.write_text(path.read_text().replace("seeds: [7]", "seeds: [1]"))
    assert "the seed 1 is also in the search" in run("sweep", str(path)).stderr


def test_a_sweep_with_a_mistake_or_a_failing_run_says_so(plan):
    path = plan(fails=1)
    out = run("sweep", str(path), "--jobs", "1")
    assert out.returncode == 1
    assert "seed 1 FAILED: ArithmeticError: it diverged" in out.stderr
    assert "2 of 3 runs are in" in out.stdout
    out = run("sweep", str(path), "--engine", "spark")
    assert (out.returncode, out.stdout) == (2, "")
    assert "must be one of loky, ray, dask" in out.stderr
    path.write_text("runs: []\n")
    assert "runs must be a list" in run("sweep", str(path)).stderr


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_sweep_keeps_the_runs_that_ended(plan, number):
    path = plan(nap=0.2)
    results = path.with_suffix(".jsonl")

    def one_row():
        return results.exists() and results.read_text().count("\n") >= 1

    status, _, err = interrupted(["sweep", str(path), "--import", "approaching", "--jobs", "2"], one_row, number)
    assert status == 130
    assert "the same command resumes" in err
    assert "Traceback" not in err
    rows = [json.loads(line) for line in results.read_text().splitlines()]
    assert 1 <= len(rows) < 3
    assert run("sweep", str(path), "--jobs", "1").returncode == 0
    assert sorted(json.loads(line)["seed"] for line in results.read_text().splitlines()) == [0, 1, 2]


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self").exists(), reason="looks for processes in /proc")
def test_workers_end_with_a_driver_that_is_killed(plan, tmp_path):
    notes = tmp_path / "notes"
    notes.mkdir()
    path = plan(nap=2, notes=notes)

    def both_started():
        return len(list(notes.iterdir())) == 2

    interrupted(["sweep", str(path), "--import", "approaching", "--jobs", "2"], both_started, signal.SIGKILL)
    workers = [int(mark.name.split("-")[2]) for mark in notes.iterdir()]
    end = time.monotonic() + 30
    while any(Path(f"/proc/{pid}").exists() for pid in workers) and time.monotonic() < end:
        time.sleep(0.1)
    assert not [pid for pid in workers if Path(f"/proc/{pid}").exists()]
