"""Value, best response, gains, NashConv and regrets of a profile, in the number field of its probabilities.

With Fractions the answer is exact: 0 is exactly 0, not 1e-16. How a best response is found is in `relance.solvers.best_response`;
float probabilities over finite hands are handled by `relance.solvers.float_scores`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, overload

import numpy as np

from relance.model.arguments import Seat, check, checked
from relance.model.arrays import is_float, put_beside
from relance.model.deal import Deal, HandFunction
from relance.model.game import Game, as_played, check_game
from relance.model.game_tree import GameTree
from relance.model.numbers import Number, short
from relance.model.sequences import sequence_after
from relance.model.strategy import Profile, Strategy
from relance.model.tree import Case
from relance.model.uniform_cells import by_runs
from relance.solvers.best_response import (
    backward_induction,
    ending_values,
    expected_values,
    mixed,
    pure_best_response,
)
from relance.solvers.float_scores import in_floats
from relance.solvers.tree_values import TreeResponse, judge, response
from relance.solvers.watcher import watched

ROUNDING = 1e-9
"""A negative gain smaller than this, in chips, is a rounding error and counts as 0."""


@dataclass(frozen=True)
class BestResponse:
    """What `player` can earn against the other's strategy (chips to `player`), and the pure strategy that earns it."""

    player: int
    value: Number
    strategy: Strategy


@checked
@watched
def value(game: Game | GameTree | str, profile: Profile | Mapping[str, Any] | str) -> Number:
    """Return the expected chips of player 0 when all play `profile`; exact for exact profiles."""
    if isinstance(game, GameTree):
        return judge(game, profile).values[0]
    game, profile = as_played(game, profile)
    if (found := in_floats(game, profile)) is not None:
        return found.value()
    game.check(profile)
    deal, profile = _quickest(game, profile)
    own, opponent = (strategy.at for strategy in profile.strategies)
    return deal.total(expected_values(game.tree, deal, 0, opponent, own))


@watched
def falls_short(game: Game, profile: Profile, player: int, of: Number) -> bool:
    """Return True if `player` earns less than `of` chips when both play the exact `profile`; with letters, in the whole region."""
    earned = (1 - 2 * player) * value(game, profile)
    return bool(earned < of)


@overload
def best_response(game: GameTree, profile: Mapping[str, Any] | str, player: int) -> TreeResponse: ...
@overload
def best_response(game: Game | str, profile: Profile | Mapping[str, Any] | str, player: int) -> BestResponse: ...
@checked
@watched
def best_response(
    game: Game | GameTree | str, profile: Profile | Mapping[str, Any] | str, player: Any
) -> BestResponse | TreeResponse:
    """Return a best response of `player` to the other half of `profile`; it takes the first of equally good actions.

    Args:
        game: the game.
        profile: a full profile of the game; only the opponent's half matters.
        player: 0 or 1; on a game tree, any of its players.

    Raises:
        ValueError: there is no such player, or the profile does not fit the game.
    """
    if isinstance(game, GameTree):
        return response(game, profile, player)
    check("best_response: player", player, Seat)
    game, profile = as_played(game, profile)
    _check(game, profile, player)
    deal = _arithmetic(game, profile)
    total, pure = pure_best_response(game.tree, deal, player, profile.strategies[1 - player].at)
    return BestResponse(player, total, Strategy(player, {name: pure[name] for name in game.tree.of(player)}))


@checked
@watched
def gains(game: Game | GameTree | str, profile: Profile | Mapping[str, Any] | str) -> tuple[Number, ...]:
    """Return what each player can gain by a best response, in chips; exact for exact profiles."""
    if isinstance(game, GameTree):
        return judge(game, profile).gains
    game, profile = as_played(game, profile)
    worth: Number
    best: tuple[Number, Number]
    if (found := in_floats(game, profile)) is not None:
        worth, best = found.value(), (found.best_value(0), found.best_value(1))
    else:
        worth, best = value(game, profile), _best_values(game, profile)
    return _at_least_0(game, best[0] - worth), _at_least_0(game, best[1] + worth)


@checked
@watched
def nash_conv(game: Game | GameTree | str, profile: Profile | Mapping[str, Any] | str) -> Number:
    """Return the sum of all players' `gains`, in chips; exactly 0 if and only if `profile` is a Nash equilibrium."""
    if isinstance(game, GameTree):
        return judge(game, profile).nash_conv
    game, profile = as_played(game, profile)
    return _at_least_0(game, sum(_best_values(game, profile)))


def _at_least_0(game: Game, gain: Number) -> Number:
    """Return a gain, or 0 if it is negative by rounding alone: in floats, or where best responses change at points not in the field."""
    rounded = isinstance(gain, float) or getattr(game.deal, "precision", None) is not None
    return gain * 0 if rounded and -ROUNDING < gain < 0 else gain


