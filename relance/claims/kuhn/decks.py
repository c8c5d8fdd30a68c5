"""Checks of claims on Kuhn's game with n cards, an ante of 1 and a bet of b. N is n - 1; cards are counted from the best."""

from __future__ import annotations

from math import floor

from relance.claims.prelude import *
from relance.envs.kuhn_decks import deck_solution, value_bets


def _spans(last: int) -> Iterator[tuple[Region, list[str], int, int]]:
    """Split the bets from 1/(n - 2) to n - 2, where n is `last` + 1, by p and s, the integer parts of w and sigma.

    The dealer bets w of the best cards and sigma of the worst. For each p and s: the region of these bets, its conditions, p and s.
    """
    for p, s in product(range(1, last), range(last // 5 + 1)):  # sigma is at most N/(3 + 2 sqrt(2)), where b is sqrt(2)
        conditions = [f"{last - 1}*b >= 1", f"b <= {last - 1}", f"{p}*(b + 1) <= {last} <= {p + 1}*(b + 1)"]
        conditions.append(f"{s}*(b + 1)*(b + 2) <= {last}*b <= {s + 1}*(b + 1)*(b + 2)")
        if (where := _region(conditions)) is not None:
            yield where, conditions, p, s


def _bets(where: Region, omega: Number, s: int) -> Finding:
    text = "omega is at least 0, and the opener bluffs with at most one card more than the dealer does for sure"
    return true_for(where, lambda: omega >= 0 and where["b"] * omega / (where["b"] + 2) <= s + 1, text)


def _all_bets(last: int) -> Finding:
    """Check with `_bets` all bets from 1/(n - 2) to n - 2, where n is `last` + 1."""
    spans = (
        (where, deck_solution(last, where["b"], last / (where["b"] + 1), p, s)["omega"], s)
        for where, _, p, s in _spans(last)
    )
    return together([_bets(*span) for span in spans])


def _region(conditions: Sequence[str]) -> Region | None:
    """The bets that satisfy the conditions, or None if there are none or only one, which is an end of other regions too."""
    try:
        where = region("b", "b > 0", *conditions)
    except ValueError:
        return None
    return None if where.thin else where


def more(n: Numbers, at: Sequence[tuple[int, str]]) -> Finding:
    """Check that omega is at least 0 with fewer cards than the printed number `fewest`, for all bets from 1/(n - 2) to n - 2.

    omega, given by a formula, is how many of the best cards the opener bets in Kuhn's game with n cards. `at` lists larger decks, the first
    with `fewest` cards, each as (cards, bet), for which the formula is below 0. For these the published strategies must be an equilibrium
    with the printed value, in which the opener never bets, and the dealer bets more than (n - 1)/(b + 1) of the best cards, where b is the
    bet.
    """
    fewest = n["fewest"]
    findings = [each("N", range(3, int(fewest) - 1), _all_bets, "omega is at least 0")]
    for cards, text in at:
        last, b = cards - 1, Fraction(text)
        w, least = value_bets(last, b), last / (b + 1)
        sigma, few = (b * bets / (b + 2) for bets in (w, least))
        v = n.at(N=Fraction(last), b=b, w=w, sigma=sigma, p=Fraction(floor(w)), s=Fraction(floor(sigma)))
        game = make("one_card_poker", cards=cards, raises=0, bet=b)
        dry = deck_solution(last, b, least, floor(least), floor(few))["omega"] < 0 and not any(
            game.published().row("", "bet")
        )
        found = nash(game, game.published().plan(), worth=v["value"])
        found = found.only_if(dry and w > least and (w == floor(w) or sigma == floor(sigma)))
        findings.append(found.part(f"{cards} cards, b = {text}"))
    return together(findings).only_if(fewest == min(cards for cards, _ in at))


def limit(n: Numbers) -> Finding:
    """Check that the value of Kuhn's game with n cards tends to the printed limit as n grows, by bounds on its distance from the limit.

    With a bet of the pot, the limit must equal the printed number `pot` and the value of Cutler's pot-limit poker without raises. The
    value's formula assumes that omega, how many of the best cards the opener bets, is at least 0. Check this for any bet and large n.
    """
    where = region("N, b, f, g", "N >= 1", "b > 0", "0 <= f <= 1", "0 <= g <= 1")
    symbols = dict(where)
    w = symbols["N"] / (symbols["b"] + 1)
    sigma = symbols["b"] * w / (symbols["b"] + 2)
    v = n.at(**symbols, w=w, sigma=sigma, p=w - symbols["f"], s=sigma - symbols["g"])
    gap = v["value"] * symbols["N"] * (symbols["N"] + 1) - v["limit"] * symbols["N"] ** 2
    near = true_for(
        where, lambda: -sigma <= gap <= (symbols["b"] + 1) / 4, "N (N + 1) v - N^2 v0 is from -sigma to (b + 1)/4"
    )
    game = make("pot_limit", raises=0)
    pot = n.at(N=1, b=Fraction(2), p=1, s=0, w=1, sigma=1)["limit"]
    found = {"pot": play_value(game, game.published())}
    same = together([equal(found, {"pot": n["pot"]}, game), equal({"pot": pot}, {"pot": n["pot"]}, game)])
    far = region(
        "N, b, gap, e",
        "N >= 1",
        "b > 0",
        "-b*N <= (b + 1)*(b + 2)*gap",
        "4*gap <= b + 1",
        "e > 0",
        "e*(N + 1) >= 2 + (b + 1)/4",
    )
    N, b, gap, e = far.values()
    off = (gap - n.at(N=N, b=b, p=1, s=0, w=1, sigma=1)["limit"] * N) / (N * (N + 1))
    close = true_for(far, lambda: bool(-e <= off <= e), "the value is as near to the limit as one likes")
    large = region("N, b, p, s", "b > 0", "p*(b + 1) <= N <= (p + 1)*(b + 1)", "s >= 0", "N >= (b + 1)*(b + 2)")
    N, b, p, s = large.values()
    bets = true_for(large, lambda: bool(N - p * (b + 1) <= p + s + 1 + b / 2) and bool(b <= N - 1), "the opener bets")
    return together({"gap": near, "close": close, "bets": bets}).only_if(same)
