"""Decides whether to compile loops with numba (the extra `fast`), and compiles them.

Starting numba takes half a second or more; then loops are 3 to 75 times as quick as numpy's.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., Any])

WORTH = 20_000_000
"""Numba is used from this many array elements on, in all passes together: numpy takes longer than numba's start."""


def installed() -> bool:
    """True if numba, the extra `fast`, is installed."""
    return find_spec("numba") is not None


def is_worth(numbers: float) -> bool:
    """True if numba is installed, and a loop reads at least `WORTH` array elements; `numbers` is their count in all passes together."""
    return numbers >= WORTH and installed()


def compiled(**options: Any) -> Callable[[Function], Function]:
    """A decorator: compile a function by `numba.njit(**options)` without numba's runtime, so that the function cannot make arrays."""
    from numba import njit  # type: ignore[import-untyped,unused-ignore]  # numba has no types

    chosen: dict[str, Any] = {"_nrt": False, "nogil": True, "error_model": "numpy", **options}
    return cast(Callable[[Function], Function], njit(**chosen))


# Parts are compiled only into what calls them, which halves the time to compile.
PART: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
