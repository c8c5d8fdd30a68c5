"""OpenSpiel's side of Relance: games, policies, and the Gambit files that it reads.

What needs OpenSpiel's own python modules is imported on use, so that `import relance` stays quick.
"""

from typing import TYPE_CHECKING, Any

from relance.registration.efg import efg_policy, to_efg
from relance.registration.openspiel import chip_scale, load, relance_game

if TYPE_CHECKING:
    from relance.registration.policies import from_policy, information_states, policy

__all__ = ["chip_scale", "efg_policy", "from_policy", "information_states", "load", "policy", "relance_game", "to_efg"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        from relance.registration import policies

        return getattr(policies, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
