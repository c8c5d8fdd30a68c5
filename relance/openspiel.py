"""OpenSpiel's side of Relance: its games and policies. `relance.from_policy` and `relance.to_efg` lead back and to Gambit's files."""

from relance.registration.openspiel import chip_scale, load, relance_game
from relance.registration.openspiel_agents import information_states
from relance.registration.openspiel_policies import efg_policy, policy

__all__ = ["chip_scale", "efg_policy", "information_states", "load", "policy", "relance_game"]
