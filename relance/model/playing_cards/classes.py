"""Five-card hands of a deck: their classes, in Cutler's notation, and cards by name.

A class is a multiset of ranks together with whether all five cards have the same suit; hands of the same class tie. Classes are
ordered by kind, then by ranks. The number of a card is suits * rank + suit, where rank 0 is the lowest in the deck.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain, combinations, combinations_with_replacement
from math import comb, prod
from typing import Any

import numpy as np
import numpy.typing as npt

from relance.model.arrays import Ints
from relance.model.numbers import did_you_mean

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
SUITS = "cdhs"
KINDS = (
    "bust",
    "one pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
)
"""The kinds of hands by the names of Cutler's paper, weakest first."""

WHEEL = (12, 3, 2, 1, 0)
"""The ranks of the lowest straight, 5 4 3 2 A, in which the ace counts as one."""

_BY_MULTIPLICITY = {(2, 1, 1, 1): 1, (2, 2, 1): 2, (3, 1, 1): 3, (3, 2): 6, (4, 1): 7}
_SYMBOLS = str.maketrans("♣♦♥♠", SUITS)

Ranks = tuple[int, ...]
"""Five ranks, from 0 for a two to 12 for an ace: the most frequent ranks first, and among these the highest first."""


@dataclass(frozen=True)
class HandClass:
    """Hands that tie: their ranks, whether all cards have one suit, the index of their kind in `KINDS`, and their count."""

    ranks: Ranks
    flush: bool
    kind: int
    count: int

    @property
    def name(self) -> str:
        """The class in the notation of Cutler's paper: 22J109, K8743 flush, 9 high straight."""
        if self.kind in (4, 8):
            top = self.ranks[1] if self.ranks == WHEEL else self.ranks[0]
            return f"{RANKS[top]} high {'straight' if self.kind == 4 else 'straight flush'}"
        return "".join(RANKS[rank] for rank in self.ranks) + " flush" * self.flush


