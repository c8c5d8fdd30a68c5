"""Checks of claims on two rounds (Section 2)."""

from __future__ import annotations

from relance.claims.endgame.basic import earned_while_active, payoff_matrix
from relance.claims.prelude import *


def _two(*more: str, names: str = "P, a, b1, b2") -> Region:
    """The region of a chance P, an ante a and two bets, with further conditions."""
    return region(names, "a > 0", "b1 > 0", "b2 > 0", *more)


def _two_bets(where: Mapping[str, Number]) -> Game:
    return make("endgame", p=where["P"], ante=where["a"], bets=[where["b1"], where["b2"]])


def two_matrix(n: Numbers) -> Finding:
    where = _two("P >= 0", "P <= 1")
    rows, columns = ("pass", "bet-pass", "bet-bet"), ("fold", "call-fold", "call-call")
    game = _two_bets(where)
    just = [len(plans(game, player)) for player in (0, 1)] == [len(rows), len(columns)]
    return equal(payoff_matrix(game, rows, columns), n.at(**where), where).only_if(just)


def growing_bets(n: Numbers) -> Finding:
    """The printed statement: the value rises with each of the two bets. Tried at the ante 1 and the limit 5."""
    games = [make("endgame", p="1/4", ante=1, bets=[b1, 5]) for b1 in (4, 5)]
    less, more = (value(game, game.published()) for game in games)
    return tried_at({"a": 1, "P": "1/4"}, more > less, f"V = {less} at b1 = 4, b2 = 5, V = {more} at b1 = 5, b2 = 5")


def growing_bets_where(n: Numbers) -> Finding:
    """V rises with b2, and its slope in b1 has the sign of `slope`, which at b1 = b2 = B is `both`.

    With both bets up to B, b1 = b2 = B is best where `both` is not negative, and where it is, a smaller b1 is better. `both` changes
    its sign at B = `limit` a, to half a unit of its third digit.
    """
    where = _two("0 < P", "P < 1")
    worth = symbolic(earned_while_active(_two_bets(where)))
    v = n.at(**where, B=where["b2"])
    a, b1, b2 = where["a"], where["b1"], where["b2"]
    slope = 8 * a * where["P"] * v["slope"] / ((2 * a + b1) * (2 * a + 2 * b1 + b2)) ** 2
    rising = equal({"slope": worth.derivative("b1")}, {"slope": slope}, where)
    rising = rising.only_if(bool(worth.derivative("b2") > 0))
    same = equal({"both": n.number("slope", {**where, "b1": b2})}, {"both": v["both"]}, where)
    digits = n.texts["limit"]
    ends = []
    for name, sign, side in (
        ("up to the limit", 1, f"0 < B <= ({digits} - 1/2000)*a"),
        ("beyond", -1, f"B >= ({digits} + 1/2000)*a"),
    ):
        part = region("a, B", "a > 0", side)
        ends.append(true_for(part, partial(_has_sign, n.number("both", part), sign), f"{side}").part(name))
    part = region("P, a, B, z", "0 < P < 1", "a > 0", "B > 0", "z > 0")
    P, a, B, x = part["P"], part["a"], part["B"], part["B"] / (1 + part["z"])
    full, less = (earned_while_active(make("endgame", p=P, ante=a, bets=[b1, B])) for b1 in (B, x))
    share = 8 * a * P * (B - x) * x / (B * (2 * a + B) * (2 * a + 3 * B) * (2 * a + x) * (2 * a + 2 * x + B))
    text = "the limit B gains on any smaller first bet more than a positive multiple of `both`"
    best = true_for(part, lambda: bool(share > 0) and bool(full - less > share * n.number("both", part)), text)
    found = together([rising.part("slopes"), same.part("slopes"), best.part("both bets"), *ends])
    text = f"V rises with b2, and with b1 where {show(v['slope'])} > 0; at b1 = b2 = B that is so up to B = {digits} a"
    return found.saying(text)


def _has_sign(number: Number, sign: int) -> bool:
    return bool(sign * number > 0)
