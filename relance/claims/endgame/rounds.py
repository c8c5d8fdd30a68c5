"""Checks of the solution of the endgame with any number of rounds (Section 3, Summary of Solution)."""

from __future__ import annotations

from relance.claims.endgame.induction import (
    ACTIVE,
    U,
    any_number,
    cutoff,
    indifferent_fold,
    later,
    link,
    stakes,
    step,
)
from relance.claims.prelude import *
from relance.envs.ferguson_endgame import growth, ratios

ABOVE = {"on": (ACTIVE[1].replace("<=", ">="), "P*g <= 1"), "stop": ("P*g >= 1", "P <= 1")}
"""Conditions on P from P0 on, as in `ACTIVE`: where player II, after a call, goes on in the later rounds, and where player II stops."""


@unproved("from one round to any number")
def all_rounds(n: Numbers) -> Finding:
    """Check the printed folds, bluffs and value of the endgame with any number of rounds, for P up to P0.

    P is the probability that player I has a winning hand. S is half the pot before round k, and r_j how often player II folds in round j. G
    is the product of 1 + r_j over the rounds j from k on, and H the product over the rounds from k - 1 on. P0 is 1/G for k = 1.
    """
    where, game = step(*ACTIVE)
    plan, V = _printed_step(n, where)
    optimal = nash(game, plan, where, V)
    steps = {"step": optimal, "II holds both": _holds_both(n), "next chance": _passes_on(n), "last round": _ends()}
    return any_number(
        steps,
        f"in each step {optimal.evidence}; later bluffs as at the next chance",
        partial(_summary, n),
        f"{U} and P = P0/(1 + s)",
    )


@unproved("from one round to any number")
def later_rounds(n: Numbers) -> Finding:
    """Check what each player can secure in an endgame with any number of rounds left, even 0, by the printed strategies.

    t is half the pot, P the probability that player I has a winning hand, r how often II folds in a round, and g the product of 1 + r over
    the rounds left. I can secure the smaller of t and t(2Pg - 1), and II can hold I to each of these two amounts. So the induction step
    replaces the rounds after a call by `later(t, g)`, a choice of II between two terminal nodes that pay I these amounts, whatever P is
    (part `replaced`). For P up to the printed P0, player I bluffs with probability p1 in the first round, and p in a later one.
    """
    where, game = step(*ACTIVE)
    plan, V = _printed_step(n, where)
    parts = {"I below P0": nash(game, plan, where, V), "II goes on": _holds_both(n), "next chance": _passes_on(n)}
    for answer, conditions in ABOVE.items():
        there, game = step(*conditions)
        play: Plan = {"": {"bet": 1}, "bet": {"fold": 1}, "bet-call": {answer: 1}}
        parts[f"I above P0, {answer}"] = nash(game, play, there, there["a"])
    where, game = step("0 < P", "P < 1")
    chips = chips_by_action(game, {"": {"bet": 1}, "bet": {"fold": 1}, "bet-call": {"on": 1}}, "")
    prior, a = game.deal.prior(0), where["a"]
    most = [[number / p for number, p in zip(row, prior, strict=True)] for row in chips.values()]
    parts["II folds"] = true_for(where, lambda: all(bool(number <= a) for row in most for number in row), "at most a")
    where = region("A, M, t, g", "A > 0", "M >= 0", "t > 0", "g >= 1")
    A, M, t, g = where.values()
    stop, on = later(t, g).children
    secured = {"stop": (A + M) * t, "on": (A + M) * t * (2 * A / (A + M) * g - 1)}
    left = {
        name: A * (leaf.constant + leaf.stake) + M * (leaf.constant - leaf.stake)
        for name, leaf in (("stop", stop), ("on", on))
        if isinstance(leaf, Leaf)
    }
    parts["replaced"] = equal(left, secured, where)
    return together({**parts, "link": link(), "no round": _ends()})


def _symbols(n: Numbers, where: Region, P: Number) -> dict[str, Number]:
    """Return the printed r, P0, V and p1. I has a winning hand with probability P; g is the product of 1 + r over the later rounds."""
    known: dict[str, Number] = {"a": where["a"], "S": where["a"], "b": where["b"], "P": P}
    known["r"] = n.number("r", known)
    known["G"] = (1 + known["r"]) * where["g"]
    for symbol in ("P0", "V", "p1"):
        known[symbol] = n.number(symbol, known)
    return known


def _printed_step(n: Numbers, where: Region) -> tuple[dict[str, dict[str, object]], Number]:
    v = _symbols(n, where, where["P"])
    return {"": {"bet": [v["p1"], 1]}, "bet": {"fold": v["r"]}, "bet-call": {"on": 1}}, v["V"]


