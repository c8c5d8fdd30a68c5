"""A game in words: the rules once, and each question that a player is asked. The same in a terminal and for every framework.

Everything is read off the betting tree and the deal, so it holds for every game. A `Wording` only says what things are called: the
plain one uses the names of the papers, `relance.rules.dresses.redressed` others. Answers are read by `relance.rules.replies.parse`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product
from math import floor, log10
from typing import Any

from relance.model.game import Game
from relance.model.numbers import Number, exact, show
from relance.model.tree import Decision, History, Leaf, Node, path_name

MOST_ENDINGS = 40
"""Of longer games only the shortest endings are listed; each question says what its actions lead to."""

MOST_NAMES = 40
"""Of more cards only the first three and the last are named."""

DIGITS = 4
"""Hands on [0, 1] are shown with this many digits after the point."""


@dataclass(frozen=True, eq=False)
class Wording:
    """What the things of a game are called, and in which units chips and numbers are told. The default is the plain wording.

    Attributes:
        name: of the wording, for logs.
        seats: what player 0 and player 1 are called.
        actions: what actions are called, in the order in which they are listed; actions that are not in it keep name and place.
        hands: what hands are called, by label; hands that are not in it keep their names.
        unit: what one chip is called.
        chips: how many units one chip of the game is.
        top: numbers on [0, 1] are told as numbers from 0 to `top`.
        turned: whether a number x is told as `top` - x, so that the lower number wins; cards are then listed strongest first.
    """

    name: str = "plain"
    seats: tuple[str, str] = ("player 0", "player 1")
    actions: Mapping[str, str] = field(default_factory=dict)
    hands: Mapping[str, str] = field(default_factory=dict)
    unit: str = "chip"
    chips: int = 1
    top: int = 1
    turned: bool = False

    def action(self, name: str) -> str:
        """What an action is called."""
        return self.actions.get(name, name)

    def listed(self, actions: Sequence[str]) -> list[str]:
        """These actions of the game in the order in which they are told."""
        known = list(self.actions)
        return sorted(actions, key=lambda name: known.index(name) if name in self.actions else -1)

    def amount(self, chips: Number) -> str:
        """Chips of the game as units of this wording, such as "2 chips"."""
        told = exact(chips) * self.chips if not isinstance(chips, float) else chips * self.chips
        return f"{show(told)} {self.unit}{'' if 0 < told <= 1 else 's'}"

    def hand(self, game: Game, seat: int, hand: Any, cards: str | None = None) -> str:
        """What a hand is called: a card, "0.4167", "0.25 to 0.5" for a cell, or real cards with their kind.

        Args:
            game: the game.
            seat: the player who holds it.
            hand: as dealt: an index, or a number in [0, 1].
            cards: how real cards look, where they were dealt.
        """
        deal = game.deal
        if not deal.is_finite:
            return self.number(hand)
        if deal.showing is not None:
            kind = deal.showing.name(hand)
            return f"{cards} ({kind.partition(',')[0]})" if cards else kind
        if game.cuts is not None:
            borders = [self.number(border, len(game.cuts)) for border in self._cell(game, seat, hand)]
            return " to ".join(reversed(borders) if self.turned else borders)
        label = deal.label(seat, hand)
        return self.hands.get(label, label)

    def _cell(self, game: Game, seat: int, hand: int) -> tuple[Number, Number]:
        """The borders of a cell; cells that a player is never dealt have no index, so it is found by its middle."""
        assert game.cuts is not None
        assert game.deal.places is not None
        cells = len(game.cuts) - 1
        if game.deal.size(seat) == cells:
            return game.cuts[hand], game.cuts[hand + 1]
        middle = game.deal.places[seat][hand]
        cell = next(k for k in range(cells) if game.cuts[k] <= middle <= game.cuts[k + 1])
        return game.cuts[cell], game.cuts[cell + 1]

    def number(self, x: Number, cells: int = 0) -> str:
        """A number in [0, 1] as it is told, with enough digits to tell this many cells apart."""
        told = (1 - float(x) if self.turned else float(x)) * self.top
        digits = max(DIGITS, floor(log10(max(cells, 1))) + 2) - floor(log10(self.top))
        return f"{told:.{max(digits, 0)}f}"


PLAIN = Wording()
"""The names of the papers, in chips."""


@lru_cache(maxsize=64)
def describe(game: Game, wording: Wording = PLAIN) -> str:
    """The rules and the form of an answer: what an agent must know before the first question. The same for both seats."""
    return f"{tell_rules(game, wording)}\n\n{answer_format(game, wording)}"


@lru_cache(maxsize=64)
def tell_rules(game: Game, wording: Wording = PLAIN) -> str:
    """The rules alone: hands, betting and payments."""
    first, second = wording.seats
    return (
        f"{_capital(first)} and {second} play for {wording.unit}s; what one wins, the other loses. Only its holder sees a hand; "
        f"all actions are seen by both.\n\n{_hands(game, wording)}\n\n{_betting(game, wording)}"
    )


def answer_format(game: Game, wording: Wording = PLAIN) -> str:
    """How a question is answered, and what an unusable answer costs."""
    name = wording.action(wording.listed(game.tree.root.actions)[0])
    most = [wording.amount(worst) for worst in worsts(game)]
    costs = most[0] if most[0] == most[1] else f"{most[0]} for {wording.seats[0]}, {most[1]} for {wording.seats[1]}"
    return (
        f"Win as many {wording.unit}s as you can on average. You may choose at random. You can think first; end with the name of one "
        f"action in square brackets, like [{name}]. Only the last brackets count. If they do not hold exactly one of your actions, "
        f"you lose the most that can be lost: {costs}."
    )


def worsts(game: Game) -> tuple[Number, Number]:
    """The most chips that each player can lose, exactly; in floats `Rules.worst`. A player who gives no legal action loses it."""
    leaves, sharpest = game.tree.leaves.values(), game.deal.sharpest
    first, second = (max(abs(leaf.stake) * sharpest - sign * leaf.constant for leaf in leaves) for sign in (1, -1))
    return first, second


def situation(game: Game, seat: int, hand: Any, node: str, wording: Wording = PLAIN, cards: str | None = None) -> str:
    """One question: the hand, the betting so far, the pot, and what each legal action leads to.

    Args:
        game: the game.
        seat: the player who is asked.
        hand: his hand, as dealt.
        node: the name of the decision, such as "check-bet".
        wording: what things are called.
        cards: his real cards, where they were dealt.

    Raises:
        ValueError: it is not this player's decision.
    """
    decision = game.tree.decisions.get(node)
    if decision is None or decision.player != seat:
        raise ValueError(
            f"{node!r} is not a decision of player {seat} in {game}, who decides at {list(game.tree.of(seat))}"
        )
    lines = [f"You are {wording.seats[seat]}."]
    if not one_hand(game, seat):
        lines.append(f"Your hand: {wording.hand(game, seat, hand, cards)}")
    lines.append(f"So far: {betting(game, node, wording) or 'nothing, you act first'}")
    lines += [f"Pot: {pot(game, node, wording)}", "Your actions:"]
    lines += [
        f"[{wording.action(name)}] {leads_to(game, node, name, wording)}" for name in wording.listed(decision.actions)
    ]
    return "\n".join(lines)


def one_hand(game: Game, seat: int) -> bool:
    """Whether a player always has the same hand, as in the endgames."""
    return game.deal.size(seat) == 1


def betting(game: Game, node: str, wording: Wording = PLAIN) -> str:
    """The actions so far with their players; empty at the root."""
    table = game.tree.table
    return _play(game, tuple(game.actions[action] for action in table.past[table.names.index(node)]), wording)


def pot(game: Game, node: str, wording: Wording = PLAIN) -> str:
    """The pot at a decision, and what the player to move and the other have paid into it."""
    decision = game.tree.decisions[node]
    mine = decision.paid[decision.player] * wording.chips
    return f"{wording.amount(sum(decision.paid))} ({show(exact(mine))} from you)"


def leads_to(game: Game, node: str, action: str, wording: Wording = PLAIN) -> str:
    """What an action leads to, said to the player who takes it: what he pays or gets, and who acts next."""
    decision = game.tree.decisions[node]
    mover, child = decision.player, decision.child(action)
    if isinstance(child, Leaf):
        return _paid(child, wording, mover)
    more = child.paid[mover] - decision.paid[mover]
    pays = f"you put in {wording.amount(more)}, " if more > 0 else ""
    return f"{pays}{'you act' if child.player == mover else f'{wording.seats[child.player]} acts'} next"


# The parts of the rules


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _hands(game: Game, wording: Wording) -> str:
    deal, whole = game.deal, game.whole.deal
    told = {"highest": "lowest", "lowest": "highest"} if wording.turned else {"highest": "highest", "lowest": "lowest"}
    said = whole.words.format(*wording.seats, top=wording.top, **told)
    parts = [f"Hands. {_capital(said)}" if said else f"Hands. {_law(game, wording)}"]
    if deal.on_interval:
        if game.cuts is not None:
            parts.append("Each is told only between which two numbers his own lies.")
        parts.append(f"The {'lower' if wording.turned else 'higher'} number is the better hand.")
    elif deal.in_step and deal.showing is None and said:
        names = [wording.hand(game, 0, hand) for hand in range(deal.size(0))]
        if len(names) > MOST_NAMES:  # so many cards are numbers
            names = [*names[:3], "...", names[-1]]
        order = "strongest to weakest" if wording.turned else "weakest to strongest"
        parts.append(f"From {order}: {', '.join(reversed(names) if wording.turned else names)}.")
    return " ".join(parts)


def _law(game: Game, wording: Wording) -> str:
    """The law of few hands, and who wins, from the table of all pairs."""
    deal = game.finite_deal()
    joint, paid = deal.joint(), deal.joint_edge()
    names = [[wording.hand(game, seat, hand) for hand in range(deal.size(seat))] for seat in (0, 1)]
    first, second = joint.sum(axis=1), joint.sum(axis=0)
    pairs = [(i, k) for i, k in product(range(len(first)), range(len(second))) if joint[i, k] != 0]
    if all(joint[i, k] == first[i] * second[k] for i, k in product(range(len(first)), range(len(second)))):
        laws = [
            f"{_capital(wording.seats[seat])} is dealt {_or(names[seat], list(law))}."
            for seat, law in enumerate((first, second))
            if len(law) > 1
        ]
    else:
        both = [f"{names[0][i]} and {names[1][k]} {show(joint[i, k])}" for i, k in pairs]
        laws = [f"{_capital(wording.seats[0])} and {wording.seats[1]} are dealt, with probability: {'; '.join(both)}."]
    ends = []
    for i, k in pairs:
        against = f" against {names[1][k]}" if len(second) > 1 else ""
        ends.append(f"{names[0][i]} {_wins(paid[i, k] / joint[i, k])}{against}")
    return f"{' '.join(laws)} When hands are compared, {wording.seats[0]}'s {', '.join(ends)}."


def _or(names: Sequence[str], law: Sequence[Number]) -> str:
    return " or ".join(f"{name} (probability {show(p)})" for name, p in zip(names, law, strict=True) if p != 0)


def _wins(edge: Number) -> str:
    if edge in (1, 0, -1):
        return {1: "wins", 0: "ties", -1: "loses"}[int(edge)]
    return f"wins with probability {show((1 + edge) / 2)} (the average is paid)"


def _betting(game: Game, wording: Wording) -> str:
    start, seats = game.tree.root.paid, wording.seats
    if start[0] == start[1]:
        begins = f"Each has already paid {wording.amount(start[0])} into the pot."
    else:
        begins = f"{_capital(seats[0])} has already paid {wording.amount(start[0])} into the pot, {seats[1]} {wording.amount(start[1])}."
    ways: list[tuple[History, Node]] = [
        (history, node) for history, node in _walk(game, wording) if isinstance(node, Leaf)
    ]
    said = "These are all ways to play:"
    if len(ways) > MOST_ENDINGS:
        ways = sorted(ways, key=lambda way: len(way[0]))[:MOST_ENDINGS]
        said = f"These are the {MOST_ENDINGS} shortest ways to play; the others go on like them, up to {game.tree.depth} actions:"
    lines = [
        f"- {_play(game, history, wording)}: {_paid(leaf, wording)}" for history, leaf in ways if isinstance(leaf, Leaf)
    ]
    compared = any(isinstance(leaf, Leaf) and leaf.stake for _, leaf in ways)
    end = ["Compared for an amount: the better hand wins it from the other, equal hands nothing."] if compared else []
    return "\n".join([f"Betting. {begins} {said}", *lines, *end])


def _walk(game: Game, wording: Wording) -> list[tuple[History, Node]]:
    """The nodes of the tree depth first, actions in the order in which they are told."""

    def visit(history: History, node: Node) -> list[tuple[History, Node]]:
        below = []
        if isinstance(node, Decision):
            below = [visit((*history, action), node.child(action)) for action in wording.listed(node.actions)]
        return [(history, node), *(found for part in below for found in part)]

    return visit((), game.tree.root)


def _play(game: Game, history: History, wording: Wording) -> str:
    """A sequence of actions with their players: "player 0 check, player 1 bet"."""
    movers = [game.tree.decisions[path_name(history[:k])].player for k in range(len(history))]
    return ", ".join(
        f"{wording.seats[mover]} {wording.action(action)}" for mover, action in zip(movers, history, strict=True)
    )


def _paid(leaf: Leaf, wording: Wording, you: int | None = None) -> str:
    """What an ending pays, told to a player, or to both."""
    parts = []
    if leaf.constant or not leaf.stake:
        winner = 0 if leaf.constant > 0 else 1
        if not leaf.constant:
            parts.append("nothing is paid")
        elif you is None:
            parts.append(f"{wording.seats[winner]} wins {wording.amount(abs(leaf.constant))}")
        else:
            parts.append(f"you {'win' if winner == you else 'lose'} {wording.amount(abs(leaf.constant))}")
    if leaf.stake:
        parts.append(f"hands are compared for {wording.amount(leaf.stake)}")
    return " and ".join(parts)
