"""Checks the arguments of public functions against their annotations, in one way for all.

    @checked
    def match(game: Game | str, a: Player, b: Player, hands: Count = 10_000, within: Positive | None = None) -> Match: ...

`match(..., within="x")` raises TypeError("match: within='x' must be a number above 0 or None"). The annotation says what is allowed:
a kind (`int`, `float`, `bool`, `str`, a class), a choice (`Literal`), a range (`Count`, `Positive`), and the types of items in a list
or mapping. An argument annotated as `object` or `Any` is not checked. An `int` or `float` must be finite, and neither a bool nor text.
"""

from __future__ import annotations

import builtins
import inspect
import math
import os
import sys
import types
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, wraps
from inspect import Parameter, signature
from numbers import Real
from typing import Annotated, Any, Literal, TypeAlias, TypeVar, overload

import numpy as np

from relance.model.numbers import Number, did_you_mean, exact, short
from relance.model.renamed import now_called

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Range:
    """A range of allowed numbers from `least` (excluded if `open`) to `most`; all must be small enough for a float."""

    least: float
    most: float = math.inf
    open: bool = False

    def __contains__(self, number: float) -> bool:
        highest = sys.float_info.max if isinstance(number, int) else math.inf
        return self.least <= number <= self.most and number < highest and not (self.open and number == self.least)

    def __str__(self) -> str:
        if self.most < math.inf:
            return f"between {self.least} and {self.most}"
        return f"{'above' if self.open else 'at least'} {self.least}"


class OneOf:
    """The allowed values of an argument that must be one of a few whole numbers, `choices`."""

    def __init__(self, *choices: int) -> None:
        self.choices = choices

    def __contains__(self, number: object) -> bool:
        return number in self.choices

    def __str__(self) -> str:
        return " or ".join(map(str, self.choices))


Count = Annotated[int, Range(1)]
NaturalNumber = Annotated[int, Range(0)]
Positive = Annotated[float, Range(0, open=True)]
NotNegative = Annotated[float, Range(0)]
Chance = Annotated[float, Range(0, 1)]
Seat = Annotated[int, OneOf(0, 1)]
"""Player 0 or player 1."""
PathName: TypeAlias = str | os.PathLike[str]
"""The path of a file."""


class _Wrong(Exception):
    """A value does not fit. The exception records whether the kind is wrong or only the value."""

    def __init__(self, kind: bool) -> None:
        self.kind = kind


def _need(fits: bool, kind: bool = True) -> None:
    if not fits:
        raise _Wrong(kind)


@overload
def checked(function: F) -> F: ...
@overload
def checked(*, elsewhere: Mapping[str, str]) -> Callable[[F], F]: ...
def checked(function: Any = None, *, elsewhere: Mapping[str, str] = types.MappingProxyType({})) -> Any:
    """Return `function`, wrapped so that each call first checks its arguments by their annotations. If it is a class, wrap its `__init__`.

    Args:
        function: the function, or a class, such as a dataclass; the signature is read at the first call. None returns a decorator.
        elsewhere: for arguments that another function takes but not this one, {argument: text that ends the error message}.

    Raises:
        TypeError: an argument is unknown, missing, given twice, or of the wrong kind.
        ValueError: an argument is out of range, or none of the choices.
    """
    if function is None:
        return lambda function: checked(function, elsewhere=elsewhere)  # type: ignore[call-overload]  # as one overload
    if isinstance(function, type):
        function.__init__ = checked(elsewhere=elsewhere)(function.__init__)  # type: ignore[misc]  # a method is replaced
        return function

    @cache
    def shape() -> tuple[Any, ...]:
        given = signature(function).parameters.values()
        names = [one.name for one in given if one.kind is Parameter.POSITIONAL_OR_KEYWORD]
        more = next((one.name for one in given if one.kind is Parameter.VAR_POSITIONAL), None)
        rest = next((one.name for one in given if one.kind is Parameter.VAR_KEYWORD), None)
        kinds = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)
        places = {
            one.name: names.index(one.name) if one.name in names else len(names) for one in given if one.kind in kinds
        }
        needed = [(places[one.name], one.name) for one in given if one.default is one.empty and one.name in places]
        found = typing.get_type_hints(
            function, localns=_Names(inspect.unwrap(function).__globals__), include_extras=True
        )
        allowed = {one.name: found.get(one.name, Any) for one in given}
        return names, more, rest, places, needed, allowed, {name: _sure(kind) for name, kind in allowed.items()}

    @wraps(function)
    def taken(*arguments: Any, **options: Any) -> Any:
        names, more, rest, known, needed, allowed, sure = shape()
        called = type(arguments[0]).__name__ if function.__name__ == "__init__" else function.__qualname__
        if rest is None and not options.keys() <= known.keys():
            name = next(name for name in options if name not in known)
            hint = f"; {elsewhere[name]}" if name in elsewhere else now_called("argument", name, known)
            hint = hint or did_you_mean(name, known)
            raise TypeError(f"{called} has no argument {short(name)}{hint}")
        if len(arguments) > len(names) and more is None:
            takes = f"at most {len(names)} arguments by place ({', '.join(names)})" if names else "no argument by place"
            raise TypeError(f"{called} takes {takes}, not {len(arguments)}")
        for place, name in needed:
            if place >= len(arguments) and name not in options:
                what = described(allowed[name])
                raise TypeError(f"{called} needs {name}" + f", {what}" * (what != "anything"))
        for name, value in zip(names, arguments, strict=False):
            if name in options:
                raise TypeError(f"{called} is given {name} twice")
            if not isinstance(value, sure[name]):
                check(f"{called}: {name}", value, allowed[name])
        for value in arguments[len(names) :]:
            check(f"{called}: {more}", value, allowed[str(more)])
        for name, value in options.items():
            kind = name if name in known else str(rest)
            if not isinstance(value, sure[kind]):
                check(f"{called}: {name}", value, allowed[kind])
        return function(*arguments, **options)

    return taken


