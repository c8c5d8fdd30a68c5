"""Checks of claims on Bellman and Blackwell's game, where player I folds, or bets B1 or B2 (Section 4)."""

from __future__ import annotations

from relance.claims.borel_von_neumann.models import linear_solution
from relance.claims.prelude import *
from relance.claims.trace import terminal

SLACK = "B1**2*(B2 + 2)**2 - 4*(B2 - B1)"
"""At least 0 for the bets B1 < B2 that satisfy the paper's condition (15): B2 - B1 <= B1^2 (B2 + 2)^2/4."""


def bets_where(sign: str, least: str = "B1 > 0") -> Region:
    """Return the region where B1 < B2, `least` holds, and B1^2 (B2 + 2)^2 - 4(B2 - B1) has this `sign`, such as ">= 0"."""
    return region("B1, B2", least, "B1 < B2", f"{SLACK} {sign}")


def two_bets(where: Mapping[str, Number]) -> Game:
    """Bellman and Blackwell's game with the low bet `where["B1"]` and the high bet `where["B2"]`."""
    return make("bellman_blackwell", low=where["B1"], high=where["B2"])


def randomised_bets(v: Mapping[str, Number]) -> Plan:
    """Both players' strategies, by the numbers in `v`: thresholds b1 < b2 < b3, and the amounts mH and mL of high and low bluffs.

    Below b1 player I bets high with probability mH/b1, low with mL/b1, and otherwise folds (if `v` lacks mL: bets low). From b1 to b3
    player I bets low, above b3 high. Player II calls a low bet with hands above b1, and a high bet with hands above b2.
    """
    low = v["mL"] if "mL" in v else v["b1"] - v["mH"]
    first = {
        "high": [(0, v["b1"], v["mH"] / v["b1"]), (v["b3"], 1)],
        "low": [(0, v["b1"], low / v["b1"]), (v["b1"], v["b3"])],
    }
    return {"": first, "low": {"call": [(v["b1"], 1)]}, "high": {"call": [(v["b2"], 1)]}}


def over_fold(game: Game, plan: Plan) -> list[Piecewise]:
    """Return player I's gain by a low bet over a fold, and by a high bet over a fold, as functions of the hand."""
    return [advantage(game, plan, "", bet, "fold") for bet in ("low", "high")]


# --- equations --------------------------------------------------------------------------------------------------------


def threshold_gains() -> tuple[Region, dict[str, Number]]:
    """Return a region, and {equation: gain over a fold} for the paper's equations, which say that the players are indifferent.

    The region's symbols are the bets B1 < B2, the thresholds b1 < b2 < b3, and the amounts mH and mL of bluffs; see `randomised_bets`. II
    gains "(9)" by a call of B1 with hand b1, "(10)" by a call of B2 with b2. I gains "(12)" by B1 and "(13)" by B2 with hands below b1, and
    "(11) low" by B1 and "(11) high" by B2 with hand b3. At indifference the gains of (11) are equal, and all others are 0.
    """
    order = ("0 < b1", "b1 < b2", "b2 < b3", "b3 < 1", "mH >= 0", "mL >= 0", "mH + mL <= b1")
    where = region("B1, B2, b1, b2, b3, mH, mL", "B1 >= 0", "B1 < B2", *order)
    game = two_bets(where)
    plan = randomised_bets(where)
    low, high = over_fold(game, plan)
    gains = {
        f"({k})": advantage(game, plan, bet, "call", "fold")(where[b])
        for k, bet, b in ((9, "low", "b1"), (10, "high", "b2"))
    }
    gains |= {"(11) low": low(where["b3"]), "(11) high": high(where["b3"])}
    return where, {**gains, "(12)": low(where["b1"] / 2), "(13)": high(where["b1"] / 2)}


def only_solution(where: Region, folds: bool) -> dict[str, Number]:
    """Return the only thresholds and amounts of `randomised_bets` at which both players are indifferent, for the bets B1, B2 in `where`.

    With `folds`, b1, b2, b3, mH and mL solve Bellman and Blackwell's equations (9) to (13). Without, player I never folds: b1, b2, b3 and
    mH solve (9) to (11) and (16), where mL is b1 - mH. (16) says that a low and a high bet gain the same with a hand below b1.
    """
    free, gains = threshold_gains()
    higher = gains["(11) low"] - gains["(11) high"]
    if folds:
        ask = {"b1": gains["(12)"], "b2": gains["(13)"], "b3": higher, "mH": gains["(10)"], "mL": gains["(9)"]}
    else:
        ask = {"mH": gains["(10)"], "b2": gains["(12)"] - gains["(13)"], "b3": higher, "b1": gains["(9)"]}
        all_bet: dict[str, Number] = {**free, "mL": free["b1"] - free["mH"]}
        ask = {symbol: symbolic(gain).at(all_bet) for symbol, gain in ask.items()}
    return {symbol: formula(text, where) for symbol, text in linear_solution(free, ask).items()}


