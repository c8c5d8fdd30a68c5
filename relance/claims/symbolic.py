"""Rational functions of parameters as numbers, whose comparisons are proved over a region. Needs python-flint."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Literal, Protocol, TypeAlias

from relance.model.numbers import FieldElement, Number, exact

Polynomial: TypeAlias = Any
"""A multivariate polynomial over Q of python-flint."""

Relation: TypeAlias = Literal[">", ">="]


NUMBERS = {
    __name__,
    "relance.claims.traced_numbers",
    "relance.claims.trace",
    "relance.claims.proof",
    "relance.model.numbers",
    "relance.model.quadratic",
    "relance.model.conditions",
}
"""The modules of numbers and comparisons, which `asked_by_a_check` skips when it looks for the caller."""


def asked_by_a_check() -> bool:
    """Return True if the code that asked for the present comparison is a check in `relance.claims`, not a game or a solver."""
    frame = sys._getframe(1)
    while (module := frame.f_globals["__name__"]) in NUMBERS and frame.f_back:
        frame = frame.f_back
    return bool(module.startswith("relance.claims."))


class RegionLike(Protocol):
    """What a rational function needs from its region (a `relance.claims.proof.Region`): the polynomial ring, and proofs of signs."""

    names: tuple[str, ...]
    ring: Any
    one: Polynomial
    thin: bool

    def constant(self, number: int | Fraction) -> Polynomial: ...
    def always(self, number: Symbolic, relation: Relation) -> bool: ...
    def weak_sign(self, number: Symbolic) -> bool: ...
    def identical(self, one: Symbolic, other: Symbolic) -> bool: ...
    def strict_sign(self, polynomial: Polynomial) -> int: ...
    def need(self, point: Mapping[str, Number]) -> None: ...
    def point_with_sign(self, number: Symbolic, sign: int) -> dict[str, Fraction] | None: ...


class Symbolic(FieldElement):
    """A rational function `top` / `bottom` of a region's parameters, in lowest terms; comparisons are proved over the region."""

    __slots__ = ("bottom", "region", "top")

    def __init__(self, region: RegionLike, top: Polynomial, bottom: Polynomial) -> None:
        self.region, self.top, self.bottom = region, top, bottom

    def _reduced(self, top: Polynomial, bottom: Polynomial) -> Symbolic:
        if bottom == self.region.one:
            return Symbolic(self.region, top, bottom)
        if not bottom.is_constant():
            common = top.gcd(bottom)
            if common != self.region.one:
                top, bottom = top / common, bottom / common
        lead = bottom.leading_coefficient()
        if lead != 1:
            top, bottom = top / lead, bottom / lead
        return Symbolic(self.region, top, bottom)

    def lift(self, other: object) -> Symbolic | None:
        if isinstance(other, Symbolic):
            if other.region is not self.region:
                raise ValueError(f"numbers for two parameter regions cannot be combined: {self.region}; {other.region}")
            return other
        if isinstance(other, int) or type(other) is Fraction:  # a subclass of Fraction brings its own operators
            return Symbolic(self.region, self.region.constant(other), self.region.one)
        return None

    def plus(self, other: Symbolic) -> Symbolic:
        if other.bottom == self.bottom:
            return self._reduced(self.top + other.top, self.bottom)
        if other.bottom == self.region.one:
            return Symbolic(self.region, self.top + other.top * self.bottom, self.bottom)
        if self.bottom == self.region.one:
            return Symbolic(self.region, self.top * other.bottom + other.top, other.bottom)
        # As in Python's fractions: the parts are in lowest terms, so common factors are sought only where they can be.
        common = self.bottom.gcd(other.bottom)
        left, right = self.bottom / common, other.bottom / common
        top = self.top * right + other.top * left
        if not top:
            return Symbolic(self.region, top, self.region.one)
        more = top.gcd(common)
        return Symbolic(self.region, top / more, left * (other.bottom / more))

    def times(self, other: Symbolic) -> Symbolic:
        one = self.region.one
        if self.bottom == one == other.bottom:
            return Symbolic(self.region, self.top * other.top, one)
        first, second = self.top.gcd(other.bottom), other.top.gcd(self.bottom)
        top, bottom = (self.top / first) * (other.top / second), (self.bottom / second) * (other.bottom / first)
        return Symbolic(self.region, top, bottom)

    def inverse(self) -> Symbolic:
        if self.top == 0:
            raise ZeroDivisionError("division by 0")
        self.region.strict_sign(self.top)  # raises unless the divisor is nowhere 0 in the region
        return self._reduced(self.bottom, self.top)

    def __neg__(self) -> Symbolic:
        return Symbolic(self.region, -self.top, self.bottom)

    def __pow__(self, power: int) -> Symbolic:
        if power < 0:
            return self.inverse() ** -power
        return Symbolic(self.region, self.top**power, self.bottom**power)

    def is_positive(self, or_zero: bool) -> bool:
        return self.region.always(self, ">=" if or_zero else ">")

    def at_least_zero(self) -> bool:
        return self.region.weak_sign(self)

    def __eq__(self, other: object) -> bool:
        number = self.lift(other)
        return NotImplemented if number is None else self.region.identical(self, number)

    def __hash__(self) -> int:
        if self.region.thin:  # there, numbers that are equal may look different
            return 0
        whole = self.top.is_constant() and self.bottom == self.region.one
        return hash(Fraction(str(self.top)) if whole else (str(self.top), str(self.bottom)))

    def derivative(self, name: str) -> Symbolic:
        """Return the partial derivative with respect to the parameter `name`."""
        i = self.region.names.index(name)
        top = self.top.derivative(i) * self.bottom - self.top * self.bottom.derivative(i)
        return self._reduced(top, self.bottom * self.bottom)

    def at(self, point: Mapping[str, Number]) -> Number:
        """Return the value at a point {parameter: value} of the region; the values may be symbolic numbers of another region.

        Comparisons that led to this number were decided for its region, so elsewhere the number may be another.

        Raises:
            ElsewhereError: the region does not contain the point for all values of the symbols in it; an ArithmeticError.
        """
        self.region.need(point)
        return _evaluate(self.top, self.region.names, point) / _evaluate(self.bottom, self.region.names, point)

    def __str__(self) -> str:
        (c, upper), (d, lower) = self.top.factor(), self.bottom.factor()
        ratio = Fraction(str(c)) / Fraction(str(d))
        upper = list(upper)
        for i, (factor, power) in enumerate(upper):
            if ratio < 0 and power % 2 and len(factor) > 1:  # write -(x - 1) as (1 - x)
                ratio, upper[i] = -ratio, (-factor, power)
        top, bottom = _product(ratio.numerator, upper), _product(ratio.denominator, lower)
        if bottom == "1":
            return top
        single = "*" not in re.sub(r"\(.*?\)", "", bottom)
        return f"{top}/{bottom}" if single else f"{top}/({bottom})"

    __repr__ = __str__


