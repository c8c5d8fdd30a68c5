"""Two hole cards each from one deck, with four or five cards on the table: a card that one player holds, the other cannot hold.

`mass` and `edge` take O(hands), by inclusion and exclusion over the two cards: from the sum over all hands we subtract the hands that
contain the first card and those that contain the second, and add back the hand with the same two cards, which was subtracted twice.
Running sums over all hands by strength, and over the hands with each card, give the hands below and above.

With four cards on the table the fifth turns up later. The hands then have another order, and those that hold that card have probability 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from fractions import Fraction
from functools import cached_property
from itertools import combinations

import numpy as np

from relance.model.arrays import Floats, Ints, Put, namespace, with_arrays_put
from relance.model.deal import Array, FiniteDeal, as_floats
from relance.model.numbers import Number, show
from relance.model.playing_cards.after_cards import AfterCards, alike
from relance.model.playing_cards.classes import deck
from relance.model.playing_cards.ranges import Hand, StartingHand, hand_name
from relance.model.sequences import CaseTerminals

LEFT = 44
"""The number of cards that may turn up when four lie on the table and two players hold two each."""

_FULL = deck()


class HoleDeal(FiniteDeal):
    """Two hole cards each, weighted by ranges; hands that the board or the other range makes impossible are left out.

    With four cards on the table the events are the cards that may turn up, such as "Tc", and `edge` is the mean over them.

    Args:
        board: the four or five cards on the table, as numbers of the full deck.
        ranges: for each player the weight of each hand, more than 0.

    Attributes:
        hands: for each player, their hands, weakest first.
        classes: for each player, (hands,) the class of each hand's best five cards; once a card has turned up, -1 for hands that hold it.

    Raises:
        ValueError: the hands of the two ranges cannot be dealt together.
    """

    in_floats = by_numba = False
    _kept: dict[tuple[int, ...], tuple[Sequence[CaseTerminals], list[AfterCards], list[CaseTerminals]]]

    def __init__(self, board: Sequence[int], ranges: tuple[Mapping[Hand, Fraction], Mapping[Hand, Fraction]]) -> None:
        self.board = tuple(_FULL.card_name(card) for card in board)
        self.hands: list[tuple[Hand, ...]] = []
        self.classes: list[Ints] = []
        weights: list[Array] = []
        for side in _possible(board, ranges):
            cards = np.array(list(side), np.int64)
            strength = best_five(board, cards)
            order = np.lexsort((cards[:, 1], cards[:, 0], strength))
            self.hands.append(tuple(map(tuple, cards[order].tolist())))
            self.classes.append(strength[order])
            weights.append(np.array([side[hand] for hand in self.hands[-1]], object))
        first, second = (tuple(map(hand_name, hands)) for hands in self.hands)
        self.labels = first, second
        self.sums: tuple[Sums, ...] = self._sums_over_hands()
        self.distribution = (weights[0], weights[1])
        held = [_told(names, weight) for names, weight in zip(self.labels, weights, strict=True)]
        self.words = (
            f"The cards {', '.join(self.board)} lie on the table{', and a fifth turns up later' if len(board) == 4 else ''}. "
            "Each player holds two more cards of the same deck, which has 52: "
            f"{{0}} {held[0]}; {{1}} {held[1]}. Any two of these hands without a common card are dealt, with a chance in proportion "
            "to the product of their weights. The best five of a player's seven cards count, in the order of poker."
        )
        ones = np.array([Fraction(1)] * len(weights[1]), object)
        self.distribution = (weights[0] / self.mass(0, ones).sum(), weights[1])
        if len(board) == 4:
            distribution, left = (
                (self.distribution[0] / LEFT, self.distribution[1]),
                (card for card in range(52) if card not in board),
            )
            after = {hand_name((card,)): self._turned_up(board, card, distribution) for card in left}
            self.events = {name: deal for name, deal in after.items() if deal is not None}

    def _sums_over_hands(self) -> tuple[Sums, Sums]:
        sides = list(zip(self.hands, self.classes, strict=True))
        return Sums(*sides[0], *sides[1]), Sums(*sides[1], *sides[0])

    def _turned_up(self, board: Sequence[int], card: int, distribution: Sequence[Array]) -> HoleDeal | None:
        """The deal after this card, with these factors for hands that do not hold it; None if no two hands can be dealt with it."""
        out, holds = copy(self), [(np.array(hands) == card).any(1) for hands in self.hands]
        out.board, out.classes = (*self.board, _FULL.card_name(card)), []
        for hands, held in zip(self.hands, holds, strict=True):
            out.classes.append(np.full(len(hands), -1))
            out.classes[-1][~held] = best_five((*board, card), np.array(hands)[~held])
        out.distribution = (np.where(holds[0], 0, distribution[0]), np.where(holds[1], 0, distribution[1]))
        out.sums = out._sums_over_hands()
        return out if out.sums[0].met(1 * ~holds[1])[~holds[0]].any() else None

    @cached_property
    def floats(self) -> HoleDeal:
        return self.carry(self._with(as_floats), lambda deal: deal.floats)

    def moved(self, put: Put) -> HoleDeal:
        out = self._with(lambda array: put(as_floats(array)))
        out.sums = tuple(with_arrays_put(sums, put) for sums in self.sums)
        return self.carry(out, lambda deal: deal.moved(put))

    @property
    def compiled(self) -> HoleDeal:
        out = copy(self.floats)
        out.__dict__.update(floats=out, by_numba=True, _kept={})
        return self.carry(out, lambda deal: deal.compiled)

    def _with(self, change: Put) -> HoleDeal:
        out = copy(self)
        out.__dict__.update(distribution=tuple(map(change, self.distribution)), floats=out, in_floats=True)
        return out

    def like(self, player: int) -> Array | None:
        return self.distribution[player] if self.in_floats else None

    def mass(self, player: int, weight: Array) -> Array:
        return self.distribution[player] * self.sums[player].met(weight * self.distribution[1 - player])

    def edge(self, player: int, weight: Array) -> Array:
        if self.events:
            edges = [deal.edge(player, weight) for deal in self.events.values()]
            return sum(edges[1:], edges[0])
        return self.distribution[player] * self.sums[player].net(weight * self.distribution[1 - player])

    def pay_cases(self, player: int, cases: Sequence[CaseTerminals], reach: Array, values: Array) -> None:
        compiled, rest = self._parted(player, cases) if self.by_numba else ([], cases)
        for together in compiled:
            together.add(reach, values)
        super().pay_cases(player, rest, reach, values)

    def _parted(self, player: int, cases: Sequence[CaseTerminals]) -> tuple[list[AfterCards], list[CaseTerminals]]:
        """What compiled loops pay: terminal nodes after all cards together if alike, and the other cases; kept."""
        key = player, *map(id, cases)
        if key not in self._kept:
            after = [of for of in cases if of.case.events]
            groups = [after] if alike(after) else [[of] for of in after]
            groups += [[of] for of in cases if not of.case.events]
            compiled, rest = [], []
            for group in groups:
                deals = [deal for of in group if isinstance(deal := self.in_case(of.case), HoleDeal)]
                if len(deals) < len(group) or (deals[0].events and group[0].fought):
                    rest += group
                else:
                    own, theirs = ([deal.distribution[p] for deal in deals] for p in (player, 1 - player))
                    compiled.append(AfterCards([deal.sums[player] for deal in deals], own, theirs, group))
            self._kept[key] = cases, compiled, rest  # with the cases, so that no others get their ids
        return self._kept[key][1:]

    def cards(self, player: int, hand: int) -> tuple[str, ...]:
        return tuple(_FULL.card_name(card) for card in self.hands[player][hand])

    def possible(self, group: StartingHand) -> int:
        """The number of hands in a group that hold no card on the table."""
        return sum(not {_FULL.card_name(card) for card in hand} & set(self.board) for hand in group.hands)

    def compare(self, mine: int, theirs: int) -> Number:
        if self.events:
            possible = [deal for deal in self.events.values() if deal.pair(mine, theirs)]
            won: Number = sum((deal.compare(mine, theirs) for deal in possible), Fraction(0))
            return won / len(possible)
        first, second = self.classes[0][mine], self.classes[1][theirs]
        return int(first > second) - int(first < second)

    def pair(self, mine: int, theirs: int) -> Number:
        if set(self.hands[0][mine]) & set(self.hands[1][theirs]):
            return 0
        probability: Number = self.distribution[0][mine] * self.distribution[1][theirs]
        return probability

    def chances(self, hand: int | None = None) -> Floats:
        """Return player 0's distribution, (hands,), or player 1's given player 0's `hand`, with 0 where the two hands share a card."""
        distribution: Floats = self.floats.prior(0) if hand is None else self.floats.distribution[1] * self._apart[hand]
        chances: Floats = distribution / distribution.sum()
        return chances

    def joint(self) -> Array:
        joint: Array = np.outer(*self.distribution) * self._apart
        return joint

    def joint_edge(self) -> Array:
        if self.events:
            each: list[Array] = [deal.joint_edge() for deal in self.events.values()]  # type: ignore[attr-defined]  # distributions of hole cards
            return sum(each[1:], each[0])
        edge: Array = self.joint() * np.sign(np.subtract.outer(*self.classes))
        return edge

    @cached_property
    def _apart(self) -> Array:
        """(hands of 0, hands of 1) 1 where the two hands share no card, else 0."""
        first, second = (np.array(side)[:, :, None] == np.arange(52) for side in self.hands)
        shared = first.any(1).astype(np.int64) @ second.any(1).T.astype(np.int64)
        apart: Array = (shared == 0).astype(np.int64)
        return apart


