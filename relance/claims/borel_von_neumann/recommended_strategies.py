"""Checks of claims on the optimal and the recommended strategies in Bellman and Blackwell's game (Section 4)."""

from __future__ import annotations

from relance.claims.borel_von_neumann.bridge import (
    bets_where,
    only_solution,
    over_fold,
    randomised_bets,
    threshold_gains,
    two_bets,
)
from relance.claims.borel_von_neumann.models import linear_solution
from relance.claims.prelude import *

# --- all optimal strategies -------------------------------------------------------------------------------------------


def bridge_second(n: Numbers) -> Finding:
    """Test the claim that player II has only one optimal strategy in Bellman and Blackwell's game, for bets 1 and 2.

    The claim fails if a second strategy is optimal: against the high bet, II calls with hands from 2/5 to 1/2 and folds with hands from 1/2
    to 3/5, and otherwise plays as printed.
    """
    game = make("bellman_blackwell", low=1, high=2)
    other = nash(game, {**game.published().plan(), "high": {"call": [("2/5", "1/2"), ("3/5", 1)]}})
    _, v = game.printed_numbers()
    text = f"calling high on (2/5, 1/2) and above 3/5 instead of above {v['b2']}: {other.evidence}"
    return tried_at({"B1": 1, "B2": 2}, not other.holds, text, game)


@unproved("that no other strategy is optimal, and which of them are admissible")
def bridge_second_where(n: Numbers, unique: str = "low") -> Finding:
    """Check, for bets that satisfy (15), that II may choose which hands call one of I's two bets, but not which call the other, `unique`.

    `unique` is "low" or "high". With hands below player I's threshold b1, a call of either bet wins less than a fold. Above b1 a call of
    `unique` wins more. A call of the other bet wins more above I's threshold b3 and as much from b1 to b3; how many of these call is fixed.
    """
    where = bets_where(">= 0")
    v = n.at(**where)
    game, plan = two_bets(where), randomised_bets(v)
    low, high = (advantage(game, plan, bet, "call", "fold") for bet in ("low", "high"))
    as_a_fold = signs_between(over_fold(game, plan)[0], 0, v["b1"]) == [0]
    cuts = (0, v["b1"], v["b3"], 1)
    text = "calling is strictly worse or better outside (b1, b3), and worth 0 inside for the high bet only"
    one, many = (low, high) if unique == "low" else (high, low)
    strict = signs_between(one, *cuts) == [-1, 1, 1] and signs_between(many, *cuts) == [-1, 0, 1]
    parts = {"solution": true_for(where, lambda: strict, text), "amount": _amount(n), "calls": _rising()}
    return together(parts).only_if(as_a_fold)


def _amount(n: Numbers) -> Finding:
    """Check that a bluff with the high bet is worth a fold only if the printed amount of II's hands from b1 to b3 calls this bet."""
    where = region("B1, B2, b1, b3, share", "B1 > 0", "B1 < B2", "0 < b1 < b3", "b3 < 1", "0 <= share <= 1")
    calls: Plan = {"low": {"call": 1}, "high": {"call": [(where["b1"], where["b3"], where["share"]), (where["b3"], 1)]}}
    _, high = over_fold(two_bets(where), {"": {"high": 1, "low": 0}, **calls})
    share = formula(linear_solution(where, {"share": high(Fraction(0))})["share"], where)
    v = {**where, "b2": n.at(**where)["b2"]}
    return equal(
        {"calls between b1 and b3": share * (v["b3"] - v["b1"])}, {"calls between b1 and b3": v["b3"] - v["b2"]}, where
    )


def _rising() -> Finding:
    """Check for either bet that a call's gain over a fold never falls as II's hand rises, and rises where I has hands that bet so."""
    where = region("B1, B2", "B1 >= 0", "B1 < B2")
    return together([higher(two_bets(where), where, bet, "call", "fold", {}) for bet in ("low", "high")])


@unproved("bets other than these, and that no other strategy is optimal")
def bridge_freedom(n: Numbers, free_below: str = "b1", between: str = "low") -> Finding:
    """Check, for bets that satisfy (15), that player I may choose which hands below the threshold `free_below` fold, bet low or bet high.

    Only the amounts of low and of high bets are fixed: with these hands all three actions win the same, and player II's gains depend on the
    amounts alone. From b1 to b3 the bet named by `between`, "low" or "high", is strictly best, and above b3 the other bet.
    """
    where = bets_where(">= 0")
    v = n.at(**where)
    low, high = over_fold(two_bets(where), randomised_bets(v))
    all_equations, gains = threshold_gains()
    point: dict[str, Number] = {**dict.fromkeys(all_equations, Fraction(0)), **where, **v}

    def statement() -> bool:
        free = signs_between(low, 0, v[free_below], 1) == [0, 1] and signs_between(high, 0, v[free_below]) == [0]
        better = high - low if between == "low" else low - high
        forced = signs_between(better, v["b1"], v["b3"], 1) == [-1, 1]
        return free and forced and all(symbolic(gains[k]).at(point) == 0 for k in ("(9)", "(10)"))

    text = "below b1 the actions of player I are worth the same; above it one is strictly best; (9) and (10) fix the amounts"
    return together({"solution": true_for(where, statement, text), "amounts": _by_amounts(), "calls": _rising()})


