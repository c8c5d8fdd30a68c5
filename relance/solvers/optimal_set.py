"""The set of all optimal strategies of a player: a polytope of realization weights, in fractions.

It follows from one strictly complementary pair of optimal strategies (Goldman and Tucker 1956): each sequence that some optimal strategy
uses has a weight above 0, and each other sequence loses chips against the other player's strategy. Then a strategy of the player is
optimal if and only if it uses only sequences with weight, the opponent's sequences with weight are equally good against it, and no other
sequence of the opponent is better. The first two conditions are equations, which leave `dimension` weights free: the coordinates.

The third is an inequality for each deviation, as many as the opponent has pure strategies; each is added only when a point violates it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from relance.model.arguments import Seat, checked
from relance.model.game import Game
from relance.model.game_tree import GameTree, InformationSet, TreeProfile, as_tree
from relance.model.numbers import Number, fraction, short
from relance.model.renamed import HasOldNames
from relance.solvers.exact_lp import FEW, NotCertifiedError, Program
from relance.solvers.exact_simplex import CONSTANT, ONE, ZERO, LinearForm, add_multiple, sum_of_rows
from relance.solvers.polytope import (
    NEGLIGIBLE,
    Inequality,
    distinct,
    list_corners,
    nearest_point,
    value_of,
)
from relance.solvers.tree_program import (
    check_exact,
    float_realization_weights,
    profile_of_realization_weights,
    program_of,
    vertex,
    vertex_equations,
)
from relance.solvers.tree_values import (
    RealizationWeights,
    as_tree_profile,
    counterfactual,
    evaluate,
    realization_weights,
)

NEAR = (1e-6, 1e-5, 1e-7, 1e-4, 1e-8, 1e-3, 1e-9)
"""Tolerances, tried in turn: a realization weight of the interior point in floats counts as 0 below it."""

FINE = 10**6
"""The largest denominator of a free weight when the interior point is made exact."""

MOST_CORNERS = 20
"""Corners are listed only of sets with at most this many coordinates."""


class OpponentDeviation(NamedTuple):
    """A deviation: the opponent plays `sequence` and, at later information sets, the best sequences `then`; `better` is the gain."""

    sequence: int
    then: tuple[int, ...]
    better: Any


class Nearest(NamedTuple):
    """A profile with the optimal strategy nearest to a given one, and their squared Euclidean distance in realization weights."""

    profile: TreeProfile
    squared_distance: Fraction

    @property
    def distance(self) -> float:
        """The Euclidean distance between the realization weights of both strategies, rounded to a float."""
        return math.sqrt(self.squared_distance)


@dataclass(frozen=True, eq=False)
class OptimalSet(HasOldNames):
    """All optimal strategies of `player`, as realization weights: the products of the player's own probabilities.

    Attributes:
        tree: the game.
        player: 0 or 1.
        value: the chips that an optimal strategy guarantees the player.
        forms: the weight of each sequence as a linear form of the coordinates, with its constant at `CONSTANT`.
        free: the sequences whose weights are the coordinates.
        inside: the weights of an optimal strategy that uses each sequence that some optimal strategy uses.
        theirs: the weights of an optimal strategy of the opponent that uses each sequence used by some optimal strategy of the opponent.
        cuts: the inequalities on deviations of the opponent that have been added so far.
    """

    tree: GameTree
    player: int
    value: Fraction
    forms: Sequence[LinearForm]
    free: tuple[int, ...]
    inside: Sequence[Fraction]
    theirs: Sequence[Fraction]
    cuts: dict[tuple[int, tuple[int, ...]], Inequality] = field(default_factory=dict, repr=False)

    @property
    def dimension(self) -> int:
        """The dimension of the set of optimal realization weights; 0 if these are unique."""
        return len(self.free)

    @property
    def unique(self) -> bool:
        """True if there is one optimal strategy only, up to play that the player's own actions never reach."""
        return not self.free

    def names(self) -> tuple[str, ...]:
        """Return the names of the coordinates, each the weight of an action at an information set."""
        return tuple(_sequence_name(self.tree, self.player, j) for j in self.free)

    def realization_weights_at(self, coordinates: Sequence[Any]) -> list[Any]:
        """Return all realization weights of the player, computed from `coordinates`, the few that determine the others (see `free`)."""
        return [value_of(form, coordinates) for form in self.forms]

    def profile_at(self, coordinates: Sequence[Fraction]) -> TreeProfile:
        """Return a profile: the strategy of the player with these `coordinates` (see `free`), and an optimal strategy of the opponent."""
        both = [list(self.theirs)] * 2
        both[self.player] = self.realization_weights_at(coordinates)
        return profile_of_realization_weights(self.tree, (both[0], both[1]))

    def contains(self, profile: Any) -> bool:
        """Return True if the player's part of a profile is optimal: a best response to it leaves the player the value of the game."""
        return self.shortfall(profile) == 0

    def shortfall(self, profile: Any) -> Fraction:
        """Return by how many chips the player's part of a profile guarantees less than the equilibrium value."""
        best = evaluate(self.tree, as_tree_profile(self.tree, profile)).best[1 - self.player]
        assert self.tree.utility_sum is not None
        return self.value - (self.tree.utility_sum - best)

    # -- the inequalities -------------------------------------------------------------------------------------------------------

    def signs(self) -> list[Inequality]:
        """Return the inequalities that say that the realization weights that vary over the set are at least 0."""
        return [
            Inequality(form, f"{_sequence_name(self.tree, self.player, j)} at least 0")
            for j, form in enumerate(self.forms)
            if any(k != CONSTANT for k in form)
        ]

    def violated(self, coordinates: Sequence[Any]) -> list[Inequality]:
        """Return an inequality for each deviation that gains the opponent chips against the player's strategy with these `coordinates`."""
        most = NEGLIGIBLE * self.tree.payoffs.unit if coordinates and isinstance(coordinates[0], float) else 0
        return [
            self._cut(found)
            for found in self.deviations(self.realization_weights_at(coordinates))
            if found.better > most
        ]

    def _cut(self, found: OpponentDeviation) -> Inequality:
        """Return the inequality which says that a deviation gains the opponent nothing."""
        key = found.sequence, found.then
        if key not in self.cuts:
            chips = self.chips_as_forms()
            better = self._better(chips, found)
            unit = max(map(abs, better.values()))
            text = f"the opponent gains nothing by {_sequence_name(self.tree, 1 - self.player, found.sequence)}"
            self.cuts[key] = Inequality({k: -c / unit for k, c in better.items()}, text)
        return self.cuts[key]

    def chips_as_forms(self) -> list[LinearForm]:
        """Return the result of `opponent_chips` for any optimal strategy, as linear forms of the strategy's coordinates (see `free`)."""
        return self.opponent_chips(self.forms, sum_of_rows)

    def opponent_chips(self, own: Sequence[Any], add: Callable[[Iterable[tuple[int, Any]]], Any]) -> list[Any]:
        """Return for each sequence of the opponent the opponent's counterfactual value of the terminal nodes with exactly this sequence.

        A value is the sum of payoff times weight over these nodes, which `add` makes from pairs (payoff, weight). A payoff includes the
        chance factor in units of `tree.payoffs`. A weight is an entry of `own`, the player's realization weights: numbers or linear forms.
        """
        other = 1 - self.player
        terms: list[list[tuple[int, Any]]] = [[] for _ in range(self.tree.num_sequences[other])]
        for key, pays in self.tree.payoffs.listed:
            terms[key[other]].append((pays[other], own[key[self.player]]))
        return [add(part) for part in terms]

    def deviations(self, own: Sequence[Any]) -> list[OpponentDeviation]:
        """Return the opponent's deviations to sequences that no optimal strategy of the opponent uses, each with its gain.

        Args:
            own: the player's realization weights, which must satisfy the equations of the set.
        """
        other = 1 - self.player
        chips, then = self.opponent_chips(own, _sum_of_products), dict[int, tuple[int, ...]]()
        out = []
        for s in reversed([*self.tree.infosets_of(other)]):
            if self.theirs[s.before]:
                used = self.used_at(s)
                others = (j for j in s.after if not self.theirs[j])
                out += [OpponentDeviation(j, then.get(j, ()), chips[j] - chips[used]) for j in others]
                chips[s.before] += chips[used]
            else:
                best = max(s.after, key=chips.__getitem__)
                chips[s.before] += chips[best]
                then[s.before] = (*then.get(s.before, ()), best, *then.get(best, ()))
        return out

    def used_at(self, s: InformationSet) -> int:
        """Return the first sequence, at an information set of the opponent, that an optimal strategy of the opponent uses."""
        return next(j for j in s.after if self.theirs[j])

    def _better(self, chips: Sequence[LinearForm], found: OpponentDeviation) -> LinearForm:
        """Return how much more the opponent earns by a deviation, as a linear form of the coordinates; `chips` are `chips_as_forms`."""
        other = 1 - self.player
        home = next(s for s in self.tree.infosets_of(other) if found.sequence in s.after)
        total = sum_of_rows([(1, chips[found.sequence]), *((1, chips[j]) for j in found.then)])
        used = self.used_at(home)
        path, minus = {used}, [(-1, chips[used])]
        for s in self.tree.infosets_of(other):
            if s.before in path:
                path.add(follow := self.used_at(s))
                minus.append((-1, chips[follow]))
        return sum_of_rows([(1, total), *minus])

    # -- corners and ranges ------------------------------------------------------------------------------------------------------

    @cached_property
    def polytope(self) -> tuple[list[list[Fraction]], list[Inequality]]:
        """The corners of the set, each a list of coordinates, and the inequalities without redundant ones.

        Raises:
            ValueError: there are more than `MOST_CORNERS` coordinates.
            ImportError: pplpy is missing.
        """
        if self.dimension > MOST_CORNERS:
            raise ValueError(
                f"the set has {self.dimension} dimensions, and corners are listed for at most {MOST_CORNERS}; use `ranges` or `nearest`"
            )
        if not self.free:
            return [[]], []
        kept = self.signs()
        while True:
            corners = list_corners(kept, self.dimension)
            new = {id(cut): cut for corner in corners for cut in self.violated(corner)}
            if not new:
                break
            kept += new.values()
        needed = [cut for cut in kept if sum(value_of(cut.form, corner) == 0 for corner in corners) >= self.dimension]
        return corners, distinct(needed)

    def corners(self) -> list[TreeProfile]:
        """Return the corners of the set as profiles: all optimal strategies are mixtures of these."""
        return [self.profile_at(corner) for corner in self.polytope[0]]

    def extreme(self, form: LinearForm) -> tuple[Fraction, list[Fraction]]:
        """Return the largest value of a linear form of the coordinates over the set, and a point that attains it."""
        kept = [*self.signs(), *self.cuts.values()]
        while True:
            program = Program()
            program.variables(self.dimension)
            program.objective = {k: c for k, c in form.items() if k != CONSTANT}
            for cut in kept:
                row = {k: -c for k, c in cut.form.items() if k != CONSTANT}
                program.at_most.append((row, cut.form.get(CONSTANT, ZERO)))
            best, point = program.solve()
            new = self.violated(point)
            if not new:
                return best + form.get(CONSTANT, ZERO), point
            kept += new

    def ranges(
        self, tick: Callable[[int, int], object] = lambda advance, total: None
    ) -> dict[str, dict[str, tuple[Fraction, Fraction]]]:
        """Return the range of the realization weight of each action at each information set of the player, over all optimal strategies.

        `tick` is called after each information set, with 1 and how many there are.
        """
        out: dict[str, dict[str, tuple[Fraction, Fraction]]] = {}
        sets = [*self.tree.infosets_of(self.player)]
        for s in sets:
            out[s.name] = {action: self.range_of(s.name, action) for action in s.actions}
            tick(1, len(sets))
        return out

    def ranges_by_hand(
        self, tick: Callable[[int, int], object] = lambda advance, total: None
    ) -> dict[tuple[str, str], list[tuple[Fraction, Fraction]]]:
        """Return the `ranges` of a `Game` as {(node, action): [(least, greatest) for each hand]}; 0 to 1 for a hand that is never dealt."""
        game, ranges = self.tree.source, self.ranges(tick)
        assert isinstance(game, Game)
        hands = range(game.deal.size(self.player))
        return {
            (node, action): [ranges.get(game.information_set(node, h), {}).get(action, (ZERO, ONE)) for h in hands]
            for node, at in game.tree.of(self.player).items()
            for action in at.actions
        }

    def range_of(self, information_set: str, action: str) -> tuple[Fraction, Fraction]:
        """Return the least and the greatest realization weight of an action at an information set, over all optimal strategies."""
        return self.range_of_sum({(information_set, action): ONE})

    def range_of_sum(self, factors: Mapping[tuple[str, str], Number]) -> tuple[Fraction, Fraction]:
        """Return the least and the greatest sum of realization weights times these factors, {(information set, action): factor}."""
        total: LinearForm = {}
        for (name, action), factor in factors.items():
            s = self.tree.by_name.get(name)
            if s is None or s.player != self.player or action not in s.actions:
                raise ValueError(f"player {self.player} has no action {short(action)} at information set {short(name)}")
            add_multiple(total, fraction(factor, "factor"), self.forms[s.first + s.actions.index(action)])
        if not any(k != CONSTANT for k in total):
            return (total.get(CONSTANT, ZERO),) * 2
        return -self.extreme({k: -c for k, c in total.items()})[0], self.extreme(total)[0]

    # -- the nearest member --------------------------------------------------------------------------------------------------------

    def nearest(self, profile: Any) -> Nearest:
        """Return the optimal strategy nearest to the player's part of a profile, and the distance, exactly.

        The distance is Euclidean in realization weights. The strategy and the squared distance are fractions.
        """
        plan = realization_weights(self.tree, as_tree_profile(self.tree, profile), self.player)
        wanted = [Fraction(w) / plan.unit for w in plan.at[:, 0]]
        size = self.dimension
        gram = [[ZERO] * size for _ in range(size)]
        right = [ZERO] * size
        for form, w in zip(self.forms, wanted, strict=True):
            off = w - form.get(CONSTANT, ZERO)
            for j, c in form.items():
                if j != CONSTANT:
                    right[j] += c * off
                    for k, d in form.items():
                        if k != CONSTANT:
                            gram[j][k] += c * d
        point = nearest_point(gram, right, self.signs(), self.violated)
        at = self.realization_weights_at(point)
        return Nearest(self.profile_at(point), sum(((x - w) ** 2 for x, w in zip(at, wanted, strict=True)), ZERO))


