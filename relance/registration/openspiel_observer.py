"""What a player sees of a state, for OpenSpiel's observation API."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pyspiel

from relance.play.rules import Rules, Vector


class Observer:
    """Observations as tensor and string; the named pieces in `dict` are views of the flat `tensor`."""

    def __init__(self, shared: Rules, kind: Any, params: Any) -> None:
        if params:
            raise ValueError(f"observation parameters are not supported; got {params}")
        self.rules = shared
        self.private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self.public = kind.public_info
        visible = {"player": True, "hand": self.private, "betting": self.public, "events": self.public}
        sizes = [math.prod(piece.shape) for piece in shared.pieces]
        self._blank = shared.blank[:, :, np.repeat([visible[piece.name] for piece in shared.pieces], sizes)]
        self.tensor: Vector = np.zeros(self._blank.shape[2], np.float32)
        self.dict: dict[str, Vector] = {}
        rest = self.tensor
        for (name, shape, _), size in zip(shared.pieces, sizes, strict=True):
            if visible[name]:
                self.dict[name], rest = rest[:size].reshape(shape), rest[size:]

    def set_from(self, state: Any, player: int) -> None:
        """Write what `player` sees in `state`."""
        hands, node = state.table.hands, state.table.node
        self.tensor[:] = self._blank[player, node]
        if "hand" in self.dict and len(hands) > player:
            index, value = self.rules.hand_code(player, hands[player])
            self.dict["hand"][index - 2] = value

    def string_from(self, state: Any, player: int) -> str:
        """Return what `player` sees in `state`, such as "player 0, hand K, check-bet"."""
        table, parts = state.table, [f"player {player}"]
        if self.private and len(table.hands) > player:
            parts.append(f"hand {table.label(player)}")
        if self.public and table.node:
            parts.append(self.rules.names[table.node])
        return ", ".join(parts)
