from . import baselines as baselines
from . import claims as claims
from . import openspiel as openspiel
from . import words as words
from .baselines.runs import train as train
from .claims.proof import region as region
from .claims.prove import prove as prove
from .claims.verify import verify as verify
from .envs import games as games
from .envs import make as make
from .model.game import Game as Game
from .model.strategy import Profile as Profile
from .play.exact_score import score as score
from .registration.efg import to_efg as to_efg
from .registration.game_trees import game_tree as game_tree
from .registration.openspiel_agents import from_policy as from_policy
from .registration.own_games import register as register
from .registration.pettingzoo import env as env
from .solvers.exact import best_response as best_response
from .solvers.exact import exploitability as exploitability
from .solvers.exact import nash_conv as nash_conv
from .solvers.exact import value as value
from .solvers.solve import solve as solve
from .words.match import match as match

__version__: str
