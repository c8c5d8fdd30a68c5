"""Sequence-form linear programs on (tree, deal): the value, an equilibrium, and the face of all optimal strategies.

Every optimum is exact; see `relance.solvers.program`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from relance.model.deal import FiniteDeal
from relance.model.game import Game
from relance.model.ranked_deal import RankedDeal
from relance.model.strategy import Profile
from relance.model.tree import Decision, Leaf, Node, path_name
from relance.solvers.program import ONE, ZERO, Program, Row

Step: TypeAlias = tuple[str, str]
"""A node of a player and the action he takes there: the last of his actions on the way to somewhere."""


def _combine(terms: Iterable[tuple[Any, Row]]) -> Row:
    out: Row = {}
    for factor, row in terms:
        if factor:
            for j, c in row.items():
                part = c if factor is ONE else factor * c
                out[j] = out[j] + part if j in out else part
    return {j: c for j, c in out.items() if c}


def _exact_deal(game: Game) -> FiniteDeal:
    deal = game.finite_deal()
    if not deal.is_exact:
        raise ValueError(
            f"the probabilities of {game} are floats, which have no exact optimum; solve it with a tolerance, such as tolerance=1e-6"
        )
    return deal


class SequenceForm:
    """The program whose solution is an optimal strategy of `player`: maximise what he is sure of, in chips to him.

    Variables: a weight for each (node, action, hand) of `player`, the product of his probabilities up to there; for each
    hand of the opponent and each of his nodes what he can hold `player` to; and running sums, so that the number of
    nonzeros grows with the hands and not with their square.
    """

    def __init__(self, game: Game, player: int) -> None:
        self.game, self.player, self.deal = game, player, game.finite_deal()
        self.program = Program()
        self.weights: dict[Step, list[int]] = {}
        self.answers: dict[Step, range] = {}  # the rows whose multipliers are the opponent's weights
        self._forms: dict[Step | None, tuple[list[Row], list[Row]]] = {}
        self._ones: list[int] = []
        self._value = self._build(game.tree.root, (), None, None)
        self.program.objective = _combine((ONE, row) for row in self._value)

    def _build(self, node: Node, history: tuple[str, ...], own: Step | None, theirs: Step | None) -> list[Row]:
        """Chips to `player` below `node` for each opponent hand, as linear forms."""
        if isinstance(node, Leaf):
            mass, edge = self._operators(own)
            sign = 1 - 2 * self.player
            return [_combine([(sign * node.constant, m), (-node.stake, e)]) for m, e in zip(mass, edge, strict=True)]
        if node.player == self.player:
            return self._own(node, history, own, theirs)
        name = path_name(history)
        parts = [
            self._build(child, (*history, action), own, (name, action))
            for action, child in zip(node.actions, node.children, strict=True)
        ]
        least = self.program.variables(len(parts[0]))
        for action, rows in zip(node.actions, parts, strict=True):
            made = len(self.program.at_most)
            self.answers[name, action] = range(made, made + len(rows))
            self.program.at_most += [
                (_combine([(ONE, {z: ONE}), (-ONE, row)]), ZERO) for z, row in zip(least, rows, strict=True)
            ]
        return [{z: ONE} for z in least]

    def _own(self, node: Decision, history: tuple[str, ...], own: Step | None, theirs: Step | None) -> list[Row]:
        name, hands = path_name(history), self.deal.size(self.player)
        for action in node.actions:
            self.weights[name, action] = self.program.variables(hands, nonnegative=True)
        for h in range(hands):
            row = {self.weights[name, action][h]: ONE for action in node.actions}
            if own is None:
                self.program.equal.append((row, ONE))
            else:
                self.program.equal.append(({**row, self.weights[own][h]: -ONE}, ZERO))
        parts = [
            self._build(child, (*history, action), (name, action), theirs)
            for action, child in zip(node.actions, node.children, strict=True)
        ]
        return [_combine((ONE, row) for row in rows) for rows in zip(*parts, strict=True)]

    def _operators(self, own: Step | None) -> tuple[list[Row], list[Row]]:
        """The opponent's `mass` and `edge` of the weights of a sequence, as linear forms; made once per sequence."""
        if own not in self._forms:
            self._forms[own] = self._ranked(own) if isinstance(self.deal, RankedDeal) else self._dense(own)
        return self._forms[own]

    def _own_weights(self, own: Step | None) -> list[int]:
        if own is not None:
            return self.weights[own]
        if not self._ones:  # endings before the player ever acts: his weight is 1 for every hand
            self._ones = self.program.variables(self.deal.size(self.player), nonnegative=True)
            self.program.equal += [({j: ONE}, ONE) for j in self._ones]
        return self._ones

    def _dense(self, own: Step | None) -> tuple[list[Row], list[Row]]:
        variables = self._own_weights(own)
        tables = (self.deal.joint(), self.deal.joint_edge() * (2 * self.player - 1))
        oriented = [table.T if self.player == 0 else table for table in tables]
        mass, edge = ([{j: c for j, c in zip(variables, row, strict=True) if c} for row in table] for table in oriented)
        return mass, edge

    def _ranked(self, own: Step | None) -> tuple[list[Row], list[Row]]:
        deal, opponent = self.deal, 1 - self.player
        assert isinstance(deal, RankedDeal)
        variables = self._own_weights(own)
        mass: list[Row] = [{} for _ in range(deal.size(opponent))]
        edge: list[Row] = [{} for _ in range(deal.size(opponent))]
        for pair in deal.terms:
            running: list[Row] = [{}]
            for j, c in zip(variables, pair[self.player], strict=True):
                (total,) = self.program.variables(1)
                self.program.equal.append((_combine([(ONE, {total: ONE}), (-ONE, running[-1]), (-c, {j: ONE})]), ZERO))
                running.append({total: ONE})
            for k, u in enumerate(pair[opponent]):
                below, not_above = running[deal.below[opponent][k]], running[deal.not_above[opponent][k]]
                mass[k] = _combine([(ONE, mass[k]), (u, running[-1])])
                edge[k] = _combine([(ONE, edge[k]), (u, below), (u, not_above), (-u, running[-1])])
        if deal.blocked is not None:
            mass = [
                _combine([(ONE, row), (-c, {j: ONE})]) for row, c, j in zip(mass, deal.blocked, variables, strict=True)
            ]
        if deal.diagonal is not None:
            sign = 1 - 2 * opponent
            edge = [
                _combine([(ONE, row), (sign * c, {j: ONE})])
                for row, c, j in zip(edge, deal.diagonal, variables, strict=True)
            ]
        return mass, edge

    def strategy_plan(self, point: list[Fraction]) -> dict[str, dict[str, list[Fraction]]]:
        """The behaviour strategy with these weights; where a node is never reached, the first action is taken."""
        plan: dict[str, dict[str, list[Fraction]]] = {}
        for name, node in self.game.tree.of(self.player).items():
            rows = [[point[j] for j in self.weights[name, action]] for action in node.actions]
            totals = [sum(column, ZERO) for column in zip(*rows, strict=True)]
            plan[name] = {
                action: [w / total if total else Fraction(i == 0) for w, total in zip(row, totals, strict=True)]
                for i, (action, row) in enumerate(zip(node.actions, rows, strict=True))
            }
        return plan

    @cached_property
    def optimum(self) -> tuple[Fraction, list[Fraction]]:
        """The value to `player` and a point that attains it, exact."""
        return self.program.solve()

    def extreme(self, target: Mapping[int, Fraction]) -> Fraction:
        """The largest value of the linear form `target` over all optimal strategies, exact."""
        value, _ = self.optimum
        face = Program(
            self.program.size, self.program.nonnegative, dict(target), list(self.program.at_most), self.program.equal
        )
        face.at_most.append(({j: -c for j, c in self.program.objective.items()}, -value))
        return face.solve()[0]


