"""The distributions of hands that games use: cards, independent hands, any matrix, and named distributions on [0, 1]."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from inspect import signature
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from relance.model.arguments import checked
from relance.model.deal import Deal
from relance.model.interval import DensityDeal, NormalDeal
from relance.model.matrix_deal import MatrixDeal
from relance.model.numbers import (
    as_written,
    check_between,
    did_you_mean,
    exact,
    fraction,
    given,
    probabilities_meant,
    short,
    show,
)
from relance.model.piecewise import Piecewise
from relance.model.ranked_deal import RankedDeal

_ONE = Fraction(1)

D = TypeVar("D", RankedDeal, DensityDeal, NormalDeal)


def _described(deal: D, words: str) -> D:
    """Return the deal after setting its description in words; see `relance.model.deal.DealOf`."""
    deal.words = words
    return deal


@checked
def cards(labels: str | Sequence[str]) -> RankedDeal:
    """Return a deal of one card each from a deck with a card of each label, weakest first; fewer than two labels raise ValueError."""
    n = len(labels)
    if n < 2:
        raise ValueError(f"labels={short(labels)}: a deck must have at least 2 cards, one for each player")
    ones = np.full(n, _ONE, object)
    each = np.full(n, Fraction(1, n * (n - 1)), object)
    deck = RankedDeal((labels, labels), [(ones, each)], blocked=each)
    return _described(deck, "Each player is dealt one card at random from one deck, which has one card of each name.")


def distinct_cards(count: int) -> RankedDeal:
    """One card each from a deck of `count` distinct cards; raises ValueError unless it is a whole number of at least 2."""
    count = _whole_deck(count)
    return cards(list("23456789TJQKA")[-count:] if count <= 13 else [str(i) for i in range(1, count + 1)])


def uniform() -> DensityDeal:
    """Return a deal of independent hands, uniform on [0, 1]."""
    deal = DensityDeal([(Piecewise.constant(1), Piecewise.constant(1))])
    return _described(deal, "Each player is dealt a number between 0 and {top}, independent and uniform.")


PRECISION = Fraction(1, 2**50)
"""The largest error of a point where the best action changes, for densities that are not piecewise constant."""


def powers(first: int, second: int) -> DensityDeal:
    """Return a deal of independent hands: player 0's is the highest of `first` uniform draws, player 1's the highest of `second`."""
    first, second = _whole_power(first), _whole_power(second)
    sides = [Piecewise((Fraction(0), _ONE), ((Fraction(0),) * (k - 1) + (Fraction(k),),)) for k in (first, second)]
    words = (
        f"Each player is dealt a number between 0 and {{top}}: {{0}} the {{highest}} of {first} independent uniform ones, "
        f"{{1}} the {{highest}} of {second}."
    )
    return _described(DensityDeal([(sides[0], sides[1])], PRECISION), words)


def atoms(high: object) -> DensityDeal:
    """Player 0's hand beats all hands of player 1 with probability `high`, and loses to all of them otherwise.

    Player 0's hand is uniform in the top or bottom third of [0, 1], player 1's in the middle third. A bet with half a third is a 50% bet.
    """
    high = exact(high, "high")
    check_between("high", high, 0, 1)
    third = [(Fraction(i, 3), Fraction(i + 1, 3)) for i in range(3)]
    mine = Piecewise.steps([(*third[0], 3 * (1 - high)), (*third[2], 3 * high)])
    words = (
        f"Each player is dealt a number between 0 and {{top}}: {{0}} one in the {{highest}} third with probability {show(high)}, "
        "else in the {lowest} third; {1} one in the middle third; each is uniform in its third."
    )
    return _described(DensityDeal([(mine, Piecewise.steps([(*third[1], 3)]))]), words)


def fgm(theta: object) -> DensityDeal:
    """Return a deal of uniform hands x, y with correlation theta/3: Farlie-Gumbel-Morgenstern's density 1 + theta (2x - 1)(2y - 1)."""
    theta = exact(theta, "theta")
    check_between("theta", theta, -1, 1)
    one, slope = Piecewise.constant(1), Piecewise((Fraction(0), _ONE), ((Fraction(-1), Fraction(2)),))
    words = (
        "Each player is dealt a number between 0 and {top}, uniform for each alone. The two have the joint density "
        f"proportional to 1 + ({show(theta)})(2x - 1)(2y - 1), where x and y are the numbers divided by {{top}}."
    )
    return _described(DensityDeal([(one, one), (slope * theta, slope)], PRECISION), words)


