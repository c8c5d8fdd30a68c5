"""Checks of claims that solutions exist (Sections 5.2 and 5.3).

Each is a change of sign: the two ends are proved here for all parameters, and between them the sides are continuous, or
player I's chances at a jump of F make them so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any

from relance.claims.checks import nash, symbolic, true_for
from relance.claims.ledger import Finding, Numbers
from relance.envs import make
from relance.model.laws import DensityDeal, fgm
from relance.model.numbers import Number, formula, show
from relance.model.piecewise import Piecewise
from relance.solvers.proof import Region, region

ONE = Fraction(1)


def fgm_solvable(n: Numbers) -> Finding:
    """Some l < c solve (22) and (24) for every FGM law of negative association and every bet.

    (22) gives l as a function of c that falls. Where that makes l = c the left side of (24) is the greater one, where it makes
    l = 0 it is not. Both places exist, for there P(Y < c | X = l) runs from 0 to 1 with c. So (24) holds at some c between,
    and what solves both is optimal (claims r-theorem and r-fgm-negative).
    """
    where = region("B, t, l, c", "B > 0", "-1 <= t", "t < 0", "0 < l", "l < 1", "0 < c", "c < 1")
    B, t, low, c = where.values()
    need = formula(n.texts["(22) right"], {"B": B})
    solved = (1 - (need - c) / (t * c * (1 - c))) / 2
    same = _within(t, 0, low, Fraction(0), c) - need == 2 * t * c * (c - 1) * (low - solved)
    found = [true_for(where, lambda: same and bool(symbolic(solved).derivative("c") < 0), "by (22) l falls as c rises")]
    for place, sign in (("c", 1), ("0", -1)):
        ends = region("t, c", "-1 <= t", "t < 0", "0 < c", "c < 1")
        t, c = ends["t"], ends["c"]
        low = formula(place, {"c": c})
        chance = _within(t, 0, low, Fraction(0), c)
        bet = 2 * chance / (1 - chance)  # the bet for which this l solves (22)
        v = n.at(B=bet, above=_within(t, 1, c, c, ONE), betting=_within(t, 1, c, low, ONE))
        gap = v["(24) left"] - v["(24) right"]
        text = f"where l = {place} the sides of (24) differ by {show(gap)}"
        found.append(true_for(ends, partial(_signed, v["(22) right"] == chance, sign * gap, sign > 0), text))
    return _both(found)


def _signed(fits: bool, gap: Number, strictly: bool) -> bool:
    return fits and bool(gap > 0 if strictly else gap >= 0)


def _both(found: Sequence[Finding]) -> Finding:
    bad = [item for item in found if not item.holds]
    domain = "; ".join(dict.fromkeys(item.domain for item in found))
    return Finding(not bad, "; ".join(item.evidence for item in bad or found), "proved", domain)


def _within(t: Number, player: int, own: Number, a: Number, b: Number) -> Number:
    """P(the other's hand lies in (a, b)), given the own hand, with the FGM parameter t."""
    return sum((pair[player](own) * pair[1 - player].integral(a, b) for pair in fgm(t).terms), Fraction(0))


# --- jumps of F -------------------------------------------------------------------------------------------------------


def jumps(n: Numbers) -> Finding:
    """(26') can be had wherever the sides of (26) change places, and whoever has it plays optimally."""
    return _both([_fits(n), _any_fit(n)])


def _fits(n: Numbers) -> Finding:
    """pi1 = s and pi2 = 1 - s for some s from 0 to 1, `below` being P(X < a) and `at_a` P(X = a), and so for b.

    With pi1 = 0 and pi2 = 1 the sides are those of (26) just below b, with 1 and 0 those at b.
    """
    names = ("below", "at_a", "at_b", "above")
    ends = [_with(n, pi1, pi2) for pi1, pi2 in (("0", "1"), ("1", "0"))]
    order = [f"{left} <= {right}" for left, right in ends[:1]] + [f"{left} >= {right}" for left, right in ends[1:]]
    total = f"{' + '.join(names)} <= 1"
    where = region(
        f"B, {', '.join(names)}", "B > 0", *(f"{name} >= 0" for name in names), total, "at_a + at_b > 0", *order
    )
    low, high = (formula(f"{left} - ({right})", where) for left, right in ends)

    def statement() -> bool:
        s = -low / (high - low)
        v = n.at(**where, pi1=s, pi2=1 - s)
        return bool(s >= 0) and bool(s <= 1) and bool(v["left"] == v["right"])

    return true_for(where, statement, "some pi1 and pi2 fit wherever the sides of (26) change places")


def _with(n: Numbers, pi1: str, pi2: str) -> tuple[str, str]:
    left, right = (n.texts[side].replace("pi1", pi1).replace("pi2", pi2) for side in ("left", "right"))
    return left, right


def _any_fit(n: Numbers) -> Finding:
    """Point masses at a and b, spread over intervals without hands of player II; (26') sets how many hands bet from b on.

    The letters are masses, not divided by their sum, which makes all payoffs as many times greater: x and y of the hands at a
    bet and check; at b they are u and w, and e above, all times what (26') asks; r and s lie between a, c and b. By continuity
    the same holds where some are 0. G(a) is g/(1 + g).
    """
    names = ("B", "g", "below", *"xyuwers")
    where = region(", ".join(names), *(f"{name} > 0" for name in names))
    tried = _played(n, dict.fromkeys(names, ONE), None)
    return _played(n, {name: where[name] for name in names}, where) if tried.holds else tried


def _played(n: Numbers, at: dict[str, Any], where: Region | None) -> Finding:
    """Whether with these masses of player I's hands the strategies of (25) and (26') are a Nash equilibrium."""
    known = {"B": at["B"], "below": at["below"], "at_a": at["x"] + at["y"], "pi1": at["x"] / (at["x"] + at["y"])}
    known |= {"above": at["e"], "at_b": at["u"] + at["w"], "pi2": at["u"] / (at["u"] + at["w"])}
    sides = n.at(**known)
    times = sides["left"] / sides["right"]
    Ga = at["g"] / (1 + at["g"])
    Gc = formula("(2*Ga + B)/(B + 2)", {"Ga": Ga, "B": at["B"]})
    Gb = (Gc + 1) / 2
    none = Fraction(0)
    mine = [at["below"], at["x"], at["y"], at["r"], at["s"], *(at[letter] * times for letter in "wue")]
    theirs = [Ga, none, none, Gc - Ga, Gb - Gc, none, none, 1 - Gb]
    cuts = [Fraction(k, len(mine)) for k in range(len(mine) + 1)]
    first, second = (
        Piecewise.steps([(*ends, mass * len(mine)) for ends, mass in zip(pairwise(cuts), masses, strict=True)])
        for masses in (mine, theirs)
    )
    game = replace(make("von_neumann", bet=at["B"]), deal=DensityDeal([(first, second)]))
    found = nash(game, {"": {"bet": [(0, cuts[2]), (cuts[6], 1)]}, "bet": {"call": [(cuts[4], 1)]}}, where)
    text = "with any that fit NashConv is 0" if found.holds else found.evidence
    return Finding(found.holds, text, found.method, str(where or game))
