"""Profiles as OpenSpiel policies, and back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python import policy as open_spiel_policy

from relance.agents.reading import read
from relance.model.game import Game
from relance.model.strategy import Profile
from relance.registration.openspiel import RelanceState, finite, finite_rules, load


class ProfilePolicy(open_spiel_policy.Policy):
    """A Relance profile as an OpenSpiel policy for both players."""

    def __init__(self, game: Game, profile: Profile) -> None:
        game.check(profile)
        super().__init__(load(game), [0, 1])
        self.rules = finite_rules(game)
        self._rows = {
            index: [np.asarray(row, float).tolist() for row in profile[name]]
            for index, name in enumerate(self.rules.names)
            if self.rules.legal[index]
        }

    def action_probabilities(self, state: RelanceState, player_id: int | None = None) -> dict[int, float]:
        """Probabilities of the legal actions in `state`."""
        table = state.table
        hand, legal = table.hands[table.player], self.rules.legal[table.node]
        return {action: row[hand] for action, row in zip(legal, self._rows[table.node], strict=True)}

    def to_tabular(self, states: Any = None) -> pyspiel.TabularPolicy:
        """The same as a C++ `pyspiel.TabularPolicy`, for algorithms of the core."""
        table = {}
        for state in information_states(self.rules.game):
            table[state.information_state_string()] = list(self.action_probabilities(state).items())
        return pyspiel.TabularPolicy(table)


def policy(game: Game, profile: Profile) -> ProfilePolicy:
    """Return `profile` as an OpenSpiel policy on `load(game)`. Raises ValueError if it is not a profile of `game`."""
    return ProfilePolicy(game, profile)


def information_states(game: Game) -> list[RelanceState]:
    """One OpenSpiel state for each information set, nodes depth first, then hands ascending, without hands never dealt."""
    return [state for state in every_state(game, (0, 1)) if state is not None]


def every_state(game: Game, seats: tuple[int, ...]) -> Iterator[RelanceState | None]:
    """The states of these seats as `information_states`, but None for each hand that is never dealt, which OpenSpiel lacks."""
    shared, deal, start = finite_rules(game), finite(game), load(game).new_initial_state()
    possible = np.asarray(deal.joint() > 0, bool)
    reachable = [possible, possible.T]
    for node, past in enumerate(game.tree.table.past):
        if not shared.legal[node]:
            continue
        player = shared.player[node]
        if player not in seats:
            continue
        for hand in range(deal.size(player)):
            other = int(np.argmax(reachable[player][hand]))
            if not reachable[player][hand, other]:
                yield None
                continue
            state = start.clone()
            for action in [*((hand, other) if player == 0 else (other, hand)), *past]:
                state.apply_action(action)
            yield state


def from_policy(game: Game, source: Any) -> Profile:
    """Return an OpenSpiel policy (python or C++) on the states of `load(game)` as a Relance profile.

    Raises ValueError, naming node and hand, for probabilities that are NaN, negative, off 1 or illegal.
    """
    return game.together(read(game, source, 0), read(game, source, 1))
