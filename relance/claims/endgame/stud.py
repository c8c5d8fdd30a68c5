"""Checks of claims on the hand of stud poker that opens Section 1, and on scaling the stakes."""

from __future__ import annotations

from itertools import permutations

from relance.claims.endgame.basic import one_bet, payoff_matrix
from relance.claims.prelude import *
from relance.model.playing_cards.classes import deck
from relance.model.tree import decision

MINE, THEIRS = ("5d", "6s", "7d", "8h"), ("2h", "3s", "Ks", "Kc")
"""The face-up cards of players I and II."""


def only_ratio(n: Numbers, power: int = 1) -> Finding:
    """Check that k times the ante and bet of Basic Endgame make each payoff of the matrix k**power times as large."""
    where = region("P, a, b, k", "0 <= P <= 1", "a > 0", "b > 0", "k > 0")
    P, a, b, k = where.values()
    games = [make("endgame", p=P, ante=a * scale, bets=[b * scale]) for scale in (Fraction(1), k)]
    small, large = (payoff_matrix(game, ("honest", "bluff"), ("fold", "call")) for game in games)
    same = equal(large, {cell: k**power * chips for cell, chips in small.items()}, where)
    return same.saying("with k times the ante and the bet all four payoffs are k times as large")


def stud(n: Numbers) -> Finding:
    """Check in the paper's hand of stud that player I wins if his hole card has one of the printed ranks, and else never wins."""
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
    return Finding(
        good,
        text if not mixed else f"with {mixed} it depends",
        (At(f"all {len(left) * (len(left) - 1)} pairs of hole cards"),),
    )


def hidden_card(n: Numbers) -> Finding:
    """Check player I's probability of winning as player II sees it: the share of unseen cards that win for player I."""
    cards = deck()
    unseen = {name for name in map(cards.card_name, range(cards.size)) if name not in MINE + THEIRS}
    shares: dict[str, set[Fraction]] = {"with one": set(), "without": set()}
    for theirs in unseen:
        hand = cards.classify([*THEIRS, theirs])
        left = unseen - {theirs}
        share = Fraction(sum(cards.classify([*MINE, mine]) > hand for mine in left), len(left))
        shares["with one" if theirs[0] in "49" else "without"].add(share)
    found = {case: max(share) for case, share in shares.items()}
    return equal(found, n, At(f"all {len(unseen)} hole cards of player II")).only_if(
        all(len(share) == 1 for share in shares.values())
    )


@unproved("any bets allowed")
def check_first(n: Numbers, raising: bool = True) -> Finding:
    """Check in the stud hand that player II, who shows the only pair, never earns more by a bet of c than by a check.

    After a check player I bets b with all winners and some losers or, if P >= (2a + b)/(2a + 2b), with every hand. P is the probability
    that player I has a winner, and a is the ante. Player I answers a bet of player II by a raise to b or more, with the hands that would
    bet b after a check. If `raising` is False, player I only calls, with winners. The statement is then false, as by a small bet player II
    avoids the larger bet b.
    """
    pairs = [len({card[0] for card in shown}) < len(shown) for shown in (MINE, THEIRS)]
    both = together([_check_first(region("P, a, b, c, r", *OWN_BET, side), raising).part() for side in SIDES])
    return both.only_if(pairs == [False, True])


OWN_BET = ("0 < P", "P < 1", "a > 0", "b > 0", "c > 0", "r >= 0", "c + r >= b")
"""The conditions on a bet of c by player II, and a raise by r of player I."""
SIDES = ("P*(2*a + 2*b) < 2*a + b", "P*(2*a + 2*b) >= 2*a + b")


def _check_first(where: Region, raising: bool) -> Finding:
    """Check that player II loses at least as much by a bet of c as by a check, which leads to Basic Endgame; see `check_first`."""
    a, c, r = (where[name] for name in "acr")
    after = one_bet(where)
    profile = after.published()
    raised = decision(1, fold=Leaf(a + c), call=showdown(a + c + r))
    her_bet = replace(after, tree=BettingTree(decision(0, fold=Leaf(-a), call=showdown(a + c), **{"raise": raised})))
    answer: dict[str, Any] = (
        {"raise": profile.plan()[""]["bet"], "call": 0} if raising else {"call": [0, 1], "raise": 0}
    )
    more = [
        play_value(her_bet, {"": answer, "raise": {reply: 1}}) - play_value(after, profile)
        for reply in ("fold", "call")
    ]
    text = f"a bet costs II {' or '.join(map(show, more))}, as II folds or calls"
    costs = true_for(where, lambda: all(bool(chips >= 0) for chips in more), text)
    return together([nash(after, profile.plan(), where), costs])
