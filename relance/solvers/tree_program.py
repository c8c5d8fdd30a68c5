"""Equilibria of game trees with two players and zero sum, exact: a linear program in floats first, its vertex then in fractions.

The program maximises what player 0 can guarantee (Koller, Megiddo and von Stengel 1996): a weight for each sequence of player 0, and the
least chips to which player 1 can hold them from each of player 1's information sets on. Its multipliers are player 1's weights. HiGHS
says which weights are 0 and which conditions are tight; these are linear equations, solved in fractions. The strategies are accepted
only if neither player can gain anything by a best response, in fractions.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from relance.model.arrays import Floats
from relance.model.game import Game
from relance.model.game_tree import GameTree, TreeProfile
from relance.solvers.exact_equations import ROUND, solve_refined
from relance.solvers.exact_lp import TOLERANCE, NotCertifiedError, Program
from relance.solvers.exact_simplex import LinearForm, add_multiple, sum_of_rows
from relance.solvers.highs import minimise
from relance.solvers.tree_values import judge

MOST_SETS = 3000
"""The most information sets of a player for an exact solution."""

TIGHT = (1e-9, 1e-7, 1e-11)
"""In turn: how near 0 a weight, a multiplier or the room of a condition counts as 0, with the largest payoff 1."""

Flags: TypeAlias = npt.NDArray[np.bool_]

FIXED = -1
"""The key of the constant of a linear form."""

ZERO, ONE = Fraction(0), Fraction(1)


Pair: TypeAlias = tuple[Floats, Floats]
"""For each player an array over their sequences."""


def check_solvable(tree: Game | GameTree) -> None:
    """Raise ValueError unless a game has two players and the payoffs of an ending always have one sum."""
    if tree.players != 2:
        raise ValueError(
            f"{tree} has {tree.players} players; games of two are solved, and profiles of any number are judged by relance.score"
        )
    if tree.sum is None:
        raise ValueError(
            f"{tree} is not a game of zero sum: what both players get together differs from ending to ending. Relance solves games of zero "
            "sum, and judges profiles of all: relance.score(game, profile)"
        )


def check_exact(tree: GameTree, most: int | None = None, instead: str = "take a smaller game") -> None:
    """Raise ValueError for a game that is not solved, or has more than `most` information sets of a player, `MOST_SETS` if None."""
    check_solvable(tree)
    limit = MOST_SETS if most is None else most
    if (largest := most_sets(tree)) > limit:
        raise ValueError(
            f"{tree} has {largest:,} information sets of a player; up to {limit:,} are solved exactly; {instead}"
        )


def float_weights(tree: GameTree, presolve: bool = True, inside: bool = False) -> Pair:
    """Optimal weights of both players' sequences in floats, by HiGHS; with `inside`, inside the sets of all optimal weights.

    Raises:
        ArithmeticError: HiGHS fails.
    """
    (n, m), payoffs = tree.sizes, sparse_payoffs(tree).tocoo()
    flows, chips = (_constraints(tree, player).tocoo() for player in (0, 1))
    rows, columns = (
        m + flows.shape[0],
        n + chips.shape[0],
    )  # a row for each sequence of player 1, one for each flow of player 0
    cost, right = np.zeros(columns), np.zeros(rows)
    cost[n], right[m] = -1.0, 1.0  # the chips at the root; the weight of the empty sequence
    entries = (
        np.concatenate([payoffs.col, chips.col, flows.row + m]).astype(np.int64),
        np.concatenate([payoffs.row, chips.row + n, flows.col]).astype(np.int64),
        np.concatenate([-payoffs.data, chips.data, flows.data]),
    )
    low = np.where(np.arange(rows) < m, -np.inf, right)
    found = minimise(
        cost, entries, low, right, np.arange(columns) < n, tolerance=TOLERANCE, inside=inside, presolve=presolve
    )
    return found.point[:n], -found.multipliers[:m]


def sparse_payoffs(tree: GameTree) -> Any:
    """The payoffs to player 0 by both players' sequences, sparse, with the largest entry 1: floats compare with fixed tolerances."""
    from scipy.sparse import coo_array

    most = max((abs(pays[0]) for pays in tree.endings.values()), default=ONE) or ONE
    keys = np.array([*tree.endings], dtype=np.int64).reshape(-1, 2)
    pays = np.array([float(pays[0] / most) for pays in tree.endings.values()])
    return coo_array((pays, (keys[:, 0], keys[:, 1])), shape=tree.sizes).tocsr()


