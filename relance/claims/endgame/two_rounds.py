"""Checks of claims on two rounds (Section 2)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from relance.claims.checks import equal, nash, tried_at, true_for, with_numbers
from relance.claims.endgame.basic import payoff_matrix
from relance.claims.finding import Finding
from relance.claims.ledger import Numbers
from relance.envs import make
from relance.envs.ferguson_endgame import growth, ratios
from relance.model.game import Game
from relance.model.numbers import Number, formula, show
from relance.solvers.exact import value
from relance.solvers.proof import Region, region

ONE = Fraction(1)


def two(*more: str) -> tuple[Region, dict[str, Number]]:
    """The region of any ante, two bets u and v relative to the pots before them, and s, which fixes P."""
    where = region("s, a, u, v", "s > 0", "a > 0", "u > 0", "v > 0", *more)
    b1 = 2 * where["a"] * where["u"]
    return where, {"a": where["a"], "b1": b1, "b2": (2 * where["a"] + 2 * b1) * where["v"]}


def two_bets(P: Number, at: Mapping[str, Number]) -> Game:
    return make("endgame", p=P, ante=at["a"], bets=[at["b1"], at["b2"]])


def two_matrix(n: Numbers) -> Finding:
    where = region("P, a, b1, b2", "0 < P", "P < 1", "a > 0", "b1 > 0", "b2 > 0")
    rows, columns = ("pass", "bet-pass", "bet-bet"), ("fold", "call-fold", "call-call")
    return equal(payoff_matrix(two_bets(where["P"], where), rows, columns), n.at(**where), where)


def two_rounds(n: Numbers) -> Finding:
    """P = P0/(1 + s) covers all P below the printed P0, and P = (P0 + s)/(1 + s) all above, with or without a sure bluff."""
    where, at = two()
    s, border = where["s"], formula(n.texts["P0"], at)
    v = n.at(P=border / (1 + s), **at)
    game = two_bets(border / (1 + s), at)
    below = nash(game, with_numbers(game, v), where, v["V"])
    if not below.holds:
        return below
    odds = "((1 + u)*(1 + v) + s*(1 + 2*u)*(1 + 2*v))/(u + v + 3*u*v)"
    wheres = [where]
    for relation in ("<=", ">="):
        part, here = two(f"{odds}*v {relation} 1 + v")
        wheres.append(part)
        chance = (formula(n.texts["P0"], here) + part["s"]) / (1 + part["s"])
        v = n.at(P=chance, **here)
        if relation == ">=" and not v["q2"] >= 1:
            return Finding(False, f"{show(v['q2'])} is less than 1", (part,))
        saddle = {"p1": ONE, "p2": v["q2"] if relation == "<=" else ONE, "f1": ONE, "f2": v["f2"]}
        game = two_bets(chance, here)
        above = nash(game, with_numbers(game, saddle), part, here["a"])
        if not above.holds:
            return above
    return Finding(True, f"below P0: {below.evidence}; from P0 on NashConv 0, value a", tuple(wheres))


def cutoffs(n: Numbers) -> Finding:
    """P0 of two rounds is the product of the borders of its rounds, each taken as a Basic Endgame."""
    where, at = two()
    v = n.at(**at)
    return true_for(where, lambda: bool(v["P0"] == v["first"] * v["second"]), f"both are {show(v['P0'])}")


def submatrix(n: Numbers) -> Finding:
    """The last two rows and columns are a Basic Endgame with ante a + b1; its value reaches a exactly at P0."""
    where, at = two()
    inner = at["a"] + at["b1"]
    slope = 2 * inner * growth(ratios(inner, [at["b2"]]))
    gap = slope * n.at(**at)["P0"] - inner - at["a"]
    return true_for(where, lambda: gap == 0 and bool(slope > 0), "its value less a is 0 at P0 and rises with P")


def pot_limit(n: Numbers) -> Finding:
    """Two pot-sized bets, for every P below the printed border, at which the first bluff becomes certain."""
    where = region("P, a", "0 < P", f"P < {n.texts['limit']}", "a > 0")
    v = n.at(**where)
    game = make("endgame", p=where["P"], ante=where["a"], bets=[v["b1"], v["b2"]])
    plan = with_numbers(game, {**v, "f1": 1 - v["call1"], "f2": 1 - v["call2"]})
    pot = v["b1"] == 2 * where["a"] and v["b2"] == 2 * where["a"] + 2 * v["b1"]
    full = formula(n.texts["p1"], {"P": n["limit"]}) == 1
    return nash(game, plan, where, v["V"]).only_if(pot and full)


def growing_bets(n: Numbers) -> Finding:
    """The printed statement: the value rises with each of the two bets. Tried at the ante 1 and the limit 5."""
    games = [make("endgame", p="1/4", ante=1, bets=[b1, 5]) for b1 in (4, 5)]
    less, more = (value(game, game.published()) for game in games)
    return tried_at({"a": 1, "P": "1/4"}, more > less, f"V = {less} at b1 = 4, b2 = 5, V = {more} at b1 = 5, b2 = 5")


def growing_bets_where(n: Numbers) -> Finding:
    """V rises with b2, and its slope in b1 has the sign of `slope`, which at b1 = b2 = B is `both`.

    As a function of b1 the slope is a parabola, positive at 0 and with a positive linear term, so it changes sign at
    most once, from + to -: the limit B is best in both rounds exactly where `both` is not negative. That ends at B = `limit` a,
    to half a unit of its third digit: `both` is positive for all smaller B and negative for all greater ones.
    """
    where = region("P, a, b1, b2", "0 < P", "P < 1", "a > 0", "b1 > 0", "b2 > 0")
    a, b1, b2 = where["a"], where["b1"], where["b2"]
    worth = 2 * a * where["P"] * growth(ratios(a, [b1, b2])) - a
    v = n.at(**where, B=b2)
    slope = 8 * a * where["P"] * v["slope"] / ((2 * a + b1) ** 2 * (2 * a + 2 * b1 + b2) ** 2)
    same = v["both"] == formula(n.texts["slope"], {**where, "b1": b2})
    digits = n.texts["limit"]
    limits = (("0 < B", f"B <= ({digits} - 1/2000)*a"), (f"B >= ({digits} + 1/2000)*a",))
    below, above = (formula(n.texts["both"], region("a, B", "a > 0", *limit)) for limit in limits)
    text = f"V rises with b2, and with b1 where {show(v['slope'])} > 0; at b1 = b2 = B that is so up to B = {digits} a"

    def statement() -> bool:
        rising = worth.derivative("b1") == slope and bool(worth.derivative("b2") > 0)
        return rising and same and bool(below > 0) and bool(above < 0)

    return true_for(where, statement, text)


def pot_best(n: Numbers) -> Finding:
    """The printed bets are the greatest that pot limit allows, and V is less with any smaller one.

    The value is the smaller of V and a, so it is nowhere greater either.
    """
    bets = ("0 < x", "x <= 2*a", "0 < y", "y <= 2*a + 2*x", "x + y < 8*a")
    where = region("P, a, x, y", "0 < P", "P < 1", "a > 0", *bets)
    P, a, x, y = where.values()
    v = n.at(a=a)
    worth = [2 * a * P * growth(ratios(a, pair)) - a for pair in ([v["b1"], v["b2"]], [x, y])]
    allowed = v["b1"] == 2 * a and v["b2"] == 2 * a + 2 * v["b1"]
    text = f"V = {show(worth[0])} is more than with any other bets"
    return true_for(where, lambda: allowed and bool(worth[0] > worth[1]), text)


def split(n: Numbers) -> Finding:
    """With b1 + b2 = B fixed, the printed first bet is best. B = a (t^2 - 1), so that the square root is a t."""
    where = region("P, a, t, x", "0 < P", "P < 1", "a > 0", "t > 1", "x > 0", "x < a*t**2 - a")
    P, a, t, x = where.values()
    B = a * t**2 - a
    any_bet = n.at(P=P, a=a, b1=x, B=B, root=a * t)
    printed = n.at(P=P, a=a, b1=any_bet["best"], B=B, root=a * t)
    same = any_bet["V"] == 2 * a * P * growth(ratios(a, [x, B - x])) - a
    text = "V at the printed first bet is at least V at any other"
    return true_for(where, lambda: same and bool(printed["V"] >= any_bet["V"]), text)
