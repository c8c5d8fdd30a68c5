"""The continuous poker models of Borel and von Neumann, and a model that connects them, after Ferguson and Ferguson."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any, TypeAlias

import numpy as np

from relance.model.blueprint import Blueprint, Misprint, Misprints, Parameters, Printed, Source
from relance.model.deal import Deal, as_floats
from relance.model.distributions import distribution, uniform
from relance.model.numbers import Number, show
from relance.model.parameters import ANTE, Amount, Chips, Distribution
from relance.model.piecewise import Piecewise
from relance.model.strategy import Plan
from relance.model.tree import BettingTree, Leaf, decision, facing_a_bet, showdown
from relance.solvers.indifference import NoSolutionError, la_relance_thresholds, too_far, von_neumann_thresholds

Build: TypeAlias = Callable[[Number, Number, str], tuple[BettingTree, Deal]]
MakePlan: TypeAlias = Callable[[Mapping[str, Number], BettingTree], Plan]


def _paper(where: str) -> Source:
    return Source(
        "borel-von-neumann",
        "C. Ferguson and T. S. Ferguson",
        "On the Borel and von Neumann Poker Models",
        2003,
        where,
        "Game Theory and Applications 9, 17-32",
    )


BELLMAN_AND_BLACKWELL = Source(
    "borel-von-neumann",
    "R. Bellman and D. Blackwell",
    "Some Two-Person Games Involving Bluffing",
    1949,
    "as told by Ferguson and Ferguson, On the Borel and von Neumann Poker Models, 4",
    "Proceedings of the National Academy of Sciences 35(10), 600-605",
)

_PARAMETERS = {
    "ante": ANTE,
    "bet": Chips(Fraction(2), "chips of the bet; twice the ante is the size of the pot"),
    "deal": Distribution("uniform", "how hands are distributed: uniform, power:2:1, atoms:1/4, fgm:-1/2, normal:-3/5"),
}
ROUNDED = Fraction(1, 10**9)
"""A bound, in antes, on the NashConv of thresholds solved in floats, unless the bet is `too_far` from the ante."""

_DISTRIBUTIONS = ("power:2:1", "atoms:1/4", "fgm:-1/2", "power:1:2", "atoms:1/2", "atoms:4/5")


def la_relance(ante: Number, bet: Number, deal: str) -> tuple[BettingTree, Deal]:
    """Return the betting tree and the deal of La Relance, the poker model of Borel.

    Rules:
        Each player antes `ante` chips and gets a hand on [0, 1]. If `deal` is uniform, the hands are independent and uniform; it may also
        be power:2:1, atoms:1/4, fgm:-1/2 or normal:-3/5, with these or other numbers, see `relance.model.distributions.distribution`.
        Player 0 folds and loses the ante, or bets `bet` chips. Player 1 then folds or calls. After a call the higher hand wins the pot.
        With `deal` normal:-3/5, a normal distribution with correlation -3/5, [0, 1] is cut into 1,000 equal cells (normal:-3/5:100 cuts it
        into 100), and players are told only the cell of their hand. With a bet of 2, 1,000 cells move the value by 3e-7 chips, and a best
        response to the strategies in the paper gains 7e-7.
    """
    return BettingTree(decision(0, fold=Leaf(-ante), bet=facing_a_bet(1, ante, [bet]))), distribution(deal)


def von_neumann(ante: Number, bet: Number, deal: str) -> tuple[BettingTree, Deal]:
    """Return the betting tree and the deal of von Neumann's poker.

    Rules:
        Each player antes `ante` chips and gets a hand on [0, 1]. If `deal` is uniform, the hands are independent and uniform; its other
        values, such as normal:-3/5, are as in La Relance. Player 0 checks, and the higher hand wins the antes, or bets `bet` chips.
        Player 1 then folds or calls. After a call the higher hand wins the pot.
    """
    return BettingTree(decision(0, check=showdown(ante), bet=facing_a_bet(1, ante, [bet]))), distribution(deal)


def bellman_blackwell(ante: Number, low: Number, high: Number) -> tuple[BettingTree, Deal]:
    """Return the betting tree and the deal of Bellman and Blackwell's model, between those of Borel and von Neumann.

    Rules:
        Each player antes `ante` chips and gets a hand, independent and uniform on [0, 1].
        Player 0 folds and loses the ante, or bets `low` or `high` chips. Player 1 then folds or calls.
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


def _kind(parameters: Parameters) -> str:
    return str(parameters["deal"]).partition(":")[0]


