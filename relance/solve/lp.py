"""Sequence-form linear programs on (tree, deal): the value, an equilibrium, and the face of all optimal strategies.

HiGHS solves in floating point; its answer is rounded to fractions and accepted only after the optimality conditions
(primal and dual feasibility, equal objectives) hold exactly. So an answer is either exact or an error, never nearly right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from relance.model.deal import FiniteDeal, RankedDeal
from relance.model.game import Game
from relance.model.numbers import Number
from relance.model.strategy import Profile
from relance.model.tree import Decision, Leaf, Node, path_name

Row: TypeAlias = dict[int, Fraction]
"""A linear form: coefficients by variable index."""

Step: TypeAlias = tuple[str, str]
"""A node of a player and the action he takes there: the last of his actions on the way to somewhere."""

_ZERO, _ONE = Fraction(0), Fraction(1)
_DENOMINATORS = (10, 10**2, 10**3, 10**4, 10**5, 10**6, 10**7)


class NotCertifiedError(ArithmeticError):
    """No exact optimum was found near the floating-point one."""


@dataclass
class Program:
    """maximise objective . x subject to rows `left <= right` and `left == right`; variables are free unless in `nonnegative`."""

    size: int = 0
    nonnegative: set[int] = field(default_factory=set)
    objective: Row = field(default_factory=dict)
    at_most: list[tuple[Row, Fraction]] = field(default_factory=list)
    equal: list[tuple[Row, Fraction]] = field(default_factory=list)

    def variables(self, count: int, nonnegative: bool = False) -> list[int]:
        """Add `count` variables and return their indices."""
        new = list(range(self.size, self.size + count))
        self.size += count
        if nonnegative:
            self.nonnegative.update(new)
        return new

    def floats(self) -> tuple[float, npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Solve in floating point: optimum, variables, and one multiplier per row (`at_most` first). Raises ValueError if there is none."""
        from scipy.optimize import linprog
        from scipy.sparse import csr_array

        def matrix(rows: list[tuple[Row, Fraction]]) -> tuple[csr_array | None, npt.NDArray[np.float64] | None]:
            if not rows:
                return None, None
            entries = [(i, j, float(c)) for i, (row, _) in enumerate(rows) for j, c in row.items()]
            where = ([i for i, _, _ in entries], [j for _, j, _ in entries])
            return csr_array(([c for _, _, c in entries], where), shape=(len(rows), self.size)), np.array(
                [float(b) for _, b in rows]
            )

        cost = np.zeros(self.size)
        for j, c in self.objective.items():
            cost[j] = -float(c)
        (a, b), (e, d) = matrix(self.at_most), matrix(self.equal)
        bounds = [(0 if j in self.nonnegative else None, None) for j in range(self.size)]
        result = linprog(cost, A_ub=a, b_ub=b, A_eq=e, b_eq=d, bounds=bounds, method="highs")
        if result.status != 0:
            raise ValueError(f"the linear program has no optimum: {result.message}")
        parts = [-result.ineqlin.marginals] * bool(self.at_most) + [-result.eqlin.marginals] * bool(self.equal)
        return -float(result.fun), result.x, np.concatenate(parts)

    def solve(self) -> tuple[Fraction, list[Fraction]]:
        """The exact optimum and a point that attains it. Raises NotCertifiedError if no rounding of the float solution is exact."""
        _, point, multipliers = self.floats()
        for denominator in _DENOMINATORS:
            x, y = (_round(values, denominator) for values in (point, multipliers))
            if self._feasible(x) and self._dominates(y):
                best = _dot(self.objective, x)
                if best == sum((y_i * b for y_i, (_, b) in zip(y, self.at_most + self.equal, strict=True)), _ZERO):
                    return best, x
        raise NotCertifiedError(f"no exact optimum with denominators up to {_DENOMINATORS[-1]} near the float optimum")

    def _feasible(self, x: list[Fraction]) -> bool:
        return (
            all(x[j] >= 0 for j in self.nonnegative)
            and all(_dot(row, x) == b for row, b in self.equal)
            and all(_dot(row, x) <= b for row, b in self.at_most)
        )

    def _dominates(self, y: list[Fraction]) -> bool:
        """Dual feasibility: the rows weighted by y give at least the objective in every variable."""
        if any(y_i < 0 for y_i in y[: len(self.at_most)]):
            return False
        slack = [-self.objective.get(j, _ZERO) for j in range(self.size)]
        for y_i, (row, _) in zip(y, self.at_most + self.equal, strict=True):
            if y_i:
                for j, c in row.items():
                    slack[j] += y_i * c
        return all(s >= 0 if j in self.nonnegative else s == 0 for j, s in enumerate(slack))


def _round(values: npt.NDArray[np.float64], denominator: int) -> list[Fraction]:
    return [Fraction(float(v)).limit_denominator(denominator) for v in values]


def _dot(row: Row, x: list[Fraction]) -> Fraction:
    return sum((c * x[j] for j, c in row.items()), _ZERO)


def _combine(terms: Iterable[tuple[Number, Row]]) -> Row:
    out: Row = {}
    for factor, row in terms:
        if factor:
            for j, c in row.items():
                out[j] = out.get(j, _ZERO) + factor * c
    return {j: c for j, c in out.items() if c}


