"""Checks of claims on the model of Bellman and Blackwell (Section 4)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import accumulate, pairwise, permutations

from relance.claims.checks import advantage, equal, every, nash, rising, signs_between, tried_at, true_for, with_numbers
from relance.claims.finding import Finding
from relance.claims.ledger import Numbers
from relance.envs import make
from relance.model.game import Game
from relance.model.numbers import Number, formula, show
from relance.model.quadratic import square_root
from relance.model.strategy import Plan
from relance.solvers.proof import Region, region

SLACK = "B1**2*(B2 + 2)**2 - 4*(B2 - B1)"
"""Positive where condition (15) holds strictly."""


def _folding() -> Region:
    return region("B1, B2", "B1 > 0", "B1 < B2", f"{SLACK} > 0")


def _never_folding(least: str = "B1 >= 0") -> Region:
    return region("B1, B2", least, "B1 < B2", f"{SLACK} < 0")


def _game(where: Mapping[str, Number]) -> Game:
    return make("bellman_blackwell", low=where["B1"], high=where["B2"])


def _calls(v: Mapping[str, Number]) -> Plan:
    return {"low": {"call": [(v["b1"], 1)]}, "high": {"call": [(v["b2"], 1)]}}


def _mixed(v: Mapping[str, Number], low: Number) -> Plan:
    """Below b1 player I randomises: high with probability mH/b1, low with `low`/b1, otherwise fold."""
    first = {
        "high": [(0, v["b1"], v["mH"] / v["b1"]), (v["b3"], 1)],
        "low": [(0, v["b1"], low / v["b1"]), (v["b1"], v["b3"])],
    }
    return {"": first, **_calls(v)}


def _ordered(v: Mapping[str, Number], order: tuple[str, ...]) -> Plan:
    """Below b1 each action takes an interval of hands, in this order, worst hands first."""
    amounts = {"high": v["mH"], "low": v["mL"], "fold": v["b1"] - v["mH"] - v["mL"]}
    ends = accumulate((amounts[action] for action in order), initial=Fraction(0))
    spans = dict(zip(order, pairwise(ends), strict=True))
    first = {"high": [spans["high"], (v["b3"], 1)], "low": [spans["low"], (v["b1"], v["b3"])]}
    return {"": first, **_calls(v)}


def bridge_end(n: Numbers, low: str) -> Finding:
    """The limiting case in which the low bet is `low`, for every high bet B: NashConv 0, and the printed value of that model."""
    where = region("B", "B > 0")
    game = make("bellman_blackwell", low=formula(low, where), high=where["B"])
    return nash(game, game.published().plan(), where, n.at(**where)["V"])


def bridge_equations(n: Numbers) -> Finding:
    """(9) to (13) and (16): the gain of one action over the other at each threshold, for any thresholds and amounts."""
    order = ("0 < b1", "b1 < b2", "b2 < b3", "b3 < 1", "mH > 0", "mL > 0", "mH + mL < b1")
    where = region("B1, B2, b1, b2, b3, mH, mL", "B1 > 0", "B1 < B2", *order)
    game = _game(where)
    plan = _mixed(where, where["mL"])
    low, high = (advantage(game, plan, "", bet, "fold") for bet in ("low", "high"))
    gains = {
        "(9)": advantage(game, plan, "low", "call", "fold")(where["b1"]),
        "(10)": advantage(game, plan, "high", "call", "fold")(where["b2"]),
        "(11) low": low(where["b3"]),
        "(11) high": high(where["b3"]),
        "(12)": low(where["b1"] / 2),
        "(13)": high(where["b1"] / 2),
    }
    return equal(gains, n.at(**where), where)


def bridge_solution(n: Numbers) -> Finding:
    """(14): the amounts spread evenly over the hands below b1."""
    where = _folding()
    v = n.at(**where)
    return nash(_game(where), _mixed(v, v["mL"]), where)


def bridge_condition(n: Numbers) -> Finding:
    """The amount of folds has the sign of the difference of the two printed sides."""
    where = _folding()
    _, numbers = _game(where).printed_numbers()
    difference = formula(f"4*({n.texts['right']} - ({n.texts['left']}))/((B1 + 2)**2*(B2 + 2)**2)", where)
    return equal({"b1 - mL - mH": numbers["fold"]}, {"b1 - mL - mH": difference}, where)


def bridge_constant(n: Numbers) -> Finding:
    """The smallest low bet for which (15) holds for all higher ones is (sqrt 5 - 1)/2, and the printed polynomial's root."""
    golden = (square_root(5) - 1) / 2
    enough = region("B1, B2", "B1 > 0", "B1 <= B2", "B1**2 + B1 >= 1")
    slack = formula(SLACK, enough)
    less = region("B1", "B1 > 0", "B1**2 + B1 < 1")
    worst = 2 / less["B1"] ** 2 - 2  # the high bet at which (15) comes closest to failing
    fails = formula(SLACK, {"B1": less["B1"], "B2": worst})
    proved = bool(slack >= 0) and bool(worst > less["B1"]) and bool(fails < 0)
    at = n.at(c=golden)
    near = abs(n.at(c=Fraction(0))["number"] - golden) < Fraction(1, 2000)
    root = at["polynomial"] == 0
    text = f"(15) holds for all B2 > B1 if and only if B1 >= (sqrt(5) - 1)/2 = {float(golden):.4f}"
    if not root:
        text += f"; there the printed polynomial is {float(at['polynomial']):.4f}, not 0"
    return Finding(proved and near and root, text, (enough,))


