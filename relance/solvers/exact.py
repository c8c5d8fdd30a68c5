"""Value, best response, gains, NashConv and regrets of a profile, in the number field of its probabilities.

With Fractions the answer is exact: 0 is exactly 0, not 1e-16. How a best response is found is in `relance.solvers.best_response`;
float probabilities over finite hands are handled by `relance.solvers.float_scores`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol, overload

import numpy as np

from relance.model.arguments import Seat, check, checked
from relance.model.arrays import is_float, put_beside
from relance.model.deal import Deal, HandFunction
from relance.model.game import Game, as_played, check_game
from relance.model.game_tree import GameTree, as_source
from relance.model.numbers import Number, short
from relance.model.sequences import sequence_after
from relance.model.strategy import Profile, Strategy
from relance.model.tree import Case
from relance.model.uniform_cells import by_runs
from relance.solvers.best_response import (
    backward_induction,
    expected_values,
    mixed,
    pure_best_response,
    values_at_terminals,
)
from relance.solvers.float_scores import in_floats
from relance.solvers.tree_values import TreeResponse, TreeScores, response
from relance.solvers.watcher import watched

ROUNDING = 1e-9
"""A negative gain smaller than this, in chips, is a rounding error and counts as 0."""


@dataclass(frozen=True)
class BestResponse:
    """A best response of `player`: the chips that it earns against the opponent's strategy, and the pure strategy."""

    player: int
    value: Number
    strategy: Strategy


class ProfileScores(Protocol):
    """The scores of a profile: the value, and that of a best response, for each player.

    Attributes:
        num_players: the number of players.
        utility_sum: the sum of all players' expected chips.
        rounds: True if numbers are rounded, so that a gain may be slightly below 0.
    """

    num_players: int
    rounds: bool

    @property
    def utility_sum(self) -> Number: ...

    def value(self, player: int = 0) -> Number:
        """Return the expected chips of a player."""

    def best_value(self, player: int) -> Number:
        """Return the expected chips of a player's best response to the others' strategies."""


class ExactScores:
    """The scores of a profile of a `Game`, in the numbers of its probabilities, such as fractions; see `ProfileScores`."""

    num_players, utility_sum = 2, Fraction(0)

    def __init__(self, game: Game, profile: Profile) -> None:
        game.check(profile)
        self.tree, self.rounds = game.tree, getattr(game.deal, "precision", None) is not None
        self.deal, quick = _quickest(game, profile)
        self.play = [strategy.at for strategy in quick.strategies]

    def value(self, player: int = 0) -> Number:
        """Return the expected chips of a player."""
        own, opponent = self.play
        return (1 - 2 * player) * self.deal.total(expected_values(self.tree, self.deal, 0, opponent, own))

    def best_value(self, player: int) -> Number:
        """Return the expected chips of a player's best response to the opponent's strategy."""
        return pure_best_response(self.tree, self.deal, player, self.play[1 - player])[0]


def scored(game: Game | GameTree | str, profile: object) -> ProfileScores:
    """Return the scores of a profile: in floats if it has float probabilities and the `Game` finitely many hands, else in exact numbers."""
    source = as_source(game)
    if isinstance(source, GameTree):
        return TreeScores(source, profile)
    source, profile = as_played(source, profile)
    return in_floats(source, profile) or ExactScores(source, profile)


@checked
@watched
def value(game: Game | GameTree | str, profile: object) -> Number:
    """Return the expected chips of player 0 when all play `profile`; exact for exact profiles.

    Examples:
        >>> print(relance.value("kuhn", "published"))
        -1/18
    """
    return scored(game, profile).value()


@watched
def falls_short(game: Game, profile: Profile, player: int, of: Number) -> bool:
    """Return True if `player` earns less than `of` chips when both play `profile`; with symbolic parameters, in the whole region."""
    earned = (1 - 2 * player) * value(game, profile)
    return bool(earned < of)


