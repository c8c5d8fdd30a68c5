"""Value, best response and NashConv of a profile, in whatever field its numbers are.

One pass over the betting tree per player. At each node the expected chips of every hand of the player are one function of
the hand, weighted by the probability of meeting the opponent there; the two operators of the deal give them at the leaves.
With Fractions the answer is exact: 0 is 0 and not 1e-16.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TypeAlias

import numpy as np

from relance.model.arrays import is_float, namespace, put_beside
from relance.model.deal import Deal, HandFunction
from relance.model.game import Game
from relance.model.numbers import Number
from relance.model.strategy import Profile, Strategy
from relance.model.tree import BettingTree, Leaf, Node

Choose: TypeAlias = Callable[[str, list[HandFunction]], HandFunction]
"""From a node of the player and the chips of its actions to the chips that he gets there, by the choice that he makes."""


@dataclass(frozen=True)
class BestResponse:
    """What `player` can earn against the other's strategy (chips to `player`), and the pure strategy that earns it."""

    player: int
    value: Number
    strategy: Strategy


def value(game: Game, profile: Profile) -> Number:
    """Return the expected chips of player 0 when both play `profile`; exact for exact profiles."""
    return game.deal.total(hand_values(game, profile, 0)[""][1])


def best_response(game: Game, profile: Profile, player: int) -> BestResponse:
    """Return the best that `player` (0 or 1) can do against the other's half of `profile`.

    At hands the opponent's strategy never lets him meet, and in ties, the first listed action is taken.
    """
    _check_player(player)
    game.check(profile)
    return _best_response(game, profile, player)


def _best_response(game: Game, profile: Profile, player: int) -> BestResponse:
    chosen: dict[str, tuple[HandFunction, ...]] = {}
    deal = _arithmetic(game, profile)

    def choose(name: str, values: list[HandFunction]) -> HandFunction:
        chosen[name] = tuple(deal.pick_best(values))
        return mixed(chosen[name], values)

    total = deal.total(sweep(game.tree, deal, player, profile.strategies[1 - player].at, choose))
    return BestResponse(player, total, Strategy(player, {name: chosen[name] for name in game.tree.of(player)}))


def nash_conv(game: Game, profile: Profile) -> Number:
    """Return the sum of what each player can gain by a best response; exactly 0 if and only if `profile` is a Nash equilibrium."""
    game.check(profile)
    deal = _arithmetic(game, profile)
    if deal is game.deal:
        return _best_response(game, profile, 0).value + _best_response(game, profile, 1).value
    first, second = (strategy.at for strategy in profile.strategies)
    return best_value(game.tree, deal, 0, second) + best_value(game.tree, deal, 1, first)


def best_value(tree: BettingTree, deal: Deal, player: int, opponent: Mapping[str, Sequence[HandFunction]]) -> Number:
    """Return what a best responder earns, for hand functions that are arrays of floats: the value alone takes no choices."""

    def greatest(name: str, values: list[HandFunction]) -> HandFunction:
        return reduce(namespace(values[0]).maximum, values)

    return deal.total(sweep(tree, deal, player, opponent, greatest))


def exploitability(game: Game, profile: Profile) -> Number:
    """Return `nash_conv` / 2, the mean gain of a best responder."""
    return nash_conv(game, profile) / 2


def hand_values(
    game: Game, profile: Profile, player: int, against: HandFunction | None = None
) -> dict[str, tuple[HandFunction, HandFunction]]:
    """Return at each node of `player` (and at the root) his chips when both play `profile`, hand by hand.

    The entry of a node is (reach, chips): the probability of holding the hand and of the opponent's leading there, and the
    chips times that probability; own earlier choices do not count. `against` weights the opponent's hands, default all 1.
    """
    _check_player(player)
    game.check(profile)
    found: dict[str, tuple[HandFunction, HandFunction]] = {}
    deal = _arithmetic(game, profile)
    weight = deal.constant(1 - player, 1) if against is None else against

    def play(name: str, values: list[HandFunction]) -> HandFunction:
        return mixed(profile[name], values)

    top = sweep(game.tree, deal, player, profile.strategies[1 - player].at, play, found, weight)
    found.setdefault("", (deal.mass(player, weight), top))
    return found


def reach(game: Game, profile: Profile, player: int, node: str) -> HandFunction:
    """Return for each hand of `player` the probability that his own choices lead to `node`."""
    last = game.tree.last_choice(node, player)
    if last is None:
        return game.deal.constant(player, 1)
    before, action = last
    return reach(game, profile, player, before) * profile[before][action]


