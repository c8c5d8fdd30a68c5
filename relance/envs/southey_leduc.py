"""Leduc hold'em, the small poker game that most work on learning uses: a card each, and one that turns up between two rounds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np

from relance.model.blueprint import Blueprint, Parameters, Printed, Source
from relance.model.deal import FiniteDeal
from relance.model.matrix_deal import MatrixDeal
from relance.model.numbers import Number
from relance.model.parameters import ANTE, Bets, Flag, WholeNumber
from relance.model.profile_file import read_file
from relance.model.tree import BettingTree, Decision, Leaf, Node, decision, reveal, showdown

RANKS, SUITS = "23456789TJQKA", "shdc"

EQUILIBRIUM = Path(__file__).with_name("southey_leduc.json")
"""An exact equilibrium of the usual game, as `relance.solve` finds it."""


def leduc(
    ante: Number, ranks: int, suits: int, bets: Sequence[Number], raises: int, merge_suits: bool
) -> tuple[BettingTree, FiniteDeal]:
    """Leduc hold'em.

    Rules:
        Each player antes `ante` chips and gets one card of a deck with `ranks` ranks in `suits` suits.
        In each of two rounds player 0 acts first. A player may check or bet; who faces a bet folds, calls or raises. All bets and raises
        of the first round are of the first of `bets`, those of the second round of the second; at most `raises` of them in a round.
        Between the rounds a card of the rest of the deck turns up. At the end a player whose card has its rank wins; otherwise the
        higher rank wins, and equal ranks tie.
        Suits never matter. With `merge_suits` cards of one rank are one hand; otherwise each card is its own, as in OpenSpiel's game.
    """
    if len(bets) != 2:
        raise ValueError(f"bets has {len(bets)} numbers; it must have 2, one for each round")
    if ranks * suits < 3:
        raise ValueError(f"ranks={ranks} and suits={suits} make {ranks * suits} cards; at least 3 are needed")
    deal = _deal(ranks, suits, merge_suits)

    def turn_up(matched: Number) -> Node:
        return reveal(**dict.fromkeys(deal.events, _round(matched, bets[1], raises, showdown)))

    return BettingTree(_round(ante, bets[0], raises, turn_up)), deal


def _round(matched: Number, bet: Number, raises: int, after: Callable[[Number], Node]) -> Decision:
    """A round of betting: before it each player has put in `matched` chips. `after` makes what follows from what each has put in then."""

    def facing(player: int, matched: Number, left: int) -> Decision:
        children: dict[str, Node] = {
            "fold": Leaf(matched if player == 1 else -matched),
            "call": after(matched + bet),
        }
        if left:
            children["raise"] = facing(1 - player, matched + bet, left - 1)
        return decision(player, **children)

    answer = decision(1, check=after(matched), bet=facing(0, matched, raises - 1))
    return decision(0, check=answer, bet=facing(1, matched, raises - 1))


def _deal(ranks: int, suits: int, merge_suits: bool) -> MatrixDeal:
    """One card each, and the deal after each card that turns up."""
    names = list(RANKS[-ranks - (ranks < len(RANKS)) :][:ranks])  # an ace only where all ranks are there
    hands = names if merge_suits else [rank + suit for rank in names for suit in SUITS[:suits]]
    rank, copies = [names.index(hand[0]) for hand in hands], suits if merge_suits else 1
    every = range(len(hands))
    pairs = [[copies * (copies - (h == k)) for k in every] for h in every]
    size = ranks * suits

    def law(weights: Sequence[Sequence[int]], total: int, shown: int | None) -> MatrixDeal:
        strength = [len(names) if shown is not None and rank[h] == rank[shown] else rank[h] for h in every]
        edge = [[(strength[h] > strength[k]) - (strength[h] < strength[k]) for k in every] for h in every]
        joint = [[Fraction(weight, total) for weight in row] for row in weights]
        return MatrixDeal((hands, hands), np.array(joint, object), np.array(edge, object))

    after = {
        hand: [[pairs[h][k] * (copies - (e == h) - (e == k)) for k in every] for h in every]
        for e, hand in enumerate(hands)
    }
    total = size * (size - 1)
    deal = law(pairs, total, None)
    deal.words = (
        f"Each player is dealt one card of a deck of {size}, which has {suits} of each of the ranks {', '.join(names)}, lowest first. "
        "After the first round of betting one more card of the deck turns up. When hands are compared, a player whose card has the rank "
        "of that card wins; otherwise the higher rank wins, and equal ranks tie."
    )
    return deal.with_events({hand: law(after[hand], total * (size - 2), e) for e, hand in enumerate(hands)})


def _unusual(parameters: Parameters) -> str | None:
    """Why the equilibrium is not one of this game; None if it is."""
    ante, bets = parameters["ante"], parameters["bets"]
    cards = [parameters[name] for name in ("ranks", "suits", "raises", "merge_suits")]
    usual = cards == [3, 2, 2, True] and bets == (2 * ante, 4 * ante)
    return None if usual else "it is for ranks=3, suits=2, raises=2, bets of 2 and 4 antes, and merge_suits=true"


LEDUC = Blueprint(
    name="leduc",
    title="Leduc hold'em",
    short=lambda parameters: f"Leduc hold'em, {parameters['ranks']} ranks",
    result="The usual game, with six cards, is worth -1454920850547486749701863871533/16995463438839962469905132501930 of an ante to "
    "player 0, about -0.0856. Nobody prints an equilibrium; the one here is an exact one that Relance computed.",
    source=Source(
        "southey-2005",
        "F. Southey, M. Bowling, B. Larson, C. Piccione, N. Burch, D. Billings and C. Rayner",
        "Bayes' Bluff: Opponent Modelling in Poker",
        2005,
        "where Leduc hold'em is introduced",
        "Proceedings of the 21st Conference on Uncertainty in Artificial Intelligence (UAI)",
    ),
    parameters={
        "ante": ANTE,
        "ranks": WholeNumber(3, "ranks in the deck", least=2, most=len(RANKS)),
        "suits": WholeNumber(2, "suits in the deck", least=1, most=len(SUITS)),
        "bets": Bets((Fraction(2), Fraction(4)), "chips of each bet and raise in the first and in the second round"),
        "raises": WholeNumber(2, "how many bets and raises are allowed in a round", least=1, most=10),
        "merge_suits": Flag(True, "whether cards of one rank are one hand, since suits never matter"),
    },
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
