"""Checks on the sizes of bets in Cutler's pot limit, and on the first game, without raises (Sections 1 and 2)."""

from __future__ import annotations

from relance.claims.prelude import *
from relance.claims.trace import decided, terminal
from relance.solvers.watcher import watched_by

ROOT = square_root(7)
ENDLESS: Mapping[str, Number] = {"alpha": (ROOT - 2) / 3, "beta": (2 * ROOT - 1) / 9}
"""The exact shares of good hands that raise (alpha) and call a raise (beta) where raises never end."""

HALF_UNIT = Fraction(1, 2000)
"""Half a unit of the third digit, to which the paper rounds."""


def rounded(
    exact: Mapping[str, Number], numbers: Mapping[str, Number], *where: Scope | Game, text: str = ""
) -> Finding:
    """Check that each of the printed `numbers` is the `exact` one, rounded to three digits."""
    with watched_by(None):
        far = [name for name, number in numbers.items() if abs(exact[name] - number) > HALF_UNIT]
    wrong = [f"{x} is {show(exact[x])} = {float(exact[x]):.5f}, not {float(numbers[x]):g}" for x in far]
    for name, number in numbers.items():
        decided("rounds", exact[name], number, HALF_UNIT, name=name, asked=name not in far)
    text = text or "; ".join(wrong) or ", ".join(f"{name} = {float(exact[name]):.5f}" for name in numbers)
    return Finding(not wrong, text, scopes(*where))


def sizes(n: Numbers) -> Finding:
    """Check the printed sizes of pot limit's bet and first three raises, and the pot after a call of the bet.

    The size of a bet or raise is what the bet or raise adds to the stake of a showdown after a call; at first the stake is the ante, 1.
    """
    game = make("pot_limit", raises=3)
    called = ("-".join(["bet", *["raise"] * k, "call"]) for k in range(4))
    stakes = [ONE, *(terminal(game, game.uniform(), path, ONE) for path in called)]
    bets = {f"bet {k}": after - before for k, (before, after) in enumerate(pairwise(stakes), 1)}
    return equal({**bets, "pot": 2 * stakes[1]}, n, game)


def simple_solution(n: Numbers) -> Finding:
    """Check (3) to (5): in von Neumann's poker with bet 2, bets with a or b and calls with c gain 0. Only the optimum solves them all."""
    game = make("von_neumann", bet=2)
    where = region("a, b, c", "0 < a < c", "c < b", "b < 1")
    plan: Plan = {"": {"bet": [(0, where["a"]), (where["b"], 1)]}, "bet": {"call": [(where["c"], 1)]}}
    bet, call = advantage(game, plan, "", "bet", "check"), advantage(game, plan, "bet", "call", "fold")
    gains = {"(3)": bet(where["a"]) / 2, "(4)": bet(where["b"]) / 2, "(5)": call(where["c"]) / 2}
    equations = {name: n.texts[name] for name in gains}
    same = equal(gains, {name: n.number(name, where) for name in equations}, where)
    at = {symbol: n[symbol] for symbol in "abc"}
    left = [formula(text, at) for text in equations.values()]
    best = nash(game, with_numbers(game, at))
    solved = not any(left) and determinant(equations.values(), {}) != 0
    return together([same, best.only_if(solved, f"{best.evidence}; the equations leave {', '.join(map(str, left))}")])