def _tight(tree: GameTree, player: int, chips: Floats, tolerance: float) -> Flags:
    """Return which sequences of a player are best, of those that best sequences lead to; `chips` are their counterfactual values."""
    sets, chips = [*tree.sets_of(player)], chips.copy()
    for s in reversed(sets):
        chips[s.before] += chips[s.first : s.after.stop].max()
    best = np.zeros(len(chips), bool)
    best[0] = True
    for s in sets:
        if best[s.before]:
            part = chips[s.first : s.after.stop]
            best[s.first : s.after.stop] = part >= part.max() - tolerance
    return best


def _constraints(tree: GameTree, player: int) -> Any:
    """The sparse matrix, (1 + information sets, sequences): the empty sequence has weight 1, and actions add up to what led there."""
    from scipy.sparse import coo_array

    rows, columns, values = [0], [0], [1.0]
    count = 1
    for s in tree.sets_of(player):
        rows += [count] * (len(s.actions) + 1)
        columns += [*s.after, s.before]
        values += [1.0] * len(s.actions) + [-1.0]
        count += 1
    return coo_array((values, (rows, columns)), shape=(count, tree.sizes[player])).tocsr()


def vertex(
    tree: GameTree, player: int, near: Floats, used: Flags, tight: Flags, simple: int = ROUND
) -> list[Fraction] | None:
    """The weights of a player, `near` these, that are 0 outside `used` and make the opponent's sequences in `tight` equally good.

    `simple` is the largest denominator of a weight that is left free.
    """
    found = vertex_equations(tree, player, near, used, tight)
    if found is None:
        return None
    forms, unknowns, rows, right = found
    solved = solve_refined(rows, right, [float(near[j]) for j in unknowns], simple)
    if solved is None:
        return None
    values = {FIXED: ONE, **dict(enumerate(solved))}
    return [sum((sign * values[k] for k, sign in form.items()), ZERO) for form in forms]


def vertex_equations(
    tree: GameTree, player: int, near: Floats, used: Flags, tight: Flags
) -> tuple[list[dict[int, int]], list[int], list[dict[int, int]], list[int]] | None:
    """The equations for these weights; None if a sequence in use is followed by an information set without one.

    Returns:
        Each weight as a linear form of the unknowns, with its constant at `FIXED`; the sequences whose weights are unknown; and the rows
        and right sides of the equations.
    """
    parts = _parts(tree, player, near, used)
    if parts is None:
        return None
    forms, unknowns = parts
    rows, right = [], []
    for row in _indifference(tree, player, used, tight):
        total = sum_of_rows((c, forms[j]) for j, c in row.items())
        right.append(-total.pop(FIXED, 0))
        rows.append(total)
    return forms, unknowns, rows, right


def _parts(tree: GameTree, player: int, near: Floats, used: Flags) -> tuple[list[dict[int, int]], list[int]] | None:
    """The weights as linear forms of the unknowns, which are all weights in use but the largest one of each information set.

    None if a sequence in use is followed by an information set without one.
    """
    forms: list[dict[int, int]] = [{} for _ in range(tree.sizes[player])]
    forms[0], unknowns = {FIXED: 1}, list[int]()
    for s in tree.sets_of(player):
        if not used[s.before]:
            continue
        mine = [j for j in s.after if used[j]]
        if not mine:
            return None
        rest = max(mine, key=near.__getitem__)
        forms[rest] = dict(forms[s.before])
        for j in mine:
            if j != rest:
                forms[j] = {len(unknowns): 1}
                forms[rest][len(unknowns)] = -1
                unknowns.append(j)
    return forms, unknowns


