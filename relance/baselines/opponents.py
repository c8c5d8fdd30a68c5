"""Opponents for a single seat: by name, as a profile, or as any callable."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from relance.baselines.agents import Illegal, Mode, half
from relance.baselines.floats import averaged
from relance.model.deal import FiniteDeal
from relance.model.game import Game, build
from relance.model.numbers import did_you_mean
from relance.model.piecewise import Piecewise
from relance.model.strategy import Profile, Strategy
from relance.solve.exact import best_response

Agent: TypeAlias = Callable[[npt.NDArray[np.float32], npt.NDArray[np.bool_]], int]
"""A callable opponent: from his observation and action mask to an action id."""

NAMES: dict[str, Callable[[Game, int], Strategy]] = {
    "published": lambda game, seat: game.published().strategies[seat],
    "uniform": lambda game, seat: game.uniform().strategies[seat],
    "best_response": lambda game, seat: best_response(game, game.published(), seat).strategy,
}
"""Opponents by name. "best_response" is a pure best response to the published strategy of the other seat."""


class Sampler:
    """Draws actions of a strategy: for each node the cumulative probabilities of its actions, hand by hand, as floats."""

    def __init__(self, game: Game, strategy: Strategy) -> None:
        self._cuts: dict[int, list[float]] = {}
        self._rows: dict[int, list[list[float]]] = {}
        for index, name in enumerate(game.tree.table.names):
            if name not in strategy.at:
                continue
            rows = strategy.at[name]
            if isinstance(rows[0], Piecewise):
                shared = Piecewise.constant(0)
                for row in rows:
                    shared = shared + row * 0
                self._cuts[index] = [float(c) for c in shared.cuts[1:-1]]
                rows = tuple(np.array((row + shared).values(), float) for row in rows)
            cumulative = np.cumsum(np.stack([np.asarray(row, float) for row in rows]), axis=0)
            self._rows[index] = cumulative.T.tolist()

    def draw(self, node: int, hand: Any, uniform: float) -> int:
        """The position among the node's actions that the number `uniform` in [0, 1) picks."""
        cell = bisect_right(self._cuts[node], hand) if node in self._cuts else hand
        row = self._rows[node][cell]
        return min(bisect_right(row, uniform * row[-1]), len(row) - 1)


def strategy(game: Game, player: Any, seat: int, mode: Mode = "sample", illegal: Illegal = "error") -> Strategy:
    """What `player` plays in `seat`: a name, a Profile, an agent, or a tuple of two of these, one per seat.

    A strategy on [0, 1] is averaged over the cells of a grid. Raises as `relance.baselines.agents.half` does.
    """
    if isinstance(player, tuple):
        if len(player) != 2:
            raise ValueError(f"a pair has an agent for each of the two seats, not {len(player)}")
        return strategy(game, player[seat], seat, mode, illegal)
    if isinstance(player, str):
        if player not in NAMES:
            raise ValueError(f"there is no opponent {player!r}" + did_you_mean(player, NAMES))
        return NAMES[player](game, seat)
    if isinstance(player, Profile):
        return _of_profile(game, player, seat)
    return half(game, player, seat, mode, illegal)


def whole(game: Game) -> Game:
    """The game before its hands on [0, 1] were cut into cells."""
    return build(game.blueprint, **game.parameters)


def _of_profile(game: Game, profile: Profile, seat: int) -> Strategy:
    on_interval = isinstance(game.deal, FiniteDeal) and any(
        isinstance(row, Piecewise) for n in profile.nodes() for row in profile[n]
    )
    if game.cuts is None or not on_interval:
        game.check(profile)
        return profile.strategies[seat]
    whole(game).check(profile)
    return averaged(game, profile.strategies[seat])


def find(game: Game, opponent: str | Profile | Agent, seat: int) -> Sampler | Agent:
    """Return the player for `seat` that `opponent` names. Raises ValueError or TypeError if it names none, or a profile of another game."""
    if isinstance(opponent, str):
        if opponent not in NAMES:
            raise ValueError(f"there is no opponent {opponent!r}" + did_you_mean(opponent, NAMES))
        return Sampler(game, NAMES[opponent](game, seat))
    if isinstance(opponent, Profile):
        game.check(opponent)
        return Sampler(game, opponent.strategies[seat])
    if callable(opponent):
        return opponent
    raise TypeError(
        f"opponent {opponent!r} must be one of {', '.join(map(repr, NAMES))}, a Profile, or a callable (observation, mask) -> action id"
    )
