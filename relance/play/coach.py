"""What each action is worth against a known opponent, if all later play is a best response, or a policy.

The loss of an action, given hand, node and opponent, is the expected chips of the best action minus those of this one. So the expected
losses of an episode add up to the value of a best response minus what the player earns. If later play is a policy, an action loses
against the mean of that policy instead, and its loss is minus its advantage.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from relance.model.arrays import Floats, Ints
from relance.model.cells import Curves
from relance.model.deal import Deal, HandFunction
from relance.model.game import Game
from relance.model.numbers import Number
from relance.model.piecewise import Piecewise
from relance.model.renamed import HasOldNames
from relance.play.agents import strategy
from relance.play.opponents import FINE, Player
from relance.play.rules import check_per_node, rules
from relance.solvers.best_response import mixed
from relance.solvers.exact import action_values, best_response, value

NEVER = 1e-13
"""A float probability of at most this counts as 0: the opponent's play never leads there."""

ROUNDING = 1e-9
"""In floats, actions whose chips differ by less than this count as equally good."""

LOOKED_UP = 2**22
"""The most losses of one seat that are kept in tables."""


class Coach(HasOldNames):
    """What each action is worth to one seat against a fixed opponent; computed once and then looked up.

    Args:
        game: the game.
        seat: 0 or 1, whose decisions are scored.
        opponent: the opponent they are scored against; see `relance.play.strategy`.
        exact: use exact numbers if the game and the opponent have them and there are at most `FINE` hands; otherwise floats.
        policy: how the seat plays later, as in `relance.play.strategy`; None for a best response.
        extra: {node: chips by action, as functions of the hand} that each action is paid on top of what it is worth.
    """

    def __init__(
        self,
        game: Game,
        seat: int,
        opponent: Player = "equilibrium",
        exact: bool = True,
        policy: Player = None,
        extra: Mapping[str, Sequence[HandFunction]] | None = None,
    ) -> None:
        check_per_node(game, "teaching and rewards for each decision")
        self._game, self._seat, self._forfeit = game, seat, rules(game).worst[seat]
        own = "uniform" if policy is None else policy  # a best response depends on the other half alone
        profile = game.together(strategy(game, own, seat), strategy(game, opponent, 1 - seat))
        if not exact or quick_deal(game) is not game.deal:
            profile = profile.as_float()
        self._best = best_response(game, profile, seat) if policy is None else None
        self._profile = profile.replace(self._best.strategy) if self._best else profile
        self._worth = action_values(game, self._profile, seat)
        if extra:
            self._worth = {
                name: (met, [chips + met * more for chips, more in zip(values, extra[name], strict=True)])
                for name, (met, values) in self._worth.items()
            }

    @cached_property
    def value(self) -> Number:
        """The expected chips of an episode in which every decision is the best one, or that of the policy."""
        return self._best.value if self._best else value(self._game, self._profile) * (1 - 2 * self._seat)

    def action_values(self, node: str, hand: Any) -> tuple[Number, ...] | None:
        """Return the expected chips of each legal action, given the hand and the node; None if the opponent's play never leads there."""
        reach, *values = (_at(function, hand) for function in (self._worth[node][0], *self._worth[node][1]))
        never = reach <= NEVER if isinstance(reach, float) else reach == 0
        return None if never else tuple(value / reach for value in values)

    @cached_property
    def _tables(self) -> dict[int, Curves | Floats]:
        """By node index, the chips of each action, those of a policy, and the reach: an array (hands, columns), or curves on [0, 1]."""
        tables: dict[int, Curves | Floats] = {}
        index = {name: i for i, name in enumerate(self._game.tree.table.names)}
        for name, (met, values) in self._worth.items():
            usual = [] if self._best else [mixed(self._profile[name], values)]
            columns, node = [*values, *usual, met], index[name]
            curved = isinstance(met, Piecewise)
            tables[node] = Curves(columns) if curved else np.stack(columns, axis=1).astype(float)
        return tables

    @cached_property
    def lost(self) -> dict[int, Floats]:
        """By node index, (hands, A), the loss of each action id with each hand; empty for hands on [0, 1] or very many."""
        size, ids = self._game.deal.size(self._seat), np.arange(len(self._game.actions))
        if not 0 < size * len(ids) * len(self._worth) <= LOOKED_UP:
            return {}
        hands, actions = np.repeat(np.arange(size), len(ids)), np.tile(ids, size)
        return {node: self.losses(node, hands, actions).reshape(size, -1) for node in self._tables}

    def losses(self, node: int, hands: npt.ArrayLike, actions: npt.NDArray[np.int64]) -> Floats:
        """Return the losses in chips, (k,), of these action ids with these hands, both (k,), at the node with this index.

        They are negative for an action that is better than the policy.

        An illegal action, whatever its number, counts as losing the most chips this seat can lose in the game. For a hand with which
        the opponent's play never leads here, legal actions lose 0.
        """
        index = np.asarray(hands)
        table = self._tables[node]
        weighted: Floats = table[index] if isinstance(table, np.ndarray) else table(index)
        reach = weighted[:, -1:]
        chips = np.divide(weighted[:, :-1], reach, out=np.zeros_like(weighted[:, :-1]), where=reach > 0)
        chosen = np.full(len(index), -self._forfeit)
        for column, action in enumerate(self._game.tree.table.legal_ids[node]):
            chosen = np.where(actions == action, chips[:, column], chosen)
        losses: Floats = (chips.max(axis=1) if self._best else chips[:, -1]) - chosen
        return losses

    def loss(self, node: int, hand: Any, action: int) -> float:
        """The loss of one action in chips, as in `losses` but quicker for a single one; NaN at a node of the other seat."""
        known = self.lost.get(node)
        if known is not None and 0 <= action < known.shape[1]:
            return known.item(hand, action)
        table = self._tables.get(node)
        if table is None:
            return float("nan")
        legal = self._game.tree.table.legal_ids[node]
        *weighted, reach = table[hand].tolist() if isinstance(table, np.ndarray) else table.at(hand)
        chips = [value / reach for value in weighted] if reach > 0 else [0.0] * len(weighted)
        usual = max(chips) if self._best else chips[-1]
        return usual - (chips[legal.index(action)] if action in legal else -self._forfeit)

    @property
    def nodes(self) -> set[int]:
        """The indices of the seat's nodes."""
        return set(self._tables)

    def max_loss(self, forfeits: bool = True) -> float:
        """Return the most chips that the decisions of one game can lose together; for hands on [0, 1], or very many, a bound on it.

        `forfeits` says whether one of them may be illegal.
        """
        table, seat = self._game.tree.table, self._seat
        if not self.lost:
            return rules(self._game).turns(seat) * sum(rules(self._game).worst)
        hands = np.arange(self._game.deal.size(seat))
        most: dict[int, Floats] = {}
        for node in reversed(range(len(table.names))):
            after = [most[child] for child in (*table.child[node], *table.after[node].values()) if child >= 0]
            if table.player[node] == seat:
                lost = self.lost[node][:, table.legal_ids[node]].T
                after = [a + b for a, b in zip(lost, after, strict=True)]
                after += [self.losses(node, hands, np.full(len(hands), -1))] * forfeits
            most[node] = np.max(after, axis=0) if after else np.zeros(len(hands))
        return float(most[0].max())


