"""Checks of claims on von Neumann's poker with dependent hands (Section 5.4)."""

from __future__ import annotations

from relance.claims.borel_von_neumann.hands import bet_gain, call_gain, masses
from relance.claims.prelude import *
from relance.claims.symbolic import Symbolic

TWO = Fraction(2)


def neumann_low_calls(n: Numbers) -> Finding:
    """Player II folds below a if the printed inequality holds. The masses s, t, u are those up to y, a and b."""
    where = masses("s t u")
    B, s, t, u = where.values()
    gain = call_gain("von_neumann", B, [s, t, u], 1, [1, 1, 0, 1])
    slack = n.at(B=B, Py=s, Pa=s + t, above_y=1 - s, above_b=1 - s - t - u)["slack"]
    if slack == -gain:
        return Finding(True, f"calling gains {show(gain)}", (where,))
    point = {"B": TWO, "s": Fraction(1, 4), "t": Fraction(1, 4), "u": Fraction(1, 2)}
    holds, gains = (show(symbolic(number).at(point)) for number in (slack, gain))
    text = "the printed inequality holds by"
    chances = {"P(X < y)": "1/4", "P(X < a)": "1/2", "P(X > y)": "3/4", "P(X > b)": "0"}
    return tried_at({"B": TWO, **chances}, False, f"{text} {holds}, yet calling gains {gains}")


def neumann_outer_calls(n: Numbers, chances: Sequence[str]) -> Finding:
    """A law for which a call gains more and more from a to b, as it should, yet gains below a and loses above b, for B = 2.

    Player I's hand is below all of II's with one of the `chances`, given II's hand: below a, from a to c, from c to b, above b. It is above
    them all otherwise. But where the gain rises on all of [0, 1], the first and the fourth inequality follow.
    """
    gains = [call_gain("von_neumann", TWO, [Fraction(p), Fraction(0)], 1, [1, 0, 1]) for p in chances]
    text = f"calling gains {', '.join(map(show, gains))} below a, up to c, up to b and above b; where it rises on [0, 1], they follow"
    low, middle, upper, high = gains
    example = Finding(middle < 0 < upper and low > 0 > high, text, (spot({"B": TWO}),)).part("example")
    below = masses("s t u", "(B + 2)*(s + t) <= B*(1 - s - t - u)")
    above = masses("s t u", "(B + 2)*s >= B*(1 - s - t)")
    parts = [example]
    sides = {"below a": (below, 1, [1, 1, 0, 1], -1), "above b": (above, 3, [1, 0, 1, 1], 1)}
    for name, (where, own, bets, sign) in sides.items():
        B, *cells = where.values()
        gain = call_gain("von_neumann", B, cells, own, bets)
        parts.append(true_for(where, partial(ge, sign * gain, 0), "").part(name))
    return together(parts)


def neumann_association(n: Numbers, weak: str, strong: str) -> Finding:
    """The gain of betting falls up to c and rises from c on for each t up to `weak`, up or down, of the Farlie-Gumbel-Morgenstern family.

    It does not for `strong`, a negative t; nor for a law with positive dependence, that of two hands of I above c of which the lower
    always meets a hand just below it and the higher always one above it. B = 2, and c is any hand, so that of the equations too.
    """
    rises = [bet_gain("von_neumann", TWO, cells, own, [0, 1, 1, 1]) for cells, own in (([0, 1, 0], 2), ([0, 0, 0], 3))]
    sample = Finding(rises[0] > rises[1], "two hands that rise together", (spot({"B": TWO}),)).part("two hands")
    parts = []
    for name, sign, order in (("up to c", -1, "0 < x < c"), ("from c on", 1, "c < x < 1")):
        where = region("t, c, x", "0 < c < 1", f"-({weak}) <= t <= {weak}", order)
        parts.append(true_for(where, partial(ge, sign * _slope(where, where["t"]), 0), f"t up to {weak}").part(name))
    one = region("c, x", "0 < c < 1", "0 < x < c")
    at_worst = _slope(one, Fraction(strong)).at({"c": one["c"], "x": Fraction(0)})
    parts.append(true_for(one, partial(gt, at_worst, 0), f"t = {strong}").part("strong"))
    text = (
        f"for any c, betting gains less up to c and more from there for t from -{weak} to {weak}; for t = {strong} it gains more "
        "near the worst hand, and with two hands that rise together less from c on"
    )
    found = together([*parts, sample])
    return found.saying(text)


def _slope(where: Region, t: Number) -> Symbolic:
    """Return how fast the gain of betting over checking rises with the hand x, if B = 2 and player II calls above c."""
    game = replace(make("von_neumann", bet=TWO), deal=fgm(t))
    return symbolic(bet_advantage(game, [(where["c"], 1)])(where["x"])).derivative("x")
