"""The best response to a strategy: one pass over the public tree gives the best action of every hand at once.

The player answers an opponent whose strategy is fixed, so nothing must be searched for. Three steps, as in Johanson, Waugh, Bowling and
Zinkevich 2011, Accelerating best response calculation in large extensive games:

1. Opponent reach: how likely the opponent's own choices lead to each point of the tree, with each of their hands (`opponent_reach`).
2. Counterfactual values of the endings: for each hand of the player, the chips there times the probability that the deal and the
   opponent's choices lead there. The deal gives them by its two operators, `mass` and `edge` (`TerminalValues`).
3. Backward induction, children before parents: at the opponent's nodes and where events turn up, the values of what may follow add
   up, since the reach is already in them; at the player's nodes each hand takes its best action (`backward_induction`).

The sum of the root's values over hands is the value of the best response (`pure_best_response`). If the player follows a strategy
instead of choosing, the same pass gives what that strategy earns (`expected_values`). The NashConv of two strategies is what the best
responses to both earn together: 0 if and only if they are an equilibrium.

Nothing here rounds: with Fractions each sum is exact, on finite hands and on [0, 1]. Beside this file: the functions that users call
and their checks (`exact`), all sequences at once in floats (`float_scores` and `sequence_form`), and compiled loops (`cfr_kernels`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from relance.model.arrays import is_float
from relance.model.deal import Array, Deal, HandFunction
from relance.model.numbers import Number
from relance.model.tree import BettingTree, Case, Choice, Decision, Leaf, steps_from

ByAction: TypeAlias = Sequence[HandFunction] | Array
"""One function of the hand per action: a sequence of them, or the rows of an array."""

BehaviourRows: TypeAlias = Mapping[str, ByAction]
"""A behaviour strategy: at each node of a player, the probability of each action as a function of the player's hand."""

Reach: TypeAlias = Mapping[Choice | None, HandFunction]
"""The probability of the opponent's choices up to each one of them, as a function of the opponent's hand; None is no choice yet."""

Choose: TypeAlias = Callable[[str, list[HandFunction]], HandFunction]
"""Takes the name of one of the player's nodes and the values of its actions; returns the player's values at that node."""


def opponent_reach(
    tree: BettingTree, deal: Deal, player: int, opponent: BehaviourRows, weights: HandFunction | None = None
) -> Reach:
    """Step 1: multiply the opponent's probabilities down the tree; `weights` of the opponent's hands are 1 by default."""
    other = 1 - player
    reach: dict[Choice | None, HandFunction] = {None: deal.constant(other, 1) if weights is None else weights}
    for name in tree.of(other):
        before = reach[tree.last_choice(name, other)]
        for i, probability in enumerate(opponent[name]):
            reach[name, i] = before * probability
    return reach


class TerminalValues:
    """Step 2: the counterfactual values of endings. Those of one case after one choice of the opponent share the deal's operators."""

    def __init__(self, tree: BettingTree, deal: Deal, player: int, reach: Reach) -> None:
        self.tree, self.deal, self.player, self.reach = tree, deal, player, reach
        self._masses: dict[tuple[Case, Choice | None], HandFunction] = {}
        self._edges: dict[tuple[Case, Choice | None], HandFunction] = {}
        if deal.at_once:
            places = list(dict.fromkeys((tree.cases[name], tree.last_choice(name, 1 - player)) for name in tree.leaves))
            for case in dict.fromkeys(case for case, _ in places):
                keys = [place for place in places if place[0] == case]
                both = deal.in_case(case).both(player, [reach[choice] for _, choice in keys])
                for operator, functions in zip((self._masses, self._edges), zip(*both, strict=True), strict=True):
                    operator.update(zip(keys, functions, strict=True))

    def mass(self, case: Case, choice: Choice | None) -> HandFunction:
        """For each hand of the player, the probability of the hand, of the events, and that the opponent's choices lead there."""
        place = (Case(case.events) if case.contest else case), choice
        if place not in self._masses:
            self._masses[place] = self.deal.in_case(place[0]).mass(self.player, self.reach[choice])
        return self._masses[place]

    def edge(self, case: Case, choice: Choice | None) -> HandFunction:
        """The same, but showdowns that are lost count negatively, and ties not at all."""
        if (case, choice) not in self._edges:
            self._edges[case, choice] = self.deal.in_case(case).edge(self.player, self.reach[choice])
        return self._edges[case, choice]

    def at(self, name: str) -> HandFunction:
        """The values of an ending, which pays `constant + stake * edge` to player 0."""
        leaf, place = self.tree.leaves[name], (self.tree.cases[name], self.tree.last_choice(name, 1 - self.player))
        constant, stake = leaf.in_floats if is_float(self.reach[None]) else (leaf.constant, leaf.stake)
        constant *= 1 - 2 * self.player
        if stake == 0:
            return self.mass(*place) * constant
        won = self.edge(*place) * stake
        return won if constant == 0 else self.mass(*place) * constant + won


def backward_induction(
    tree: BettingTree, player: int, at_ending: Callable[[str], HandFunction], choose: Choose
) -> HandFunction:
    """Step 3: the player's counterfactual values at the root, if the player plays at each node as `choose` does."""
    at_node: dict[str, HandFunction] = {}
    for name, node in reversed(tree.turns.items()):
        below = [f"{name}-{step}" if name else step for step, _ in steps_from(node)]
        values = [
            at_ending(to) if isinstance(child, Leaf) else at_node.pop(to)
            for to, child in zip(below, node.children, strict=True)
        ]
        own = isinstance(node, Decision) and node.player == player
        at_node[name] = choose(name, values) if own else sum(values[1:], values[0])
    return at_node[""]


def mixed(probabilities: ByAction, values: Sequence[HandFunction]) -> HandFunction:
    """The value of a node: the sum over its actions of probability times value."""
    out = probabilities[0] * values[0]
    for p, value in zip(probabilities[1:], values[1:], strict=True):
        out = out + p * value
    return out


def counterfactual_values(
    tree: BettingTree, deal: Deal, player: int, opponent: BehaviourRows, choose: Choose
) -> HandFunction:
    """All three steps: the player's counterfactual values at the root, one for each hand."""
    reach = opponent_reach(tree, deal, player, opponent)
    return backward_induction(tree, player, TerminalValues(tree, deal, player, reach).at, choose)


def expected_values(
    tree: BettingTree, deal: Deal, player: int, opponent: BehaviourRows, own: BehaviourRows
) -> HandFunction:
    """The values of the player's hands if the player follows the strategy `own`."""
    return counterfactual_values(tree, deal, player, opponent, lambda name, values: mixed(own[name], values))


def pure_best_response(
    tree: BettingTree, deal: Deal, player: int, opponent: BehaviourRows
) -> tuple[Number, dict[str, tuple[HandFunction, ...]]]:
    """The value of a best response in chips, and that pure strategy; of equally good actions it takes the first."""
    pure: dict[str, tuple[HandFunction, ...]] = {}

    def best_action(name: str, values: list[HandFunction]) -> HandFunction:
        pure[name] = tuple(deal.pick_best(values))
        return mixed(pure[name], values)

    return deal.total(counterfactual_values(tree, deal, player, opponent, best_action)), pure