@checked
def optimal_set(game: object, player: Seat) -> OptimalSet:
    """Return the set of optimal strategies of a player in a game of two players and zero sum: a polytope, exactly.

    Args:
        game: a game tree, or what `relance.game_tree` takes.
        player: 0 or 1.

    Examples:
        >>> found = relance.solvers.optimal_set("kuhn", player=0)
        >>> print(found.dimension, found.value, found.unique)
        1 -1/18 False

    Raises:
        ValueError: the game is not of two players and zero sum, or is too large for an exact solution.
        NotCertifiedError: no strictly complementary pair of optimal strategies is found; a subclass of ArithmeticError.
    """
    tree = as_tree(game)
    check_exact(tree)
    for both in _inner_pairs(tree):
        profile = profile_of_realization_weights(tree, both)
        found = evaluate(tree, profile)
        if found.nash_conv == 0 and all(_leaves_nothing_open(tree, p, both) for p in (0, 1)):
            forms, free = _solved_forms(tree, player, both)
            return OptimalSet(tree, player, found.values[player], forms, free, both[player], both[1 - player])
    raise NotCertifiedError(f"the search for a strictly complementary pair of optimal strategies of {tree} failed")


def _inner_pairs(tree: GameTree) -> Iterator[tuple[list[Fraction], list[Fraction]]]:
    """Exact weights near a point inside both sets of optima."""
    if sum(tree.num_sequences) <= FEW:  # quicker than HiGHS starts
        yield _most_used(tree, 0), _most_used(tree, 1)
    # Presolve would leave out what one optimum can do without.
    with suppress(ArithmeticError):
        near = float_realization_weights(program_of(tree)[0], presolve=False, inside=True)
        for tolerance in NEAR:
            used = [weight > tolerance for weight in near]
            for flags in used:
                flags[0] = True
            first, second = (vertex(tree, p, near[p], used[p], used[1 - p], FINE) for p in (0, 1))
            if first is not None and second is not None and min(*first, *second) >= 0:
                yield first, second
    yield _most_used(tree, 0), _most_used(tree, 1)  # whatever floats can do


