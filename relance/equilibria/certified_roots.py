"""Roots with certified digits: Newton's method at high precision, then an interval test that proves a root in a small box, and only one.

The test is Krawczyk's (1969), in the ball arithmetic of Arb by python-flint: with C near the inverse of the Jacobian at x, if
x - C F(x) + (1 - C J(X)) (X - x) lies inside the box X, then F has exactly one root in X.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any, NamedTuple

from relance.solvers.exact_lp import NotCertifiedError

Balls = Sequence[Any]
"""Balls (flint.arb): real numbers, each known up to a bound on its error."""

STEPS = 60
"""The most steps of Newton's method."""

MOST_SHOWN = 50
"""The most decimal places that are shown."""

GUARD = 64
"""Bits of precision beyond those of the digits."""


class Enclosure(NamedTuple):
    """A real number that is known to lie between the fractions `low` and `high`."""

    low: Fraction
    high: Fraction

    def __str__(self) -> str:
        """The digits that are certain, rounded; at least 5 of them are shown."""
        digits = 5
        while digits < MOST_SHOWN and round(self.low, digits + 1) == round(self.high, digits + 1):
            digits += 1
        return f"{float(self.low):.{digits}f}" if digits < 15 else _decimal(self.low, digits)

    @property
    def middle(self) -> Fraction:
        """The mean of `low` and `high`."""
        return (self.low + self.high) / 2


def _decimal(number: Fraction, digits: int) -> str:
    scaled = round(number * 10**digits)
    sign, text = "-" * (scaled < 0), str(abs(scaled)).rjust(digits + 1, "0")
    return f"{sign}{text[:-digits]}.{text[-digits:]}"


def flint() -> Any:
    """Return the module flint.

    Raises:
        ImportError: python-flint is missing.
    """
    try:
        import flint as module
    except ImportError as error:
        raise ImportError("certified digits need python-flint: pip install 'relance[proof]'") from error
    return module


@contextmanager
def precision(digits: int) -> Iterator[None]:
    """Inside this `with`, balls are computed with `digits` decimal digits, and `GUARD` bits more."""
    context = flint().ctx
    before, context.prec = context.prec, int(digits * 3.33) + GUARD
    try:
        yield
    finally:
        context.prec = before


def enclosed(ball: Any) -> Enclosure:
    """Return the two fractions between which a ball lies."""
    return Enclosure(_exact(ball.lower()), _exact(ball.upper()))


def _exact(ball: Any) -> Fraction:
    mantissa, exponent = ball.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def ball_of(number: Fraction) -> Any:
    """Return a ball that contains a fraction."""
    module = flint()
    return module.arb(module.fmpq(number.numerator, number.denominator))


def certified_root(
    function: Callable[[Balls], Balls],
    jacobian: Callable[[Balls], Sequence[Balls]],
    start: Sequence[float],
    digits: int,
) -> list[Any]:
    """Return n balls, each known to about `digits` decimal places, whose box contains exactly one root of a function.

    Args:
        function: takes n balls and returns n balls.
        jacobian: takes n balls and returns the derivatives of the function there, (n values, n arguments), in balls.
        start: n floats near the root.
        digits: decimal places.

    Raises:
        NotCertifiedError: Newton's method does not converge, or the interval test fails.
    """
    module = flint()
    arb, matrix, size = module.arb, module.arb_mat, len(start)
    if not size:
        return []
    with precision(digits):
        point, small = [arb(x) for x in start], arb(10) ** (-digits - 6)
        for _ in range(STEPS):
            try:
                step = matrix([[*row] for row in jacobian(point)]).solve(matrix([[x] for x in function(point)]))
            except ZeroDivisionError:
                raise NotCertifiedError("the Jacobian is singular near the root") from None
            point = [(x - step[i, 0]).mid() for i, x in enumerate(point)]
            if not all(x.is_finite() for x in point):
                break
            if all(abs(step[i, 0]) < small for i in range(size)):
                return _tested(function, jacobian, point, digits)
    raise NotCertifiedError(f"Newton's method does not converge to a root within {STEPS} steps")


def _tested(
    function: Callable[[Balls], Balls], jacobian: Callable[[Balls], Sequence[Balls]], point: list[Any], digits: int
) -> list[Any]:
    module = flint()
    arb, matrix = module.arb, module.arb_mat
    size, radius = len(point), arb(10) ** (-digits - 2)
    box = [arb(x, radius) for x in point]
    slopes = matrix([[*row] for row in jacobian(box)])
    inverse = matrix([[*row] for row in jacobian(point)]).mid().inv().mid()
    one = matrix([[arb(int(i == j)) for j in range(size)] for i in range(size)])
    off = matrix([[x - y] for x, y in zip(box, point, strict=True)])
    shift = inverse * matrix([[x] for x in function(point)])
    rest = (one - inverse * slopes) * off
    out = [x - shift[i, 0] + rest[i, 0] for i, x in enumerate(point)]
    if not all(wide.contains_interior(narrow) for wide, narrow in zip(box, out, strict=True)):
        raise NotCertifiedError(f"the interval test does not prove a root to {digits} digits")
    return out
