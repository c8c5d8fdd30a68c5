"""Real five-card hands from one deck: a card that one player holds, the other cannot hold.

A hand is represented by its class: hands of the same class tie, and the rules use nothing else. The cards themselves are dealt
and shown, but do not matter. `shared_cards` has the joint distribution of two classes.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from fractions import Fraction
from functools import cached_property, lru_cache

import numpy as np

from relance.model.arrays import Floats, Put, with_arrays_put, zeros_beside
from relance.model.deal import Array, FiniteDeal
from relance.model.deal_table import CARDS, DealTable
from relance.model.playing_cards.classes import KINDS, RANKS, Deck
from relance.model.playing_cards.shared_cards import SharedCards, are_few
from relance.model.ranked_deal import RankedDeal

_shared_cards = lru_cache(maxsize=2)(SharedCards)


class CardDeal(FiniteDeal):
    """Two five-card hands from one deck, by class, weakest first. Their joint distribution is computed when first needed.

    Results with Fractions are exact: they use products of whole numbers in float64 that are small enough to be exact.
    """

    in_floats = False

    def __init__(self, deck: Deck) -> None:
        self.deck, self.labels = deck, (deck.names, deck.names)
        self.words = f"Both players are dealt five cards from one deck. {deck.words}"
        self.showing = Faces(deck, one_deck=True)
        self._elsewhere: SharedCards | None = None

    @cached_property
    def floats(self) -> CardDeal:
        out = copy(self)
        out.__dict__.update(floats=out, in_floats=True)
        return self.carry(out, lambda deal: deal.floats)

    def moved(self, put: Put) -> CardDeal:
        out = copy(self.floats)
        out.__dict__.update(floats=out, _elsewhere=with_arrays_put(self._distribution, put))
        return self.carry(out, lambda deal: deal.moved(put))

    def like(self, player: int) -> Array | None:
        if not self.in_floats:
            return None
        return (
            zeros_beside(self._distribution.sets, (self.size(player),))
            if self._elsewhere
            else np.zeros(self.size(player))
        )

    @property
    def _distribution(self) -> SharedCards:
        return self._elsewhere or _shared_cards(self.deck)

    def prior(self, player: int) -> Array:
        if self.in_floats:
            return np.asarray(self.deck.counts / self.deck.hands)
        return np.array([Fraction(int(count), self.deck.hands) for count in self.deck.counts], object)

    @property
    def in_pairs(self) -> bool:  # type: ignore[override]  # it depends on the deck
        return are_few(self.deck)

    def mass(self, player: int, weight: Array) -> Array:
        return self._product(weight, False)

    def edge(self, player: int, weight: Array) -> Array:
        return self._product(weight, True)

    def _product(self, weight: Array, fought: bool) -> Array:
        rows = weight.reshape(-1, self.size(0))
        if weight.dtype == object:
            exact: Array = np.array([self._distribution.exact_product(row, fought) for row in rows]) * Fraction(
                1, self.deck.pairs
            )
            return exact.reshape(weight.shape)
        product: Array = self._distribution.product(rows, fought).reshape(weight.shape) * (1 / self.deck.pairs)
        return product

    def chances(self, hand: int | None = None) -> Floats:
        if hand is None:
            return np.asarray(self.floats.prior(0))
        (row,) = self._distribution.product(np.eye(1, self.size(0), hand), False)
        distribution: Floats = row / row.sum()
        return distribution

    def table(self) -> DealTable:
        (owner, bits), order = self.deck.all_hands, np.arange(self.size(0))
        return DealTable(kind=CARDS, below=order, not_above=order + 1, owner=owner, bits=bits)

    def compare(self, mine: int, theirs: int) -> int:
        return int(mine > theirs) - int(mine < theirs)

    def sample(self, rng: np.random.Generator) -> tuple[int, int]:
        """Deal five cards to each player, and return the classes of player 0's and of player 1's hand."""
        cards = rng.permutation(self.deck.size)[:10].tolist()
        return self.deck.class_of(cards[:5]), self.deck.class_of(cards[5:])


class Faces:
    """Shows classes of five-card hands as cards; attributes and methods are those of `relance.model.deal.Showing`.

    `place[i]` is the share of all hands that are not better than class i. If `one_deck`, the two players never hold the same card.
    """

    def __init__(self, deck: Deck, one_deck: bool) -> None:
        self.deck, self.one_deck = deck, one_deck
        self.kind: Sequence[int] = [item.kind for item in deck.classes]
        self.kinds = max(self.kind) + 1
        self.place: Sequence[float] = (deck.below[1:] / deck.hands).tolist()

    def cards(self, hands: tuple[int, int], rng: np.random.Generator) -> tuple[str, str]:
        """Both players' cards as text, for their classes `hands`; all pairs that can be dealt are equally likely."""
        if self.one_deck:
            first, second = self.deck.some_pair(*hands, rng)
        else:
            first, second = (self.deck.some_hand(hand, rng) for hand in hands)
        return self.deck.show(first), self.deck.show(second)

    def name(self, hand: int) -> str:
        """Name a class by its kind and ranks, such as "one pair, K K J 8 6"."""
        item = self.deck.classes[hand]
        return f"{KINDS[item.kind]}, {' '.join(RANKS[rank] for rank in item.ranks)}"

    def find(self, cards: str) -> int:
        """The class of five cards given by name; see `Deck.classify`."""
        return self.deck.classify(cards)


class TwoDecks(RankedDeal):
    """Each player's hand comes from a deck of their own: the marginal distributions of `CardDeal`, independent."""

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        distribution = CardDeal(deck).prior(0)
        super().__init__((deck.names, deck.names), [(distribution, distribution)])
        self.words = f"Each player is dealt five cards from a separate deck. {deck.words}"
        self.showing = Faces(deck, one_deck=False)

    def sample(self, rng: np.random.Generator) -> tuple[int, int]:
        """Deal five cards from each player's deck, and return both hands' classes."""
        first, second = (rng.permutation(self.deck.size)[:5].tolist() for _ in range(2))
        return self.deck.class_of(first), self.deck.class_of(second)
