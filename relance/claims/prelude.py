"""The names that checks of papers need; the checks' modules begin with `from relance.claims.prelude import *`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import pairwise, product
from math import prod
from operator import ge, gt, le, lt
from typing import Any, TypeAlias

from relance.claims.checks import *
from relance.claims.dominance import plans
from relance.claims.finding import At, Cases, Finding, Scope, spot, together, unproved
from relance.claims.numbers import Numbers
from relance.claims.proof import Region, region
from relance.claims.schemes import *
from relance.envs.catalogue import make
from relance.model.distributions import fgm
from relance.model.game import Game
from relance.model.interval import DensityDeal
from relance.model.numbers import Number, formula, show
from relance.model.piecewise import Piecewise
from relance.model.quadratic import square_root
from relance.model.strategy import Plan, Profile
from relance.model.tree import BettingTree, Decision, Leaf, Node, showdown
from relance.solvers.exact import best_response, hand_values, nash_conv
from relance.solvers.lp import solve_lp
from relance.solvers.watcher import kept

ZERO, ONE, TWO = Fraction(0), Fraction(1), Fraction(2)