def bridge_constant_where(n: Numbers) -> Finding:
    """The right polynomial. The printed one also vanishes if `shifted` replaces c."""
    constant = bridge_constant(n)
    shifted = n.at(c=(square_root(5) - 1) / 2)["shifted"]
    left = formula("c**3/4 - 2*c**2 + 4*c - 2", {"c": shifted})
    text = f"{constant.evidence}; at {n.texts['shifted']} = {float(shifted):.4f} the printed polynomial is {show(left)}"
    return constant.only_if(left == 0, text)


def bridge_second(n: Numbers) -> Finding:
    """The printed claim that player II has one optimal strategy. In fact he may move calls of the high bet between b1 and b3."""
    game = make("bellman_blackwell", low=1, high=2)
    other = nash(game, {**game.published().plan(), "high": {"call": [("2/5", "1/2"), ("3/5", 1)]}})
    _, v = game.printed_numbers()
    text = f"calling high on (2/5, 1/2) and above 3/5 instead of above {v['b2']}: {other.evidence}"
    return tried_at({"B1": 1, "B2": 2}, not other.holds, text, game)


def bridge_second_where(n: Numbers) -> Finding:
    """Unique against the low bet, and against the high bet below b1 and above b3. Calling above b2 dominates the alternatives."""
    where = _folding()
    v = n.at(**where)
    low, high = (advantage(_game(where), _mixed(v, v["mL"]), bet, "call", "fold") for bet in ("low", "high"))
    cuts = (0, v["b1"], v["b3"], 1)
    step = region("B1, B2, s, t", "B1 > 0", "B1 < B2", "0 < s", "s < t", "t < 1")
    bluff: Plan = {"": {"high": [(step["s"], step["t"])], "low": 0}, "low": {"call": 1}, "high": {"call": 1}}
    text = "calling is strictly worse or better outside (b1, b3), worth 0 inside for the high bet, and never falls with the hand"
    strict = signs_between(low, *cuts) == [-1, 1, 1] and signs_between(high, *cuts) == [-1, 0, 1]
    return rising(_game(step), bluff, "high", "call", "fold", step, text).only_if(strict)


def bridge_freedom(n: Numbers) -> Finding:
    """Below b1 the three actions may come in any order, or be randomised."""
    where = _folding()
    v = n.at(**where)
    orders = permutations(("fold", "low", "high"))
    cases = ((", ".join(order), nash(_game(where), _ordered(v, order), where)) for order in orders)
    return every(cases, "NashConv 0 in all six orders, and by lot (claim bb-solution)")


