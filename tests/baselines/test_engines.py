"""Engines of sweeps: workers that are killed, and clusters."""

import importlib
import os
from pathlib import Path

import pytest
from test_sweep import lines, plan, starts

from relance.baselines import rows
from relance.baselines.runs import planned
from relance.baselines.sweep import WorkersKilledError, sweep
from relance.envs.catalogue import make

HERE = str(Path(__file__).parents[1])


def test_a_sweep_in_this_process_leaves_its_threads_as_they_were(tmp_path, monkeypatch, joblib):
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    monkeypatch.delenv("MKL_NUM_THREADS", raising=False)
    sweep(plan(), tmp_path / "results.jsonl", jobs=1)
    assert os.environ["OMP_NUM_THREADS"] == "2"
    assert "MKL_NUM_THREADS" not in os.environ


def test_after_a_killed_worker_every_run_has_one_row(tmp_path, notes, joblib):
    path, messages = tmp_path / "results.jsonl", []
    failures = sweep(plan(seeds=range(6), killed=2, notes=str(notes), nap=0.02), path, jobs=2, note=messages.append)
    assert failures == []
    assert messages == ["a worker was killed; the runs that had not ended are repeated"]
    assert sorted(row["seed"] for row in lines(path)) == list(range(6))
    assert starts(notes)[2] == 2
    assert sum(starts(notes).values()) <= 6 + 2  # again: the killed one, and the one beside it if it had not ended


@pytest.mark.slow
def test_workers_that_are_killed_each_time_end_the_sweep(tmp_path, notes, joblib):
    path = tmp_path / "results.jsonl"
    with pytest.raises(WorkersKilledError, match="killed 3 times, and no run ended in between"):
        sweep(plan(seeds=[0, 1], killed=1, always=True, notes=str(notes)), path, jobs=2)
    assert {row["seed"] for row in rows.read_results(path)[0]} <= {0}


@pytest.mark.parametrize("engine", ["ray", "dask"])
@pytest.mark.filterwarnings("default")  # their own warnings are not this project's
def test_a_cluster_repeats_the_run_of_a_killed_worker(tmp_path, notes, joblib, engine, monkeypatch):
    pytest.importorskip({"ray": "ray", "dask": "distributed"}[engine], reason=f"needs the extra {engine}")
    monkeypatch.setenv("PYTHONPATH", HERE)
    path, messages = tmp_path / "results.jsonl", []
    failures = sweep(
        plan(seeds=range(6), killed=2, notes=str(notes), nap=0.02), path, engine, jobs=2, note=messages.append
    )
    assert failures == []
    assert messages == []  # the cluster itself repeats the run of the killed worker
    assert sorted(row["seed"] for row in lines(path)) == list(range(6))
    assert (notes / "killed").exists()
    again = {seed for seed, count in starts(notes).items() if count > 1}
    if engine == "ray":
        assert again == {2}
    else:  # joblib holds on to the last result, and Dask makes it again if it was on the killed worker; its row is there once
        assert 2 in again
        assert len(again) <= 2


@pytest.mark.filterwarnings("default")  # Dask's own warnings are not this project's
def test_an_algorithm_of_ones_own_travels_to_the_workers_of_dask(tmp_path, monkeypatch, joblib):
    """They run elsewhere, with nothing of the driver's folder on their path."""
    distributed = pytest.importorskip("distributed", reason="needs the extra dask")
    here = tmp_path / "here"
    here.mkdir()
    (here / "travels.py").write_text((Path(HERE) / "approaching.py").read_text())
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster:
        monkeypatch.setenv("DASK_SCHEDULER_ADDRESS", cluster.scheduler_address)
        monkeypatch.syspath_prepend(here)
        importlib.import_module("travels")
        tasks = [planned("travels:moving", make("kuhn"), samples=100)]
        assert sweep(tasks, tmp_path / "results.jsonl", "dask", jobs=1) == []
    (row,) = lines(tmp_path / "results.jsonl")
    assert (row["algorithm"], row["ended"]) == ("travels:moving", "budget")


def test_more_jobs_than_a_machine_holds_are_refused(tmp_path):
    with pytest.raises(ValueError, match=r"jobs=1000000000 runs at a time needs .* GiB .*; -1 is one per processor"):
        sweep([], tmp_path / "results.jsonl", jobs=10**9)
    assert not list(tmp_path.iterdir())