class SequenceForm:
    """The program whose solution is an optimal strategy of `player`: maximise what he is sure of, in chips to him.

    Variables: a weight for each (node, action, hand) of `player`, the product of his probabilities up to there; for each
    hand of the opponent and each of his nodes what he can hold `player` to; and running sums, so that the number of
    nonzeros grows with the hands and not with their square.
    """

    def __init__(self, game: Game, player: int) -> None:
        if not isinstance(game.deal, FiniteDeal):
            raise ValueError(
                f"{game} has infinitely many hands; use game.grid(n) or game.cells(profile) for a linear program"
            )
        self.game, self.player, self.deal = game, player, game.deal
        self.program = Program()
        self.weights: dict[Step, list[int]] = {}
        self._forms: dict[Step | None, tuple[list[Row], list[Row]]] = {}
        self._ones: list[int] = []
        self._value = self._build(game.tree.root, (), None, None)
        self.program.objective = _combine((_ONE, row) for row in self._value)

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
        for rows in parts:
            self.program.at_most += [
                (_combine([(_ONE, {z: _ONE}), (-_ONE, row)]), _ZERO) for z, row in zip(least, rows, strict=True)
            ]
        return [{z: _ONE} for z in least]

    def _own(self, node: Decision, history: tuple[str, ...], own: Step | None, theirs: Step | None) -> list[Row]:
        name, hands = path_name(history), self.deal.hands(self.player)
        for action in node.actions:
            self.weights[name, action] = self.program.variables(hands, nonnegative=True)
        for h in range(hands):
            row = {self.weights[name, action][h]: _ONE for action in node.actions}
            if own is None:
                self.program.equal.append((row, _ONE))
            else:
                self.program.equal.append(({**row, self.weights[own][h]: -_ONE}, _ZERO))
        parts = [
            self._build(child, (*history, action), (name, action), theirs)
            for action, child in zip(node.actions, node.children, strict=True)
        ]
        return [_combine((_ONE, row) for row in rows) for rows in zip(*parts, strict=True)]

    def _operators(self, own: Step | None) -> tuple[list[Row], list[Row]]:
        """The opponent's `mass` and `edge` of the weights of a sequence, as linear forms; made once per sequence."""
        if own not in self._forms:
            self._forms[own] = self._ranked(own) if isinstance(self.deal, RankedDeal) else self._dense(own)
        return self._forms[own]

    def _own_weights(self, own: Step | None) -> list[int]:
        if own is not None:
            return self.weights[own]
        if not self._ones:  # endings before the player ever acts: his weight is 1 for every hand
            self._ones = self.program.variables(self.deal.hands(self.player), nonnegative=True)
            self.program.equal += [({j: _ONE}, _ONE) for j in self._ones]
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
        mass: list[Row] = [{} for _ in range(deal.hands(opponent))]
        edge: list[Row] = [{} for _ in range(deal.hands(opponent))]
        for pair in deal.terms:
            running: list[Row] = [{}]
            for j, c in zip(variables, pair[self.player], strict=True):
                (total,) = self.program.variables(1)
                self.program.equal.append(
                    (_combine([(_ONE, {total: _ONE}), (-_ONE, running[-1]), (-c, {j: _ONE})]), _ZERO)
                )
                running.append({total: _ONE})
            for k, u in enumerate(pair[opponent]):
                below, not_above = running[deal.below[opponent][k]], running[deal.not_above[opponent][k]]
                mass[k] = _combine([(_ONE, mass[k]), (u, running[-1])])
                edge[k] = _combine([(_ONE, edge[k]), (u, below), (u, not_above), (-u, running[-1])])
        if deal.blocked is not None:
            mass = [
                _combine([(_ONE, row), (-c, {j: _ONE})])
                for row, c, j in zip(mass, deal.blocked, variables, strict=True)
            ]
        if deal.diagonal is not None:
            sign = 1 - 2 * opponent
            edge = [
                _combine([(_ONE, row), (sign * c, {j: _ONE})])
                for row, c, j in zip(edge, deal.diagonal, variables, strict=True)
            ]
        return mass, edge

    def strategy_plan(self, point: list[Fraction]) -> dict[str, dict[str, list[Fraction]]]:
        """The behaviour strategy with these weights; where a node is never reached, the first action is taken."""
        plan: dict[str, dict[str, list[Fraction]]] = {}
        for name, node in self.game.tree.of(self.player).items():
            rows = [[point[j] for j in self.weights[name, action]] for action in node.actions]
            totals = [sum(column, _ZERO) for column in zip(*rows, strict=True)]
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


def solve_lp(game: Game) -> tuple[Fraction, Profile]:
    """Return the exact value (chips to player 0) and an equilibrium of a game with finitely many hands.

    Raises ValueError for hands on [0, 1], NotCertifiedError if no exact optimum was found, ArithmeticError if the two
    players' programs disagree.
    """
    forms = [SequenceForm(game, player) for player in (0, 1)]
    values = [form.optimum[0] for form in forms]
    if values[0] != -values[1]:
        raise ArithmeticError(f"the programs of the two players give {values[0]} and {-values[1]}")
    plans = [form.strategy_plan(form.optimum[1]) for form in forms]
    return values[0], game.profile({**plans[0], **plans[1]})


def optimal_face(game: Game, player: int, tick: Callable[[], None] = lambda: None) -> Face:
    """Return the exact range of each of `player`'s weights over all his optimal strategies; `tick` is called per program."""
    form = SequenceForm(game, player)
    ranges: dict[Step, list[tuple[Fraction, Fraction]]] = {}
    for sequence, variables in form.weights.items():
        ranges[sequence] = []
        for j in variables:
            low, high = -form.extreme({j: -_ONE}), form.extreme({j: _ONE})
            ranges[sequence].append((low, high))
            tick()
    return Face(player, form.optimum[0], ranges)
