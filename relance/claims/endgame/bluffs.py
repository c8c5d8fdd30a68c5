"""Checks of player I's bluffs in an endgame of any number of rounds (Section 3): (7) to (13), and certain bluffs."""

from __future__ import annotations

from relance.claims.endgame.induction import (
    ACTIVE,
    ROUNDS,
    U,
    any_number,
    indifferent_bluff,
    indifferent_fold,
    later,
    link,
    no_round,
    one_round,
    one_round_less,
    pays,
    round_value,
    stakes,
    step,
)
from relance.claims.prelude import *
from relance.envs.ferguson_endgame import growth, ratios


@unproved("from one round to any number")
def mixed_bluffs(n: Numbers) -> Finding:
    """Check (7), what player II loses in the endgame by j calls, and (8), what the last of these calls costs.

    A loser bluffs i times with probability pi_i, and s_i is half the pot after i bets. In the printed formulas `after` is the sum of pi_i
    over i > j, and `before` the sum of s_i pi_i over i <= j.
    """
    names = "P, a, b, p, q, sj, sh, A, B, pi"
    where = region(names, "0 <= P <= 1", "a > 0", "b > 0", "0 <= p <= 1", "0 <= q <= 1")
    P, a, b, p, q, sj, sh, A, B, pi = where.values()
    t = a + b
    later: dict[str, Number] = {"sj": sj, "sh": sh, "after": A, "before": B, "pi": pi}

    rest = partial(one_round_less, n, later)

    def column(winner: Number, loser: Number, fold: int) -> Number:
        return round_value(where, winner, loser, p, fold)

    # The sums are a first term and those of the later rounds, times the chance of a bluff.
    sums = n.at(**{**later, "P": P, "after": p * A, "before": p * B + (1 - p) * a, "pi": p * pi})
    none = n.at(P=P, sj=a, after=p, before=(1 - p) * a, sh=1, pi=1)
    once = n.at(P=P, sj=t, sh=a, after=p * q, pi=p * (1 - q), before=1)
    stops = column(sj, sj, 1)  # player II folds at once
    more = column(sj + rest("(8)")[0], B + rest("(8)")[1], 0) - column(sj, B, 0)
    first_call = column(t, t * q - t * (1 - q), 0) - stops  # a loser who has bet bluffs again with probability q
    found = together(
        [
            equal({"(7)": column(*rest("(7)"), 0), "(8)": more}, {key: sums[key] for key in ("(7)", "(8)")}, where),
            equal({"(7)": stops, "(8)": first_call}, {"(7)": none["(7)"], "(8)": once["(8)"]}, where),
        ]
    )
    start = equal({"(7)": no_round(P, a)}, {"(7)": n.at(P=P, sj=a, after=0, before=a, sh=1, pi=1)["(7)"]}, where)
    return any_number(
        {"step": found, "no round": start, "link": link()},
        "(7) and (8) in a step",
        partial(_mixed_bluffs, n),
        rounds=ROUNDS[:3],
    )


def _mixed_bluffs(n: Numbers, rounds: int) -> Finding:
    bluffs = [f"p{k}" for k in range(1, rounds + 1)]
    where, bets, s = stakes(rounds, ", ".join(["P", *bluffs]), "0 <= P <= 1", *(f"0 <= {p} <= 1" for p in bluffs))
    P = where["P"]
    game = make("endgame", p=P, ante=where["a"], bets=bets)
    reached = [prod((where[p] for p in bluffs[:i]), start=ONE) for i in range(rounds + 2)]
    pi = [*(reached[i] - reached[i + 1] for i in range(rounds)), reached[rounds]]
    W: list[Number] = []
    results = []
    for j in range(rounds + 1):
        numbers = {f"f{k}": Fraction(k > j) for k in range(1, rounds + 1)} | {p: where[p] for p in bluffs}
        W.append(play_value(game, with_numbers(game, numbers)))
        after, before = sum(pi[j + 1 :], Fraction(0)), sum((s[i] * pi[i] for i in range(j + 1)), Fraction(0))
        v = n.at(P=P, sj=s[j], sh=s[max(j, 1) - 1], after=after, before=before, pi=pi[j])
        results.append(equal({"(7)": W[j]}, {"(7)": v["(7)"]}, where))
        if j:
            results.append(equal({"(8)": W[j] - W[j - 1]}, {"(8)": v["(8)"]}, where))
    return together(results)