class Lessons:
    """What each action loses, from the coaches by seat; in one table if the coaches have tables."""

    def __init__(self, taught: dict[int, Coach], nodes: int, width: int) -> None:
        self._coaches, self._width = taught, width
        tables = [(seat, node, lost) for seat, coach in taught.items() for node, lost in coach.lost.items()]
        self._flat = np.concatenate([*(lost.ravel() for _, _, lost in tables), [0.0]])
        # Without a decision, an entry points to the 0 at the end.
        self._start = np.full((2, 2 * nodes), len(self._flat) - 1)
        before = 0
        for seat, node, lost in tables:
            self._start[seat, node], before = before, before + lost.size
        self._looked_up = all(coach.lost for coach in taught.values())

    def losses(self, seat: Ints, node: Ints, hands: npt.NDArray[Any], actions: Ints) -> Floats:
        """(n,) the losses of these actions of these seats, all (n,); 0 where the seat has no decision."""
        if self._looked_up:
            found = self._start[seat, node] + hands * self._width + actions
            losses: Floats = self._flat.take(found, mode="clip")
            return losses
        out = np.zeros(len(node))
        for player, coach in self._coaches.items():
            for here in sorted(set(node[seat == player].tolist()) & coach.nodes):
                at = np.flatnonzero((node == here) & (seat == player))
                out[at] = coach.losses(here, hands[at], actions[at])
        return out


def coaches(game: Game, teach: Player, seats: tuple[int, ...] = (0, 1)) -> dict[int, Coach]:
    """A coach in floats for each of these seats. `teach` is the opponent; True means an equilibrium, False means no coaches.

    Raises:
        ValueError: `teach` is None or a number.
    """
    if teach is False:
        return {}
    if teach is None or (isinstance(teach, int) and teach is not True):
        raise ValueError(f"teach={teach!r} must be True, False or an opponent")
    return {seat: Coach(game, seat, "equilibrium" if teach is True else teach, exact=False) for seat in seats}


def gaps(chips: Sequence[Number]) -> list[Number]:
    """The chips by which each value is below the largest; 0 if the difference is only rounding."""
    less = [max(chips) - value for value in chips]
    return [0 if isinstance(gap, float) and gap < ROUNDING else gap for gap in less]


def quick_deal(game: Game) -> Deal:
    """The deal, in floats if there are too many hands for exact arithmetic while a user waits."""
    deal = game.deal
    return deal.floats if max(map(deal.size, (0, 1))) > FINE else deal


def _at(function: HandFunction, hand: Any) -> Number:
    return function(Fraction(hand)) if isinstance(function, Piecewise) else function[hand]
