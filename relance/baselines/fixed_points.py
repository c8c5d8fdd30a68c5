"""The distance of a learner from the policy to which, by a theorem, it converges.

Learners that are pulled to another policy, their magnet, converge to a quantal response equilibrium while the magnet stays. As the magnet
moves, so does that point, and both converge to an equilibrium. The point is computed with certified digits, for the present magnet.
"""

from __future__ import annotations

from fractions import Fraction
from importlib.util import find_spec
from typing import Any

from relance.baselines.algorithms import GoesTo
from relance.baselines.openspiel_games import AnyGame
from relance.equilibria.logit_equilibria import QuantalResponse, quantal_response
from relance.model.arguments import checked
from relance.model.game import Game
from relance.model.game_tree import GameTree, TreeProfile, as_tree
from relance.model.strategy import Profile
from relance.play.exact_score import score
from relance.solvers.exact_lp import NotCertifiedError

MOST_UNKNOWN = 16
"""Runs compute distances in games with at most so many unknown probabilities, such as Kuhn's with 12, where one takes half a second."""


def goes_to(learner: Any) -> GoesTo:
    """Return the point to which a learner says that it converges, from its method `goes_to`.

    Raises:
        TypeError: the learner has no such method.
    """
    if not hasattr(learner, "goes_to"):
        raise TypeError(f"{type(learner).__name__} has no method `goes_to`, which must return a `GoesTo`")
    said: GoesTo = learner.goes_to()
    return said


def fixed_point(game: Game | str, learner: Any) -> QuantalResponse:
    """Return the quantal response equilibrium to which a learner converges while its magnet stays as it is now.

    Raises:
        ValueError: hands are on [0, 1], or the game has too many actions.
        TypeError: the learner does not say where it converges.
        ImportError: python-flint is missing.
    """
    goes, tree = goes_to(learner), as_tree(game)
    return quantal_response(tree, Fraction(goes.temperature), goes.kind, magnet=_in_fractions(tree, goes.magnet))


@checked
def distance_to_fixed_point(game: Game | str, learner: Any) -> float:
    """Return the largest difference between a probability of a learner's policy and of its `fixed_point`.

    Raises:
        ValueError, TypeError, ImportError: as `fixed_point` raises them.
    """
    point = fixed_point(game, learner)
    return point.distance(_in_fractions(point.tree, goes_to(learner).policy))


def distance_if_known(game: AnyGame, learner: Any) -> float | None:
    """Return `distance_to_fixed_point` of a learner, or None where that is not known.

    It is None if the learner does not say where it converges, if the game has infinitely many hands or more than `MOST_UNKNOWN` unknown
    probabilities, if python-flint is missing, or if the digits of the fixed point cannot be certified.
    """
    if not (isinstance(game, Game) and game.deal.is_finite and hasattr(learner, "goes_to") and find_spec("flint")):
        return None
    if (
        sum((len(node.actions) - 1) * game.deal.size(node.player) for node in game.tree.decisions.values())
        > MOST_UNKNOWN
    ):
        return None
    try:
        return distance_to_fixed_point(game, learner)
    except NotCertifiedError:
        return None


def _in_fractions(tree: GameTree, agent: Any) -> TreeProfile:
    """The policy of an agent on the tree of a game, its floats taken as they are and divided by their sum."""
    game = tree.source
    assert isinstance(game, Game)
    profile = score(game, agent).profile
    rows = {}
    for name, node in game.tree.decisions.items():
        taken = [[Fraction(float(p)) for p in row] for row in profile[name]]
        sums = [sum(column) for column in zip(*taken, strict=True)]
        rows[name] = {
            action: [p / total for p, total in zip(row, sums, strict=True)]
            for action, row in zip(node.actions, taken, strict=True)
        }
    exact: Profile = game.profile(rows)
    assert tree.reader is not None
    return tree.reader(tree, exact)