CELLS, MOST_CELLS = 1000, 5_000
"""The usual and the largest number of cells of a normal distribution: three matrices of all pairs then take 0.6 GB."""


@lru_cache(maxsize=8)
def normal(rho: Fraction, cells: int = CELLS) -> NormalDeal:
    """Return a deal of two normal variables with correlation `rho`, one for each player.

    [0, 1] is cut into `cells` equal cells, and a player's hand is the cell that contains the quantile of the player's variable. Cached,
    because a thousand cells take a third of a second.
    """
    check_between("rho", rho, -1, 1, ends=False)
    words = (
        "Each player is dealt a number between 0 and {top}, uniform for each alone. Divided by {top}, the two are the "
        f"quantiles of two normal variables with correlation {show(rho)}."
    )
    return _described(NormalDeal(rho, _whole_cells(cells)), words)


@checked
def independent(first: Mapping[str, tuple[object, float]], second: Mapping[str, tuple[object, float]]) -> RankedDeal:
    """Return a deal of independent hands: {label: (probability, rank)} per player; the higher rank wins.

    Probabilities given as floats are read as the simple fractions next to them if these sum to 1: 1/3 for 0.3333333333333333.

    Raises:
        ValueError: a probability is not from 0 to 1, or a rank is not finite.
    """
    labels, distributions, ranks = [], [], []
    for player, hands in enumerate((first, second)):
        for label, (probability, _) in hands.items():
            what = f"the probability of player {player}'s hand {label!r}"
            check_between(what, exact(probability, what), 0, 1)
        side = sorted(hands.items(), key=lambda hand: hand[1][1])
        labels.append([label for label, _ in side])
        distributions.append(_meant([probability for _, (probability, _) in side]))
        ranks.append([rank for _, (_, rank) in side])
    return RankedDeal((labels[0], labels[1]), [(distributions[0], distributions[1])], ranks=(ranks[0], ranks[1]))


@checked
def joint_distribution(
    rows: str | Sequence[str],
    columns: str | Sequence[str],
    joint: Sequence[Sequence[object]],
    edge: Sequence[Sequence[object]],
) -> MatrixDeal:
    """Return a deal by the probability of each pair of hands and its edge: 1 if player 0 wins, 0 at a tie, -1 at a loss.

    Rows are player 0's hands, columns player 1's. An edge between these numbers is what player 0 expects of a stake of 1; 0.1 is a
    tenth. Probabilities given as floats are read as the simple fractions next to them if these sum to 1: 1/3 for 0.3333333333333333.

    Raises:
        ValueError: `joint` or `edge` has not one row for each hand of player 0 and one column for each hand of player 1.
    """
    tables = [[list(row) for row in table] for table in (joint, edge)]
    widths = {len(row) for table in tables for row in table}
    if {len(table) for table in tables} != {len(rows)} or widths != {len(columns)}:
        raise ValueError(
            f"joint and edge need {len(rows)} rows, one for each hand of player 0, and {len(columns)} columns, one for each of player 1"
        )
    distribution = _meant([p for row in tables[0] for p in row])
    edges = np.array([[as_written(number) for number in row] for row in tables[1]], object)
    return MatrixDeal((rows, columns), distribution.reshape(edges.shape), edges)


