"""Scores many profiles of one game at once, in floats: what each profile earns, and what best responses to it earn.

Arrays are those of `relance.solvers.sequence_form`, with the hands of all copies of the game side by side: (slots, copies * hands).
"""

from __future__ import annotations

from functools import partial

import numpy as np

from relance.model.arrays import Floats
from relance.model.deal import Array, FiniteDeal
from relance.model.game import Game
from relance.model.sequences import Group, sides
from relance.solvers.sequence_form import back_up, best, mixed_chips, reach_probabilities


class Many:
    """Copies of one game with finitely many hands; each copy has its own profile."""

    def __init__(self, game: Game) -> None:
        self.sides = sides(game.tree)
        self.deal: FiniteDeal = game.finite_deal().floats

    def chips(self, player: int, share: Floats) -> Floats:
        """For each sequence of the player, the chips of the endings that directly follow it: (1 + slots, copies * hands).

        Args:
            player: 0 or 1.
            share: the opponent's probabilities, (slots, copies * hands).
        """
        side, reach = self.sides[player], reach_probabilities(self.sides[1 - player], share)
        values = np.zeros((side.size + 1, reach.shape[1] // self.deal.size(1 - player) * self.deal.size(player)))
        for of in side.endings:
            law = self.deal.in_case(of.case)
            for parts, operator, (rows, places) in zip((of.paid, of.fought), (law.mass, law.edge), of.met, strict=True):
                if parts:
                    weights = reach[rows].reshape(-1, self.deal.size(1 - player))
                    found = operator(player, weights).reshape(-1, values.shape[1])
                for ending, place in zip(parts, places, strict=True):
                    values[ending.own] += ending.chips * found[place]
        return values

    def respond(self, player: int, chips: Floats) -> Floats:
        """The probabilities of a pure best response, (slots, copies * hands); the first of equally good actions is taken."""
        side, picked = self.sides[player], np.zeros((self.sides[player].size, chips.shape[1]))

        def choose(group: Group, values: Array) -> Array:
            np.put_along_axis(group.of(picked), values.argmax(axis=1)[:, None], 1.0, axis=1)
            return best(group, values)

        back_up(side, chips.copy(), choose)
        return picked

    def earns(self, player: int, share: Floats, chips: Floats) -> Floats:
        """Return what a player who plays `share` earns, (copies,)."""
        at_root = back_up(self.sides[player], chips.copy(), partial(mixed_chips, share))
        summed: Floats = self.by_copy(player, at_root).sum(axis=-1)
        return summed

    def actions(self, player: int, share: Floats, chips: Floats) -> Floats:
        """The chips of each action if `share` is played after it, (slots, copies * hands); see `relance.solvers.exact.action_values`."""
        values = chips.copy()
        back_up(self.sides[player], values, partial(mixed_chips, share))
        return values[1:]

    def by_copy(self, player: int, values: Array) -> Array:
        """Values over (copies * hands) of the player as (copies, hands)."""
        hands = self.deal.size(player)
        parts: Array = values.reshape(*values.shape[:-1], values.shape[-1] // hands, hands)
        return parts
