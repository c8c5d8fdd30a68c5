"""Decides when numba computes: as soon as it is loaded, or once this process has spent long enough without it, or is about to.

Only work whose results are the same to the last bit with numba and without asks here, so that the clock decides nothing but the time.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any, TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., Any])

START = 0.7
"""The seconds of one processor that numba takes to load; then it takes a quarter of the time."""

_spent = [0.0]


def installed() -> bool:
    """True if numba, the extra `fast`, is installed."""
    return find_spec("numba") is not None


def is_due(ahead: float = 0.0) -> bool:
    """True if numba is installed, and is loaded or worth it: by the seconds of work `ahead`, or after twice its start without it."""
    worth_it = ahead > 4 / 3 * START or spent() > 2 * START
    return (worth_it or sys.modules.get("numba") is not None) and installed()


def spent() -> float:
    """The seconds of one processor that this process has spent on work without numba."""
    return _spent[0]


@contextmanager
def without_numba() -> Iterator[None]:
    """Count the processor time of work that numba would do in a fraction of it; what is counted inside is counted once."""
    start, before = time.thread_time(), _spent[0]
    try:
        yield
    finally:
        _spent[0] = before + time.thread_time() - start


def compiled(**options: Any) -> Callable[[Function], Function]:
    """Compile a function that allocates nothing; with numba's runtime on, references to arrays would be counted."""
    from numba import njit  # type: ignore[import-untyped,unused-ignore]  # numba has no types

    chosen: dict[str, Any] = {"_nrt": False, "nogil": True, "error_model": "numpy", **options}
    return cast(Callable[[Function], Function], njit(**chosen))


# Parts are compiled only into what calls them, which halves the time to compile.
PART: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
