"""The parts that all frameworks' adapters share: compiled rules of games, players' observations, and argument checks.

A player sees one flat float32 vector, the same in OpenSpiel, PettingZoo and Gymnasium: the seat, the hand and the betting so
far (`Rules.pieces`). Two observations are equal if and only if they belong to the same information set.
"""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property, lru_cache, partial
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from relance.envs.catalogue import make
from relance.model.arguments import checked
from relance.model.deal import FiniteDeal
from relance.model.game import Game
from relance.model.numbers import Number, short
from relance.model.tree import OVER
from relance.model.tree_table import OfNodes

T = TypeVar("T")

Vector: TypeAlias = npt.NDArray[np.float32]

MOST_NODES, NODE = 2**18, 2000
"""The most nodes of a game if something is kept for each node by name, and about how many bytes a node then takes."""


class ObservationPiece(NamedTuple):
    """A part of the observation vector: its name, its shape, and a sentence that describes it."""

    name: str
    shape: tuple[int, ...]
    sentence: str


def check_whole(name: str, value: object, least: int, most: int | None = None) -> None:
    """Raise ValueError, naming the argument, unless `value` is an int from `least` to `most` (None: to the largest float)."""
    whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    highest = sys.float_info.max if most is None else most
    if not whole or not least <= value <= highest:  # type: ignore[operator]  # whole: it compares
        allowed = f" of at least {least}" if most is None else f" from {least} to {most}"
        raise ValueError(f"{name}={short(value)} must be a whole number{allowed}")


def check_per_node(game: Game, what: str) -> None:
    """Raise ValueError if a game has more than `MOST_NODES` nodes; the message begins with `what`, which keeps data by node."""
    if (size := game.tree.kinds.size[0]) > MOST_NODES:
        raise ValueError(
            f"{what} take games of at most {MOST_NODES:,} nodes; {game} has {size:,}, which would need about "
            f"{NODE * size / 2**30:.1f} GiB of memory"
        )


