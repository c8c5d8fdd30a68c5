"""OpenSpiel's side of Relance: its games, its policies, and the Gambit files that it reads. A game may be given as its text."""

from relance import from_policy, to_efg
from relance.envs import by_text
from relance.registration import openspiel, openspiel_agents, openspiel_policies
from relance.registration.openspiel import relance_game

chip_scale = by_text(openspiel.chip_scale, __name__)
efg_policy = by_text(openspiel_policies.efg_policy, __name__)
information_states = by_text(openspiel_agents.information_states, __name__)
load = by_text(openspiel.load, __name__)
policy = by_text(openspiel_policies.policy, __name__)

__all__ = ["chip_scale", "efg_policy", "from_policy", "information_states", "load", "policy", "relance_game", "to_efg"]
