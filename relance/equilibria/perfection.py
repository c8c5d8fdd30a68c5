"""Quasi-perfect equilibria: strategies that also play well where mistakes have happened, found and decided exactly.

In a quasi-perfect equilibrium (van Damme 1984) each player does best at each of their information sets against opponents who make every
mistake with a small probability, while the player makes none from there on.

Deciding. A player's chips at an information set are linear in the opponent's realization weights, and so are the conditions that the
opponent's behaviour at each of their own sets is within eps of the profile's. So a profile is quasi-perfect if and only if there are, for
each player, weights w0 + eps w1 + eps^2 w2 + ... of an opponent who plays everything, whose behaviour at every information set tends to
the profile's as eps tends to 0, and against whom the player does best everywhere for each small eps. Linear programs find w0, w1, ... in
turn. The first of these that leads to an information set plays there as the profile does; what later ones add is small. Each program
gives a weight to all sequences, and makes strict all comparisons of chips, for which this is possible: mixed opponents keep what each
has. If a program finds nothing new before all sequences have a weight, there is no such opponent.

Finding. If each sequence of n actions has to have at least the weight eps^n, solutions for small eps tend to quasi-perfect equilibria
(Miltersen and Sorensen 2010). The matrix of this program is free of eps, so each weight in the solution of a basis is a series
a + b eps + c eps^2 + ..., and the basis is optimal for all small eps if the first terms have the right signs. A program in floats says
which basis that may be (Farina, Gatti and Sandholm 2018), and linear equations in fractions what its series are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

import numpy as np

from relance.model.arguments import checked
from relance.model.arrays import Array, Floats
from relance.model.game_tree import GameTree, TreeProfile, as_tree
from relance.model.limits import check_time
from relance.model.sequences import Group
from relance.solvers.exact_equations import solve_refined
from relance.solvers.exact_lp import TOLERANCE, NotCertifiedError, Program
from relance.solvers.exact_simplex import ONE, ZERO, LinearForm, add_multiple, sum_of_rows
from relance.solvers.highs import BASIC
from relance.solvers.program import GameProgram
from relance.solvers.sequence_form import back_up
from relance.solvers.tree_program import Flags, check_exact, program_of
from relance.solvers.tree_values import RealizationWeights, as_tree_profile, counterfactual, realization_weights

STARTS = (1e-5, 1e4), (1e-5, 1e3), (1e-6, 1e4), (1e-4, 1e4), (1e-3, 1e3)
"""Tried in turn: eps in the first program in floats, and a factor for its numbers, so that eps^2 and eps^3 are far above the tolerance."""

ROUNDS = 10
"""The most linear programs in floats from one of `STARTS`: one is enough for most games, and Leduc poker takes four."""

NEXT = 0.1
"""eps in the second program in floats, which needs only the signs and the order of numbers; a half of this in the third, then a third."""

CUBED = 2e-10
"""A quasi-perfect equilibrium takes about this many seconds times the cube of the number of both players' sequences."""


class RefinementFault(NamedTuple):
    """An information set at which a player's strategy is not best.

    Attributes:
        player: 0 or 1, the player who acts there.
        information_set: the name.
        text: the reason: what is better, or against which opponents the strategy is not best.
    """

    player: int
    information_set: str
    text: str


@dataclass(frozen=True)
class Refinement:
    """Whether a profile is quasi-perfect.

    Attributes:
        tree: the game.
        profile: the strategies of both players.
        faults: the information sets at which a player's strategy is not best. The profile is quasi-perfect just if `faults` is empty.
        witnesses: for each player with no entry in `faults`, an opponent who takes every action; the player's strategy is best against this
            opponent at each information set. A witness lists w0, w1, ...: for each small enough eps, the opponent's realization weights are
            w0 + eps w1 + eps^2 w2 + ... up to a factor. As eps tends to 0, the opponent's behaviour strategy tends to the profile's.
    """

    tree: GameTree
    profile: TreeProfile
    faults: tuple[RefinementFault, ...]
    witnesses: Mapping[int, tuple[tuple[Fraction, ...], ...]]

    @property
    def quasi_perfect(self) -> bool:
        """True if the profile is a quasi-perfect equilibrium, which is so if and only if `faults` is empty."""
        return not self.faults

    def __str__(self) -> str:
        head = f"{self.tree}: {'quasi-perfect' if self.quasi_perfect else 'not quasi-perfect'}"
        return "\n".join(
            [head, *(f"  player {f.player} at {' '.join(f.information_set.split())!r}: {f.text}" for f in self.faults)]
        )


