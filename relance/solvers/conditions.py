"""Conditions on parameters, such as "0 < a <= b", read for the prover or for numbers."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

import z3

from relance.model.numbers import FieldElement, Number, formula


class Z3Number(FieldElement):
    """A z3 real that mixes with Fractions, for reading conditions with `formula`."""

    def __init__(self, real: Any) -> None:
        self.real = real

    @staticmethod
    def of(value: Any) -> Any:
        return value.real if isinstance(value, Z3Number) else z3.RealVal(str(value))

    def __add__(self, other: Any) -> Z3Number:
        return Z3Number(self.real + self.of(other))

    __radd__ = __add__

    def __mul__(self, other: Any) -> Z3Number:
        return Z3Number(self.real * self.of(other))

    __rmul__ = __mul__

    def __sub__(self, other: Any) -> Z3Number:
        return Z3Number(self.real - self.of(other))

    def __rsub__(self, other: Any) -> Z3Number:
        return Z3Number(self.of(other) - self.real)

    def __truediv__(self, other: Any) -> Z3Number:
        return Z3Number(self.real / self.of(other))

    def __neg__(self) -> Z3Number:
        return Z3Number(-self.real)

    def __pow__(self, power: int) -> Z3Number:
        out = Z3Number(z3.RealVal(1))
        for _ in range(power):
            out = out * self
        return out


_RELATIONS: dict[type, str] = {ast.Gt: ">", ast.GtE: ">=", ast.Lt: "<", ast.LtE: "<=", ast.Eq: "="}


def conditions_of(text: str, letters: Mapping[str, Number]) -> Iterator[Any]:
    """The comparisons of a chain such as "0 < a <= b": truth values where the letters are numbers, else z3 conditions."""
    try:
        chain = ast.parse(text.strip(), mode="eval").body
    except SyntaxError:
        raise ValueError(f"condition {text!r} cannot be read") from None
    if not isinstance(chain, ast.Compare):
        raise ValueError(f"condition {text!r} is not a comparison such as 'B > 0'")
    sides: list[Any] = [formula(ast.unparse(side), letters) for side in (chain.left, *chain.comparators)]
    if any(isinstance(side, Z3Number) for side in sides):
        sides = [Z3Number.of(side) for side in sides]
    for left, op, right in zip(sides, chain.ops, sides[1:], strict=False):
        match _RELATIONS.get(type(op)):
            case ">":
                yield left > right
            case ">=":
                yield left >= right
            case "<":
                yield left < right
            case "<=":
                yield left <= right
            case "=":
                yield left == right
            case _:
                raise ValueError(f"condition {text!r}: only > >= < <= == are read")
