"""What numba (the extra `fast`) needs, and whether it is worth its start.

That takes half a second or more; then loops are 3 to 75 times as quick as numpy's.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., Any])

WORTH = 20_000_000
"""To go through so many numbers, in all passes together, takes numpy somewhat longer than numba's start."""


def installed() -> bool:
    """True if numba, the extra `fast`, is installed."""
    return find_spec("numba") is not None


def is_worth(numbers: float) -> bool:
    """True if numba is installed and worth its start, when all passes together go through so many numbers: a rule of sizes alone."""
    return numbers >= WORTH and installed()


def compiled(**options: Any) -> Callable[[Function], Function]:
    """Compile a function that allocates nothing; with numba's runtime on, references to arrays would be counted."""
    from numba import njit  # type: ignore[import-untyped,unused-ignore]  # numba has no types

    chosen: dict[str, Any] = {"_nrt": False, "nogil": True, "error_model": "numpy", **options}
    return cast(Callable[[Function], Function], njit(**chosen))


# Parts are compiled only into what calls them, which halves the time to compile.
PART: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
