"""Profiles as OpenSpiel policies: on the games registered with it, and on the Gambit files that it reads in C++.

OpenSpiel's own Python modules take long to import, so this module is imported only where it is used.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel
from open_spiel.python import policy as open_spiel_policy

from relance.model.arguments import checked
from relance.model.game import Game, as_played
from relance.model.game_tree import GameTree
from relance.model.strategy import Profile
from relance.play.rules import rules
from relance.registration.efg import by_information_set, to_efg
from relance.registration.openspiel import RelanceState, load
from relance.registration.openspiel_agents import information_states
from relance.registration.openspiel_trees import policy_on_openspiel
from relance.solvers.tree_values import as_tree_profile


class ProfilePolicy(open_spiel_policy.Policy):
    """A Relance profile as an OpenSpiel policy for both players."""

    def __init__(self, game: Game, profile: Profile) -> None:
        game.check(profile)
        super().__init__(load(game), [0, 1])
        self.rules = rules(game)
        self._rows = {
            index: [np.asarray(row, float).tolist() for row in profile[name]]
            for index, name in enumerate(self.rules.names)
            if self.rules.legal[index]
        }

    def action_probabilities(self, state: RelanceState, player_id: int | None = None) -> dict[int, float]:
        """Return {action id: probability} of the legal actions in `state`; `player_id` is ignored."""
        table = state.table
        hand, legal = table.hands[table.player], self.rules.legal[table.node]
        return {action: row[hand] for action, row in zip(legal, self._rows[table.node], strict=True)}

    def to_tabular(self, states: Any = None) -> pyspiel.TabularPolicy:
        """The same policy as a `pyspiel.TabularPolicy`, for OpenSpiel's C++ algorithms; `states` is ignored."""
        states = information_states(self.rules.game)
        return pyspiel.TabularPolicy(
            {state.information_state_string(): list(self.action_probabilities(state).items()) for state in states}
        )


@checked
def policy(game: Game | GameTree | str, profile: object) -> Any:
    """Return the OpenSpiel policy of `profile` on `load(game)`; for a game tree from OpenSpiel, a `pyspiel.TabularPolicy` on its game.

    Raises:
        ValueError: `profile` is not a profile of `game`, or OpenSpiel cannot load the game.
    """
    if isinstance(game, GameTree):
        return policy_on_openspiel(game, as_tree_profile(game, profile))
    return ProfilePolicy(*as_played(game, profile))


@checked
def efg_policy(game: Game | str, profile: object) -> Any:
    """Return the `pyspiel.TabularPolicy` of `profile` on `pyspiel.load_efg_game(to_efg(game))`; raises as `policy` does."""
    game, profile = as_played(game, profile)
    game.check(profile)
    table, distributions = {}, by_information_set(game, profile)
    for key, actions in pyspiel.UniformRandomPolicy(pyspiel.load_efg_game(to_efg(game))).policy_table().items():
        distribution = distributions[key.split("-", 3)[3]]  # OpenSpiel's key is player-player-number-name
        table[key] = [(action, float(p)) for (action, _), p in zip(actions, distribution.values(), strict=True)]
    return pyspiel.TabularPolicy(table)
