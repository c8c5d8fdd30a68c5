"""Thresholds for hands of any law on [0, 1], from the indifference equations of Ferguson and Ferguson, Section 5.

Solved in floats to full precision and returned as text of fractions; `Printed.precision` says what that costs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from typing import TypeAlias

from relance.model.laws import DensityDeal, IntervalDeal, NormalDeal, law
from relance.model.piecewise import Piecewise

Below: TypeAlias = Callable[[float, float], float]
"""P(the other's hand < t | the own hand is x), as a function of t and x."""


def conditional(deal: IntervalDeal, player: int) -> Below:
    """The distribution of the other's hand given the hand of `player`."""
    if isinstance(deal, NormalDeal):
        return _normal(float(deal.rho))
    assert isinstance(deal, DensityDeal)
    one = Piecewise.constant(1)
    terms = [(_floats(pair[player]), _floats((pair[1 - player] * one).cumulative())) for pair in deal.terms]

    if len(terms) == 1:  # independent: the own density cancels, and is 0 in floats where it is small
        ((_, theirs),) = terms
        return lambda t, x: theirs(t) / theirs(1.0)

    def below(t: float, x: float) -> float:
        parts = [(own(x), theirs(t), theirs(1.0)) for own, theirs in terms]
        return sum(o * s for o, s, _ in parts) / sum(o * s for o, _, s in parts)

    return below


def _floats(f: Piecewise) -> Callable[[float], float]:
    return lambda x: float(f(min(max(Fraction(x), Fraction(0)), Fraction(1))))


def _normal(rho: float) -> Below:
    from scipy.special import ndtr, ndtri

    return lambda t, x: float(ndtr((ndtri(t) - rho * ndtri(x)) / (1 - rho * rho) ** 0.5))


def root(f: Callable[[float], float], low: float = 1e-12, high: float = 1 - 1e-12) -> float | None:
    """The zero of a function between `low` and `high`, or None if it has the same sign at both."""
    from scipy.optimize import brentq

    if f(low) * f(high) > 0:
        return None
    return float(brentq(f, low, high, xtol=1e-15, rtol=1e-15))


def text(x: float) -> str:
    """A float as the text of the simplest fraction that is as near as its rounding."""
    return str(Fraction(x).limit_denominator(10**15))


Thresholds: TypeAlias = dict[str, float]


def la_relance_thresholds(deal: IntervalDeal, B: float) -> Thresholds | None:
    """Sections 5.1 and 5.2: I bets above `l`, II calls above `c`; equations (17), (19), (22) and (24)."""
    theirs, mine = conditional(deal, 0), conditional(deal, 1)

    def c_of(x: float) -> float:
        return _need(root(lambda c: theirs(c, x) - B / (B + 2)))

    def gap(x: float) -> float:  # (24), II's indifference at c
        c = c_of(x)
        return (2 * B + 2) * (1 - mine(c, c)) - (B + 2) * (1 - mine(x, c))

    least = root(gap)
    if least is None:  # case 1: I always bets, and II's best reply is to call where F(Y) > B/(2B + 2)
        c = root(lambda y: mine(y, y) - B / (2 * B + 2))
        return {"l": 0.0, "c": 1.0 if c is None else c}
    return {"l": least, "c": c_of(least)}


def von_neumann_thresholds(deal: IntervalDeal, B: float) -> Thresholds | None:
    """Sections 5.3 and 5.4: I bets below `a` and above `b`, II calls above `c`; the three indifference equations.

    None where they have no solution, or the printed inequalities, as corrected, fail there: then the form is not optimal.
    """
    theirs, mine = conditional(deal, 0), conditional(deal, 1)

    def bet(x: float, c: float) -> float:
        """What betting gains player I over checking with x."""
        if x <= c:
            return (B + 2) * theirs(c, x) - B - 2 * theirs(x, x)
        return -B * theirs(c, x) + 2 * B * theirs(x, x) - B

    def call(y: float, a: float, b: float) -> float:
        """What calling gains player II over folding with y."""
        low, high = min(y, a), max(y, b)
        return (B + 2) * (mine(low, y) + mine(high, y) - mine(b, y)) - B * (
            mine(a, y) - mine(low, y) + 1 - mine(high, y)
        )

    def c_of(a: float) -> float:
        return _need(root(lambda c: bet(a, c), low=a))

    def b_of(c: float) -> float:
        return _need(root(lambda b: bet(b, c), low=c))

    try:
        a = _need(root(lambda a: call(c_of(a), a, b_of(c_of(a))), high=0.999))
        c = c_of(a)
        b = b_of(c)
    except _NoRootError:
        return None
    hands = [(i + 0.5) / _CHECKED for i in range(_CHECKED)]
    slack = 1e-9 * (B + 2)
    fits = all((bet(x, c) >= -slack if x < a or x > b else bet(x, c) <= slack) for x in hands)
    fits = fits and all((call(y, a, b) >= -slack if y > c else call(y, a, b) <= slack) for y in hands)
    return {"a": a, "b": b, "c": c} if fits else None


_CHECKED = 400
"""Hands at which the inequalities of Section 5.4 are looked at."""


class _NoRootError(ArithmeticError):
    """An indifference equation has no solution."""


def _need(found: float | None) -> float:
    if found is None:
        raise _NoRootError
    return found


@cache
def solved(game: str, deal: str, B: Fraction) -> Mapping[str, str] | None:
    """The thresholds of "la_relance" or "von_neumann" with this law as text, or None if the paper's form does not solve it."""
    find = la_relance_thresholds if game == "la_relance" else von_neumann_thresholds
    try:
        found = find(law(deal), float(B))
    except _NoRootError:
        return None
    return None if found is None else {name: text(x) for name, x in found.items()}
