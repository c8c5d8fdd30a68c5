"""Scores profiles in floats over finite hands; each pass handles all sequences of a player together."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from relance.model.arrays import is_float, namespace, put_beside, zeros_beside
from relance.model.deal import Array, FiniteDeal
from relance.model.game import Game, check_game
from relance.model.sequences import ALL, Group, sides
from relance.model.strategy import Profile, Rows, are_probabilities
from relance.solvers.sequence_form import back_up, best, blocks, mixed_chips, sequence_probs, terminal_values
from relance.solvers.walk import walk_of


class Scores:
    """The scores of a profile in floats: its value, and the values of best responses to it.

    Args:
        game: a game with finitely many hands.
        profile: has the shape that `Game.check_shape` accepts; all its rows are float arrays of one library.
        deal: the game's deal in floats, if it was computed before.

    Raises:
        ValueError: the numbers of the profile are not probabilities.
    """

    num_players, utility_sum, rounds = 2, 0.0, True

    def __init__(self, game: Game, profile: Profile, deal: FiniteDeal | None = None) -> None:
        self.sides, deal = sides(game.tree), deal or game.finite_deal()
        self._rows: list[Any] = [
            strategy.at.array
            if isinstance(strategy.at, Rows)
            else [row for name in side.slots for row in strategy.at[name]]
            for side, strategy in zip(self.sides, profile.strategies, strict=True)
        ]
        like = next(rows if hasattr(rows, "shape") else rows[0] for rows in self._rows if len(rows))
        self.deal = deal.floats
        if not isinstance(like, np.ndarray):
            put = put_beside(like)
            self.deal, self.sides = deal.moved(put), (self.sides[0].moved(put), self.sides[1].moved(put))
        self.blocks = blocks(self.deal, max(side.size for side in self.sides))
        self._kept: list[Array | None] = [None, None]
        self._walked: tuple[float, float] | None = None
        if all(isinstance(rows, np.ndarray) for rows in self._rows):
            walk = walk_of(game.tree, self.deal, self.sides)
            self._walked = None if walk is None else walk.best_values(self._rows)
        for block in self.blocks:
            normalised = [self._stacked(player, block) for player in (0, 1)]
            if block == ALL:
                self._kept = [*normalised]
            if self._walked is None and not all(
                are_probabilities(side, share) for side, share in zip(self.sides, normalised, strict=True)
            ):
                game.check(profile)  # raises an error that names the problem

    def _stacked(self, player: int, block: slice) -> Array:
        if hasattr(self._rows[player], "shape"):
            whole: Array = self._rows[player][:, block]
            return whole
        rows = [row[block] for row in self._rows[player]]
        if not rows:  # a player who never acts
            none: Array = zeros_beside(self._rows[1 - player][0], (0, len(range(self.deal.size(player))[block])))
            return none
        return np.array(rows, float) if isinstance(rows[0], np.ndarray) else namespace(rows[0]).stack(rows).double()

    def _share(self, player: int, block: slice) -> Array:
        kept = self._kept[player]
        return self._stacked(player, block) if kept is None else kept

    def best_value(self, player: int) -> float:
        """Return the value of a best response of `player`, in chips."""
        if self._walked is not None:
            return self._walked[player]
        return sum(float(back_up(self.sides[player], values, best).sum()) for _, values in self._chips(player))

    def best_response(self, player: int) -> tuple[float, Array]:
        """Return a best response's value for `player` in chips, and the response, (all actions, hands): 1 for the first best action."""
        side, total = self.sides[player], 0.0
        pure = np.zeros((side.size, self.deal.size(player)))
        for block, values in self._chips(player):

            def best_action(group: Group, chips: Array, block: slice = block) -> Array:
                np.put_along_axis(group.of(pure)[:, :, block], chips.argmax(1)[:, None], 1.0, axis=1)
                return best(group, chips)

            total += float(back_up(side, values, best_action).sum())
        return total, pure

    def value(self, player: int = 0) -> float:
        """Return the expected chips of a player when both play the profile."""
        side, total = self.sides[0], 0.0
        for block, values in self._chips(0):
            choose = partial(mixed_chips, self._share(0, block))
            total += float(back_up(side, values, choose).sum())
        return (1 - 2 * player) * total

    def _chips(self, player: int) -> Iterator[tuple[slice, Array]]:
        other = self.sides[1 - player]
        return terminal_values(
            self.sides[player],
            self.deal,
            player,
            self.blocks,
            lambda block: sequence_probs(other, self._share(1 - player, block)),
        )


def in_floats(game: Game, profile: Profile) -> Scores | None:
    """Return the scores of a profile with float probabilities; None if all its probabilities are exact, or hands are on [0, 1].

    Raises:
        ValueError, TypeError: the profile does not fit the game; see `Game.check`.
    """
    check_game(game, "a value")
    game.check_shape(profile)
    if not game.deal.is_finite:
        return None
    kinds = {is_float(row) for strategy in profile.strategies for row in strategy.rows()}
    if True not in kinds:
        return None
    return Scores(game, profile if kinds == {True} else profile.as_float())
