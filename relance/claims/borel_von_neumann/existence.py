"""Checks of claims that solutions exist (Sections 5.2 and 5.3): each follows from a change of sign, shown for all parameters."""

from __future__ import annotations

from relance.claims.borel_von_neumann.dependent_hands import fgm_within
from relance.claims.prelude import *


@unproved("that the gain is 0 somewhere, as it changes its sign")
def fgm_solvable(n: Numbers, association: str, signs: Sequence[int] = (-1, 1)) -> Finding:
    """Some l < c solve (22) and (24) for every FGM law of negative association and every bet; `association` is the sign of t.

    A call at c gains an amount of the first of the `signs` where l = c solves (22), and of the second where l = 0 does.
    """
    sign = {"negative": "-1 <= t < 0", "positive": "0 < t <= 1"}[association]
    where = region("B, t, l, c", "B > 0", sign, "0 < l < 1", "0 < c < 1")
    _, t, low, c = where.values()
    need = n.number("(22) right", where)
    solved = (1 - (need - c) / (t * c * (1 - c))) / 2
    same = fgm_within(t, 0, low, Fraction(0), c) - need == 2 * t * c * (c - 1) * (low - solved)
    steps = [true_for(where, lambda: same and bool(symbolic(solved).derivative("c") < 0), "by (22) l falls as c rises")]
    for place, sided, side in zip("c0", (gt, ge), signs, strict=True):
        ends = region("t, c", sign, "0 < c < 1")
        t, c = ends["t"], ends["c"]
        l_end = formula(place, {"c": c})
        chance = fgm_within(t, 0, l_end, Fraction(0), c)
        bet = 2 * chance / (1 - chance)  # the bet for which this l solves (22)
        game = replace(make("la_relance", bet=bet), deal=fgm(t))
        plan: Plan = {"": {"bet": [(l_end, 1)]}, "bet": {"call": [(c, 1)]}}
        even = advantage(game, plan, "", "bet", "fold")(l_end)
        calls = advantage(game, plan, "bet", "call", "fold")(c)
        v = n.at(B=bet, above=fgm_within(t, 1, c, c, ONE), betting=fgm_within(t, 1, c, l_end, ONE))
        right = even == 0 and calls == v["(24) right"] - v["(24) left"] and v["(22) right"] == chance
        text = f"where l = {place} calling at c gains {show(calls)}"
        steps.append(true_for(ends, partial(sided, side * calls, 0), text).only_if(right))
    return together(steps)


# --- jumps of F -------------------------------------------------------------------------------------------------------


@unproved("masses of 0, and other laws between the thresholds")
def jumps(n: Numbers) -> Finding:
    """(26') can be satisfied wherever the sides of (26) change order; strategies that satisfy it are optimal, and no others."""
    return together([_even(n), _fits(n), _any_fit(n)])


def _even(n: Numbers) -> Finding:
    """With a hand from a to b a call gains B + 2 times the difference of the sides, so II calls with all of them or none if they differ."""
    names = ("below", "at_a", "between", "at_b", "pi1", "pi2")
    limits = (*(f"{name} >= 0" for name in names), " + ".join(names[:4]) + " <= 1", "pi1 <= 1", "pi2 <= 1")
    where = region(f"B, {', '.join(names)}", "B > 0", *limits)
    B, below, at_a, between, at_b, pi1, pi2 = where.values()
    above = 1 - below - at_a - between - at_b
    v = n.at(**where, above=above)
    law = {"below": (below, 0), "a": (at_a, 1), "low": (between, 2), "b": (at_b, 4), "above": (above, 5)}
    game = one_hand(make("von_neumann", bet=B), 1, law, 3)
    gain = gained(game, {"": {"bet": [1, pi1, 0, pi2, 1]}, "bet": {"call": 1}}, "bet", "call", "fold")
    return Finding(gain == (B + 2) * (v["left"] - v["right"]), f"a call from a to b gains {show(gain)}", (where,))


def _fits(n: Numbers) -> Finding:
    """pi1 = s and pi2 = 1 - s for some s from 0 to 1, `below` being P(X < a) and `at_a` P(X = a), and so for b.

    With pi1 = 0 and pi2 = 1 the sides are those of (26) just below b; with pi1 = 1 and pi2 = 0 they are those at b.
    """
    names = ("below", "at_a", "at_b", "above")
    sides = [n.texts["left"], n.texts["right"]]
    ends = [[side.replace("pi1", pi1).replace("pi2", pi2) for side in sides] for pi1, pi2 in (("0", "1"), ("1", "0"))]
    order = [f"{left} {relation} {right}" for (left, right), relation in zip(ends, ("<=", ">="), strict=True)]
    masses = (*(f"{name} >= 0" for name in names), f"{' + '.join(names)} <= 1", "at_a + at_b > 0")
    where = region(f"B, {', '.join(names)}", "B > 0", *masses, *order)
    low, high = (formula(f"{left} - ({right})", where) for left, right in ends)

    def statement() -> bool:
        s = -low / (high - low)
        v = n.at(**where, pi1=s, pi2=1 - s)
        return bool(s >= 0) and bool(s <= 1) and bool(v["left"] == v["right"])

    return true_for(where, statement, "some pi1 and pi2 fit wherever the sides of (26) change order")


STRETCHES = ("below", "bets_a", "checks_a", "a_to_c", "c_to_b", "checks_b", "bets_b", "above")
"""Player I's hands from the worst up: below a; at a, those that bet, then those that check; and so on up to those above b."""


def _any_fit(n: Numbers) -> Finding:
    """The strategies of (25) and (26') are optimal for any masses of player I's hands. All masses 1 are tried first.

    A point mass at a or b is spread over an interval without hands of player II. G(a) is g/(1 + g), so g may be any positive
    number.
    """
    names = ("B", "g", *STRETCHES)
    where = region(", ".join(names), *(f"{name} > 0" for name in names))
    tried = _optimal(n, dict.fromkeys(names, ONE), None)
    return _optimal(n, where, where) if tried.holds else tried


def _optimal(n: Numbers, at: Mapping[str, Number], where: Region | None) -> Finding:
    B, Ga = at["B"], at["g"] / (1 + at["g"])
    at_a, at_b = at["bets_a"] + at["checks_a"], at["bets_b"] + at["checks_b"]
    known = {"B": B, "below": at["below"], "at_a": at_a, "at_b": at_b, "above": at["above"]}
    sides = n.at(**known, pi1=at["bets_a"] / at_a, pi2=at["bets_b"] / at_b)
    times = sides["left"] / sides["right"]  # with this many times the hands from b on, (26') holds

    Gc = formula("(2*Ga + B)/(B + 2)", {"Ga": Ga, "B": B})
    Gb = (Gc + 1) / 2
    # The masses need not add to 1: scaling them scales all payoffs alike.
    mine = [at[name] * (times if name in STRETCHES[5:] else 1) for name in STRETCHES]
    theirs = [Ga, Fraction(0), Fraction(0), Gc - Ga, Gb - Gc, Fraction(0), Fraction(0), 1 - Gb]
    game = replace(make("von_neumann", bet=B), deal=DensityDeal([(spread(mine), spread(theirs))]))

    two, four, six = (Fraction(k, len(STRETCHES)) for k in (2, 4, 6))  # how many intervals lie below
    finding = nash(game, {"": {"bet": [(0, two), (six, 1)]}, "bet": {"call": [(four, 1)]}}, where)
    return finding.saying("with any that fit, NashConv is 0")
