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
"""The threshold hands in [0, 1], by their symbol in Ferguson and Ferguson."""

_LEAST, _MOST = 1e-12, 1 - 1e-12

_TAILS = [10.0**-k for k in range(3, 13)]
CHECKED = [*_TAILS, *((i + 0.5) / 400 for i in range(400)), *(1 - tail for tail in _TAILS)]
"""Hands at which the inequalities of Section 5.4 are checked; normally distributed hands near 0 and 1 tell most about the opponent's."""

FAR = 10**5
"""Floats are precise enough for bets from 1 / `FAR` antes to `FAR` antes."""


def too_far(B: Fraction) -> str | None:
    """Return the reason why floats cannot solve the equations for a bet of B antes; None if they can."""
    if Fraction(1, FAR) <= B <= FAR:
        return None
    return f"thresholds are solved in floats, precise enough for bets from 1/{FAR} to {FAR} antes, but the bet is {B}"


class NoSolutionError(ArithmeticError):
    """An indifference equation has no solution, or the thresholds that solve it are not an equilibrium."""


def _root(f: Callable[[float], float], low: float = _LEAST, high: float = _MOST) -> float:
    """The zero of a function between `low` and `high`."""
    from scipy.optimize import brentq

    if f(low) * f(high) > 0:
        raise NoSolutionError(f"an indifference equation has no solution between the hands {low:g} and {high:g}")
    return float(brentq(f, low, high, xtol=1e-15, rtol=1e-15))


def _conditionals(deal: Deal) -> tuple[Callable[[float, float], float], Callable[[float, float], float]]:
    if not isinstance(deal, (DensityDeal, NormalDeal)):
        raise NoSolutionError(f"the game must have hands on [0, 1] with densities, not a {type(deal).__name__}")
    return deal.conditional(0), deal.conditional(1)


def la_relance_thresholds(deal: Deal, B: float) -> Thresholds:
    """Return the thresholds for a bet of B antes: I bets above l, II calls above c (Ferguson and Ferguson 2003, (17), (19), (22), (24))."""
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
    """Return thresholds for a bet of B antes: I bets below a and above b, II calls above c (Ferguson and Ferguson 2003, Sections 5.3, 5.4).

    Raises:
        NoSolutionError: the indifference equations have no solution, or a player would gain by another action at a hand of `CHECKED`.
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
            raise NoSolutionError(f"the thresholds a={a:g}, b={b:g}, c={c:g} are not optimal with hand {hand:g}")
    return {"a": a, "b": b, "c": c}
