"""OpenSpiel with Relance: load games, convert strategies and policies, write Gambit files. A game may be given as text."""

from relance.registration.efg import to_efg
from relance.registration.openspiel import chip_scale, load, relance_game
from relance.registration.openspiel_agents import from_policy, information_states
from relance.registration.openspiel_policies import efg_policy, policy

__all__ = ["chip_scale", "efg_policy", "from_policy", "information_states", "load", "policy", "relance_game", "to_efg"]
