"""Linear programs in floats over the few hands that matter; other hands keep their strategies until a best response gains with them.

A program over all hands is mostly wasted work, because few hands mix in a solution. Here each program holds only the *free* hands of
both players; all other hands are fixed. A fixed hand that gains by a best response is freed, until all gains together are
within the tolerance. This finds the support and solves its equations, and exact best responses certify the answer. It is a double
oracle by hand, after McMahan, Gordon and Blum 2003, Planning in the presence of cost functions controlled by an adversary. Each program
starts from the basis of the one before, and games with many hands from the solution of coarser ones.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple, TypeAlias

import numpy as np

from relance.model.arrays import Floats, Ints
from relance.model.deal import Array, FiniteDeal
from relance.model.game import Game
from relance.model.ranked_deal import RankedDeal
from relance.model.sequences import CaseEndings, SequenceForm, sides
from relance.model.strategy import Profile
from relance.model.tree import BettingTree, Case
from relance.solvers.abstraction import block_sizes, coarse
from relance.solvers.highs import BASIC, LOWER, UPPER, Entries, Statuses, minimise
from relance.solvers.sequence_form import (
    back_up,
    best,
    blocks,
    mixed_chips,
    normalised,
    reach_probabilities,
    terminal_values,
)

PlayOfBoth: TypeAlias = tuple[Floats, Floats]
"""For each player, the probabilities of their actions, shape (slots, hands); see `relance.model.sequences`."""

Basis: TypeAlias = list[Statuses]
"""What the basis of a program says of all hands, (columns or rows of a hand, hands): columns of player 0, of 1, rows of 1, of 0."""

OWNERS = (0, 1, 1, 0)
"""The player to whose hands each part of a basis belongs."""

NONE: Entries = (np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))
"""A matrix of zeros."""

FIRST = 20
"""The most hands at the first level; its program holds all of them."""

FINER = 4
"""Each level has at most this many times the hands of the level before."""

FREED = 24
"""Before each program, at most this many hands of each player are freed: the ones that gain most."""

MIXED = 1e-9
"""A hand mixes if it takes an action with more than this probability and with less than its full reach minus this."""


def levels_of(deal: FiniteDeal) -> list[int]:
    """The numbers of hands to solve for in turn; only hands in step can be made coarser."""
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
        game: with finitely many hands.
        tolerance: the exploitability to reach, in chips.
        tick: called with the number of programs so far and the exploitability in chips, on the hands of the level.
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
        side, deal, player, parts, lambda part: reach_probabilities(other, theirs[:, part])
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
    reach = reach_probabilities(side, share)
    out = np.zeros(share.shape[1], bool)
    for group in side.groups:
        after = group.of(reach[1:])
        out |= ((after > MIXED) & (reach[group.before][:, None] - after > MIXED)).any((0, 1))
    return out


def _pure(both: tuple[SequenceForm, SequenceForm], deal: FiniteDeal, play: PlayOfBoth) -> Basis:
    """The basis in which each hand takes its likeliest action at each node."""
    laws = [deal.in_case(of.case) for of in both[0].endings]
    sums = both[0].size * sum(len(law.terms) for law in laws if isinstance(law, RankedDeal))
    taken = [np.full(share.shape, (LOWER, BASIC)[player], np.int8) for player, share in enumerate(play)]
    for side, share, kinds, kind in zip(both, play, taken, (BASIC, UPPER), strict=True):
        for at in side.slots.values():
            kinds[at.start + share[at].argmax(0), np.arange(share.shape[1])] = kind

    def rows(kind: int, count: int, player: int) -> Statuses:
        return np.full((count, deal.size(player)), kind, np.int8)

    mine = np.concatenate([taken[0], rows(BASIC, sums, 0)])
    return [mine, rows(BASIC, len(both[1].slots), 1), taken[1], rows(LOWER, len(both[0].slots) + sums, 0)]


class _Forms(NamedTuple):
    """Player 1's mass and edge as linear forms of the weights x of player 0's free hands, times the numbers of both hands.

    Running sums r are variables, so that the forms have few entries: `sums_x @ x + sums_r @ r == 0`. Then the mass is
    `mass_x @ x + mass_r @ r`, and the edge likewise.
    """

    sums: int  # how many running sums
    sums_x: Entries
    sums_r: Entries
    mass_x: Entries
    mass_r: Entries
    edge_x: Entries
    edge_r: Entries


def _forms(deal: FiniteDeal, rows: Ints, columns: Ints) -> _Forms:
    """The forms of these hands of players 0 and 1."""
    n, m = len(rows), len(columns)
    first, second = (float(deal.size(player)) for player in (0, 1))
    if not isinstance(deal, RankedDeal):
        units = np.zeros((m, deal.size(1)))
        units[np.arange(m), columns] = first * second
        mass, edge = (np.array(part)[:, rows] for part in zip(*deal.both(0, list(units)), strict=True))
        return _Forms(0, NONE, NONE, _entries(mass), NONE, _entries(-edge), NONE)
    each, ones = np.arange(n), np.ones(n)
    below, not_above = (np.searchsorted(rows, places[1][columns]) for places in (deal.below, deal.not_above))
    total = np.full(m, n)
    sums_x, sums_r, mass_r, edge_r = [], [], [], []
    for t, (u, v) in enumerate(deal.terms):
        at, theirs = t * n, v[columns] * second
        sums_x.append((at + each, each, -u[rows] * first))
        sums_r += [(at + each, at + each, ones), (at + each[1:], at + each[:-1], -ones[1:])]
        mass_r.append(_sum_to(total, at, theirs))
        edge_r += [_sum_to(below, at, theirs), _sum_to(not_above, at, theirs), _sum_to(total, at, -theirs)]
    _, same_0, same_1 = np.intersect1d(rows, columns, assume_unique=True, return_indices=True)
    blocked, ties = (
        NONE if law is None else (same_1, same_0, -first * second * law[rows][same_0])
        for law in (deal.blocked, deal.diagonal)
    )
    joined = [_joined(parts) for parts in (sums_x, sums_r, mass_r, edge_r)]
    return _Forms(n * len(deal.terms), joined[0], joined[1], blocked, joined[2], ties, joined[3])


def _entries(matrix: Floats) -> Entries:
    at, to = np.nonzero(matrix)
    return at, to, matrix[at, to]


def _joined(parts: list[Entries]) -> Entries:
    at, to, values = (np.concatenate(part) for part in zip(*parts, strict=True))
    return at, to, values


def _sum_to(ends: Ints, at: int, factors: Floats) -> Entries:
    """For each row, a factor times the running sum over the free hands before `ends`; the first sum is 0 and not a variable."""
    some = np.flatnonzero(ends)
    return some, at + ends[some] - 1, factors[some]


def _spread(entries: Entries, rows: Ints, columns: Ints, factors: Floats) -> Entries:
    """The entries once for each row and column where they start, times a factor."""
    at, to, values = entries
    return (
        (rows[:, None] + at).ravel(),
        (columns[:, None] + to).ravel(),
        np.outer(factors, values).ravel(),
    )


def improve(
    tree: BettingTree,
    deal: FiniteDeal,
    play: PlayOfBoth,
    free: tuple[Ints, Ints],
    pivots: int | None = None,
    basis: Basis | None = None,
) -> int:
    """Replace the strategies of the free hands by an equilibrium of the game in which all other hands are fixed.

    The variables are player 0's weights x, their running sums, and the least chips to which each free hand of player 1 can
    hold player 0 at each of player 1's nodes. The multipliers of these bounds are player 1's weights. The unit of chips is the
    most that an ending pays, since the program is solved to fixed tolerances. It starts from the `basis`, which is replaced too.

    Returns:
        The number of pivots.

    Raises:
        ArithmeticError: the program is not solved within this many pivots.
    """
    both = sides(tree)
    n, m = len(free[0]), len(free[1])
    # The endings of each case, with the deal's forms there and the place of its running sums among those of a slot.
    cases: list[tuple[CaseEndings, CaseEndings, FiniteDeal, _Forms, int]] = []
    r = 0
    for first, second in zip(both[0].endings, both[1].endings, strict=True):
        law = deal.in_case(first.case)
        cases.append((first, second, law, forms := _forms(law, *free), r))
        r += forms.sums
    slots, answers = both[0].size, both[1].size
    sums, least = slots * n, slots * (n + r)  # where these variables start, after the weights
    size = least + len(both[1].slots) * m

    scale = float(deal.size(0)) * deal.size(1)
    cost, bound = np.zeros((slots + 1, n)), np.zeros((answers + 1, m))
    at_most: list[Entries] = []
    for first, second, law, forms, behind in cases:
        mine, theirs, constants, stakes = _endings(tree, first.case)
        of_first = _from_fixed(both[0], second, law, play[0], free, 0) * scale
        of_second = _from_fixed(both[1], first, law, play[1], free, 1) * scale
        np.subtract.at(cost, mine, constants[:, None] * of_second[0, theirs] + stakes[:, None] * of_second[1, theirs])
        np.add.at(bound, theirs, constants[:, None] * of_first[0, mine] - stakes[:, None] * of_first[1, mine])
        acted = (mine > 0) & (theirs > 0)
        rows, weights, totals = (theirs[acted] - 1) * m, (mine[acted] - 1) * n, sums + (mine[acted] - 1) * r + behind
        at_most += [
            _spread(forms.mass_x, rows, weights, -constants[acted]),
            _spread(forms.edge_x, rows, weights, stakes[acted]),
            _spread(forms.mass_r, rows, totals, -constants[acted]),
            _spread(forms.edge_r, rows, totals, stakes[acted]),
        ]
    costs = np.zeros(size)
    costs[: slots * n] = cost[1:].ravel()
    each = np.arange(m), np.arange(m), np.ones(m)
    for k, (name, at) in enumerate(both[1].slots.items()):
        place = np.array([least + k * m])
        before = _sequence(tree, both[1], 1, name)
        at_most += [_spread(each, np.array([slot * m]), place, np.ones(1)) for slot in range(at.start, at.stop)]
        if before:
            at_most.append(_spread(each, np.array([(before - 1) * m]), place, -np.ones(1)))
        else:
            costs[place[0] : place[0] + m] = -1.0

    each = np.arange(n), np.arange(n), np.ones(n)
    right = np.zeros(len(both[0].slots) * n + slots * r)
    equal: list[Entries] = []
    for k, (name, at) in enumerate(both[0].slots.items()):
        before = _sequence(tree, both[0], 0, name)
        ways = np.arange(at.start, at.stop)
        equal.append(_spread(each, np.full(len(ways), k * n), ways * n, np.ones(len(ways))))
        if before:
            equal.append(_spread(each, np.array([k * n]), np.array([(before - 1) * n]), -np.ones(1)))
        else:
            right[k * n : (k + 1) * n] = 1.0
    every = np.arange(slots)
    for _, _, _, forms, behind in cases:
        starts = len(both[0].slots) * n + every * r + behind
        equal.append(_spread(forms.sums_x, starts, every * n, np.ones(slots)))
        equal.append(_spread(forms.sums_r, starts, sums + every * r + behind, np.ones(slots)))

    found = minimise(
        costs,
        _joined([*at_most, *((rows + answers * m, to, values) for rows, to, values in equal)]),
        np.concatenate([np.full(answers * m, -np.inf), right]),
        np.concatenate([bound[1:].ravel(), right]),
        np.arange(size) < sums,
        None if pivots is None else max(pivots, 1),
        basis=None
        if basis is None
        else np.concatenate([part[:, free[p]].ravel() for part, p in zip(basis, OWNERS, strict=True)]),
    )
    if basis is not None:
        ends = np.cumsum([len(part) * len(free[p]) for part, p in zip(basis, OWNERS, strict=True)])
        for part, p, new in zip(basis, OWNERS, np.split(found.basis, ends[:-1]), strict=True):
            part[:, free[p]] = new.reshape(len(part), -1)
    play_of_free = found.point[: slots * n].reshape(slots, n), -found.multipliers[: answers * m].reshape(answers, m)
    for player, (side, weight) in enumerate(zip(both, play_of_free, strict=True)):
        weight = np.maximum(weight, 0.0)
        for at in side.slots.values():
            total = weight[at].sum(0)
            reached = total > MIXED
            even = 1 / (at.stop - at.start)
            play[player][at, free[player]] = np.where(reached, weight[at] / np.where(reached, total, 1.0), even)
    return found.pivots


def _sequence(tree: BettingTree, side: SequenceForm, player: int, name: str) -> int:
    """The player's sequence at a node or ending: 0 before the player's first choice, else 1 plus the slot of the last."""
    last = tree.last_choice(name, player)
    return 0 if last is None else side.slots[last[0]].start + last[1] + 1


def _endings(tree: BettingTree, case: Case) -> tuple[Ints, Ints, Floats, Floats]:
    """Both players' sequences at each ending of a case, its constant and its stake, in units of the most that any ending pays."""
    both, names = sides(tree), [name for name in tree.leaves if tree.cases[name] == case]
    mine, theirs = (np.array([_sequence(tree, both[p], p, name) for name in names]) for p in (0, 1))
    unit = max(sum(map(abs, leaf.in_floats)) for leaf in tree.leaves.values()) or 1.0
    constants, stakes = np.array([tree.leaves[name].in_floats for name in names]).T
    return mine, theirs, constants / unit, stakes / unit


def _from_fixed(
    side: SequenceForm, of: CaseEndings, law: FiniteDeal, share: Floats, free: tuple[Ints, Ints], player: int
) -> Floats:
    """The operators on this player's fixed hands, at the other player's free hands: mass and edge, shape (2, sequences, free hands).

    Before the player acts, the free hands play like the fixed ones and are counted with them. The result is 0 for sequences
    that no ending `of` this case, as the other player sees them, follows.
    """
    used, hands = of.used, free[1 - player]
    reach = reach_probabilities(side, share)
    reach[1:, free[player]] = 0.0
    out = np.zeros((2, side.size + 1, len(hands)))
    if law.at_once:
        mass, edge = (np.array(rows) for rows in zip(*law.both(1 - player, list(reach[used])), strict=True))
    else:
        mass, edge = law.mass(1 - player, reach[used]), law.edge(1 - player, reach[used])
    out[0, used], out[1, used] = mass[:, hands], edge[:, hands]
    return out
