"""The thresholds of La Relance and of von Neumann's poker for any distribution of hands, from the players' indifference equations.

The equations are from Ferguson and Ferguson, Section 5, solved in floats to full precision; the bet is `B` antes.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TypeAlias

from relance.model.deal import Deal
from relance.model.interval import DensityDeal, NormalDeal

Thresholds: TypeAlias = dict[str, float]
"""The threshold hands, by their symbol in the paper."""

_LEAST, _MOST = 1e-12, 1 - 1e-12

_TAILS = [10.0**-k for k in range(3, 13)]
CHECKED = [*_TAILS, *((i + 0.5) / 400 for i in range(400)), *(1 - tail for tail in _TAILS)]
"""Hands at which the inequalities of Section 5.4 are checked; near 0 and 1 normal hands tell most about the opponent's."""

FAR = 10**5
"""Floats are precise enough for bets from the ante divided by this to the ante times this."""


def too_far(B: Fraction) -> str | None:
    """Say why floats cannot solve the equations for this bet; None if they can."""
    if Fraction(1, FAR) <= B <= FAR:
        return None
    return f"the thresholds are solved in floats, which are near enough only for bets from 1/{FAR} to {FAR} antes"


class NoSolutionError(ArithmeticError):
    """An indifference equation has no solution, or its solution is not optimal."""


def _root(f: Callable[[float], float], low: float = _LEAST, high: float = _MOST) -> float:
    """The zero of a function between `low` and `high`."""
    from scipy.optimize import brentq

    if f(low) * f(high) > 0:
        raise NoSolutionError
    return float(brentq(f, low, high, xtol=1e-15, rtol=1e-15))


def _conditionals(deal: Deal) -> tuple[Callable[[float, float], float], Callable[[float, float], float]]:
    if not isinstance(deal, (DensityDeal, NormalDeal)):
        raise NoSolutionError("the game must have hands on [0, 1]")
    return deal.conditional(0), deal.conditional(1)


def la_relance_thresholds(deal: Deal, B: float) -> Thresholds:
    """Sections 5.1 and 5.2: I bets above `l`, II calls above `c`; equations (17), (19), (22) and (24)."""
    theirs, mine = _conditionals(deal)

    def c_of(x: float) -> float:
        return _root(lambda c: theirs(c, x) - B / (B + 2))

    def gap(x: float) -> float:  # (24), II's indifference at c
        c = c_of(x)
        return (2 * B + 2) * (1 - mine(c, c)) - (B + 2) * (1 - mine(x, c))

    if gap(_LEAST) * gap(_MOST) <= 0:
        least = _root(gap)
        return {"l": least, "c": c_of(least)}

    def calls(y: float) -> float:  # case 1: I always bets, and II's best reply is to call where F(Y) > B/(2B + 2)
        return mine(y, y) - B / (2 * B + 2)

    return {"l": 0.0, "c": _root(calls) if calls(_LEAST) * calls(_MOST) <= 0 else 1.0}


def von_neumann_thresholds(deal: Deal, B: float) -> Thresholds:
    """Sections 5.3 and 5.4: I bets below `a` and above `b`, II calls above `c`; from the three indifference equations.

    Raises:
        NoSolutionError: the equations have no solution, or it violates the paper's inequalities, as corrected.
    """
    theirs, mine = _conditionals(deal)

    def bet(x: float, c: float) -> float:
        """Return how much more player I earns with hand x by betting than by checking."""
        if x <= c:
            return (B + 2) * theirs(c, x) - B - 2 * theirs(x, x)
        return -B * theirs(c, x) + 2 * B * theirs(x, x) - B

    def call(y: float, a: float, b: float) -> float:
        """Return how much more player II earns with hand y by calling than by folding."""
        low, high = min(y, a), max(y, b)
        beaten = mine(low, y) + mine(high, y) - mine(b, y)
        return (B + 2) * beaten - B * (mine(a, y) - mine(low, y) + 1 - mine(high, y))

    def c_of(a: float) -> float:
        return _root(lambda c: bet(a, c), low=a)

    def b_of(c: float) -> float:
        return _root(lambda b: bet(b, c), low=c)

    a = _root(lambda a: call(c_of(a), a, b_of(c_of(a))), high=0.999)
    c = c_of(a)
    b = b_of(c)
    slack = 1e-13 * (B + 2)  # the rounding of floats
    for hand in CHECKED:
        bets, calls = (1 if hand < a or hand > b else -1), (1 if hand > c else -1)
        if bets * bet(hand, c) < -slack or calls * call(hand, a, b) < -slack:
            raise NoSolutionError
    return {"a": a, "b": b, "c": c}
