"""Checks of the derivation for an endgame of any number of rounds (Section 3): payoffs, mixtures and indifference."""

from __future__ import annotations

from relance.claims.endgame.basic import playing
from relance.claims.endgame.induction import (
    ROUNDS,
    any_number,
    indifferent_fold,
    link,
    no_round,
    one_round,
    one_round_less,
    pays,
    round_value,
    stakes,
)
from relance.claims.prelude import *
from relance.envs.ferguson_endgame import growth, ratios


def _round(names: str, *more: str) -> Region:
    """The region of the probability P of a winner, an ante a, a bet b and the symbols `names`, with the further conditions `more`."""
    return region(f"P, a, b, {names}", "P >= 0", "P <= 1", "a > 0", "b > 0", *more)


@unproved("from one round to any number")
def payoffs(n: Numbers) -> Finding:
    """Check the printed payoffs if losers bluff i times and player II calls j times, and that n rounds give each player n + 1 plans."""
    where = _round("si, sj, y", "si > 0", "sj > 0")
    P, a, _, si, sj, y = where.values()  # y where what follows does not matter

    rest = partial(one_round_less, n, {"si": si, "sj": sj})
    up, above = rest("i up to j"), rest("i above j")
    cases = [
        ("i up to j", si, sj, round_value(where, *up, 1, 0)),
        ("i up to j", a, sj, round_value(where, up[0], y, 0, 0)),
        ("i up to j", a, sj, round_value(where, above[0], y, 0, 0)),
        ("i up to j", a, a, round_value(where, y, y, 0, 1)),
        ("i above j", si, sj, round_value(where, *above, 1, 0)),
        ("i above j", si, a, round_value(where, y, y, 1, 1)),
    ]
    step = together([equal({key: worth}, {key: n.at(P=P, si=i, sj=j)[key]}, where) for key, i, j, worth in cases])
    first = equal({"none": no_round(P, a)}, {"none": n.at(P=P, si=a, sj=a)["i up to j"]}, where)
    return any_number({"step": step, "no round": first, "link": link()}, "every entry of a step", partial(_payoffs, n))


def _payoffs(n: Numbers, rounds: int) -> Finding:
    where, bets, sums = stakes(rounds, "P", "P >= 0", "P <= 1")
    game = make("endgame", p=where["P"], ante=where["a"], bets=bets)
    entries = {(i, j): "i up to j" if i <= j else "i above j" for i in range(rounds + 1) for j in range(rounds + 1)}
    computed = {f"A{i}{j}": play_value(game, playing(game, i, j)) for i, j in entries}
    printed = {f"A{i}{j}": n.at(P=where["P"], si=sums[i], sj=sums[j])[key] for (i, j), key in entries.items()}
    just = all(len(plans(game, player)) == rounds + 1 for player in (0, 1))
    return equal(computed, printed, where).only_if(just)


@unproved("from one round to any number")
def mixed_calls(n: Numbers) -> Finding:
    """Check V_i, player I's payoff in an endgame of n rounds if losers bluff i times and II calls j times with probability sigma_j.

    The printed (2) is V_i, and (3) is V_i - V_(i-1); V_n has a formula of its own. s_j is half the pot after j bets. In the formulas `all`
    is the sum of s_j sigma_j over all j, `before` is that over j < i, `tail` is the sum of sigma_j over j >= i, and `last` is s_n sigma_n.
    """
    where = _round("f, si, A, B, T, L, y, sk, sh, u, v", "0 <= f", "f <= 1")
    P, a, b, f, si, A, B, T, L, y, sk, sh, u, v = where.values()
    on = 1 - f
    later: dict[str, Number] = {"all": A, "before": B, "tail": T, "si": si, "last": L, "sk": sk, "sh": sh}
    later |= {"stop": u, "reached": v}

    rest = partial(one_round_less, n, later)
    # The sums are a first term and those of the later rounds, times the chance that II calls.
    sums: dict[str, Number] = {"P": P, "all": f * a + on * A, "last": on * L, "sk": sk, "sh": sh}
    bluffs = n.at(**sums, before=f * a + on * B, tail=on * T, si=si, stop=on * u, reached=on * v)
    never = n.at(**sums, before=0, tail=1, si=a, stop=0, reached=0)
    once = n.at(**{**sums, "sk": a + b, "sh": a}, before=0, tail=1, si=a, stop=f, reached=ONE)
    check = round_value(where, A, y, 0, f)
    computed = {key: round_value(where, *rest(key), 1, f) for key in ("(2)", "Vn")}
    more = round_value(where, A, y + rest("(3)")[1], 1, f) - round_value(where, A, y, 1, f)
    step = together(
        [
            equal({**computed, "(3)": more}, bluffs, where),
            equal({"(2)": check}, {"(2)": never["(2)"]}, where),
            equal({"(3)": round_value(where, A, -(a + b), 1, f) - check}, {"(3)": once["(3)"]}, where),
        ]
    )
    none = n.at(P=P, all=a, before=0, tail=1, si=a, last=a, sk=a, sh=a, stop=1, reached=1)
    first = equal(dict.fromkeys(("(2)", "Vn"), no_round(P, a)), {key: none[key] for key in ("(2)", "Vn")}, where)
    return any_number(
        {"step": step, "no round": first, "link": link()},
        "(2), (3) and V_n in a step",
        partial(_mixed_calls, n),
        rounds=ROUNDS[:3],
    )