def _holds_both(n: Numbers) -> Finding:
    """Check that II, by folding with probability r and then going on, holds I to -a with a losing and a(2G - 1) with a winning hand.

    G is the product of 1 + r over all rounds.
    """
    where, game = step("0 < P", "P < 1")
    v = _symbols(n, where, where["P"])
    chips = chips_by_action(game, {"": {"bet": 1}, "bet": {"fold": v["r"]}, "bet-call": {"on": 1}}, "")
    a, P = where["a"], where["P"]
    lost = {f"loser, {action}": chips[action][0] / (1 - P) for action in ("bet", "check")}
    most = equal(
        {**lost, "winner": chips["bet"][1] / P}, {**dict.fromkeys(lost, -a), "winner": a * (2 * v["G"] - 1)}, where
    )
    return most.only_if(bool(chips["bet"][1] >= chips["check"][1]))


def _passes_on(n: Numbers) -> Finding:
    """Check that the printed p_k is the printed p_1 of the later rounds, where P is the chance of a winning hand after a bet."""
    where, game = step("P > 0", ACTIVE[1])
    plan, _ = _printed_step(n, where)
    _, distribution = belief(game, game.profile(plan), 1, "hand", "bet")
    g, G = where["g"], _symbols(n, where, where["P"])["G"]
    P0 = n.number("P0", {"G": g})
    again = n.number("p1", {"P0": P0, "P": distribution["winner"], "G": g, "a": where["a"]})
    return equal({"p": again}, {"p": n.number("p", {"G": g, "H": G})}, where)


def _ends() -> Finding:
    """The base case: with no round left a call leads to a showdown, as going on with g = 1 does, and costs II no more than stopping."""
    where = region("a, b", "a > 0", "b > 0")
    t = where["a"] + where["b"]
    last = make("endgame", p="1/2", ante=where["a"], bets=[where["b"]]).tree.leaves["bet-call"]
    rest = later(t, ONE)
    return true_for(
        where, lambda: last == rest.child("on") == showdown(t) and rest.child("stop") == Leaf(t), "a showdown for t"
    )


def _summary(n: Numbers, rounds: int) -> Finding:
    where, bets, sums = stakes(rounds, "s", "s >= 0")
    a = where["a"]
    folds = [n.number("r", {"b": bet, "S": before}) for bet, before in zip(bets, sums, strict=False)]
    tails = [growth(folds[k:]) for k in range(rounds)]
    P0 = n.number("P0", {"G": tails[0]})
    known = {"a": a, "P0": P0, "P": P0 / (1 + where["s"]), "G": tails[0]}
    numbers = {"p1": n.number("p1", known)} | {f"f{k}": fold for k, fold in enumerate(folds, 1)}
    numbers |= {f"p{k}": n.number("p", {"G": G, "H": H}) for k, (H, G) in enumerate(pairwise(tails), 2)}
    game = make("endgame", p=known["P"], ante=a, bets=bets)
    optimal = nash(game, with_numbers(game, numbers), where, n.number("V", known))
    if rounds == 1:
        return optimal
    fewer = make("endgame", p=known["P"], ante=sums[1], bets=bets[1:])
    return optimal.only_if(game.tree.decisions["bet-call"] == fewer.tree.root)


@unproved("from one round to any number")
def summary_saddle(n: Numbers) -> Finding:
    """Check that for P from P0 on it is optimal in the endgame that player I bets and player II folds, and that the value is a, the ante.

    P is the probability that I has a winning hand. The printed P0 must be the P at which the formula of the value for smaller P reaches a.
    """
    steps = {}
    for answer, conditions in ABOVE.items():
        where, game = step(*conditions)
        plan: Plan = {"": {"bet": 1}, "bet": {"fold": 1}, "bet-call": {answer: 1}}
        steps[f"to {answer}"] = nash(game, plan, where, where["a"])
    where, game = step("0 < P", "P < 1")
    border = cutoff(game, {"bet-call": {"on": 1}})
    G = (1 + indifferent_fold(game, {"bet-call": {"on": 1}})) * where["g"]
    steps["border"] = equal({"P0": border}, n.at(G=G), where)
    return any_number(
        steps,
        f"in each step {steps['to on'].evidence}; the value reaches a at P0 = {show(border)}",
        lambda rounds: together([_saddle(rounds, k) for k in range(1, rounds + 1)]),
        f"{U} and P from a border to the next",
    )


def _saddle(rounds: int, k: int) -> Finding:
    """Check the published strategies for P from the border P0 of the endgame that starts in round k to that of the one from round k + 1."""
    where, bets, _ = stakes(rounds, "s", "s >= 0")
    folds = ratios(where["a"], bets)
    low, high = (1 / growth(folds[j:]) for j in (k - 1, k))
    game = make("endgame", p=(low + where["s"] * high) / (1 + where["s"]), ante=where["a"], bets=bets)
    return nash(game, game.published().plan(), where, where["a"])
