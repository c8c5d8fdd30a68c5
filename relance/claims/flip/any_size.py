"""Check of the claim on Newman's game, with bets of any size, and a flip: the lower hand wins with probability q.

f is 1 - 2q, the ante is 1, and a bet is written as T = f(1 + bet) + 1.
"""

from __future__ import annotations

from relance.claims.prelude import *

HALF = ONE / 2


@unproved("from each bet to all together")
def newman(n: Numbers) -> Finding:
    """Check Newman's game with a flip: each hand's best bet, player II's indifference to each, the sum of all bluffs, the value.

    The value falls as f = 1 - 2q rises, where the lower hand wins with probability q. For any two bets there is a border between hands:
    above the border the larger bet wins more than the smaller, and below it never does. The border lies between the worst hand that bets
    the smaller for value and the worst that bets the larger for value.
    """
    where = region("f", "0 < f", "f < 1")
    f = where["f"]
    v = n.at(f=f, T=TWO)
    first = _gain(f, TWO, v["c"])
    computed = {"x0": _bluffs(v["K"], TWO), "V": _worth(f, v, first), "most": n.at(f=0, T=2)["V"]}
    value_of_f = [
        equal(computed, {name: v[name] for name in computed}, where),
        true_for(where, lambda: bool(0 < v["x0"] < v["c"] <= HALF <= v["v"]), "the lines rise"),
        true_for(
            where, lambda: signs_between(first, 0, v["x0"], HALF, 1) == [1, -1, 1], "T = 2 gains below x0 and above 1/2"
        ),
        true_for(where, partial(lt, symbolic(v["V"]).derivative("f"), 0), "V falls as f rises, so it rises with q"),
    ]
    parts = {"value": together(value_of_f), "shares": _shares(n), "smaller bets": _smaller(), "called": _called()}
    parts |= {"two bets": _two_bets(n), "called at T = 2": _called_without_bluffs()}
    return together(parts)


def _game(f: Number, T: Number) -> Game:
    return make("flipped_von_neumann", bet=(T - 1 - f) / f, flip=(1 - f) / 2)


def _gain(f: Number, T: Number, call: Number) -> Piecewise:
    """Return what the bet gains over a check, if player II calls it from `call` on."""
    return bet_advantage(_game(f, T), [(call, 1)])


def _shares(n: Numbers) -> Finding:
    """Check for bets T >= 2 that a bluff with x0 gains 0, and that `_bluffs` and `_gains` have the slopes in T that single bets imply."""
    where = region("f, T", "0 < f", "f < 1", "T >= 2")
    f, T = where.values()
    v = n.at(f=f, T=T)
    gain = _gain(f, T, v["c"])
    along = symbolic(v["v"]).derivative("T")
    shares: dict[str, Number] = {
        "a bluff with x0": at_point(gain.pieces[0], v["x0"]),
        "bluffs": symbolic(_bluffs(v["K"], T)).derivative("T"),
        "gains": symbolic(_gains(f, v["K"], T)).derivative("T"),
    }
    wanted: dict[str, Number] = {
        "a bluff with x0": ONE * 0,
        "bluffs": -(T - 2) / T * along,
        "gains": -at_point(gain.pieces[-1], v["v"]) * along,
    }
    return equal(shares, wanted, where)


def _two_bets(n: Numbers) -> Finding:
    """Check what a larger bet gains over a smaller one, by the hand."""
    where = region("f, T, S", "0 < f", "f < 1", "T >= 2", "S > T")
    f, T, S = where.values()
    low, high = n.at(f=f, T=T), n.at(f=f, T=S)
    more = _gain(f, S, high["c"]) - _gain(f, T, low["c"])
    border = 1 - low["K"] / (T * S)

    def apart() -> bool:
        inside = low["v"] < border < high["v"]
        return signs_between(more, 0, low["c"], border, 1) == [0, -1, 1] and bool(inside)

    return true_for(where, apart, "of two bets the larger gains just above a hand between those that bet them")


def _bluffs(K: Number, T: Number) -> Number:
    """Return the share of hands that bluff with T or more: (T - 2)/T times as many hands bluff with a size T as bet it for value."""
    return K / T**2 - 4 * K / (3 * T**3)


def _gains(f: Number, K: Number, T: Number) -> Number:
    """Return what the hands that bet T or more for value gain over a check."""
    return K * (1 - f + K) / T**2 - 8 * K**2 / (3 * T**3) + K**2 * (1 + f) / T**4


def _worth(f: Number, v: dict[str, Number], first: Piecewise) -> Number:
    """Return the value: bluffs gain 2f(x0 - x) with the hand x; hands from 1/2 up to v bet T = 2, and higher hands bet more."""
    slope, most = first.pieces[-1][1], v["v"]
    middle = slope * (most - HALF) ** 2 / 2
    return f * v["x0"] ** 2 + middle + _gains(f, v["K"], TWO)


def _smaller() -> Finding:
    """Bets below T = 2 are always called: they gain just with the better half of the hands, and less than T = 2."""
    where = region("f, T", "0 < f", "f < 1", "1 + f < T", "T < 2")
    f, T = where.values()
    gain, most = _gain(f, T, ONE * 0), _gain(f, TWO, ONE * 0)
    text = "smaller bets gain less, with the same hands"
    return true_for(
        where, lambda: [*signs_between(gain, 0, HALF, 1), *signs_between(most - gain, HALF, 1)] == [-1, 1, 1], text
    )


def _called() -> Finding:
    """Player II facing T, with bluffs and value bets in their shares: a call from the bluffs on is a best response."""
    where: Region = region("f, T, g, k, h", "0 < f", "f < 1", "T > 2", "g > 0", "k > 0", "h > 0")
    f, T, g, k, h = where.values()
    scale = k * (T - 2) / T + g + k + h  # the bluffs, the hands between, the value bets, the hands above
    bluffs, line, up = k * (T - 2) / T / scale, 1 - (k + h) / scale, 1 - h / scale
    gain = call_advantage(_game(f, T), [(0, bluffs), (line, up)])
    text = "a call changes nothing between bluffs and value bets"
    return true_for(where, lambda: signs_between(gain, 0, bluffs, line, up, 1) == [-1, 0, 1, 1], text)


def _called_without_bluffs() -> Finding:
    """Facing T = 2, which nobody bluffs with, a call wins what a fold wins up to the value bets, and more above."""
    where = region("f, g, k, h", "0 < f", "f < 1", "g > 0", "k > 0", "h > 0")
    f, g, k, h = where.values()
    scale = g + k + h  # the hands below the value bets, these, the hands above
    line, up = g / scale, 1 - h / scale
    gain = call_advantage(_game(f, TWO), [(line, up)])
    text = "without bluffs a call changes nothing up to the value bets"
    return true_for(where, lambda: signs_between(gain, 0, line, up, 1) == [0, 1, 1], text)
