"""The engines of a sweep: processes of this machine, Ray or Dask, each a backend of joblib."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from relance.baselines.algorithms import require

Killed: TypeAlias = tuple[type[BaseException], ...]
"""The errors that an engine raises when a worker was killed and its run was not repeated."""

ENGINES = ("loky", "ray", "dask")

T = TypeVar("T")
R = TypeVar("R")

RETRIES = 3
"""How often Ray itself repeats the run of a killed worker. Dask does so too, and may repeat the last finished run as well."""


def results(work: Callable[[T], R], items: Sequence[T], jobs: int) -> Generator[R, None, None]:
    """Apply `work` to each item on the engine of the surrounding `with started(...)` block, and yield the results as they arrive.

    Closing the generator early stops the workers.
    """
    import joblib

    parallel = joblib.Parallel(
        n_jobs=jobs, return_as="generator_unordered", batch_size=1, pre_dispatch="n_jobs", max_nbytes=None
    )
    yield from parallel(joblib.delayed(work)(item) for item in items)


@contextmanager
def started(engine: str, jobs: int, modules: Collection[str] = ()) -> Iterator[tuple[int, Killed]]:
    """Start an engine, or join the cluster that the variable RAY_ADDRESS or DASK_SCHEDULER_ADDRESS names.

    `modules` name modules of the user that workers need. Each that is a single file and was imported here is sent to Dask's workers; Ray's
    workers see the folders of this process.

    Yields:
        How many runs the engine does at a time, and the exception that it raises when a worker was killed.

    Raises:
        ImportError: an extra is missing; the message names it.
    """
    require("a sweep", "sweep", "joblib")
    import joblib

    with ExitStack() as stack:
        makers: dict[str, Any] = {"loky": _loky, "ray": _ray, "dask": partial(_dask, modules)}
        backend, count, killed, options = makers[engine](jobs, stack)
        with joblib.parallel_config(backend=backend, **options):
            yield count, killed


_Engine: TypeAlias = tuple[str, int, Killed, dict[str, Any]]


def _loky(jobs: int, stack: ExitStack) -> _Engine:
    import joblib
    from joblib.externals.loky.process_executor import BrokenProcessPool

    return "loky", joblib.cpu_count() if jobs == -1 else jobs, (BrokenProcessPool,), {"inner_max_num_threads": 1}


def _ray(jobs: int, stack: ExitStack) -> _Engine:
    require("--engine ray", "ray", "ray")
    import ray
    from joblib.parallel import register_parallel_backend
    from ray.util.joblib.ray_backend import RayBackend

    class Backend(RayBackend):  # type: ignore[misc]  # Ray gives no types
        """Ray's own backend for joblib, with the flag that lets joblib return results as they arrive."""

        supports_return_generator = True

    if not ray.is_initialized():
        local = "RAY_ADDRESS" not in os.environ
        ray.init(
            include_dashboard=False,
            log_to_driver=False,
            **({"num_cpus": None if jobs == -1 else jobs} if local else {}),
        )
        stack.callback(ray.shutdown)
    count = int(ray.cluster_resources().get("CPU", 0)) if jobs == -1 else jobs
    if not count:
        raise ValueError("the Ray cluster has no processors; is it still running? Set RAY_ADDRESS to use another one")
    again = {"max_restarts": RETRIES, "max_task_retries": RETRIES}
    register_parallel_backend("relance_ray", partial(Backend, ray_remote_args=again))
    return "relance_ray", count, (ray.exceptions.RayError,), {}


def _dask(modules: Collection[str], jobs: int, stack: ExitStack) -> _Engine:
    require("--engine dask", "dask", "distributed")
    from distributed import Client, LocalCluster
    from distributed.scheduler import KilledWorker

    address = os.environ.get("DASK_SCHEDULER_ADDRESS")
    if address is None:
        local = LocalCluster(n_workers=None if jobs == -1 else jobs, threads_per_worker=1, dashboard_address=None)
        stack.enter_context(local)
        address = local.scheduler_address
    client = stack.enter_context(Client(address))
    for name in modules:
        file = getattr(module := sys.modules.get(name), "__file__", None)
        if module and file and Path(file).stem == name:  # not a part of a package
            del sys.modules[name]  # a scheduler in this process would reload it from a copy that goes with the cluster
            try:
                client.upload_file(file)
            finally:
                sys.modules[name] = module
    count = sum(client.nthreads().values()) if jobs == -1 else jobs
    return "dask", count, (KilledWorker,), {}
