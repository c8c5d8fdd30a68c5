"""What all adapters share: the compiled rules of a game, the players' observations, and argument checks.

A player sees one flat float32 vector, the same in OpenSpiel, PettingZoo and Gymnasium: the seat, the hand and the betting so
far (`Rules.pieces`). Two observations are equal if and only if they belong to the same information set.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Mapping
from functools import cache, cached_property, lru_cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from relance.envs.catalogue import make
from relance.model.arguments import checked
from relance.model.deal import FiniteDeal
from relance.model.game import Game
from relance.model.numbers import Number, short

Vector: TypeAlias = npt.NDArray[np.float32]

MOST_NODES = 2**18
"""The most nodes of a game that is played step by step: what each player sees is kept for each of them."""


class ObservationPiece(NamedTuple):
    """A part of the observation vector: its name, its shape, and a sentence that describes it."""

    name: str
    shape: tuple[int, ...]
    sentence: str


def check_whole(name: str, value: object, least: int, most: int | None = None) -> None:
    """Raise ValueError, naming the argument, unless `value` is an int from `least` to `most`, which a float can hold."""
    whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    highest = sys.float_info.max if most is None else most
    if not whole or not least <= value <= highest:  # type: ignore[operator]  # whole: it compares
        allowed = f" of at least {least}" if most is None else f" from {least} to {most}"
        raise ValueError(f"{name}={short(value)} must be a whole number{allowed}")


class Rules:
    """The compiled rules of one game, mostly as plain lists. A pickle holds only the game, so environments pickle small.

    Attributes:
        game: the game.
        actions: action names; the index is the action id.
        names, player, child, legal, constant, stake, after: per node, as in `TreeTable`.
        compare: per node, the edge of player 0 in a showdown there, from both hands; computed only once if there are few hands.
        events: event names; the index is the event id.
        turned, most_events: per node, how many events have turned up; and the most in one play.
        chances: a function from player 0's hand to the probabilities of player 1's possible hands; for None, of player 0's own hands.
        event_chances: one from a node where chance turns up an event, and both hands, to the probabilities of the possible event ids.
        worst: for each player, the most chips that they can lose.
        forfeits: for each player, the chips to player 0 if they take an illegal action: they pay the most that they can lose.
        column, value: (2, hands) the index and the value that encode each player's hand in an observation, where hands are finitely many.
        blank: (2, nodes, size) what each player sees at each node, without the hand.
        pieces, size: the parts of an observation in order, and its length.
        masks: int8 arrays (2, M + 1, A) and (2, M + 1, A + 1) by player and node: the legal actions if the player is to move, else none.
            The second has one more action, which is to wait. The last row, all ones, is used when nobody is to move.
        mask_rows: the same as nested lists of rows, from which single rows are read faster.
    """

    def __init__(self, game: Game) -> None:
        if game.tree.kinds.size[0] > MOST_NODES:
            raise ValueError(
                f"{game} has {game.tree.kinds.size[0]:,} nodes; it is solved and scored, but environments, opponents and "
                f"players who answer in words take at most {MOST_NODES:,}"
            )
        table, deal = game.tree.table, game.deal
        self.game = game
        self.deal = deal.floats
        few = isinstance(self.deal, FiniteDeal) and self.deal.few_pairs
        deals = {case: self.deal.in_case(case) for case in dict.fromkeys(table.cases)}
        compares = {case: cache(deal.compare) if few else deal.compare for case, deal in deals.items()}
        self.compare: list[Callable[[Any, Any], Number]] = [compares[case] for case in table.cases]
        self.after, self.events, self.most_events = table.after, list(game.tree.events), table.turned.shape[1]
        self.turned = [len(case.events) for case in table.cases]
        self.actions, self.names = list(game.actions), table.names
        self.chances, self.event_chances = cache(self._chances), cache(self._event_chances)
        self.player, self.child, self.legal = table.player.tolist(), table.child.tolist(), table.legal_ids
        self.constant, self.stake = table.constant.tolist(), table.stake.tolist()
        fought = {case for case, stake in zip(table.cases, table.stake, strict=True) if stake}
        sharpest = {case: float(deals[case].sharpest) if case in fought else 0.0 for case in deals}
        spread = abs(table.stake) * [sharpest[case] for case in table.cases]
        self.worst = tuple(float((spread - sign * table.constant).max()) for sign in (1, -1))
        self.forfeits = (-self.worst[0], self.worst[1])

        self.showing, self.numbered = deal.showing, deal.on_interval
        hands = max(map(deal.size, (0, 1))) if deal.is_finite else 1
        self.column, self.value = np.full((2, hands), 2), np.ones((2, hands), np.float32)
        width, sentence = 1, "The hand in [0, 1]; on a grid, the middle of its cell."
        if self.showing:
            width = self.showing.kinds
            self.column += self.showing.kind
            self.value[:] = self.showing.place
            sentence = "Zeros except at the kind of hand (one pair, two pairs, ...), which has the share of hands that are not better."
        elif not self.numbered:
            width, sentence = hands, "The hand, one-hot."
            self.column += np.arange(hands)
        elif deal.places is not None:
            for player, places in enumerate(deal.places):
                self.value[player, : len(places)] = places
        self.pieces = [
            ObservationPiece("player", (2,), "The seat, one-hot."),
            ObservationPiece("hand", (width,), sentence),
            ObservationPiece(
                "betting", table.history.shape[1:], "One row per action so far, one-hot; zeros after that."
            ),
        ]
        if self.events:
            sentence = "One row per event that has turned up, one-hot; zeros after that."
            self.pieces.append(ObservationPiece("events", table.turned.shape[1:], sentence))
        self.size = 2 + width + table.history[0].size + table.turned[0].size
        self.blank: Vector = np.zeros((2, len(self.names), self.size), np.float32)
        for player in (0, 1):
            self.blank[player, :, player] = 1
            public = [part.reshape(len(self.names), -1) for part in (table.history, table.turned)]
            self.blank[player, :, 2 + width :] = np.concatenate(public, axis=1)
        self._rows = [list(rows) for rows in self.blank]
        waits = np.arange(2)[:, None, None] != table.player[:, None]
        actions = np.where(waits, 0, table.legal)
        self.masks = tuple(
            np.concatenate([rows, np.ones_like(rows[:, :1])], axis=1, dtype=np.int8)
            for rows in (actions, np.concatenate([actions, waits], axis=2))
        )
        self.mask_rows = tuple([list(rows) for rows in masks] for masks in self.masks)

    def hand_code(self, player: int, hand: Any) -> tuple[int, float]:
        """The index and the value that encode the hand in an observation."""
        if not self.deal.is_finite:
            return 2, float(hand)
        return self.column.item(player, hand), self.value.item(player, hand)

    def observe(self, player: int, hand: Any, node: int) -> Vector:
        """A fresh observation of `player` with `hand` at this node."""
        out: Vector = self._rows[player][node].copy()
        index, value = self.hand_code(player, hand)
        out[index] = value
        return out

    def action_id(self, action: Any, wait: bool = False) -> int:
        """Return `action` as an action id; with `wait`, the one past the last, which is to wait, is one too.

        Raises:
            TypeError: it is not a whole number of Python, numpy or torch; True and 1.0 are not accepted.
            ValueError: it is not an action id of this game.
        """
        known = len(self.actions) + wait
        if type(action) is int and 0 <= action < known:
            return action
        try:
            if isinstance(action, bool) or getattr(getattr(action, "dtype", None), "kind", "i") == "b":
                raise TypeError
            number = operator.index(action)
        except TypeError:
            raise TypeError(f"action {short(action)} is not an action id; {self.ids}") from None
        if not 0 <= number < known:
            raise ValueError(f"action {short(action)} is not an action id; {self.ids}")
        return number

    @property
    def ids(self) -> str:
        """All action ids as text."""
        return f"{self.game.name} has " + ", ".join(f"{i} ({name})" for i, name in enumerate(self.actions))

    def illegal(self, action: int, node: int) -> str:
        """The error message that `action` is illegal at this node, with the legal actions."""
        legal = ", ".join(f"{i} ({self.actions[i]})" for i in self.legal[node])
        name = f" ({self.actions[action]})" if 0 <= action < len(self.actions) else ""
        return f"action {action}{name} is illegal at {self.names[node]!r} of {self.game.name}; legal: {legal or 'none, the game is over'}"

    def turns(self, player: int, in_a_row: bool = False) -> int:
        """The most decisions that a player takes in one game, or in a row."""
        most = [0] * len(self.names)
        for node in reversed(range(len(self.names))):
            if not in_a_row or self.player[node] != 1 - player:
                below = [*self.after[node].values(), *(self.child[node][action] for action in self.legal[node])]
                most[node] = (self.player[node] == player) + max((most[k] for k in below), default=0)
        return max(most)

    def show(self, hands: tuple[Any, Any], rng: np.random.Generator) -> tuple[str, str] | None:
        """Both players' real cards as text; None if the game has no real cards."""
        return self.showing.cards(hands, rng) if self.showing else None

    @cached_property
    def text(self) -> str:
        """The text of the game."""
        return str(self.game)

    def _chances(self, hand: int | None) -> dict[int, float]:
        return {h: float(p) for h, p in enumerate(self.game.finite_deal().floats.chances(hand)) if p > 0}

    def _event_chances(self, node: int, mine: Any, theirs: Any) -> dict[int, float]:
        name, tree = self.names[node], self.game.tree
        found = self.deal.in_case(tree.cases[name]).event_chances(mine, theirs, tree.reveals[name].events)
        return {event: p for event, p in zip(self.after[node], found, strict=True) if p > 0}

    def turn_up(self, node: int, hands: tuple[Any, ...], uniform: float) -> int:
        """The event id that the number `uniform` in [0, 1) selects at a node where chance turns up an event."""
        *events, (last, _) = self.event_chances(node, *hands).items()
        for event, chance in events:
            uniform -= chance
            if uniform < 0:
                return event
        return last

    def __deepcopy__(self, memo: dict[int, object]) -> Rules:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return rules, (self.game,)


@checked
@lru_cache(maxsize=64)
def rules(game: Game) -> Rules:
    """The compiled rules of a game; those of recent games are cached."""
    return Rules(game)


def game_of(game: str | Game, parameters: Mapping[str, object]) -> Game:
    """The game of this name and these parameters; a Game is returned unchanged, and then takes no parameters."""
    if isinstance(game, Game) and parameters:
        raise ValueError(f"parameters {sorted(parameters)} go with a game's name; {game} has its own already")
    return game if isinstance(game, Game) else make(game, **parameters)
