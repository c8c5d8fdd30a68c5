"""Von Neumann's poker in which the lower hand may win, after Bernasconi, Lorenz and Spöhel."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from relance.model.blueprint import Blueprint, Printed, Source
from relance.model.deal import Deal
from relance.model.distributions import uniform
from relance.model.numbers import Number, show
from relance.model.parameters import ANTE, Chips, Probability
from relance.model.strategy import Plan
from relance.model.tree import BettingTree, Leaf, decision, showdown

PAPER = Source(
    "bernasconi-2011",
    "N. Bernasconi, J. Lorenz and R. Spöhel",
    "Von Neumann and Newman Poker with a Flip of Hand Values",
    2011,
    "Introduction",
    "Discrete Mathematics",
)
OURS = Source("relance", "Relance", "Von Neumann's poker with a flip of the hands", 2026, "docs/menus.md")


def flipped_von_neumann(ante: Number, bet: Number, flip: Number) -> tuple[BettingTree, Deal]:
    """Return the betting tree and the deal of von Neumann's poker in which the lower hand may win.

    Rules:
        Each player antes `ante` chips and gets a hand, independent and uniform on [0, 1].
        Player 0 checks, which leads to a showdown, or bets `bet` chips. Player 1 then folds or calls, which leads to a showdown.
        In a showdown the lower hand wins with probability `flip`; the mean is paid: the higher hand wins 1 - 2 `flip` of what each put in.
    """
    call = decision(1, fold=Leaf(ante), call=showdown(ante + bet, flip))
    return BettingTree(decision(0, check=showdown(ante, flip), bet=call)), uniform()


def flip_plan(numbers: Mapping[str, Number], tree: BettingTree) -> Plan:
    """Return the plan: player 0 bets hands below `a` and above `b`, and player 1 calls with hands from `c` on."""
    return {"": {"bet": [(0, numbers["a"]), (numbers["b"], 1)]}, "bet": {"call": [(numbers["c"], 1)]}}


FLIPPED_VON_NEUMANN = Blueprint(
    name="flipped_von_neumann",
    title="Von Neumann's poker with a flip of the hands",
    short=lambda parameters: f"Flipped hands, bet {show(parameters['bet'])}, flip {show(parameters['flip'])}",
    result=(
        "Player 0 gains by a higher probability of a flip up to B/(2B + 2), for a bet of B antes, where player 1 no longer dares to fold. "
        "There a bet of the pot wins 1/6 of an ante, and only 1/9 without flips."
    ),
    source=PAPER,
    parameters={
        "ante": ANTE,
        "bet": Chips(Fraction(2), "chips of the bet; twice the ante is the size of the pot"),
        "flip": Probability(Fraction(1, 4), "probability that the lower hand wins", most=Fraction(1, 2)),
    },
    build=flipped_von_neumann,
    symbols={"B": "bet/ante", "q": "flip"},
    printed=[
        Printed(
            source=OURS,
            numbers={
                "f": "1 - 2*q",
                "T": "f*(B + 1) + 1",
                "E": "f*(B + 1) - 1",
                "D": "B*T**2 + E**2",
                "a": "B*E/D",
                "b": "1 - B*T/D",
                "c": "f*B*(E + B*T)/D",
            },
            plan=flip_plan,
            where=["(1 - 2*q)*(B + 1) > 1"],
        ),
        Printed(source=OURS, numbers={"b": "1/2"}, plan=lambda n, tree: flip_plan({**n, "a": 0, "c": 0}, tree)),
    ],
    samples=[{}, {"flip": 0}, {"flip": "1/3"}, {"flip": "2/5"}, {"bet": 1, "ante": 2, "flip": "1/8"}],
)
