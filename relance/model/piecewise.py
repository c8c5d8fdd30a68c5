"""Functions of a hand on [0, 1]: piecewise polynomials with exact cuts and coefficients.

A strategy is piecewise constant, the expected chips of an action against it are piecewise polynomial (linear for
uniform hands), and a best response is an upper envelope. Values at the cuts themselves do not matter: a single
hand has probability 0.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import reduce
from typing import TypeAlias

from relance.model.numbers import Number, at_least_zero

Polynomial: TypeAlias = tuple[Number, ...]
"""Coefficients, the constant first; no trailing zeros, so the zero polynomial is ()."""

_ZERO, _ONE = Fraction(0), Fraction(1)


_FINEST = Fraction(1, 2**12)
"""Without a precision, the width of an interval in which a sign change of a curve is taken to be no fraction."""


class NotExactError(ArithmeticError):
    """A comparison has no exact answer here: a sign changes at a point that is not in the field, or depends on a parameter."""


def _trim(coefficients: Sequence[Number]) -> Polynomial:
    last = len(coefficients)
    while last and coefficients[last - 1] == 0:
        last -= 1
    return tuple(coefficients[:last])


def _add(p: Polynomial, q: Polynomial) -> Polynomial:
    if len(p) < len(q):
        p, q = q, p
    return _trim([a + b for a, b in zip(p, q, strict=False)] + list(p[len(q) :]))


def _multiply(p: Polynomial, q: Polynomial) -> Polynomial:
    if not p or not q:
        return ()
    out: list[Number] = [_ZERO] * (len(p) + len(q) - 1)
    for i, a in enumerate(p):
        for j, b in enumerate(q):
            out[i + j] = out[i + j] + a * b
    return _trim(out)


def _at(p: Polynomial, x: Number) -> Number:
    total: Number = _ZERO
    for coefficient in reversed(p):
        total = total * x + coefficient
    return total


def _primitive(p: Polynomial) -> Polynomial:
    return (_ZERO, *(coefficient * Fraction(1, k + 1) for k, coefficient in enumerate(p))) if p else ()


def _sign_pieces(p: Polynomial, left: Number, right: Number, precision: Number | None) -> list[tuple[Number, bool]]:
    """Cut [left, right] where p changes sign: (right end, is p >= 0 there), left to right."""
    if len(p) <= 1:
        return [(right, not p or at_least_zero(p[0]))]
    if len(p) == 2:
        ends = [_at(p, left), _at(p, right)]
        up = [end == 0 or at_least_zero(end) for end in ends]
        down = [end == 0 or not at_least_zero(end) for end in ends]
        if all(up) or all(down):
            return [(right, all(up))]
        return [(-p[0] / p[1], up[0]), (right, up[1])]
    bernstein = _bernstein(p, left, right)
    if all(b >= 0 for b in bernstein) or all(b <= 0 for b in bernstein):
        return [(right, all(b >= 0 for b in bernstein))]
    middle, least = (left + right) * Fraction(1, 2), _FINEST if precision is None else precision
    if right - left >= least:
        return _sign_pieces(p, left, middle, precision) + _sign_pieces(p, middle, right, precision)
    if precision is None:
        raise NotExactError(
            f"an expected payoff of degree {len(p) - 1} changes sign near {float(middle):.6g}, which is no fraction"
        )
    return [(right, bool(_at(p, middle) >= 0))]


def _bernstein(p: Polynomial, left: Number, right: Number) -> list[Number]:
    """Coefficients of p in the Bernstein basis of [left, right]; p lies between their least and greatest."""
    degree = len(p) - 1
    shifted: list[Number] = []
    rest = list(p)
    while rest:  # Taylor coefficients at `left`, by repeated synthetic division
        for k in range(len(rest) - 2, -1, -1):
            rest[k] = rest[k] + rest[k + 1] * left
        shifted.append(rest.pop(0))
    width = right - left
    scaled = [c * width**k for k, c in enumerate(shifted)]
    binomial = [[_ONE]]
    for n in range(1, degree + 1):
        row = binomial[-1]
        binomial.append([_ONE, *(row[k] + row[k + 1] for k in range(n - 1)), _ONE])
    return [
        sum((scaled[k] * binomial[i][k] / binomial[degree][k] for k in range(i + 1)), _ZERO) for i in range(degree + 1)
    ]


class Piecewise:
    """A function on [cuts[0], cuts[-1]]: polynomial `pieces[i]` between `cuts[i]` and `cuts[i + 1]`."""

    __slots__ = ("cuts", "pieces")

    def __init__(self, cuts: Sequence[Number], pieces: Sequence[Polynomial]) -> None:
        if len(cuts) != len(pieces) + 1:
            raise ValueError(f"{len(cuts)} cuts need {len(cuts) - 1} pieces, not {len(pieces)}")
        self.cuts: tuple[Number, ...] = tuple(cuts)
        self.pieces: tuple[Polynomial, ...] = tuple(pieces)

    @classmethod
    def constant(cls, value: Number) -> Piecewise:
        """The function that is `value` on all of [0, 1]."""
        return cls((_ZERO, _ONE), (_trim((value,)),))

    @classmethod
    def steps(cls, intervals: Iterable[tuple[Number, Number, Number]]) -> Piecewise:
        """The sum of steps (left, right, height) on [0, 1], zero elsewhere. Empty intervals are allowed."""
        total = cls.constant(_ZERO)
        for left, right, height in intervals:
            if not _ZERO <= left <= right <= _ONE:
                raise ValueError(f"interval [{left}, {right}] does not lie in [0, 1]")
            cuts = [_ZERO, *(c for c in (left, right) if c not in (0, 1)), _ONE]
            cuts = [c for i, c in enumerate(cuts) if i == 0 or c != cuts[i - 1]]
            total = total + cls(
                cuts,
                [_trim((height,)) if left <= a and b <= right else () for a, b in itertools.pairwise(cuts)],
            )
        return total.simplified()

    def _refined(self, cuts: tuple[Number, ...]) -> list[Polynomial]:
        pieces, i = [], 0
        for right in cuts[1:]:
            pieces.append(self.pieces[i])
            if right == self.cuts[i + 1]:
                i += 1
        return pieces

    def _combine(self, other: Piecewise, op: Callable[[Polynomial, Polynomial], Polynomial]) -> Piecewise:
        cuts = self.cuts if self.cuts == other.cuts else _merge(self.cuts, other.cuts)
        return Piecewise(cuts, [op(p, q) for p, q in zip(self._refined(cuts), other._refined(cuts), strict=True)])

    def __add__(self, other: Piecewise | Number) -> Piecewise:
        return self._combine(_lift(other), _add)

    __radd__ = __add__

    def __neg__(self) -> Piecewise:
        return Piecewise(self.cuts, [tuple(-c for c in p) for p in self.pieces])

    def __sub__(self, other: Piecewise | Number) -> Piecewise:
        return self + (-_lift(other))

    def __rsub__(self, other: Number) -> Piecewise:
        return _lift(other) + (-self)

    def __mul__(self, other: Piecewise | Number) -> Piecewise:
        if isinstance(other, Piecewise):
            return self._combine(other, _multiply)
        return Piecewise(self.cuts, [_trim([c * other for c in p]) for p in self.pieces])

    __rmul__ = __mul__

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Piecewise):
            return NotImplemented
        return all(not p for p in (self - other).pieces)

    __hash__ = None  # type: ignore[assignment]  # equality is by value of exact functions, which have no cheap hash

    def __call__(self, x: Number) -> Number:
        """The value at `x`; at a cut, that of the piece to its right."""
        if not self.cuts[0] <= x <= self.cuts[-1]:
            raise ValueError(f"hand {x} is not in [{self.cuts[0]}, {self.cuts[-1]}]")
        i = next((i for i, right in enumerate(self.cuts[1:]) if x < right), len(self.pieces) - 1)
        return _at(self.pieces[i], x)

    def __repr__(self) -> str:
        spans = zip(self.cuts, self.cuts[1:], self.pieces, strict=False)
        return (
            "Piecewise("
            + ", ".join(f"[{a}, {b}]: {' + '.join(f'{c}*x^{k}' for k, c in enumerate(p)) or 0}" for a, b, p in spans)
            + ")"
        )

    def cumulative(self) -> Piecewise:
        """The integral from the left end to x, as a function of x."""
        total: Number = _ZERO
        pieces: list[Polynomial] = []
        for left, right, p in zip(self.cuts, self.cuts[1:], self.pieces, strict=False):
            primitive = _primitive(p)
            pieces.append(_add(primitive, _trim((total - _at(primitive, left),))))
            total = total + _at(primitive, right) - _at(primitive, left)
        return Piecewise(self.cuts, pieces)

    def integral(self, left: Number | None = None, right: Number | None = None) -> Number:
        """The integral from `left` to `right`, by default over everything."""
        total = self.cumulative()
        low = self.cuts[0] if left is None else left
        high = self.cuts[-1] if right is None else right
        return total(high) - total(low)

    def simplified(self) -> Piecewise:
        """The same function without cuts at which nothing changes."""
        keep = [i for i in range(1, len(self.pieces)) if self.pieces[i] != self.pieces[i - 1]]
        return Piecewise(
            (self.cuts[0], *(self.cuts[i] for i in keep), self.cuts[-1]),
            (self.pieces[0], *(self.pieces[i] for i in keep)),
        )

    def where_nonnegative(self, precision: Number | None = None) -> Piecewise:
        """1 where the function is at least 0, and 0 elsewhere.

        Where a sign changes at a point that is not in the field, that point is found to within `precision`, or, without
        one, NotExactError is raised.
        """
        cuts, pieces = [self.cuts[0]], []
        for left, right, p in zip(self.cuts, self.cuts[1:], self.pieces, strict=False):
            for end, positive in _sign_pieces(p, left, right, precision):
                cuts.append(end)
                pieces.append((_ONE,) if positive else ())
        return Piecewise(cuts, pieces).simplified()

    def values(self) -> list[Number]:
        """The constant value of each piece. Raises ValueError if a piece is not constant."""
        if any(len(p) > 1 for p in self.pieces):
            raise ValueError("not piecewise constant")
        return [p[0] if p else _ZERO for p in self.pieces]


def check_cuts(cuts: Sequence[Number]) -> None:
    """Raise ValueError unless `cuts` go up from 0 to 1."""
    if len(cuts) < 2 or cuts[0] != 0 or cuts[-1] != 1 or not all(a < b for a, b in itertools.pairwise(cuts)):
        raise ValueError(f"cuts must go up from 0 to 1, not {', '.join(map(str, cuts[:6]))}")


def refined(functions: Sequence[Piecewise]) -> list[Piecewise]:
    """The same functions with all their cuts in common. Raises ValueError if they are not on the same interval."""
    cuts = reduce(_merge, (f.cuts for f in functions))
    return [Piecewise(cuts, f._refined(cuts)) for f in functions]


def _lift(value: Piecewise | Number) -> Piecewise:
    return value if isinstance(value, Piecewise) else Piecewise.constant(value)


def _merge(a: tuple[Number, ...], b: tuple[Number, ...]) -> tuple[Number, ...]:
    out: list[Number] = []
    i = j = 0
    while i < len(a) and j < len(b):
        if a[i] == b[j]:
            out.append(a[i])
            i, j = i + 1, j + 1
        elif a[i] < b[j]:
            out.append(a[i])
            i += 1
        else:
            out.append(b[j])
            j += 1
    if i < len(a) or j < len(b):
        raise ValueError(f"functions on [{a[0]}, {a[-1]}] and [{b[0]}, {b[-1]}] do not combine")
    return tuple(out)
