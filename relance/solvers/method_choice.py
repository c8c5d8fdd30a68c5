"""The methods that solve a game to a tolerance, in turn, by a rule that uses only the game's sizes, its deal and the tolerance.

`python -m benchmarks choices` shows how much slower the first method is than the fastest.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, NamedTuple

from relance.model.arguments import checked
from relance.model.deal import FiniteDeal
from relance.model.game import Game
from relance.model.game_tree import GameTree
from relance.model.numbers import MOST_DIGITS
from relance.model.ranked_deal import RankedDeal
from relance.solvers.active_set import levels_of
from relance.solvers.tree_program import MOST_SETS, most_sets

if TYPE_CHECKING:
    from typing_extensions import TypeIs

FIRST_ORDER = "dcfr+"
"""The variant of CFR that is used unless the user names one."""

MOST_ITERATIONS = 1_000_000
"""The most iterations of CFR, if no other method is left."""

COARSEST = 1000
"""CFR on many hands first joins neighbouring hands into this many blocks, and on each further level into ten times as many blocks."""

WHOLE_MOST = 2000
"""The most hands of a linear program in floats if neighbouring hands cannot be joined for a coarser program first."""

HEAVIEST = 400_000
"""The most `unknowns(game) * (n + 5) ** 0.75` for a linear program on hands without ranks; n is the smaller number of hands of a player."""

ROUNDING = 1e-14
"""Floats cannot reach an exploitability below this share of the most chips at stake."""

TINY, SMALL = 20, 120
"""The most information sets of a game that is solved exactly at first (`TINY`), and of one solved exactly if floats fail (`SMALL`)."""

PIVOTS = 200_000
"""The most simplex pivots of all linear programs in floats, before another method takes over."""


class Attempt(NamedTuple):
    """A method, and how far it may go before the next one takes over.

    Attributes:
        method: "exact", "lp" or a variant of CFR.
        most: for "lp", the most pivots in all; for CFR, the most iterations of each run; early runs join hands into blocks (`levels`).
        foresee: True if CFR stops as soon as it is likely to need more than `most` iterations, not only after `most` iterations.
    """

    method: str
    most: int = 0
    foresee: bool = False


@checked
def attempts(game: Game | GameTree, tolerance: float) -> list[Attempt]:
    """Return the methods that `relance.solve` tries, in order: if one takes longer than its bound or fails, the next takes over."""
    if not has_float_programs(game):  # one exact program, or CFR
        return [Attempt("exact") if most_sets(game) <= MOST_SETS else Attempt(FIRST_ORDER, MOST_ITERATIONS)]
    deal, share, slots = game.finite_deal(), tolerance / game.max_chips, slots_of(game)
    few, hands = sorted(deal.size(player) for player in (0, 1))
    exact = [Attempt("exact")] if is_small(game) else []
    programs, cfr = Attempt("lp", PIVOTS), Attempt(FIRST_ORDER, MOST_ITERATIONS)
    if exact and number_of_sets(game) <= TINY:
        return [*exact, programs, cfr]
    first = []
    if isinstance(deal, RankedDeal) and (hands <= WHOLE_MOST or not at_once(game)):
        if share >= _least_share(deal, hands, slots, game.tree.depth) and slots * hands > 900:
            first = [Attempt(FIRST_ORDER, 5000)]
        elif slots <= 4 and hands >= 100 * COARSEST and not 1e-9 <= share < 2e-7:
            first = [Attempt(FIRST_ORDER if share >= 1e-9 else "pdcfr+", 500)]
        return [*first, programs, *exact, cfr]
    # A program takes as long as a fifth to a thirtieth of its weight in iterations of CFR, and 2 to 8 / sqrt(share) of them are needed.
    weight = (few + 5) ** 0.75 * unknowns(game)
    if weight > HEAVIEST or hands > WHOLE_MOST:
        return [cfr]
    if weight * share**0.5 >= 88:
        first = [Attempt(FIRST_ORDER, int(weight / 10))]
    elif weight * share**0.5 >= 60:
        first = [Attempt(FIRST_ORDER, int(weight / 40), foresee=True)]
    return [*first, programs, *exact, cfr]


def has_float_programs(game: Game | GameTree) -> TypeIs[Game]:
    """True if linear programs in floats can solve a game: if it has a deal of finitely many hands, which game trees do not have."""
    return isinstance(game.payoff_operator(), FiniteDeal)


def iterations_to(game: Game | GameTree, tolerance: float) -> float:
    """About how many iterations of CFR reach a tolerance; some games need a tenth of them, others five times as many."""
    return 4 * sqrt(float(min(game.max_chips, 10**MOST_DIGITS)) / tolerance)


def _least_share(deal: RankedDeal, hands: int, slots: int, depth: int) -> float:
    """The least tolerance, as a share of the most chips, to which CFR is about as quick as a program."""
    if hands > 500 and deal.products > 1:
        return 5e-7  # a program takes the square of the hands
    if deal.blocked is not None:
        return 35e-7 if slots <= 30 else 7e-7
    return min(max((hands / 390_000) ** 2, 1e-6), 25e-6) if depth > 2 else 2e-6


def unknowns(game: Game) -> int:
    """The number of probabilities in a profile of a game with finitely many hands: actions times hands."""
    return sum(form.size * game.finite_deal().size(player) for player, form in enumerate(game.forms))


def slots_of(game: Game) -> int:
    """The total number of actions at all decision nodes."""
    return sum(form.size for form in game.forms)


def number_of_sets(game: Game) -> int:
    """The number of information sets of a game with finitely many hands."""
    return sum(len(form.starts) * game.finite_deal().size(player) for player, form in enumerate(game.forms))


def is_small(game: Game) -> bool:
    """Return True if a game with finitely many hands has exact probabilities and at most `SMALL` information sets."""
    return number_of_sets(game) <= SMALL and game.finite_deal().is_exact


def at_once(game: Game) -> bool:
    """Return True if the first linear program in floats is for the full game, False if it is for a coarser game with blocks of hands."""
    return len(levels_of(game.finite_deal())) == 1


def levels(hands: int) -> list[int]:
    """Return how many blocks of neighbouring hands each run of CFR has: 1000, then ten times as many each time, and at last all `hands`."""
    out = [hands]
    while (size := COARSEST * 10 ** (len(out) - 1)) * 2 <= hands:
        out.insert(-1, size)
    return out
