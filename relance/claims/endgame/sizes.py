"""Checks on dividing the stakes among the rounds of an endgame (Section 3, Choosing the sizes of the bets)."""

from __future__ import annotations

from relance.claims.endgame.basic import earned_while_active
from relance.claims.endgame.bluffs import GO_ON
from relance.claims.endgame.induction import (
    any_number,
    cutoff,
    indifferent_bluff,
    indifferent_fold,
    later,
    one_round,
)
from relance.claims.prelude import *
from relance.claims.trace import terminal
from relance.envs.ferguson_endgame import endgame_bets


@unproved("from one round to any number")
def last_bet(n: Numbers, sign: int = 1) -> Finding:
    """Check that an endgame's value rises (falls, if `sign` is -1) with the last bet, by induction on the number of rounds.

    In one round, the value rises with the bet. In more rounds, it rises with the product of 1 + r_k over the rounds after the first, where
    r_k is bet k divided by the pot with this bet; and this product rises with the last bet.
    """
    where = region("P, a, b, g", "0 < P", "P < 1", "a > 0", "b > 0", "g >= 1", "P*(2*a + 2*b)*g <= 2*a + b")
    P, a, b, g = where.values()
    one = earned_while_active(make("endgame", p=P, ante=a, bets=[b]))
    game = one_round(P, a, b, later(a + b, g))
    more = best_value(game, {"": {"bet": 1}, "bet": {"fold": indifferent_fold(game, GO_ON)}, **GO_ON}, 0)
    gains = [symbolic(one).derivative("b"), symbolic(more).derivative("g")]
    return true_for(where, lambda: all(bool(sign * gain > 0) for gain in gains), "the value rises with the last bet")


def neighbours(n: Numbers) -> Finding:
    """Check (15) to (17): the endgame's value is greatest if each s_i is the geometric mean of its neighbours.

    s_i, half the pot after round i, is written x, and s_(i-1) and s_(i+1) are written l and h = l t^2; `root` is the square root of l h.
    """
    steps = []
    for name, sign in (("below the mean", 1), ("above the mean", -1), ("below l", 1), ("above h", -1)):
        where = region("P, l, w, z", "0 < P", "P < 1", "l > 0", "w > 0", "z > 0")
        low, t, z = where["l"], 1 + where["w"], where["z"]
        high = low * t**2
        # z moves x from one end of each part to the other
        x = {
            "below the mean": (low + low * t * z) / (1 + z),
            "above the mean": (low * t + high * z) / (1 + z),
            "below l": low * z / (1 + z),
            "above h": high * (1 + z),
        }[name]
        v = n.at(l=low, h=high, x=x, root=low * t, t=t)
        signed = (symbolic(v["(16)"]).derivative("z"), v["left"] - v["right"])
        steps += [positive(where, sign * number, f"{show(number)} has the sign {sign}") for number in signed]
        if name.endswith("mean"):
            product = (earned_while_active(make("endgame", p=where["P"], ante=low, bets=[x - low, high - x])) + low) / (
                2 * low * where["P"]
            )
            factors = {"(15)": product, "(16)": product / (4 * high)}
            steps.append(equal(factors, {name: v[name] for name in factors}, where))
    best = {"l": low, "h": high, "root": low * t, "t": t}
    v = n.at(**best, x=n.at(**best, x=1)["(17)"])
    steps.append(equal({"left": v["left"]}, {"left": v["right"]}, where))
    text = "the value rises with s_i below the mean of its neighbours and falls above it; equal steps are best of all"
    return together([together(steps).part("a round"), *_factors(n)]).saying(text)


def _factors(n: Numbers) -> list[Finding]:
    """Check that 1 + r, by which a round multiplies the value plus the ante, is 2t/(t + 1) with t = s_i/s_(i - 1); equal t are best.

    Of all t of the rounds with a given product, equal ones make the product of these factors greatest.
    """
    where, free = region("P, s, t", "0 < P", "P < 1", "s > 0", "t > 1"), region("t", "t > 0")
    game = make("endgame", p=where["P"], ante=where["s"], bets=[where["s"] * (where["t"] - 1)])
    one = equal({"factor": 1 + indifferent_fold(game, {})}, {"factor": n.number("factor", where)}, where)
    return [one.part("factor"), greatest_product(n.number("factor", free), "t").part("any rounds")]


@unproved("from one round to any number")
def geometric(n: Numbers) -> Finding:
    """Check (18) to (23): the endgame whose stakes grow by the factor t = (s_n/s_0)^(1/n) in each round.

    s_i is half the pot after round i, n the number of rounds, and r the probability that player II folds in a round. The induction step
    looks at the first round. In the printed formulas Rn is the product of 1 + r over all n rounds, and Rj the product over the n - 1 later
    rounds. The step takes a symbol R >= 1 for Rj, and (1 + r)R for Rn, so that n may be any number.
    """
    where = region("P, s0, t, R, N, sn", "0 < P", "s0 > 0", "t > 1", "R >= 1", "N > 0", "sn > 0", "2*P*t*R <= t + 1")
    P, s0, t, R, N, sn = where.values()
    b = s0 * (t - 1)
    game = one_round(P, s0, b, later(s0 * t, R))
    r = indifferent_fold(game, GO_ON)
    p1 = indifferent_bluff(game, GO_ON)
    # In the later rounds, whose stakes begin at s_0 t, N s_n/D is 2 R: so D is N s_n/(2 R) there, and (1 + t)/t times that here.
    symbols = {
        "P": P,
        "s0": s0,
        "t": t,
        "Rn": (1 + r) * R,
        "sn": sn,
        "ti": t,
        "N": 2 * N,
        "D": N * sn / (2 * R) * (1 + t) / t,
    }
    v = n.at(**symbols, Rh=(1 + r) * R, Rj=R)
    play = nash(game, {"": {"bet": [v["p1"], 1]}, "bet": {"fold": v["r"]}, **GO_ON}, where, v["V"])
    _, distribution = belief(game, game.profile({"": {"bet": [p1, 1]}, "bet": {"fold": r}, **GO_ON}), 1, "hand", "bet")
    next_bluff = n.at(**{**symbols, "P": distribution["winner"], "Rn": R}, Rh=2, Rj=1)["p1"]
    pot = 2 * game.tree.leaves["bet-fold"].constant
    computed = {"r": r, "p1": p1, "p": next_bluff, "limit": cutoff(game, GO_ON), "proportion": b / pot, "as r": b / pot}
    same = equal(computed, {name: v[name] for name in computed}, where)
    return any_number(
        {"step": together([play, same]), "stakes": _growing(n)},
        same.evidence,
        partial(_geometric, n),
        "P = limit/(1 + w)",
    )


