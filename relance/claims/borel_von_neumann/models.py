"""Checks of claims: Ferguson and Ferguson on the models of Borel and von Neumann."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from relance.claims.checks import advantage, equal, nash, true_for
from relance.claims.ledger import Finding, Numbers
from relance.envs import make
from relance.model.numbers import Number, formula, show
from relance.model.strategy import Plan
from relance.solvers.exact import action_values, value
from relance.solvers.proof import Region, region

LETTERS = {
    "la_relance": {"c": "B/(B + 2)", "l": "(B/(B + 2))**2"},
    "von_neumann": {
        "a": "B/((B + 1)*(B + 4))",
        "b": "(B**2 + 4*B + 2)/((B + 1)*(B + 4))",
        "c": "B*(B + 3)/((B + 1)*(B + 4))",
    },
}
"""The thresholds, for checks of statements about them; the theorems themselves are checked from the printed numbers."""


def every_bet() -> Region:
    return region("B", "B > 0")


def la_relance(n: Mapping[str, Number]) -> Plan:
    return {"": {"bet": [(n["l"], 1)]}, "bet": {"call": [(n["c"], 1)]}}


def von_neumann(n: Mapping[str, Number]) -> Plan:
    return {"": {"bet": [(0, n["a"]), (n["b"], 1)]}, "bet": {"call": [(n["c"], 1)]}}


PLANS: dict[str, Callable[[Mapping[str, Number]], Plan]] = {"la_relance": la_relance, "von_neumann": von_neumann}


def thresholds(game: str, where: Region) -> dict[str, Any]:
    return Numbers(LETTERS[game]).at(B=where["B"])


def theorem(n: Numbers, game: str) -> Finding:
    """The thresholds are optimal and V is the value, for every B > 0."""
    where = every_bet()
    at = n.at(**where)
    return nash(make(game, bet=where["B"]), PLANS[game](at), where, at["V"])


def at_bet(n: Numbers, game: str, bet: int) -> Finding:
    """Thresholds and value at one bet."""
    made = make(game, bet=bet)
    _, found = made.printed_numbers()
    result = nash(made, PLANS[game]({**found, **n}), worth=n["V"])
    return Finding(
        result.holds and equal(found, {k: v for k, v in n.items() if k != "V"}).holds,
        result.evidence,
        "exact",
        str(made),
    )


def favours(n: Numbers, game: str, player: int) -> Finding:
    """The printed value is that of the published strategies, and has one sign."""
    where = every_bet()
    worth, at = n.at(**where)["V"], thresholds(game, where)
    made = make(game, bet=where["B"])
    found = equal({"V": value(made, made.profile(PLANS[game](at)))}, {"V": worth}, where)
    signed = true_for(where, lambda: bool(worth < 0 if player else worth > 0), f"V = {show(worth)} has one sign")
    return signed if found.holds else found


def ordered(n: Numbers) -> Finding:
    where = every_bet()
    at = n.at(**where)
    return true_for(where, lambda: bool(0 < at["a"] < at["c"] < at["b"] < 1), "0 < a < c < b < 1")


def proportion(n: Numbers) -> Finding:
    """Betting a constant share of the hands below c makes player II indifferent at c at the printed share, and at no other."""
    where = region("B, share", "B > 0", "0 <= share <= 1")
    at = {**thresholds("la_relance", where), **n.at(**where)}
    game = make("la_relance", bet=where["B"])

    def at_c(share: Number) -> Number:
        plan: dict[str, dict[str, Any]] = {
            "": {"bet": [(0, at["c"], share), (at["c"], 1)]},
            "bet": {"call": [(at["c"], 1)]},
        }
        return advantage(game, game.profile(plan), "bet", "call", "fold")(at["c"])

    slope = at_c(Fraction(1)) - at_c(Fraction(0))
    found = true_for(
        where,
        lambda: bool(at_c(where["share"]) == slope * (where["share"] - at["pi"]) and slope > 0),
        f"at Y = c calling gains ({show(slope)}) (share - {show(at['pi'])})",
    )
    return Finding(found.holds and at["pi"] == 1 - at["c"], found.evidence, "proved", found.domain)


def three_ways(n: Numbers) -> Finding:
    """Folding the worst hands, folding the best of those below c, or tossing a coin: all optimal."""
    where = every_bet()
    c = thresholds("la_relance", where)["c"]
    at = n.at(B=where["B"], c=c)
    ways = {"worst": [(at["worst"], 1)], "best": [(0, at["best"]), (c, 1)], "coin": [(0, c, 1 - at["coin"]), (c, 1)]}
    for name, bets in ways.items():
        found = nash(make("la_relance", bet=where["B"]), {"": {"bet": bets}, "bet": {"call": [(c, 1)]}}, where)
        if not found.holds:
            return Finding(False, f"folding the {name}: {found.evidence}", "proved", str(where))
    return Finding(True, "NashConv 0 for all three", "proved", str(where))


def bluffs(n: Numbers) -> Finding:
    """How often player I bets a hand below c in the published strategy; claim borel-all-first makes it the same in all."""
    where = every_bet()
    at = thresholds("la_relance", where)
    game = make("la_relance", bet=where["B"])
    bet = game.profile(la_relance(at)).row("", "bet")
    return equal({"amount": bet.integral(Fraction(0), at["c"])}, n.at(B=where["B"], c=at["c"]), where)


def any_thresholds() -> Region:
    return region("B, a, b, c", "B > 0", "0 < a < c", "c < b", "b < 1")


def returns(n: Numbers, game: str) -> Finding:
    """Expected winnings with the pot as a bonus (chips plus the ante), for arbitrary thresholds."""
    where = any_thresholds()
    B, a, b, c = (where[name] for name in ("B", "a", "b", "c"))
    made = make(game, bet=B)
    plan = von_neumann({"a": a, "b": b, "c": c}) if game == "von_neumann" else la_relance({"l": a, "c": c})
    profile = made.profile(plan)
    first, second = action_values(made, profile, 0)[""][1], action_values(made, profile, 1)["bet"][1]
    names = made.tree.root.actions
    won = {
        f"{name} at {letter}": first[names.index(name)](hand) + 1
        for name in names
        for letter, hand in (("a", a), ("b", b))
    }
    won["call at c"] = second[1](c) - second[0](c)
    return equal(won, n.at(B=B, a=a, b=b, c=c), where)


def indifference(n: Numbers) -> Finding:
    """The three equations hold at the printed thresholds, and at no others."""
    where = every_bet()
    at = {**thresholds("von_neumann", where), "B": where["B"]}
    sides = {name: formula(text, at) for name, text in n.texts.items()}
    wrong = [f"{name}: {show(side)} and not 0" for name, side in sides.items() if side != 0]

    def coefficient(text: str, letter: str) -> Number:
        zero: dict[str, Number] = {**dict.fromkeys("abc", Fraction(0)), "B": where["B"]}
        return formula(text, {**zero, letter: Fraction(1)}) - formula(text, zero)

    (p, q, r), (u, v, w), (x, y, z) = ([coefficient(text, letter) for letter in "abc"] for text in n.texts.values())
    determinant = p * (v * z - w * y) - q * (u * z - w * x) + r * (u * y - v * x)
    found = true_for(
        where,
        lambda: not wrong and bool(determinant > 0 or determinant < 0),
        f"all vanish; their determinant {show(determinant)} never does",
    )
    return Finding(found.holds, "; ".join(wrong) or found.evidence, "proved", str(where))


def best_bet(n: Numbers) -> Finding:
    """V has its only maximum at the printed bet, which is the size of the pot."""
    where, (below, above) = every_bet(), (region("B", "0 < B", "B < 2"), region("B", "B > 2"))

    def loss(at: Region) -> Any:
        worth = Numbers({"V": "B/((B + 1)*(B + 4))"})
        return worth.at(B=n["bet"])["V"] - worth.at(B=at["B"])["V"]

    game = make("von_neumann")
    pot = 2 * game.parameters["ante"]
    found = true_for(
        where,
        lambda: bool(loss(where) >= 0 and loss(below) > 0 and loss(above) > 0),
        f"V({n['bet']}) - V(B) = {show(loss(where))}",
    )
    return Finding(found.holds and n["bet"] == pot, f"{found.evidence}; the pot is {pot}", "proved", found.domain)