class Sums:
    """Sums over the opponent's hands that share no card with the player's hand, and so can be dealt with it.

    `listed` has the opponent's hands from weak to strong: first all of them, then, for each of the 52 cards, a run of those with this card.

    Attributes:
        listed: (3 * `size`,) the indices of the opponent's hands in that order; each hand is there once, and in the runs of its two cards.
        starts, ends: (52,) the index in `listed` at which each card's run starts, and the one just after the run.
        card: (2, hands) the player's two cards, by hand.
        below, not_above: (hands,) how many of the opponent's hands a hand of the player beats, and how many do not beat it.
        below_in, not_above_in: (2, hands) the same numbers within the run of each of the player's two cards, plus the start of the run.
        same: (hands,) the index of the opponent's hand with the same two cards; `size` if the opponent never has it.
        size: the number of the opponent's hands.
    """

    def __init__(self, mine: Sequence[Hand], strength: Ints, theirs: Sequence[Hand], their_strength: Ints) -> None:
        ranked, n = np.argsort(their_strength, kind="stable"), len(theirs)
        held = np.array(theirs, np.int64)[ranked]
        runs = [ranked[(held == card).any(1)] for card in range(52)]
        self.listed = np.concatenate([ranked, *runs])
        self.ends = n + np.cumsum([len(run) for run in runs])
        self.starts = np.concatenate([[n], self.ends[:-1]])
        self.card = np.array(mine, np.int64).T.copy()
        self.below = np.searchsorted(their_strength[ranked], strength)
        self.not_above = np.searchsorted(their_strength[ranked], strength, "right")
        self.below_in, self.not_above_in = np.zeros_like(self.card), np.zeros_like(self.card)
        for card, run in enumerate(runs):
            has = self.card == card
            weaker = np.searchsorted(their_strength[run], strength)
            no_better = np.searchsorted(their_strength[run], strength, "right")
            for places, found in ((self.below_in, weaker), (self.not_above_in, no_better)):
                places[has] = self.starts[card] + np.broadcast_to(found, has.shape)[has]
        index = {hand: i for i, hand in enumerate(theirs)}
        self.same = np.array([index.get(hand, n) for hand in mine])
        self.size = n

    def met(self, weight: Array) -> Array:
        """Sum `weight`, (..., opponent's hands), over the hands that share no card with each hand of the player; return (..., hands)."""
        running = self._running(weight)
        of_card = running[..., self.ends] - running[..., self.starts]
        both = of_card[..., self.card[0]] + of_card[..., self.card[1]]
        padded = namespace(weight).concatenate((weight, weight[..., :1] * 0), -1)
        met: Array = running[..., self.size, None] - both + padded[..., self.same]
        return met

    def net(self, weight: Array) -> Array:
        """Like `met`, but opponent's hands that beat the player's count negatively, and hands that tie count 0."""
        running = self._running(weight)
        of_card = running[..., self.ends] + running[..., self.starts]
        net: Array = running[..., self.below] + running[..., self.not_above] - running[..., self.size, None]
        for card, below, not_above in zip(self.card, self.below_in, self.not_above_in, strict=True):
            net = net - running[..., below] - running[..., not_above] + of_card[..., card]
        return net

    def _running(self, weight: Array) -> Array:
        """Running sums, from 0, over the opponent's hands as listed."""
        xp = namespace(weight)
        running: Array = xp.cumsum(xp.concatenate((weight[..., :1] * 0, weight[..., self.listed]), -1), -1)
        return running