@overload
def best_response(game: GameTree, profile: object, player: int) -> TreeResponse: ...
@overload
def best_response(game: Game | str, profile: object, player: int) -> BestResponse: ...
@checked
@watched
def best_response(game: Game | GameTree | str, profile: object, player: Any) -> BestResponse | TreeResponse:
    """Return a best response of `player` to the other half of `profile`; it takes the first of equally good actions.

    Args:
        game: the game.
        profile: a full profile of the game; only the opponent's half matters.
        player: 0 or 1; on a game tree, any of its players.

    Returns:
        Its `strategy`, and its `value`: the chips that it earns `player`.

    Examples:
        >>> print(relance.best_response("kuhn", "uniform", player=0).value)
        1/2

    Raises:
        ValueError: there is no such player, or the profile does not fit the game.
    """
    source = as_source(game)
    if isinstance(source, GameTree):
        return response(source, profile, player)
    check("best_response: player", player, Seat)
    source, profile = as_played(source, profile)
    _check(source, profile, player)
    if source.tree.is_large and (found := in_floats(source, profile)):
        most, rows = found.best_response(player)
        return BestResponse(player, most, Strategy.of_array(source.tree, player, rows))
    deal = _arithmetic(source, profile)
    total, pure = pure_best_response(source.tree, deal, player, profile.strategies[1 - player].at)
    return BestResponse(player, total, Strategy(player, {name: pure[name] for name in source.tree.of(player)}))


@checked
@watched
def gains(game: Game | GameTree | str, profile: object) -> tuple[Number, ...]:
    """Return what each player can gain by a best response, in chips, player 0 first; exact for exact profiles.

    Examples:
        >>> relance.solvers.gains("kuhn", "uniform")
        (Fraction(3, 8), Fraction(13, 24))
    """
    found = scored(game, profile)
    players = found.num_players
    worth = [
        found.value(0),
        *(found.utility_sum - found.value(0) if players == 2 else found.value(p) for p in range(1, players)),
    ]
    return tuple(_at_least_0(found, found.best_value(player) - earned) for player, earned in enumerate(worth))


@checked
@watched
def nash_conv(game: Game | GameTree | str, profile: object) -> Number:
    """Return the sum of all players' `gains`, in chips; exactly 0 if and only if `profile` is a Nash equilibrium.

    Examples:
        >>> print(relance.nash_conv("kuhn", "published"), relance.nash_conv("kuhn", "uniform"))
        0 11/12
    """
    found = scored(game, profile)
    return _at_least_0(found, sum(found.best_value(player) for player in range(found.num_players)) - found.utility_sum)


def _at_least_0(found: ProfileScores, gain: Number) -> Number:
    """Return a gain, or 0 if it is negative by rounding alone: in floats, or where best responses change at points not in the field."""
    return gain * 0 if (found.rounds or isinstance(gain, float)) and -ROUNDING < gain < 0 else gain


@checked
def exploitability(game: Game | GameTree | str, profile: object) -> Number:
    """Return the mean of all players' `gains`, in chips: with two players `nash_conv` / 2.

    Examples:
        >>> print(relance.exploitability("kuhn", "uniform"))
        11/24
    """
    source = as_source(game)
    return nash_conv(source, profile) / source.num_players


@watched
@checked
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
        {node: (counterfactual reach, chips)}, functions of the hand; the root is "". The reach is the probability of the hand times
        the probability that the opponent's choices lead to the node; the chips are multiplied by the reach.
    """
    chips, met, values = _play(game, profile, player, against)
    at_nodes = {name: (met[name], mixed(profile[name], values[name])) for name in game.tree.of(player)}
    return {"": (met[""], chips), **at_nodes}


@watched
@checked
def reach_probs(game: Game, profile: Profile, player: int, node: str) -> HandFunction:
    """Return, for each hand of `player`, the probability that the player's own choices lead to `node`."""
    last = game.tree.last_choice(node, player)
    if last is None:
        return game.deal.constant(player, 1)
    before, action = last
    return reach_probs(game, profile, player, before) * profile[before][action]


@watched
@checked
def action_values(game: Game, profile: Profile, player: int) -> dict[str, tuple[HandFunction, list[HandFunction]]]:
    """Return {node of `player`: (counterfactual reach, chips of each action)} if `profile` is played after the action.

    Both are functions of the hand. Chips are those of `player`, multiplied by the reach: divide by the reach to get expected chips there.
    """
    _, met, values = _play(game, profile, player)
    return {name: (met[name], values[name]) for name in game.tree.of(player)}


@checked
def regrets(game: Game | str, profile: object, player: Seat) -> dict[str, tuple[HandFunction, list[HandFunction]]]:
    """Return {node of `player`: (counterfactual reach, regret of each action: its chips minus those of the player's strategy)}.

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
    faced = values_at_terminals(tree, deal, player, profile.strategies[other].at, against)
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