def _by_amounts() -> Finding:
    """Check (9) and (10) if I's probabilities to bet low and high change at a hand x < b1; mL and mH are the amounts of bets below b1."""
    order = ("0 < x", "x < b1", "b1 < b2", "b2 < b3", "b3 < 1")
    chances = ("l >= 0", "h >= 0", "l + h <= 1", "L >= 0", "H >= 0", "L + H <= 1")
    where = region("B1, B2, b1, b2, b3, x, l, h, L, H", "B1 >= 0", "B1 < B2", *order, *chances)
    x, b1, b2, b3 = (where[name] for name in ("x", "b1", "b2", "b3"))
    bets = {
        "low": [(0, x, where["l"]), (x, b1, where["L"]), (b1, b3)],
        "high": [(0, x, where["h"]), (x, b1, where["H"]), (b3, 1)],
    }
    game, (_, gains) = two_bets(where), threshold_gains()
    plan: Plan = {"": bets, "low": {"call": [(b1, 1)]}, "high": {"call": [(b2, 1)]}}
    at = {
        "(9)": advantage(game, plan, "low", "call", "fold")(b1),
        "(10)": advantage(game, plan, "high", "call", "fold")(b2),
    }
    amounts = {
        name: where[few] * x + where[many] * (b1 - x) for name, few, many in (("mL", "l", "L"), ("mH", "h", "H"))
    }
    same = equal(at, {name: symbolic(gains[name]).at({**where, **amounts}) for name in at}, where)
    return same.saying("they hold with the amounts below b1, however these are spread")


# --- the recommended strategy -----------------------------------------------------------------------------------------


def bridge_recommended(n: Numbers, folds: bool) -> Finding:
    """Check that player I's recommended strategy is optimal: as the hand rises, I folds, bets high, bets low, and bets high again.

    The thresholds are the printed ones. With `folds` the bets satisfy (15). Otherwise they violate it or give equality, and no hand folds.
    """
    where = bets_where("> 0") if folds else bets_where("<= 0")
    game = two_bets(where)
    inside = nash(game, with_numbers(game, {"fold": 0, **n.at(**where)}), where)
    if folds:
        return together([inside.part("optimal"), _same_at_border(n)])
    zero = region("B2", "B2 > 0")
    game, v = make("bellman_blackwell", low=0, high=zero["B2"]), {"fold": 0, **n.at(B1=0, B2=zero["B2"])}
    return together([inside, nash(game, with_numbers(game, v), zero)])


def _same_at_border(n: Numbers) -> Finding:
    """Check that with equality in (15) the printed thresholds are those of the solution in which player I never folds."""
    where = bets_where("== 0")
    v, other = n.at(**where), only_solution(where, folds=False)
    same = {**other, "fold": ZERO, "lowest": v["mH"]}
    return equal(same, {name: v[name] for name in same}, where).part("at the border")


@unproved("that what dominates this strategy is this strategy")
def bridge_admissible(n: Numbers, order: Sequence[str], called: str) -> Finding:
    """Check how player I's gains rise with the hand if player II calls only one of the two bets, with hands from s to t.

    `order` names player I's three actions, of which the second is a bet. If II calls only the bet `called`, the third action's gains over
    the other two never fall, and rise from s to t. So does the second action's gain over the first if II calls only the second action.
    """
    where = region("B1, B2, s, t", "B1 >= 0", "B1 < B2", "0 < s", "s < t", "t < 1")
    game, step = two_bets(where), [(where["s"], where["t"])]

    def rises_over(bet: str, other: str, called: str) -> bool:
        calls = {answer: {"call": step if answer == called else 0} for answer in ("low", "high")}
        return rises(advantage(game, {"": {"low": 0, "high": 0}, **calls}, "", bet, other), where["s"], where["t"])

    worst, middle, top = order
    text = f"if {called} bets are called from s to t, {top} gains over {worst} and {middle} with the hand"

    def statement() -> bool:
        return all(rises_over(top, other, called) for other in (worst, middle)) and rises_over(middle, worst, middle)

    return true_for(where, statement, text)