def _indifference(tree: GameTree, player: int, used: Flags, tight: Flags) -> list[dict[int, int]]:
    """Linear forms of the player's weights that are 0 if the opponent is indifferent between the tight actions of each information set."""
    other = 1 - player
    chips: list[dict[int, int]] = [{} for _ in range(tree.sizes[other])]
    for key, pays in tree.scaled.pays:
        if pays[player] and used[key[player]]:
            chips[key[other]][key[player]] = pays[player]
    out = []
    for s in reversed([*tree.sets_of(other)]):
        fine = sorted((j for j in s.after if tight[j]), key=lambda j: len(chips[j]))
        out += [sum_of_rows([(1, chips[j]), (-1, chips[fine[0]])]) for j in fine[1:]]
        if fine:
            add_multiple(chips[s.before], 1, chips[fine[0]])
    return [row for row in out if row]


def profile_of_weights(tree: GameTree, weights: tuple[list[Fraction], ...], solved_by: str = "") -> TreeProfile:
    """The profile with these weights of sequences; where a player's own play never leads, the first action."""
    table = {}
    for s in tree.sets:
        at = weights[s.player]
        if reach := at[s.before]:
            table[s.name] = {action: at[j] / reach for action, j in zip(s.actions, s.after, strict=True)}
        else:
            table[s.name] = {action: Fraction(j == s.first) for action, j in zip(s.actions, s.after, strict=True)}
    return TreeProfile(tree, table, solved_by)


def _candidates(tree: GameTree) -> Iterator[tuple[list[Fraction], ...]]:
    """Exact weights of both players that may be optimal: by the floats, then by exact pivots."""
    for presolve in (True, False):
        try:
            near = float_weights(tree, presolve)
        except ArithmeticError:
            continue
        payoffs = sparse_payoffs(tree)
        chips = payoffs @ near[1], -payoffs.T @ near[0]
        for tolerance in TIGHT:
            sides = []
            for player in (0, 1):
                used = near[player] > tolerance
                used[0] = True
                best = _tight(tree, 1 - player, chips[1 - player], tolerance)
                weights = vertex(tree, player, near[player], used, best)
                if weights is None or min(weights) < 0:
                    break
                sides.append(weights)
            else:
                yield tuple(sides)
    yield tuple(_by_pivots(tree, player) for player in (0, 1))


def _by_pivots(tree: GameTree, player: int) -> list[Fraction]:
    """Optimal weights of a player by `Program.solve`, whatever floats can do."""
    program, other = Program(), 1 - player
    program.variables(tree.sizes[player], nonnegative=True)
    program.equal += flow_equations(tree, player)
    (value,) = program.variables(1)
    rows: list[LinearForm] = [{} for _ in range(tree.sizes[other])]
    rows[0][value] = ONE
    for s in tree.sets_of(other):
        (chips,) = program.variables(1)
        for j in s.after:
            rows[j][chips] = ONE
        rows[s.before][chips] = -ONE
    for key, pays in tree.endings.items():
        if pays[player]:
            rows[key[other]][key[player]] = -pays[player]
    program.objective = {value: ONE}
    program.at_most = [(row, ZERO) for row in rows]
    _, point = program.solve()
    return point[: tree.sizes[player]]


def flow_equations(tree: GameTree, player: int) -> list[tuple[LinearForm, Fraction]]:
    """A player's weights by sequence: 1 for none, and those after an information set sum to the one before it."""
    return [({0: ONE}, ONE), *(({**dict.fromkeys(s.after, ONE), s.before: -ONE}, ZERO) for s in tree.sets_of(player))]


def most_sets(tree: GameTree) -> int:
    """The number of information sets of the player who has more."""
    return max(sum(1 for _ in tree.sets_of(player)) for player in range(tree.players))


def solve_tree(tree: GameTree) -> TreeProfile:
    """Return an exact equilibrium of a game of two players and zero sum.

    Raises:
        ValueError: the game has more players or another sum, or more than `MOST_SETS` information sets of a player.
        NotCertifiedError: no candidate passes, which is a bug in the solver.
    """
    check_exact(tree, instead="with a tolerance, such as 1e-4, it is solved to an exact bound")
    for weights in _candidates(tree):
        profile = profile_of_weights(tree, weights, "an exact linear program")
        if judge(tree, profile).nash_conv == 0:
            return profile
    raise NotCertifiedError("no optimum passes the exact check, which is a fault of Relance; please report the game")
