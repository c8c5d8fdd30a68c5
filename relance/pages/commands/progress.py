"""Calls of functions under a progress bar, which shows what the functions report to their callbacks."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar, get_type_hints

from relance.pages.commands.shared import progress_bar
from relance.pages.commands.typed import bare

T = TypeVar("T")


def some_more(advance: int = 1, total: int | None = None) -> dict[str, Any]:
    """Return the arguments that update a progress bar: `advance` more steps are done, of `total`."""
    return {"advance": advance, "total": total}


BARS: dict[Any, Callable[..., dict[str, Any]]] = {
    Callable[[int, float], None]: lambda iteration, left: {
        "description": f"solving: iteration {iteration}, exploitability {left:.1e}"
    },
    Callable[[int, int], None]: lambda done, total: {"completed": done, "total": total},
    Callable[[int], None]: lambda total: some_more(1, total),
    Callable[[int], object]: some_more,
    Callable[[int, int], object]: some_more,
}
"""By type of callback, how its arguments update a progress bar; `relance.pages.commands.plot` and claims add types."""


def called(
    function: Callable[..., T],
    *given: Any,
    kept: str = "no results were written",
    total: int | None = None,
    **more: Any,
) -> T:
    """Call a function under a progress bar, which shows what it reports to its callbacks; return its result.

    Args:
        function: the function; it is also given the callbacks.
        given: its first arguments.
        kept: the message after Ctrl-C, unless the interrupt has a note on what is kept.
        total: how often a callback will be called, if the function does not report it.
        more: other arguments, by name; those that the function does not have are dropped.
    """
    hints = get_type_hints(function)
    with progress_bar(kept) as progress:
        bars = {name: BARS[bare(hint)[0]] for name, hint in hints.items() if bare(hint)[0] in BARS}
        task = progress.add_task("getting ready" if bars else function.__name__.replace("_", " "), total=total)

        def tick(bar: Callable[..., dict[str, Any]], *told: Any, **named: Any) -> None:
            progress.update(task, **bar(*told, **named))

        ticks = {name: partial(tick, bar) for name, bar in bars.items()}
        return function(*given, **ticks | {name: value for name, value in more.items() if name in hints})
