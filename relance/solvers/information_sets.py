"""Reach, belief and counterfactual action values of a profile at each information set."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, partial
from typing import Any

import numpy as np

from relance.model.arguments import checked
from relance.model.game import Game, as_played
from relance.model.game_tree import ChanceNode, DecisionNode, GameTree, TreeNode, TreePayoffs, TreeProfile, as_source
from relance.model.numbers import Number, fraction, show
from relance.model.renamed import HasOldNames
from relance.model.strategy import Profile
from relance.model.tree import Case
from relance.solvers.exact import action_values, reach_probs
from relance.solvers.sequence_form import back_up, mixed_chips
from relance.solvers.tree_values import as_tree_profile, counterfactual, realization_weights, rows_of


@dataclass(frozen=True)
class InformationSetValues(HasOldNames):
    """Reach, counterfactual values and play of a profile at an information set. Chips are to the player who acts there.

    Attributes:
        player: the player who acts there.
        reach_prob: the probability that the player's own choices lead there.
        counterfactual_reach_prob: the probability that chance and the other players' choices lead there.
        action_probs: {action: probability}, the player's strategy there.
        counterfactual_values: {action: chips} if all play on as the profile says, times the counterfactual reach.
    """

    player: int
    reach_prob: Number
    counterfactual_reach_prob: Number
    action_probs: Mapping[str, Number]
    counterfactual_values: Mapping[str, Number]
    _belief: Callable[[], dict[str, Number]] = field(repr=False)

    @property
    def action_values(self) -> dict[str, Number] | None:
        """The expected chips of each action, given that play is here: {action: chips}; None if chance and the others never lead here."""
        met = self.counterfactual_reach_prob
        return {action: chips / met for action, chips in self.counterfactual_values.items()} if met else None

    @property
    def value(self) -> Number | None:
        """The player's expected chips, given that play is here, if all follow the profile; None if chance and others never lead here."""
        found = self.action_values
        return None if found is None else sum(self.action_probs[action] * chips for action, chips in found.items())

    @cached_property
    def belief(self) -> dict[str, Number]:
        """What the player believes here: {hand of the opponent: probability} in a `Game`, {history: probability} in a `GameTree`.

        Empty if chance and the others never lead here.
        """
        found = {name: p for name, p in self._belief().items() if p}
        total = sum(found.values())
        return {name: p / total for name, p in found.items()} if found else {}

    def as_dict(self) -> dict[str, Any]:
        """Return these values as a dictionary of plain data; exact numbers are text."""

        def told(number: Number | None) -> float | str | None:
            return number if number is None or isinstance(number, float) else show(number)

        return {
            "player": self.player,
            "reach": told(self.reach_prob),
            "counterfactual_reach": told(self.counterfactual_reach_prob),
            "value": told(self.value),
            "actions": {
                action: {"probability": told(p), "counterfactual_value": told(self.counterfactual_values[action])}
                for action, p in self.action_probs.items()
            },
            "belief": {what: told(p) for what, p in self.belief.items()},
        }


@checked
def information_sets(game: Game | GameTree | str, profile: object) -> dict[str, InformationSetValues]:
    """Return a profile's probabilities and values by information set.

    Information sets are named as in files of strategies and in trees of histories: "K check-bet" is the king after these actions.

    Examples:
        >>> relance.solvers.information_sets("kuhn", "published")["K check-bet"].belief
        {'Q': Fraction(1, 4), 'A': Fraction(3, 4)}

    Args:
        game: a game with finitely many hands; or a game tree, with any number of players.
        profile: the strategies of all players.

    Raises:
        ValueError: hands are on [0, 1], or the profile does not fit the game.
    """
    source = as_source(game)
    if isinstance(source, GameTree):
        return dict(_of_tree(source, as_tree_profile(source, profile)))
    return dict(_of_game(*as_played(source, profile)))


