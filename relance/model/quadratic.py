"""The field Q(sqrt d): exact numbers a + b sqrt(d), for thresholds such as Cutler's in Q(sqrt 7)."""

from __future__ import annotations

import math
import re
from fractions import Fraction

from relance.model.arguments import checked
from relance.model.numbers import FieldElement

_RATIO = r"-?\d+(?:/\d+)?"


class Quadratic(FieldElement):
    """The number `rational` + `root` * sqrt(`radicand`), for a positive `radicand` that is not a square."""

    __slots__ = ("radicand", "rational", "root")

    def __init__(self, radicand: int, rational: Fraction | int, root: Fraction | int) -> None:
        self.radicand = radicand
        self.rational = rational if isinstance(rational, Fraction) else Fraction(rational)
        self.root = root if isinstance(root, Fraction) else Fraction(root)

    @classmethod
    def read(cls, text: str) -> Quadratic:
        """Read text such as "1/2 - 3*sqrt(7)", as `str` writes it.

        Raises:
            ValueError: the text is not of this form.
        """
        match = re.fullmatch(rf"(?:({_RATIO}) ([+-]) )?(-?)(?:({_RATIO})\*)?sqrt\((\d+)\)", text)
        if match is None:
            raise ValueError(f"{text!r} is not a number such as '1/2 - 3*sqrt(7)'")
        size = Fraction(match[4] or 1) * (-1 if "-" in (match[2], match[3]) else 1)
        return cls(int(match[5]), Fraction(match[1] or 0), size)

    def lift(self, other: object) -> Quadratic | None:
        if isinstance(other, Quadratic):
            if other.radicand != self.radicand:
                raise ValueError(f"numbers of Q(sqrt {self.radicand}) and Q(sqrt {other.radicand}) cannot be combined")
            return other
        if isinstance(other, int) or type(other) is Fraction:  # a subclass of Fraction brings its own operators
            return Quadratic(self.radicand, other, 0)
        return None

    def plus(self, other: Quadratic) -> Quadratic:
        return Quadratic(self.radicand, self.rational + other.rational, self.root + other.root)

    def times(self, other: Quadratic) -> Quadratic:
        rational = self.rational * other.rational + self.radicand * self.root * other.root
        return Quadratic(self.radicand, rational, self.rational * other.root + self.root * other.rational)

    def inverse(self) -> Quadratic:
        norm = self._norm
        return Quadratic(self.radicand, self.rational / norm, -self.root / norm)

    @property
    def _norm(self) -> Fraction:
        return self.rational**2 - self.radicand * self.root**2

    def __neg__(self) -> Quadratic:
        return Quadratic(self.radicand, -self.rational, -self.root)

    def is_positive(self, or_zero: bool) -> bool:
        """Return True if the number is > 0, or >= 0 if `or_zero`, exactly: for terms of unlike sign, the norm tells which is larger."""
        if not self.rational and not self.root:
            return or_zero
        if self.rational >= 0 and self.root >= 0:
            return True
        return (self.rational > 0 or self.root > 0) and (self._norm > 0) == (self.rational > 0)

    def __eq__(self, other: object) -> bool:
        number = self.lift(other)
        return NotImplemented if number is None else (self.rational, self.root) == (number.rational, number.root)

    def __hash__(self) -> int:
        return hash(self.rational) if not self.root else hash((self.radicand, self.rational, self.root))

    def __float__(self) -> float:
        a, b, root = float(self.rational), float(self.root), math.sqrt(self.radicand)
        if a * b >= 0:
            return a + b * root
        # The two terms cancel: divide the exact norm by the conjugate, whose terms add.
        return float(self._norm) / (a - b * root)

    def __str__(self) -> str:
        if not self.root:
            return str(self.rational)
        size = abs(self.root)
        term = f"sqrt({self.radicand})" if size == 1 else f"{size}*sqrt({self.radicand})"
        if not self.rational:
            return term if self.root > 0 else f"-{term}"
        return f"{self.rational} {'+' if self.root > 0 else '-'} {term}"

    __repr__ = __str__


@checked
def square_root(radicand: int) -> Quadratic:
    """The square root of a positive whole number that is not a square."""
    return Quadratic(radicand, 0, 1)
