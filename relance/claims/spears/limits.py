"""Checks on von Neumann's poker with bets of any size from L to U, Spears's game, and Newman's, without limits."""

from __future__ import annotations

from relance.claims.prelude import *

HALF = ONE / 2
"""The ante, as the pot is 1."""


def _inside(*more: str, names: str = "r, t") -> Region:
    """The region of L < U and conditions `more`. r = L/(1 + L), t = 1/(1 + U); a bet u, old pot/new pot, is from 1 - r for L to t for U."""
    return region(names, "r > 0", "t > 0", "r + t < 1", *more)


def _worth(r: Number, t: Number) -> Number:
    """The limit of the values of sets of bet sizes between L and U, from their gaps (claims any-menu and gaps)."""
    S = (1 - r**3 - t**3) / 3
    return HALF * S / (2 + S)


def _lines(r: Number, t: Number) -> dict[str, Number]:
    """Player I's thresholds x0 to x5 in Spears's game, the limits of those of finite sets of bet sizes between L and U."""
    w = 2 * _worth(r, t)
    lines = {
        "x2": w,
        "x3": 1 - (1 - w) * (1 - r) / 2,
        "x4": 1 - (1 - w) * (1 - r) ** 2 / 2,
        "x5": 1 - (1 - w) * t**2 / 2,
    }
    return {**lines, "x0": (1 - lines["x5"]) * (1 - t), "x1": w - (lines["x4"] - lines["x3"]) * r}


def _gain(u: Number, call: Number) -> Piecewise:
    """Return player I's gain over a check by the bet u (the old pot divided by the new one), if player II calls from `call` on."""
    return bet_advantage(make("sized_von_neumann", ante=HALF, sizes=[1 / u - 1]), [(call, 1)])


def _with_hand(gain: Piecewise, x: Number) -> Number:
    """A gain with the hand x, which is above player II's threshold."""
    return at_point(gain.pieces[-1], x)


def _integral(gain: Piecewise, piece: int, left: Number, right: Number) -> Number:
    total: Number = sum(
        (c * (right ** (k + 1) - left ** (k + 1)) / (k + 1) for k, c in enumerate(gain.pieces[piece])), 0 * ONE
    )
    return total


@unproved("from each bet to all together")
def limit_strategy(n: Numbers) -> Finding:
    """Check that Spears's printed thresholds are limits of the thresholds for finite sets of bet sizes, and check each hand's best bet."""
    where = _inside()
    r, t = where.values()
    lines = _lines(r, t)
    low, high = (n.at(**where, s=s) for s in (r / (1 - r), (1 - t) / t))
    joins = {"b(L)": low["b"], "v(L)": low["v"], "b(U)": high["b"], "v(U)": high["v"]}
    ends = dict(zip(joins, (low["x1"], low["x4"], low["x0"], low["x5"]), strict=True))
    order = [lines[f"x{i}"] for i in range(6)]
    inner = _inside("t <= u", "u <= 1 - r", names="r, t, u")
    x, u, printed = _lines(inner["r"], inner["t"]), inner["u"], n.at(**inner, s=1 / inner["u"] - 1)
    z = 1 - x["x2"]
    curves = {"c": 1 - z * u, "v": 1 - z * u**2 / 2, "b": x["x0"] + z * (_bluffs(u) - _bluffs(inner["t"]))}
    smallest = _gain(1 - r, low["c"])
    found = [
        equal(lines, {name: low[name] for name in lines}, where),
        equal(joins, ends, where),
        true_for(where, lambda: all(bool(a < b) for a, b in pairwise([0, *order, 1])), "the lines rise"),
        true_for(
            where,
            lambda: signs_between(smallest, 0, low["x2"], low["x3"], 1) == [1, -1, 1],
            "L gains over a check below x2 and above x3",
        ),
    ]
    between = equal(curves, {name: printed[name] for name in curves}, inner)
    apart = true_for(
        inner, lambda: bool(printed["b"] <= x["x2"]) and bool(x["x2"] < printed["c"]), "bluffs, then calls"
    )
    return together([together(found).part("lines"), together([between, apart]).part("sizes"), *_best_replies()])


