from .confirmation import Confirmation as Confirmation
from .confirmation import confirm as confirm  # a game beside OpenSpiel's own answers
from .efg_file import read_efg as read_efg
from .efg_file import write_efg as write_efg
from .gymnasium import SeatEnv as SeatEnv
from .gymnasium import gymnasium_id as gymnasium_id
from .jax import JaxEnv as JaxEnv  # needs the extra jax
from .jax import jax_env as jax_env
from .jax_scores import jax_best_response_values as jax_best_response_values
from .jax_scores import jax_exploitability as jax_exploitability
from .jax_scores import jax_nash_conv as jax_nash_conv
from .openspiel import RelanceGame as RelanceGame
from .openspiel import RelanceState as RelanceState
from .pettingzoo import AECEnv as AECEnv
from .pettingzoo import ParallelEnv as ParallelEnv
from .pettingzoo import pettingzoo_id as pettingzoo_id
from .vector import VectorSeatEnv as VectorSeatEnv  # one seat at many tables, of `gymnasium.make_vec`
