"""Exact equilibria of game trees with two players and zero sum: a linear program in floats first, its vertex then in fractions.

HiGHS says which realization weights are 0 and which conditions are tight. These give linear equations, which are solved in fractions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from relance.model.arrays import Array, Floats
from relance.model.game import Game
from relance.model.game_tree import GameTree, TreePayoffs, TreeProfile
from relance.solvers.exact_equations import ROUND, solve_refined
from relance.solvers.exact_lp import TOLERANCE
from relance.solvers.exact_simplex import LinearForm, add_multiple, sum_of_rows
from relance.solvers.program import GameProgram, game_program
from relance.solvers.sequence_form import behaviour

MOST_SETS = 3000
"""A game is solved exactly only if no player has more information sets than this."""

TIGHT = (1e-9, 1e-7, 1e-11)
"""Tolerances, tried in turn: a weight, a multiplier or the slack of a condition counts as 0 below it; the largest payoff is 1."""

Flags: TypeAlias = npt.NDArray[np.bool_]

FIXED = -1
"""The key of the constant in a linear form, {unknown: coefficient}."""

ZERO, ONE = Fraction(0), Fraction(1)

Pair: TypeAlias = tuple[Floats, Floats]
"""For each player an array, (sequences of that player,)."""


def check_solvable(tree: Game | GameTree) -> None:
    """Raise ValueError unless a game has two players, the same sum of payoffs at all terminal nodes, and no symbolic parameters."""
    try:
        _ = tree.max_chips
    except TypeError:
        raise ValueError(
            f"{tree} has symbolic parameters, but a solver needs numbers; relance.prove checks a profile for all values of the parameters"
        ) from None
    if tree.num_players != 2:
        raise ValueError(
            f"{tree} has {tree.num_players} players; only games of two are solved; relance.score scores profiles for any number of players"
        )
    if tree.utility_sum is None:
        raise ValueError(
            f"{tree} is not a game of zero sum: the sum of both players' payoffs differs from terminal node to terminal node. "
            "Relance solves only games of zero sum, but scores profiles of all games: relance.score(game, profile)"
        )


def check_exact(tree: GameTree, most: int | None = None, instead: str = "take a smaller game") -> None:
    """Raise ValueError unless a game has two players, constant sum, and at most `most` (`MOST_SETS`) information sets for each player."""
    check_solvable(tree)
    limit = MOST_SETS if most is None else most
    if (largest := most_sets(tree)) > limit:
        raise ValueError(
            f"{tree} has a player with {largest:,} information sets; an exact solution takes up to {limit:,}; {instead}"
        )


def program_of(tree: GameTree, exact: bool = False, player: int = 0) -> tuple[GameProgram, TreePayoffs]:
    """Return the linear program for the most `player` can guarantee, and its payoffs, in units of the largest payoff unless `exact`."""
    order = [player, 1 - player]
    own = tree.payoffs.pays[:, order[:1]]
    unit = Fraction(1) if exact else max(map(abs, own.flat), default=0) or 1
    paid = own if exact else np.array([float(Fraction(amount, unit)) for amount in own.flat]).reshape(own.shape)
    operator = TreePayoffs(tree.payoffs.rows[:, order], np.concatenate([paid, -paid], 1))
    return game_program([tree.forms[p] for p in order], operator, unit if exact else 1.0), operator


def float_realization_weights(program: GameProgram, presolve: bool = True, inside: bool = False) -> Pair:
    """Return both players' optimal realization weights, in floats, by HiGHS; options are those of `relance.solvers.highs.minimise`.

    Raises:
        ArithmeticError: HiGHS fails.
    """
    found = program.minimised(tolerance=TOLERANCE, inside=inside, presolve=presolve)
    first, second = (np.append(1.0, part) for part in program.weights(found.point, -found.multipliers))
    return first, second


def _tight(tree: GameTree, player: int, chips: Floats, tolerance: float) -> Flags:
    """Return for each sequence of a player whether some best response plays it; `chips` are the sequences' counterfactual values."""
    sets, chips = [*tree.infosets_of(player)], chips.copy()
    for s in reversed(sets):
        chips[s.before] += chips[s.first : s.after.stop].max()
    best = np.zeros(len(chips), bool)
    best[0] = True
    for s in sets:
        if best[s.before]:
            part = chips[s.first : s.after.stop]
            best[s.first : s.after.stop] = part >= part.max() - tolerance
    return best


