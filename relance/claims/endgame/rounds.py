"""Checks of claims on many rounds (Section 3), and on our two extensions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import partial
from itertools import pairwise
from math import prod
from operator import ge, gt

from relance.claims.checks import each, equal, nash, together, true_for, with_numbers
from relance.claims.endgame.basic import ONE, playing
from relance.claims.finding import Finding
from relance.claims.ledger import Numbers
from relance.envs import make
from relance.envs.ferguson_endgame import endgame_bets, growth, ratios
from relance.model.numbers import Number, formula, show
from relance.solvers.exact import nash_conv, value
from relance.solvers.lp import solve_lp
from relance.solvers.proof import Region, region

ROUNDS = (1, 2, 3, 4)
"""The numbers of rounds for which claims on "n rounds" are proved, with any bets."""


def _region(n: int) -> Region:
    """The region of any ante, n bets u_k relative to the pots before them, and s, which fixes P."""
    names = ["s", "a", *(f"u{k}" for k in range(1, n + 1))]
    return region(", ".join(names), *(f"{name} > 0" for name in names))


def _stages(where: Region, n: int) -> tuple[list[Number], list[Number]]:
    """The bets b_1 to b_n, and s_0 to s_n: half the pot after each round."""
    bets: list[Number] = []
    sums: list[Number] = [where["a"]]
    for k in range(1, n + 1):
        bets.append(2 * sums[-1] * where[f"u{k}"])
        sums.append(sums[-1] + bets[-1])
    return bets, sums


def _any_bets(rounds: int) -> tuple[Region, list[Number], Number]:
    """The region of this many rounds, the bets, and G, the product of 1 + r_k."""
    where = _region(rounds)
    bets, _ = _stages(where, rounds)
    return where, bets, growth(ratios(where["a"], bets))


def _all(results: Iterable[Finding], text: str, rounds: Sequence[int] = ROUNDS) -> Finding:
    """Whether all findings hold, one for each number of rounds."""
    return each("rounds", zip(rounds, results, strict=True), text)


def summary(n: Numbers) -> Finding:
    """r_k, P0, V, p_1 and p_k as printed, with S half the pot before round k, G and H products of 1 + r_j from k and k - 1."""
    return _all((_summary(n, rounds) for rounds in ROUNDS), "NashConv 0 for P below P0, with the printed value")


def _summary(n: Numbers, rounds: int) -> Finding:
    where = _region(rounds)
    bets, sums = _stages(where, rounds)

    def printed(letter: str, **known: Number) -> Number:
        return formula(n.texts[letter], {"a": where["a"], **known})

    folds = [printed("r", b=bet, S=before) for bet, before in zip(bets, sums, strict=False)]
    tails = [growth(folds[k:]) for k in range(rounds)]
    P0 = printed("P0", G=tails[0])
    P = P0 / (1 + where["s"])
    numbers = {"p1": printed("p1", P0=P0, P=P)} | {f"f{k}": fold for k, fold in enumerate(folds, 1)}
    numbers |= {f"p{k}": printed("p", G=G, H=H) for k, (H, G) in enumerate(pairwise(tails), 2)}
    game = make("endgame", p=P, ante=where["a"], bets=bets)
    return nash(game, with_numbers(game, numbers), where, printed("V", P0=P0, P=P))


def summary_saddle(n: Numbers) -> Finding:
    """From P0 on: player II holds I to a by folding, and I gets at least a against any number of calls.

    His losers all bet in round one, and later play as in the game at P0, where player II is indifferent.
    """
    results = []
    for rounds in ROUNDS:
        where, bets, G = _any_bets(rounds)
        P = (n.at(G=G)["P0"] + where["s"]) / (1 + where["s"])
        _, at_border = make("endgame", p=1 / G / 2, ante=where["a"], bets=bets).printed_numbers()
        game = make("endgame", p=P, ante=where["a"], bets=bets)
        worth = []
        for calls in range(rounds + 1):
            folds = {f"f{k}": Fraction(k > calls) for k in range(1, rounds + 1)}
            plan = with_numbers(game, {**at_border, "p1": ONE, **folds})
            worth.append(value(game, game.profile(plan)))
        enough = [true_for(where, partial(ge, gets, where["a"]), "at least a") for gets in worth]
        results.append(together(enough).only_if(worth[0] == where["a"]))
    return _all(results, "player I gets a from a fold and at least a from any number of calls")


def payoffs(n: Numbers) -> Finding:
    """A_ij for i bluffs and j calls, i up to j and i above j."""
    by_rounds = []
    for rounds in ROUNDS:
        results = []
        names = ["P", "a", *(f"u{k}" for k in range(1, rounds + 1))]
        where = region(", ".join(names), *(f"{name} > 0" for name in names), "P < 1")
        bets, sums = _stages(where, rounds)
        game = make("endgame", p=where["P"], ante=where["a"], bets=bets)
        for i in range(rounds + 1):
            for j in range(rounds + 1):
                v = n.at(P=where["P"], si=sums[i], sj=sums[j])
                key = "i up to j" if i <= j else "i above j"
                entry = f"A{i}{j}, {key}"
                results.append(equal({entry: value(game, playing(game, i, j))}, {entry: v[key]}, where))
        by_rounds.append(together(results))
    return _all(by_rounds, "every entry")


def values(n: Numbers) -> Finding:
    """The two forms of the value: G is the product of 1 + r_k, F that of 1 - r_k, which is s_0 G/s_n."""
    results = []
    for rounds in ROUNDS:
        where = _region(rounds)
        bets, sums = _stages(where, rounds)
        G = growth(ratios(where["a"], bets))
        F = prod((1 - r for r in ratios(where["a"], bets)), start=ONE)
        P = 1 / G / (1 + where["s"])
        v = n.at(P=P, G=G, F=F, s0=sums[0], sn=sums[-1])
        game = make("endgame", p=P, ante=where["a"], bets=bets)
        results.append(equal(dict.fromkeys(n, value(game, game.published())), v, where))
    return _all(results, "both are the value of the published strategies")


def ratio(n: Numbers) -> Finding:
    """r_k, 1 + r_k and 1 - r_k in terms of half the pot before and after, p and s."""
    where = region("s, t", "0 < s", "s < t")
    bet = where["t"] - where["s"]
    r = bet / (2 * where["s"] + bet)
    return equal({"r": r, "1 + r": 1 + r, "1 - r": 1 - r}, n.at(**where), where)


def independent_of_chance(n: Numbers) -> Finding:
    """After the first round the printed strategies of two different chances are the same."""
    results = []
    for rounds in ROUNDS[1:]:
        where, bets, G = _any_bets(rounds)
        plays = []
        for chance in (1 / G / (1 + where["s"]), 1 / G / 100):
            _, numbers = make("endgame", p=chance, ante=where["a"], bets=bets).printed_numbers()
            plays.append({k: v for k, v in numbers.items() if k != "p1"})
        results.append(Finding(plays[0] == plays[1], "p_2 to p_n and all r_k are the same for any two chances"))
    return _all(results, results[0].evidence, rounds=ROUNDS[1:])


def best_between(n: Numbers) -> Finding:
    """With its neighbours l and h = l t^2 fixed, the printed s_i, the root of l h, which is l t, is strictly best for player I."""
    results = []
    for side in ("l <= x", "x < l*t"), ("l*t < x", "x <= l*t**2"):
        where = region("l, t, x", "l > 0", "t > 1", *side)
        low, t, x = where.values()
        best = n.at(l=low, root=low * t)["s"]
        parts = [s / ((s + low) * (low * t**2 + s)) for s in (best, x)]
        text = "the value's factor is greater there than at any other s_i"
        results.append(true_for(where, partial(gt, *parts), text))
    return together(results).given(
        "The value is continuous in all s_i together, on a closed bounded set, so it has a maximum. There each s_i is best between "
        "its neighbours, hence their geometric mean; only the geometric sequence has this property."
    )


def geometric(n: Numbers) -> Finding:
    """(18) to (23): stakes growing by the factor t = (s_n/s_0)^(1/n) in each round."""
    results = []
    for rounds in ROUNDS:
        where = region("s0, t, w", "s0 > 0", "t > 1", "w > 0")
        s0, t = where["s0"], where["t"]
        sums = [s0 * t**k for k in range(rounds + 1)]
        bets = [after - before for before, after in pairwise(sums)]
        r = formula(n.texts["r"], where)
        power = [(1 + r) ** k for k in range(rounds + 1)]
        P = 1 / power[rounds] / (1 + where["w"])
        game = make("endgame", p=P, ante=s0, bets=bets)
        _, numbers = game.printed_numbers()
        # With t for the n-th root, (s_n^(1/n) + s_0^(1/n))^n is s_0 (1 + t)^n.
        letters = {"t": t, "s0": s0, "P": P, "Rn": power[rounds], "sn": sums[-1]}
        letters |= {"D": s0 * (1 + t) ** rounds, "N": 2 ** (rounds + 1) * ONE}
        rest = list(reversed(power))  # (1 + r)^(n-j) by j
        v, *later = (n.at(**letters, Rh=before, Rj=after) for before, after in pairwise([rest[0], *rest]))
        checks = [
            all(numbers[f"f{k}"] == r for k in range(1, rounds + 1)),
            all(bet == v["proportion"] * 2 * before for bet, before in zip(bets, sums, strict=False)),
            numbers["p1"] == v["p1"],
            value(game, game.published()) == v["V"],
            v["limit"] == 1 / power[rounds],
            all(numbers[f"p{j}"] == later[j - 2]["p"] for j in range(2, rounds + 1)),
        ]
        results.append(Finding(all(checks), f"{rounds} rounds: {checks}"))
    text = "r, the bets as a proportion of the pot, p_1, p_(j+1), the border and the value"
    return _all(results, text)


def example(n: Numbers) -> Finding:
    """The pot is 20, the stacks 260 and 330, three rounds, P = 1/4."""
    bets = endgame_bets("no_limit", ante=10, stack=260, rounds=3)
    game = make("endgame", p="1/4", ante=10, bets=bets)
    _, numbers = game.printed_numbers()
    sums = [10 + sum(bets[:k], Fraction(0)) for k in range(4)]
    worked = {f"s{k}": s for k, s in enumerate(sums)} | {f"bet{k}": bet for k, bet in enumerate(bets, 1)}
    ends = {"border": 1 / growth(ratios(Fraction(10), bets)), "call": 1 - numbers["f1"]}
    result = equal({**worked, **ends, "p1": numbers["p1"], "p2": numbers["p2"]}, n, game)
    pots = all(bet == 2 * s for bet, s in zip(bets, sums, strict=False))
    good = pots and nash_conv(game, game.published()) == 0
    return result.only_if(good, f"{result.evidence}; each bet is the pot")


def extension(n: Numbers, game: str, conditions: Sequence[Sequence[str]], names: str) -> Finding:
    """An extension of ours: the closed-form solution, proved for all parameters, and the value by LP at the sample parameters."""
    results = []
    for case in conditions:
        where = region(names, *case)
        made = make(game, **where)
        left = nash_conv(made, made.published())
        results.append(Finding(left == 0, f"NashConv {show(left)}", (where,)))
    sample = make(game)
    worth = {"value by linear programming": solve_lp(sample)[0]}
    same = equal(worth, dict.fromkeys(worth, value(sample, sample.published())))
    text = f"NashConv 0; at {sample} the {same.evidence}"
    return together([*results, same]).only_if(True, text * same.holds)