@dataclass(frozen=True)
class Face:
    """All optimal strategies of `player`: the exact range of every weight.

    `ranges[node, action]` has for each hand the least and the greatest weight, the product of the player's own
    probabilities up to and including that action. The optimal strategy is unique if and only if all ranges are points.
    """

    player: int
    value: Fraction
    ranges: Mapping[Step, list[tuple[Fraction, Fraction]]]

    @property
    def unique(self) -> bool:
        """Whether there is one optimal strategy, up to what is done where the player himself never goes."""
        return all(low == high for ranges in self.ranges.values() for low, high in ranges)


def solve_in_floats(game: Game) -> Profile:
    """Return an equilibrium of a game with finitely many hands from one program in floating point, its dual being the other's.

    Raises ValueError for hands on [0, 1].
    """
    form = SequenceForm(replace(game, deal=game.finite_deal().floats), 0)
    _, point, multipliers = form.program.floats()
    plan: dict[str, dict[str, npt.NDArray[np.float64]]] = {}
    for name, node in game.tree.decisions.items():
        weights = [
            point[form.weights[name, action]] if node.player == 0 else multipliers[list(form.answers[name, action])]
            for action in node.actions
        ]
        rows = np.maximum(np.stack(weights), 0.0)
        total = rows.sum(axis=0)
        rows = np.where(total > 0, rows / np.where(total > 0, total, 1.0), 1 / len(rows))
        plan[name] = node.by_action(rows)
    return game.profile(plan)


def solve_lp(game: Game) -> tuple[Fraction, Profile]:
    """Return the exact value (chips to player 0) and an equilibrium of a game with finitely many hands.

    Raises ValueError for hands on [0, 1] or probabilities that are floats, NotCertifiedError if no exact optimum was found,
    ArithmeticError if the two players' programs disagree.
    """
    _exact_deal(game)
    forms = [SequenceForm(game, player) for player in (0, 1)]
    values = [form.optimum[0] for form in forms]
    if values[0] != -values[1]:
        raise ArithmeticError(f"the programs of the two players give {values[0]} and {-values[1]}")
    plans = [form.strategy_plan(form.optimum[1]) for form in forms]
    return values[0], game.profile({**plans[0], **plans[1]})


def optimal_face(game: Game, player: int, tick: Callable[[], object] = lambda: None) -> Face:
    """Return the exact range of each of `player`'s weights over all his optimal strategies; `tick` is called per program.

    Raises as `solve_lp` does.
    """
    _exact_deal(game)
    form = SequenceForm(game, player)
    ranges: dict[Step, list[tuple[Fraction, Fraction]]] = {}
    for sequence, variables in form.weights.items():
        ranges[sequence] = []
        for j in variables:
            low, high = -form.extreme({j: -ONE}), form.extreme({j: ONE})
            ranges[sequence].append((low, high))
            tick()
    return Face(player, form.optimum[0], ranges)


def optimal_faces(game: Game, tick: Callable[[int, int], object] = lambda advance, total: None) -> tuple[Face, Face]:
    """Return `optimal_face` of both players; `tick` is called per program with 1 and how many there are."""
    hands = game.finite_deal().size
    total = sum(len(node.actions) * hands(node.player) for node in game.tree.decisions.values())
    first, second = (optimal_face(game, player, lambda: tick(1, total)) for player in (0, 1))
    return first, second
