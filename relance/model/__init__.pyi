from .blueprint import Blueprint as Blueprint  # what a game's file describes
from .blueprint import Family as Family  # printed strategies with free symbols
from .blueprint import Misprint as Misprint
from .blueprint import Printed as Printed  # strategies as a paper prints them
from .blueprint import Source as Source  # a citation
from .deal import Deal as Deal  # the private half: who holds what, and who wins
from .deal import FiniteDeal as FiniteDeal
from .distributions import cards as cards  # a distribution of hands: one card each
from .distributions import distribution as distribution  # one by its name, such as "fgm:1/2"
from .distributions import independent as independent
from .distributions import joint_distribution as joint_distribution
from .distributions import uniform as uniform
from .game import build as build  # a blueprint's game with these parameters
from .game_tree import ChanceNode as ChanceNode  # a tree of histories may be nested nodes
from .game_tree import DecisionNode as DecisionNode
from .game_tree import GameTree as GameTree  # a game of anybody's
from .game_tree import TerminalNode as TerminalNode
from .game_tree import TreeProfile as TreeProfile
from .numbers import Number as Number  # what all arithmetic here takes
from .numbers import exact as exact  # a number as it is written: 0.1 and "1/10" are a tenth
from .numbers import show as show  # the other way round
from .parameters import ANTE as ANTE  # a parameter of most games
from .parameters import Amount as Amount  # this and the next: kinds of parameters
from .parameters import Bets as Bets
from .parameters import Chips as Chips
from .parameters import Distribution as Distribution
from .parameters import Flag as Flag
from .parameters import Probability as Probability
from .parameters import WholeNumber as WholeNumber
from .quadratic import square_root as square_root  # exactly
from .strategy import Plan as Plan  # what `Game.profile` reads
from .strategy import Strategy as Strategy  # one player's half of a profile
from .tree import BettingTree as BettingTree  # the public half: who acts, and what each terminal node pays
from .tree import Leaf as Leaf
from .tree import decision as decision
from .tree import facing_a_bet as facing_a_bet
from .tree import reveal as reveal  # a card that turns up
from .tree import showdown as showdown
