"""The field Q(sqrt d): exact numbers a + b sqrt(d), for thresholds such as Cutler's in Q(sqrt 7)."""

from __future__ import annotations

import math
import re
from fractions import Fraction

from relance.model.numbers import FieldElement

_RATIO = r"-?\d+(?:/\d+)?"


class Quadratic(FieldElement):
    """The number `rational` + `root` * sqrt(`radicand`), for a positive `radicand` that is no square."""

    __slots__ = ("radicand", "rational", "root")

    def __init__(self, radicand: int, rational: Fraction | int, root: Fraction | int) -> None:
        self.radicand, self.rational, self.root = radicand, Fraction(rational), Fraction(root)

    @classmethod
    def read(cls, text: str) -> Quadratic:
        """Read what `str` wrote, such as "1/2 - 3*sqrt(7)". Raises ValueError for anything else."""
        found = re.fullmatch(rf"(?:({_RATIO})(?: ([+-]) )?)?(-?)(?:({_RATIO})\*)?sqrt\((\d+)\)", text)
        if found is None or (found[1] is None) != (found[2] is None):
            raise ValueError(f"{text!r} is not a number such as '1/2 - 3*sqrt(7)'")
        size = Fraction(found[4] or 1) * (-1 if "-" in (found[2], found[3]) else 1)
        return cls(int(found[5]), Fraction(found[1] or 0), size)

    def _parts(self, other: object) -> tuple[Fraction, Fraction] | None:
        if isinstance(other, Quadratic):
            if other.radicand != self.radicand:
                raise ValueError(f"numbers of Q(sqrt {self.radicand}) and Q(sqrt {other.radicand}) do not mix")
            return other.rational, other.root
        return (Fraction(other), Fraction(0)) if isinstance(other, (int, Fraction)) else None

    def _new(self, rational: Fraction, root: Fraction) -> Quadratic:
        return Quadratic(self.radicand, rational, root)

    def __add__(self, other: object) -> Quadratic:
        if (parts := self._parts(other)) is None:
            return NotImplemented
        return self._new(self.rational + parts[0], self.root + parts[1])

    __radd__ = __add__

    def __neg__(self) -> Quadratic:
        return self._new(-self.rational, -self.root)

    def __sub__(self, other: object) -> Quadratic:
        if (parts := self._parts(other)) is None:
            return NotImplemented
        return self._new(self.rational - parts[0], self.root - parts[1])

    def __rsub__(self, other: object) -> Quadratic:
        return -self + other

    def __mul__(self, other: object) -> Quadratic:
        if (parts := self._parts(other)) is None:
            return NotImplemented
        a, b = parts
        return self._new(self.rational * a + self.radicand * self.root * b, self.rational * b + self.root * a)

    __rmul__ = __mul__

    def _inverse(self) -> Quadratic:
        norm = self.rational**2 - self.radicand * self.root**2
        if norm == 0:
            raise ZeroDivisionError("division by 0")
        return self._new(self.rational / norm, -self.root / norm)

    def __truediv__(self, other: object) -> Quadratic:
        if (parts := self._parts(other)) is None:
            return NotImplemented
        return self * self._new(*parts)._inverse()

    def __rtruediv__(self, other: object) -> Quadratic:
        return self._inverse() * other

    def __pow__(self, power: int) -> Quadratic:
        out = self._new(Fraction(1), Fraction(0))
        for _ in range(power):
            out = out * self
        return out

    def sign(self) -> int:
        """-1, 0 or 1, decided without rounding."""
        a, b = self.rational, self.root
        signs = [(x > 0) - (x < 0) for x in (a, b)]
        if signs[0] == signs[1] or signs[1] == 0:
            return signs[0]
        if signs[0] == 0:
            return signs[1]
        return signs[0] if a * a > self.radicand * b * b else signs[1]

    def at_least_zero(self) -> bool:
        return self.sign() >= 0

    def __eq__(self, other: object) -> bool:
        parts = self._parts(other)
        return NotImplemented if parts is None else (self.rational, self.root) == parts

    def __hash__(self) -> int:
        return hash(self.rational) if not self.root else hash((self.radicand, self.rational, self.root))

    def __lt__(self, other: object) -> bool:
        return (self - other).sign() < 0

    def __le__(self, other: object) -> bool:
        return (self - other).sign() <= 0

    def __gt__(self, other: object) -> bool:
        return (self - other).sign() > 0

    def __ge__(self, other: object) -> bool:
        return (self - other).sign() >= 0

    def __abs__(self) -> Quadratic:
        return self if self.sign() >= 0 else -self

    def __float__(self) -> float:
        a, b, root = float(self.rational), float(self.root), math.sqrt(self.radicand)
        if a * b >= 0:
            return a + b * root
        # The two terms cancel: divide the exact norm by the conjugate, whose terms add.
        return float(self.rational**2 - self.radicand * self.root**2) / (a - b * root)

    def __str__(self) -> str:
        if not self.root:
            return str(self.rational)
        size = abs(self.root)
        term = f"sqrt({self.radicand})" if size == 1 else f"{size}*sqrt({self.radicand})"
        if not self.rational:
            return term if self.root > 0 else f"-{term}"
        return f"{self.rational} {'+' if self.root > 0 else '-'} {term}"

    __repr__ = __str__


def square_root(radicand: int) -> Quadratic:
    """The square root of a positive whole number that is no square."""
    return Quadratic(radicand, 0, 1)
