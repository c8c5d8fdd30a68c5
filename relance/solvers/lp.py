"""Exact equilibria by linear programs; a solution is accepted only if its NashConv, computed in fractions, is 0."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import overload

from relance.model.arguments import checked
from relance.model.deal import Array
from relance.model.game import Game, check_game
from relance.model.game_tree import GameTree, TreeProfile
from relance.model.limits import check_memory, check_time
from relance.model.numbers import fraction
from relance.model.ranked_deal import RankedDeal
from relance.model.sequences import sides
from relance.model.strategy import Profile
from relance.solvers.exact import scored  # a certificate has what is claimed of a solution, not how it was found
from relance.solvers.exact_lp import NotCertifiedError
from relance.solvers.program import by_pivots, game_program
from relance.solvers.sequence_form import behaviour
from relance.solvers.tree_program import check_exact, program_of, vertices

TOLERANCE = "solve it with a tolerance, such as tolerance=1e-6"

SECONDS, ENTRY = 2e-6, 200
"""A linear program with n pairs of a sequence and a hand takes about `SECONDS` * n * n seconds, and each number in it `ENTRY` bytes."""


def _check_exact(game: Game) -> None:
    """Check that a game has an exact solution, and that it does not take too long."""
    check_game(game, "a linear program")
    deal, slots = game.finite_deal(), sum(len(node.actions) for node in game.tree.decisions.values())
    what, instead = f"an exact solution of {game}", f"{TOLERANCE}, or take fewer hands"
    sequences = slots * max(deal.size(0), deal.size(1))
    check_time(SECONDS * sequences**2, what, instead)
    if not isinstance(deal, RankedDeal):
        check_memory(ENTRY * slots * deal.size(0) * deal.size(1), what, instead=instead)
    if not deal.is_exact:
        raise ValueError(f"{game} has float probabilities, so it cannot be solved exactly; {TOLERANCE}")


@checked
def solve_lp(game: Game) -> tuple[Fraction, Profile]:
    """Return the exact equilibrium value, in chips of player 0, and an equilibrium of a game with finitely many hands."""
    profile = solve_exactly(game)
    return fraction(scored(game, profile).value()), profile


@overload
def solve_exactly(game: GameTree) -> TreeProfile: ...
@overload
def solve_exactly(game: Game) -> Profile: ...
def solve_exactly(game: Game | GameTree) -> Profile | TreeProfile:
    """Return an exact equilibrium of a game of two players and zero sum; all its probabilities are Fractions.

    Raises:
        ValueError: the game is not of two players and zero sum, is too large, has hands on [0, 1], or its distribution has floats.
        NotCertifiedError: no solution that is found has a NashConv of 0, which is a bug in Relance.
    """
    for weights in _candidates(game):
        shares = [behaviour(form, rows) for form, rows in zip(game.forms, weights, strict=True)]
        profile = replace(game.profile_from_arrays(shares), solved_by="an exact linear program")
        found = scored(game, profile)
        if sum(map(found.best_value, (0, 1))) == found.utility_sum:
            return profile
    raise NotCertifiedError(
        f"no solution found for {game} has a NashConv of exactly 0; this is a bug in Relance, please report the game"
    )


def _candidates(game: Game | GameTree) -> Iterator[Sequence[Array]]:
    """Exact realization weights of both players, each (slots, hands), that may be optimal."""
    if isinstance(game, GameTree):
        check_exact(game, instead="give a tolerance, such as tolerance=1e-4, to solve it by CFR")
        yield from vertices(game)
        yield by_pivots(program_of(game, exact=True)[0])
    else:
        _check_exact(game)
        most = max(fraction(abs(leaf.constant) + abs(leaf.stake)) for leaf in game.tree.leaves.values())
        unit = Fraction(2) ** (most.numerator.bit_length() - most.denominator.bit_length())
        yield by_pivots(game_program(sides(game.tree, exact=True), game.finite_deal(), unit))
