"""Finds weakly dominated plans in games with few finite hands.

A plan is a pure strategy for one hand: an action at each of the player's nodes that earlier actions of the plan, and any events, can lead
to. A plan is weakly dominated if some mixture of the player's other plans with that hand never does worse, whatever the opponent does
with each hand, and sometimes does better. An exact linear program finds the mixtures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import product
from math import prod
from typing import TypeAlias

from relance.model.arrays import Array
from relance.model.game import Game
from relance.model.numbers import fraction
from relance.model.tree import USUAL, Case, Decision, Leaf, Node, Reveal, path_name, steps_from
from relance.solvers.exact_lp import Program
from relance.solvers.exact_simplex import ONE, ZERO, LinearForm
from relance.solvers.watcher import watched

MOST_PLANS = 10_000
"""The most pure plans of a player; `plans` refuses a game with more. Events after the deal multiply their number."""

PurePlan: TypeAlias = dict[str, str]
"""{node: action} of one player, for the nodes that the player's own earlier actions in the plan can lead to."""


@dataclass(frozen=True)
class DominatedAction:
    """A mistake to rule out: `player`, with the hand labelled `hand`, takes `action` at any of `nodes`."""

    player: int
    hand: str
    nodes: tuple[str, ...]
    action: str

    def made_by(self, player: int, hand: str, plan: Mapping[str, str]) -> bool:
        """Return True if `player`, who follows `plan` with `hand`, makes this mistake."""
        return player == self.player and hand == self.hand and any(plan.get(node) == self.action for node in self.nodes)


def plans(game: Game, player: int) -> list[PurePlan]:
    """Return all pure plans {node: action} of `player` for a hand; they are the same for every hand.

    Raises:
        ValueError: there are more than `MOST_PLANS` plans.
    """

    def number(node: Node) -> int:
        below = [number(child) for _, child in steps_from(node)]
        return sum(below) if isinstance(node, Decision) and node.player == player else prod(below)

    def visit(node: Node, history: tuple[str, ...]) -> list[PurePlan]:
        below = {step: visit(child, (*history, step)) for step, child in steps_from(node)}
        if isinstance(node, Decision) and node.player == player:
            name = path_name(history)
            return [{name: action, **plan} for action, options in below.items() for plan in options]
        return [dict(choice for plan in parts for choice in plan.items()) for parts in product(*below.values())]

    if (found := number(game.tree.root)) > MOST_PLANS:
        raise ValueError(
            f"{game} has {found if found < 10**9 else f'about 10^{len(str(found)) - 1}'} pure strategies of player {player}; the search "
            f"for dominated ones takes at most {MOST_PLANS:,}: take a game with fewer"
        )
    return visit(game.tree.root, ())


def plan_name(plan: Mapping[str, str]) -> str:
    """Return the plan's actions joined as players say them: "check" then "raise" is "checkraise"."""
    return "".join(plan.values())


_Distributions: TypeAlias = dict[Case, tuple[Array, Array]]
"""In each case the probability of each pair of hands and the events, and that times player 0's edge."""


def _distributions(game: Game) -> _Distributions:
    deals = {case: game.finite_deal().in_case(case) for case in game.tree.cases.values()}
    return {case: (deal.joint(), deal.joint_edge()) for case, deal in deals.items()}


def _chips(
    game: Game, distributions: _Distributions, player: int, pair: tuple[int, int], own: PurePlan, theirs: PurePlan
) -> Fraction:
    """Chips to `player` with plan `own` against plan `theirs`, times the probability of the hands `pair` of players 0 and 1."""

    def visit(node: Node, history: tuple[str, ...]) -> Fraction:
        name = path_name(history)
        if isinstance(node, Leaf):
            chance, edge = (distribution[pair] for distribution in distributions[game.tree.cases[name]])
            return fraction((1 - 2 * player) * (node.constant * chance + node.stake * edge))
        if isinstance(node, Reveal):
            return sum((visit(child, (*history, event)) for event, child in steps_from(node)), ZERO)
        action = (own if node.player == player else theirs)[name]
        return visit(node.child(action), (*history, action))

    return visit(game.tree.root, ())


