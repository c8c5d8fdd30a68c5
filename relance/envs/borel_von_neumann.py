"""The continuous models of Borel and von Neumann, and the bridge between them, after Ferguson and Ferguson."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from relance.envs.borel_general import solved
from relance.model.blueprint import Blueprint, Parameter, Printed, Source
from relance.model.deal import Deal
from relance.model.laws import law, uniform
from relance.model.numbers import Number
from relance.model.strategy import Plan
from relance.model.tree import BettingTree, Leaf, decision, facing_a_bet, showdown


def _paper(where: str) -> Source:
    return Source(
        "borel-von-neumann", "C. Ferguson and T. S. Ferguson", "On the Borel and von Neumann Poker Models", 2003, where
    )


_ANTE = Parameter(Fraction(1), "chips", "chips that each player puts into the pot first")
_PARAMETERS = {
    "ante": _ANTE,
    "bet": Parameter(Fraction(2), "chips", "chips of the bet; twice the ante is the size of the pot"),
    "deal": Parameter("uniform", "law", "the law of the hands: uniform, power:2:1, atoms:1/4, fgm:-1/2, normal:-3/5"),
}
_SAMPLES: list[dict[str, object]] = [{"bet": 1}, {"bet": 2}, {"bet": "3/2"}]
ROUNDED = Fraction(1, 10**9)
"""The most NashConv, in antes, that thresholds solved in floats have on [0, 1]; it is the square of their error, 10^-20 or so."""

_LAWS = ("power:2:1", "atoms:1/4", "fgm:-1/2")


def la_relance(ante: Number, bet: Number, deal: str) -> tuple[BettingTree, Deal]:
    """La Relance of Borel.

    Rules:
        Each player antes `ante` chips and gets a hand on [0, 1], independent and uniform unless `deal` says otherwise.
        Player 0 folds, losing his ante, or bets `bet` chips. Player 1 then folds or calls.
        After a call the higher hand wins the pot.
    """
    return BettingTree(decision(0, fold=Leaf(-ante), bet=facing_a_bet(1, ante, [bet]))), law(deal)


def von_neumann(ante: Number, bet: Number, deal: str) -> tuple[BettingTree, Deal]:
    """Von Neumann's poker.

    Rules:
        Each player antes `ante` chips and gets a hand on [0, 1], independent and uniform unless `deal` says otherwise.
        Player 0 checks, and the higher hand wins the antes, or bets `bet` chips. Player 1 then folds or calls.
        After a call the higher hand wins the pot.
    """
    return BettingTree(decision(0, check=showdown(ante), bet=facing_a_bet(1, ante, [bet]))), law(deal)


def bellman_blackwell(ante: Number, low: Number, high: Number) -> tuple[BettingTree, Deal]:
    """The model of Bellman and Blackwell, a bridge from Borel to von Neumann.

    Rules:
        Each player antes `ante` chips and gets a hand, independent and uniform on [0, 1].
        Player 0 folds, losing his ante, or bets `low` or `high` chips. Player 1 then folds or calls.
        After a call the higher hand wins the pot. With low = high this is La Relance, with low = 0 von Neumann's poker.
    """
    if not low <= high:
        raise ValueError(f"low={low} must be at most high={high}")
    answers = {"low": facing_a_bet(1, ante, [low]), "high": facing_a_bet(1, ante, [high])}
    return BettingTree(decision(0, fold=Leaf(-ante), **answers)), uniform()


def _la_relance_plan(numbers: Mapping[str, Number], tree: BettingTree) -> Plan:
    return {"": {"bet": [(numbers["l"], 1)]}, "bet": {"call": [(numbers["c"], 1)]}}


def _von_neumann_plan(numbers: Mapping[str, Number], tree: BettingTree) -> Plan:
    return {"": {"bet": [(0, numbers["a"]), (numbers["b"], 1)]}, "bet": {"call": [(numbers["c"], 1)]}}


def _bellman_plan(numbers: Mapping[str, Number], tree: BettingTree) -> Plan:
    return {
        "": {
            "high": [(numbers["fold"], numbers["lowest"]), (numbers["b3"], 1)],
            "low": [(numbers["lowest"], numbers["b3"])],
        },
        "low": {"call": [(numbers["b1"], 1)]},
        "high": {"call": [(numbers["b2"], 1)]},
    }


def _only(kind: str) -> Callable[[Mapping[str, Any]], str | None]:
    """Refuse any other kind of law."""
    return lambda parameters: None if _kind(parameters) == kind else f"not this for deal={parameters['deal']}"


def _kind(parameters: Mapping[str, Any]) -> str:
    return str(parameters["deal"]).partition(":")[0]


def _bet(parameters: Mapping[str, Any]) -> Any:
    return parameters["bet"] / parameters["ante"]


def _general(game: str, kind: str, where: str) -> Printed:
    """The strategies that solve the paper's indifference equations for a law of this kind, where they have a solution."""

    def refuses(parameters: Mapping[str, Any]) -> str | None:
        if _kind(parameters) != kind:
            return f"not this for deal={parameters['deal']}"
        if kind in ("fgm", "normal") and Fraction(parameters["deal"].partition(":")[2]) > 0:
            return f"deal={parameters['deal']}: the paper solves negative dependence only"
        if solved(game, parameters["deal"], _bet(parameters)) is None:
            return f"deal={parameters['deal']}: the paper's form of strategies does not satisfy its own inequalities"
        return None

    def numbers(parameters: Mapping[str, Any]) -> Mapping[str, str]:
        return solved(game, parameters["deal"], _bet(parameters)) or {}

    plan = _la_relance_plan if game == "la_relance" else _von_neumann_plan
    return Printed(source=_paper(where), numbers=numbers, plan=plan, refuses=refuses, precision=ROUNDED)


