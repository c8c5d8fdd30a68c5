"""Relance: the ground truth for learning in games of bluffing.

Importing the package registers every game with OpenSpiel (`relance_<name>`), PettingZoo (`relance/<name>-v0`) and
Gymnasium (`relance/<Name>-v0`). Chips are paid to player 0, the first player of the paper.
"""

from typing import TYPE_CHECKING, Any

from relance import openspiel
from relance.envs import games, make
from relance.envs.ferguson_endgame import endgame_bets
from relance.model.game import Game
from relance.model.strategy import Profile, Strategy
from relance.registration import gymnasium as _gymnasium
from relance.registration import openspiel as _openspiel
from relance.registration import pettingzoo as _pettingzoo
from relance.registration.efg import to_efg
from relance.registration.pettingzoo import env, parallel_env
from relance.solve.exact import BestResponse, best_response, exploitability, nash_conv, regrets, value
from relance.solve.solve import solve

if TYPE_CHECKING:
    from relance.registration.batch import Batch
    from relance.registration.policies import from_policy

for _adapter in (_openspiel, _pettingzoo, _gymnasium):
    _adapter.register()

__version__ = "0.1.0"

__all__ = [
    "Batch",
    "BestResponse",
    "Game",
    "Profile",
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
    "parallel_env",
    "regrets",
    "solve",
    "to_efg",
    "value",
]


def __getattr__(name: str) -> Any:
    if name == "from_policy":  # needs OpenSpiel's own python modules, which take longer to import than all of Relance
        return openspiel.from_policy
    if name == "Batch":  # only wanted by those who play many games at once
        from relance.registration.batch import Batch

        return Batch
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