def bridge_equations(n: Numbers) -> Finding:
    """Check the printed indifference equations (9) to (13) of Bellman and Blackwell's game, for any thresholds."""
    where, gains = threshold_gains()
    return equal(gains, n.at(**where), where)


def bridge_solution(n: Numbers) -> Finding:
    """Check, for bets that satisfy (15), that the printed solution is the only one of (9) to (13), and that it is optimal."""
    where = bets_where(">= 0")
    v = n.at(**where)
    solved = equal(only_solution(where, folds=True), v, where)
    return together([solved, _in_order(where, v), nash(two_bets(where), randomised_bets(v), where)])


def _in_order(where: Region, v: Mapping[str, Number]) -> Finding:
    """Check that 0 < b1 < b2 < b3 < 1, and that the amounts in `v` of bets below b1 are positive: mH, at most b1, and mL if `v` has it."""
    amounts = [v[name] for name in ("mH", "mL") if name in v]

    def statement() -> bool:
        return 0 < v["b1"] < v["b2"] < v["b3"] < 1 and all(amount > 0 for amount in amounts) and v["mH"] <= v["b1"]

    return true_for(where, statement, "0 < b1 < b2 < b3 < 1 and 0 < mH <= b1" + " and mL > 0" * ("mL" in v))


def bridge_condition(n: Numbers) -> Finding:
    """Check (15): the total length mL + mH of I's bluffs is <, = or > the threshold b1 as B2 - B1 is <, = or > B1^2 (B2 + 2)^2/4."""
    steps = []
    for relation, holds in {"<": gt, "<=": ge, ">": lt, ">=": le}.items():
        condition = f"{n.texts['left']} {relation} {n.texts['right']}"
        where = region("B1, B2", "B1 >= 0", "B1 <= B2", "B2 > 0", condition)
        v = only_solution(where, folds=True)
        folds = v["b1"] - v["mL"] - v["mH"]
        steps.append(true_for(where, partial(holds, folds, 0), f"b1 - mL - mH = {show(folds)}").part(relation))
    return together(steps)


def bridge_linear(n: Numbers) -> Finding:
    """Check the paper's equation (16), which says that a low and a high bet gain the same with a hand below the lowest threshold, b1.

    Check also, for bets that violate (15), that (9) to (11) and (16) have only one solution in which every hand below b1 bluffs, not folds.
    """
    where, gains = threshold_gains()
    same = equal({"low": gains["(12)"], "high": gains["(13)"]}, n.at(**where), where)
    fails = bets_where("<= 0", least="B1 >= 0")
    solved = only_solution(fails, folds=False)
    return together([same, _in_order(fails, solved).saying(f"the only solution has b1 = {show(solved['b1'])}")])


# --- the constant -----------------------------------------------------------------------------------------------------


def bridge_constant(n: Numbers, level: str = "") -> Finding:
    """Check that (15) holds for all B2 > B1 exactly if B1 >= c, where c = (sqrt 5 - 1)/2, and that c solves the printed equation.

    In the proof another condition stands for B1 >= c: that the left side of the printed equation, with B1 in the place of c, is at least
    the formula `level`. By default `level` is the equation's right side.
    """
    golden = (square_root(5) - 1) / 2
    at = n.at(c=golden)
    text = f"(15) holds for all B2 > B1 if and only if B1 >= (sqrt(5) - 1)/2 = {float(golden):.4f}"
    if at["polynomial"] != at["equals"]:
        difference = float(at["polynomial"] - at["equals"])
        return Finding(
            False, f"{text}; there the printed sides differ by {difference:.4f}", (At(f"c = {show(golden)}"),)
        )
    power, level = n.texts["polynomial"].replace("c", "B1"), level or n.texts["equals"]
    enough = region("B1, B2", "B1 > 0", "B1 <= B2", f"{power} >= {level}")
    slack = formula(SLACK, enough)
    less = region("B1", "B1 > 0", f"{power} < {level}")
    worst = 2 / less["B1"] ** 2 - 2  # the high bet at which (15) comes closest to failing
    fails = formula(SLACK, {"B1": less["B1"], "B2": worst})
    proved = bool(slack >= 0) and bool(worst > less["B1"]) and bool(fails < 0)
    near = abs(n.at(c=Fraction(0))["number"] - golden) < Fraction(1, 2000)
    return Finding(proved and near, text, (enough, less))