def _only(kind: str) -> Callable[[Parameters], str | None]:
    """Refuse other kinds of distribution without giving a reason, because another `Printed` covers them."""
    return lambda parameters: None if _kind(parameters) == kind else ""


def _bet(parameters: Parameters) -> Any:
    return parameters["bet"] / parameters["ante"]


Find: TypeAlias = Callable[[Deal, float], Mapping[str, float]]


@cache
def _solved(find: Find, deal: str, B: Fraction) -> Mapping[str, str] | None:
    """The thresholds as text, each as the simplest fraction within rounding error; None if there is no solution."""
    try:
        thresholds = find(distribution(deal), float(B))
    except NoSolutionError:
        return None
    return {name: str(Fraction(x).limit_denominator(10**15)) for name, x in thresholds.items()}


def _general(find: Find, plan: MakePlan, kind: str, where: str, misprints: Misprints) -> Printed:
    """The strategies that solve the paper's indifference equations for distributions of this kind, if there is a solution."""

    def numbers(parameters: Parameters) -> Mapping[str, str] | None:
        return _solved(find, parameters["deal"], _bet(parameters))

    def refuses(parameters: Parameters) -> str | None:
        if _kind(parameters) != kind:
            return ""
        if kind in ("fgm", "normal") and Fraction(parameters["deal"].split(":")[1]) > 0:
            return f"deal={parameters['deal']}: the paper solves negative dependence only"
        if why := too_far(_bet(parameters)):
            return f"bet={show(parameters['bet'])}: with deal={parameters['deal']} {why}"
        if numbers(parameters) is None:
            return f"deal={parameters['deal']}: the paper's form of strategies does not satisfy its own inequalities"
        return None

    return Printed(
        source=_paper(where),
        numbers=lambda p: numbers(p) or {},
        plan=_over_cells(plan) if kind == "normal" else plan,
        refuses=refuses,
        misprints=misprints,
        precision=ROUNDED,
    )


def _over_cells(plan: MakePlan) -> MakePlan:
    """The plan over equal cells of [0, 1]: a cell plays an action as often as its hands do. Each player decides once, so this is exact."""

    def over(spans: Sequence[tuple[Number, Number]]) -> Callable[[Deal], Any]:
        upto = Piecewise.steps([(*span, 1) for span in spans]).cumulative()
        return lambda deal: as_floats(np.diff([upto(cut) for cut in deal.cuts or ()])) * deal.size(0)

    return lambda numbers, tree: {
        node: {action: over(spans) for action, spans in actions.items()}
        for node, actions in plan(numbers, tree).items()
    }


def _summary(parameters: Parameters) -> dict[str, Misprint]:
    """The summary of Section 5.1: if player I always bets, II calls if F(Y) > B/(B + 2), with F(x) = x^power."""
    distribution_of_I, B = parameters["deal"].split(":"), _bet(parameters)
    if distribution_of_I[0] != "power" or la_relance_thresholds(distribution(parameters["deal"]), float(B))["l"] > 0:
        return {}
    calls = float(B / (B + 2)) ** (1 / int(distribution_of_I[1]))
    text = str(Fraction(calls).limit_denominator(10**15))
    return {"c": Misprint(text, "borel-von-neumann/r-summary")}


def _atoms_numbers(parameters: Parameters) -> dict[str, str]:
    """For the point masses of Section 5.3: how often a losing hand bets (pi1), and how often player II folds."""
    high, B = parameters["deal"].partition(":")[2], _bet(parameters)
    if Fraction(high) >= (B + 2) / (2 * B + 2):  # winning hands are so frequent that player I always bets
        return {"pi1": "1", "fold": "1"}
    return {"pi1": f"B/(B + 2)*{high}/(1 - {high})", "fold": "B/(B + 2)"}


def _atoms_misprints(parameters: Parameters) -> dict[str, Misprint]:
    """The example of Section 5.3: the border above which player I always bets, and how often player I bluffs below it."""
    high, B = Fraction(parameters["deal"].partition(":")[2]), _bet(parameters)
    if high >= (B + 2) / (2 * B + 2):
        return {}
    if high >= B / (2 * B + 2):
        return {symbol: Misprint("1", "borel-von-neumann/n-atoms-border") for symbol in ("pi1", "fold")}
    return {"pi1": Misprint(str(high), "borel-von-neumann/n-atoms-bluff")}


def _atoms_plan(numbers: Mapping[str, Number], tree: BettingTree) -> Plan:
    third, two = Fraction(1, 3), Fraction(2, 3)  # the losing mass lies below 1/3 and the winning one above 2/3
    return {"": {"bet": [(0, third, numbers["pi1"]), (two, 1)]}, "bet": {"fold": numbers["fold"]}}


