"""Relance: the ground truth for learning in games of bluffing.

With the package imported, every game is registered with OpenSpiel (`relance_<name>`), PettingZoo (`relance/<name>-v0`) and
Gymnasium (`relance/<Name>-v0`), each as soon as it is imported itself. Chips are paid to player 0, the first player of the paper.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from relance.envs import games, make, read_profile
from relance.envs.ferguson_endgame import endgame_bets
from relance.model.game import Game
from relance.model.profile_file import write_profile
from relance.model.strategy import Profile, Strategy
from relance.registration.on_import import register_on_import
from relance.solvers.exact import BestResponse, best_response, exploitability, nash_conv, regrets, value
from relance.solvers.solve import solve

if TYPE_CHECKING:
    from relance import openspiel
    from relance.agents.opponents import opponent
    from relance.agents.score import Score, score
    from relance.registration.efg import to_efg
    from relance.registration.pettingzoo import env, parallel_env
    from relance.registration.policies import from_policy
    from relance.tables.batch import Batch

register_on_import()

__version__ = "0.1.0"

__all__ = [
    "Batch",
    "BestResponse",
    "Game",
    "Profile",
    "Score",
    "Strategy",
    "best_response",
    "endgame_bets",
    "env",
    "exploitability",
    "from_policy",
    "games",
    "make",
    "nash_conv",
    "openspiel",
    "opponent",
    "parallel_env",
    "read_profile",
    "regrets",
    "score",
    "solve",
    "to_efg",
    "value",
    "write_profile",
]

# What needs a framework, or is wanted by few, is imported on use.
_ON_USE = {
    "Batch": "relance.tables.batch",
    "Score": "relance.agents.score",
    "env": "relance.registration.pettingzoo",
    "from_policy": "relance.registration.policies",
    "opponent": "relance.agents.opponents",
    "parallel_env": "relance.registration.pettingzoo",
    "score": "relance.agents.score",
    "to_efg": "relance.registration.efg",
}


def __getattr__(name: str) -> Any:
    if name == "openspiel":
        return import_module("relance.openspiel")
    if name in _ON_USE:
        return getattr(import_module(_ON_USE[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
