"""Sequence-form linear programs for a game: the value, an equilibrium, and the face of all optimal strategies.

Every optimum is exact; see `relance.solvers.exact_lp`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias

import numpy as np

from relance.model.arguments import Seat, checked
from relance.model.deal import Array, FiniteDeal
from relance.model.game import Game, as_game, check_game
from relance.model.limits import check_memory, check_time
from relance.model.numbers import fraction
from relance.model.ranked_deal import RankedDeal
from relance.model.strategy import Profile
from relance.model.tree import Case, Decision, Leaf, Node, Reveal, steps_from
from relance.solvers.exact import reach, value
from relance.solvers.exact_lp import Program
from relance.solvers.exact_simplex import ONE, ZERO, LinearForm, sum_of_rows

NodeAction: TypeAlias = tuple[str, str]
"""A node of a player and the action taken there."""


TOLERANCE = "solve it with a tolerance, such as tolerance=1e-6"

SECONDS, ENTRY = 2e-6, 200
"""A program with n sequences, each with its hand, takes about this many seconds times n * n; and each number in it, so many bytes."""


def _check_exact(game: Game, programs: int = 2, what: str = "an exact solution", or_else: str = TOLERANCE) -> None:
    """Check that an exact solution exists for this many programs of a game, and that it does not take too long."""
    check_game(game, "a linear program")
    deal, slots = game.finite_deal(), sum(len(node.actions) for node in game.tree.decisions.values())
    what, instead = f"{what} of {game}", f"{or_else}, or take fewer hands"
    sequences = slots * max(deal.size(0), deal.size(1))
    check_time(SECONDS * programs / 2 * sequences**2, what, instead)
    if not isinstance(deal, RankedDeal):
        check_memory(ENTRY * slots * deal.size(0) * deal.size(1), what, instead=instead)
    if not deal.is_exact:
        raise ValueError(f"the probabilities of {game} are floats, which have no exact optimum; {or_else}")


class OptimalProgram:
    """The program whose solution is an optimal strategy of `player`: it maximises the chips that the player can guarantee.

    Variables: a weight for each (node, action, hand) of `player`, the product of the player's own probabilities up to and including
    it; for each node and hand of the opponent, the least chips to which the opponent can hold `player`; and running sums, so that
    the number of nonzeros grows linearly with the number of hands, not with its square. Chips are counted in a `unit` near the
    most that can be lost, since floats compare them with fixed tolerances.
    """

    def __init__(self, game: Game, player: int) -> None:
        self.game, self.player, self.deal = game, player, game.finite_deal()
        most = max(fraction(abs(leaf.constant) + abs(leaf.stake)) for leaf in game.tree.leaves.values())
        self.unit = Fraction(2) ** (most.numerator.bit_length() - most.denominator.bit_length())
        self.program = Program()
        self.weights: dict[NodeAction, list[int]] = {}
        self._forms: dict[tuple[Case, NodeAction | None], tuple[list[LinearForm], list[LinearForm]]] = {}
        self.program.objective = sum_of_rows((ONE, row) for row in self._build(game.tree.root, "", None))

    def _build(self, node: Node, name: str, last: NodeAction | None) -> list[LinearForm]:
        """Chips to `player` from `node` on for each opponent hand, as linear forms; `last` is the player's last step before `node`."""
        if isinstance(node, Leaf):
            case = self.game.tree.cases[name]
            if (case, last) not in self._forms:
                variables, law = self.weights[last] if last else self._ones(), self.deal.in_case(case)
                form = self._ranked(law, variables) if isinstance(law, RankedDeal) else self._dense(law, variables)
                self._forms[case, last] = form
            chips, stake = (1 - 2 * self.player) * node.constant / self.unit, node.stake / self.unit
            return [sum_of_rows([(chips, m), (-stake, e)]) for m, e in zip(*self._forms[case, last], strict=True)]
        own = isinstance(node, Decision) and node.player == self.player
        if isinstance(node, Decision) and own:
            self._weigh(node, name, last)
        below = [
            self._build(child, f"{name}-{step}" if name else step, (name, step) if own else last)
            for step, child in steps_from(node)
        ]
        if own or isinstance(node, Reveal):
            return [sum_of_rows((ONE, row) for row in rows) for rows in zip(*below, strict=True)]
        least = [{z: ONE} for z in self.program.variables(len(below[0]))]
        for rows in below:
            self.program.at_most += [
                (sum_of_rows([(ONE, z), (-ONE, row)]), ZERO) for z, row in zip(least, rows, strict=True)
            ]
        return least

    def _weigh(self, node: Decision, name: str, last: NodeAction | None) -> None:
        """Add a weight for each action and hand. For each hand, they sum to its weight at the last step, or to 1."""
        hands = self.deal.size(self.player)
        for action in node.actions:
            self.weights[name, action] = self.program.variables(hands, nonnegative=True)
        for h in range(hands):
            row = {self.weights[name, action][h]: ONE for action in node.actions}
            self.program.equal.append(({**row, self.weights[last][h]: -ONE}, ZERO) if last else (row, ONE))

    def _ones(self) -> list[int]:
        """The player's weights at endings before the player acts: 1 for every hand."""
        ones = self.program.variables(self.deal.size(self.player), nonnegative=True)
        self.program.equal += [({j: ONE}, ONE) for j in ones]
        return ones

    def _dense(self, deal: FiniteDeal, variables: list[int]) -> tuple[list[LinearForm], list[LinearForm]]:
        """The opponent's `mass` and `edge` of these weights by a deal, as linear forms."""
        tables = (deal.joint(), deal.joint_edge() * (2 * self.player - 1))
        oriented = [table.T if self.player == 0 else table for table in tables]
        mass, edge = ([{j: c for j, c in zip(variables, row, strict=True) if c} for row in table] for table in oriented)
        return mass, edge

    def _ranked(self, deal: RankedDeal, variables: list[int]) -> tuple[list[LinearForm], list[LinearForm]]:
        """The same as `_dense`, by running sums."""
        opponent = 1 - self.player
        mass: list[LinearForm] = [{} for _ in range(deal.size(opponent))]
        edge: list[LinearForm] = [{} for _ in range(deal.size(opponent))]
        for pair in deal.terms:
            running: list[LinearForm] = [{}]
            for j, c in zip(variables, pair[self.player], strict=True):
                (total,) = self.program.variables(1)
                self.program.equal.append(
                    (sum_of_rows([(ONE, {total: ONE}), (-ONE, running[-1]), (-c, {j: ONE})]), ZERO)
                )
                running.append({total: ONE})
            for k, u in enumerate(pair[opponent]):
                below, not_above = running[deal.below[opponent][k]], running[deal.not_above[opponent][k]]
                mass[k] = sum_of_rows([(ONE, mass[k]), (u, running[-1])])
                edge[k] = sum_of_rows([(ONE, edge[k]), (u, below), (u, not_above), (-u, running[-1])])

        def plus(rows: list[LinearForm], change: Array) -> list[LinearForm]:
            return [sum_of_rows([(ONE, row), (c, {j: ONE})]) for row, c, j in zip(rows, change, variables, strict=True)]

        return (
            mass if deal.blocked is None else plus(mass, -deal.blocked),
            edge if deal.diagonal is None else plus(edge, (1 - 2 * opponent) * deal.diagonal),
        )

    @cached_property
    def optimum(self) -> tuple[Fraction, list[Fraction]]:
        """The value to `player` and a point that attains it, exact."""
        best, point = self.program.solve()
        return self.unit * best, point

    @cached_property
    def worth(self) -> Fraction:
        """The value to `player`; who knows it already sets it, and spares its program."""
        return self.optimum[0]

    def extreme(self, target: Mapping[int, Fraction]) -> Fraction:
        """The largest value of the linear form `target` over all optimal strategies, exact."""
        optimal = {j: -c for j, c in self.program.objective.items()}, -self.worth / self.unit
        return replace(self.program, objective=dict(target), at_most=[*self.program.at_most, optimal]).solve()[0]


