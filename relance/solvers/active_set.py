"""Linear programs in floats over the few hands that matter; other hands keep their strategies until a best response gains with them.

A program over all hands is mostly wasted work, because few hands mix in a solution. Here each program holds only the *free* hands of
both players; all other hands are fixed. A fixed hand that gains by a best response is freed, until all gains together are
within the tolerance. This finds the support and solves its equations, and exact best responses certify the answer. The method is a
double oracle, hand by hand, after McMahan, Gordon and Blum 2003, Planning in the presence of cost functions controlled by an adversary.
Each program starts from the basis of the one before, and games with many hands from the solution of coarser ones.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

import numpy as np

from relance.model.arrays import Floats, Ints
from relance.model.deal import Array, FiniteDeal
from relance.model.game import Game
from relance.model.ranked_deal import RankedDeal
from relance.model.sequences import SequenceForm, sides
from relance.model.strategy import Profile
from relance.model.tree import BettingTree
from relance.solvers.abstraction import block_sizes, coarse
from relance.solvers.highs import BASIC, LOWER, UPPER, Statuses
from relance.solvers.program import game_program
from relance.solvers.sequence_form import (
    back_up,
    best,
    blocks,
    mixed_chips,
    normalised,
    sequence_probs,
    terminal_values,
)

PlayOfBoth: TypeAlias = tuple[Floats, Floats]
"""For each player, the probabilities of the actions at all their nodes, shape (actions, hands); see `relance.model.sequences`."""

Basis: TypeAlias = list[Statuses]
"""A simplex basis in four arrays, (columns or rows of a hand, hands): columns of player 0, columns of 1, rows of 1, rows of 0."""

OWNERS = (0, 1, 1, 0)
"""For each of the four arrays of a basis, the player whose hands it has."""

FIRST = 20
"""The most hands at the first, coarsest level, each a block of neighbouring hands; the linear program of this level holds all of them."""

FINER = 4
"""Each level has at most this many times the hands of the level before."""

FREED = 24
"""Before each linear program, at most this many hands of each player become variables: those that gain most by a best response."""

MIXED = 1e-9
"""A hand mixes at a node if the realization weight of an action is more than this above 0, and more than this below the node's."""