def _growing(n: Numbers) -> Finding:
    """Check that s_i = s_0 t^i with t = s_1/s_0, and so t^n = s_n/s_0, if by (17) each s_i is the geometric mean of its neighbours."""
    return induction(
        ["s0 > 0", "t > 1"],
        [f"s == {n.texts['(18)']}", "next == s*t", "ti > 0"],
        {"s": "s0", "next": "s0*t", "ti": "1"},
        {"s": "next", "next": "next**2/s", "ti": "ti*t"},
    )


def _geometric(n: Numbers, rounds: int) -> Finding:
    where = region("s0, t, w", "s0 > 0", "t > 1", "w >= 0")
    s0, t = where["s0"], where["t"]
    grown = [t**k for k in range(rounds + 1)]
    sums = [n.number("(18)", {"s0": s0, "ti": power}) for power in grown]
    means = {f"s{i}": sums[i] ** 2 for i in range(1, rounds)} | {
        f"s{i}^{i + 1}": sums[i] ** (i + 1) for i in range(1, rounds)
    }
    wanted = {f"s{i}": sums[i - 1] * sums[i + 1] for i in range(1, rounds)}
    wanted |= {f"s{i}^{i + 1}": s0 * sums[i + 1] ** i for i in range(1, rounds)}
    ends = {"s0": sums[0], "sn": sums[-1]}
    split = equal({**means, **ends}, {**wanted, "s0": s0, "sn": s0 * grown[-1]}, where)
    r = n.number("r", where)
    power = [(1 + r) ** k for k in range(rounds + 1)]
    P = n.number("limit", {"Rn": power[-1]}) / (1 + where["w"])
    # With t for the n-th root, (s_n^(1/n) + s_0^(1/n))^n is s_0 (1 + t)^n.
    symbols = {
        "t": t,
        "s0": s0,
        "ti": t,
        "P": P,
        "Rn": power[-1],
        "sn": sums[-1],
        "D": s0 * (1 + t) ** rounds,
        "N": 2 ** (rounds + 1) * ONE,
    }
    rest = list(reversed(power))  # (1 + r)^(n-j) by j
    v, *later_rounds = (n.at(**symbols, Rh=before, Rj=after) for before, after in pairwise([rest[0], *rest]))
    game = make("endgame", p=P, ante=s0, bets=[after - before for before, after in pairwise(sums)])
    numbers = {
        "p1": v["p1"],
        **{f"p{j}": later_rounds[j - 2]["p"] for j in range(2, rounds + 1)},
        **{f"f{k}": r for k in range(1, rounds + 1)},
    }
    return together([split, nash(game, with_numbers(game, numbers), where, v["V"])])


def example(n: Numbers) -> Finding:
    """Check the printed example of an endgame: the pot is 20, the stacks 260 and 330, three rounds, P = 1/4."""
    bets = endgame_bets("no_limit", ante=10, stack=min(260, 330), rounds=3)
    game = make("endgame", p="1/4", ante=10, bets=bets)
    sums = [10 + sum(bets[:k], Fraction(0)) for k in range(4)]
    called = ("-".join([*["bet-call"] * k, *["check"] * (k < 3)]) for k in range(4))
    stakes = [terminal(game, game.uniform(), path, ONE) for path in called]
    worked = {f"s{k}": s for k, s in enumerate(stakes)}
    worked |= {f"bet{k}": after - before for k, (before, after) in enumerate(pairwise(stakes), 1)}
    _, numbers = game.printed_numbers()
    numbers |= {"p1": n["p1"], "p2": n["p2"], **{f"f{k}": 1 - n["call"] for k in (1, 2, 3)}}
    plan = with_numbers(game, numbers)
    chances = [Fraction(1, 4), Fraction(1, 8)]
    earned = [best_value(other, plan, 0) for other in (make("endgame", p=P, ante=10, bets=bets) for P in chances)]
    border = chances[0] + (10 - earned[0]) * (chances[0] - chances[1]) / (earned[0] - earned[1])
    shown = [symbol for symbol in n if symbol not in ("call", "p1", "p2")]
    result = equal({**worked, "border": border}, {symbol: n[symbol] for symbol in shown}, game)
    good = (
        stakes == sums and bets == endgame_bets("pot", ante=10, rounds=3) and nash_conv(game, game.profile(plan)) == 0
    )
    return result.only_if(good, f"{result.evidence}; NashConv 0; each bet is the pot")