def _often_high(parameters: Mapping[str, Any]) -> bool:
    """Whether player 0 has the winning point mass so often that he always bets: at least (B + 2)/(2B + 2)."""
    high, B = Fraction(parameters["deal"].partition(":")[2]), _bet(parameters)
    return bool(high >= (B + 2) / (2 * B + 2))


def _atoms_numbers(parameters: Mapping[str, Any]) -> dict[str, str]:
    """The point masses of Section 5.3: how often a losing hand bets (pi1), and how often player II folds."""
    if _often_high(parameters):
        return {"pi1": "1", "fold": "1"}
    high = parameters["deal"].partition(":")[2]
    return {"pi1": f"B/(B + 2)*{high}/(1 - {high})", "fold": "B/(B + 2)"}


def _atoms_plan(numbers: Mapping[str, Number], tree: BettingTree) -> Plan:
    third, two = Fraction(1, 3), Fraction(2, 3)  # the losing mass lies below 1/3 and the winning one above 2/3
    return {"": {"bet": [(0, third, numbers["pi1"]), (two, 1)]}, "bet": {"fold": numbers["fold"]}}


_LETTERS = {"B": "bet/ante"}

LA_RELANCE = Blueprint(
    name="la_relance",
    title="La Relance of Borel",
    source=_paper("Section 2"),
    parameters=_PARAMETERS,
    build=la_relance,
    letters=_LETTERS,
    printed=[
        Printed(
            source=_paper("Theorem 1"),
            numbers={"c": "B/(B + 2)", "l": "c**2"},
            plan=_la_relance_plan,
            refuses=_only("uniform"),
        ),
        Printed(source=_paper("Section 5.1"), numbers=_atoms_numbers, plan=_atoms_plan, refuses=_only("atoms")),
        _general("la_relance", "power", "Section 5.1, (17), (19)"),
        _general("la_relance", "fgm", "Section 5.2, Theorem 3"),
        _general("la_relance", "normal", "Section 5.2, Theorem 3"),
    ],
    samples=[*_SAMPLES, *({"deal": law} for law in (*_LAWS, "power:1:2", "atoms:4/5"))],
)

VON_NEUMANN = Blueprint(
    name="von_neumann",
    title="Von Neumann's poker",
    source=_paper("Section 3"),
    parameters=_PARAMETERS,
    build=von_neumann,
    letters=_LETTERS,
    printed=[
        Printed(
            source=_paper("Theorem 2"),
            numbers={
                "a": "B/((B + 1)*(B + 4))",
                "b": "(B**2 + 4*B + 2)/((B + 1)*(B + 4))",
                "c": "B*(B + 3)/((B + 1)*(B + 4))",
            },
            plan=_von_neumann_plan,
            refuses=_only("uniform"),
        ),
        Printed(source=_paper("Section 5.3"), numbers=_atoms_numbers, plan=_atoms_plan, refuses=_only("atoms")),
        _general("von_neumann", "power", "Section 5.3, (26)"),
        _general("von_neumann", "fgm", "Section 5.4"),
        _general("von_neumann", "normal", "Section 5.4"),
    ],
    samples=[*_SAMPLES, *({"deal": law} for law in (*_LAWS, "power:1:2", "atoms:4/5"))],
)


def _no_fold(parameters: Mapping[str, Any]) -> str | None:
    """Condition (15): the first solution holds while the printed share of folds is not negative."""
    low, high = (parameters[name] / parameters["ante"] for name in ("low", "high"))
    if high - low <= low**2 * (high + 2) ** 2 / 4:
        return None
    return "condition (15) fails, so player I never folds"


BELLMAN_BLACKWELL = Blueprint(
    name="bellman_blackwell",
    title="Bellman and Blackwell's model with two bets",
    source=_paper("Section 4"),
    parameters={
        "ante": _ANTE,
        "low": Parameter(Fraction(1), "amount", "chips of the low bet; 0 makes it a check"),
        "high": Parameter(Fraction(2), "chips", "chips of the high bet, at least the low one"),
    },
    build=bellman_blackwell,
    letters={"B1": "low/ante", "B2": "high/ante"},
    printed=[
        Printed(
            source=_paper("Section 4, (14)"),
            numbers={
                "b1": "B1/(B1 + 2)",
                "b2": "B2/(B2 + 2)",
                "b3": "1 - 2/((B1 + 2)*(B2 + 2))",
                "mH": "b2*(1 - b3)",
                "mL": "b1*(b3 - b1)",
                "fold": "b1 - mL - mH",
                "lowest": "b1 - mL",
            },
            plan=_bellman_plan,
            refuses=_no_fold,
        ),
        Printed(
            source=_paper("Section 4, where (15) fails"),
            numbers={
                "D": "2*(B2 + 1)*(B1*B2 + 3*B1 + B2 + 4)",
                "mH": "B2*(B1 + 2)/D",
                "b1": "mH + B1*(B2 + 1)*(B2 + 2)/D",
                "b2": "b1 + (B1 + 2)*(B2 - B1)*(B2 + 2)/D",
                "b3": "1 - (B1 + 2)*(B2 + 2)/D",
                "fold": "0",
                "lowest": "mH",
            },
            plan=_bellman_plan,
            misprints={
                "D": "B1**2*(B2 + 2) + B1*(B2**2 + 6*B2 + 6) + 2*(B2 + 1)*(B2 + 4)",
                "b1": "mH + B1*(B1 + 1)*(B2 + 2)/D",
                "b3": "1 - (B1 + 1)*(B2 + 2)/D",
            },
        ),
    ],
    samples=[{}, {"low": "1/5", "high": 2}, {"low": 0, "high": 2}, {"low": "1/2", "high": 10}],
)
