"""Counterfactual regret minimisation (CFR) in vector form: a pass over the public tree updates all hands of a player at once.

An iteration does four things, for player 0 and then for player 1:

1. Regret matching: play each action in proportion to its positive regret (`regret_matching`).
2. Counterfactual values: the chips that each action earns with each hand against the other player's current strategy, times the
   probability that the deal and the other player's choices lead there. Subtract the value of the node to get the new regrets
   (`counterfactual_regrets`).
3. Regret update: add the new regrets to the old ones, which a variant may discount (`update_regrets`).
4. Average strategy: add the current strategy to the average, weighted by the probability that the player's own choices lead there
   (`update_average`).

The average strategies approach an equilibrium. All arrays have shape (slots, hands), where a slot is an action at a node, or
(sequences, hands), where a sequence is a player's last choice, if any; see `relance.model.sequences`.

Zinkevich et al. 2007, Regret minimization in games with incomplete information; public trees are from Johanson et al. 2011,
Accelerating best response calculation in large extensive games. For the variants see `relance.solvers.cfr_variants`. Beside this
file: the deal at the terminal nodes (`sequence_form`), the solver that users run and save (`cfr_solver`), compiled loops (`cfr_numba`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from relance.model.arrays import namespace
from relance.model.deal import Array
from relance.model.sequences import ALL, PayoffOperator, SequenceForm
from relance.solvers.cfr_variants import Variant, Weights
from relance.solvers.sequence_form import normalised, over_actions, sequence_probs, terminal_values


class Learned(NamedTuple):
    """A player's arrays, (all actions, hands): regrets, averages and, for regret matching, `matched`: regrets or predictions of them."""

    regrets: Array
    matched: Array  # the regrets, or in a predictive variant their predictions
    averages: Array


def regret_matching(side: SequenceForm, regrets: Array) -> Array:
    """Return, in step 1 of 4 of CFR, probabilities proportional to positive `regrets`, equal if none is positive: (all actions, hands)."""
    return normalised(side, regrets.clip(0))


def counterfactual_regrets(side: SequenceForm, strategy: Array, values: Array) -> Array:
    """Return how much more each action earns than `strategy` earns at the action's node, (all actions, hands): step 2 of 4 of CFR.

    Args:
        side: the tree as the player sees it.
        strategy: the player's strategy, (all actions, hands).
        values: the chips of the terminal nodes that directly follow each sequence of the player, (sequences, hands); overwritten.
    """
    of_actions = values[1:]
    for group in reversed(side.groups):  # the deepest nodes first
        action_values = group.of(of_actions)  # (nodes, actions, hands)
        node_values = over_actions(group.of(strategy) * action_values)
        group.pass_on(values, node_values)  # a node's value is part of the value of the action that leads there
        action_values -= node_values[:, None]
    return of_actions


def update_regrets(regrets: Array, new: Array, weights: Weights) -> None:
    """Step 3 of 4 of CFR: add `new` to `regrets` in place; then `weights.positive` and `weights.negative` multiply entries of that sign."""
    regrets += new
    if weights.negative == 0.0:  # CFR+ keeps no negative regrets
        regrets[...] = regrets.clip(0)
        if weights.positive != 1.0:
            regrets *= weights.positive
    elif (weights.positive, weights.negative) != (1.0, 1.0):
        where = namespace(regrets).where
        regrets[...] = where(regrets > 0, regrets * weights.positive, regrets * weights.negative)


def update_average(average: Array, reach: Array, weights: Weights) -> None:
    """Step 4 of 4 of CFR: scale `average` in place by `weights.keep`, and add `weights.add` times the sequences' `reach`."""
    average *= weights.keep
    average += weights.add * reach[1:]


class VectorCFR:
    """CFR on arrays: its iterations update the regrets and averages of both players.

    Args:
        sides: the tree as each player sees it.
        deal: what terminal nodes pay, in floats of the same array library as `learned`.
        learned: both players' arrays, which are updated in place.
        variant: the variant of CFR.
        blocks: all hands, or blocks of them that fit in the cache; see `relance.solvers.sequence_form.blocks`.
    """

    def __init__(
        self,
        sides: tuple[SequenceForm, SequenceForm],
        deal: PayoffOperator,
        learned: tuple[Learned, Learned],
        variant: Variant,
        blocks: Sequence[slice],
    ) -> None:
        self.sides, self.deal, self.learned, self.variant, self.blocks = sides, deal, learned, variant, blocks
        self._kept: dict[int, tuple[Array, Array]] = {}

    def run(self, first: int, count: int) -> Iterator[int]:
        """Run `count` iterations, the first of which has number `first`, and yield 1 after each."""
        self._kept.clear()  # the arrays may have changed since the last run
        for t in range(first, first + count):
            for player in (0, 1):
                self._update(player, self.variant.weights(float(t)))
            yield 1
        self._kept.clear()

    def _update(self, player: int, weights: Weights) -> None:
        """The four steps for one player, with all hands or with one block of hands after another."""
        side = self.sides[player]
        passed = terminal_values(side, self.deal, player, self.blocks, lambda hands: self._play(1 - player, hands)[1])
        for hands, values in passed:
            strategy, reach = self._play(player, hands)
            regrets, matched, average = (rows[:, hands] for rows in self.learned[player])
            new = counterfactual_regrets(side, strategy, values)
            update_regrets(regrets, new, weights)
            if self.variant.predictive:
                matched[...] = regrets + new
            update_average(average, reach, weights)
        self._kept.pop(player, None)

    def _play(self, player: int, hands: slice) -> tuple[Array, Array]:
        """The current strategy and its reach probabilities; those for all hands are kept until the player's next update."""
        if player in self._kept:
            return self._kept[player]
        strategy = regret_matching(self.sides[player], self.learned[player].matched[:, hands])
        play = strategy, sequence_probs(self.sides[player], strategy)
        if hands == ALL:
            self._kept[player] = play
        return play
