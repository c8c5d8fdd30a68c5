"""The words for the things in a game: hands, actions, amounts, and the betting so far; the same in a terminal and in every framework."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import floor, log10
from typing import Any

from relance.model.game import Game
from relance.model.numbers import Number, exact, show
from relance.model.tree import Decision, History, path_name

PLAYERS = ("player 0", "player 1")
"""The names of the players in the papers, and in the names of contests."""

DIGITS = 4
"""Hands on [0, 1] are shown with this many digits after the decimal point."""


@dataclass(frozen=True, eq=False)
class Wording:
    """The words for the things in a game, and the units of chips and numbers. The default is the plain wording.

    Attributes:
        name: the name of the wording, for logs.
        seats: the names of player 0 and player 1.
        actions: names of actions, in the order in which they are listed; other actions keep their name and place.
        hands: names of hands by label; other hands keep their names.
        unit: the name of one chip.
        chips: the number of units in one chip of the game.
        top: numbers on [0, 1] are shown as numbers from 0 to `top`.
        turned: True if a hand x in [0, 1] is shown as `top` (1 - x), so that the lower number wins; cards are then listed strongest first.
    """

    name: str = "plain"
    seats: tuple[str, str] = PLAYERS
    actions: Mapping[str, str] = field(default_factory=dict)
    hands: Mapping[str, str] = field(default_factory=dict)
    unit: str = "chip"
    chips: int = 1
    top: int = 1
    turned: bool = False

    def action(self, name: str) -> str:
        """Return the name of the game's action `name` in this wording."""
        return self.actions.get(name, name)

    def contest(self, name: str) -> str:
        """Return the name of a rule of showdown (`contest` of `Leaf`), with the players called as in this wording."""
        return name.replace(PLAYERS[0], self.seats[0]).replace(PLAYERS[1], self.seats[1])

    def listed(self, actions: Sequence[str]) -> list[str]:
        """Return these actions of the game in the order in which a question lists them."""
        known = list(self.actions)
        return sorted(actions, key=lambda name: known.index(name) if name in self.actions else -1)

    def amount(self, chips: Number) -> str:
        """Return an amount of the game's chips in units of this wording, such as "2 chips"."""
        told = exact(chips) * self.chips if not isinstance(chips, float) else chips * self.chips
        return f"{show(told)} {self.unit}{'' if 0 < told <= 1 else 's'}"

    def hand(self, game: Game, seat: int, hand: Any, cards: str | None = None) -> str:
        """Return the words for a hand: a card, "0.4167", "0.25 to 0.5" for a cell, or real cards with their kind.

        Args:
            game: the game.
            seat: the player who holds it.
            hand: as dealt: an index, or a number in [0, 1].
            cards: the cards that the hand consists of, if cards were dealt.
        """
        deal = game.deal
        if not deal.is_finite:
            return self.number(hand)
        if deal.showing is not None:
            kind = deal.showing.name(hand)
            return f"{cards} ({kind.partition(',')[0]})" if cards else kind
        if deal.cuts is not None and deal.places is not None:
            cell = bisect(deal.cuts, deal.places[seat][hand]) - 1  # cells that a player is never dealt have no index
            borders = [self.number(border, len(deal.cuts)) for border in deal.cuts[cell : cell + 2]]
            return " to ".join(reversed(borders) if self.turned else borders)
        label = deal.label(seat, hand)
        return self.hands.get(label, label)

    def number(self, x: Number, cells: int = 0) -> str:
        """Return a number in [0, 1] as this wording shows it, with enough digits to tell this many cells apart."""
        told = (1 - float(x) if self.turned else float(x)) * self.top
        digits = max(DIGITS, floor(log10(max(cells, 1))) + 2) - floor(log10(self.top))
        return f"{told:.{max(digits, 0)}f}"


PLAIN = Wording()
"""The default wording: names as in the papers, and chips."""


def has_one_hand(game: Game, seat: int) -> bool:
    """Return True if a player always has the same hand, as in the endgames."""
    return game.deal.size(seat) == 1


def betting(game: Game, node: str, wording: Wording = PLAIN) -> str:
    """Return the actions on the way to a node as text, each with its player; empty at the root."""
    histories = game.tree.histories
    return moves(game, histories[node], wording)


def moves(game: Game, history: History, wording: Wording, together: bool = False) -> str:
    """Return a history as text: actions, each with its player, and events: "player 0 check, player 1 bet", "K turns up".

    With `together`, events after which the betting is the same are told as one: "one of Q/K turns up".
    """
    said = []
    for k, step in enumerate(history):
        node = game.tree.turns[path_name(history[:k])]
        if isinstance(node, Decision):
            said.append(f"{wording.seats[node.player]} {wording.action(step)}")
        else:
            said.append(
                f"one of {'/'.join(node.events)} turns up" if together and node.is_alike else f"{step} turns up"
            )
    return ", ".join(said)
