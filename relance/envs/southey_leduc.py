"""Limit poker with one card each: rounds of betting, and between two rounds a card turns up. With two rounds: Leduc hold'em."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb, perm, prod
from pathlib import Path
from typing import Any, cast

import numpy as np

from relance.model.blueprint import Blueprint, Parameters, Printed, Source, counted
from relance.model.deal import FiniteDeal
from relance.model.limits import check_memory
from relance.model.matrix_deal import MatrixDeal
from relance.model.numbers import Number
from relance.model.parameters import ANTE, Bets, Flag, WholeNumber
from relance.model.profile_file import read_file
from relance.model.tree import BettingTree, Decision, Leaf, Node, decision, reveal, showdown

RANKS, SUITS = "23456789TJQKA", "shdc"

TWO_ROUNDS = (
    "After the first round of betting one more card of the deck turns up. At a showdown a player whose card has the rank "
    "of that card wins; otherwise the higher rank wins, and equal ranks tie."
)
ROUNDS = (
    "After each round of betting but the last one more card of the deck turns up. At a showdown each player has their card and "
    "all that turned up, of which the best five count: four of a rank beat three and two, then come three, two pairs, a pair and none. "
    "If both have the same, the ranks decide, first those with more cards. Straights and flushes do not count."
)

EQUILIBRIUM = Path(__file__).with_name("southey_leduc.json")
"""The file of an exact equilibrium of Leduc hold'em with its default parameters, as `relance.solve` finds it."""


def leduc(
    ante: Number, ranks: int, suits: int, bets: Sequence[Number], raises: int, merge_suits: bool
) -> tuple[BettingTree, FiniteDeal]:
    """Return the betting tree and the deal of Leduc hold'em, limit poker with two rounds.

    Rules:
        Each player antes `ante` chips and gets one card of a deck with `ranks` ranks in `suits` suits. In each of two rounds player 0 acts
        first. A player may check or bet; who faces a bet folds, calls or raises. All bets and raises of a round have the size that `bets`
        gives for the round; at most `raises` of them are made in a round. Between the rounds a card of the rest of the deck turns up. At
        the end a player whose card has the rank of that card wins; otherwise the higher rank wins, and equal ranks tie.
        Suits never matter. With `merge_suits` cards of one rank are one hand; otherwise each card is its own, as in OpenSpiel's game.
    """
    if len(bets) != 2:
        raise ValueError(f"bets has {len(bets)} numbers; it must have 2, one for each round")
    return limit_poker(ante, ranks, suits, bets, raises, merge_suits)


def limit_poker(
    ante: Number, ranks: int, suits: int, bets: Sequence[Number], raises: int, merge_suits: bool
) -> tuple[BettingTree, FiniteDeal]:
    """Return the betting tree and the deal of limit poker with one card each.

    Rules:
        Each player antes `ante` chips and gets one card of a deck with `ranks` ranks in `suits` suits.
        There is a round for each of `bets`, the size of all its bets and raises; at most `raises` of them are made, and player 0 acts
        first. A player may check or bet; who faces a bet folds, calls or raises.
        Between two rounds a card of the rest of the deck turns up. At the end each player has their card and all that turned up, of which
        the best five count: four of a rank beat three and two, then come three, two pairs, a pair and none. If both have the same, the
        ranks decide, first those with more cards. Straights and flushes do not count.
        Suits never matter. With `merge_suits` cards of one rank are one hand; otherwise each card is its own, as in OpenSpiel's game.
    """
    if (size := ranks * suits) <= (rounds := len(bets)):
        raise ValueError(f"ranks={ranks} and suits={suits} make {size} cards; at least {rounds + 1} are needed")
    names = list(RANKS[-ranks - (ranks < len(RANKS)) :][:ranks])  # an ace only where all ranks are there
    hands = names if merge_suits else [rank + suit for rank in names for suit in SUITS[:suits]]
    copies = suits if merge_suits else 1
    deal = _deal(hands, copies, rounds - 1)
    deal.words = (
        f"Each player is dealt one card of a deck of {size}, which has {suits} of each of the ranks {', '.join(names)}, lowest first. "
        f"{TWO_ROUNDS if rounds == 2 else ROUNDS}"
    )

    @cache
    def begin(number: int, matched: Number, left: tuple[int, ...]) -> Decision:
        """A round, before which each put in `matched` chips; `left`: how many of each card may turn up, at most as many as rounds come."""
        to_come = rounds - 1 - number
        some = [k for k, n in enumerate(left) if n]
        fewer = {k: tuple(min(n - (i == k), to_come - 1) for i, n in enumerate(left)) for k in some}

        def after(matched: Any) -> Node:
            if not to_come:
                return showdown(matched)
            return reveal(**{hands[k]: begin(number + 1, matched, fewer[k]) for k in some})

        def facing(player: int, matched: Number, raises: int) -> Decision:
            call = matched + bets[number]
            further = {"raise": facing(1 - player, call, raises - 1)} if raises else {}
            return decision(player, fold=Leaf(matched if player == 1 else -matched), call=after(call), **further)

        answer = decision(1, check=after(matched), bet=facing(0, matched, raises - 1))
        return decision(0, check=answer, bet=facing(1, matched, raises - 1))

    return BettingTree(begin(0, cast("Any", ante), (min(copies, rounds - 1),) * len(hands))), deal


