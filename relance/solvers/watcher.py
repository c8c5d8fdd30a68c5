"""Someone who watches what is computed and compared exactly, such as the writer of certificates. Nobody does by default."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from inspect import signature
from typing import Any, ParamSpec, Protocol, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class Watcher(Protocol):
    """Who watches."""

    def computed(self, function: str, arguments: Mapping[str, Any], result: Any) -> Any:
        """A function that is `watched` was called. What this returns is its result."""

    def compared(
        self, number: Any, relation: str, other: Any, asked: bool = True, fails_at: Mapping[str, Any] | None = None
    ) -> None:
        """A relation between two numbers, one of =, !=, > and >=, was proved for a whole region.

        `asked` is False if the opposite was asked. `fails_at` is a point of the region where it is false: it was asked, not proved.
        """


_WATCHER: ContextVar[Watcher | None] = ContextVar("watcher", default=None)
_UNWATCHED: dict[Any, Any] = {}
_KEPT: ContextVar[dict[Any, Any]] = ContextVar("kept", default=_UNWATCHED)


def watcher() -> Watcher | None:
    """Return the watcher in charge here."""
    return _WATCHER.get()


@contextmanager
def watched_by(who: Watcher | None) -> Iterator[None]:
    """Let someone, or nobody, watch what is computed inside this `with`."""
    watching, keeping = _WATCHER.set(who), _KEPT.set(_UNWATCHED if who is None else {})
    try:
        yield
    finally:
        _WATCHER.reset(watching)
        _KEPT.reset(keeping)


def watched(function: Callable[P, R]) -> Callable[P, R]:
    """Show each call of a function to whoever watches; what it computes on the way is not shown."""
    parameters = signature(function)

    @wraps(function)
    def call(*arguments: P.args, **options: P.kwargs) -> R:
        who = watcher()
        if who is None:
            return function(*arguments, **options)
        with watched_by(None):
            result = function(*arguments, **options)
        shown: R = who.computed(function.__name__, parameters.bind(*arguments, **options).arguments, result)
        return shown

    return call


def kept(function: Callable[P, R]) -> Callable[P, R]:
    """Compute each call of a function once; whoever watches sees it computed, whatever was computed before."""

    @wraps(function)
    def call(*arguments: P.args, **options: P.kwargs) -> R:
        results, key = _KEPT.get(), (function, arguments, *sorted(options.items()))
        if key not in results:
            results[key] = function(*arguments, **options)
        result: R = results[key]
        return result

    return call