class Rules:
    """The compiled rules of one game, mostly as plain lists. A pickle holds only the game, so environments pickle small.

    What is known of each node is read from arrays if the tree is large; see `relance.model.tree_table`.

    Attributes:
        game: the game.
        actions: action names; the index is the action id.
        names, player, child, legal, constant, stake, after: per node, its name, who acts, the next node by action id, the legal action
            ids, the two numbers of the payoff constant + stake * edge, and the next node by event id; as in `TreeTable`.
        compare: per node, a function of both hands that returns player 0's edge in a showdown there; cached if there are few hands.
        events: event names; the index is the event id.
        turned, most_events: per node, how many events have turned up; and the most in one play.
        chances: a function from player 0's hand to {possible hand of player 1: probability}, and from None to the same of player 0.
        event_chances: a function from a chance node and both hands to the probabilities of the possible event ids.
        worst: for each player, the most chips that they can lose.
        forfeits: for each player, the chips to player 0 if they take an illegal action: they pay the most that they can lose.
        column, value: (2, hands) the index and the value that encode each player's hand in an observation, where hands are finitely many.
        rows: by player and node, the player's observation without the hand; made when it is asked for if the tree is large.
        blank: the observations of `rows` as an array, (2, nodes, size); empty if the tree is large.
        pieces, size: the parts of an observation in order, and its length.
        public: the index in an observation where the part begins that both players see.
        masks: two int8 arrays, (2, P + 1, A) and (2, P + 1, A + 1), by player and by the P positions of `TreeTable.positions`. A position
            is a node of a small tree; in a large tree it is all nodes from which the game goes on alike. Where the player is to move, the
            legal actions are 1, and all others are 0. The second array has a further, last action, to wait: it is 1 where the player is
            not to move, and then all other actions are 0. The last row is all ones, for when nobody moves.
        mask_rows: `masks` as nested lists of rows by node, from which single rows are read faster.
    """

    def __init__(self, game: Game) -> None:
        table, deal = game.tree.table, game.deal
        self.game = game
        self.deal = deal.floats
        few = isinstance(self.deal, FiniteDeal) and self.deal.few_pairs
        deals = list(map(self.deal.in_case, table.every_case))
        compares = [cache(deal.compare) if few else deal.compare for deal in deals]
        self.compare: Sequence[Callable[[Any, Any], Number]] = self._listed(lambda node: compares[table.case[node]])
        self.after, self.events, self.most_events = table.after, list(game.tree.events), table.most_events
        self.turned = self._listed(table.counts[1].item)
        self.actions, self.names = list(game.actions), table.names
        self.chances, self.event_chances = cache(self._chances), cache(self._event_chances)
        self.player, self.legal = self._listed(table.player.item), table.legal_ids
        self.child = self._listed(lambda node: table.children(node).tolist())
        self.constant, self.stake = self._listed(table.constant.item), self._listed(table.stake.item)
        sharpest = np.zeros(len(deals))
        for case in np.unique(table.case[table.stake != 0]).tolist():
            sharpest[case] = deals[case].sharpest
        spread = abs(table.stake) * sharpest[table.case]
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
        betting, events = (game.tree.kinds.action_rows, len(self.actions)), (self.most_events, len(self.events))
        told = "One row per action so far, one-hot; zeros after that."
        if betting[0] == 1:
            told = "Ones at the actions so far, whose ids ascend in every play."
        self.pieces = [
            ObservationPiece("player", (2,), "The seat, one-hot."),
            ObservationPiece("hand", (width,), sentence),
            ObservationPiece("betting", betting, told),
        ]
        if self.events:
            sentence = "One row per event that has turned up, one-hot; zeros after that."
            self.pieces.append(ObservationPiece("events", events, sentence))
        self.public = 2 + width
        self.size = self.public + math.prod(betting) + math.prod(events)
        self.blank: Vector = np.zeros((2, 0 if game.tree.is_large else table.size, self.size), np.float32)
        for player in (0, 1):
            self.blank[player, :, player] = 1
            table.mark(np.arange(self.blank.shape[1]), self.blank[player, :, self.public :])
        self.rows = [
            list(rows) if len(rows) else self._listed(partial(self._row, p)) for p, rows in enumerate(self.blank)
        ]
        position, last = table.positions
        waits = np.arange(2)[:, None, None] != table.player[last, None]
        actions = np.where(waits, 0, table.legal_at(last))
        self.masks = tuple(
            np.concatenate([rows, np.ones_like(rows[:, :1])], axis=1, dtype=np.int8)
            for rows in (actions, np.concatenate([actions, waits], axis=2))
        )

        def by_node(rows: list[npt.NDArray[np.int8]]) -> Sequence[npt.NDArray[np.int8]]:
            kept = OfNodes(table.size + 1, lambda node: rows[position[node] if node < table.size else -1])
            return kept if game.tree.is_large else rows

        self.mask_rows = tuple([by_node(list(rows)) for rows in masks] for masks in self.masks)

    def hand_code(self, player: int, hand: Any) -> tuple[int, float]:
        """Return the index in the player's observation that encodes this hand, and the number to write there."""
        if not self.deal.is_finite:
            return 2, float(hand)
        return self.column.item(player, hand), self.value.item(player, hand)

    def _listed(self, what: Callable[[int], T]) -> Sequence[T]:
        return OfNodes(self.game.tree.table.size, what).listed

    def _row(self, player: int, node: int) -> Vector:
        out: Vector = np.zeros(self.size, np.float32)
        out[player] = 1
        self.game.tree.table.mark(np.array([node]), out[None, self.public :])
        return out

    def observe(self, player: int, hand: Any, node: int) -> Vector:
        """Return a new observation, (size,) float32, of `player` with `hand` at this node index."""
        out: Vector = self.rows[player][node].copy()
        index, value = self.hand_code(player, hand)
        out[index] = value
        return out

    def action_id(self, action: Any, wait: bool = False) -> int:
        """Return `action`, an action id, as an int. `wait` also allows the number after the last id, with which a player out of turn waits.

        Raises:
            TypeError: `action` is not a whole number of Python, numpy or torch; True and 1.0 are not accepted.
            ValueError: `action` is not an action id of this game.
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
        """All action ids of the game with their names, as text for messages."""
        return f"{self.game.name} has " + ", ".join(f"{i} ({name})" for i, name in enumerate(self.actions))

    def illegal(self, action: int, node: int) -> str:
        """Return the error message that `action` is illegal at this node; it lists the legal actions."""
        legal = ", ".join(f"{i} ({self.actions[i]})" for i in self.legal[node])
        name = f" ({self.actions[action]})" if 0 <= action < len(self.actions) else ""
        return f"action {action}{name} is illegal at {self.names[node]!r} of {self.game.name}; legal: {legal or 'none, the game is over'}"

    def turns(self, player: int, in_a_row: bool = False) -> int:
        """Return the most decisions that `player` can take in a game; with `in_a_row`, the most without one of the opponent between."""
        kinds = self.game.tree.kinds
        most, actors = [0] * len(kinds.nodes), [getattr(node, "player", OVER) for node in kinds.nodes]
        for k in kinds.upwards:
            if not in_a_row or actors[k] != 1 - player:
                below = kinds.child[kinds.first[k] : kinds.first[k + 1]].tolist()
                most[k] = (actors[k] == player) + max((most[child] for child in below), default=0)
        return max(most)

    def show(self, hands: tuple[Any, Any], rng: np.random.Generator) -> tuple[str, str] | None:
        """Return both players' cards as text, drawn by `rng` for the classes of their hands; None without real cards."""
        return self.showing.cards(hands, rng) if self.showing else None

    @cached_property
    def text(self) -> str:
        """The game as text, such as "von_neumann(ante=1, bet=2, deal=uniform)"."""
        return str(self.game)

    def _chances(self, hand: int | None) -> dict[int, float]:
        return {h: float(p) for h, p in enumerate(self.game.finite_deal().floats.chances(hand)) if p > 0}

    def _event_chances(self, node: int, mine: Any, theirs: Any) -> dict[int, float]:
        name, tree = self.names[node], self.game.tree
        found = self.deal.in_case(tree.cases[name]).event_chances(mine, theirs, tree.reveals[name].events)
        return {event: p for event, p in zip(self.after[node], found, strict=True) if p > 0}

    def turn_up(self, node: int, hands: tuple[Any, ...], uniform: float) -> int:
        """Return the event id that a random number `uniform` in [0, 1) draws at a chance node, given both hands."""
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
    """Return the compiled rules of a game; the rules of recent games are cached."""
    return Rules(game)


def game_of(game: str | Game, parameters: Mapping[str, object]) -> Game:
    """Return the game of this name and parameters, made once; a Game is returned unchanged, and takes no parameters."""
    if isinstance(game, Game) and parameters:
        raise ValueError(f"parameters {sorted(parameters)} go only with the name of a game, but {game} is a Game")
    return game if isinstance(game, Game) else rules(make(game, **parameters)).game
