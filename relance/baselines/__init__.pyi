from .algorithms import Algorithm as Algorithm  # what a learner declares
from .algorithms import Learner as Learner
from .algorithms import algorithm as algorithm
from .algorithms import algorithms as algorithms
from .algorithms import settings_of as settings_of
from .averages import Average as Average  # of the policies of a run
from .fixed_points import distance_to_fixed_point as distance_to_fixed_point
from .frameworks.rllib import RLlibNashConvCallback as RLlibNashConvCallback
from .frameworks.rllib import ppo_config as ppo_config  # of RLlib
from .frameworks.rllib import rllib_agent as rllib_agent
from .frameworks.sb3 import SB3NashConvCallback as SB3NashConvCallback
from .frameworks.sb3 import SB3SelfPlayCallback as SB3SelfPlayCallback
from .frameworks.sb3 import SB3VectorSeatEnv as SB3VectorSeatEnv
from .frameworks.sb3 import sb3_vec_env as sb3_vec_env
from .frameworks.torchrl import BatchEnv as BatchEnv  # of TorchRL
from .frameworks.torchrl import TorchRLNashConvHook as TorchRLNashConvHook
from .frameworks.torchrl import network_policy as network_policy
from .rows import Row as Row  # a run as results files keep it
from .runs import Interrupted as Interrupted
from .runs import Point as Point
from .runs import Run as Run