def _best_replies() -> list[Finding]:
    """Check each hand's best bet if player II calls the bet u with hands from 1 - z u on, and check player II's answers.

    Below 1 - z all bets win the same, as bluffs. Above, the hand 1 - z u^2/2 wins most with u: of two bets, the larger wins more from some
    hand on, which is between the two hands 1 - z u^2/2 of these bets. Player II meets 1 - u bluffs per value bet of u, so a call is worth a
    fold with a hand between the bluffs and the value bets.
    """
    where = region("z, u", "0 < z", "z < 1", "0 < u", "u < 1")
    z, u = where.values()
    gain = _gain(u, 1 - z * u)
    text = "a bet gains over a check with the hands below 1 - z and above one that is below its own"
    line = 1 - z * u / 2
    over = true_for(
        where, lambda: signs_between(gain, 0, 1 - z, line, 1) == [1, -1, 1] and bool(line < _likes(z, u)), text
    )
    shares = symbolic(z * _bluffs(u)).derivative("u") / -symbolic(_likes(z, u)).derivative("u")
    found = equal({"bluffs per value bet": shares}, {"bluffs per value bet": 1 - u}, where)
    return [found.part("shares"), over.part("a bet"), _two_bets().part("two bets"), _answered().part("answers")]


def _likes(z: Number, u: Number) -> Number:
    """The hand that wins most with the bet u."""
    return 1 - z * u**2 / 2


def _two_bets() -> Finding:
    where = region("z, u, w", "0 < z", "z < 1", "0 < u", "u < w", "w < 1")
    z, u, w = where.values()
    more = _gain(u, 1 - z * u) - _gain(w, 1 - z * w)
    border = 1 - z * u * w / 2

    def apart() -> bool:
        inside = _likes(z, w) < border < _likes(z, u)
        return signs_between(more, 0, 1 - z * w, border, 1) == [0, -1, 1] and bool(inside)

    return true_for(where, apart, "of two bets the larger gains just above a hand between those that like them best")


def _answered() -> Finding:
    """Check player II's gain of a call over a fold, against 1 - u bluffs per value bet, with a hand below, between and above both kinds."""
    where = region("u", "0 < u", "u < 1")
    u = where["u"]
    game = make("sized_von_neumann", ante=HALF, sizes=[1 / u - 1])
    bet = game.tree.root.actions[1]
    against = {"bluff": ((1 - u) / (2 - u), 1), "value bet": (1 / (2 - u), 3)}
    gains = [
        gained(one_hand(game, 1, against, place), {"": {bet: 1}, bet: {"call": 1}}, bet, "call", "fold")
        for place in (0, 2, 4)
    ]
    text = "a call loses below the bluff, gains above the value bet, and changes nothing between"
    return true_for(where, lambda: gains[1] == 0 and bool(gains[0] < 0) and bool(gains[2] > 0), text)


def _bluffs(u: Number) -> Number:
    """The integral of u (1 - u)."""
    return u**2 / 2 - u**3 / 3


def _gains(u: Number) -> Number:
    """The integral of u (1 - u)^2."""
    return u**2 / 2 - 2 * u**3 / 3 + u**4 / 4


def _all_gains() -> Finding:
    """Check that z^2 `_gains(u)` is the integral over u of z u times what the hand 1 - z u^2/2 gains over a check by its bet u."""
    where = region("z, u", "0 < z", "z < 1", "0 < u", "u < 1")
    z, u = where.values()
    along = {"gain": _with_hand(_gain(u, 1 - z * u), 1 - z * u**2 / 2) * z * u}
    return equal(along, {"gain": symbolic(z**2 * _gains(u)).derivative("u")}, where).part("gains")


@unproved("the sum over all hands")
def limited(n: Numbers) -> Finding:
    """Check the value of Spears's game: the integral, over hands, of the gain over a check by the strategy in the claim "strategy"."""
    where = _inside()
    r, t = where.values()
    x = _lines(r, t)
    z = 1 - x["x2"]
    small, large = _gain(1 - r, 1 - z * (1 - r)), _gain(t, 1 - z * t)
    earned = (
        _integral(small, 0, 0 * z, x["x2"])
        + _integral(small, -1, x["x3"], x["x4"])
        + z**2 * (_gains(1 - r) - _gains(t))
        + _integral(large, -1, x["x5"], 1 + 0 * z)
    )
    v = n.at(r=r, t=t, L=r / (1 - r), U=(1 - t) / t)
    return together([equal(dict.fromkeys(v, earned), v, where).part("value"), _all_gains()])