def action_values(game: Game, profile: Profile, player: int) -> dict[str, tuple[HandFunction, list[HandFunction]]]:
    """Return at each node of `player` (reach, chips of each action), hand by hand, later play being that of `profile`.

    Chips are weighted by reach: divide by it for the expected chips given hand and node.
    """
    _check_player(player)
    game.check(profile)
    found: dict[str, list[HandFunction]] = {}

    def remember(name: str, values: list[HandFunction]) -> HandFunction:
        found[name] = values
        return mixed(profile[name], values)

    met: dict[str, tuple[HandFunction, HandFunction]] = {}
    sweep(game.tree, _arithmetic(game, profile), player, profile.strategies[1 - player].at, remember, met)
    return {name: (met[name][0], values) for name, values in found.items()}


def regrets(game: Game, profile: Profile, player: int) -> dict[str, tuple[HandFunction, list[HandFunction]]]:
    """Return at each node of `player` (reach, regret of each action): by how many chips the action beats his own mixture there.

    Hand by hand and weighted by reach, as `action_values`; where a learner errs shows as a positive regret.
    """
    found = {}
    for name, (met, chips) in action_values(game, profile, player).items():
        expected = mixed(profile[name], chips)
        found[name] = (met, [v - expected for v in chips])
    return found


def _arithmetic(game: Game, profile: Profile) -> Deal:
    """The deal in the arithmetic of the profile: floats if any of its probabilities are, in the library that they are of."""
    for row in (row for strategy in profile.strategies for rows in strategy.at.values() for row in rows):
        if is_float(row):
            return game.deal.floats if isinstance(row, np.ndarray) else game.deal.moved(put_beside(row))
    return game.deal


def sweep(
    tree: BettingTree,
    deal: Deal,
    player: int,
    opponent: Mapping[str, Sequence[HandFunction]],
    choose: Choose,
    found: dict[str, tuple[HandFunction, HandFunction]] | None = None,
    against: HandFunction | None = None,
) -> HandFunction:
    """Pass once over the tree: the chips of each hand of `player` at the root, times the probability of the hand.

    Args:
        tree, deal: the game, the deal in the number system wanted.
        player: whose chips.
        opponent: the other's probabilities at each of his nodes, one function of his hand per action.
        choose: called at each node of `player`, deepest first, with its name and the chips of its actions hand by hand
            (weighted by the other's reach); returns his chips there.
        found: filled, if given, with (reach, chips) at each node of `player`.
        against: weights of the opponent's hands, default all 1.
    """
    sign = 1 - 2 * player
    start = deal.constant(1 - player, 1) if against is None else against
    floats = is_float(start)
    masses: dict[str, HandFunction] = {}
    edges: dict[str, HandFunction] = {}

    def leaf(node: Leaf, reach: HandFunction, led: str) -> HandFunction:
        """`led` names the opponent's last choice: endings with the same share both operators."""
        constant, stake = node.in_floats if floats else (node.constant, node.stake)
        chips = None
        if constant != 0 or stake == 0:
            if led not in masses:
                masses[led] = deal.mass(player, reach)
            chips = masses[led] * (sign * constant)
        if stake != 0:
            if led not in edges:
                edges[led] = deal.edge(player, reach)
            won = edges[led] * stake
            chips = won if chips is None else chips + won
        return chips

    def visit(node: Node, name: str, reach: HandFunction, led: str) -> HandFunction:
        if isinstance(node, Leaf):
            return leaf(node, reach, led)
        names = [f"{name}-{action}" if name else action for action in node.actions]
        if node.player != player:
            parts = zip(node.children, names, opponent[name], strict=True)
            values = [visit(child, child_name, reach * p, child_name) for child, child_name, p in parts]
            return sum(values[1:], values[0])
        values = [visit(child, child_name, reach, led) for child, child_name in zip(node.children, names, strict=True)]
        out = choose(name, values)
        if found is not None:
            found[name] = (deal.mass(player, reach), out)
        return out

    if deal.at_once:
        met = dict(_endings(tree.root, "", start, "", player, opponent))
        for led, (mass, edge) in zip(met, deal.both(player, list(met.values())), strict=True):
            masses[led], edges[led] = mass, edge
    return visit(tree.root, "", start, "")


def _endings(
    node: Node, name: str, reach: HandFunction, led: str, player: int, opponent: Mapping[str, Sequence[HandFunction]]
) -> Iterator[tuple[str, HandFunction]]:
    """The opponent's reach at each ending, by his last choice."""
    if isinstance(node, Leaf):
        yield led, reach
        return
    for i, (action, child) in enumerate(zip(node.actions, node.children, strict=True)):
        child_name, theirs = f"{name}-{action}" if name else action, node.player != player
        weight = reach * opponent[name][i] if theirs else reach
        yield from _endings(child, child_name, weight, child_name if theirs else led, player, opponent)


def mixed(probabilities: Sequence[HandFunction], values: Sequence[HandFunction]) -> HandFunction:
    """The chips at a node: those of its actions, times the probabilities that they are taken with."""
    out = probabilities[0] * values[0]
    for p, value in zip(probabilities[1:], values[1:], strict=True):
        out = out + p * value
    return out


def _check_player(player: int) -> None:
    if player not in (0, 1):
        raise ValueError(f"player={player!r} must be 0 or 1")
