"""Checks of claims on five-card hands and on the story of the last raise (Section 6)."""

from __future__ import annotations

from relance.claims.cutler.first_game import ENDLESS
from relance.claims.cutler.opening import opening
from relance.claims.prelude import *
from relance.claims.trace import taken
from relance.model.playing_cards.card_deal import CardDeal
from relance.model.playing_cards.classes import KINDS, deck


def _cards() -> At:
    return At(f"the deck of {deck().size} cards")


def straight_flushes(n: Numbers) -> Finding:
    """Check by counting how many straight flushes beat or equal a five-high straight flush, and how many beat four aces and a six."""
    runs = [frozenset({12, 0, 1, 2, 3}), *(frozenset(range(k, k + 5)) for k in range(9))]
    flushes = [(top, {(rank, suit) for rank in run}) for top, run in enumerate(runs) for suit in range(4)]

    def beating(hand: set[tuple[int, int]], own: int) -> tuple[int, int]:
        left = [top for top, cards in flushes if not cards & hand]
        return sum(top > own for top in left), sum(top == own for top in left)

    low = {(rank, 0) for rank in runs[0]}
    aces = {(12, suit) for suit in range(4)} | {(4, 0)}
    higher, equals = beating(low, 0)
    counts = {"higher": higher, "equal": equals, "beating four aces": sum(beating(aces, -1))}
    return equal({name: Fraction(count) for name, count in counts.items()}, n, _cards())


def kinds(n: Numbers, order: str) -> Finding:
    """Check the number of five-card hands, and that `order` names the kinds of hands from the best, the rarest, to the worst."""
    cards = deck()
    ranked = [item.kind for item in cards.classes]
    rises = all(low <= high for low, high in pairwise(ranked))
    counts = [sum(item.count for item in cards.classes if item.kind == kind) for kind in range(len(KINDS))]
    rarer = all(more > fewer for more, fewer in pairwise(counts))
    named = ", ".join(reversed(KINDS)) == order
    found = {"hands": Fraction(sum(counts)), "classes": Fraction(len(cards.classes))}
    same = equal({name: found[name] for name in n}, n, _cards())
    quads = cards.names[cards.find("QQQQA") + 1] == "KKKK2"
    text = f"{same.evidence}; {len(cards.classes)} classes of equal hands; the next above QQQQA is KKKK2"
    return same.only_if(rises and rarer and named and quads, text)


@unproved("any number of raises")
def half_folded(n: Numbers) -> Finding:
    """Check in pot limit that A, if B raises, folds about half of the hands that A has bet for value, whatever the limit on raises."""
    at = opening()
    calls = lowest(at.game.profile(at.plan).row("bet-raise", "call"))
    share = (calls - at.lines["a"]) / (1 - at.lines["a"])
    last = make("pot_limit", raises=1)
    a, line = last.printed_numbers()[1]["a"], lowest(last.published().row("bet-raise", "call"))
    final = (line - a) / (1 - a) == n["folded"]
    text = f"the share is {show(share)}, exactly {n['folded']} at the last raise, and {float(1 - ENDLESS['beta']):.3f} without end"
    close = true_for(at.where, lambda: bool(0 <= share - n["folded"] <= NEAR), text).only_if(final)
    return replace(close, tolerance=f"{NEAR}")


NEAR = Fraction(1, 38)
"""The error allowed in the share of A's value bets that fold to a raise."""


def parnes(n: Numbers) -> Finding:
    """Check the printed number of kinds of hand, such as flushes, whose lowest hand has a lower edge than the best hand of the kind below.

    The edge of a hand is P(win) - P(loss) in a showdown with five random cards of the other 47.
    """
    cards = deck()
    kinds = [item.kind for item in cards.classes]
    deal, falls = CardDeal(cards), []
    edges = deal.edge(0, deal.constant(1, 1)) / deal.prior(
        0
    )  # of each class, against the other player's possible hands
    for first in map(kinds.index, range(1, len(KINDS))):
        fall = edges[first - 1] - edges[first]
        if fall > 0:
            falls.append(f"{cards.names[first - 1]} to {cards.names[first]} by {float(fall):.2g}")
    same = equal({"falls": Fraction(len(falls))}, n, _cards())
    return same.only_if(True, f"{len(falls)} of {len(KINDS) - 1} changes: {'; '.join(falls)}")


def straights(n: Numbers) -> Finding:
    """Check by the game Basic Endgame how often a raise of 1 into a pot of 28, the printed `odds`, is a bluff, and how often it is called.

    The paper prints that one raise in 29 is a bluff, and that one in 29 is folded to. If the 28 chips do not include the raise, the calls
    are as printed, but one raise in 30 is a bluff. If they include the raise, the bluffs are as printed, but one raise in 28 is folded to.
    """
    shares: dict[str, Number] = {}
    for name, pot in (("before", n["odds"]), ("after", n["odds"] - 1)):
        where = region("P", "0 < P", f"P*({pot} + 2) < {pot} + 1")
        game = make("endgame", p=where["P"], ante=pot / 2, bets=[1])
        profile = game.published()
        bet = taken(game, profile, "", "bet", 0)
        bluffs = (1 - where["P"]) * bet / ((1 - where["P"]) * bet + where["P"])
        call = taken(game, profile, "bet", "call", 0)
        shares |= {f"bluffs, {name}": bluffs, f"calls, {name}": call}
    odds = n["pot"] / n["raise"] == n["odds"]
    exact = odds and shares["calls, before"] == n["calls"] and shares["bluffs, after"] == n["bluffs"]
    close = (
        1 / shares["bluffs, before"] - 1 / n["bluffs"] == 1 / (1 - n["calls"]) - 1 / (1 - shares["calls, after"]) == 1
    )
    text = ", ".join(f"{name} = {show(number)}" for name, number in shares.items())
    return Finding(exact and close, text, (where,), tolerance="odds to within one")