@unproved("from each bet to all together")
def unlimited(n: Numbers, ante: str) -> Finding:
    """Check the printed solution of Newman's game, where any bet is allowed; the hands below the threshold x2 are those that bluff."""
    a = Fraction(ante)
    where = region("s", "s > 0")
    u, x2 = 1 / (1 + where["s"]), _lines(ONE * 0, ONE * 0)["x2"]
    z = 1 - x2
    worth = 2 * a * (x2**2 / 2 + z**2 * _gains(ONE))
    both = {"x2": z * _bluffs(ONE), "V": 2 * a * _worth(ONE * 0, ONE * 0)}
    computed = {"c": 1 - z * u, "v": 1 - z * u**2 / 2, "b": z * _bluffs(u), "x2": x2, "x3": 1 - z / 2, "V": worth}
    v = n.at(s=where["s"])
    same = together([equal(computed, v, where), equal(both, {"x2": x2, "V": worth}, where)])
    return together([same.part("sizes"), *_best_replies(), _all_gains()])


def one_size(n: Numbers) -> Finding:
    """Check the printed thresholds of Spears's game where both limits are B."""
    where = region("B", "B > 0")
    B = where["B"]
    return equal(_lines(B / (1 + B), 1 / (1 + B)), n.at(**where), where)


def strong_hands(n: Numbers) -> Finding:
    """Check the formula of X: hands above X earn more as the limit U rises. X is above v(U), the lowest hand that bets U for value."""
    where = region("r, U, x", "r > 0", "U > 0", "r*(1 + U) < U", "x > 0")
    r, U, x = where.values()
    t = 1 / (1 + U)
    lines = _lines(r, t)
    z, dx2 = 1 - lines["x2"], symbolic(lines["x2"]).derivative("U")
    slope = symbolic(_with_hand(_gain(t, 1 - z * t), x)).derivative("U")
    steep = slope.derivative("x")
    X = x - slope / steep
    point = {"r": ONE / 3, "U": ONE * 2, "x": ONE}
    there, x2, rate = (symbolic(number).at(point) for number in (X, lines["x2"], dx2))
    printed = n.at(U=point["U"], x2=x2, dx2=rate)["X"]
    if printed != there:
        return tried_at({"L": HALF, "U": 2}, False, f"X is {show(there)}, not {show(printed)}", where)
    found = [
        equal({"X": X}, n.at(U=U, x2=lines["x2"], dx2=dx2), where),
        true_for(where, lambda: bool(steep > 0) and bool(lines["x5"] < X), "X is above v(U), and hands above X gain"),
        _other_hands(),
        _chosen(),
    ]
    return together(found).saying("X is above v(U), and hands above X gain as U rises")


def _other_hands() -> Finding:
    """Check that a hand that keeps its bet gains more over a check as z = 1 - x2 rises; z falls as U rises."""
    where = region("z, u, x", "0 < z", "z < 1", "0 < u", "u < 1", "x > 0")
    z, u, x = where.values()
    slope = symbolic(_with_hand(_gain(u, 1 - z * u), x)).derivative("z")
    return positive(where, slope, "hands that bet less than U lose as it rises")


def _chosen() -> Finding:
    """Check that a hand's gain is stationary at the bet it likes best, so that it changes with z as if the bet stayed the same."""
    where = region("z, u, x", "0 < z", "z < 1", "0 < u", "u < 1", "x > 0")
    z, u, x = where.values()
    slope = symbolic(_with_hand(_gain(u, 1 - z * u), x)).derivative("u").at({**where, "x": _likes(z, u)})
    return equal({"slope": slope}, {"slope": 0 * z}, where)


def finer_bet_sizes(n: Numbers) -> Finding:
    """Check by how much less m + 1 bet sizes with equal gaps from L to U are worth than all sizes from L to U.

    Before the proof for all m, L and U, the values for m = 1, 2, 3 and 7 with L = 1/2 and U = 2 are checked in the games themselves.
    """
    tried = together([_bet_sizes_between(n, steps) for steps in (1, 2, 3, 7)])
    if not tried.holds:
        return tried
    where = _inside("m >= 1", names="r, t, m")
    r, t, m = where.values()
    S = (1 - r**3 - t**3 - m * ((1 - r - t) / m) ** 3) / 3
    found = equal({"short": _worth(r, t) - HALF * S / (2 + S)}, {"short": n.at(**where)["short"]}, where)
    return found.only_if(tried)


def _bet_sizes_between(n: Numbers, steps: int) -> Finding:
    """Check the value of the game with `steps` + 1 bet sizes from L = 1/2 to U = 2."""
    r, t = ONE / 3, ONE / 3
    pots = [1 - r - (1 - r - t) * k / steps for k in range(steps + 1)]
    game = make("sized_von_neumann", ante=HALF, sizes=[1 / pot - 1 for pot in pots])
    worth = _worth(r, t) - n.at(r=r, t=t, m=ONE * steps)["short"]
    return nash(game, with_numbers(game, game.printed_numbers()[1]), worth=worth)
