"""Checks of claims on the hand of stud poker that opens Section 1, and on scaling the stakes."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from typing import Any

from relance.cards.classes import deck
from relance.claims.checks import equal, together, true_for
from relance.claims.endgame.basic import basic, one_bet, payoff_matrix
from relance.claims.finding import At, Finding
from relance.claims.ledger import Numbers
from relance.envs import make
from relance.model.numbers import show
from relance.model.tree import BettingTree, Leaf, decision, showdown
from relance.solvers.exact import nash_conv, value
from relance.solvers.proof import Region, region

MINE, THEIRS = ("5d", "6s", "7d", "8h"), ("2h", "3s", "Ks", "Kc")
"""The face-up cards of players I and II."""


def only_ratio(n: Numbers) -> Finding:
    """With ante and bet k times as large, each payoff of the matrix is k times as large."""
    where = region("P, a, b, k", "0 < P", "P < 1", "a > 0", "b > 0", "k > 0")
    P, a, b, k = where.values()
    games = [make("endgame", p=P, ante=a * scale, bets=[b * scale]) for scale in (Fraction(1), k)]
    small, large = (payoff_matrix(game, ("honest", "bluff"), ("fold", "call")) for game in games)
    same = equal(large, {cell: k * chips for cell, chips in small.items()}, where)
    return same.only_if(True, "with k times the ante and the bet all four payoffs are k times as large" * same.holds)


def stud(n: Numbers) -> Finding:
    """All pairs of hole cards, one by one: the ranks with which player I always, sometimes and never wins."""
    cards = deck()
    left = [name for name in map(cards.card_name, range(cards.size)) if name not in MINE + THEIRS]
    mine, theirs = ({card: cards.classify([*shown, card]) for card in left} for shown in (MINE, THEIRS))
    won: dict[str, set[bool]] = {card: set() for card in left}
    for card, other in permutations(left, 2):
        won[card].add(mine[card] > theirs[other])
    mixed = [card for card, ways in won.items() if len(ways) > 1]
    winners, losers = (
        {cards.card(card) // cards.suits + 2 for card, ways in won.items() if ways == {wins}} for wins in (True, False)
    )
    good = not mixed and winners == {n["low"], n["high"]} and not winners & losers
    count = sum(ways == {True} for ways in won.values())
    text = f"in all {len(left) * (len(left) - 1)} cases; {count} of the {len(left)} unseen cards win"
    return Finding(good, text if not mixed else f"with {mixed} it depends", (At("all hole cards"),))


def check_first(n: Numbers) -> Finding:
    """On either side of the border, NashConv is 0 if player II checks first, and a bet of hers gives player I more."""
    both = together([_check_first(basic(f"P*(2*a + 2*b) {side} 2*a + b")) for side in ("<", ">=")])
    return both.only_if(True, f"NashConv 0; {both.evidence}")


def _check_first(where: Region) -> Finding:
    """Player II checks, and Basic Endgame follows; or she bets b herself, and I calls with winners alone."""
    P, a, b = where.values()
    after = one_bet(where)
    her_bet = decision(0, fold=Leaf(-a), call=showdown(a + b))
    game = replace(after, tree=BettingTree(decision(1, check=after.tree.root, bet=her_bet)))
    profile = after.published()
    plan: dict[str, Any] = {f"check-{name}".strip("-"): rows for name, rows in profile.plan().items()}
    plan |= {"": {"check": 1}, "bet": {"call": [0, 1]}}
    gap = nash_conv(game, game.profile(plan))
    more = P * (a + b) - (1 - P) * a - value(after, profile)
    return true_for(where, lambda: gap == 0 and bool(more > 0), f"a bet costs her {show(more)}")