def _meant(distribution: Sequence[Any]) -> npt.NDArray[Any]:
    """Probabilities as exact numbers. Floats are read by `probabilities_meant` where their sum is 1; else, as of an event, one by one."""
    try:
        return np.array(
            [*probabilities_meant("the distribution", {str(i): p for i, p in enumerate(distribution)}).values()], object
        )
    except (TypeError, ValueError):
        return np.array([as_written(p) for p in distribution], object)


MOST_POWER = 100
"""The largest parameter of "power": exact arithmetic with polynomials takes time at least quadratic in their degree."""


MOST_CARDS = 1_000_000
"""The most cards in a deck."""


def _whole(text: object, what: str, least: int, most: int) -> int:
    if (number := fraction(text, what)).denominator != 1 or not least <= number <= most:
        raise ValueError(f"{what} {short(text)} must be a whole number from {least} to {most}")
    return int(number)


_whole_power = partial(_whole, what="the distribution's power", least=1, most=MOST_POWER)
_whole_cells = partial(_whole, what="the distribution's number of cells", least=2, most=MOST_CELLS)
_whole_deck = partial(_whole, what="the deck's number of cards", least=2, most=MOST_CARDS)


def _between(low: int, high: int, ends: bool = True) -> Callable[[str], Fraction]:
    def read(text: str) -> Fraction:
        number = fraction(given(text, "the distribution's parameter"))
        check_between("the distribution's parameter", number, low, high, ends)
        return number

    return read


DISTRIBUTIONS: dict[str, tuple[Callable[..., Deal], tuple[Callable[[str], Any], ...]]] = {
    "uniform": (uniform, ()),
    "power": (powers, (_whole_power, _whole_power)),
    "atoms": (atoms, (_between(0, 1, ends=False),)),
    "fgm": (fgm, (_between(-1, 1),)),
    "normal": (normal, (_between(-1, 1, ends=False), _whole_cells)),
    "cards": (distinct_cards, (_whole_deck,)),
}
"""Named distributions of two hands: the function that makes each deal, and readers of its parameters; those with defaults are optional."""


@checked
def distribution(text: str) -> Deal:
    """Return the deal of a text such as "uniform", "power:2:1", "atoms:1/4", "fgm:-1/2", "normal:-3/5:9" or "cards:13".

    The numbers are, in turn: the powers of x in the distribution functions of player 0's and 1's hand; the probability that player 0's hand
    is higher; theta in the density 1 + theta (2x - 1)(2y - 1); the correlation, and the number of cells of [0, 1]; the number of cards.

    Raises:
        ValueError: there is no such distribution, or a parameter of it is out of range.
    """
    name, parameters = _read(text)
    return DISTRIBUTIONS[name][0](*parameters)


def distribution_text(text: str) -> str:
    """The canonical text of a distribution: "fgm:1/2" for "fgm: 0.5". Raises as `distribution` does."""
    name, parameters = _read(text)
    return ":".join([name, *map(show, parameters)])


def _read(text: str) -> tuple[str, list[Any]]:
    name, *values = str(text).replace(" ", "").split(":")
    if name not in DISTRIBUTIONS:
        raise ValueError(f"there is no distribution {short(name)}" + did_you_mean(name, DISTRIBUTIONS))
    make, readers = DISTRIBUTIONS[name]
    usual = [of.default for of in signature(make).parameters.values() if of.default is not of.empty]
    if not len(readers) - len(usual) <= len(values) <= len(readers):
        takes = f"{len(readers) - len(usual)} or {len(readers)}" if usual else f"{len(readers)}"
        raise ValueError(
            f"the distribution {name!r} takes {takes} parameter(s) after colons, but {short(text)} has {len(values)}"
        )
    parameters = [read(value) for read, value in zip(readers, values, strict=False)]
    return name, parameters[:-1] if len(values) == len(readers) and parameters[-1:] == usual else parameters
