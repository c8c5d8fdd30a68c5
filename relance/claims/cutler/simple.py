"""Checks of claims on the simple cases and on limited raises (Sections 1, 2 and 4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from relance.claims.checks import (
    advantage,
    chips_by_action,
    determinant,
    equal,
    every,
    gained,
    lowest,
    nash,
    scopes,
    together,
    tried_at,
    with_chance,
    with_numbers,
)
from relance.claims.finding import At, Finding, Scope
from relance.claims.ledger import Numbers
from relance.envs import make
from relance.envs.cutler import stages
from relance.model.game import Game
from relance.model.numbers import Number, formula, show
from relance.model.quadratic import square_root
from relance.model.strategy import Plan
from relance.solvers.exact import nash_conv, value
from relance.solvers.lp import optimal_face
from relance.solvers.proof import region

ONE, ROOT = Fraction(1), square_root(7)
ENDLESS: Mapping[str, Number] = {"alpha": (ROOT - 2) / 3, "beta": (2 * ROOT - 1) / 9}
"""alpha and beta where raises never end, exactly."""

HALF_UNIT = Fraction(1, 2000)
"""Half a unit of the third digit, to which the paper rounds."""


def rounded(
    exact: Mapping[str, Number], numbers: Mapping[str, Number], *where: Scope | Game, text: str = ""
) -> Finding:
    """Whether each printed number is the exact one, rounded to three digits."""
    wrong = [
        f"{name} is {show(exact[name])} = {float(exact[name]):.5f}, not {float(number):g}"
        for name, number in numbers.items()
        if abs(exact[name] - number) > HALF_UNIT
    ]
    text = text or "; ".join(wrong) or ", ".join(f"{name} = {float(exact[name]):.5f}" for name in numbers)
    return Finding(not wrong, text, scopes(*where))


def every_stage(raises: int, more: Mapping[str, Number], stage: Mapping[str, Number] = ENDLESS) -> dict[str, Number]:
    """The same alpha and beta at every raise, by default those of endless raises, together with the numbers `more`."""
    return {**more, **{f"{name}{k}": stage[name] for name in ("alpha", "beta") for k in range(1, raises + 2)}}


def sizes(n: Numbers) -> Finding:
    """The bets and raises, derived from the stakes after a call, and the pot after the first call."""
    leaves = make("pot_limit", raises=3).tree.leaves
    stakes = [ONE, *(leaves["-".join(["bet", *["raise"] * k, "call"])].stake for k in range(4))]
    bets = {f"bet {k}": after - before for k, (before, after) in enumerate(pairwise(stakes), 1)}
    return equal({**bets, "pot": 2 * stakes[1]}, n)


def odds(n: Numbers) -> Finding:
    """The gain of calling with a hand that beats the share u of the bets, and the u at which it is 0."""
    where = region("u", "0 <= u <= 1")
    game = with_chance(make("von_neumann", bet=2), 1, where["u"])
    gain = gained(game, {"": {"bet": 1}, "bet": {"call": 1}}, "bet", "call", "fold")
    return Finding(gain == 6 * (where["u"] - n["u"]), f"calling gains {show(gain)}", (where,))


def returns(n: Numbers) -> Finding:
    """(1) and (2): chips won by checking and by betting, with x below and above the call line c."""
    results = []
    for side, order in (("x below c", "x < c"), ("x above c", "x > c")):
        where = region("c, x", "0 < c", "c < 1", "0 < x", "x < 1", order)
        plan: Plan = {"": {"bet": 1}, "bet": {"call": [(where["c"], 1)]}}
        chips, v = chips_by_action(make("von_neumann", bet=2), plan, ""), n.at(**where)
        won = {"check": chips["check"](where["x"]), side: chips["bet"](where["x"])}
        results.append(equal(won, {name: v[name] for name in won}, where))
    return together(results)


def two_intervals(n: Numbers) -> Finding:
    """The worst hands bet if and only if c is above the printed limit; the best always do."""
    limit = n["limit"]

    def worst(c: Number) -> Number:
        plan: Plan = {"": {"bet": 1}, "bet": {"call": [(c, 1)]}}
        return advantage(make("von_neumann", bet=2), plan, "", "bet", "check")(Fraction(0))

    middle = (limit + Fraction(1, 2)) / 2
    if limit < Fraction(1, 2):
        return tried_at({"c": middle}, False, f"with the worst hand betting gains {show(worst(middle))}")
    above, below = region("c", f"c > {limit}", "c < 1"), region("c", "0 < c", f"c < {limit}")
    good = bool(worst(above["c"]) > 0) and bool(worst(below["c"]) < 0)
    return Finding(good, f"with the worst hand betting gains {show(worst(above['c']))}", (above, below))


def simple_solution(n: Numbers) -> Finding:
    """(3) to (5) vanish at the printed thresholds and nowhere else, and these are optimal."""
    game = make("von_neumann", bet=2)
    at = {letter: n[letter] for letter in "abc"}
    equations = [n.texts[key] for key in ("(3)", "(4)", "(5)")]
    left = [formula(text, at) for text in equations]
    optimal = nash(game, with_numbers(game, at))
    text = f"{optimal.evidence}; the equations leave {', '.join(map(str, left))}"
    return optimal.only_if(not any(left) and determinant(equations, {}) != 0, text)


def simple_faces(n: Numbers) -> Finding:
    """All optimal strategies on a grid of 9 cells: where player B must fold and must call, and that A has no choice."""
    game = make("von_neumann", bet=2).grid(9)
    first, second = (optimal_face(game, player) for player in (0, 1))
    calls = second.ranges["bet", "call"]
    folds = next(i for i, (_, high) in enumerate(calls) if high > 0)
    always = next(i for i, (low, _) in enumerate(calls) if low == 1)
    free = all(low < high for low, high in calls[folds:always])
    lines = equal({"fold": Fraction(folds, 9), "call": Fraction(always, 9)}, n, game)
    return lines.only_if(first.unique and free, f"A has one optimal strategy; B: {lines.evidence}")


def ratio(n: Numbers) -> Finding:
    """The amounts of high bets and bluffs wherever a player bets or raises, and the call line between them."""
    games = [make("von_neumann", bet=2), *(make("force_in", raises=raises) for raises in range(1, 5))]
    checked = 0
    for game in [*games, *(make("pot_limit", raises=raises) for raises in range(5))]:
        profile = game.published()
        for reply in game.tree.decisions:
            name, _, action = reply.rpartition("-")
            if action not in ("bet", "raise"):
                continue
            bets, line = profile.row(name, action), lowest(profile.row(reply, "call"))
            bluffs, high = bets.integral(Fraction(0), line), bets.integral(line, ONE)
            if high != n["ratio"] * bluffs:
                return Finding(False, f"{game}, {reply}: {show(high)} high and {show(bluffs)} bluffs")
            checked += 1
    return Finding(
        True, f"at all {checked} places", (At("the first game, force-in and pot limit with up to 4 raises"),)
    )


# --- force-in ---------------------------------------------------------------------------------------------------------


def force_in_line(n: Numbers) -> Finding:
    """Facing a bet with any hand, calling gains nothing over folding exactly at the printed hand."""
    game = make("force_in", raises=0)
    gain = advantage(game, {"": {"call": 1}}, "", "call", "fold")
    slope = gain(ONE / 2) - gain(Fraction(0))
    return Finding(gain(n["y"]) == 0 and slope > 0, f"calling gains 6y - 2: {show(gain(n['y']))} at {n['y']}")


def _force_in(raises: int, v: Mapping[str, Number]) -> tuple[Game, Plan]:
    """The paper's strategies with the same alpha and beta at every raise."""
    game = make("force_in", raises=raises)
    return game, with_numbers(game, every_stage(raises, {"a": ONE / 3, "d": ONE / 3}, v))