@unproved("from one round to any number")
def bluffs(n: Numbers) -> Finding:
    """Check (9) to (13): the probabilities pi_j of j bluffs that leave player II indifferent between all numbers of calls."""
    steps = []
    where, game = step("P > 0", ACTIVE[1])
    P, a, b, g = where.values()
    r = b / (2 * a + b)
    later_sum = n.at(P=P, G=g, r=r, after=1, s0=a)["(10)"]
    v = n.at(P=P, G=(1 + r) * g, r=r, after=later_sum, s0=a)
    known = {
        "(9)": indifferent_bluff(game, GO_ON) - later_sum,
        "(10)": v["(9)"] + later_sum,
        "(12)": v["(9)"] + later_sum,
    }
    for answer in ("fold", "call"):
        W = play_value(game, {"": {"bet": [v["(12)"], 1]}, "bet": {answer: 1}, **GO_ON})
        steps.append(equal({**known, "(13)": W}, v, where))
    return any_number(
        {"one bluff": _one_bluff(n), "later bluffs": _later_bluffs(n), "step": together(steps)},
        steps[-1].evidence,
        _indifferent,
        f"{U} and P = P0/(1 + s)",
    )


GO_ON: Plan = {"bet-call": {"on": 1}}


def _one_bluff(n: Numbers) -> Finding:
    """Check that one call and none cost player II the same, with the printed pi_1 of one bluff and any probability of more bluffs."""
    most = "P*b + (1 - P)*(2*a + 2*b)*A <= (1 - P)*(2*a + b)"  # pi_1 + A is a probability
    where = region("P, a, b, A", "0 < P", "P < 1", "a > 0", "b > 0", "A >= 0", most)
    P, a, b, A = where.values()
    t = a + b
    pi = n.at(P=P, r=b / (2 * a + b), after=A, G=1, s0=a)["(9)"]
    game = one_round(P, a, b, pays(t, t * (A - pi) / (A + pi)))
    fold, call = (play_value(game, {"": {"bet": [pi + A, 1]}, "bet": {answer: 1}}) for answer in ("fold", "call"))
    return equal({"one call": call}, {"one call": fold}, where)


def _later_bluffs(n: Numbers) -> Finding:
    """Check that (9) holds in the whole game if it holds in the later rounds, where q is how often a loser bets in the first round.

    The first bet changes the probability of a winner. At the changed one, (9) gives each pi_j of the later rounds; this times q is the pi_j
    of the whole game. What a call in a later round costs player II at the changed probability, times the probability of the first bet, is
    what this call costs in the whole game. After the last round, (10) is 0.
    """
    where = region("P, a, b, q, r, after, x, y", "0 < P", "P < 1", "a > 0", "b > 0", "0 < q", "q <= 1")
    P, a, b, q, r, after, x, y = where.values()
    game = one_round(P, a, b, pays(x, y))
    profile = game.profile({"": {"bet": [q, 1]}, "bet": {"call": 1}})
    met, distribution = belief(game, profile, 1, "hand", "bet")
    there, here = (
        n.at(P=chance, r=r, after=sums, G=1, s0=a) for chance, sums in ((distribution["winner"], after), (P, q * after))
    )
    stopped = one_round(P, a, b, pays(0 * x, 0 * x))
    costs = play_value(game, profile) - play_value(stopped, profile.plan())
    computed = {"pi": here["(9)"], "a call": costs, "no bluff left": here["(10)"]}
    return equal(
        computed,
        {
            "pi": q * there["(9)"],
            "a call": met * (distribution["winner"] * x + distribution["loser"] * y),
            "no bluff left": 0 * P,
        },
        where,
    )


