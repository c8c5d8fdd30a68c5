"""Hold'em on the turn: four cards on the table, betting, the river card, and betting again; any two ranges."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from relance.envs.river import Betting, Sizes, hole_cards, spot_name
from relance.model.blueprint import Blueprint, Parameters, Source
from relance.model.numbers import Number
from relance.model.parameters import ALL_IN, Chips, PotShares, WholeNumber
from relance.model.playing_cards.hole_deal import HoleDeal
from relance.model.playing_cards.parameters import BoardCards, Ranges
from relance.model.tree import BettingTree, Decision, Node, reveal, showdown

MOST_TERMINALS = 100_000
"""A tree with more terminal nodes than this, over all river cards, is refused, because it would take too much time and memory."""


def turn(
    board: str,
    ranges: tuple[str, str],
    pot: Number,
    stack: Number,
    bets: Sizes,
    river_bets: Sizes,
    raises: int,
) -> tuple[BettingTree, HoleDeal]:
    """Return the betting tree and the deal of hold'em on the turn.

    Rules:
        Four cards lie on the table. Each player holds two more, drawn from their range by weight; no card is in both hands.
        Each has put half of `pot` into it and has `stack` chips left. The players bet as in `river`, with sizes of `bets`. Then one of
        the other 44 cards turns up, each as likely, and they bet again, with sizes of `river_bets`; player 0 acts first. In each of the
        two rounds there are at most `raises` raises. A bet or raise of all the chips left, or more, is all-in; if it is called before
        the last card, that card turns up and nobody bets. At the end the best five of seven cards win the pot.
    """
    Betting(pot, stack, bets, raises).check_bets()
    deal = hole_cards(board, ranges, 4)
    cards, streets = tuple(deal.events), (bets, river_bets)
    root = first_decision(pot, stack, streets, raises, cards)
    if root is None:
        fewer = (
            f"raises={k} would do" for k in range(raises - 1, -1, -1) if first_decision(pot, stack, streets, k, cards)
        )
        raise ValueError(
            f"bets={len(bets)} sizes, river_bets={len(river_bets)} and raises={raises} lead to more than {MOST_TERMINALS:,} terminal nodes "
            f"on {len(cards)} river cards; {next(fewer, 'allow fewer sizes')}"
        )
    return BettingTree(root), deal


def first_decision(
    pot: Number, stack: Number, streets: tuple[Sizes, Sizes], raises: int, cards: Sequence[str]
) -> Decision | None:
    """Return the first decision; None if there are more than `MOST_TERMINALS` terminal nodes. All river cards lead to one node."""
    terminals = 0

    rivers: dict[Number, tuple[Node, int]] = {stack: (showdown(pot / 2 + stack), 1)}

    def turn_up(level: Number) -> Node:
        nonlocal terminals
        if level not in rivers:
            betting = Betting(pot + 2 * level, stack - level, streets[1], raises)
            rivers[level] = betting.root(), betting.terminals
        below, number = rivers[level]
        terminals += number * len(cards)
        if terminals > MOST_TERMINALS:
            raise _TooManyError
        return reveal(**dict.fromkeys(cards, below))

    try:
        return Betting(pot, stack, streets[0], raises, turn_up).root()
    except _TooManyError:
        return None


class _TooManyError(Exception):
    """There are more than `MOST_TERMINALS` terminal nodes."""


def _short(parameters: Parameters) -> str:
    return spot_name(TURN, parameters)


TURN = Blueprint(
    name="turn",
    title="Hold'em on the turn",
    result="Betting with real hold'em hands, four cards on the table and a last one to come. There are two rounds of betting, solved by "
    "`relance.solve` for any ranges, up to all 1,128 hands each.",
    source=Source("relance", "Relance", "Hold'em on the turn", 2026, "docs/turn.md"),
    parameters={
        "board": BoardCards("Ks9d7h4c", "the four cards on the table", 4),
        "ranges": Ranges(("AdAc;Qs8s", "KcJc;TsTd"), "the hands that each player may hold, with their weights"),
        "pot": Chips(Fraction(2), "chips in the pot, half of them from each player"),
        "stack": Chips(Fraction(2), "chips that each player has left"),
        "bets": PotShares(
            (Fraction(1),),
            f"sizes of bets and raises before the last card as shares of the pot; {ALL_IN} may be the last",
        ),
        "river_bets": PotShares((Fraction(1),), "the same after the last card; a size beyond the stack is all-in"),
        "raises": WholeNumber(0, "how many raises are allowed in each round", most=20),
    },
    build=turn,
    short=_short,
    samples=[
        {},
        {
            "board": "8h7h6c2c",
            "ranges": ["Th9c:1/2;AhKh", "8d8c;AhQh"],
            "stack": 3,
            "bets": [ALL_IN],
            "river_bets": ["1/2", ALL_IN],
        },
    ],
)
