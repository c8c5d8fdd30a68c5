"""Settings of an algorithm: their types state which numbers are allowed, and text or YAML is parsed as these types."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Literal, TypeVar

from relance.model.arguments import Chance as Chance
from relance.model.arguments import Count as Count
from relance.model.arguments import NotNegative as NotNegative
from relance.model.arguments import Positive as Positive
from relance.model.arguments import Range as Range
from relance.model.arguments import check, described
from relance.model.numbers import did_you_mean
from relance.model.renamed import now_called

S = TypeVar("S")

_WORDS: dict[type, dict[str, bool | None]] = {bool: {"true": True, "false": False}, type(None): {"none": None}}


class Ranged:
    """Base class of settings whose values must lie in the ranges that their types declare."""

    def __post_init__(self) -> None:
        for name, kind in typing.get_type_hints(type(self), include_extras=True).items():
            check(name, getattr(self, name), kind)


def read_settings(kind: type[S], given: Mapping[str, Any], name: str) -> S:
    """Return settings with `given` in place of the defaults.

    Args:
        kind: the dataclass of the settings.
        given: values by field; they may be text, as on a command line.
        name: the algorithm's name, for messages.

    Raises:
        ValueError: there is no such setting, or its value has another type or is out of range.
    """
    assert dataclasses.is_dataclass(kind)
    types_of = typing.get_type_hints(kind)
    fields = [field.name for field in dataclasses.fields(kind)]
    values = {}
    for key, value in given.items():
        if key not in fields:
            hint = now_called("setting", str(key), fields) or did_you_mean(str(key), fields)
            raise ValueError(f"{name} has no setting {key!r}{hint}")
        try:
            values[key] = _read(types_of[key], value)
        except (TypeError, ValueError, LookupError, OverflowError):
            raise ValueError(f"{key}={value!r} of {name} must be {described(types_of[key])}") from None
    return kind(**values)


def _read(kind: Any, value: Any) -> Any:
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        for one in sorted(inner, key=lambda one: one is not type(None)):  # "none" is read as None before str is tried
            with suppress(TypeError, ValueError, LookupError):
                return _read(one, value)
        raise ValueError
    if origin is Literal:
        return {str(choice): choice for choice in inner}[str(value)]
    if origin is tuple:
        texts = value.strip("() ").split(",") if isinstance(value, str) else value
        parts = [part for part in texts if str(part).strip()]
        kinds = inner[:1] * len(parts) if inner[-1] is ... else inner
        return tuple(_read(one, part) for one, part in zip(kinds, parts, strict=True))
    if kind in _WORDS:
        return _WORDS[kind][str(value).strip().lower()]
    if isinstance(value, bool) or (kind is str and not isinstance(value, str)):
        raise TypeError
    if kind is int and not isinstance(value, int):
        value = float(value)  # 1e6 is a whole number too
        if not value.is_integer():
            raise ValueError
    read = kind(value)
    if read != read:
        raise ValueError("NaN")
    return read