def _mixed_calls(n: Numbers, rounds: int) -> Finding:
    folds = [f"f{k}" for k in range(1, rounds + 1)]
    where, bets, s = stakes(rounds, ", ".join(["P", *folds]), "0 <= P <= 1", *(f"0 <= {f} <= 1" for f in folds))
    P = where["P"]
    game = make("endgame", p=P, ante=where["a"], bets=bets)
    reached = [prod((1 - where[f] for f in folds[:j]), start=ONE) for j in range(rounds + 1)]
    sigma = [before - after for before, after in pairwise([*reached, 0 * ONE])]
    V: list[Number] = []
    results = []
    for i in range(rounds + 1):
        numbers = {f"p{k}": Fraction(k <= i) for k in range(1, rounds + 1)} | {f: where[f] for f in folds}
        V.append(play_value(game, with_numbers(game, numbers)))
        sums = {
            "all": _dot(s, sigma),
            "before": _dot(s[:i], sigma),
            "tail": sum(sigma[i:], Fraction(0)),
            "si": s[i],
            "last": s[-1] * sigma[-1],
        }
        k = max(i, 1)
        v = n.at(P=P, **sums, sk=s[k], sh=s[k - 1], stop=sigma[k - 1], reached=sum(sigma[k - 1 :], Fraction(0)))
        results.append(equal({"(2)": V[i]}, {"(2)": v["(2)"]}, where))
        if i:
            results.append(equal({"(3)": V[i] - V[i - 1]}, {"(3)": v["(3)"]}, where))
    results.append(equal({"Vn": V[-1]}, {"Vn": v["Vn"]}, where))
    return together(results)


def _dot(left: Sequence[Number], right: Sequence[Number]) -> Number:
    return sum((x * y for x, y in zip(left, right, strict=False)), Fraction(0))


def folds(n: Numbers) -> Finding:
    """Check r_k, how often II folds in round k if a bluff then gains nothing; half the pot is s before this round, and t after a call."""
    where = region("P, s, t", "0 < P", "P < 1", "0 < s", "s < t")
    P, s, t = where.values()
    game = one_round(P, s, t - s, pays(t, -t))
    r = indifferent_fold(game, {})
    bet, new_pot = game.parameters["bets"][0], 2 * game.tree.leaves["bet-fold"].constant + game.parameters["bets"][0]
    text = "a loser who bets and then checks gains nothing"
    found = equal(
        {"r": r, "1 + r": 1 + r, "1 - r": 1 - r, "bet over new pot": bet / new_pot},
        {**n.at(s=s, t=t), "bet over new pot": r},
        where,
    )
    return found.saying(f"{text}: {found.evidence}")


@unproved("from one round to any number")
def value_forms(n: Numbers) -> Finding:
    """Check (5) and (6), two formulas of the endgame's value, and a formula of the sum of s_j sigma_j.

    Player II folds in each round k with the probability r_k that leaves a loser indifferent. s_j is half the pot after j bets, and sigma_j
    the probability that II calls j times. F and G are the products of 1 - r_k and of 1 + r_k over all rounds. In the induction step, h and
    g are the same products over all rounds but the first.
    """
    where = region("P, a, b, g, h", "0 < P < 1", "a > 0", "b > 0", "g >= 1", "h > 0")
    P, a, b, g, h = where.values()
    t = a + b
    sn = t * g / h  # so that s_n h = t g, as in the later rounds
    game = one_round(P, a, b, pays(*one_round_less(n, {"F": h, "G": g, "s0": t, "sn": sn}, "(5)")))
    r = indifferent_fold(game, {})
    v = n.at(P=P, F=(1 - r) * h, G=(1 + r) * g, s0=a, sn=sn)
    bet, check = (play_value(game, {"": {"bet": [bluff, 1]}, "bet": {"fold": r}}) for bluff in (1, 0))
    wins = chips_by_action(game, {"": {"bet": 1}, "bet": {"fold": r}}, "")["bet"][1] / P
    found = equal({"(5)": bet, "(6)": check, "sum": wins}, v, where)
    none = {"(5)": no_round(P, a), "(6)": no_round(P, a), "sum": a}
    first = equal(none, n.at(P=P, F=1, G=1, s0=a, sn=a), where)
    return any_number({"step": found, "no round": first, "link": link()}, found.evidence, partial(_values, n))


def _values(n: Numbers, rounds: int) -> Finding:
    where, bets, sums = stakes(rounds, "P", "0 < P", "P < 1")
    game = make("endgame", p=where["P"], ante=where["a"], bets=bets)
    r = ratios(where["a"], bets)
    plan = {f"f{k}": rate for k, rate in enumerate(r, 1)} | {f"p{k}": Fraction(0) for k in range(1, rounds + 1)}
    play = with_numbers(game, plan)
    v = n.at(P=where["P"], F=prod((1 - rate for rate in r), start=ONE), G=growth(r), s0=sums[0], sn=sums[-1])
    best = best_value(game, play, 0)
    wins = chips_by_action(game, play, "")["bet"][1] / where["P"]
    return equal({"(5)": best, "(6)": best, "sum": wins}, v, where)