@watched
def remaining(game: Game, player: int, hand: str, without: Sequence[DominatedAction]) -> list[PurePlan]:
    """Return the pure plans of `player` with the hand labelled `hand` that make none of the mistakes `without`."""
    return [plan for plan in plans(game, player) if not any(m.made_by(player, hand, plan) for m in without)]


def _opponents(
    game: Game, player: int, hand: int, without: Sequence[DominatedAction]
) -> Iterator[tuple[int, Callable[[PurePlan, PurePlan], Fraction], list[PurePlan]]]:
    """Each hand that the opponent may have: what two plans win against each other then, and the opponent's plans with it."""
    distributions = _distributions(game)
    for other, label in enumerate(game.finite_deal().labels[1 - player]):
        pair = (hand, other) if player == 0 else (other, hand)
        if distributions[USUAL][0][pair]:
            yield other, partial(_chips, game, distributions, player, pair), remaining(game, 1 - player, label, without)


@watched
def dominated_by(
    game: Game, player: int, hand: int, plan: PurePlan, without: Sequence[DominatedAction] = ()
) -> dict[str, Fraction] | None:
    """Return a mixture {plan name: probability} that weakly dominates `plan` with `hand`, or None if there is none.

    `hand` is the hand's index. Neither player may use a plan that makes one of the mistakes in `without`.
    """
    mine = remaining(game, player, game.finite_deal().labels[player][hand], without)
    program = Program()
    mixture = program.variables(len(mine), nonnegative=True)
    program.equal.append((dict.fromkeys(mixture, ONE), ONE))
    worst: LinearForm = {}
    for _, chips, replies in _opponents(game, player, hand, without):
        (least,) = program.variables(1)
        worst[least] = -ONE
        for theirs in replies:
            base, row = chips(plan, theirs), {least: ONE}
            for j, p in zip(mixture, mine, strict=True):
                gain = chips(p, theirs) - base
                row[j] = -gain
                program.objective[j] = program.objective.get(j, ZERO) + gain
            program.at_most.append((row, ZERO))
    program.at_most.append((worst, ZERO))
    best, point = program.solve()
    return {plan_name(p): point[j] for j, p in zip(mixture, mine, strict=True) if point[j]} if best > 0 else None


def reply_to(
    game: Game, player: int, hand: int, plan: PurePlan, without: Sequence[DominatedAction] = ()
) -> list[tuple[int, PurePlan, Fraction]]:
    """Return beliefs about the opponent to which `plan` with `hand` (an index) is a best reply, so `plan` is not weakly dominated.

    A belief is (index of the opponent's hand, plan, probability of the plan with this hand). All these probabilities are above 0, so a
    mixture that weakly dominated `plan` would earn more against them. Neither player may use a plan that makes a mistake in `without`.
    """
    program = Program()
    (least,) = program.variables(1)
    program.objective[least] = ONE
    believed: list[tuple[int, PurePlan, int]] = []
    mine = remaining(game, player, game.finite_deal().labels[player][hand], without)
    gains: list[LinearForm] = [{} for _ in mine]
    for other, chips, theirs in _opponents(game, player, hand, without):
        chances = program.variables(len(theirs), nonnegative=True)
        program.equal.append((dict.fromkeys(chances, ONE), ONE))
        for j, reply in zip(chances, theirs, strict=True):
            program.at_most.append(({least: ONE, j: -ONE}, ZERO))
            believed.append((other, reply, j))
            base = chips(plan, reply)
            for row, own in zip(gains, mine, strict=True):
                row[j] = chips(own, reply) - base
    program.at_most += [(row, ZERO) for row in gains]
    best, point = program.solve()
    if best <= 0:
        raise ValueError(f"hand {hand} of player {player}: {plan} is a best response to no positive beliefs")
    return [(other, reply, point[j]) for other, reply, j in believed]


def is_dominated(game: Game, mistake: DominatedAction, without: Sequence[DominatedAction] = ()) -> bool:
    """Return True if all plans with `mistake` are weakly dominated once plans with a mistake in `without` are gone."""
    player, label = mistake.player, mistake.hand
    hand = game.finite_deal().labels[player].index(label)
    mistaken = [plan for plan in remaining(game, player, label, without) if mistake.made_by(player, label, plan)]
    return all(dominated_by(game, player, hand, plan, without) for plan in mistaken)
