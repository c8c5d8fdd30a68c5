"""Calls of functions under a progress bar that shows what they tell their callbacks."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar, get_type_hints

from relance.pages.commands.shared import progress_bar
from relance.pages.commands.typed import bare

T = TypeVar("T")


def some_more(advance: int = 1, total: int | None = None) -> dict[str, Any]:
    """So many steps more, of so many in all."""
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
"""What a progress bar shows of what callbacks of these types are told; `relance.pages.commands.plot` and the claims add theirs."""


def called(
    function: Callable[..., T],
    *given: Any,
    kept: str = "no results were written",
    total: int | None = None,
    **more: Any,
) -> T:
    """Call a function, with those of these arguments by name that it has; a progress bar shows what it tells its callbacks.

    Args:
        function: what to call.
        given: its first arguments.
        kept: what is said after Ctrl-C, unless the interrupt says itself what is kept.
        total: how often it calls back, where it does not say.
        more: its other arguments.
    """
    hints = get_type_hints(function)
    with progress_bar(kept) as progress:
        bars = {name: BARS[bare(hint)[0]] for name, hint in hints.items() if bare(hint)[0] in BARS}
        task = progress.add_task("getting ready" if bars else function.__name__.replace("_", " "), total=total)

        def tick(bar: Callable[..., dict[str, Any]], *told: Any, **named: Any) -> None:
            progress.update(task, **bar(*told, **named))

        ticks = {name: partial(tick, bar) for name, bar in bars.items()}
        return function(*given, **ticks | {name: value for name, value in more.items() if name in hints})
