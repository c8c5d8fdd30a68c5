"""Checks of claims on independent hands of any laws (Sections 5.1 and 5.3).

The gain of an action depends on the other player's law only through its distribution function at the thresholds and at the hand
itself, and is linear in these. So one density that is constant between the thresholds, with any masses there, is as
general as any law: the gain between two thresholds lies between its values at their ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from relance.claims.checks import (
    advantage,
    equal,
    gained,
    nash,
    signs_between,
    spread,
    tried_at,
    true_for,
    with_chance,
    with_numbers,
)
from relance.claims.finding import Finding
from relance.claims.ledger import Numbers
from relance.envs import make
from relance.model.game import Game
from relance.model.interval import DensityDeal
from relance.model.laws import atoms
from relance.model.numbers import Number, formula, show
from relance.model.strategy import Plan
from relance.solvers.exact import nash_conv, value
from relance.solvers.proof import Region, region

ANY_LAWS = (
    "What an action gains with a hand depends on F and G only through their values at the thresholds and at the hand itself, and is "
    "linear in these; so masses between the thresholds are as general as any law."
)
"""Why strategies that are optimal for one pair of laws F and G are optimal for all that agree at the thresholds."""

ONE = Fraction(1)


def _dealt(game: str, bet: Number, *laws: Sequence[Number]) -> Game:
    """The game with F and G given at equally spaced thresholds, by densities that are constant between them."""
    ends = ([Fraction(0), *values, ONE] for values in laws)
    first, second = (spread([above - below for below, above in pairwise(values)]) for values in ends)
    return replace(make(game, bet=bet), deal=DensityDeal([(first, second)]))


# --- La Relance -------------------------------------------------------------------------------------------------------


def relance_bet(n: Numbers) -> Finding:
    """What betting a hand below c wins, counting the pot as a bonus, and that it vanishes only at the printed G(c)."""
    where = region("B, G", "B > 0", "0 <= G <= 1")
    game = with_chance(make("la_relance", bet=where["B"]), 0, where["G"])
    won = gained(game, {"": {"bet": 1}, "bet": {"call": [0, 1]}}, "", "bet", "fold")
    v = n.at(**where)
    return equal({"bet": won}, {"bet": v["bet"]}, where).only_if(won == (where["B"] + 2) * (where["G"] - v["c"]))


def relance_share(n: Numbers) -> Finding:
    """Betting the printed share of the hands below c makes player II indifferent at c. The printed border says if that share is below 1."""
    where = region("B, F", "B > 0", "F*(2*B + 2) > B", "F < 1")
    v = n.at(**where)
    game = with_chance(make("la_relance", bet=where["B"]), 1, where["F"])
    at_c = gained(game, {"": {"bet": [v["share"], 1]}, "bet": {"call": 1}}, "bet", "call", "fold")
    sign = (1 - v["share"]) * (where["B"] + 2) * where["F"] == (2 * where["B"] + 2) * (where["F"] - v["border"])
    text = f"calling at c gains {show(at_c)}; 1 - {show(v['share'])} has the sign of F(c) - {show(v['border'])}"
    return Finding(at_c == 0 and sign, text, (where,))


def relance_case_one(n: Numbers) -> Finding:
    """F(c) at most B/(2B + 2): I always bets, and II calls above d, where F reaches the printed value."""
    where = region("B, F, h", "B > 0", "0 <= F", "F <= B/(2*B + 2)", "0 <= h", "h*(B + 2) <= 2")
    Gc = where["B"] / (where["B"] + 2)
    game = _dealt("la_relance", where["B"], [where["F"], n.at(**where)["calls"]], [Gc, Gc + where["h"]])
    optimal = nash(game, {"": {"bet": 1}, "bet": {"call": [(Fraction(2, 3), 1)]}}, where).given(ANY_LAWS)
    if optimal.holds:
        return optimal
    point = make("la_relance", bet=2, deal="power:2:1")
    # F(5/8) is above 1/3, where calling pays, and below the printed 1/2
    against = with_chance(point, 1, Fraction(25, 64))
    gain = gained(against, {"": {"bet": 1}, "bet": {"call": 1}}, "bet", "call", "fold")
    text = f"F(x) = x^2: at Y = 5/8, where F(Y) = 25/64 < 1/2, calling gains {show(gain)}"
    return tried_at({"B": 2}, gain <= 0, text, point)


def relance_case_two(n: Numbers) -> Finding:
    """F(c) above B/(2B + 2): I bets above b with the printed F(b), II calls above c."""
    where = region("B, F", "B > 0", "F*(2*B + 2) > B", "F <= 1")
    G = where["B"] / (where["B"] + 2)
    low = n.at(F=where["F"], G=G)["Fb"]
    game = _dealt("la_relance", where["B"], [low, where["F"]], [G / 2, G])
    plan = with_numbers(game, {"l": Fraction(1, 3), "c": Fraction(2, 3)})
    return nash(game, plan, where).given(ANY_LAWS)


def relance_example(n: Numbers) -> Finding:
    """F(x) = x^2, G(y) = y: the printed squares exactly, and their roots to the printed digits."""
    G = Fraction(2, 3)  # G(c) = B/(B + 2) for B = 4; F(c) is its square, above B/(2B + 2), and for B = 2 below it
    squares = {"calls2": Fraction(2, 6), "bets4": G**2 * (1 + G) - G, "calls4": G}
    same = equal(squares, {name: n[name] for name in squares})
    if not same.holds:
        return same
    rounded = {"root2": n["calls2"], "root4": n["bets4"]}
    close = all(n[name] ** 2 <= square < (n[name] + Fraction(1, 1000)) ** 2 for name, square in rounded.items())
    games = [make("la_relance", bet=bet, deal="power:2:1") for bet in (2, 4)]
    gaps = [nash_conv(game, game.published()) for game in games]
    good = close and all(abs(gap) <= game.rounding for gap, game in zip(gaps, games, strict=True))
    return Finding(good, f"NashConv {', '.join(f'{float(gap):.0e}' for gap in gaps)} with these thresholds in floats")


# --- von Neumann ------------------------------------------------------------------------------------------------------


def _three(where: Region, G: Sequence[Number], F: Sequence[Number]) -> tuple[Game, Plan]:
    """The thresholds a, c, b at 1/4, 1/2, 3/4, with F and G given there."""
    game = _dealt("von_neumann", where["B"], F, G)
    return game, with_numbers(game, {letter: Fraction(k, 4) for k, letter in enumerate("acb", 1)})


def neumann_equations(n: Numbers) -> Finding:
    """What betting gains at a and b and calling at c, for any F and G there."""
    names = ("Fa", "Fc", "Fb", "Ga", "Gc", "Gb")
    chain = ("0 < Fa", "Fa < Fc", "Fc < Fb", "Fb < 1", "0 < Ga", "Ga < Gc", "Gc < Gb", "Gb < 1")
    where = region("B, " + ", ".join(names), "B > 0", *chain)
    game, plan = _three(where, [where[g] for g in names[3:]], [where[f] for f in names[:3]])
    bet, call = advantage(game, plan, "", "bet", "check"), advantage(game, plan, "bet", "call", "fold")
    mine, theirs = game.deal.prior(0), game.deal.prior(1)
    spots = {"at a": (bet, mine, Fraction(1, 4)), "at b": (bet, mine, Fraction(3, 4)), "at c": (call, theirs, ONE / 2)}
    return equal({name: f(x) / law(x) for name, (f, law, x) in spots.items()}, n.at(**where), where)


def neumann_optimal(n: Numbers) -> Finding:
    """Any F and G that satisfy the equations: G(c) and G(b) follow from G(a), and F(b) from F(a)."""
    where = region("B, Ga, Fa, m", "B > 0", "0 < Ga", "Ga < 1", "Fa > 0", "Fa*(2*B + 2) < B", "0 < m", "m < 1")
    v = n.at(**where)
    Fc = where["Fa"] + where["m"] * (v["Fb"] - where["Fa"])
    game, plan = _three(where, [where["Ga"], v["Gc"], v["Gb"]], [where["Fa"], Fc, v["Fb"]])
    return nash(game, plan, where).given(ANY_LAWS)


def neumann_uniform(n: Numbers) -> Finding:
    """(25): with G uniform, c and a follow from b by the equations at b and a, and (26) is the equation at c."""
    where = region("B, b", "B > 0", "b < 1", "b*(B + 2) > B + 1")
    v = n.at(**where)
    at_b = 2 * where["b"] - v["c"] - 1
    at_a = (where["B"] + 2) * v["c"] - 2 * v["a"] - where["B"]
    return Finding(at_b == 0 and at_a == 0, f"c = {show(v['c'])}, a = {show(v['a'])}", (where,))


def neumann_root(n: Numbers) -> Finding:
    """The difference of the two sides of (26) changes sign between b = (B + 1)/(B + 2) and 1."""
    where = region("B, Flow, Fone", "B > 0", "0 <= Flow", "Flow < 1", "Flow <= Fone", "Fone <= 1", "Fone*(2*B + 2) > B")
    share = n.at(**where)["share"]
    low, high = -share * (1 - where["Flow"]), where["Fone"] - share * (1 - where["Fone"])
    text = f"from {show(low)} below to {show(high)} at 1: a change of sign between"
    return true_for(where, lambda: bool(low < 0) and bool(high > 0), text)


def neumann_never_bets(n: Numbers) -> Finding:
    """If player II calls above the printed c, betting pays with no hand below the printed limit, and with every hand above it."""
    where = region("B", "B > 0")
    v = n.at(**where)
    plan: Plan = {"": {"bet": 0}, "bet": {"call": [(v["c"], 1)]}}
    gain = advantage(make("von_neumann", bet=where["B"]), plan, "", "bet", "check")

    def statement() -> bool:
        return signs_between(gain, 0, v["limit"], 1) == [-1, 1] and bool(v["c"] <= v["limit"])

    return true_for(where, statement, f"betting loses below {show(v['limit'])} and gains above")


def neumann_always_bets(n: Numbers) -> Finding:
    """Always betting and always folding are optimal if and only if I holds the best hand with at least the printed probability."""
    mass = n.at(B=2)["mass"]
    game = with_chance(make("von_neumann", bet=2), 1, 1 - mass)
    at_border = gained(game, {"": {"bet": 1}, "bet": {"fold": 1}}, "bet", "call", "fold")
    if at_border != 0:
        return tried_at({"B": 2}, False, f"with mass {mass} at 1, if I always bets, calling gains {show(at_border)}")

    def always(relation: str) -> Finding:
        where = region("B, top", "B > 0", "0 < top", "top < 1", f"top {relation} {n.texts['mass']}")
        game = with_chance(make("von_neumann", bet=where["B"]), 1, 1 - where["top"])
        return nash(game, {"": {"bet": 1}, "bet": {"fold": 1}}, where)

    above, below = always(">="), always("<")
    v = n.at(**region("B", "B > 0"))
    text = f"{above.evidence}; not below" if above.holds else above.evidence
    return above.only_if(not below.holds and v["below"] == 1 - v["mass"], text)


def neumann_atoms(n: Numbers) -> Finding:
    """I holds 1 with probability delta, else 0. He bluffs with the printed share, and player II calls above the printed c."""
    point = {"B": Fraction(2), "delta": ONE / 3}
    tried = _atoms(n, **point, where=None)
    if not tried.holds:
        return tried_at(point, False, tried.evidence)
    where = region("B, delta", "B > 0", "0 < delta", f"delta < {n.texts['limit']}")
    v = n.at(**where)
    optimal = _atoms(n, where["B"], where["delta"], where)
    sure = formula(n.texts["bluff"], {"B": where["B"], "delta": v["limit"]})
    return optimal.only_if(sure == 1, f"{optimal.evidence}; at the limit a bluff has probability {show(sure)}")


def _atoms(n: Numbers, B: Number, delta: Number, where: Region | None) -> Finding:
    v = n.at(B=B, delta=delta)
    game = replace(make("von_neumann", bet=B), deal=atoms(delta))
    bets = [(0, Fraction(1, 3), v["bluff"]), (Fraction(2, 3), 1)]
    return nash(game, {"": {"bet": bets}, "bet": {"call": [((1 + v["c"]) / 3, 1)]}}, where)


def neumann_endgame(n: Numbers) -> Finding:
    """The two games have the same value for every delta, on either side of the border, and the same bluffs and folds."""
    wheres = []
    for relation in ("<", ">="):
        where = region("B, delta", "B > 0", "0 < delta", "delta < 1", f"delta*(2*B + 2) {relation} B + 2")
        wheres.append(where)
        game = replace(make("von_neumann", bet=where["B"]), deal=atoms(where["delta"]))
        basic = make("endgame", p=where["delta"], bets=[where["B"]])
        B, delta = where["B"], where["delta"]
        few = relation == "<"
        bluff, fold = (B / (B + 2) * delta / (1 - delta), B / (B + 2)) if few else (ONE, ONE)
        plan = with_numbers(game, {"pi1": bluff, "fold": fold}, 1)
        optimal = nash(game, plan, where, value(basic, basic.published()))
        if not optimal.holds:
            return optimal
    text = "both have the same value, with the same chances of a bluff and a fold"
    return Finding(True, text, tuple(wheres))