def vertex(
    tree: GameTree, player: int, near: Floats, used: Flags, tight: Flags, simple: int = ROUND
) -> list[Fraction] | None:
    """Return exact realization weights of a player that make the opponent indifferent between some actions; None if none are found.

    `near`, (player's sequences,), has the weights roughly, in floats; where `used`, of the same shape, is False, the weight is 0. `tight`,
    (opponent's sequences,), marks the opponent's actions that must earn the same at each information set. If this indifference does not
    fix a weight, the weight is a fraction near its float with a denominator of at most `simple`. The result may have weights below 0.
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
    """Return the equations for exact realization weights that `vertex` solves; the arguments are those of `vertex`.

    Returns:
        For each sequence its weight as a form {unknown: coefficient, `FIXED`: constant}; the sequences whose weights are unknowns; the left
        sides {unknown: coefficient} and the right sides of the equations. None if a used sequence leads to a set without a used action.
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
    """The weights as linear forms of the unknowns, and the sequences whose weights are the unknowns.

    At each information set these are the sequences in `used`, except the one with the largest weight in `near`. None if a sequence in
    `used` leads to an information set without an action in `used`.
    """
    forms: list[dict[int, int]] = [{} for _ in range(tree.num_sequences[player])]
    forms[0], unknowns = {FIXED: 1}, list[int]()
    for s in tree.infosets_of(player):
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
    """Linear forms of the player's weights, all 0 if the opponent is indifferent between the actions in `tight` at each information set."""
    other = 1 - player
    chips: list[dict[int, int]] = [{} for _ in range(tree.num_sequences[other])]
    for key, pays in tree.payoffs.listed:
        if pays[player] and used[key[player]]:
            chips[key[other]][key[player]] = pays[player]
    out = []
    for s in reversed([*tree.infosets_of(other)]):
        fine = sorted((j for j in s.after if tight[j]), key=lambda j: len(chips[j]))
        out += [sum_of_rows([(1, chips[j]), (-1, chips[fine[0]])]) for j in fine[1:]]
        if fine:
            add_multiple(chips[s.before], 1, chips[fine[0]])
    return [row for row in out if row]


def profile_of_realization_weights(
    tree: GameTree, weights: Sequence[Sequence[Fraction]], solved_by: str = ""
) -> TreeProfile:
    """Return the profile with each player's realization weights; at an information set with only weights 0, the first action is taken."""
    of_players = zip(tree.forms, weights, strict=True)
    shares = [behaviour(form, np.array(of_player[1:], object)[:, None]) for form, of_player in of_players]
    return replace(tree.profile_from_arrays(shares), solved_by=solved_by)


def vertices(tree: GameTree) -> Iterator[list[Array]]:
    """Yield candidates for an equilibrium: exact realization weights of both players, each (actions, 1), near an optimum in floats."""
    program, operator = program_of(tree)
    for presolve in (True, False):
        try:
            near = float_realization_weights(program, presolve)
        except ArithmeticError:
            continue
        chips = [np.zeros((size, 1)) for size in tree.num_sequences]
        for player, values in enumerate(chips):
            operator.pay_cases(player, (), near[1 - player][:, None], values)
        for tolerance in TIGHT:
            sides = []
            for player in (0, 1):
                used = near[player] > tolerance
                used[0] = True
                best = _tight(tree, 1 - player, chips[1 - player][:, 0], tolerance)
                weights = vertex(tree, player, near[player], used, best)
                if weights is None or min(weights) < 0:
                    break
                sides.append(np.array(weights[1:], object)[:, None])
            else:
                yield sides


def flow_equations(tree: GameTree, player: int) -> list[tuple[LinearForm, Fraction]]:
    """Return equations (form, right side): the empty sequence weighs 1; actions at an information set together weigh what leads there."""
    sets = tree.infosets_of(player)
    return [({0: ONE}, ONE), *(({**dict.fromkeys(s.after, ONE), s.before: -ONE}, ZERO) for s in sets)]


def most_sets(tree: GameTree) -> int:
    """Return the number of information sets of the player who has the most."""
    return max(sum(1 for _ in tree.infosets_of(player)) for player in range(tree.num_players))
