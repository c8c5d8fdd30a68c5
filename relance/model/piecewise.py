"""Functions of a hand on [0, 1]: piecewise polynomials with exact cuts and coefficients.

A strategy is piecewise constant, the expected chips of an action against it are piecewise polynomial (linear for uniform hands), and the
value of a best response is their upper envelope over actions. Values at the cuts themselves do not matter: a single hand has probability 0.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import reduce
from itertools import groupby, pairwise
from math import comb
from typing import TypeAlias

from relance.model.numbers import Number, at_least_zero, over_one_denominator

Coefficients: TypeAlias = tuple[Number, ...]
"""The coefficients of a polynomial, the constant first; no trailing zeros, so the zero polynomial is ()."""

_ZERO: Number = Fraction(0)
_ONE: Number = Fraction(1)

_FINEST = Fraction(1, 2**12)
"""Without a precision, the search for a sign change stops at intervals narrower than this: the point is then not a fraction."""


class NotExactError(ArithmeticError):
    """A function changes its sign at a point that the exact numbers in use cannot express, such as 1/sqrt(2)."""


def _trim(coefficients: Sequence[Number]) -> Coefficients:
    last = len(coefficients)
    while last and coefficients[last - 1] == 0:
        last -= 1
    return tuple(coefficients[:last])


def _add(p: Coefficients, q: Coefficients) -> Coefficients:
    if len(p) < len(q):
        p, q = q, p
    if not q:
        return p
    return _trim([a + b for a, b in zip(p, q, strict=False)] + list(p[len(q) :]))


def _multiply(p: Coefficients, q: Coefficients) -> Coefficients:
    if not p or not q:
        return ()
    if len(p) == 1 or len(q) == 1:
        return _trim([a * b for a in p for b in q])
    out: list[Number] = [_ZERO] * (len(p) + len(q) - 1)
    for i, a in enumerate(p):
        for j, b in enumerate(q):
            out[i + j] = out[i + j] + a * b
    return _trim(out)


def _at(p: Coefficients, x: Number) -> Number:
    if not p:
        return _ZERO
    total = p[-1]
    for c in p[-2::-1]:
        total = total * x + c
    return total


def _primitive(p: Coefficients) -> Coefficients:
    return (_ZERO, *(coefficient * Fraction(1, k + 1) for k, coefficient in enumerate(p))) if p else ()


def _sign_pieces(p: Coefficients, left: Number, right: Number, precision: Number | None) -> list[tuple[Number, bool]]:
    """Cut [left, right] where p changes sign; yield (right end, True if p >= 0 there) from left to right."""
    if len(p) <= 1:
        return [(right, not p or at_least_zero(p[0]))]
    if len(p) == 2:
        ends = [_at(p, left), _at(p, right)]
        up = [end == 0 or at_least_zero(end) for end in ends]
        down = [end == 0 or not at_least_zero(end) for end in ends]
        if all(up) or all(down):
            return [(right, all(up))]
        return [(-p[0] / p[1], up[0]), (right, up[1])]
    hull = bernstein(p, left, right)
    return _hull_pieces(over_one_denominator(hull)[0], left, right, precision)


def _hull_pieces(
    hull: Sequence[Number], left: Number, right: Number, precision: Number | None
) -> list[tuple[Number, bool]]:
    """`_sign_pieces` of a polynomial with these Bernstein coefficients on [left, right], or positive multiples of them."""
    if all(b >= 0 for b in hull) or all(b <= 0 for b in hull):
        return [(right, all(b >= 0 for b in hull))]
    lower, upper = _halved(hull)
    middle, least = (left + right) * Fraction(1, 2), _FINEST if precision is None else precision
    if right - left >= least:
        return _hull_pieces(lower, left, middle, precision) + _hull_pieces(upper, middle, right, precision)
    if precision is None:
        raise NotExactError(
            f"a polynomial of degree {len(hull) - 1} in the hand changes sign near hand {float(middle):.6g}; the exact hand is not found"
        )
    return [(right, bool(upper[0] >= 0))]


def _halved(hull: Sequence[Number]) -> tuple[list[Number], list[Number]]:
    """The Bernstein coefficients on both halves of the interval, times a power of 2: de Casteljau's algorithm."""
    degree = len(hull) - 1
    lower, upper, row = list[Number](), list[Number](), list(hull)
    for k in range(degree + 1):
        lower.append(row[0] * 2 ** (degree - k))
        upper.append(row[-1] * 2 ** (degree - k))
        row = [a + b for a, b in pairwise(row)]
    return lower, upper[::-1]


def bernstein(p: Coefficients, left: Number, right: Number) -> list[Number]:
    """Polynomial p's coefficients in the Bernstein basis of [left, right]; there p stays between the least and the greatest of them."""
    n, shifted = len(p) - 1, list[Number]()
    rest = list(p)
    while rest:  # Taylor coefficients at `left`, by repeated synthetic division
        for k in range(len(rest) - 2, -1, -1):
            rest[k] = rest[k] + rest[k + 1] * left
        shifted.append(rest.pop(0))
    scaled = [c * (right - left) ** k * Fraction(1, comb(n, k)) for k, c in enumerate(shifted)]
    whole, common = over_one_denominator(scaled)
    return [sum(whole[k] * comb(i, k) for k in range(i + 1)) * Fraction(1, common) for i in range(n + 1)]