def _sure(kind: Any) -> tuple[type, ...]:
    """Classes whose values surely fit an annotation, which is quick to see; the others need a closer look."""
    if kind in (Any, object):
        return (object,)
    if typing.get_origin(kind) in (typing.Union, types.UnionType):
        return tuple(found for one in typing.get_args(kind) for found in _sure(one))
    plain = isinstance(kind, type) and typing.get_origin(kind) is None and kind not in (int, float, Number)
    return (kind,) if plain and not getattr(kind, "_is_protocol", False) and not typing.is_typeddict(kind) else ()


class _Names(dict[str, Any]):
    """The names of a module for its annotations; one that it imports for type checkers only is Any."""

    def __init__(self, module: Mapping[str, Any]) -> None:
        self.module = module

    def __missing__(self, name: str) -> Any:
        return self.module[name] if name in self.module else getattr(builtins, name, Any)


def check(name: str, value: object, kind: Any) -> None:
    """Check that `value` fits the annotation `kind`; an error message calls the value `name`.

    Raises:
        TypeError: the value has another kind.
        ValueError: the kind is right, but the value is not allowed.
    """
    try:
        _fit(value, kind)
    except _Wrong as wrong:
        error = TypeError if wrong.kind else ValueError
        raise error(f"{name}={short(value)} must be {described(kind)}") from None


def _fit(value: Any, kind: Any) -> None:
    """Raise `_Wrong` unless a value fits an annotation."""
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if kind in (Any, object) or isinstance(kind, TypeVar):
        return
    if origin in (typing.Union, types.UnionType):
        _fit_any(value, inner)
    elif origin is Annotated:
        _fit(value, inner[0])
        _need(all(value in allowed for allowed in inner[1:] if isinstance(allowed, (Range, OneOf))), kind=False)
    elif origin is Literal:
        if isinstance(value, np.integer):
            value = int(value)
        alike = [choice for choice in inner if type(value) is type(choice)]
        _need(value in alike, kind=not alike)
    elif origin is tuple:
        _need(isinstance(value, (tuple, list)) and (inner[-1] is ... or len(value) == len(inner)))
        for one, its in zip(value, inner[:1] * len(value) if inner[-1] is ... else inner, strict=True):
            _fit(one, its)
    elif origin is not None and issubclass(origin, Mapping):
        _need(isinstance(value, Mapping))
        _fit_each(value, inner[0])
        _fit_each(value.values(), inner[1])
    elif origin is Callable:
        _need(callable(value))
    elif origin is np.ndarray:
        _need(hasattr(value, "dtype"))  # of numpy, PyTorch or JAX
    elif origin is not None and issubclass(origin, Iterable) and origin is not type:
        _need(isinstance(value, (np.ndarray, origin)) and not isinstance(value, (str, bytes)))
        if isinstance(value, (list, tuple)) and inner:
            _fit_each(value, inner[0])
        elif isinstance(value, np.ndarray) and inner:  # its first place or row, which is like the others
            _need(value.ndim > 0)
            _fit_each(value[:1], inner[0])
    else:
        _fit_plain(value, origin or kind)


