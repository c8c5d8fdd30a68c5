"""The teaching signal: how many expected chips a decision loses against a known opponent.

The loss of an action is what the best one would earn from here on, less what this one does, in chips and given hand, node and opponent;
later play is a best response in both. So the losses of an episode sum, in expectation, to what can be earned against the opponent less what
is earned: with Q the chips under best play, what is earned differs from Q at the first decision by the loss there, and so on.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
import numpy.typing as npt

from relance.agents.floats import Curves, Floats
from relance.agents.opponents import strategy
from relance.agents.reading import CELLS
from relance.model.deal import FiniteDeal, HandFunction
from relance.model.game import Game
from relance.model.laws import DensityDeal, IntervalDeal
from relance.rules.rules import rules
from relance.solvers.exact import mixed, sweep

Ints = npt.NDArray[np.int64]


class Losses:
    """Losses of one seat against an opponent, worked out once and then looked up.

    With hands on [0, 1] chips are piecewise polynomials of the hand, evaluated at the hand itself; for laws without exact arithmetic
    (normal hands) they are those of `CELLS` equal cells. Where the opponent's strategy never leads with this hand all losses are 0.

    Args:
        game: what is played.
        seat: whose decisions.
        opponent: whose strategy they are judged against; see `relance.agents.opponents.strategy`.
    """

    def __init__(self, game: Game, seat: int, opponent: Any = "published") -> None:
        self._game, self._seat = game, seat
        self._worst = rules(game).worst[seat]
        self._cells = 0
        if isinstance(game.deal, IntervalDeal) and not isinstance(game.deal, DensityDeal):
            game, self._cells = game.grid(CELLS), CELLS
        deal = game.deal.floats if isinstance(game.deal, FiniteDeal) else game.deal
        values: dict[str, list[HandFunction]] = {}
        met: dict[str, tuple[HandFunction, HandFunction]] = {}

        def best(name: str, found: list[HandFunction]) -> HandFunction:
            values[name] = found
            return mixed(deal.pick_best(found), found)

        self._finite = isinstance(game.deal, FiniteDeal)
        other = game.uniform().replace(strategy(game, opponent, 1 - seat))
        if self._finite:
            other = other.as_float()
        sweep(game.tree, deal, seat, other.strategies[1 - seat].at, best, met)
        self._chips: dict[int, Any] = {}
        for node, name in enumerate(game.tree.table.names):
            if name in values:
                functions = [*values[name], met[name][0]]
                self._chips[node] = np.stack(functions, axis=1).astype(float) if self._finite else Curves(functions)

    @property
    def nodes(self) -> Collection[int]:
        """The nodes at which the seat is to move."""
        return self._chips.keys()

    def __call__(self, node: int, hands: npt.ArrayLike, actions: Ints) -> Floats:
        """The losses, (k,), of these action ids with these hands, both (k,), at one node of the seat.

        An illegal action, whatever its number, loses as forfeiting does: the most the seat can lose in this game.
        """
        held = np.asarray(hands)
        if self._cells:
            held = np.minimum((held * self._cells).astype(np.int64), self._cells - 1)
        found = self._chips[node][held] if self._finite else self._chips[node](held)
        met = found[:, -1]
        chips = np.divide(found[:, :-1], met[:, None], out=np.zeros_like(found[:, :-1]), where=met[:, None] > 0)
        legal = self._game.tree.table.legal_ids[node]
        chosen = np.full(len(held), -self._worst)
        for column, action in enumerate(legal):
            chosen = np.where(actions == action, chips[:, column], chosen)
        out: Floats = chips.max(axis=1) - chosen
        return out


def lost(tables: dict[int, Losses], player: int, node: int, hand: Any, action: int) -> float:
    """What one action of a player loses; NaN if he was not to move, and 0 without tables."""
    if not tables:
        return 0.0
    table = tables[player]
    return float(table(node, [hand], np.array([action]))[0]) if node in table.nodes else float("nan")


def losses(game: Game, teach: Any, seats: tuple[int, ...] = (0, 1)) -> dict[int, Losses]:
    """For each of these seats its losses against `teach`: True for the published opponent, or any opponent; none for False."""
    if teach is False:
        return {}
    if teach is None or (isinstance(teach, int) and teach is not True):
        raise ValueError(f"teach={teach!r} must be True, False or an opponent")
    return {seat: Losses(game, seat, "published" if teach is True else teach) for seat in seats}