def _product(constant: int, factors: list[tuple[Polynomial, Any]]) -> str:
    """A product as text, such as "2*B*(B + 1)^2"."""
    parts = [_sum(factor) if len(factor) == 1 else f"({_sum(factor)})" for factor, _ in factors]
    parts = [part if power == 1 else f"{part}^{power}" for part, (_, power) in zip(parts, factors, strict=True)]
    if not parts:
        return str(constant)
    product = "*".join(parts)
    return product if constant == 1 else f"-{product}" if constant == -1 else f"{constant}*{product}"


def _sum(polynomial: Polynomial) -> str:
    """A polynomial as text, with the highest power first, or the lowest first if the highest has a negative coefficient."""
    if len(polynomial) == 1 or polynomial.leading_coefficient() > 0:
        return str(polynomial)
    words = str(polynomial).replace("- ", "+ -").split(" + ")[::-1]
    return " + ".join(words).replace("+ -", "- ")


def _evaluate(polynomial: Polynomial, names: tuple[str, ...], point: Mapping[str, Number]) -> Number:
    total: Number = Fraction(0)
    for powers, coefficient in polynomial.terms():
        term: Number = Fraction(str(coefficient))
        for name, power in zip(names, powers, strict=True):
            term = term * exact(point[name], name) ** int(power)
        total = total + term
    return total