def _deal(hands: Sequence[str], copies: int, most: int) -> MatrixDeal:
    """One card each of a deck with so many copies of each hand, and the deal after any cards that turn up, at most `most`."""
    every, distributions = range(len(hands)), sum(comb(len(hands) + (k - 1) * (copies > 1), k) for k in range(most + 1))
    needed = 250 * distributions * len(hands) ** 2  # about 250 bytes for a pair of hands
    check_memory(needed, f"a deck of {len(hands)} hands with up to {most} public cards")

    @cache
    def distribution(shown: tuple[int, ...]) -> MatrixDeal:
        """After these cards, ascending: in any order they are as likely."""
        left = [copies - shown.count(hand) for hand in every]
        ways, of = prod(perm(copies, copies - n) for n in left), perm(copies * len(hands), len(shown) + 2)
        joint = [[Fraction(ways * left[h] * (left[k] - (h == k)), of) for k in every] for h in every]
        strength = [_strength([RANKS.index(hands[card][0]) for card in (hand, *shown)]) for hand in every]
        edge = [[(mine > theirs) - (mine < theirs) for theirs in strength] for mine in strength]
        deal = MatrixDeal((hands, hands), np.array(joint, object), np.array(edge, object))
        further = [card for card in every if left[card] and len(shown) < most]
        return deal.with_events({hands[card]: distribution(tuple(sorted((*shown, card)))) for card in further})

    return distribution(())


def _strength(ranks: Sequence[int]) -> tuple[list[int], list[int]]:
    """How good the best five of these cards are, for comparison: how many there are of each rank, most first, then these ranks."""
    fives = map(Counter, combinations(ranks, min(5, len(ranks))))
    ordered = (sorted(((n, rank) for rank, n in five.items()), reverse=True) for five in fives)
    return max(([n for n, _ in five], [rank for _, rank in five]) for five in ordered)


def _unusual(parameters: Parameters) -> str | None:
    """Why the equilibrium is not one of this game; None if it is."""
    ante, bets = parameters["ante"], parameters["bets"]
    cards = [parameters[name] for name in ("ranks", "suits", "raises", "merge_suits")]
    usual = cards == [3, 2, 2, True] and bets == (2 * ante, 4 * ante)
    return None if usual else "one is published for ranks=3, suits=2, raises=2, bets of 2 and 4 antes, merge_suits=true"


PARAMETERS: dict[str, Any] = {
    "ante": ANTE,
    "ranks": WholeNumber(3, "ranks in the deck", least=2, most=len(RANKS)),
    "suits": WholeNumber(2, "suits in the deck", least=1, most=len(SUITS)),
    "bets": Bets((Fraction(2), Fraction(4)), "chips of each bet and raise in the first and in the second round"),
    "raises": WholeNumber(2, "how many bets and raises are allowed in a round", least=1, most=10),
    "merge_suits": Flag(True, "whether cards of one rank are one hand, since suits never matter"),
}

LEDUC = Blueprint(
    name="leduc",
    title="Leduc hold'em",
    short=lambda parameters: f"Leduc hold'em, {parameters['ranks']} ranks",
    result="The usual game, with six cards, is worth about -0.0856 of an ante to player 0. Exactly, that is "
    "-1454920850547486749701863871533/16995463438839962469905132501930. Nobody prints an equilibrium; Relance computed this one, exactly.",
    source=Source(
        "southey-2005",
        "F. Southey, M. Bowling, B. Larson, C. Piccione, N. Burch, D. Billings and C. Rayner",
        "Bayes' Bluff: Opponent Modelling in Poker",
        2005,
        "where Leduc hold'em is introduced",
        "Proceedings of the 21st Conference on Uncertainty in Artificial Intelligence (UAI)",
    ),
    parameters=PARAMETERS,
    aliases={"leduc_poker": {}, "leduc_holdem": {}},
    build=leduc,
    printed=[
        Printed(
            source=Source("relance", "Relance", "An exact equilibrium of Leduc hold'em", 2026, "docs/games/leduc.md"),
            numbers={},
            plan=lambda numbers, tree: read_file(EQUILIBRIUM).plan or {},
            refuses=_unusual,
        )
    ],
    samples=[
        {},
        {"ranks": 2, "bets": [1, 3], "raises": 1, "merge_suits": False},
        {"suits": 1, "ante": "1/2", "raises": 1},
        {"ranks": 4, "suits": 3, "raises": 1},
    ],
)

LIMIT_POKER = Blueprint(
    name="limit_poker",
    title="Limit poker with one card each",
    short=lambda parameters: f"Limit poker, {counted(len(parameters['bets']), 'round')}, {parameters['ranks']} ranks",
    result="Three rounds with three cards of each of two ranks, and one bet in each round, cost player 0 1/320 of an ante a hand.",
    source=Source("relance", "Relance", "Limit poker with one card each", 2026, "docs/games/limit_poker.md"),
    related=[LEDUC.source],
    parameters=PARAMETERS
    | {name: replace(PARAMETERS[name], default=n) for name, n in (("ranks", 2), ("suits", 3), ("raises", 1))}
    | {"bets": Bets((Fraction(2), Fraction(4), Fraction(4)), "chips of each bet and raise, one number for each round")},
    build=limit_poker,
    samples=[{}, {"suits": 2, "bets": [1, 2, 3], "merge_suits": False}, {"ranks": 4, "bets": [1], "raises": 3}],
)