def bridge_recommended(n: Numbers, folds: bool) -> Finding:
    """The recommended strategy: fold, high, low, high, with the printed thresholds."""
    where = _folding() if folds else _never_folding("B1 > 0")
    game = _game(where)
    return nash(game, with_numbers(game, n.at(**where)), where)


def bridge_worst_folds(n: Numbers) -> Finding:
    """The gain of either bet over folding never falls with the hand, whatever calls it, so folding the worst hands dominates."""
    where = region("B1, B2, s, t", "B1 > 0", "B1 < B2", "0 < s", "s < t", "t < 1")
    step = {"call": [(where["s"], where["t"])]}
    plan: Plan = {"": {"low": 0, "high": 0}, "low": step, "high": step}
    text = "what a bet gains over folding never falls with the hand, and rises where it is called"
    cases = ((bet, rising(_game(where), plan, "", bet, "fold", where, text)) for bet in ("low", "high"))
    return every(cases, text)


def bridge_no_folds(n: Numbers) -> Finding:
    """Where (15) fails: the printed strategies, randomised below b1, give player I more than -1 with every hand."""
    point = {"B1": Fraction(1, 5), "B2": Fraction(2)}
    v = n.at(**point)
    tried = nash(_game(point), _mixed(v, v["b1"] - v["mH"]))
    if not tried.holds:
        return tried_at(point, False, tried.evidence)
    where = _never_folding()
    v = n.at(**where)
    optimal = nash(_game(where), _mixed(v, v["b1"] - v["mH"]), where)
    if not optimal.holds:
        return optimal
    worth = 2 * v["b1"] - where["B1"] * (1 - v["b1"])
    text = f"{optimal.evidence}; with the worst hands a bet gains over folding {show(worth)}"
    return true_for(where, lambda: bool(worth > 0), text)


def bridge_sixteen(n: Numbers) -> Finding:
    """(16): the gains of the low and the high bet over folding, with any hand below b1."""
    where = region("B1, B2, b1, b2, b3", "B1 >= 0", "B1 < B2", "0 < b1", "b1 < b2", "b2 < b3", "b3 < 1")
    plan = _mixed({**where, "mH": where["b1"] / 2}, where["b1"] / 2)
    gains = {bet: advantage(_game(where), plan, "", bet, "fold")(where["b1"] / 2) for bet in ("low", "high")}
    return equal(gains, n.at(**where), where)


EQUATIONS = {
    "(10)": "mH*(B2 + 2) - (1 - b3)*B2",
    "(11)": "2*b1 + (b3 - b1)*(B1 + 2) - (1 - b3)*B1 - (2*b2 + (b3 - b2)*(B2 + 2) - (1 - b3)*B2)",
    "(16)": "2*b1 - B1*(1 - b1) - (2*b2 - B2*(1 - b2))",
}
"""Expressions that must equal 0. Claims bb-equations and bb-sixteen derive them from the game."""


def bridge_reduces(n: Numbers) -> Finding:
    """The second solution at B1 = 0 against Theorem 2, where mH is a, b2 is c and b3 is b. It solves (10), (11), (16) for all B1."""
    both = region("B1, B2", "B1 > 0", "B1 < B2")
    left = {name: formula(text, {**both, **n.at(**both)}) for name, text in EQUATIONS.items()}
    solved = equal(left, dict.fromkeys(left, Fraction(0)), both)
    if not solved.holds:
        return solved
    where = region("B2", "B2 > 0")
    v = n.at(B1=Fraction(0), B2=where["B2"])
    theorem = make("von_neumann", bet=where["B2"]).printed_numbers()[1]
    pairs = {"mH": theorem["a"], "b1": theorem["a"], "b2": theorem["c"], "b3": theorem["b"]}
    return equal(pairs, {name: v[name] for name in pairs}, where)
