from .cfr import VectorCFR as VectorCFR  # the iterations of CFR in a page
from .cfr_solver import Solver as Solver  # CFR as users run it: backends, checkpoints
from .cfr_variants import METHODS as METHODS  # the variants of CFR by name
from .deviations import Deviation as Deviation
from .deviations import deviations as deviations  # where a profile differs from an equilibrium, and at what cost
from .exact import BestResponse as BestResponse
from .exact import action_values as action_values  # what each hand gets by each action
from .exact import gains as gains  # what each player could still gain
from .exact import hand_values as hand_values
from .exact import reach_probs as reach_probs  # how often each hand comes to a decision
from .exact import regrets as regrets
from .information_sets import InformationSetValues as InformationSetValues
from .information_sets import information_sets as information_sets  # reach, belief, and the value of each action
from .lp import solve_lp as solve_lp  # the exact value and an equilibrium
from .method_choice import attempts as attempts  # what `relance.solve` tries, in order
from .mistakes import Mistake as Mistake
from .mistakes import mistakes as mistakes
from .optimal_set import OptimalSet as OptimalSet
from .optimal_set import optimal_set as optimal_set  # all optimal strategies of a player
from .sequence_form import back_up as back_up  # from the terminal nodes to the root: values and best responses
from .sequence_form import sequence_probs as sequence_probs
from .tree_values import as_tree_profile as as_tree_profile  # a profile by the names of information sets