def best_five(board: Sequence[int], cards: Ints) -> Ints:
    """(hands,) the class, in the full deck, of the best five cards among `board` and the two in each row of `cards`."""
    every = np.concatenate([np.broadcast_to(board, (len(cards), len(board))), cards], axis=1)
    classes = np.stack([_FULL.classes_of(every[:, five]) for five in map(list, combinations(range(every.shape[1]), 5))])
    best: Ints = classes.max(axis=0)
    return best


def _told(names: Sequence[str], weights: Array) -> str:
    """Describe the hands of a range by weight, the most frequent first."""
    alike: dict[Fraction, list[str]] = {}
    for name, weight in zip(names, weights, strict=True):
        alike.setdefault(weight, []).append(name)
    return " or ".join(f"{' '.join(alike[weight])} (weight {show(weight)})" for weight in sorted(alike, reverse=True))


def _possible(
    board: Sequence[int], ranges: tuple[Mapping[Hand, Fraction], Mapping[Hand, Fraction]]
) -> list[dict[Hand, Fraction]]:
    """The ranges without hands that hold a card on the table, or that leave the other player no possible hand."""
    left = [{hand: weight for hand, weight in side.items() if not set(hand) & set(board)} for side in ranges]
    for player, side in enumerate(left):
        if not side:
            raise ValueError(f"every hand of player {player}'s range holds a card on the table, so none can be dealt")
    # A hand goes with none of the others if each of these holds one of its cards.
    kept: list[dict[Hand, Fraction]] = []
    for mine, theirs in zip(left, reversed(left), strict=True):
        holding = [sum(card in hand for hand in theirs) for card in range(52)]
        meets = {hand: len(theirs) - holding[hand[0]] - holding[hand[1]] + (hand in theirs) for hand in mine}
        kept.append({hand: weight for hand, weight in mine.items() if meets[hand]})
    if not all(kept):
        raise ValueError(
            "each hand of player 0's range shares a card with each hand of player 1's, so none can be dealt"
        )
    return kept
