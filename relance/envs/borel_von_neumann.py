"""The continuous models of Borel and von Neumann, after Ferguson and Ferguson."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from relance.model.blueprint import Blueprint, Parameter, Printed, Source
from relance.model.deal import Deal
from relance.model.laws import uniform
from relance.model.numbers import Number
from relance.model.strategy import Plan
from relance.model.tree import BettingTree, Leaf, decision, facing_a_bet, showdown


def _paper(where: str) -> Source:
    return Source(
        "borel-von-neumann", "C. Ferguson and T. S. Ferguson", "On the Borel and von Neumann Poker Models", 2003, where
    )


_ANTE_AND_BET = {
    "ante": Parameter(Fraction(1), "chips", "chips that each player puts into the pot first"),
    "bet": Parameter(Fraction(2), "chips", "chips of the bet; twice the ante is the size of the pot"),
}

_BETS: list[dict[str, object]] = [{"bet": 1}, {"bet": 2}, {"bet": "3/2"}]


def la_relance(ante: Number, bet: Number) -> tuple[BettingTree, Deal]:
    """La Relance of Borel.

    Rules:
        Each player antes `ante` chips and gets a hand, independent and uniform on [0, 1].
        Player 0 folds, losing his ante, or bets `bet` chips. Player 1 then folds or calls.
        After a call the higher hand wins the pot.
    """
    return BettingTree(decision(0, fold=Leaf(-ante), bet=facing_a_bet(1, ante, [bet]))), uniform()


def von_neumann(ante: Number, bet: Number) -> tuple[BettingTree, Deal]:
    """Von Neumann's poker.

    Rules:
        Each player antes `ante` chips and gets a hand, independent and uniform on [0, 1].
        Player 0 checks, and the higher hand wins the antes, or bets `bet` chips. Player 1 then folds or calls.
        After a call the higher hand wins the pot.
    """
    return BettingTree(decision(0, check=showdown(ante), bet=facing_a_bet(1, ante, [bet]))), uniform()


def _la_relance_plan(numbers: Mapping[str, Number], tree: BettingTree) -> Plan:
    return {"": {"bet": [(numbers["l"], 1)]}, "bet": {"call": [(numbers["c"], 1)]}}


def _von_neumann_plan(numbers: Mapping[str, Number], tree: BettingTree) -> Plan:
    return {"": {"bet": [(0, numbers["a"]), (numbers["b"], 1)]}, "bet": {"call": [(numbers["c"], 1)]}}


LA_RELANCE = Blueprint(
    name="la_relance",
    title="La Relance of Borel",
    source=_paper("Section 2"),
    parameters=_ANTE_AND_BET,
    build=la_relance,
    letters={"B": "bet/ante"},
    printed=[Printed(source=_paper("Theorem 1"), numbers={"c": "B/(B + 2)", "l": "c**2"}, plan=_la_relance_plan)],
    samples=_BETS,
)

VON_NEUMANN = Blueprint(
    name="von_neumann",
    title="Von Neumann's poker",
    source=_paper("Section 3"),
    parameters=_ANTE_AND_BET,
    build=von_neumann,
    letters={"B": "bet/ante"},
    printed=[
        Printed(
            source=_paper("Theorem 2"),
            numbers={
                "a": "B/((B + 1)*(B + 4))",
                "b": "(B**2 + 4*B + 2)/((B + 1)*(B + 4))",
                "c": "B*(B + 3)/((B + 1)*(B + 4))",
            },
            plan=_von_neumann_plan,
        )
    ],
    samples=_BETS,
)
