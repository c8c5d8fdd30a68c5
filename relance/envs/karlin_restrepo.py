"""La Relance with several bet sizes: Karlin and Restrepo's (1957) extension of the model of Bellman and Blackwell."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise

from relance.model.blueprint import Blueprint, Parameters, Printed, Source
from relance.model.deal import Deal
from relance.model.distributions import uniform
from relance.model.numbers import Number, show
from relance.model.parameters import ANTE, Bets
from relance.model.strategy import Plan
from relance.model.tree import BettingTree, Leaf, decision, facing_a_bet

RULES = Source(
    "borel-von-neumann",
    "S. Karlin and R. Restrepo",
    "Multistage Poker Models",
    1957,
    "as told by Ferguson and Ferguson, On the Borel and von Neumann Poker Models, 4",
    "Contributions to the Theory of Games 3, 337-363",
)
OURS = Source("relance", "Relance", "La Relance with several bet sizes", 2026, "docs/classics.md")


def sized_la_relance(ante: Number, sizes: tuple[Number, ...]) -> tuple[BettingTree, Deal]:
    """Return the betting tree and the deal of La Relance in which player 0 chooses the size of the bet.

    Rules:
        Each player antes `ante` chips and gets a hand, independent and uniform on [0, 1].
        Player 0 folds and loses the ante, or bets one of `sizes`, which are at least the ante. Player 1 then folds or calls.
        After a call the higher hand wins the pot.
    """
    if not all(small < large for small, large in pairwise(sizes)) or sizes[0] < ante:
        bet_sizes = ";".join(map(show, sizes))
        raise ValueError(f"sizes={bet_sizes} must rise from each to the next and begin with at least ante={show(ante)}")
    bets = {f"bet {show(size)}": facing_a_bet(1, ante, [size]) for size in sizes}
    return BettingTree(decision(0, fold=Leaf(-ante), **bets)), uniform()


def _sizes_numbers(parameters: Parameters) -> dict[str, Number | str]:
    """The solution. u_i is the pot before a bet of the size s_i, divided by the pot after it.

    Player 0 bets s_i for value from b_i up to the next line, and bluffs with it from e_i to e_(i-1); player 1 calls it from c_i on.
    """
    count, numbers = len(parameters["sizes"]), dict[str, Number | str]()
    for i, size in enumerate(parameters["sizes"], 1):
        numbers |= {f"s{i}": size, f"u{i}": f"2*a/(2*a + s{i})", f"c{i}": f"1 - u{i}"}
        numbers[f"b{i}"] = f"1 - u{i - 1}*u{i}/2" if i > 1 else "1 - u1"
    for i in range(1, count + 1):  # just enough bluffs that a call at c_i gains nothing
        up, above = (f"b{i + 1}" if i < count else "1"), (f"e{i - 1}" if i > 1 else "b1")
        numbers[f"e{i}"] = f"{above} - ({up} - b{i})*(1 - u{i})"
    return numbers


def la_relance_sizes_plan(numbers: Mapping[str, Number], tree: BettingTree) -> Plan:
    """Return the plan: better hands make larger value bets. Hands just below these bluff, and the best of them with the smallest bet."""
    sizes = tree.root.actions[1:]
    lines = [*(numbers[f"b{i}"] for i in range(1, len(sizes) + 1)), 1]
    bluffs = [numbers["b1"], *(numbers[f"e{i}"] for i in range(1, len(sizes) + 1))]
    bets = {bet: [(bluffs[i + 1], bluffs[i]), (lines[i], lines[i + 1])] for i, bet in enumerate(sizes)}
    return {"": bets, **{bet: {"call": [(numbers[f"c{i}"], 1)]} for i, bet in enumerate(sizes, 1)}}


SIZED_LA_RELANCE = Blueprint(
    name="sized_la_relance",
    title="La Relance with several bet sizes",
    short=lambda parameters: f"Bet sizes in La Relance, {' and '.join(map(show, parameters['sizes']))}",
    result=(
        "Each further bet size wins back a part of what player 0 loses. A bet of the ante loses 1/9 of an ante a hand, a choice of one or "
        "two antes 1/12, and with ever [finer sets of bet sizes](../classics.md) from the ante on 5/81."
    ),
    source=RULES,
    parameters={
        "ante": ANTE,
        "sizes": Bets((Fraction(1), Fraction(2)), "sizes of the bet in chips, from small to large"),
    },
    build=sized_la_relance,
    symbols={"a": "ante"},
    printed=[Printed(source=OURS, numbers=_sizes_numbers, plan=la_relance_sizes_plan)],
    samples=[{}, {"sizes": [2]}, {"sizes": [1, 2, 6]}, {"ante": 2, "sizes": [2, 3]}],
)
