"""Watchers: objects that are told each exact computation and comparison, such as the writer of certificates. By default there is none."""

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
    """An object that is told each exact computation and comparison, such as the writer of certificates."""

    def computed(self, function: str, arguments: Mapping[str, Any], result: Any) -> Any:
        """Note that the `watched` function of this name computed `result` from `arguments`; its caller gets what this method returns."""

    def compared(
        self, number: Any, relation: str, other: Any, asked: bool = True, fails_at: Mapping[str, Any] | None = None
    ) -> None:
        """Note how a comparison came out: `number` `relation` `other` is true, unless `fails_at` is given. The relation is =, !=, > or >=.

        Symbolic numbers are compared as functions on their region, the allowed values of their parameters. `asked` is True if the
        computation asked for this comparison, and False if it asked for the negation, which is false. If `fails_at` is given, the
        relation is true at some points of the region, but not at this one, {symbolic parameter: value}.
        """


_WATCHER: ContextVar[Watcher | None] = ContextVar("watcher", default=None)
_UNWATCHED: dict[Any, Any] = {}
_KEPT: ContextVar[dict[Any, Any]] = ContextVar("kept", default=_UNWATCHED)


def watcher() -> Watcher | None:
    """Return the watcher that `watched_by` has set, which is told each exact computation and comparison; None if there is none."""
    return _WATCHER.get()


@contextmanager
def watched_by(who: Watcher | None) -> Iterator[None]:
    """Make `who` the watcher inside this `with`; with None, nobody watches."""
    watching, keeping = _WATCHER.set(who), _KEPT.set(_UNWATCHED if who is None else {})
    try:
        yield
    finally:
        _WATCHER.reset(watching)
        _KEPT.reset(keeping)


def watched(function: Callable[P, R]) -> Callable[P, R]:
    """Decorate a function so that the watcher set by `watched_by` is told each call of it, but nothing that happens inside the call."""
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
    """Decorate a function to cache its results. Each block `watched_by(who)` starts with an empty cache, so `who` sees each computation."""

    @wraps(function)
    def call(*arguments: P.args, **options: P.kwargs) -> R:
        results, key = _KEPT.get(), (function, arguments, *sorted(options.items()))
        if key not in results:
            results[key] = function(*arguments, **options)
        result: R = results[key]
        return result

    return call