def bridge_constant_where(n: Numbers, level: str = "") -> Finding:
    """Check as `bridge_constant(n, level)` does; and that c = (sqrt 5 - 1)/2 solves c^3 + 2c^2 = 1, and 2 - 2c the paper's own equation."""
    constant, golden = bridge_constant(n, level), (square_root(5) - 1) / 2
    shifted = n.at(c=golden)["shifted"]
    left = formula("c**3/4 - 2*c**2 + 4*c - 2", {"c": shifted})
    text = f"{constant.evidence}; at {n.texts['shifted']} = {float(shifted):.4f} the printed polynomial is {show(left)}"
    return constant.only_if(left == 0 and n.at(c=golden)["cubic"] == n["equals"], text)


# --- where (15) fails -------------------------------------------------------------------------------------------------


def bridge_form(n: Numbers, fails: bool = True, between: str = "low") -> Finding:
    """Check for bets that violate the paper's condition (15) that the solution without folds is optimal, and that I loses by any fold.

    In this solution, with thresholds b1 < b2 < b3, the bet `between` ("low" or "high") is strictly better than the other bet with hands
    from b1 to b3, and worse above b3. If `fails` is false, the check is for bets that satisfy (15), of which this statement is false.
    """
    strict = bets_where("< 0" if fails else "> 0", least="B1 >= 0")
    closed = bets_where("<= 0" if fails else ">= 0", least="B1 >= 0")
    v = only_solution(closed, folds=False)
    optimal = nash(two_bets(closed), randomised_bets(v), closed)
    if not optimal.holds:
        return optimal
    v = only_solution(strict, folds=False)
    low, high = over_fold(two_bets(strict), randomised_bets(v))

    def statement() -> bool:
        folds = signs_between(low, 0, v["b3"]) + signs_between(high, v["b3"], 1)
        best = high - low if between == "low" else low - high
        return folds == [1, 1] and signs_between(best, 0, v["b1"], v["b3"], 1) == [0, -1, 1]

    better = true_for(
        strict, statement, "with every hand a bet is strictly better than folding, and above b1 one bet is best"
    )
    return together({"optimal": optimal, "in order": _in_order(strict, v), "no folds": better})


def bridge_no_folds(n: Numbers) -> Finding:
    """Check, for bets that violate (15), that the printed play without folds is optimal and is the only solution of (9) to (11), (16)."""
    point = {"B1": Fraction(1, 5), "B2": Fraction(2)}
    v = n.at(**point)
    tried = nash(two_bets(point), randomised_bets(v))
    if not tried.holds:
        return tried_at(point, False, tried.evidence)
    where = bets_where("<= 0", least="B1 >= 0")
    v = n.at(**where)
    right = only_solution(where, folds=False)
    solved = equal(right, {symbol: v[symbol] for symbol in right}, where)
    return together([solved, nash(two_bets(where), randomised_bets(v), where)])


# --- the two ends -----------------------------------------------------------------------------------------------------


def _after(game: Game) -> dict[str, Node]:
    """{line of play: the node or terminal node that it leads to}."""
    return {"-".join(history): node for history, node in game.tree.walk()}


def bridge_borel(n: Numbers) -> Finding:
    """Check that with equal bets Bellman and Blackwell's game has the tree of La Relance, and the printed value."""
    where = region("B", "B > 0")
    game = make("bellman_blackwell", low=where["B"], high=where["B"])
    mine, theirs = _after(game), _after(make("la_relance", bet=where["B"]))
    same = mine["low"] == mine["high"] == theirs["bet"] and mine["fold"] == theirs["fold"]
    return nash(game, game.published().plan(), where, n.at(**where)["V"]).only_if(same)


def bridge_von_neumann(n: Numbers, low: str = "0") -> Finding:
    """Check that with `low` bet 0 Bellman and Blackwell's game is von Neumann's poker, and has the printed value.

    Folding is never better than the low bet, nor than calling it. Without these folds the payoffs are von Neumann's, and the low bet is
    his check.
    """
    where = region("B", "B > 0")
    game, other = (
        make("bellman_blackwell", low=formula(low, where), high=where["B"]),
        make("von_neumann", bet=where["B"]),
    )
    folds = [better(game, where, "", "low", "fold", {}), better(game, where, "low", "call", "fold", {})]
    mine, theirs = (
        {
            f"{end}, {edge}": terminal(each, each.uniform(), path, edge)
            for end, path in ends.items()
            for edge in (ONE, -ONE)
        }
        for each, ends in (
            (game, {"check": "low-call", "fold": "high-fold", "call": "high-call"}),
            (other, {"check": "check", "fold": "bet-fold", "call": "bet-call"}),
        )
    )
    same = equal(mine, theirs, where)
    return together([*folds, same, nash(game, game.published().plan(), where, n.at(**where)["V"])])
