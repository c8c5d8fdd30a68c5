"""The best response to a strategy: one pass over the public tree gives the best action of every hand at once.

The player answers an opponent whose strategy is fixed, so nothing must be searched for. Three steps, as in Johanson, Waugh, Bowling and
Zinkevich 2011, Accelerating best response calculation in large extensive games:

1. Opponent reach: how likely the opponent's own choices lead to each of their sequences, with each of their hands.
2. Counterfactual values of the terminal nodes: for each hand of the player, the chips there times the probability that the deal and the
   opponent's choices lead there. The deal gives them by its two operators, `mass` and `edge` (`values_at_terminals` does both steps).
3. Backward induction, the last decisions first: each hand takes its best action, and the value of a decision is part of the value of
   the action that leads there (`relance.solvers.sequence_form.back_up`).

The sum of the root's values over hands is the value of the best response (`pure_best_response`). If the player follows a strategy
instead of choosing, the same pass gives what that strategy earns (`expected_values`). The NashConv of two strategies is what the best
responses to both earn together: 0 if and only if they are an equilibrium.

With Fractions each sum is exact. Arrays have a column for each hand; or, for hands on [0, 1], a single column of functions of the hand.
Beside this file: the functions that users call (`exact`), blocks of hands in floats (`float_scores`), compiled loops (`cfr_kernels`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from relance.model.arrays import is_float, put_beside, zeros_beside
from relance.model.deal import Array, Deal, HandFunction, as_floats
from relance.model.numbers import Number
from relance.model.sequences import Group, SequenceForm, sides
from relance.model.tree import BettingTree
from relance.solvers.sequence_form import back_up, sequence_probs

ByAction: TypeAlias = Sequence[HandFunction] | Array
"""One function of the hand per action: a sequence of them, or the rows of an array."""

BehaviourRows: TypeAlias = Mapping[str, ByAction]
"""A behaviour strategy: at each node of a player, the probability of each action as a function of the player's hand."""

Choose: TypeAlias = Callable[[str, list[HandFunction]], HandFunction]
"""Takes the name of one of the player's nodes and the values of its actions; returns the player's values at that node."""


class ValuesAtTerminals(NamedTuple):
    """A player's counterfactual values at the terminal nodes, against an opponent whose strategy is fixed.

    Attributes:
        side, theirs: the sequence forms of the player and of the opponent.
        reach: (sequences of the opponent, hands) how likely the opponent's own choices lead to each sequence.
        values: (sequences, hands) the counterfactual values of the terminal nodes that directly follow each sequence of the player.
    """

    side: SequenceForm
    theirs: SequenceForm
    reach: Array
    values: Array


def values_at_terminals(
    tree: BettingTree, deal: Deal, player: int, opponent: BehaviourRows, weights: HandFunction | None = None
) -> ValuesAtTerminals:
    """Return a player's counterfactual values at terminal nodes; `weights`, by default 1, multiplies the reach of `opponent`'s hands."""
    ones = [deal.constant(p, 1) for p in (player, 1 - player)]
    like = next((row for rows in opponent.values() for row in rows), ones[1])
    both = sides(tree, exact=not is_float(like))
    if is_float(like) and not isinstance(like, np.ndarray):
        put = put_beside(like)
        both = both[0].moved(put), both[1].moved(put)
    other = both[1 - player]
    rows = [row for name in other.slots for row in opponent[name]]
    strategy = deal.stack(rows) if rows else deal.stack([ones[1]])[:0]
    reach = sequence_probs(other, strategy, ones[1] if weights is None else weights)
    values = zeros_beside(reach, (both[player].size + 1, deal.stack(ones[:1]).shape[1]))
    if values.dtype == object:  # a sequence that pays nothing has a hand function too
        values[:] = deal.stack([deal.constant(player, 0)])
    deal.pay_cases(player, both[player].terminals, reach, values)
    return ValuesAtTerminals(both[player], other, reach, values)


def mixed(probabilities: ByAction, values: Sequence[HandFunction]) -> HandFunction:
    """Return the value of a node, as a function of the hand: the sum over its actions of probability times value."""
    out = probabilities[0] * values[0]
    for p, value in zip(probabilities[1:], values[1:], strict=True):
        out = out + p * value
    return out


def backward_induction(deal: Deal, faced: ValuesAtTerminals, choose: Choose) -> HandFunction:
    """Return the player's counterfactual value of the root for each hand; `choose` computes a node's values from those of its actions."""
    names = {at.start: name for name, at in faced.side.slots.items()}

    def at_nodes(group: Group, values: Array) -> Array:
        starts = range(group.slots.start, group.slots.stop, group.shape[1])
        of_nodes = [choose(names[start], deal.unstack(chips)) for start, chips in zip(starts, values, strict=True)]
        return (
            as_floats(deal.stack(of_nodes))
            if isinstance(values, np.ndarray) and is_float(values)
            else deal.stack(of_nodes)
        )

    return deal.unstack(back_up(faced.side, faced.values, at_nodes)[None])[0]


def counterfactual_values(
    tree: BettingTree, deal: Deal, player: int, opponent: BehaviourRows, choose: Choose
) -> HandFunction:
    """Return the player's counterfactual value of the root for each hand against `opponent`; `choose` is as in `backward_induction`."""
    return backward_induction(deal, values_at_terminals(tree, deal, player, opponent), choose)


def expected_values(
    tree: BettingTree, deal: Deal, player: int, opponent: BehaviourRows, own: BehaviourRows
) -> HandFunction:
    """Return the player's counterfactual values at the root, by hand, if both follow their strategies, `own` and `opponent`."""
    return counterfactual_values(tree, deal, player, opponent, lambda name, values: mixed(own[name], values))


def pure_best_response(
    tree: BettingTree, deal: Deal, player: int, opponent: BehaviourRows
) -> tuple[Number, dict[str, tuple[HandFunction, ...]]]:
    """Return the value of a best response in chips, and the pure strategy, {node: rows of 0 or 1 by action}; of equal actions the first."""
    pure: dict[str, tuple[HandFunction, ...]] = {}

    def best_action(name: str, values: list[HandFunction]) -> HandFunction:
        pure[name] = tuple(deal.pick_best(values))
        return mixed(pure[name], values)

    return deal.total(counterfactual_values(tree, deal, player, opponent, best_action)), pure
