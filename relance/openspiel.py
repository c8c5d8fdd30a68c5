"""OpenSpiel's side of Relance: games, policies, and the Gambit files that it reads."""

from relance.registration.efg import efg_policy, to_efg
from relance.registration.openspiel import chip_scale, load, relance_game
from relance.registration.policies import from_policy, information_states, policy

__all__ = ["chip_scale", "efg_policy", "from_policy", "information_states", "load", "policy", "relance_game", "to_efg"]