def _most_used(tree: GameTree, player: int) -> list[Fraction]:
    """Optimal weights of a player that use each sequence that any optimal ones use, and leave room where any do, by exact pivots.

    They are sought times a factor of at least 1, with as many as possible of at least 1.
    """
    form, _ = program_of(tree, exact=True, player=player)
    program = form.exact()
    least = -program.optimum()[0]
    (factor,) = program.variables(1)
    for rows in (program.equal, program.at_most):
        rows[:] = [({**row, factor: -right}, ZERO) for row, right in rows]
    program.at_most += [
        ({factor: -ONE}, -ONE),
        ({factor: -least} | {j: -c for j, c in program.objective.items()}, ZERO),
    ]
    room = [{k: -ONE} for k in range(form.weighed)] + [row for row, _ in program.at_most[:-2]]
    some = program.variables(len(room))
    program.at_most += [({j: ONE}, ONE) for j in some]
    program.at_most += [({j: ONE, **row}, ZERO) for j, row in zip(some, room, strict=True)]
    program.objective = dict.fromkeys(some, ONE)
    _, point = program.solve()
    return [ONE, *(weight / point[factor] for weight in point[: form.weighed])]


def _leaves_nothing_open(tree: GameTree, player: int, both: Sequence[Sequence[Fraction]]) -> bool:
    """True if the player gives weight to exactly those sequences that some best response to the opponent's weights plays."""
    chips = counterfactual(tree, player, [RealizationWeights.of(plan) for plan in both]).at[:, 0].tolist()
    sets = [*tree.infosets_of(player)]
    for s in reversed(sets):
        chips[s.before] += max(chips[j] for j in s.after)
    best = [True] + [False] * (tree.num_sequences[player] - 1)
    for s in sets:
        if best[s.before]:
            most = max(chips[j] for j in s.after)
            for j in s.after:
                best[j] = chips[j] == most
    return all((weight > 0) == is_best for weight, is_best in zip(both[player], best, strict=True))


