"""Logs the exact NashConv during training, to TensorBoard or Weights & Biases; keeps the best policy, and stops early.

    log = NashConvLog(game, to=SummaryWriter("runs/mine"), save=lambda step, score: torch.save(net.state_dict(), "best.pt"), below=0.01)
    for step in range(updates):
        ...
        if log(net, step):
            break

Any loop calls it, also one around a jitted JAX function. Stable-Baselines3, TorchRL and RLlib have callbacks of their own kind, in
`relance.baselines`: `SB3NashConvCallback`, `TorchRLNashConvHook`, `RLlibNashConvCallback`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from relance.model.arguments import Count, NotNegative, checked
from relance.model.game import Game, as_game
from relance.play.exact_score import score
from relance.play.opponents import Player

PREFIX = "relance/"
"""The beginning of the names of all scalars."""


class NashConvLog:
    """Records the exact NashConv of an agent as it learns, and says when training may stop.

    Args:
        game: the game, or its text.
        to: where the scalars go: TensorBoard's `SummaryWriter` or anything with its `add_scalar`; a run of Weights & Biases, also an
            offline one, or anything with its `log`; a function of a dictionary and the step; None for nowhere.
        regrets: also write the largest regret at each information set, in chips times counterfactual reach; for finitely many hands.
        save: called with the step and the NashConv whenever the NashConv is the lowest so far.
        below: training may stop once NashConv is at most this, in chips.
        patience: training may stop after this many scores in a row that were not the lowest.

    Attributes:
        points: (step, NashConv) of each score.
        best: the point with the lowest NashConv; None before the first score.
        stopped: whether training may stop.

    Raises:
        TypeError: `to` is of none of these kinds.
        ValueError: `regrets` for a game with infinitely many hands.
    """

    @checked
    def __init__(
        self,
        game: Game | str,
        to: Any = None,
        *,
        regrets: bool = False,
        save: Callable[[int, float], object] | None = None,
        below: NotNegative = 0.0,
        patience: Count | None = None,
    ) -> None:
        self.game, self._write = as_game(game), _writer(to)
        if regrets and not self.game.deal.is_finite:
            raise ValueError(f"regrets=True needs finitely many hands, such as those of {self.game.name}(hands=9)")
        self._regrets, self._save, self._below, self._patience = regrets, save, below, patience
        self.points: list[tuple[int, float]] = []
        self.best: tuple[int, float] | None = None
        self.stopped = False
        self._since = 0

    def __call__(self, agent: Player, step: int) -> bool:
        """Score an agent, in any form that `relance.score` accepts, and return `stopped`."""
        found = score(self.game, agent)
        nash_conv = float(found.nash_conv)
        self.points.append((int(step), nash_conv))
        scalars = {f"{PREFIX}nash_conv": nash_conv, f"{PREFIX}value": float(found.value)}
        if self._regrets:
            scalars |= {f"{PREFIX}regret/{name}": regret for name, regret in largest_regrets(found).items()}
        self._write(scalars, int(step))
        if self.best is None or nash_conv < self.best[1]:
            self.best, self._since = self.points[-1], 0
            if self._save is not None:
                self._save(*self.best)
        else:
            self._since += 1
        self.stopped = nash_conv <= self._below or (self._patience is not None and self._since >= self._patience)
        return self.stopped


def largest_regrets(found: Any) -> dict[str, float]:
    """Return {"HAND NODE": largest counterfactual regret of an action} for each information set of a `Score`."""
    game, out = found.game, dict[str, float]()
    labels = game.finite_deal().labels
    for name, (_, regrets) in found.regrets.items():
        hands = labels[game.tree.decisions[name].player]
        most = np.max([np.asarray(regret, float) for regret in regrets], axis=0)
        out |= {f"{hand} {name}".strip(): float(regret) for hand, regret in zip(hands, most, strict=True)}
    return out


def _writer(to: Any) -> Callable[[Mapping[str, float], int], object]:
    """A function that writes scalars at a step."""
    if to is None:
        return lambda scalars, step: None
    if hasattr(to, "add_scalar"):
        return lambda scalars, step: [to.add_scalar(name, value, step) for name, value in scalars.items()]
    if hasattr(to, "log"):
        return lambda scalars, step: to.log(dict(scalars), step=step)
    if callable(to):
        return lambda scalars, step: to(dict(scalars), step)
    raise TypeError(
        f"to={to!r} must have add_scalar (TensorBoard) or log (Weights & Biases), or be a function (scalars, step)"
    )
