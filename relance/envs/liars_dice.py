"""Liar's dice: dice under cups, bids that rise, and a showdown that depends on the last bid."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from math import comb, factorial, prod

import numpy as np

from relance.model.blueprint import Blueprint, Source
from relance.model.deal import FiniteDeal
from relance.model.limits import check_memory
from relance.model.matrix_deal import MatrixDeal
from relance.model.numbers import Number
from relance.model.parameters import ANTE, Flag, WholeNumber
from relance.model.tree import BettingTree, Decision, Leaf, Node, decision
from relance.model.tree_table import BYTES


def liars_dice(ante: Number, dice: int, sides: int, wild: bool) -> tuple[BettingTree, FiniteDeal]:
    """Return the betting tree and the deal of liar's dice with one round of rising bids.

    Rules:
        Each player rolls `dice` dice with `sides` sides under a cup, and sees only their own.
        Player 0 bids that among all dice at least so many show a face: "2x3" is two threes. Player 1 then makes a higher bid, or calls the
        last one a lie, which ends the game; and so on in turn. A bid is higher if it has more dice, or as many and a higher face.
        The player who made the last bid wins `ante` chips from the other if the bid is true, else loses as many. With `wild` the highest
        face counts as every face.
    """
    bids = [(count, face) for count in range(1, 2 * dice + 1) for face in range(1, sides + 1)]
    needed = 2 ** (len(bids) + 1) * (BYTES + 24 * comb(dice + sides - 1, dice))
    check_memory(needed, f"liar's dice with {dice=} and {sides=}, so 2**{len(bids)} decisions,")
    names = [f"{count}x{face}" for count, face in bids]

    @cache
    def after(last: int, player: int) -> Decision:
        """The decision of `player` after the bid with this index; -1 for none."""
        higher: dict[str, Node] = {names[k]: after(k, 1 - player) for k in range(last + 1, len(bids))}
        if last >= 0:
            higher["liar"] = Leaf(0, ante, contest=_contest(names[last], 1 - player))
        return decision(player, **higher)

    return BettingTree(after(-1, 0)), _deal(dice, sides, wild, dict(zip(names, bids, strict=True)))


def _contest(bid: str, player: int) -> str:
    return f"{bid} of player {player}"


def _deal(dice: int, sides: int, wild: bool, bids: dict[str, tuple[int, int]]) -> MatrixDeal:
    """All rolls, and for each bid of each player the contest that decides it."""
    rolls = list(combinations_with_replacement(range(1, sides + 1), dice))
    names = ["".join(map(str, roll)) if sides < 10 else " ".join(map(str, roll)) for roll in rolls]
    ways = [factorial(dice) // prod(map(factorial, Counter(roll).values())) for roll in rolls]
    joint = np.outer(np.array(ways, object), np.array(ways, object)) * Fraction(1, sides ** (2 * dice))

    def showing(roll: tuple[int, ...], face: int) -> int:
        return sum(die == face or (wild and die == sides) for die in roll)

    def distribution(edge: list[list[int]]) -> MatrixDeal:
        return MatrixDeal((names, names), joint, np.array(edge, object))

    contests = {}
    for (name, (count, face)), player in product(bids.items(), (0, 1)):
        shown = [showing(roll, face) for roll in rolls]
        won = [[1 if mine + theirs >= count else -1 for theirs in shown] for mine in shown]
        contests[_contest(name, player)] = distribution([[edge * (1 - 2 * player) for edge in row] for row in won])
    deal = distribution([[0] * len(rolls) for _ in rolls])
    more = f" The face {sides} counts as every face." if wild else ""
    deal.words = (
        f"Each player rolls {dice} {'die' if dice == 1 else 'dice'} with the faces 1 to {sides}, all equally likely, and sees only their "
        f'own; a hand is the faces in order. The bid 2x1 says that at least 2 of all {2 * dice} dice show a 1.{more} After "liar" the '
        "last bid is compared with all dice: the player who made it wins if it is true, and loses if not."
    )
    return deal.with_contests(contests)


LIARS_DICE = Blueprint(
    name="liars_dice",
    title="Liar's dice",
    short=lambda parameters: f"Liar's dice, {parameters['dice']} of {parameters['sides']} sides",
    result="With one die each, player 0 wins 1/2, 1/9, 1/16 or 1/125 of the ante with 2 to 5 sides, and loses about 0.027 with six.",
    source=Source(
        "lisy-2015",
        "V. Lisý, M. Lanctot and M. Bowling",
        "Online Monte Carlo Counterfactual Regret Minimization for Search in Imperfect Information Games",
        2015,
        "the domain Liar's Dice",
        "Proceedings of the 14th International Conference on Autonomous Agents and Multiagent Systems (AAMAS)",
    ),
    parameters={
        "ante": ANTE,
        "dice": WholeNumber(1, "dice of each player", least=1, most=20),
        "sides": WholeNumber(3, "sides of each die; the usual die has 6", least=2, most=20),
        "wild": Flag(True, "whether the highest face counts as every face"),
    },
    build=liars_dice,
    samples=[{}, {"sides": 2, "dice": 2}, {"wild": False, "ante": "1/2"}],
)