@checked
def refinement(game: object, profile: Any) -> Refinement:
    """Return whether a profile of a game of two players is a quasi-perfect equilibrium, exactly, and why not; payoffs may be any.

    Args:
        game: a game tree, or what `relance.game_tree` takes.
        profile: the strategies of both players.

    Raises:
        ValueError: the game does not have two players, or the profile does not fit.
    """
    tree = as_tree(game)
    if tree.num_players != 2:
        raise ValueError(f"{tree} has {tree.num_players} players; refinements are decided only for two")
    played, faults, witnesses = (
        as_tree_profile(tree, profile),
        list[RefinementFault](),
        dict[int, tuple[tuple[Fraction, ...], ...]](),
    )
    for player in (0, 1):
        wrong = _not_best(tree, player, played, realization_weights(tree, played, 1 - player))
        faults += wrong
        if wrong:
            continue
        sets = [s.name for s in tree.infosets_of(player)]
        if opponent := _witness(tree, player, played, sets):
            witnesses[player] = opponent
            continue
        text = "no opponent who makes each mistake, but rarely, makes this best"
        group = [name for name in sets if not _witness(tree, player, played, [name])]
        if not group:  # what is then left cannot be spared: without any one of them there is an opponent
            text, group = f"{text} at all of these together", sets
            for name in sets:
                rest = [other for other in group if other != name]
                if not _witness(tree, player, played, rest):
                    group = rest
        faults += [RefinementFault(player, name, text) for name in group]
    return Refinement(tree, played, tuple(faults), witnesses)


def _not_best(tree: GameTree, player: int, played: TreeProfile, theirs: RealizationWeights) -> list[RefinementFault]:
    """Where the player's strategy is not best against the opponent's weights, also where the player's own actions never lead."""
    room = _room(tree, player, played, counterfactual(tree, player, [theirs, theirs]).at)
    out = []
    for s in tree.infosets_of(player):
        here = [room[j] for j in s.after]
        if min(here) < 0:
            best = s.actions[here.index(min(here))]
            out.append(RefinementFault(player, s.name, f"{best} is better against the profile"))
    return out


def _room(tree: GameTree, player: int, played: TreeProfile, values: Array) -> list[Any]:
    """How much worse each sequence of a player is than their own strategy at its information set, by counterfactual values."""
    chips, room = values[:, 0].tolist(), [ZERO] * len(values)
    for s in reversed([*tree.infosets_of(player)]):
        mean = sum((p * chips[j] for p, j in zip(played[s.name].values(), s.after, strict=True) if p), ZERO)
        for j in s.after:
            room[j] = mean - chips[j]
        chips[s.before] += mean
    return room


def _witness(
    tree: GameTree, player: int, played: TreeProfile, names: Collection[str]
) -> tuple[tuple[Fraction, ...], ...] | None:
    """Weights of an opponent as in `Refinement.witnesses`, against whom the player does best at these sets; None if none is."""
    led, worse = set[int](), set[int]()  # the opponent's sequences with a weight so far; the player's that are worse
    out = list[tuple[Fraction, ...]]()
    while len(led) < tree.num_sequences[1 - player]:
        program = Program()
        theirs = _next_weights(tree, 1 - player, played, led, program)
        signs = [(led, j, form) for j, form in enumerate(theirs) if j not in led and form]
        signs += [
            (worse, j, form) for j, form in _losses(tree, player, played, theirs, names, program) if j not in worse
        ]
        above = program.variables(len(signs), nonnegative=True)
        for k, (_, _, form) in zip(above, signs, strict=True):  # 1 if the form can be above 0, as all can be scaled
            program.at_most += [({k: ONE}, ONE), (sum_of_rows([(ONE, {k: ONE}), (-ONE, form)]), ZERO)]
            program.objective[k] = ONE
        most, point = program.solve()
        if not most:
            return None
        for k, (signed, j, _) in zip(above, signs, strict=True):
            if point[k]:
                signed.add(j)
        out.append(tuple(sum((c * point[k] for k, c in form.items()), ZERO) for form in theirs))
    return tuple(out)


