"""The price of abstraction: what a strategy of a smaller game loses in the full one, exactly.

The smaller game may have fewer actions, such as fewer bet sizes; then `reading` translates each action that this game lacks into a mixture
of actions that it has. Or the smaller game may have coarser hands: cells of [0, 1]. The smaller game is solved, its strategies are played
in the full one, and best responses there say what these strategies guarantee.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from relance.model.arguments import checked
from relance.model.game import Game
from relance.model.game_tree import (
    ChanceNode,
    DecisionNode,
    GameTree,
    TreeNode,
    TreeProfile,
    as_tree,
    at_history,
)
from relance.model.numbers import Number, fraction, short
from relance.model.renamed import HasOldNames
from relance.solvers.exact import best_response
from relance.solvers.lp import solve_exactly
from relance.solvers.solve import solve
from relance.solvers.tree_values import as_tree_profile, evaluate

Reading: TypeAlias = Mapping[str, Mapping[str, Any]]
"""The translation of each action that the smaller game lacks: {action: {action of the smaller game: probability}}."""

Belief: TypeAlias = list[tuple[Fraction, TreeNode]]
"""[(weight, node)]: the nodes of the smaller game where a player may be, after translated actions, and how likely each one is."""


@dataclass(frozen=True)
class AbstractionPrice(HasOldNames):
    """What the strategies of a smaller game are worth in the full game, in chips.

    Attributes:
        guaranteed: for each player, what the strategy earns at least in the full game.
        value: the equilibrium value of the full game; None with hands on [0, 1] if no equilibrium is published.
        profile: the strategies as a profile of the full game.
        utility_sum: the sum of both players' payoffs.
    """

    guaranteed: tuple[Number, Number]
    value: Number | None
    profile: Any
    utility_sum: Number = 0

    @property
    def prices(self) -> tuple[Number, Number]:
        """For each player, how many chips less than the equilibrium value the strategy guarantees.

        Raises:
            ValueError: the equilibrium value of the full game is not known; `total` is always known.
        """
        if self.value is None:
            raise ValueError("without the value of the full game, only `total`, the sum of both prices, is known")
        return self.value - self.guaranteed[0], self.utility_sum - self.value - self.guaranteed[1]

    @property
    def total(self) -> Number:
        """The sum of both players' prices: the NashConv of the profile in the full game."""
        return self.utility_sum - sum(self.guaranteed)


def _between(size: Number, bet_sizes: Sequence[Number], pot: Number) -> tuple[Fraction, list[Fraction], Fraction]:
    sizes, bet, chips = (
        sorted(fraction(s, "bet_sizes") for s in bet_sizes),
        fraction(size, "size"),
        fraction(pot, "pot"),
    )
    if not sizes or bet <= 0 or chips <= 0 or sizes[0] <= 0:
        raise ValueError(
            f"size={bet}, pot={chips} and bet_sizes={short([*map(str, sizes)])} must be above 0, with at least one bet size"
        )
    return bet / chips, [s / chips for s in sizes], chips


@checked
def pseudo_harmonic_probs(size: Number, bet_sizes: Sequence[Number], pot: Number) -> dict[Fraction, Fraction]:
    """Return {bet size: probability}, how a bet of `size` is translated by the pseudo-harmonic mapping (Ganzfried and Sandholm 2013).

    A bet of x pots, between neighbouring bet sizes A and B, is taken as A with probability (B - x)(1 + A) / ((B - A)(1 + x)), else as B.

    Examples:
        >>> relance.equilibria.pseudo_harmonic_probs(2, bet_sizes=[1, 4], pot=2)
        {Fraction(1, 1): Fraction(1, 2), Fraction(4, 1): Fraction(1, 2)}
    """
    x, sizes, chips = _between(size, bet_sizes, pot)
    low, high = (
        max((s for s in sizes if s <= x), default=sizes[0]),
        min((s for s in sizes if s >= x), default=sizes[-1]),
    )
    if low >= high:
        return {low * chips: Fraction(1)}
    down = (high - x) * (1 + low) / ((high - low) * (1 + x))
    return {low * chips: down, high * chips: 1 - down}


@checked
def nearest_size_probs(size: Number, bet_sizes: Sequence[Number], pot: Number) -> dict[Fraction, Fraction]:
    """Return {bet size: 1} for the one of `bet_sizes` nearest to a bet of `size`; of two equally near ones the smaller."""
    x, sizes, chips = _between(size, bet_sizes, pot)
    return {min(sizes, key=lambda s: (abs(s - x), s)) * chips: Fraction(1)}


