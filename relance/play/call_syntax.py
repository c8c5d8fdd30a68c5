"""Reads texts such as "perturbed(0.1, published(alpha=1/3))": the name of an opponent or a reward, with arguments."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any

from relance.model.numbers import exact, short, show


@dataclass(frozen=True, eq=False)
class Call:
    """A name with its arguments: numbers, truth values or other calls. If made in Python, arguments may be any objects."""

    name: str
    positional: list[object]
    keywords: dict[str, object]

    def __repr__(self) -> str:
        parts = [*map(show, self.positional), *(f"{name}={show(value)}" for name, value in self.keywords.items())]
        return self.name + (f"({', '.join(parts)})" if parts else "")


def parse_call(text: str) -> Call:
    """Return the name and the arguments in a text such as "perturbed(0.1, uniform)" or "uniform".

    Raises:
        ValueError: the text is not a name, perhaps with arguments in brackets.
    """

    def value(node: ast.expr) -> Any:
        match node:
            case ast.Name(id="true" | "True" | "false" | "False" as flag):
                return flag.lower() == "true"
            case ast.Constant(value=bool() as truth):
                return truth
            case ast.Name(id=name):
                return Call(name, [], {})
            case ast.Call(func=ast.Name(id=name), args=parts, keywords=named) if None not in (
                given := [part.arg for part in named]
            ) and len(set(given)) == len(given):
                return Call(name, list(map(value, parts)), {str(part.arg): value(part.value) for part in named})
        return exact(ast.unparse(node), "an argument")

    try:
        if "#" in text:
            raise ValueError("a text with a comment (#) is not read")
        call = value(ast.parse(text.strip().replace("super-bluffer", "super_bluffer"), mode="eval").body)
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):  # the last two on deep text
        call = None
    if not isinstance(call, Call):
        raise ValueError(f"opponent {short(text)} cannot be read; write a name such as 'published(alpha=1/3)'")
    return call
