"""Scores each action of a player against a known opponent, by the chips that the action loses.

The loss of an action, at a given hand and node, is the expected chips of the best action minus those of this action, if the player plays
a best response afterwards. So the expected losses of an episode add up to the value of a best response minus what the player earns. If
the player plays a given policy afterwards, the loss is the policy's expected chips minus those of the action: minus its advantage.
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
"""A node with at most this reach probability, in floats, counts as one to which the opponent's play never leads."""

ROUNDING = 1e-9
"""In floats, actions whose chips differ by less than this count as equally good."""

LOOKED_UP = 2**22
"""At most this many losses of a seat are kept in tables; more are computed when asked for."""


class Coach(HasOldNames):
    """The expected chips of each action for one seat against a fixed opponent; computed once and then looked up.

    Args:
        game: the game.
        seat: 0 or 1, whose actions are scored.
        opponent: the opponent against whom actions are scored; see `relance.play.strategy`.
        exact: use exact numbers if the game and the opponent have them and there are at most `FINE` hands; otherwise floats.
        policy: how the seat plays after the action, as in `relance.play.strategy`; None for a best response.
        extra: {node: for each action, chips by hand} to add to the expected chips of the action.
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
        """The seat's expected chips in an episode if it plays `policy` or, where `policy` is None, a best response to the opponent."""
        return self._best.value if self._best else value(self._game, self._profile) * (1 - 2 * self._seat)

    def action_values(self, node: str, hand: Any) -> tuple[Number, ...] | None:
        """Return the expected chips of each legal action, given the hand and the node; None if the opponent's play never leads there."""
        reach, *values = (_at(function, hand) for function in (self._worth[node][0], *self._worth[node][1]))
        never = reach <= NEVER if isinstance(reach, float) else reach == 0
        return None if never else tuple(value / reach for value in values)

    @cached_property
    def _tables(self) -> dict[int, Curves | Floats]:
        """By node index, columns by hand: the chips of each action, the chips of `policy` unless it is None, and the reach probability.

        A value is an array (hands, columns), or curves on [0, 1]. Chips are multiplied by the reach probability; see `action_values`.
        """
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
        """{node index: (hands, A) loss in chips of each action id with each hand}; empty for hands on [0, 1] or very many."""
        size, ids = self._game.deal.size(self._seat), np.arange(len(self._game.actions))
        if not 0 < size * len(ids) * len(self._worth) <= LOOKED_UP:
            return {}
        hands, actions = np.repeat(np.arange(size), len(ids)), np.tile(ids, size)
        return {node: self.losses(node, hands, actions).reshape(size, -1) for node in self._tables}

    def losses(self, node: int, hands: npt.ArrayLike, actions: npt.NDArray[np.int64]) -> Floats:
        """Return the losses in chips, (k,), of action ids with hands, both (k,), at the node with index `node`.

        A loss is the expected chips of the best action, or of `policy` if one was given, minus those of the action. The chips of an
        illegal action are the worst that this seat can get in the game. With hands for which the opponent's play never leads here, legal
        actions lose 0.
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
        """Return the loss in chips of one action id with one hand at a node, as in `losses`; NaN at the other seat's nodes."""
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
        """The indices of the nodes at which the seat moves."""
        return set(self._tables)

    def max_loss(self, forfeits: bool = True) -> float:
        """Return the largest sum of the seat's losses in one game, in chips; for hands on [0, 1], or very many, a bound on it.

        `forfeits` says whether one of the actions may be illegal.
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
    """Looks up the losses of actions at many nodes and in both seats.

    Args:
        taught: {seat: the `Coach` who knows the losses of actions in this seat}, for one seat or both.
        nodes: how many nodes the game has.
        width: how many action ids the game has.
    """

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
        """Return n losses, as `Coach.losses` does, each for a seat that takes this action id with this hand at this node; 0 out of turn."""
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
    """Return {seat: a `Coach` in floats against the opponent `teach`}; True stands for an equilibrium, and False gives an empty dict.

    Raises:
        ValueError: `teach` is None or a number.
    """
    if teach is False:
        return {}
    if teach is None or (isinstance(teach, int) and teach is not True):
        raise ValueError(f"teach={teach!r} must be True, False or an opponent")
    return {seat: Coach(game, seat, "equilibrium" if teach is True else teach, exact=False) for seat in seats}


def gaps(chips: Sequence[Number]) -> list[Number]:
    """Return by how many chips each value is below the largest; 0 if the difference is only rounding."""
    less = [max(chips) - value for value in chips]
    return [0 if isinstance(gap, float) and gap < ROUNDING else gap for gap in less]


def quick_deal(game: Game) -> Deal:
    """Return the game's deal, in floats if a player has more than `FINE` hands: exact arithmetic would take too long."""
    deal = game.deal
    return deal.floats if max(map(deal.size, (0, 1))) > FINE else deal


def _at(function: HandFunction, hand: Any) -> Number:
    return function(Fraction(hand)) if isinstance(function, Piecewise) else function[hand]