def force_in_returns(n: Numbers) -> Finding:
    """E_call and E_raise at the border of the raises, and E_raise at that of the bluffs, for any alpha and beta."""
    where = region("alpha, beta", "0 < alpha", "alpha < beta", "beta < 1", "2*alpha < 1")
    game, plan = _force_in(2, where)
    chips = chips_by_action(game, plan, "")
    high, low = 1 - 2 * where["alpha"] / 3, where["alpha"] / 3
    won = {action: chips[action](high) for action in ("call", "raise")}
    won |= {"bluff": chips["raise"](low), "fold": chips["fold"](low)}
    v = n.at(**where)
    reduced = won["raise"] - won["call"] == -4 * v["(6)"] and won["bluff"] - won["fold"] == -4 * v["(7)"]
    return equal(won, {name: v[name] for name in won}, where).only_if(reduced)


def force_in_solution(n: Numbers) -> Finding:
    """alpha and beta solve (6) and (7), have the printed digits, and are the fixed point of the k-raise recursion."""
    v = n.at(s=ROOT)
    left = (v["alpha"] ** 2 + 2 * v["alpha"] - v["beta"], v["alpha"] ** 2 + 2 * v["beta"] - 1)
    digits = rounded({k: v[k] for k in ("alpha", "beta")}, {k: v[f"{k} digits"] for k in ("alpha", "beta")})
    fixed = v["alpha"] * (4 + 3 * v["alpha"]) == 1
    return digits.only_if(left == (0, 0) and fixed)


