"""Checks of claims on von Neumann's game, and with several sizes Newman's, with a deck of n distinct cards."""

from __future__ import annotations

from relance.claims.claim_data import stated
from relance.claims.prelude import *


def _game(cards: int, *sizes: object) -> Game:
    """The game with a deck of this many cards."""
    return make("sized_von_neumann", sizes=sizes, deal=f"cards:{cards}")


def two_cards(n: Numbers, bets: Sequence[int]) -> Finding:
    """Check von Neumann's game with cards 1 and 2 and bet 2: to bet with the cards `bets`, and call with the 2, is an equilibrium."""
    game = _game(2, 2)
    plan = {"": {"bet 2": [int(card in bets) for card in (1, 2)]}, "bet 2": {"call": [0, 1]}}
    return nash(game, plan, worth=n["V"])


def deck_values(n: Numbers) -> Finding:
    """Check the printed solution of von Neumann's game: one by one with 2 to 56 cards, and by proof with any number of cards from 18 on.

    There is a proof for each remainder of the number of cards modulo 18.
    """
    tried = each("n", range(2, 57), partial(_deck, n))
    if not tried.holds:
        return tried
    if max(n[f"d{k}"] for k in range(9)) != Fraction(2, 3):
        return replace(tried, holds=False, evidence="d is not at most 2/3")
    sure = together([_any_deck(n, left) for left in range(18)])
    return sure.saying("NashConv 0, and the value is 1/9 - d/(n(n - 1))").only_if(tried)


def _deck(n: Numbers, cards: int) -> Finding:
    game = _game(cards, 2)
    v = n.at(n=cards, m=(2 * cards + 2) % 9, r=cards % 9)
    worth = Fraction(1, 9) - v[f"d{cards % 9}"] / (cards * (cards - 1))
    return nash(game, with_numbers(game, {symbol: v[symbol] for symbol in "wbC"}, printed=1), worth=worth)


def _any_deck(n: Numbers, left: int) -> Finding:
    """A deck of 18j + `left` cards; if w or twice C is odd, one card bluffs or calls half of the time."""
    odd, half = (2 * left + 2) // 9 % 2, (left - 1 - left // 9) % 2
    calls, bluffs = f"(C - {half}/2)", f"(b - {odd}/2)"
    groups = [("w", ("1", "1")), (f"{calls} - w", ("0", "1")), *[("1", ("0", "1/2"))] * half]
    groups += [
        (f"n - {calls} - {half} - {odd} - {bluffs}", ("0", "0")),
        *[("1", ("1/2", "0"))] * odd,
        (bluffs, ("1", "0")),
    ]
    deck = {
        "game": "sized_von_neumann(sizes=[2])",
        "groups": groups,
        "cards": "n",
        "value": f"1/9 - d{left % 9}/(n*(n - 1))",
    }
    told = {"n": f"18*j + {left}", "m": str((2 * left + 2) % 9), "r": str(left % 9)}
    return stated(n, ["j >= 1"], deck=deck, let=told, counts=["j"]).part(f"left = {left}")


def converges(n: Numbers) -> Finding:
    """Check the printed `gap`: with n cards and bet 2 von Neumann's game is worth between 1/9 - gap and 1/9, and 1/9 - gap if n = 3."""
    where = region("n, d", "n >= 2", "d >= 0", "3*d <= 2")
    cards, d = where.values()
    found = true_for(
        where, lambda: bool(d / (cards * (cards - 1)) <= n.at(n=cards)["gap"]), "the gap to 1/9 is at most as printed"
    )
    sharp = equal({"gap": Fraction(1, 9) - solve_lp(_game(3, 2))[0]}, {"gap": n.at(n=3)["gap"]}, _game(3, 2))
    return found.only_if(sharp)


def decks_with_the_best_bet_sizes(n: Numbers, sizes: Sequence[str]) -> Finding:
    """Check the exact values of Newman's game with these bet `sizes` and several decks, by equilibria from linear programming."""
    found = []
    for name in n:
        game = _game(int(name.split()[0]), *sizes)
        found.append(nash(game, solve_lp(game)[1].plan(), worth=n[name]))
    return together(found)
