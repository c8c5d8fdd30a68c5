"""Checks of claims: Ferguson and Ferguson on the models of Borel and von Neumann."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from relance.claims.checks import advantage, chips_by_action, determinant, equal, every, nash, true_for
from relance.claims.ledger import Finding, Numbers
from relance.envs import make
from relance.model.numbers import Number, formula, show
from relance.model.strategy import Plan
from relance.solvers.exact import value
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
    _, numbers = made.printed_numbers()
    same = equal(numbers, {letter: number for letter, number in n.items() if letter != "V"})
    return nash(made, PLANS[game]({**numbers, **n}), worth=n["V"]).only_if(same.holds)


def favours(n: Numbers, game: str, player: int) -> Finding:
    """The printed value is that of the published strategies, and has one sign."""
    where = every_bet()
    worth, at = n.at(**where)["V"], thresholds(game, where)
    made = make(game, bet=where["B"])
    same = equal({"V": value(made, made.profile(PLANS[game](at)))}, {"V": worth}, where)
    signed = true_for(where, lambda: bool(worth < 0 if player else worth > 0), f"V = {show(worth)} has one sign")
    return signed if same.holds else same


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
        plan: Plan = {"": {"bet": [(0, at["c"], share), (at["c"], 1)]}, "bet": {"call": [(at["c"], 1)]}}
        return advantage(game, game.profile(plan), "bet", "call", "fold")(at["c"])

    slope = at_c(Fraction(1)) - at_c(Fraction(0))

    def statement() -> bool:
        linear = at_c(where["share"]) == slope * (where["share"] - at["pi"])
        return linear and bool(slope > 0) and at["pi"] == 1 - at["c"]

    return true_for(where, statement, f"at Y = c calling gains ({show(slope)}) (share - {show(at['pi'])})")


def three_ways(n: Numbers) -> Finding:
    """Folding the worst hands, folding the best of those below c, or tossing a coin: all optimal."""
    where = every_bet()
    c = thresholds("la_relance", where)["c"]
    at = n.at(B=where["B"], c=c)
    ways = {"worst": [(at["worst"], 1)], "best": [(0, at["best"]), (c, 1)], "coin": [(0, c, 1 - at["coin"]), (c, 1)]}
    game = make("la_relance", bet=where["B"])
    cases = (
        (f"folding the {name}", nash(game, {"": {"bet": bets}, "bet": {"call": [(c, 1)]}}, where))
        for name, bets in ways.items()
    )
    return every(cases, "NashConv 0 for all three", str(where), "proved")


def bluffs(n: Numbers) -> Finding:
    """How often player I bets a hand below c in the published strategy; claim borel-all-first makes it the same in all."""
    where = every_bet()
    at = thresholds("la_relance", where)
    game = make("la_relance", bet=where["B"])
    bet = game.profile(la_relance(at)).row("", "bet")
    return equal({"amount": bet.integral(Fraction(0), at["c"])}, n.at(B=where["B"], c=at["c"]), where)


def returns(n: Numbers, game: str) -> Finding:
    """Expected winnings with the pot as a bonus (chips plus the ante), for arbitrary thresholds."""
    where = region("B, a, b, c", "B > 0", "0 < a < c", "c < b", "b < 1")
    B, a, b, c = where.values()
    made = make(game, bet=B)
    plan = von_neumann({"a": a, "b": b, "c": c}) if game == "von_neumann" else la_relance({"l": a, "c": c})
    profile = made.profile(plan)
    first = chips_by_action(made, profile, "")
    won = {f"{name} at {x}": chips(where[x]) + 1 for name, chips in first.items() for x in "ab"}
    won["call at c"] = advantage(made, profile, "bet", "call", "fold")(c)
    return equal(won, n.at(**where), where)


def indifference(n: Numbers) -> Finding:
    """The three equations hold at the printed thresholds, and at no others."""
    where = every_bet()
    at = {**thresholds("von_neumann", where), "B": where["B"]}
    sides = {name: formula(text, at) for name, text in n.texts.items()}
    solved = equal(sides, dict.fromkeys(sides, Fraction(0)), where)
    one = determinant(n.texts.values(), dict(where))
    unique = true_for(where, lambda: bool(one > 0 or one < 0), f"all vanish; their determinant {show(one)} never does")
    return unique if solved.holds else solved


def best_bet(n: Numbers) -> Finding:
    """V has its only maximum at the printed bet, which is the size of the pot."""
    where, below, above = every_bet(), region("B", "0 < B", "B < 2"), region("B", "B > 2")
    worth = Numbers({"V": "B/((B + 1)*(B + 4))"})

    def loss(at: Region) -> Any:
        return worth.at(B=n["bet"])["V"] - worth.at(**at)["V"]

    pot = 2 * make("von_neumann").parameters["ante"]
    text = f"V({n['bet']}) - V(B) = {show(loss(where))}; the pot is {pot}"
    return true_for(where, lambda: n["bet"] == pot and bool(loss(below) > 0 and loss(above) > 0), text)
