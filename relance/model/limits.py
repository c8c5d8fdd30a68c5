"""One rule for sizes: work that would never finish here is refused before it starts, with a message that says what it needs.

Code whose work grows with the size of a game first estimates the bytes and seconds, using constants fitted to measured runs, and
passes them to the functions below. The estimates are rough, so only work that is far too large is refused.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

LONGEST = 3600.0
"""Seconds: work that would take longer than an hour is refused."""

GROUP = Path("/sys/fs/cgroup/memory.max")
"""The file in which Linux says how much memory a container may use."""


def memory() -> int | None:
    """The bytes that this process may use: the machine's memory, or less if the container or `ulimit` allows less; None if unknown."""
    try:
        found = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    except (ValueError, OSError, AttributeError):
        return None
    try:
        import resource

        limit, _ = resource.getrlimit(resource.RLIMIT_AS)
        found += [limit] if limit != resource.RLIM_INFINITY else []
        found.append(int(GROUP.read_text(encoding="ascii")))
    except (ImportError, OSError, ValueError):  # on Windows, outside a container, or "max"
        pass
    return min(found)


def check_memory(needed: float, what: str, hands: int | None = None, instead: str = "") -> None:
    """Raise ValueError before allocating more bytes than the machine has.

    Args:
        needed: the number of bytes.
        what: what needs them, for the message.
        hands: the number of hands that need them, if fewer hands would need proportionally less.
        instead: what the user can do instead.
    """
    there = memory()
    if there is not None and needed > there:
        fits = "" if hands is None else f"; {int(hands * there / needed)} hands would fit"
        raise ValueError(
            f"{what} needs {needed / 2**30:.1f} GiB of memory; the machine has {there / 2**30:.1f}{fits}{_also(instead)}"
        )


def check_time(seconds: float, what: str, instead: str) -> None:
    """Raise ValueError for work that would take longer than `LONGEST`; `instead` says what the user can do instead."""
    if seconds > LONGEST:
        raise ValueError(f"{what} would take {_duration(seconds)}{_also(instead)}")


def _also(instead: str) -> str:
    return instead and f"; {instead}"


def _duration(seconds: float) -> str:
    hours = seconds / 3600
    if hours < 3:
        return f"about {seconds / 60:.0f} minutes"
    if hours < 48:
        return f"about {hours:.0f} hours"
    days = hours / 24
    return f"about {days:,.0f} days" if days < 1000 else "more than 1,000 days"


@contextmanager
def collector_paused() -> Iterator[None]:
    """Pause Python's collector of circles, which visits millions of new objects again and again and takes longer than making them."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()
