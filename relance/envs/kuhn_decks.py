"""Kuhn's game with any number of cards and any bet: one optimal strategy of each player, as docs/kuhn.md derives it.

The ante is 1 and the bet b. Cards are counted from the best, card 0, to the worst, card `last`; N stands for `last`. An amount of cards
is a sum of probabilities over cards: 5/2 of the best cards means the two best always and the next one half of the time.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import floor

from relance.model.numbers import Number, at_least_zero, fraction
from relance.model.strategy import Plan
from relance.model.tree import BettingTree

ZERO, ONE = Fraction(0), Fraction(1)


def value_bets(last: int, b: Fraction) -> Fraction:
    """Return how many of their best cards the dealer (player 1) bets after a check, with `last` + 1 cards and a bet of `b` antes.

    The number is 0 if `b` is at least 2 * last - 2, and last - 1 if `b` is at most 1/(last - 1). Otherwise it is at least last/(b + 1):
    if the dealer bet fewer, the opener would gain by betting their own best cards. The dealer bets more than that as long as a bet with a
    further card costs the opener chips, which is so while more worse cards than better ones call this bet.
    """
    if b >= 2 * last - 2:
        return ZERO
    if b * (last - 1) <= 1:
        return Fraction(last - 1)
    w = max(last / (b + 1), ONE)
    while (2 * floor(w) + 1) * (b + 2) < 2 * (last - floor(b * w / (b + 2))):
        w = min(floor(w) + ONE, (floor(b * w / (b + 2)) + 1) * (b + 2) / b)
    return w


def amounts(last: int, b: Fraction) -> dict[str, Number]:
    """Return the numbers of the solution, which `deck_solution` explains, for `last` + 1 cards and an exact bet of `b` antes."""
    w = value_bets(last, b)
    return deck_solution(last, b, w, floor(w), floor(b * w / (b + 2)))


def deck_solution(last: int, b: Number, w: Number, top: int, bottom: int) -> dict[str, Number]:
    """Return the numbers of the solution with `last` + 1 cards and a bet `b`; `top` and `bottom` are the whole parts of w and sigma.

    Returns:
        w, sigma: how many of their best cards the dealer (player 1) bets after a check, and how many of their worst.
        tau: how many cards the dealer calls with in all.
        thin: how much each further card adds to the dealer's calls. For each k from top + 1 to last - bottom - 1, the probabilities of
            calling with each of the k best cards add up to tau - (last - sigma - k) * thin, or to `top` if that is more.
        omega, rho: how many of their `top` best cards the opener (player 0) bets, and how many of their worst.
        border: how often the opener, after a check, calls with the best card that is not one of the `top` best.
        middle: how often the opener calls with each card that is worse than this one, but is not one of the bottom + 1 worst.
    """
    sigma, tau, rest = b * w / (b + 2), 2 * last / (b + 2), last - bottom - top - 1
    none: Number = ZERO
    omega, middle, thin, border = none, none, none, none + 1
    if w == 0:
        tau = none + 1
    elif w == 1 and last <= b + 1:
        border = tau - 1
    elif w == last - 1:  # with small bets both players bet all cards but the two worst
        omega, border = w, 2 / (b + 2)
    else:
        thin = 1 / (b + 1)
        if w * (b + 1) == last:
            omega = (top + bottom + 1 + b / 2) / (b + 1) - w + top
            middle = (top - omega) / rest
        else:  # the opener never bets, and calls just often enough that the dealer gains nothing by betting more or less
            calls = none + 2 * top + 1
            if w == top:
                calls = max(2 * (last - bottom) / (b + 2), calls - 2)
                over = calls - 2 * top
                border = max(over, (b * over / 2 + 1) / (b + 1)) if over > 0 else (calls - top) / (rest + 1)
            middle = (calls - top - border) / rest
    numbers = {"w": w, "sigma": sigma, "tau": tau, "thin": thin, "omega": omega, "rho": b * omega / (b + 2)}
    return {**numbers, "border": border, "middle": middle}


def plan_from_numbers(last: int, numbers: Mapping[str, Number], top: int, bottom: int, bluffs: int) -> Plan:
    """Return both players' plan for `last` + 1 cards, made from `numbers`, the numbers that `deck_solution` returns.

    The arguments `top`, `bottom` and `bluffs` are the whole parts of three of these numbers: w, sigma and rho.
    """
    cards = range(last + 1)
    weakest = [card for card in cards if card >= last - bottom]

    def calls_of_best(count: int) -> Number:
        if count <= top:
            return Fraction(count)
        if count >= last - bottom:
            return numbers["tau"]
        more = numbers["tau"] - (last - numbers["sigma"] - count) * numbers["thin"] - top
        return top + more if at_least_zero(more) else ZERO + top

    def best(amount: Number, whole: int) -> list[Number]:
        return [ONE if card < whole else amount - whole if card == whole else ZERO for card in cards]

    def both(value: list[Number], bluff: list[Number]) -> list[Number]:
        return [v + u for v, u in zip(value[::-1], bluff, strict=True)]

    opener = [numbers["omega"] / top if card < top else ZERO for card in cards]
    called = [ONE if card < top else numbers["border" if card == top else "middle"] for card in cards]
    answers = [calls_of_best(card + 1) - calls_of_best(card) for card in cards]
    return {
        "": {"bet": both(opener, best(numbers["rho"], bluffs))},
        "check-bet": {"call": [ZERO if card in weakest else called[card] for card in cards][::-1]},
        "check": {"bet": both(best(numbers["w"], top), best(numbers["sigma"], bottom))},
        "bet": {"call": answers[::-1]},
    }


def kuhn_deck_plan(numbers: Mapping[str, Number], tree: BettingTree) -> Plan:
    """Return the plan of Kuhn's game with N + 1 cards; `numbers` has N and the numbers that the function `amounts` returns, all exact."""
    last, top, bottom, bluffs = (floor(fraction(numbers[name])) for name in ("N", "w", "sigma", "rho"))
    return plan_from_numbers(last, numbers, top, bottom, bluffs)