def levels_of(deal: FiniteDeal) -> list[int]:
    """Return the numbers of hands of the games that are solved in turn: coarser games first, and the full game last.

    In a coarser game, each hand is a block of neighbouring hands. If the players rank hands differently, there is only the full game.
    """
    levels = [deal.size(0)]
    while levels[0] > FIRST and isinstance(deal, RankedDeal) and deal.in_step:
        levels.insert(0, -(-levels[0] // FINER))
    return levels


def solve_in_floats(
    game: Game,
    tolerance: float,
    tick: Callable[[int, float], None] = lambda programs, left: None,
    pivots: int | None = None,
) -> tuple[Profile, float]:
    """Return an equilibrium of a game with finitely many hands, to a tolerance or as close to it as floats get.

    Args:
        game: a game with finitely many hands.
        tolerance: the exploitability to reach, in chips.
        tick: called with how many linear programs are solved, and the exploitability in chips in the present game (see `levels_of`).
        pivots: the most pivots of all programs together; by default there is no limit.

    Returns:
        The profile, and its exploitability in chips.

    Raises:
        ValueError: hands are on [0, 1].
        ArithmeticError: a program is not solved, or takes more pivots than allowed.
    """
    tree, fine = game.tree, game.finite_deal().floats
    deals = [fine]
    for size in levels_of(fine)[-2::-1]:
        assert isinstance(deals[0], RankedDeal)
        deals.insert(0, coarse(deals[0], size))
    deal, *finer = deals
    both = sides(tree)
    done, spent = 0, 0

    def solve_level(deal: FiniteDeal, play: PlayOfBoth, free: list[Array], enough: float) -> float:
        """Solve programs and free hands until the exploitability is at most `enough`, or there is no hand left to free."""
        nonlocal done, spent
        basis, solved = None, False
        least = [0.5 * enough * deal.prior(player) for player in (0, 1)]
        while True:
            gains = [_gains(both, deal, play, player) for player in (0, 1)]
            left = float(gains[0].sum() + gains[1].sum()) / 2
            if done:
                tick(done, left)
            found = [_most(gains[player], free[player], least[player]) for player in (0, 1)]
            if left <= enough or (solved and not any(map(len, found))):
                return left
            for hands, new in zip(free, found, strict=True):
                hands[new] = True
            if finer and not solved:
                basis = _pure(both, deal, play)
            at_most = None if pivots is None else pivots - spent
            spent += improve(tree, deal, play, (np.flatnonzero(free[0]), np.flatnonzero(free[1])), at_most, basis)
            done, solved = done + 1, True

    first_play, second_play = (normalised(side, np.zeros((side.size, deal.size(p)))) for p, side in enumerate(both))
    play = first_play, second_play
    free = [np.ones(deal.size(player), bool) for player in (0, 1)]
    left = solve_level(deal, play, free, tolerance / 2 if finer else tolerance)
    for following in finer:
        parts = block_sizes(following.size(0), deal.size(0))
        free = [np.repeat(_mixing(side, share), parts) for side, share in zip(both, play, strict=True)]
        play = np.repeat(play[0], parts, axis=1), np.repeat(play[1], parts, axis=1)
        deal = following
        left = solve_level(deal, play, free, tolerance if deal is fine else tolerance / 2)
    names = {name: share[at] for side, share in zip(both, play, strict=True) for name, at in side.slots.items()}
    return game.profile({name: node.by_action(names[name]) for name, node in tree.decisions.items()}), left


def _gains(both: tuple[SequenceForm, SequenceForm], deal: FiniteDeal, play: PlayOfBoth, player: int) -> Floats:
    """A best response's gain with each hand."""
    side, other, own, theirs = both[player], both[1 - player], play[player], play[1 - player]
    parts = blocks(deal, max(side.size, other.size))
    gains = np.empty(deal.size(player))
    for block, values in terminal_values(
        side, deal, player, parts, lambda part: sequence_probs(other, theirs[:, part])
    ):
        most = back_up(side, values.copy(), best)
        gains[block] = most - back_up(side, values, partial(mixed_chips, own[:, block]))
    return gains


def _most(gains: Floats, free: Array, least: Floats) -> Ints:
    """The fixed hands that gain most, each more than `least`."""
    hands = np.flatnonzero((gains > least) & ~free)
    return hands[np.argpartition(gains[hands], -FREED)[-FREED:]] if len(hands) > FREED else hands


def _mixing(side: SequenceForm, share: Floats) -> Array:
    """True for each hand that mixes at a node that its own choices reach."""
    reach = sequence_probs(side, share)
    out = np.zeros(share.shape[1], bool)
    for group in side.groups:
        after = group.of(reach[1:])
        out |= ((after > MIXED) & (reach[group.before][:, None] - after > MIXED)).any((0, 1))
    return out


def _pure(both: tuple[SequenceForm, SequenceForm], deal: FiniteDeal, play: PlayOfBoth) -> Basis:
    """The basis in which each hand takes its likeliest action at each node."""
    distributions = [deal.in_case(of.case) for of in both[0].terminals]
    sums = both[0].size * sum(
        len(distribution.terms) for distribution in distributions if isinstance(distribution, RankedDeal)
    )
    taken = [np.full(share.shape, (LOWER, BASIC)[player], np.int8) for player, share in enumerate(play)]
    for side, share, kinds, kind in zip(both, play, taken, (BASIC, UPPER), strict=True):
        for at in side.slots.values():
            kinds[at.start + share[at].argmax(0), np.arange(share.shape[1])] = kind

    def rows(kind: int, count: int, player: int) -> Statuses:
        return np.full((count, deal.size(player)), kind, np.int8)

    mine = np.concatenate([taken[0], rows(BASIC, sums, 0)])
    return [mine, rows(BASIC, len(both[1].slots), 1), taken[1], rows(LOWER, len(both[0].slots) + sums, 0)]


def improve(
    tree: BettingTree,
    deal: FiniteDeal,
    play: PlayOfBoth,
    free: tuple[Ints, Ints],
    pivots: int | None = None,
    basis: Basis | None = None,
) -> int:
    """Replace, in `play`, the strategies of the hands `free` by an equilibrium of the game in which all other hands are fixed.

    The linear program starts from `basis`, which is replaced by the program's last basis.

    Returns:
        The number of pivots.

    Raises:
        ArithmeticError: the linear program is not solved within `pivots` pivots.
    """
    both = sides(tree)
    reach = [sequence_probs(side, share)[1:] for side, share in zip(both, play, strict=True)]
    unit = max(sum(map(abs, leaf.in_floats)) for leaf in tree.leaves.values()) or 1.0
    program = game_program(both, deal, unit, free, (reach[0], reach[1]))
    found = program.minimised(
        pivots=None if pivots is None else max(pivots, 1),
        basis=None
        if basis is None
        else np.concatenate([part[:, free[p]].ravel() for part, p in zip(basis, OWNERS, strict=True)]),
    )
    if basis is not None:
        ends = np.cumsum([len(part) * len(free[p]) for part, p in zip(basis, OWNERS, strict=True)])
        for part, p, new in zip(basis, OWNERS, np.split(found.basis, ends[:-1]), strict=True):
            part[:, free[p]] = new.reshape(len(part), -1)
    play_of_free = program.weights(found.point, -found.multipliers)
    for player, (side, weight) in enumerate(zip(both, play_of_free, strict=True)):
        weight = np.maximum(weight, 0.0)
        for at in side.slots.values():
            total = weight[at].sum(0)
            reached = total > MIXED
            even = 1 / (at.stop - at.start)
            play[player][at, free[player]] = np.where(reached, weight[at] / np.where(reached, total, 1.0), even)
    return found.pivots