@dataclass(frozen=True)
class Face:
    """All optimal strategies of `player`: the exact range of every weight.

    Attributes:
        player: 0 or 1.
        value: what they guarantee, in chips to `player`.
        ranges: for each (node, action), a list by hand of the least and the greatest weight, which is the product of the
            player's own probabilities up to and including that action.
    """

    player: int
    value: Fraction
    ranges: Mapping[NodeAction, list[tuple[Fraction, Fraction]]]

    @property
    def unique(self) -> bool:
        """True if there is only one optimal strategy, apart from nodes that the player's own choices never reach."""
        return all(low == high for ranges in self.ranges.values() for low, high in ranges)


def _behaviour(weights: Array, unreached: Array | float) -> Array:
    """Turn weights (actions, hands) into probabilities; hands that never get there play `unreached`."""
    total = weights.sum(axis=0)
    return np.where(total > 0, weights / np.where(total > 0, total, 1), unreached)


def solve_lp(game: Game) -> tuple[Fraction, Profile]:
    """Return the exact value (chips to player 0) and an equilibrium of a game with finitely many hands.

    Raises:
        ValueError: hands are on [0, 1], or probabilities are floats.
        ArithmeticError: the two programs contradict each other, which is a bug in Relance.
    """
    _check_exact(game)
    forms = [OptimalProgram(game, player) for player in (0, 1)]
    (first, _), (second, _) = (form.optimum for form in forms)
    if first != -second:
        raise ArithmeticError(f"the programs of the two players give {first} and {-second}")
    plan: dict[str, dict[str, Array]] = {}
    for name, node in game.tree.decisions.items():
        (_, point), weights = forms[node.player].optimum, forms[node.player].weights
        rows = np.array([[point[j] for j in weights[name, action]] for action in node.actions])
        plan[name] = node.by_action(_behaviour(rows, np.eye(len(rows), 1, dtype=object) * ONE))  # the first action
    return first, game.profile(plan)