def _solved_forms(
    tree: GameTree, player: int, both: Sequence[Sequence[Fraction]]
) -> tuple[list[LinearForm], tuple[int, ...]]:
    """The weights of the player as forms of free ones, by the equations of the set."""
    used, theirs = (np.array([bool(weight) for weight in both[p]]) for p in (player, 1 - player))
    near = np.array([float(weight) for weight in both[player]])
    equations = vertex_equations(tree, player, near, used, theirs)
    assert equations is not None  # these weights satisfy them
    forms, unknowns, rows, right = equations
    pivots: dict[int, LinearForm] = {}
    for row, total in zip(rows, right, strict=True):
        form: LinearForm = {j: Fraction(c) for j, c in row.items()} | ({CONSTANT: Fraction(-total)} if total else {})
        for j in [j for j in form if j in pivots]:
            add_multiple(form, form.pop(j), pivots[j])
        entering = max((j for j in form if j != CONSTANT), default=None)
        if entering is None:
            assert not form  # the equations have a solution
            continue
        scale = -form.pop(entering)
        solved = {j: c / scale for j, c in form.items()}
        for other in pivots.values():
            if entering in other:
                add_multiple(other, other.pop(entering), solved)
        pivots[entering] = solved
    free = [j for j in range(len(unknowns)) if j not in pivots]
    place = {j: k for k, j in enumerate(free)}
    by_free = [
        {place[j]: ONE} if j in place else {(k if k == CONSTANT else place[k]): c for k, c in pivots[j].items()}
        for j in range(len(unknowns))
    ]
    out = []
    for plain in forms:
        total_form: LinearForm = {}
        for j, c in plain.items():
            add_multiple(total_form, Fraction(c), {CONSTANT: ONE} if j == CONSTANT else by_free[j])
        out.append(total_form)
    return out, tuple(unknowns[j] for j in free)


def _sum_of_products(terms: Iterable[tuple[int, Any]]) -> Any:
    return sum((factor * x for factor, x in terms), 0)


def _sequence_name(tree: GameTree, player: int, sequence: int) -> str:
    """The action that a sequence ends with, and where."""
    for s in tree.infosets_of(player):
        if sequence in s.after:
            return f"{s.actions[sequence - s.first]} at {' '.join(s.name.split())!r}"
    return "nothing"