def _for_any_distribution(
    name: str,
    title: str,
    build: Build,
    numbers: Mapping[str, str],
    plan: MakePlan,
    find: Find,
    where: Mapping[str, str],
    misprints: Mapping[str, Misprints],
    result: str,
) -> Blueprint:
    """One of the paper's two models.

    `numbers` is for uniform hands; `where` cites the section that solves each kind of distribution, and `misprints` what is wrong there.
    """
    general = [_general(find, plan, kind, where[kind], misprints.get(kind, {})) for kind in ("power", "fgm", "normal")]
    return Blueprint(
        name=name,
        title=title,
        source=_paper(where["game"]),
        parameters=_PARAMETERS,
        build=build,
        symbols={"B": "bet/ante"},
        printed=[
            Printed(source=_paper(where["uniform"]), numbers=numbers, plan=plan, refuses=_only("uniform")),
            Printed(
                source=_paper(where["atoms"]),
                numbers=_atoms_numbers,
                plan=_atoms_plan,
                refuses=_only("atoms"),
                misprints=misprints.get("atoms", {}),
            ),
            *general,
        ],
        samples=[*({"bet": bet} for bet in (1, 2, "3/2")), *({"deal": deal} for deal in _DISTRIBUTIONS)],
        result=result,
        short=lambda parameters: f"{title}, bet {show(parameters['bet'])}",
    )


LA_RELANCE = _for_any_distribution(
    "la_relance",
    "La Relance of Borel",
    la_relance,
    {"c": "B/(B + 2)", "l": "c**2"},
    _la_relance_plan,
    la_relance_thresholds,
    {
        "game": "Section 2",
        "uniform": "Theorem 1",
        "atoms": "Section 5.1",
        "power": "Section 5.1, (17), (19)",
        "fgm": "Section 5.2, Theorem 3",
        "normal": "Section 5.2, Theorem 3",
    },
    misprints={"power": _summary},
    result="Player 0 bets above c² or folds, player 1 calls above c = B/(B + 2), and acting first costs c² antes (B: the bet in antes).",
)

VON_NEUMANN = _for_any_distribution(
    "von_neumann",
    "Von Neumann's poker",
    von_neumann,
    {
        "a": "B/((B + 1)*(B + 4))",
        "b": "(B**2 + 4*B + 2)/((B + 1)*(B + 4))",
        "c": "B*(B + 3)/((B + 1)*(B + 4))",
    },
    _von_neumann_plan,
    von_neumann_thresholds,
    {
        "game": "Section 3",
        "uniform": "Theorem 2",
        "atoms": "Section 5.3",
        "power": "Section 5.3, (26)",
        "fgm": "Section 5.4",
        "normal": "Section 5.4",
    },
    misprints={"atoms": _atoms_misprints},
    result="Bet the best hands and the very worst, and check all between. A bet as large as the pot wins most: 1/9 of an ante.",
)


BELLMAN_BLACKWELL = Blueprint(
    name="bellman_blackwell",
    title="Bellman and Blackwell's model with two bets",
    short=lambda parameters: f"Bellman and Blackwell, bets {show(parameters['low'])} and {show(parameters['high'])}",
    result="Bet high with the best hands and with bluffs, low between. Equal bets give Borel's game, a low bet of 0 von Neumann's.",
    source=_paper("Section 4"),
    related=[BELLMAN_AND_BLACKWELL],
    parameters={
        "ante": ANTE,
        "low": Amount(Fraction(1), "chips of the low bet; 0 makes it a check"),
        "high": Chips(Fraction(2), "chips of the high bet, at least the low one"),
    },
    build=bellman_blackwell,
    symbols={"B1": "low/ante", "B2": "high/ante"},
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
            where=["B2 - B1 <= B1**2*(B2 + 2)**2/4"],  # condition (15)
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
                "D": Misprint(
                    "B1**2*(B2 + 2) + B1*(B2**2 + 6*B2 + 6) + 2*(B2 + 1)*(B2 + 4)", "borel-von-neumann/bb-no-folds"
                ),
                "b1": Misprint("mH + B1*(B1 + 1)*(B2 + 2)/D", "borel-von-neumann/bb-no-folds"),
                "b3": Misprint("1 - (B1 + 1)*(B2 + 2)/D", "borel-von-neumann/bb-no-folds"),
            },
        ),
    ],
    samples=[{}, {"low": "1/5", "high": 2}, {"low": 0, "high": 2}, {"low": "1/2", "high": 10}],
)
