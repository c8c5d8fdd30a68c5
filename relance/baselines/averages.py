"""The average policy of a training run: that of snapshots along the way, in equal shares, for every learner alike.

One of the snapshots is drawn for each episode, which is a behaviour strategy (Kuhn 1953); its NashConv is as exact as that of any policy.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from relance.baselines.openspiel_games import AnyGame, OpenSpielGame
from relance.play.exact_score import score

MOST = 64
"""How many snapshots are kept at most. When there are more, every other one is dropped and they are taken half as often."""


class Average:
    """The policies of a run: after every step at first, then after every second, fourth and so on.

    Which steps these are depends on how many there were alone, never on the budget or the clock.

    Args:
        game: the game; on a game of OpenSpiel nothing is kept.
    """

    def __init__(self, game: AnyGame) -> None:
        self.game = None if isinstance(game, OpenSpielGame) else game
        self.kept, self._steps, self._every = list[tuple[int, Any]](), 0, 1

    def after_step(self, samples: int, agent: Callable[[], Any]) -> None:
        """Keep the policy that `agent` returns, if one is due; `samples` is how many there were so far."""
        self._steps += 1
        if self.game is None or self._steps % self._every:
            return
        policy = agent()
        if self.game.deal.is_finite:  # tables need less room than networks, and are read once
            policy = score(self.game, policy).profile.as_float()
        self.kept.append((samples, policy))
        if len(self.kept) > MOST:
            self.kept, self._every = self.kept[1::2], 2 * self._every

    def policy(self) -> list[Any]:
        """The snapshots since half of the samples, a mixture for `relance.score`; empty if there is none."""
        half = self.kept[-1][0] / 2 if self.kept else 0
        return [policy for samples, policy in self.kept if samples > half]