def force_in_unlimited(n: Numbers) -> Finding:
    """NashConv of the endless strategies, cut off after k raises, must fall by a constant factor with every two raises.

    An opponent of such a strategy meets its k-th raise with probability of order alpha^k, for stakes of order 3^k.
    """
    return falling([_force_in(raises, ENDLESS) for raises in (2, 4, 6, 8)], Fraction(1, 100))


def falling(plans: Sequence[tuple[Game, Plan]], least: Fraction) -> Finding:
    """Whether NashConv of plans with 2, 4, ... raises falls below `least`, by about the factor (3 alpha)^2 each time."""
    left = [nash_conv(game, game.profile(plan)) for game, plan in plans]
    factor = 9 * ENDLESS["alpha"] ** 2
    falls = all(b < a * factor * Fraction(11, 10) for a, b in pairwise(left))
    shown = ", ".join(f"{float(x):.5f}" for x in left)
    raises = ", ".join(str(2 * k) for k in range(1, len(left) + 1))
    text = f"NashConv with {raises} raises: {shown}; (3 alpha)^2 = {float(factor):.3f}"
    return Finding(
        falls and left[-1] < least, text, (At(f"{raises} raises"),), tolerance=f"below {least} with the most"
    )


def any_bluffs(n: Numbers) -> Finding:
    """B bluffs with the worst, the best, or random hands of those he would fold; with three raises the best bluff again."""
    return every(_bluffing(), "NashConv 0 with the worst, the best, or a random part of the folds")


def _bluffing() -> Iterator[tuple[str, Finding]]:
    third = ONE / 3
    for raises in (1, 2, 3):
        game = make("force_in", raises=raises)
        _, numbers = game.printed_numbers()
        up = 2 * numbers["alpha1"] / 3
        best: list[Any] = [(third - up / 2, third)]
        others: list[list[Any]] = [[(0, third, 3 * up / 2)], [(0, up / 4), (third / 2, third / 2 + up / 4)]]
        for bluffs in [best, *(others if raises < 3 else [])]:
            plan: Plan = {**game.published().plan(), "": {"call": [(third, 1 - up)], "raise": [*bluffs, (1 - up, 1)]}}
            if raises == 3:
                again, line = up * numbers["alpha2"] * numbers["alpha3"], 1 - up * numbers["beta2"]
                rows = {"call": [(line, 1 - again)], "raise": [(third - again / 2, third), (1 - again, 1)]}
                plan = {**plan, "raise-raise": rows}
            yield f"{game}, bluffs {bluffs}", nash(game, plan)


def all_optimal(games: Iterable[Game]) -> Finding:
    """Whether the published strategies of all these games are optimal."""
    return every(((game, nash(game, game.published().plan())) for game in games), "NashConv 0")


# --- limited raises ---------------------------------------------------------------------------------------------------


def last_raises(n: Numbers) -> Finding:
    """alpha and beta of the last, second last and third last raise: exactly optimal, and to the printed digits."""
    numbers = Numbers(stages(3)).at()
    names = {f"{letter}{k}": numbers[f"{letter}{4 - k}"] for letter in ("alpha", "beta") for k in (1, 2, 3)}
    games = [("force_in", 1), ("force_in", 2), ("force_in", 3), ("pot_limit", 3), ("pot_limit", 4)]
    optimal = all_optimal(make(name, raises=raises) for name, raises in games)
    if not optimal.holds:
        return optimal
    digits = rounded(names, {name: n[name] for name in names})
    return digits.only_if(names["alpha1"] == n["best"])


def essentially(n: Numbers) -> Finding:
    """How far the value with k raises is from the value without end."""
    games = [make("pot_limit", raises=raises) for raises in range(6)]
    gaps = [value(game, game.published()) - pot_limit_value(ENDLESS["alpha"]) for game in games]
    text = ", ".join(f"{float(gap):.1e}" for gap in gaps)
    good = all(abs(b) < abs(a) * Fraction(1, 5) for a, b in pairwise(gaps))
    return Finding(good, f"the value with 0 to 5 raises is off by {text}")


def pot_limit_value(alpha: Number) -> Number:
    """The value if alpha is the share of the first raise. Claim value checks it."""
    return -(1 + 2 * alpha) / (12 + 18 * alpha)