def _next_weights(
    tree: GameTree, player: int, played: TreeProfile, led: Collection[int], program: Program
) -> list[LinearForm]:
    """A player's next weights as linear forms: any where sequences have a weight, mistakes after these, then as in the profile."""
    forms: list[LinearForm] = [{} for _ in range(tree.num_sequences[player])]
    if not led:
        forms[0] = {program.variables(1, nonnegative=True)[0]: ONE}
    for s in tree.infosets_of(player):
        if s.before in led:
            rest = next(j for j in s.after if j in led)
            others = [j for j in s.after if j != rest]
            for j in others:
                forms[j] = {program.variables(1, nonnegative=j not in led)[0]: ONE}
            forms[rest] = sum_of_rows([(ONE, forms[s.before]), *((-ONE, forms[j]) for j in others)])
        else:
            for j, p in zip(s.after, played[s.name].values(), strict=True):
                forms[j] = {k: p * c for k, c in forms[s.before].items() if p}
    return forms


def _losses(
    tree: GameTree,
    player: int,
    played: TreeProfile,
    theirs: Sequence[LinearForm],
    names: Collection[str],
    program: Program,
) -> Iterator[tuple[int, LinearForm]]:
    """By how much each sequence at these information sets that the player does not use earns less than those that they do use."""
    chips: list[LinearForm] = [{} for _ in range(tree.num_sequences[player])]
    for key, pays in tree.terminals.items():
        add_multiple(chips[key[player]], pays[player], theirs[key[1 - player]])
    for s in reversed([*tree.infosets_of(player)]):
        (value,) = program.variables(1)
        distribution = dict(zip(s.after, played[s.name].values(), strict=True))
        program.equal.append(
            (sum_of_rows([(-ONE, {value: ONE}), *((p, chips[j]) for j, p in distribution.items())]), ZERO)
        )
        for j, p in distribution.items():
            loss = sum_of_rows([(ONE, {value: ONE}), (-ONE, chips[j])])
            if s.name in names and p:
                program.equal.append((loss, ZERO))
            elif s.name in names:
                yield j, loss
        chips[s.before] = sum_of_rows([(ONE, chips[s.before]), (ONE, {value: ONE})])


@checked
def quasi_perfect(game: object) -> TreeProfile:
    """Return a quasi-perfect equilibrium of a game of two players and zero sum, exact.

    Args:
        game: a game tree, or what `relance.game_tree` takes.

    Raises:
        ValueError: the game is not of two players and zero sum, or has more than `relance.solvers.tree_program.MOST_SETS` information
            sets of a player.
        NotCertifiedError: no equilibrium is found, or the one found is not quasi-perfect, which is a bug in the solver.
    """
    tree = as_tree(game)
    check_exact(tree)
    check_time(time_needed(tree), f"a quasi-perfect equilibrium of {tree}", "take a smaller game")
    both = _mistaken(tree)
    found = TreeProfile(tree, _limits(tree, both), "a linear program in which each mistake has a small probability")
    for player in (0, 1):
        theirs = realization_weights(tree, found, 1 - player)
        if _not_best(tree, player, found, theirs) or not _has_witness(tree, player, found, both[1 - player]):
            raise NotCertifiedError(
                f"the equilibrium found of {tree} is not quasi-perfect, which is a fault of Relance; please report it"
            )
    return found


def time_needed(tree: GameTree) -> float:
    """Return about how many seconds `quasi_perfect` takes on a game; the estimate may be wrong by a factor of three."""
    return CUBED * float(sum(tree.num_sequences)) ** 3


