"""Checks of claims on independent hands of any distributions F and G: in La Relance (5.1) and von Neumann's poker (5.3).

A gain depends on the other player's distribution only through its distribution function at the thresholds and at the hand itself, and is
linear in these. So one density that is constant between the thresholds, with any masses there, is as general as any distribution.
"""

from __future__ import annotations

from relance.claims.borel_von_neumann.hands import call_gain
from relance.claims.prelude import *
from relance.model.distributions import distribution, independent


@unproved("distributions with more point masses")
def continuous(n: Numbers, tied: bool) -> Finding:
    """Check that profiles earn the same if a point mass is spread over an interval in which the other player has no hand.

    In La Relance and von Neumann's poker, both players have two point masses and any strategies on them. With `tied` the lower point masses
    of both players are the same hand.
    """
    symbols = ("p", "q", "s1", "s2", "t1", "t2")
    where = region("B, " + ", ".join(symbols), "B > 0", *(f"0 < {x} < 1" for x in symbols), *["t1 < s1"] * tied)
    B, p, q, s1, s2, t1, t2 = where.values()
    none, quarter, low = Fraction(0), Fraction(1, 4), 0 if tied else 1
    points = independent({"low": (p, 0), "high": (1 - p, 2)}, {"low": (q, low), "high": (1 - q, 3)})
    theirs: list[Number] = [q, none, none, 1 - q] if tied else [none, q, none, 1 - q]
    mine: list[Number] = [p, none, 1 - p, none]
    intervals = DensityDeal([(spread(mine), spread(theirs))])
    parts = []
    for name in ("la_relance", "von_neumann"):
        game = make(name, bet=B)
        at = replace(game, deal=points, cuts=None)
        over = replace(game, deal=intervals)
        mixed = at.profile({"": {"bet": [s1, s2]}, "bet": {"call": [t1, t2]}})
        bets = [(0, s1 * quarter), (2 * quarter, (2 + s2) * quarter)]
        calls = [(low * quarter, (low + t1) * quarter), (3 * quarter, (3 + t2) * quarter)]
        cut = over.profile({"": {"bet": bets}, "bet": {"call": calls}})
        parts.append((name, equal({"value": play_value(at, mixed)}, {"value": play_value(over, cut)}, where)))
    return every(parts, "any strategies earn the same, in both models")


def better_of_two(n: Numbers) -> Finding:
    """Check that F is the distribution function of the better of two uniform cards, and G that of one card, as printed in the example."""
    where = region("x", "0 < x < 1")
    game, x = make("la_relance"), where["x"]
    below, _ = hand_values(game, game.uniform(), 0, Piecewise.steps([(ZERO, x, ONE)]))[""]
    best, v = distribution("power:2:1"), n.at(**where)
    mine, theirs = (best.prior(player).cumulative()(x) for player in (0, 1))
    found = equal({"F": below.integral(ZERO, x), "G": below.integral()}, v, where)
    return found.only_if(mine == v["F"] and theirs == v["G"])


# --- von Neumann's poker ----------------------------------------------------------------------------------------------

JUMPS = {
    "jumps": {"a": {"0": "3/4", "1": "1/4"}, "b": {"0": "1/8", "7/8": "7/8"}, "a and b": {"1/2": "1/2", "7/8": "1/2"}},
    "meets": {"a": {"0": "1/3", "1": "2/3"}},
}
"""Distributions {hand: probability} of player I's hand, with point masses at the threshold a, at b or at both. If B = 2, a call at c never
gains exactly 0 with those named "jumps", and does so for some b with "meets".
"""


def neumann_jumps_over(n: Numbers, distributions: str) -> Finding:
    """Check for B = 2 that player II's gain by a call in von Neumann's poker changes its sign without being 0, as b rises.

    Player I bets with hands up to a = 4b - 3 and above b, and II calls with a hand c between. Each of `JUMPS[distributions]` is tried as
    the distribution of I's hand.
    """
    findings = []
    for place, weights in JUMPS[distributions].items():
        points = {Fraction(x): Fraction(p) for x, p in weights.items()}
        jumps = {Fraction(3, 4), ONE, *points, *((x + 3) / 4 for x in points)}  # a = 4b - 3
        cuts = sorted(x for x in jumps if x >= Fraction(3, 4))
        tried = [Fraction(5, 8), *cuts, *((x + y) / 2 for x, y in pairwise(cuts))]
        gains = [_call_if(points, 4 * b - 3, b) for b in sorted(tried)]
        text = f"with a jump at {place} calling gains {', '.join(dict.fromkeys(map(show, gains)))} as b grows"
        where = spot({"B": TWO, f"P(X = {', '.join(weights)})": ", ".join(weights.values())})
        findings.append(Finding(min(gains) < 0 < max(gains) and 0 not in gains, text, (where,)))
    return together(findings)


def _call_if(points: Mapping[Fraction, Fraction], a: Fraction, b: Fraction) -> Number:
    """The gain of a call with a hand between a and b if B = 2 and player I, with the point masses `points`, bets up to a and above b."""
    low, high = (sum((p for x, p in points.items() if x <= cut), ZERO) for cut in (a, b))
    return call_gain("von_neumann", TWO, [low, high - low], 1, [1, 0, 1])


def neumann_never_root(n: Numbers, bets: str) -> Finding:
    """Check the printed a = 0 and b, and that II gains 0 by a call between them if I bets only the hand 0, with probability `bets`."""
    where = region("B, z", "B > 0", "0 <= z <= 1")
    B, z = where.values()
    v = n.at(B=B)
    share = Fraction(bets)
    gain = call_gain("von_neumann", B, [z * share, 1 - z * share], 1, [1, 0, 1])
    placed = v["a"] == 0 and (B + 2) * v["b"] - (B + 1) == v["a"]
    text = f"if P(X = 0) = z, calling at c gains {show(gain)}, and 0 where the sides are equal"
    return replace(equal({"gain": gain}, {"gain": ZERO}, where).only_if(placed), evidence=text)