def has_others(game: Game, player: int, profile: Profile) -> bool:
    """Return True if a player has other optimal strategies than that of `profile`, apart from nodes that their own choices never reach.

    A random linear form is maximised over the optimal strategies and, if the one that is known attains that, minimised. If two of
    these numbers differ, that proves there are several.
    """
    from random import Random

    _check_exact(game)
    form, rng, known = OptimalProgram(game, player), Random(0), ZERO
    form.worth = (1 - 2 * player) * fraction(value(game, profile))
    target: dict[int, Fraction] = {}
    for (node, action), variables in form.weights.items():
        weights = reach(game, profile, player, node) * profile.row(node, action)
        for j, weight in zip(variables, weights, strict=True):
            target[j] = Fraction(rng.randint(1, 10**6))
            known += target[j] * weight
    return form.extreme(target) != known or form.extreme({j: -c for j, c in target.items()}) != -known


@checked
def optimal_face(game: Game | str, player: Seat, tick: Callable[[], object] = lambda: None) -> Face:
    """Return the exact range of each of `player`'s weights over all optimal strategies of the player.

    Args:
        game: with finitely many hands and exact probabilities.
        player: 0 or 1.
        tick: called after each weight.

    Raises:
        ValueError: hands are on [0, 1], or probabilities are floats.
    """
    game = as_game(game)
    weights = game.deal.size(player) * sum(len(node.actions) for node in game.tree.of(player).values())
    _check_exact(
        game,
        2 * weights,
        "the face of all optimal strategies",
        "find one of them with a tolerance, such as tolerance=1e-6",
    )
    form = OptimalProgram(game, player)
    ranges: dict[NodeAction, list[tuple[Fraction, Fraction]]] = {}
    for step, variables in form.weights.items():
        ranges[step] = []
        for j in variables:
            ranges[step].append((-form.extreme({j: -ONE}), form.extreme({j: ONE})))
            tick()
    return Face(player, form.optimum[0], ranges)


def optimal_faces(game: Game, tick: Callable[[int, int], object] = lambda advance, total: None) -> tuple[Face, Face]:
    """Return `optimal_face` of both players; `tick` is called after each weight with 1 and the total number of weights."""
    hands = game.finite_deal().size
    total = sum(len(node.actions) * hands(node.player) for node in game.tree.decisions.values())
    first, second = (optimal_face(game, player, lambda: tick(1, total)) for player in (0, 1))
    return first, second