def _indifferent(rounds: int) -> Finding:
    """Against the published bluffs player II gets the same from any number of calls."""
    where, bets, _ = stakes(rounds, "s", "s > 0")
    G = growth(ratios(where["a"], bets))
    game = make("endgame", p=1 / G / (1 + where["s"]), ante=where["a"], bets=bets)
    _, printed = game.printed_numbers()
    folds = [{f"f{k}": Fraction(k > calls) for k in range(1, rounds + 1)} for calls in range(rounds + 1)]
    none, *others = (play_value(game, with_numbers(game, {**printed, **fold})) for fold in folds)
    columns = {f"{calls} calls": worth for calls, worth in enumerate(others, 1)}
    return equal(columns, dict.fromkeys(columns, none), where)


def certain(n: Numbers) -> Finding:
    """Check that p_1 - 1, and the value (6) minus the ante, have the sign of P - P0, where P is the probability of a winner.

    P0 is the border from which on player I always bets. p_1 is how often a loser must bet in the first round to leave player II
    indifferent, by a formula that may exceed 1. (6) is what always betting earns if II folds so often that losers are indifferent.
    """
    where = region("s, a, b, g", "s > 0", "a > 0", "b > 0", "g >= 1")
    s, a, b, g = where.values()
    P0 = n.at(G=(2 * a + 2 * b) / (2 * a + b) * g)["P0"]
    results = []
    for relation, wanted, P in (("<", -1, P0 / (1 + s)), ("=", 0, P0), (">", 1, (P0 + s) / (1 + s))):
        game = one_round(P, a, b, later(a + b, g))
        chips = chips_by_action(game, {"": {"bet": 1}, "bet": {"fold": indifferent_fold(game, GO_ON)}, **GO_ON}, "")[
            "bet"
        ]
        bluff, fold = indifferent_bluff(game, GO_ON), indifferent_fold(game, GO_ON)
        gaps = (bluff - 1, sum(chips) - a)
        results.append(
            true_for(where, partial(_signs, gaps, wanted), f"for P {relation} P0, p_1 {relation} 1 and V {relation} a")
        )
        results.append(
            true_for(where, partial(_all_positive, bluff, fold, 1 - fold), "both bluffs and folds have a chance")
        )
    return together(results)


def _all_positive(*numbers: Number) -> bool:
    return all(bool(number > 0) for number in numbers)


def _signs(gaps: Sequence[Number], wanted: int) -> bool:
    return all(gap == 0 if wanted == 0 else bool(wanted * gap > 0) for gap in gaps)


@unproved("from one round to any number")
def independent_of_chance(n: Numbers, first: int = 2) -> Finding:
    """Check that player I may play from round `first` on alike for all probabilities P of a winner at the start below a border P0.

    If P is P0 or more, player I always bets. After the first bet, the probability of a winner is the same for all P below P0.
    """
    where, game = step("P > 0", ACTIVE[1])
    p1 = indifferent_bluff(game, GO_ON)
    _, distribution = belief(game, game.profile({"": {"bet": [p1, 1]}, "bet": {"fold": 0}, **GO_ON}), 1, "hand", "bet")
    chance = distribution["winner"]
    found = true_for(
        where, lambda: symbolic(chance).derivative("P") == 0, f"after the first bet the chance is {show(chance)}"
    )
    direct = partial(_as_at_another_chance, first)
    return any_number({"step": found}, found.evidence, direct, f"{U} and P = P0/(1 + s)", ROUNDS[1:])


def _as_at_another_chance(first: int, rounds: int) -> Finding:
    """Check an equilibrium in which player I plays from round `first` on as the solution does where P is a hundredth of the border P0."""
    where, bets, _ = stakes(rounds, "s", "s > 0")
    border = 1 / growth(ratios(where["a"], bets))
    game, other = (make("endgame", p=P, ante=where["a"], bets=bets) for P in (border / (1 + where["s"]), border / 100))
    _, numbers = game.printed_numbers()
    later_bluffs = {k: v for k, v in other.printed_numbers()[1].items() if k[0] == "p" and int(k[1:]) >= first}
    return nash(game, with_numbers(game, {**numbers, **later_bluffs}), where)
