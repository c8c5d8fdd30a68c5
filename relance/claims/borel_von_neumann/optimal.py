"""Checks of which strategies are optimal in La Relance and in von Neumann's poker (Sections 2 and 3)."""

from __future__ import annotations

from relance.claims.borel_von_neumann.models import linear_solution
from relance.claims.prelude import *


@unproved("bluffs other than these, and that no other strategy is optimal")
def all_of_borel(n: Numbers) -> Finding:
    """Check in La Relance that II, who calls above c, is indifferent with hand c exactly if I bets the printed share of hands below c."""
    where = region("B, x, s, r", "B > 0", "0 < x", "x*(B + 2) < B", "0 <= s <= 1", "0 <= r <= 1")
    game = make("la_relance", bet=where["B"])
    line, x = game.printed_numbers()[1]["c"], where["x"]
    bets = [(0, x, where["s"]), (x, line, where["r"]), (line, 1)]
    plan: Plan = {"": {"bet": bets}, "bet": {"call": [(line, 1)]}}
    amount = where["s"] * x + where["r"] * (line - x)
    needed = n.at(B=where["B"], c=line)
    at_c = advantage(game, plan, "bet", "call", "fold")(line)
    first = signs_between(advantage(game, plan, "", "bet", "fold"), 0, line, 1)

    def statement() -> bool:
        same = needed["amount"] == needed["share"] * line
        return first == [0, 1] and same and at_c == (where["B"] + 2) * (amount - needed["amount"])

    text = (
        f"bets gain 0 below c and more above; at c calling gains (B + 2) times the bluffs less {show(needed['amount'])}"
    )
    more = region("B", "B > 0")
    rising = higher(make("la_relance", bet=more["B"]), more, "bet", "call", "fold", {})
    return together([true_for(where, statement, text), rising])


def averages(n: Numbers) -> Finding:
    """Test for bet 2 a claim on von Neumann's poker: any hands of II between I's thresholds a and b may call, if as many as printed do."""
    game = make("von_neumann", bet=2)
    _, at = game.printed_numbers()
    calls = n.at(B=2, **{k: at[k] for k in "abc"})["average"] * (at["b"] - at["a"])
    plan = {**game.published().plan(), "bet": {"call": [(at["a"], at["a"] + calls), (at["b"], 1)]}}
    finding = nash(game, plan)
    text = f"II calls with Y from {at['a']} to {at['a'] + calls} and above {at['b']}, on average as printed: {finding.evidence}"
    return tried_at({"B": 2}, finding.holds, text, game)


@unproved("calls other than these, and that no other strategy is optimal")
def averages_bounded(n: Numbers, outside: Sequence[int] = (1, 1)) -> Finding:
    """Check which calls with hands from a to b keep player I from gaining by a bet in von Neumann's poker.

    Let x be any hand from a to b. II calls with all hands above b, hands of total length K from a to x, and of length R from x to b. A bet
    with a gains 0 over a check only if K + R is the printed average times b - a. Then a bet with x gains nothing exactly if K is at most
    (x - a)/(B + 1). `outside` has the signs of g(y) - g(a) for y < a, and of g(y) - g(b) for y > b, where g(y) is a bet's gain with hand y.
    """
    a, b = "B", "(B**2 + 4*B + 2)"  # times (B + 1)(B + 4)
    d = "(B + 1)*(B + 4)"
    where = region(
        "B, x, K, R",
        "B > 0",
        f"{a} < x*{d}",
        f"x*{d} < {b}",
        "K >= 0",
        f"K*{d} <= x*{d} - {a}",
        "R >= 0",
        f"R*{d} <= {b} - x*{d}",
    )
    B, x, K, R = where.values()
    game = make("von_neumann", bet=B)
    at = game.printed_numbers()[1]
    wanted = n.at(B=B, **{symbol: at[symbol] for symbol in "abc"})
    calls = [(at["a"], x, K / (x - at["a"])), (x, at["b"], R / (at["b"] - x)), (at["b"], 1)]
    gain = advantage(game, {**game.published().plan(), "bet": {"call": calls}}, "", "bet", "check")
    at_a = gain(at["a"])
    total = formula(linear_solution(where, {"R": at_a})["R"], where) + K

    def statement() -> bool:
        between = gain(x) - at_a == 2 * (B + 1) * (K - wanted["slope"] * (x - at["a"]))
        below = signs_between(gain - at_a, 0, at["a"]) == [outside[0]]
        above = signs_between(gain - gain(at["b"]), at["b"], 1) == [outside[1]]
        return between and below and above and total == wanted["average"] * (at["b"] - at["a"])

    text = "betting gains nothing over checking at a only with the printed average, and then 2 (B + 1) (K(x) - (x - a)/(B + 1)) at x"
    return true_for(where, statement, text)