def _of_game(game: Game, profile: Profile) -> Iterator[tuple[str, InformationSetValues]]:
    game.finite_deal()
    found = [action_values(game, profile, player) for player in (0, 1)]
    for node, at in game.tree.decisions.items():
        met, chips = found[at.player][node]
        own, rows = reach_probs(game, profile, at.player, node), profile[node]
        for hand in range(len(met)):
            yield (
                game.information_set(node, hand),
                InformationSetValues(
                    at.player,
                    own[hand],
                    met[hand],
                    {action: row[hand] for action, row in zip(at.actions, rows, strict=True)},
                    {action: row[hand] for action, row in zip(at.actions, chips, strict=True)},
                    partial(_opponents_hand, game, profile, node, hand),
                ),
            )


def _opponents_hand(game: Game, profile: Profile, node: str, hand: int) -> dict[str, Number]:
    """How often each hand of the opponent comes there together with a hand of the player who acts."""
    deal, player = game.finite_deal(), game.tree.decisions[node].player
    mine = np.zeros(deal.size(player), object if deal.is_exact else float)
    mine[hand] = 1
    distribution = deal.in_case(Case(game.tree.cases[node].events)).mass(1 - player, mine)
    return dict(zip(deal.names[1 - player], distribution * reach_probs(game, profile, 1 - player, node), strict=True))


def _of_tree(tree: GameTree, profile: TreeProfile) -> Iterator[tuple[str, InformationSetValues]]:
    plans = [realization_weights(tree, profile, player) for player in range(tree.num_players)]
    masses = chance_masses(tree)
    ones = np.array([[mass] * tree.num_players for mass in masses.values()], object)
    once = TreePayoffs(np.array([*masses], np.int64), ones)  # as if each terminal node paid everybody 1
    found = []
    for player, form in enumerate(tree.forms):
        both = [counterfactual(tree, player, plans, payoffs) for payoffs in (tree.payoffs, once)]
        for values in both:
            back_up(form, values.at, partial(mixed_chips, rows_of(tree, profile, player)))
        found.append(both)
    for s in tree.infosets:
        plan, (paid, led) = plans[s.player], found[s.player]
        yield (
            s.name,
            InformationSetValues(
                s.player,
                Fraction(plan.at[s.before, 0]) / plan.unit,
                Fraction(led.at[s.first, 0])
                / led.unit,  # the same after each action, as the player's own choices do not count
                profile[s.name],
                {action: Fraction(paid.at[j, 0]) / paid.unit for action, j in zip(s.actions, s.after, strict=True)},
                partial(_histories, tree, profile, s.name),
            ),
        )


def _histories(tree: GameTree, profile: TreeProfile, name: str) -> dict[str, Number]:
    """How often chance and the others' choices lead to each history of an information set."""
    out: dict[str, Number] = {}
    player = tree.by_name[name].player
    stack: list[tuple[TreeNode, Fraction, tuple[str, ...]]] = [(tree.root, Fraction(1), ())]
    while stack:
        node, led, history = stack.pop()
        if isinstance(node, ChanceNode):
            stack += [(child, led * fraction(p), (*history, step)) for step, (p, child) in node.outcomes.items()]
        elif isinstance(node, DecisionNode):
            here = tree.name_of(node.player, node.information_set)
            if here == name:
                out[", ".join(history)] = led
                continue  # with perfect recall, no history of the set follows another one
            distribution = dict.fromkeys(node.actions, 1) if node.player == player else profile[here]
            stack += [(child, led * distribution[action], (*history, action)) for action, child in node.actions.items()]
    return dict(reversed(out.items()))


def chance_masses(tree: GameTree) -> dict[tuple[int, ...], Fraction]:
    """Return {one sequence of each player: the sum of the chance probabilities of the terminal nodes to which these sequences lead}."""
    out: dict[tuple[int, ...], Fraction] = {}
    stack: list[tuple[TreeNode, Fraction, tuple[int, ...]]] = [(tree.root, Fraction(1), (0,) * tree.num_players)]
    while stack:
        node, chance, key = stack.pop()
        if isinstance(node, ChanceNode):
            stack += [(child, chance * fraction(p), key) for p, child in node.outcomes.values()]
        elif isinstance(node, DecisionNode):
            q, first = node.player, tree.by_name[tree.name_of(node.player, node.information_set)].first
            stack += [
                (child, chance, (*key[:q], first + i, *key[q + 1 :])) for i, child in enumerate(node.actions.values())
            ]
        elif chance:
            out[key] = out.get(key, Fraction(0)) + chance
    return out