def _fit_any(value: Any, kinds: Sequence[Any]) -> None:
    wrong = True
    for kind in kinds:
        try:
            return _fit(value, kind)
        except _Wrong as found:
            wrong = wrong and found.kind
    raise _Wrong(kind=wrong)


def _fit_each(values: Iterable[Any], kind: Any) -> None:
    if kind in (Any, object) or (kind is str and set(map(type, values)) <= {str}):  # large tables are checked at once
        return
    for value in values:
        _fit(value, kind)


def _fit_plain(value: Any, kind: Any) -> None:
    """Raise `_Wrong` unless a value fits a simple annotation, one that holds no other annotations."""
    if kind in (int, float):
        _need(isinstance(value, Real) and not isinstance(value, (bool, np.bool_)))
        try:
            finite = math.isfinite(value)
        except OverflowError:  # a whole number or a fraction that is larger than any float
            finite = kind is int
        _need(finite and (kind is float or value % 1 == 0), kind=False)
    elif kind is Number:
        try:
            exact(value)
        except (TypeError, ValueError) as error:
            raise _Wrong(kind=isinstance(error, TypeError)) from None
    elif kind is bool:
        _need(isinstance(value, (bool, np.bool_)))
    elif isinstance(kind, type) and not getattr(kind, "_is_protocol", False) and not typing.is_typeddict(kind):
        _need(isinstance(value, kind))  # a kind that `isinstance` can check


_WORDS: dict[Any, str] = {
    bool: "True or False",
    int: "a whole number",
    float: "a number",
    Number: "an exact number, such as 2 or '2/3'",
    str: "text",
    type(None): "None",
}


def check_unused(beside: str, options: Mapping[str, object]) -> None:
    """Raise ValueError if any of `options`, {name: setting}, is set: together with `beside` it would have no effect."""
    for name, setting in options.items():
        if setting is not None and setting is not False and setting != {}:
            pairs = setting.items() if isinstance(setting, Mapping) else ()
            shown = ",".join(f"{key}={value}" for key, value in pairs) or ("" if setting is True else str(setting))
            raise ValueError(f"{f'{name} {shown}'.strip()} does not go with {beside}")


def described(kind: Any) -> str:
    """Describe in words what an annotation allows, such as "a number above 0 or None"."""
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        names = [getattr(one, "__name__", "") for one in inner]
        if str in inner and "Game" in names:
            return "a game, such as relance.make('von_neumann'), or its text" + (" or None" * (type(None) in inner))
        if str in inner and "Profile" in names:
            others = [one for one in inner if one is not str and getattr(one, "__name__", "") != "Profile"]
            return " or ".join(["a profile", "the name of an opponent such as 'published'", *map(described, others)])
        if str in inner and any(name in ("Path", "PathLike") for name in names):
            return "the path of a file" + (" or None" * (type(None) in inner))
        return " or ".join(dict.fromkeys(described(one) for one in inner))
    if origin is Annotated:
        for one in inner[1:]:
            if isinstance(one, (Range, OneOf)):
                return str(one) if isinstance(one, OneOf) else f"{described(inner[0])} {one}"
        return described(inner[0])
    if origin is Literal:
        return " or ".join(map(repr, inner)) if len(inner) < 3 else f"one of {', '.join(map(repr, inner))}"
    if origin is tuple:
        if inner[-1] is ...:
            return f"a list, each {described(inner[0])}"
        return f"a list of {len(inner)}: {', '.join(map(described, inner))}"
    if origin is not None and issubclass(origin, Mapping):
        return f"a mapping from {described(inner[0])} to {described(inner[1])}"
    if origin is Callable:
        return "a function"
    if origin is np.ndarray:
        return "an array"
    if origin is not None and issubclass(origin, Iterable):
        return f"a list, each {described(inner[0])}" if inner else "a list"
    if kind in (Any, object):
        return "anything"
    return _WORDS.get(kind) or f"a {getattr(origin or kind, '__name__', kind)}"
