"""Von Neumann's poker with several bet sizes; ever finer sets of sizes lead to the games of Newman (1959) and Spears (2026)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from relance.model.blueprint import Blueprint, Parameters, Printed, Source
from relance.model.deal import Deal
from relance.model.distributions import distribution
from relance.model.numbers import Number, fraction, show, whole
from relance.model.parameters import ANTE, Bets, Distribution
from relance.model.strategy import Plan
from relance.model.tree import MOST_BETS, BettingTree, decision, facing_a_bet, showdown

OURS = Source("relance", "Relance", "Von Neumann's poker with several bet sizes", 2026, "docs/menus.md")
SPEARS = Source(
    "spears-2026",
    "A. Spears",
    "Limit Continuous Poker: A Variant of Continuous Poker with Limited Bet Sizes",
    2026,
    "Sections 5 and 6",
    "arXiv 2606.01390",
)
DECKS = Source(
    "finite-decks-2024",
    "T. Krityakierne, T. A. Thanatipanonda and D. Zeilberger",
    "von Neumann and Newman Pokers with Finite Decks",
    2024,
    "Abstract",
    "arXiv 2407.16155",
)


def sized_von_neumann(ante: Number, sizes: tuple[Number, ...], deal: str) -> tuple[BettingTree, Deal]:
    """Return the betting tree and the deal of von Neumann's poker in which player 0 chooses the size of the bet.

    Rules:
        Each player antes `ante` chips and gets a hand on [0, 1], independent and uniform if `deal` is uniform. If `deal` is cards:n, each
        gets one card from a deck of n instead. Other values of `deal` are as in von Neumann's poker.
        Player 0 checks, and the higher hand wins the antes, or bets one of `sizes`. Player 1 then folds or calls.
        After a call the higher hand wins the pot.
    """
    if not all(small < large for small, large in pairwise(sizes)):
        raise ValueError(f"sizes={';'.join(map(show, sizes))} must rise from each to the next, such as 1;2")
    bets = {f"bet {show(size)}": facing_a_bet(1, ante, [size]) for size in sizes}
    return BettingTree(decision(0, check=showdown(ante), **bets)), distribution(deal)


def best_sizes(count: object, ante: object = 1) -> tuple[Fraction, ...]:
    """Return the `count` bet sizes that are worth the most to player 0: the pot times i/(count + 1 - i) for i = 1, 2, ...

    The game with these sizes has the value n/(7n + 6) antes, where n = count (count + 2), by the claim spears-2026/best-menu.

    Raises:
        ValueError: `count` is not from 1 to `MOST_BETS`, or the ante is not above 0.
    """
    sizes, pot = whole(count, "count"), 2 * fraction(ante, "ante")
    if not 1 <= sizes <= MOST_BETS or pot <= 0:
        raise ValueError(f"count={sizes} must be from 1 to {MOST_BETS}, and ante={show(pot / 2)} above 0")
    return tuple(pot * Fraction(i, sizes + 1 - i) for i in range(1, sizes + 1))


def _only_uniform(parameters: Parameters) -> str | None:
    if _cards(parameters):
        return ""
    return None if parameters["deal"] == "uniform" else f"deal={parameters['deal']}: sizes are solved for uniform hands"


def _cards(parameters: Parameters) -> int:
    """The number of cards of a finite deck, or 0."""
    kind, _, cards = parameters["deal"].partition(":")
    return int(cards) if kind == "cards" else 0


def _one_pot(parameters: Parameters) -> str | None:
    if not _cards(parameters):
        return ""
    pot = 2 * parameters["ante"]
    solved = parameters["sizes"] == (pot,)
    return (
        None if solved else f"deal={parameters['deal']}: a deck is solved for one size, the pot, here sizes={show(pot)}"
    )


def _sizes_numbers(parameters: Parameters) -> dict[str, Number | str]:
    """The solution. u_i is the pot before a bet of the size s_i, divided by the pot after it.

    Player 0 bets s_i for value from v_i up to the next line, and bluffs with it from d_(i+1) to d_i; player 1 calls it from c_i on.
    The share w of all hands are bluffs, and the value is w antes.
    """
    count, numbers = len(parameters["sizes"]), dict[str, Number | str]()
    for i, size in enumerate(parameters["sizes"], 1):
        numbers |= {f"s{i}": size, f"u{i}": f"2*a/(2*a + s{i})"}
    before = ["", "1", *(f"u{i}" for i in range(1, count + 1))]  # u_(i - 1), by i
    numbers["S"] = " + ".join(f"{before[i]}*u{i}*({before[i]} - u{i})" for i in range(1, count + 1))
    numbers["w"] = "S/(2 + S)"
    for i in range(1, count + 1):
        numbers |= {f"c{i}": f"1 - (1 - w)*u{i}", f"v{i}": f"1 - (1 - w)*{before[i]}*u{i}/2"}
    for i in range(count, 0, -1):  # just enough bluffs that a call at c_i gains nothing
        up, above = ("1", "0") if i == count else (f"v{i + 1}", f"d{i + 1}")
        numbers[f"d{i}"] = f"{above} + ({up} - v{i})*(1 - u{i})"
    return numbers


def sizes_plan(numbers: Mapping[str, Number], tree: BettingTree) -> Plan:
    """Return the plan: larger bets of player 0 have better value hands and worse bluffs; player 1 calls bet i with hands above c_i."""
    sizes = tree.root.actions[1:]
    up = [*(numbers[f"v{i}"] for i in range(1, len(sizes) + 1)), 1]
    down = [*(numbers[f"d{i}"] for i in range(1, len(sizes) + 1)), 0]
    bets = {bet: [(down[i + 1], down[i]), (up[i], up[i + 1])] for i, bet in enumerate(sizes)}
    return {"": bets, **{bet: {"call": [(numbers[f"c{i}"], 1)]} for i, bet in enumerate(sizes, 1)}}


def deck_numbers(parameters: Parameters) -> dict[str, Number | str]:
    """Return w, b and C for a deck and a bet of the pot: player 0 bets the w best and b worst cards, player 1 calls with the C best."""
    cards = _cards(parameters)
    return {"w": Fraction((2 * cards + 2) // 9), "b": "w/2", "C": Fraction(cards - 1 - cards // 9, 2)}


def deck_plan(numbers: Mapping[str, Number], tree: BettingTree) -> Plan:
    """Return the plan of `deck_numbers`. If C = 5/2, player 1 calls with the two best cards, and half the time with the third."""
    (bet,) = tree.root.actions[1:]
    worst, best, calls = (numbers[symbol] for symbol in "bwC")
    return {
        "": {bet: lambda deal: _first(worst, deal.size(0)) + _first(best, deal.size(0))[::-1]},
        bet: {"call": lambda deal: _first(calls, deal.size(1))[::-1]},
    }


def _first(amount: Number, cards: int) -> npt.NDArray[Any]:
    """Return how much of each of so many cards is among the first `amount`."""
    return np.array([min(max(amount - i, Fraction(0)), Fraction(1)) for i in range(cards)], object)


_TITLE = "Von Neumann's poker with a choice of bets"

SIZED_VON_NEUMANN = Blueprint(
    name="sized_von_neumann",
    title=_TITLE,
    source=OURS,
    related=[SPEARS, DECKS],
    parameters={
        "ante": ANTE,
        "sizes": Bets((Fraction(1), Fraction(4)), "bets to choose from, the smallest first"),
        "deal": Distribution("uniform", "how hands are distributed, as in von_neumann; cards:n is a deck of n cards"),
    },
    build=sized_von_neumann,
    symbols={"a": "ante"},
    printed=[
        Printed(source=OURS, numbers=_sizes_numbers, plan=sizes_plan, refuses=_only_uniform),
        Printed(source=OURS, numbers=deck_numbers, plan=deck_plan, refuses=_one_pot),
    ],
    short=lambda parameters: f"{_TITLE}, bets {', '.join(map(show, parameters['sizes']))}",
    result=(
        "Bet the best hands and the worst, the largest sizes with the very best and the very worst. Player 1 calls each size so "
        "that bluffs earn the same with all. [Two sizes](../menus.md), half the pot and twice the pot, win 4/31 of an ante, "
        "and all sizes together 1/7."
    ),
    samples=[
        {},
        {"sizes": [2]},
        {"sizes": ["2/3", 2, 6]},
        {"ante": 3, "sizes": [1, 2, 10, 100]},
        {"sizes": [2], "deal": "cards:13"},
    ],
)
