"""Checks of claims on the models of Borel and von Neumann (Sections 2 and 3).

Statements about the thresholds start from the published ones; the theorems themselves are checked from the printed numbers.
"""

from __future__ import annotations

from fractions import Fraction

from relance.claims.checks import advantage, chips_by_action, determinant, equal, every, nash, true_for, with_numbers
from relance.claims.finding import Finding
from relance.claims.ledger import Numbers
from relance.envs import make
from relance.model.game import Game
from relance.model.numbers import Number, formula, show
from relance.model.strategy import Plan
from relance.solvers.exact import value
from relance.solvers.proof import Region, region


def every_bet(game: str) -> tuple[Region, Game, dict[str, Number]]:
    """The region of all bets, the game with a symbolic bet, and its published thresholds."""
    where = region("B", "B > 0")
    made = make(game, bet=where["B"])
    return where, made, made.printed_numbers()[1]


def theorem(n: Numbers, game: str) -> Finding:
    """The thresholds are optimal and V is the value, for every B > 0."""
    where, made, _ = every_bet(game)
    at = n.at(**where)
    return nash(made, with_numbers(made, at), where, at["V"])


def at_bet(n: Numbers, game: str, bet: int) -> Finding:
    """Thresholds and value at one bet."""
    made = make(game, bet=bet)
    _, numbers = made.printed_numbers()
    same = equal(numbers, {letter: number for letter, number in n.items() if letter != "V"})
    return nash(made, with_numbers(made, {**numbers, **n}), worth=n["V"]).only_if(same.holds)


def favours(n: Numbers, game: str, player: int) -> Finding:
    """The printed value is that of the published strategies, and never changes sign."""
    where, made, _ = every_bet(game)
    worth = n.at(**where)["V"]
    same = equal({"V": value(made, made.published())}, {"V": worth}, where)
    signed = true_for(where, lambda: bool(worth < 0 if player else worth > 0), f"V = {show(worth)} has one sign")
    return signed if same.holds else same


def ordered(n: Numbers) -> Finding:
    where = region("B", "B > 0")
    at = n.at(**where)
    return true_for(where, lambda: bool(0 < at["a"] < at["c"] < at["b"] < 1), "0 < a < c < b < 1")


def proportion(n: Numbers) -> Finding:
    """Betting a constant share of the hands below c makes player II indifferent at c only if it is the printed share."""
    where = region("B, share", "B > 0", "0 <= share <= 1")
    game = make("la_relance", bet=where["B"])
    at = {**game.printed_numbers()[1], **n.at(**where)}

    def at_c(share: Number) -> Number:
        plan: Plan = {"": {"bet": [(0, at["c"], share), (at["c"], 1)]}, "bet": {"call": [(at["c"], 1)]}}
        return advantage(game, plan, "bet", "call", "fold")(at["c"])

    slope = at_c(Fraction(1)) - at_c(Fraction(0))

    def statement() -> bool:
        linear = at_c(where["share"]) == slope * (where["share"] - at["pi"])
        return linear and bool(slope > 0) and at["pi"] == 1 - at["c"]

    return true_for(where, statement, f"at Y = c calling gains ({show(slope)}) (share - {show(at['pi'])})")


def three_ways(n: Numbers) -> Finding:
    """Folding the worst hands below c, folding the best of them, or randomising: all are optimal."""
    where, game, thresholds = every_bet("la_relance")
    c = thresholds["c"]
    at = n.at(B=where["B"], c=c)
    ways = {"worst": [(at["worst"], 1)], "best": [(0, at["best"]), (c, 1)], "coin": [(0, c, 1 - at["coin"]), (c, 1)]}
    calls = {"call": [(c, 1)]}
    cases = ((f"folding the {way}", nash(game, {"": {"bet": bets}, "bet": calls}, where)) for way, bets in ways.items())
    return every(cases, "NashConv 0 for all three")


def bluffs(n: Numbers) -> Finding:
    """How often player I bets a hand below c in the published strategy. Claim borel-all-first shows it is the same in all."""
    where, game, at = every_bet("la_relance")
    bet = game.published().row("", "bet")
    return equal({"amount": bet.integral(Fraction(0), at["c"])}, n.at(B=where["B"], c=at["c"]), where)


def returns(n: Numbers, game: str) -> Finding:
    """Expected winnings counting the pot as a bonus (chips plus the ante), for arbitrary thresholds."""
    where = region("B, a, b, c", "B > 0", "0 < a < c", "c < b", "b < 1")
    made = make(game, bet=where["B"])
    plan = with_numbers(made, {**where, "l": where["a"]})
    first = chips_by_action(made, plan, "")
    won = {f"{name} at {x}": chips(where[x]) + 1 for name, chips in first.items() for x in "ab"}
    won["call at c"] = advantage(made, plan, "bet", "call", "fold")(where["c"])
    return equal(won, n.at(**where), where)


def indifference(n: Numbers) -> Finding:
    """The three equations hold at the printed thresholds, and at no others."""
    where, _, at = every_bet("von_neumann")
    sides = {name: formula(text, at) for name, text in n.texts.items()}
    solved = equal(sides, dict.fromkeys(sides, Fraction(0)), where)
    one = determinant(n.texts.values(), dict(where))
    unique = true_for(where, lambda: bool(one > 0 or one < 0), f"all vanish; their determinant {show(one)} never does")
    return unique if solved.holds else solved


def best_bet(n: Numbers) -> Finding:
    """V has its only maximum at the printed bet, which is the size of the pot."""
    where, below, above = region("B", "B > 0"), region("B", "0 < B", "B < 2"), region("B", "B > 2")

    def loss(at: Region) -> Number:
        return formula("B/((B + 1)*(B + 4))", {"B": n["bet"]}) - formula("B/((B + 1)*(B + 4))", at)

    pot = 2 * make("von_neumann").parameters["ante"]
    text = f"V({n['bet']}) - V(B) = {show(loss(where))}; the pot is {pot}"
    return true_for(where, lambda: n["bet"] == pot and bool(loss(below) > 0 and loss(above) > 0), text)
