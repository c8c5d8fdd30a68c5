"""Value, best response and NashConv of a profile, in whatever field its numbers are.

One pass over the betting tree per player. At each node the expected chips of every hand of the player are one function of
the hand, weighted by the probability of meeting the opponent there; the two operators of the deal give them at the leaves.
With Fractions the answer is exact: 0 is 0 and not 1e-16.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from relance.model.deal import HandFunction
from relance.model.game import Game
from relance.model.numbers import Number
from relance.model.strategy import Profile, Strategy
from relance.model.tree import Leaf, Node, path_name

Choose: TypeAlias = Callable[[str, list[HandFunction]], tuple[HandFunction, ...]]
"""From a node and the chips of its actions to the probabilities with which the player takes them."""


@dataclass(frozen=True)
class BestResponse:
    """What `player` can earn against the other's strategy (chips to `player`), and the pure strategy that earns it."""

    player: int
    value: Number
    strategy: Strategy


def value(game: Game, profile: Profile) -> Number:
    """Return the expected chips of player 0 when both play `profile`; exact for exact profiles."""
    game.check(profile)
    return game.deal.total(hand_values(game, profile, 0)[""][1])


def best_response(game: Game, profile: Profile, player: int) -> BestResponse:
    """Return the best that `player` (0 or 1) can do against the other's half of `profile`.

    At hands the opponent's strategy never lets him meet, and in ties, the first listed action is taken.
    """
    _check_player(player)
    game.check(profile)
    chosen: dict[str, tuple[HandFunction, ...]] = {}

    def choose(name: str, values: list[HandFunction]) -> tuple[HandFunction, ...]:
        chosen[name] = tuple(game.deal.pick_best(values))
        return chosen[name]

    total = game.deal.total(_values(game, profile, player, choose, {}))
    return BestResponse(player, total, Strategy(player, {name: chosen[name] for name in game.tree.of(player)}))


def nash_conv(game: Game, profile: Profile) -> Number:
    """Return the sum of what each player can gain by a best response; exactly 0 if and only if `profile` is a Nash equilibrium."""
    return best_response(game, profile, 0).value + best_response(game, profile, 1).value


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
    found: dict[str, tuple[HandFunction, HandFunction]] = {}
    weight = game.deal.constant(1 - player, 1) if against is None else against
    top = _values(game, profile, player, lambda name, _: profile[name], found, weight)
    found.setdefault("", (game.deal.mass(player, weight), top))
    return found


def reach(game: Game, profile: Profile, player: int, node: str) -> HandFunction:
    """Return for each hand of `player` the probability that his own choices lead to `node`."""
    out, here = game.deal.constant(player, 1), ""
    for action in node.split("-") if node else ():
        owner = game.tree.decisions[here]
        if owner.player == player:
            out = out * profile[here][owner.actions.index(action)]
        here = f"{here}-{action}" if here else action
    return out


def action_values(game: Game, profile: Profile, player: int) -> dict[str, tuple[HandFunction, list[HandFunction]]]:
    """Return at each node of `player` (reach, chips of each action), hand by hand, later play being that of `profile`.

    Chips are weighted by reach: divide by it for the expected chips given hand and node.
    """
    _check_player(player)
    found: dict[str, list[HandFunction]] = {}

    def remember(name: str, values: list[HandFunction]) -> tuple[HandFunction, ...]:
        found[name] = values
        return profile[name]

    met: dict[str, tuple[HandFunction, HandFunction]] = {}
    _values(game, profile, player, remember, met)
    return {name: (met[name][0], values) for name, values in found.items()}


def _values(
    game: Game,
    profile: Profile,
    player: int,
    choose: Choose,
    found: dict[str, tuple[HandFunction, HandFunction]],
    against: HandFunction | None = None,
) -> HandFunction:
    """Chips of each hand of `player` at the root, times the probability of the hand; fills `found` at his nodes."""
    deal, opponent, sign = game.deal, profile.strategies[1 - player].at, 1 - 2 * player

    def visit(node: Node, history: tuple[str, ...], reach: HandFunction) -> HandFunction:
        if isinstance(node, Leaf):
            chips = deal.mass(player, reach) * (sign * node.constant)
            return chips if node.stake == 0 else chips + deal.edge(player, reach) * node.stake
        name = path_name(history)
        steps = zip(node.actions, node.children, strict=True)
        if node.player != player:
            values = [
                visit(child, (*history, action), reach * p)
                for (action, child), p in zip(steps, opponent[name], strict=True)
            ]
            return sum(values[1:], values[0])
        values = [visit(child, (*history, action), reach) for action, child in steps]
        mixed = [p * v for p, v in zip(choose(name, values), values, strict=True)]
        out = sum(mixed[1:], mixed[0])
        found[name] = (deal.mass(player, reach), out)
        return out

    return visit(game.tree.root, (), deal.constant(1 - player, 1) if against is None else against)


def _check_player(player: int) -> None:
    if player not in (0, 1):
        raise ValueError(f"player={player!r} must be 0 or 1")
