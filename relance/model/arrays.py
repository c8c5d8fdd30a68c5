"""Arrays of numpy, PyTorch or JAX, on the processor or on a graphics card.

The algorithms use only operators and functions that numpy and PyTorch spell alike. A deal's `mass` and `edge` also take arrays of JAX.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from copy import copy
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

T = TypeVar("T")

Array: TypeAlias = npt.NDArray[Any]
Floats: TypeAlias = npt.NDArray[np.float64]
Ints: TypeAlias = npt.NDArray[np.int64]
Words: TypeAlias = npt.NDArray[np.uint64]

Put: TypeAlias = Callable[[Any], Any]
"""A function that converts a numpy array to an array of one library on one device, such as PyTorch on "cuda:0"."""

LIBRARIES = ("numpy", "torch")


def namespace(array: Any) -> Any:
    """The library that `array` belongs to: the module numpy, torch or jax.numpy."""
    library = type(array).__module__.partition(".")[0]
    return sys.modules["jax.numpy" if library.startswith("jax") else library]


def is_float(values: Any) -> bool:
    """Return True for an array of floats, of numpy, PyTorch or JAX."""
    dtype = getattr(values, "dtype", None)
    return getattr(dtype, "kind", None) == "f" or getattr(dtype, "is_floating_point", False)


def put_beside(array: Any) -> Put:
    """Return the function that converts numpy arrays to the library and device of `array`."""
    if isinstance(array, np.ndarray):
        return np.asarray
    as_tensor, device = namespace(array).as_tensor, array.device
    return lambda other: as_tensor(np.ascontiguousarray(other)).to(device)


def putter(library: str, device: str | None = None) -> Put:
    """Return a function that converts numpy arrays to `library`: numpy, or torch on `device`, by default the CPU.

    Raises:
        ValueError: there is no such library or device.
        ImportError: the library is not installed.
    """
    if library not in LIBRARIES:
        raise ValueError(f"library={library!r} must be one of {', '.join(LIBRARIES)}")
    if library == "numpy":
        if device not in (None, "cpu"):
            raise ValueError(f"device={device!r} of numpy must be None or 'cpu'")
        return np.asarray
    try:
        import torch
    except ImportError:
        raise ImportError("arrays of torch need PyTorch: pip install 'relance[torch]'") from None
    try:
        return put_beside(torch.zeros(1, device=device or "cpu"))
    except (RuntimeError, AssertionError) as error:
        raise ValueError(f"device={device!r} of torch: {str(error).splitlines()[0]}") from None


def with_arrays_put(thing: T, put: Put) -> T:
    """A copy of an object in which `put` has converted each attribute that is a numpy array."""
    out = copy(thing)
    vars(out).update({name: put(part) for name, part in vars(thing).items() if isinstance(part, np.ndarray)})
    return out


def dot(rows: Any, vector: Any) -> Any:
    """Return `rows @ vector`, for one row or several; numpy's floats avoid BLAS, whose threads would spin for 0.1 s afterwards."""
    if isinstance(rows, np.ndarray) and rows.dtype.kind == "f":
        return np.einsum("...h,h->...", rows, vector)
    return rows @ vector


def zeros_beside(array: Any, shape: tuple[int, ...]) -> Any:
    """An array of zeros, of the library and on the device of `array`: in float64, or whole numbers if `array` holds objects."""
    if isinstance(array, np.ndarray):
        return np.zeros(shape, object if array.dtype == object else float)
    return array.new_zeros(shape, dtype=namespace(array).float64)


def running_sums(rows: Any) -> Any:
    """The cumulative sums along the last axis of an array, (hands,) or (k, hands); same shape."""
    module = namespace(rows)
    if rows.ndim > 1 and getattr(rows, "is_cuda", False):  # PyTorch uses the whole card only for a single row
        return module.stack([module.cumsum(row, 0) for row in rows])
    return module.cumsum(rows, -1)


def host(array: Any) -> Any:
    """Return an array of numpy or PyTorch as a numpy array in main memory."""
    return array if isinstance(array, np.ndarray) else array.detach().cpu().numpy()


def thread_count() -> int:
    """Return how many threads to use: the environment variable NUMBA_NUM_THREADS, or one per processor if it is not set.

    Raises:
        ValueError: NUMBA_NUM_THREADS is not a whole number, at least 1.
    """
    threads = os.environ.get("NUMBA_NUM_THREADS")
    if not threads:
        return os.cpu_count() or 1
    if not threads.isdecimal() or int(threads) < 1:
        raise ValueError(f"the environment variable NUMBA_NUM_THREADS={threads!r} must be a whole number, at least 1")
    return int(threads)


def in_shares(work: Callable[[int, int], object], size: int, threads: int) -> None:
    """Call `work(low, high)` for `threads` nearly equal parts of range(size), each on its own thread if several."""
    if threads <= 1:
        work(0, size)
        return
    borders = [size * i // threads for i in range(threads + 1)]
    for job in [_pool(threads).submit(work, low, high) for low, high in pairwise(borders)]:
        job.result()


def without_interrupt(work: Callable[[], object]) -> None:
    """Call `work` and delay Ctrl-C, and SIGTERM if the program handles it, until `work` returns.

    A further signal more than a second after the first interrupts `work`. Without the delay, a signal could be lost while a library
    starts, cause another error in a half-written archive, or leave a learning step half done.
    """
    is_main = threading.current_thread() is threading.main_thread()
    handlers = {int(number): signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM) if is_main}
    came: list[tuple[float, int, Any]] = []

    def answer(number: int, frame: Any) -> None:
        handler = handlers[number]
        if callable(handler):
            handler(number, frame)

    def hold(number: int, frame: Any) -> None:
        came.append((time.monotonic(), number, frame))
        if came[-1][0] - came[0][0] > PATIENCE:
            answer(number, frame)

    try:
        for number, handler in handlers.items():
            if callable(handler):
                signal.signal(number, hold)
        work()
    finally:
        for number, handler in handlers.items():
            if callable(handler):
                signal.signal(number, handler)
    for _, number, frame in came[:1]:
        answer(number, frame)


PATIENCE = 1.0
"""Seconds from the first Ctrl-C until another interrupts `without_interrupt`; `timeout`, for one, sends two at once."""


@lru_cache
def _pool(threads: int) -> ThreadPoolExecutor:
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(threads)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)  # a fork has none of the threads


def run_starts(row: npt.NDArray[Any]) -> Ints:
    """Return the indices where an array of objects changes: 0, and each index whose value differs from the one before."""
    ids = np.fromiter(map(id, row), np.int64, len(row))  # comparing objects is quicker than comparing their values
    changed = np.flatnonzero(ids[1:] != ids[:-1]) + 1
    differs = np.asarray(row[changed] != row[changed - 1], bool)
    return np.concatenate(([0], changed[differs]))
