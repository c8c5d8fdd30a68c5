"""Names with arguments, such as "perturbed(0.1, published(alpha=1/3))", as data."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any

from relance.model.numbers import exact, show


@dataclass(frozen=True, eq=False)
class Call:
    """A name with its arguments: numbers, truth values, or calls in their turn; from python any objects."""

    name: str
    given: list[Any]
    named: dict[str, Any]

    def __repr__(self) -> str:
        parts = [*map(show, self.given), *(f"{name}={show(value)}" for name, value in self.named.items())]
        return self.name + (f"({', '.join(parts)})" if parts else "")


def parse(text: str) -> Call:
    """Read a name with arguments. Raises ValueError for anything else."""

    def read(node: ast.expr) -> Any:
        match node:
            case ast.Name(id="true" | "True" | "false" | "False" as flag):
                return flag.lower() == "true"
            case ast.Constant(value=bool() as truth):
                return truth
            case ast.Name(id=name):
                return Call(name, [], {})
            case ast.Call(func=ast.Name(id=name), args=given, keywords=named) if all(part.arg for part in named):
                return Call(name, [read(part) for part in given], {str(part.arg): read(part.value) for part in named})
        return exact(ast.unparse(node), "an argument")

    try:
        found = read(ast.parse(text.strip().replace("super-bluffer", "super_bluffer"), mode="eval").body)
    except (SyntaxError, ValueError, TypeError):
        found = None
    if not isinstance(found, Call):
        raise ValueError(
            f"opponent {text!r} cannot be read; write a name, or one with arguments such as 'published(alpha=1/3)'"
        )
    return found