def _has_witness(tree: GameTree, player: int, played: TreeProfile, theirs: RealizationWeights) -> bool:
    """True if for some eps the opponent with these series plays everything, and the player does best at each set against them."""
    for bits in (32, 128, 512, 2048):
        at = 0 * theirs.at[:, :1]
        for column in theirs.at.T:  # eps is 2 ** -bits, and all are multiplied by a power of it
            at = (at << bits) + column[:, None]
        if at.min() > 0 and not _not_best(tree, player, played, RealizationWeights(1, at)):
            return True
    return False


def _mistaken(tree: GameTree) -> tuple[RealizationWeights, RealizationWeights]:
    """Optimal weights of both players for all small eps if sequences of n actions have at least the weight eps^n.

    They are series: (sequences, powers of eps) from eps^0. A basis of the linear program that is optimal for an eps in floats may be wrong
    for smaller ones. Its series say exactly where; the next program starts there, with numbers of these signs.
    """
    program, _ = program_of(tree)
    least = [_least(tree, player) for player in (0, 1)]
    most = max(map(abs, tree.payoffs.pays[:, 0]), default=0) or 1
    none = np.zeros(len(program.costs) - program.weighed)
    for eps, large in STARTS:
        basis = None
        asked = _with_least(program, *((part @ eps ** np.arange(part.shape[1])).astype(float) for part in least))
        asked = replace(asked, costs=asked.costs * large, bound=asked.bound * large, right=asked.right * large)
        for turn in range(1, 1 + ROUNDS):
            try:
                basis = asked.minimised(tolerance=TOLERANCE, basis=basis).basis
            except ArithmeticError:
                break
            used = (
                np.append(True, basis[: program.weighed] == BASIC),
                np.append(True, basis[len(program.costs) :][: len(program.bound)] != BASIC),
            )
            first, second = (_series(tree, p, least[p], used[p], used[1 - p]) for p in (0, 1))
            if first is None or second is None:
                break
            both = first, second
            # weights above the least ones, and chips below the best; the one of a player and the other of the opponent have one unit
            above = [
                _first_terms(of.at - of.unit * low, of.unit, NEXT / turn) for of, low in zip(both, least, strict=True)
            ]
            below = [_first_terms(*_gaps(tree, p, both[1 - p], used[p], most), NEXT / turn) for p in (0, 1)]
            if min(part.min() for part in (*above, *below)) >= 0:
                return both
            sides = []
            for p in (0, 1):
                numbers = np.append(above[p], below[1 - p])
                unit = -numbers.min() if numbers.min() < 0 else numbers[numbers > 0].min()
                sides.append((-above[p] / unit, below[1 - p][1:] / unit))
            (low, bound), (theirs, costs) = sides
            asked = replace(program, costs=np.append(costs, none), bound=bound, right=0 * program.right)
            asked = _with_least(asked, low, theirs)
    raise NotCertifiedError(
        f"no quasi-perfect equilibrium of {tree} is found, which is a fault of Relance; please report the game"
    )


def _least(tree: GameTree, player: int) -> Array:
    """The least weight of each sequence, as a series; the empty sequence has none."""
    count = [0] * tree.num_sequences[player]
    for s in tree.infosets_of(player):
        for j in s.after:
            count[j] = count[s.before] + 1
    least = np.zeros((len(count), 1 + max(count)), object)
    least[np.arange(1, len(count)), count[1:]] = 1
    return least


def _first_terms(series: Array, unit: int, eps: float) -> Floats:
    """The first term of each series, (n, powers), at an eps: its sign is that of the series at all small ones."""
    out = np.zeros(len(series))
    for power, column in enumerate(series.T.tolist()):
        term = np.array([float(Fraction(c, unit)) for c in column]) * eps**power
        out = np.where(out == 0, term, out)
    return out


