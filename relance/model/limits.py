"""Limits of memory, time and size: work that is far too large for this machine is refused before it starts.

Code whose work grows with the size of a game first estimates the bytes and seconds, using constants fitted to measured runs, and
passes them to the functions below, which raise an error that names what is needed. The estimates are rough.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

LONGEST = 3600.0
"""Seconds: work that would take longer than an hour is refused."""

CELLS = 1000
"""So many equal cells stand for the hands on [0, 1]: by default an agent is asked only at the middle of each cell,
and plays all hands of a cell alike. `relance.score` makes the cells smaller until its figures settle."""

MOST_SETS = 50_000
"""The most information sets of a game that an untrusted file, or a request to a server, may name."""

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
        what: the name of the work or object, for the message.
        hands: the number of hands, if the bytes are proportional to it; the message then says how many hands would fit.
        instead: advice to the user, with which the message ends.
    """
    there = memory()
    if there is not None and needed > there:
        fits = "" if hands is None else f"; {int(hands * there / needed)} hands would fit"
        raise ValueError(
            f"{what} needs {_gib(needed)} GiB of memory; the machine has {there / 2**30:.1f}{fits}{_also(instead)}"
        )


def _gib(needed: float) -> str:
    return f"{needed / 2**30:,.1f}" if needed < 2**60 else f"{needed / 2**30:.1e}"


def check_time(seconds: float, what: str, instead: str) -> None:
    """Raise ValueError if the work called `what` takes over `LONGEST` seconds; `instead` is advice in the message."""
    if seconds > LONGEST:
        raise ValueError(f"{what} would take {_duration(seconds)}; {LONGEST / 3600:g} hour is allowed{_also(instead)}")


def check_sets(game: Any, what: str, most: int = MOST_SETS, why: str = "") -> None:
    """Raise ValueError if `game`, a `Game`, has more than `most` information sets; the message: "{what} at most {most}{why}"."""
    hands = [game.deal.size(seat) or CELLS for seat in (0, 1)]
    if (sets := sum(hands[node.player] for node in game.tree.decisions.values())) > most:
        raise ValueError(f"{game} has {sets:,} information sets; {what} at most {most:,}{why}")


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
    """Pause Python's cyclic garbage collector in a `with` block: on millions of new objects it takes longer than making them."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()