@checked
def price_of_abstraction(
    full: Any, small: Any, reading: Reading | None = None, profile: Any = None
) -> AbstractionPrice:
    """Return what the strategies of a smaller game, played in the full one, guarantee and lose there, exactly.

    Args:
        full: a game of two players and zero sum: a game tree, or what `relance.game_tree` takes; or a `Game` with hands on [0, 1].
        small: the same game with fewer actions, and the same names and chance; or `full` with [0, 1] cut into cells, as `full.grid(9)`.
        reading: the translation of each action that `small` lacks: {action: {action of `small`: probability}}.
        profile: the strategies of the smaller game, in fractions; by default an equilibrium of it.

    Raises:
        ValueError: the games do not fit together, or `reading` lacks an action; the message names the history.
    """
    if isinstance(full, Game) and not full.deal.is_finite:
        if not isinstance(small, Game) or small.deal.on_interval is False or small.whole != full:
            raise ValueError(f"small={short(small)} must be {full} with [0, 1] cut into cells, such as game.grid(9)")
        played = small.on_interval(solve(small) if profile is None else profile)
        worth = None
        if full.is_published:
            published = full.published()
            ends = [best_response(full, published, player).value for player in (0, 1)]
            worth = ends[0] if sum(ends) == 0 else None
        held = (-best_response(full, played, 1).value, -best_response(full, played, 0).value)
        return AbstractionPrice(held, worth, played)
    whole, part = as_tree(full), as_tree(small)
    chosen = solve_exactly(part) if profile is None else as_tree_profile(part, profile)
    lifted = lifted_profile(whole, part, chosen, reading or {})
    best = evaluate(whole, lifted).best
    total = whole.utility_sum
    assert total is not None
    value = evaluate(whole, solve_exactly(whole)).values[0]
    return AbstractionPrice((total - best[1], total - best[0]), value, lifted, total)


def lifted_profile(full: GameTree, small: GameTree, profile: TreeProfile, reading: Reading) -> TreeProfile:
    """Return a profile of the smaller game as one of the full game; `reading` translates the actions that the smaller game lacks.

    A player draws each translation once. At later nodes the probabilities are conditional on the player's own actions, by Bayes' rule.

    Raises:
        ValueError: an action has no translation, chance differs, or an information set of the full game would get two strategies.
    """
    table: dict[str, dict[str, Fraction]] = {}
    start: Belief = [(Fraction(1), small.root)]
    stack: list[tuple[TreeNode, list[Belief], tuple[str, ...]]] = [(full.root, [start] * full.num_players, ())]
    while stack:
        node, beliefs, history = stack.pop()
        if isinstance(node, ChanceNode):
            for name, (_, child) in node.outcomes.items():
                moved = [_after_chance(belief, name, history) for belief in beliefs]
                stack.append((child, moved, (*history, name)))
        elif isinstance(node, DecisionNode):
            here = full.name_of(node.player, node.information_set)
            distributions = [_distribution(small, profile, there, node, history) for _, there in beliefs[node.player]]
            total = sum((w for w, _ in beliefs[node.player]), Fraction(0))
            distribution = {
                action: sum(
                    (w * p.get(action, 0) for (w, _), p in zip(beliefs[node.player], distributions, strict=True)),
                    Fraction(0),
                )
                / total
                for action in node.actions
            }
            if table.setdefault(here, distribution) != distribution:
                raise ValueError(
                    f"{at_history(history)}: the information set {here!r} of the full game would get two strategies, because `small` or "
                    "`reading` distinguishes histories in this set; all histories in this set must lead to one information set of `small`"
                )
            for action, child in node.actions.items():
                moved = []
                for player, belief in enumerate(beliefs):
                    if player == node.player:
                        drawn = [
                            (w * p[action], there)
                            for (w, there), p in zip(belief, distributions, strict=True)
                            if p.get(action)
                        ]
                        belief = drawn or belief
                    moved.append([step for w, there in belief for step in _taken(w, there, action, reading, history)])
                stack.append((child, moved, (*history, action)))
    return full.profile(table)


def _actions(node: TreeNode) -> Mapping[str, TreeNode]:
    return node.actions if isinstance(node, DecisionNode) else {}


def _after_chance(belief: Belief, name: str, history: tuple[str, ...]) -> Belief:
    out = []
    for weight, node in belief:
        if not isinstance(node, ChanceNode) or name not in node.outcomes:
            raise ValueError(f"{at_history(history)}: chance may draw {short(name)} here, but not in the smaller game")
        out.append((weight, node.outcomes[name][1]))
    return out


def _distribution(
    small: GameTree, profile: TreeProfile, there: TreeNode, node: DecisionNode, history: tuple[str, ...]
) -> Mapping[str, Fraction]:
    """Return what the player plays at a node of the smaller game."""
    if not isinstance(there, DecisionNode) or there.player != node.player:
        raise ValueError(f"{at_history(history)}: player {node.player} acts here, but not in the smaller game")
    return profile[small.name_of(there.player, there.information_set)]


def _taken(weight: Fraction, there: TreeNode, action: str, reading: Reading, history: tuple[str, ...]) -> Belief:
    """Where an action leads in the smaller game."""
    actions = _actions(there)
    if action in actions:
        return [(weight, actions[action])]
    if action not in reading:
        raise ValueError(f"{at_history(history)}: the smaller game has no {short(action)}; `reading` must translate it")
    distribution = {other: fraction(p, f"reading of {action}") for other, p in reading[action].items()}
    if not distribution.keys() <= actions.keys() or sum(distribution.values()) != 1 or min(distribution.values()) < 0:
        raise ValueError(
            f"reading[{action!r}] must give probabilities with sum 1 to actions of the smaller game: {', '.join(actions)}"
        )
    return [(weight * p, actions[other]) for other, p in distribution.items() if p]