def _best_values(game: Game, profile: Profile) -> tuple[Number, Number]:
    """Return what a best response earns as player 0 and as player 1."""
    if (found := in_floats(game, profile)) is not None:
        return found.best_value(0), found.best_value(1)
    game.check(profile)
    deal, quick = _quickest(game, profile)

    first, second = (
        pure_best_response(game.tree, deal, player, strategy.at)[0]
        for player, strategy in enumerate(reversed(quick.strategies))
    )
    return first, second


@checked
def exploitability(game: Game | GameTree | str, profile: Profile | Mapping[str, Any] | str) -> Number:
    """Return the mean of all players' `gains`, in chips: with two players `nash_conv` / 2."""
    return nash_conv(game, profile) / (game.players if isinstance(game, GameTree) else 2)


@watched
def hand_values(
    game: Game, profile: Profile, player: int, against: HandFunction | None = None
) -> dict[str, tuple[HandFunction, HandFunction]]:
    """Return, for the root and each node of `player`, the player's chips with each hand when both play `profile`.

    Args:
        game: the game.
        profile: how both players play.
        player: 0 or 1, the player whose chips to compute.
        against: weights of the opponent's hands; all 1 by default.

    Returns:
        {node: (counterfactual reach, chips)}. The reach is the probability of the hand times the probability that the
        opponent's choices lead to the node; the chips are multiplied by it.
    """
    chips, met, values = _play(game, profile, player, against)
    at_nodes = {name: (met[name], mixed(profile[name], values[name])) for name in game.tree.of(player)}
    return {"": (met[""], chips), **at_nodes}


@watched
def reach(game: Game, profile: Profile, player: int, node: str) -> HandFunction:
    """Return, for each hand of `player`, the probability that the player's own choices lead to `node`."""
    last = game.tree.last_choice(node, player)
    if last is None:
        return game.deal.constant(player, 1)
    before, action = last
    return reach(game, profile, player, before) * profile[before][action]


@watched
def action_values(game: Game, profile: Profile, player: int) -> dict[str, tuple[HandFunction, list[HandFunction]]]:
    """Return {node of `player`: (counterfactual reach, chips of each action)} if `profile` is played after the action.

    All are functions of the hand. Chips are multiplied by the reach, as in `hand_values`; divide by it to get the expected chips
    given hand and node.
    """
    _, met, values = _play(game, profile, player)
    return {name: (met[name], values[name]) for name in game.tree.of(player)}


@checked
def regrets(
    game: Game | str, profile: Profile | str, player: Seat
) -> dict[str, tuple[HandFunction, list[HandFunction]]]:
    """Return {node of `player`: (counterfactual reach, regret of each action)}: its chips minus those of the player's strategy there.

    Regrets are weighted by the reach, as in `action_values`. A positive regret shows that a learner should play the action more often.
    """
    game, profile = as_played(game, profile)
    return {
        name: (met, [chips - mixed(profile[name], values) for chips in values])
        for name, (met, values) in action_values(game, profile, player).items()
    }


def _play(
    game: Game, profile: Profile, player: int, against: HandFunction | None = None
) -> tuple[HandFunction, dict[str, HandFunction], dict[str, list[HandFunction]]]:
    """When both play `profile`: the player's chips at the root, their reach by node, and the chips of each action by node."""
    _check(game, profile, player)
    values: dict[str, list[HandFunction]] = {}

    def play(name: str, chips: list[HandFunction]) -> HandFunction:
        values[name] = chips
        return mixed(profile[name], chips)

    tree, deal, other = game.tree, _arithmetic(game, profile), 1 - player
    faced = ending_values(tree, deal, player, profile.strategies[other].at, against)
    chips = backward_induction(deal, faced, play)
    reach = deal.unstack(faced.reach)
    met = {
        name: deal.in_case(Case(tree.cases[name].events)).mass(
            player, reach[sequence_after(faced.theirs.slots, tree.last_choice(name, other))]
        )
        for name in ("", *tree.of(player))
    }
    return chips, met, values


def _quickest(game: Game, profile: Profile) -> tuple[Deal, Profile]:
    """A deal and a profile that give the same totals as the game's own; a fine grid is replaced by runs of equal hands."""
    return by_runs(game, profile) or (_arithmetic(game, profile), profile)


def _arithmetic(game: Game, profile: Profile) -> Deal:
    """The deal in the arithmetic of the profile: if any probability is a float, in floats and in the same array library."""
    for row in (row for name in profile.nodes() for row in profile[name]):
        if is_float(row):
            return game.deal.floats if isinstance(row, np.ndarray) else game.deal.moved(put_beside(row))
    return game.deal


def _check(game: Game, profile: Profile, player: int) -> None:
    if player not in (0, 1):
        raise ValueError(f"player={short(player)} must be 0 or 1")
    check_game(game, "a value")
    game.check(profile)
