"""Settings of an algorithm from text or YAML: each value is read as the type of its field, or refused."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Mapping
from typing import Any, Literal, TypeVar

from relance.model.numbers import did_you_mean

S = TypeVar("S")

_FLAGS = {"true": True, "false": False}


def read_settings(kind: type[S], given: Mapping[str, Any], name: str) -> S:
    """Return the dataclass `kind` with `given` in place of its defaults; `name` is the algorithm's, for messages.

    Values may be text, as on a command line. Raises ValueError for an unknown setting or a value of another type.
    """
    assert dataclasses.is_dataclass(kind)
    types_of = typing.get_type_hints(kind)
    fields = [field.name for field in dataclasses.fields(kind)]
    values = {}
    for key, value in given.items():
        if key not in fields:
            raise ValueError(f"{name} has no setting {key!r}" + did_you_mean(str(key), fields))
        try:
            values[key] = _read(types_of[key], value)
        except (TypeError, ValueError, OverflowError):
            raise ValueError(f"{key}={value!r} of {name} must be {_named(types_of[key])}") from None
    return kind(**values)


def _read(kind: Any, value: Any) -> Any:
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        return _first(inner, value)
    if origin is Literal:
        return inner[[str(choice) for choice in inner].index(str(value))]
    if origin is tuple:
        parts = value.replace("(", "").replace(")", "").split(",") if isinstance(value, str) else list(value)
        parts = [part for part in parts if str(part).strip()]
        if len(inner) == 2 and inner[1] is ...:
            return tuple(_read(inner[0], part) for part in parts)
        return tuple(_read(one, part) for one, part in zip(inner, parts, strict=True))
    if kind is type(None):
        return _none(value)
    if kind is bool:
        return _flag(value)
    return _plain(kind, value)


def _first(kinds: tuple[Any, ...], value: Any) -> Any:
    """The value as the first of the types that takes it; none before the others, for the text "none"."""
    for kind in sorted(kinds, key=lambda one: one is not type(None)):
        try:
            return _read(kind, value)
        except (TypeError, ValueError):
            continue
    raise ValueError


def _none(value: Any) -> None:
    if value is not None and str(value).strip().lower() != "none":
        raise ValueError


def _flag(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if not isinstance(value, str) or value.strip().lower() not in _FLAGS:
        raise ValueError
    return _FLAGS[value.strip().lower()]


def _plain(kind: Any, value: Any) -> Any:
    if kind is str:
        if not isinstance(value, str):
            raise TypeError
        return value
    if isinstance(value, bool):
        raise TypeError
    if kind is int and not isinstance(value, int):
        number = float(value)  # 1e6 is a whole number too
        if number != int(number):
            raise ValueError
        return int(number)
    made = kind(value)
    if made != made:
        raise ValueError("NaN")
    return made


def _named(kind: Any) -> str:
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        return " or ".join(_named(one) for one in inner)
    if origin is Literal:
        return "one of " + ", ".join(map(str, inner))
    if origin is tuple:
        kinds = [_named(one) for one in inner if one is not ...]
        return "a list of " + " and ".join(kinds) if ... in inner else "a list: " + ", ".join(kinds)
    words = {bool: "true or false", int: "a whole number", float: "a number", str: "text", type(None): "none"}
    return words.get(kind, getattr(kind, "__name__", str(kind)))