@dataclass(frozen=True)
class Deck:
    """A deck of the highest `ranks` ranks in `suits` suits; it must have cards for two five-card hands.

    Raises:
        ValueError: the size is out of range.
    """

    ranks: int = 13
    suits: int = 4

    def __post_init__(self) -> None:
        if not 2 <= self.ranks <= 13:
            raise ValueError(f"ranks={self.ranks} must be a whole number from 2 to 13")
        if not 1 <= self.suits <= 4:
            raise ValueError(f"suits={self.suits} must be a whole number from 1 to 4")
        if self.size < 10:
            raise ValueError(f"ranks={self.ranks}, suits={self.suits}: the deck has {self.size} cards; 2 hands need 10")

    @property
    def size(self) -> int:
        """The number of cards in the deck."""
        return self.ranks * self.suits

    @property
    def words(self) -> str:
        """The cards of the deck and the order of hands, in words."""
        low, suits = RANKS[13 - self.ranks], ", ".join(SUITS[: self.suits])
        return (
            f"The deck has {self.size} cards: the ranks {low} to A in the suits {suits}. Hands rank as in poker, from the weakest: "
            f"{', '.join(KINDS)}; hands of one kind by their ranks."
        )

    @property
    def hands(self) -> int:
        """The number of five-card hands."""
        return comb(self.size, 5)

    @property
    def pairs(self) -> int:
        """The number of ordered pairs of hands that share no card."""
        return comb(self.size, 5) * comb(self.size - 5, 5)

    @cached_property
    def classes(self) -> tuple[HandClass, ...]:
        """The classes of the hands of this deck, weakest first: 7,462 of the full one."""
        return _classes(self)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the classes, weakest first."""
        return tuple(item.name for item in self.classes)

    @cached_property
    def counts(self) -> Ints:
        """(classes,) how many hands each class has."""
        return np.array([item.count for item in self.classes], np.int64)

    @cached_property
    def below(self) -> Ints:
        """(classes + 1,) how many hands are weaker than each class; the last entry counts all hands."""
        return np.concatenate([[0], np.cumsum(self.counts)])

    @cached_property
    def _index(self) -> dict[tuple[Ranks, bool], int]:
        return {(item.ranks, item.flush): i for i, item in enumerate(self.classes)}

    @cached_property
    def _by_name(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.names)}

    def find(self, name: str) -> int:
        """The index in `classes` of the class `name`; the paper's "str." and "fl." and "T" for 10 are accepted too.

        Raises:
            ValueError: no class of this deck has the name.
        """
        text = " ".join(str(name).replace("T", "10").split())
        text = re.sub(r"\bstr\b\.?", "straight", re.sub(r"\bfl\b\.?", "flush", text))
        text = re.sub(r"^(10|[2-9JQKA]) straight", r"\1 high straight", text)
        if text not in self._by_name:
            raise ValueError(f"{name!r} is not a class of five-card hands" + did_you_mean(text, self._by_name))
        return self._by_name[text]

    def card(self, name: str) -> int:
        """The number of a card from its name, such as "10h", "Th" or "A♠".

        Raises:
            ValueError: the card is not in this deck.
        """
        text = str(name).strip().translate(_SYMBOLS)
        rank, suit = text[:-1].upper().replace("T", "10"), text[-1:].lower()
        if rank not in RANKS[13 - self.ranks :] or suit not in SUITS[: self.suits] or not suit:
            allowed = f"a rank of {' '.join(RANKS[13 - self.ranks :])} and a suit of {' '.join(SUITS[: self.suits])}"
            raise ValueError(f"{name!r} is not a card of this deck; a card has {allowed}, such as 'A{SUITS[0]}'")
        return self.suits * (RANKS.index(rank) - 13 + self.ranks) + SUITS.index(suit)

    def hand(self, cards: str | Sequence[str], size: int = 5) -> tuple[int, ...]:
        """The numbers of `size` cards, given by name in a text with spaces or in a sequence.

        Raises:
            ValueError: a card is unknown or appears twice, or there are not `size` cards.
        """
        names = cards.replace(",", " ").split() if isinstance(cards, str) else list(cards)
        hand = tuple(self.card(name) for name in names)
        twice = sorted({self.card_name(card) for card in hand if hand.count(card) > 1})
        if twice:
            raise ValueError(f"{' '.join(names)!r} has {', '.join(twice)} more than once")
        if len(hand) != size:
            raise ValueError(f"{' '.join(names)!r} has {len(hand)} cards, not {size}")
        return hand

    def card_name(self, card: int) -> str:
        """Return the name, such as "10h", of a card given as a number."""
        return RANKS[card // self.suits + 13 - self.ranks] + SUITS[card % self.suits]

    def show(self, hand: Sequence[int]) -> str:
        """The names of cards given as numbers, highest first, as one text."""
        return " ".join(self.card_name(card) for card in sorted(hand, reverse=True))

    def class_of(self, hand: Sequence[int]) -> int:
        """The index in `classes` of the class of five different cards, given as numbers."""
        ranks = _ordered(card // self.suits + 13 - self.ranks for card in hand)
        return self._index[ranks, len({card % self.suits for card in hand}) == 1]

    def classify(self, cards: str | Sequence[str]) -> int:
        """The index in `classes` of the class of five cards, given by name as in `hand`."""
        return self.class_of(self.hand(cards))

    def some_hand(self, index: int, rng: np.random.Generator) -> tuple[int, ...]:
        """A random hand, as card numbers, of the class with this index; all its hands are equally likely."""
        item = self.classes[index]
        shift = 13 - self.ranks
        if item.flush:
            suit = int(rng.integers(self.suits))
            return tuple(self.suits * (rank - shift) + suit for rank in item.ranks)
        while True:
            hand = tuple(
                self.suits * (rank - shift) + int(suit)
                for rank in dict.fromkeys(item.ranks)
                for suit in rng.permutation(self.suits)[: item.ranks.count(rank)]
            )
            if len({card % self.suits for card in hand}) > 1:
                return hand

    def some_pair(self, mine: int, theirs: int, rng: np.random.Generator) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Random hands of the classes `mine` and `theirs` that share no card; all such pairs are equally likely."""
        while True:
            first, second = self.some_hand(mine, rng), self.some_hand(theirs, rng)
            if not set(first) & set(second):
                return first, second

    @cached_property
    def all_hands(self) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.uint64]]:
        """(hands,) the class of each hand, and (hands,) its cards as bits, in the order of `itertools.combinations`."""
        flat = chain.from_iterable(combinations(range(self.size), 5))
        cards = np.fromiter(flat, np.int8, 5 * self.hands).reshape(-1, 5)
        bits = (np.uint64(1) << np.arange(self.size, dtype=np.uint64)).take(cards).sum(axis=1, dtype=np.uint64)
        return self.classes_of(cards).astype(np.int16), bits

    def classes_of(self, hands: npt.NDArray[Any]) -> Ints:
        """The classes, (hands,), of many hands of five different cards each, (hands, 5)."""
        powers, known, order = self._keys
        suit = hands % self.suits
        key = 2 * powers.take(hands // self.suits).sum(axis=1) + (suit == suit[:, :1]).all(axis=1)
        classes: Ints = order[np.searchsorted(known, key)]
        return classes

    @cached_property
    def _keys(self) -> tuple[Ints, Ints, Ints]:
        """A power for each rank, the ascending keys of all classes, and the class of each: twice the sum of powers, 1 more for a flush."""
        powers = 5 ** np.arange(self.ranks, dtype=np.int64)
        ranks = np.array([item.ranks for item in self.classes]) - 13 + self.ranks
        known = 2 * powers[ranks].sum(axis=1) + [item.flush for item in self.classes]
        order = np.argsort(known)
        return powers, known[order], order


@cache
def deck(ranks: int = 13, suits: int = 4) -> Deck:
    """Return the deck of the highest `ranks` ranks in `suits` suits; the same object for every call with the same size."""
    return Deck(ranks, suits)


def _ordered(ranks: Iterable[int]) -> Ranks:
    unordered = list(ranks)
    return tuple(sorted(unordered, key=lambda rank: (unordered.count(rank), rank), reverse=True))


def _classes(of: Deck) -> tuple[HandClass, ...]:
    classes = []
    for multiset in combinations_with_replacement(range(13 - of.ranks, 13), 5):
        ranks = _ordered(multiset)
        times = tuple(ranks.count(rank) for rank in dict.fromkeys(ranks))
        if times[0] > of.suits:
            continue
        hands = prod(comb(of.suits, of_rank) for of_rank in times)
        if times[0] > 1:
            classes.append(HandClass(ranks, False, _BY_MULTIPLICITY[times], hands))
            continue
        straight = ranks[0] - ranks[4] == 4 or ranks == WHEEL
        classes.append(HandClass(ranks, True, 8 if straight else 5, of.suits))
        if of.suits > 1:
            classes.append(HandClass(ranks, False, 4 if straight else 0, hands - of.suits))
    return tuple(sorted(classes, key=lambda item: (item.kind, item.ranks != WHEEL, item.ranks)))
