"""Checks of claims that solutions exist (Sections 5.2 and 5.3): each follows from a change of sign, shown for all parameters."""

from __future__ import annotations

from relance.claims.borel_von_neumann.dependent_hands import fgm_within
from relance.claims.prelude import *

BOTH = ("0 < u", "u < v", "v < 1", "v - u <= v*(1 - v) - u*(1 - u)*(1 - 2*u)")
"""Conditions on u < v: for some bet and some t of the Farlie-Gumbel-Morgenstern family from -1 to 0, l = c solves (22) at c = u, and l = 0
does at c = v.
"""
LINES = ("B > 0", "-1 <= t < 0", "0 < l < c", "c < 1")


def fgm_solvable(n: Numbers, sign: int = 1) -> Finding:
    """Check that La Relance has Theorem 3's thresholds l < c for every bet and any Farlie-Gumbel-Morgenstern parameter t with -1 <= t < 0.

    Player I's indifference (22) gives l for each c. Let u be the c at which (22) gives l = c, and v the c at which it gives l = 0. For c
    between u and v, (22) gives 0 < l < c. From c = u to c = v, the gain of a call with the hand c goes from negative to positive, so it is
    0 at some c. With this c and its l, bets above l and calls above c are optimal. `sign` -1 tests the opposite change of the gain's sign.
    """
    there, parts = region("r, t, c", "0 < r < 1", "-1 <= t < 0", "0 < c < 1"), dict[str, Finding]()
    for name, own in (("u", there["c"]), ("v", 0 * there["c"])):
        chance = fgm_within(there["t"], 0, own, ZERO, there["c"])
        parts[name] = root(chance - there["r"], "c", "r/2", "(1 + r)/2")
    given = region("t, u, v", "-1 <= t < 0", "0 < u < 1", "0 < v < 1", "u + t*u*(1 - u)*(1 - 2*u) == v + t*v*(1 - v)")
    parts["t"] = true_for(given, lambda: _by_22(given)[0] == given["t"] and given["u"] < given["v"], "u and v fix t")
    inside, closed = (region("u, v, c", *BOTH, f"u {less} c", f"c {less} v") for less in ("<", "<="))
    t, r, low = _by_22(inside)
    solves = fgm_within(t, 0, low, ZERO, inside["c"]) == r
    parts["l"] = true_for(
        inside, lambda: solves and bool(low > 0) and bool(low < inside["c"]), "(22) gives an l below c"
    )
    where = region("B, t, l, c", *LINES)
    at, (bets, calls) = dict(where), _gains(where)
    B, t, low, c = at.values()
    v = n.at(B=B, above=fgm_within(t, 1, c, c, ONE), betting=fgm_within(t, 1, c, low, ONE))
    sides = {
        "(22)": (B + 2) * (fgm_within(t, 0, low, ZERO, c) - v["(22) right"]),
        "(24)": v["(24) right"] - v["(24) left"],
    }
    parts["gains"] = equal(sides, {"(22)": bets(low), "(24)": calls(c)}, where)
    t, r, low = _by_22(closed)
    gain = formula(as_formula(calls(c), "gain"), {**closed, "B": 2 * r / (1 - r), "t": t, "l": low})
    parts["c"] = root(sign * gain, "c", "u", "v")
    return together({**parts, **_optimal_lines()})


def _by_22(where: Region) -> tuple[Number, Number, Number]:
    """t and the right side of (22) by u and v, and the l that solves it, by c; that is 0 where there is no c."""
    u, v, c = (where[symbol] if symbol in where else where["v"] for symbol in "uvc")
    t = (v - u) / (u * (1 - u) * (1 - 2 * u) - v * (1 - v))
    r = v + t * v * (1 - v)
    return t, r, (1 - (r - c) / (t * c * (1 - c))) / 2


def _gains(where: Region) -> tuple[Piecewise, Piecewise]:
    """What a bet gains over a fold if II calls above c, and a call if I bets above l."""
    game = replace(make("la_relance", bet=where["B"]), deal=fgm(where["t"]))
    return bet_advantage(game, [(where["c"], 1)]), call_advantage(game, [(where["l"], 1)])


def _optimal_lines() -> dict[str, Finding]:
    """If a bet at l and a call at c gain 0, bets and calls with other hands x gain less below these and more above.

    A call gains less or more than at c per chance of a bet; below l any call loses.
    """
    parts = {}
    for name, order, sign in (
        ("I below l", "x < l", -1),
        ("I above l", "l < x < c", 1),
        ("I above c", "c < x < 1", 1),
        ("II below l", "x < l", -1),
        ("II above l", "l < x < c", -1),
        ("II above c", "c < x < 1", 1),
    ):
        where = region("B, t, l, c, x", *LINES, "0 < x", order)
        (bets, calls), (_, t, low, c, x) = _gains(where), where.values()
        bet = {hand: fgm_within(t, 1, hand, low, ONE) for hand in (x, c)}
        second = calls(x) if order == "x < l" else calls(x) * bet[c] - calls(c) * bet[x]
        gain = bets(x) - bets(low) if name.startswith("I ") else second
        parts[name] = positive(where, sign * gain, f"{name} {'folds' if sign < 0 else 'bets or calls'}")
    return parts


# --- jumps of F -------------------------------------------------------------------------------------------------------


@unproved("masses of 0, and other distributions between the thresholds")
def jumps(n: Numbers) -> Finding:
    """Check that von Neumann's player I can make player II indifferent at c though I's hand has point masses at a or b.

    Some probabilities pi1 and pi2 of betting a and b satisfy (26'); those that do are optimal, and no others.
    """
    return together([_even(n), _fits(n), _any_fit(n)])


def _even(n: Numbers) -> Finding:
    """With a hand from a to b a call gains B + 2 times the difference of the sides, so II calls with all of them or none if they differ."""
    names = ("below", "at_a", "between", "at_b", "pi1", "pi2")
    limits = (*(f"{name} >= 0" for name in names), " + ".join(names[:4]) + " <= 1", "pi1 <= 1", "pi2 <= 1")
    where = region(f"B, {', '.join(names)}", "B > 0", *limits)
    B, below, at_a, between, at_b, pi1, pi2 = where.values()
    above = 1 - below - at_a - between - at_b
    v = n.at(**where, above=above)
    distribution = {"below": (below, 0), "a": (at_a, 1), "low": (between, 2), "b": (at_b, 4), "above": (above, 5)}
    game = one_hand(make("von_neumann", bet=B), 1, distribution, 3)
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

    A point mass at a or b is spread over an interval without hands of player II. G(a) is g/(1 + g), so g may be any positive number.
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