class Piecewise:
    """A function on [0, 1]: `pieces[i]` are its coefficients, constant first, between `cuts[i]` and `cuts[i + 1]`."""

    __slots__ = ("cuts", "pieces")

    def __init__(self, cuts: Sequence[Number], pieces: Sequence[Coefficients]) -> None:
        if len(cuts) != len(pieces) + 1 or cuts[0] != 0 or cuts[-1] != 1:
            raise ValueError(
                f"{len(pieces)} pieces need {len(pieces) + 1} cuts from 0 to 1, not {', '.join(map(str, cuts[:6]))}"
            )
        self.cuts: tuple[Number, ...] = tuple(cuts)
        self.pieces: tuple[Coefficients, ...] = tuple(pieces)

    @classmethod
    def constant(cls, value: Number) -> Piecewise:
        """The function that is `value` on all of [0, 1]."""
        return cls((_ZERO, _ONE), (_trim((value,)),))

    @classmethod
    def steps(cls, intervals: Iterable[tuple[Number, Number, Number]]) -> Piecewise:
        """The sum of step functions, given as (left, right, height): each is `height` from `left` to `right`, and 0 elsewhere."""
        total = cls.constant(_ZERO)
        for left, right, height in intervals:
            if not _ZERO <= left <= right <= _ONE:
                raise ValueError(f"interval [{left}, {right}] needs 0 <= left end <= right end <= 1")
            cuts = [cut for cut, _ in groupby((_ZERO, left, right, _ONE))]
            total += cls(cuts, [_trim((height,)) if left <= a and b <= right else () for a, b in pairwise(cuts)])
        return total.simplified()

    def _refined(self, cuts: tuple[Number, ...]) -> list[Coefficients]:
        pieces, i = [], 0
        for right in cuts[1:]:
            pieces.append(self.pieces[i])
            if right == self.cuts[i + 1]:
                i += 1
        return pieces

    def _combine(self, other: Piecewise, op: Callable[[Coefficients, Coefficients], Coefficients]) -> Piecewise:
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
        """The value at `x`; at a cut, the value of the piece to its right."""
        if not 0 <= x <= 1:
            raise ValueError(f"hand {x} is not in [0, 1]")
        return _at(self.pieces[bisect_right(self.cuts, x, 1, len(self.pieces)) - 1], x)

    def __repr__(self) -> str:
        spans = zip(pairwise(self.cuts), self.pieces, strict=True)
        parts = [f"[{a}, {b}]: {' + '.join(f'{c}*x^{k}' for k, c in enumerate(p)) or 0}" for (a, b), p in spans]
        return f"Piecewise({', '.join(parts)})"

    def cumulative(self) -> Piecewise:
        """The integral from 0 to x, as a function of x."""
        total: Number = _ZERO
        pieces: list[Coefficients] = []
        for (left, right), p in zip(pairwise(self.cuts), self.pieces, strict=True):
            if not p:
                pieces.append(_trim((total,)))
                continue
            primitive = _primitive(p)
            pieces.append(_add(primitive, _trim((total - _at(primitive, left),))))
            total = total + _at(primitive, right) - _at(primitive, left)
        return Piecewise(self.cuts, pieces)

    def integral(self, left: Number = _ZERO, right: Number = _ONE) -> Number:
        """Return the integral from `left` to `right`."""
        total = self.cumulative()
        return total(right) - total(left)

    def simplified(self) -> Piecewise:
        """The same function without cuts at which nothing changes."""
        keep = [i for i in range(1, len(self.pieces)) if self.pieces[i] != self.pieces[i - 1]]
        return Piecewise(
            (_ZERO, *(self.cuts[i] for i in keep), _ONE),
            (self.pieces[0], *(self.pieces[i] for i in keep)),
        )

    def where_nonnegative(self, precision: Number | None = None) -> Piecewise:
        """The function that is 1 where this function is at least 0, and 0 elsewhere.

        Args:
            precision: the allowed error of the place of a sign change that the exact numbers in use cannot express.

        Raises:
            NotExactError: there is such a sign change, and `precision` is None.
        """
        cuts, pieces = [_ZERO], []
        for (left, right), p in zip(pairwise(self.cuts), self.pieces, strict=True):
            for end, positive in _sign_pieces(p, left, right, precision):
                cuts.append(end)
                pieces.append((_ONE,) if positive else ())
        return Piecewise(cuts, pieces).simplified()

    def values(self) -> list[Number]:
        """Return the constant value of each piece.

        Raises:
            ValueError: a piece is not constant.
        """
        if any(len(p) > 1 for p in self.pieces):
            raise ValueError("a piece of the function on [0, 1] is not constant, so it has no single value")
        return [p[0] if p else _ZERO for p in self.pieces]


def check_cuts(cuts: Sequence[Number]) -> None:
    """Raise ValueError unless `cuts` strictly increase from 0 to 1."""
    if len(cuts) < 2 or cuts[0] != 0 or cuts[-1] != 1 or not all(a < b for a, b in pairwise(cuts)):
        raise ValueError(f"cuts must increase from 0 to 1, not {', '.join(map(str, cuts[:6]))}")


def refined(functions: Sequence[Piecewise]) -> list[Piecewise]:
    """The same functions, each written with the cuts of all the functions."""
    cuts = reduce(_merge, (f.cuts for f in functions))
    return [Piecewise(cuts, f._refined(cuts)) for f in functions]


def _lift(value: Piecewise | Number) -> Piecewise:
    return value if isinstance(value, Piecewise) else Piecewise.constant(value)


def _merge(a: tuple[Number, ...], b: tuple[Number, ...]) -> tuple[Number, ...]:
    if a[-1] != b[-1]:
        raise ValueError(f"functions on [{a[0]}, {a[-1]}] and [{b[0]}, {b[-1]}] cannot be combined")
    out: list[Number] = []
    i = 0
    for cut in b:
        while a[i] < cut:
            out.append(a[i])
            i += 1
        i += bool(a[i] == cut)
        out.append(cut)
    return tuple(out)
