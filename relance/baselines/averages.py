"""The average policy of a training run: a mixture, in equal shares, of snapshots of the policy taken along the way, for every learner.

Whoever plays the mixture draws one snapshot for each episode. Some behaviour strategy plays the same (Kuhn 1953), so its NashConv is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from relance.baselines.openspiel_games import AnyGame, OpenSpielGame
from relance.model.arrays import Array
from relance.model.game import Game
from relance.model.strategy import Profile, Strategy
from relance.play.exact_score import score

MOST = 64
"""How many snapshots are kept at most. When there are more, every other one is dropped and they are taken half as often."""


class Average:
    """Snapshots of the policy that a run trains: after every training step at first, then after every second step, every fourth and so on.

    Which steps have a snapshot depends only on the number of steps so far, never on the budget or the clock.

    Args:
        game: the game; on a game of OpenSpiel nothing is kept.
    """

    def __init__(self, game: AnyGame) -> None:
        self.game = None if isinstance(game, OpenSpielGame) else game
        self.kept, self._steps, self._every = list[tuple[int, Any]](), 0, 1

    def after_step(self, samples: int, agent: Callable[[], Any]) -> None:
        """Keep the policy that `agent` returns if a snapshot is due after this step; `samples` is the number of samples so far."""
        self._steps += 1
        if self.game is None or self._steps % self._every:
            return
        policy = agent()
        if self.game.deal.is_finite:  # tables need less room than networks, and are read once
            policy = score(self.game, policy).profile.as_float()
        self.kept.append((samples, policy))
        if len(self.kept) > MOST:
            self.kept, self._every = self.kept[1::2], 2 * self._every

    def state(self) -> list[Any]:
        """Return the snapshots and counters as numbers, lists, arrays by decision node, and agents: what a checkpoint saves."""
        kept = [(samples, _tables(policy)) for samples, policy in self.kept]
        return [self._steps, self._every, kept]

    def restore(self, state: Sequence[Any], agent: Callable[[Any], Any]) -> None:
        """Restore the snapshots and counters from `state`, which the method `state` returned; `agent` makes a policy of each saved one."""
        self._steps, self._every, kept = state
        self.kept = [(samples, agent(policy)) for samples, policy in kept]

    def policy(self) -> list[Any]:
        """Return the policies kept in the later half of the samples; `relance.score` reads the list, which may be empty, as a mixture."""
        half = self.kept[-1][0] / 2 if self.kept else 0
        return [policy for samples, policy in self.kept if samples > half]


def _tables(policy: Any) -> Any:
    """A profile as arrays (actions, hands) by node; an agent as it is."""
    return {name: np.stack(policy[name]) for name in policy.nodes()} if isinstance(policy, Profile) else policy


def profile_of_tables(game: Game, tables: Mapping[str, Array]) -> Profile:
    """Return the profile whose probabilities are these arrays, by decision node, without rounding them."""
    first, second = (
        Strategy(player, {name: tuple(tables[name]) for name in game.tree.of(player)}) for player in (0, 1)
    )
    return game.together(first, second)
