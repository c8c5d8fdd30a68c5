"""Calls of functions under a progress bar that shows what they tell their callbacks."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, get_type_hints

from relance.pages.commands.shared import progress_bar
from relance.pages.commands.typed import bare

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

T = TypeVar("T")


def _solving(progress: Progress, task: TaskID, iteration: int, left: float) -> None:
    progress.update(task, description=f"solving: iteration {iteration}, exploitability {left:.1e}")


def _so_far(progress: Progress, task: TaskID, done: int, total: int) -> None:
    progress.update(task, completed=done, total=total)


def _one_of(progress: Progress, task: TaskID, total: int) -> None:
    progress.update(task, advance=1, total=total)


def some_more(progress: Progress, task: TaskID, advance: int = 1, total: int | None = None) -> None:
    """So many steps more, of so many in all."""
    progress.update(task, advance=advance, total=total)


def one_more(progress: Progress, task: TaskID, _: object) -> None:
    """Another one, whatever it is."""
    progress.advance(task)


BARS: dict[Any, Callable[..., None]] = {
    Callable[[int, float], None]: _solving,
    Callable[[int, int], None]: _so_far,
    Callable[[int], None]: _one_of,
    Callable[[int, int], object]: some_more,
}
"""How a progress bar shows what callbacks of these types are told; `relance.pages.commands.plot` and the claims add theirs."""


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
        ticks = {name: partial(bar, progress, task) for name, bar in bars.items()}
        return function(*given, **ticks | {name: value for name, value in more.items() if name in hints})