def _with_least(program: GameProgram, first: Floats, second: Floats) -> GameProgram:
    """The program for what both players have above these least weights, one for each sequence."""
    rows, columns, values = program.at_most
    at, to, amounts = program.equal
    low, theirs = np.append(first[1:], np.zeros(len(program.costs) - program.weighed)), second[1:]
    return replace(
        program,
        costs=program.costs + np.bincount(columns, values * theirs[rows], len(program.costs)),
        bound=program.bound - np.bincount(rows, values * low[columns], len(program.bound)),
        right=program.right - np.bincount(at, amounts * low[to], len(program.right)),
    )


def _series(tree: GameTree, player: int, least: Array, used: Flags, tight: Flags) -> RealizationWeights | None:
    """The player's weights if all but those in use are the least, and the opponent's tight sequences are equally good; None if none are.

    Where nothing is in use, what leads there has as much weight as the least ones need; where nothing is tight, the chips are free.
    """
    other, unknowns, rows = 1 - player, 0, list[dict[int, int]]()
    forms = [{~int(row.argmax()): 1} for row in least]  # eps^n at ~n
    for s in tree.infosets_of(player):
        mine = [j for j in s.after if used[j]]
        for j in mine[1:]:
            forms[j] = {unknowns: 1}
            unknowns += 1
        rest = sum_of_rows([(1, forms[s.before]), *((-1, forms[j]) for j in s.after if j not in mine[:1])])
        if mine:
            forms[mine[0]] = rest
        else:
            rows.append(rest)
    chips: list[dict[int, int]] = [{} for _ in range(tree.num_sequences[other])]
    for key, pays in tree.payoffs.listed:
        if pays[player]:
            chips[key[other]][key[player]] = pays[player]
    for s in reversed([*tree.infosets_of(other)]):
        fine = sorted((j for j in s.after if tight[j]), key=lambda j: len(chips[j]))
        for j in fine[1:]:
            difference = sum_of_rows([(1, chips[j]), (-1, chips[fine[0]])])
            rows.append(sum_of_rows((c, forms[i]) for i, c in difference.items()))
        add_multiple(chips[s.before], 1, chips[fine[0]] if fine else {len(forms): 1})
        if not fine:
            forms.append({unknowns: 1})
            unknowns += 1
    left, out = [{j: c for j, c in row.items() if j >= 0} for row in rows], []
    for power in range(least.shape[1]):
        solved = solve_refined(left, [-row.get(~power, 0) for row in rows], [0.0] * unknowns)
        if solved is None:
            return None
        values = {~power: ONE, **dict(enumerate(solved))}
        out.append([sum((c * values[i] for i, c in form.items() if i in values), ZERO) for form in forms[: len(least)]])
    unit = lcm(*(weight.denominator for row in out for weight in row))
    whole = [[weight.numerator * (unit // weight.denominator) for weight in row] for row in out]
    return RealizationWeights(unit, np.array(whole, object).T)


def _gaps(tree: GameTree, player: int, theirs: RealizationWeights, used: Flags, most: int) -> tuple[Array, int]:
    """How much worse each sequence is than the first one in use at its information set, as a series times a unit, with `most` chips 1."""
    parts = [theirs._replace(at=column[:, None]) for column in theirs.at.T]
    chips = np.concatenate([counterfactual(tree, player, [part, part]).at for part in parts], axis=1)
    gaps = np.zeros_like(chips)

    def first_used(group: Group, here: Array) -> Array:
        first = group.of(used[1:]).argmax(1)
        most: Array = np.take_along_axis(here, first[:, :, None], 1)
        group.of(gaps[1:])[:] = most - here
        return most[:, 0]

    back_up(tree.forms[player], chips, first_used)
    return gaps, theirs.unit * most


def _limits(tree: GameTree, both: Sequence[RealizationWeights]) -> dict[str, Mapping[str, Fraction]]:
    """The distributions to which weights tend as eps tends to 0: by the first power that any action has."""
    out: dict[str, Mapping[str, Fraction]] = {}
    for s in tree.infosets:
        parts = next(column for column in both[s.player].at[s.first : s.after.stop].T.tolist() if any(column))
        out[s.name] = {action: Fraction(part, sum(parts)) for action, part in zip(s.actions, parts, strict=True)}
    return out
