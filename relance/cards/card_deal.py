"""Real five-card hands from one deck: what one player holds, the other cannot.

A hand is its class, since hands of one class tie and no rule asks for more; the cards themselves are dealt and shown, but do
not matter. The joint law of two classes is a matrix of whole numbers, `relance.cards.joint`. It multiplies weights exactly, and on
a graphics card; on the processor, floats take a tenth of the time by `relance.cards.shared_cards`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from copy import copy
from fractions import Fraction
from functools import cached_property, lru_cache
from importlib.util import find_spec
from typing import Any

import numpy as np
import numpy.typing as npt

from relance.cards.classes import Deck
from relance.cards.shared_cards import SharedCards
from relance.model.arrays import Put, check_memory, namespace
from relance.model.deal import Array, FiniteDeal, RankedDeal
from relance.model.deal_table import DealTable, card_table
from relance.model.numbers import Number
from relance.model.showing import Showing

BLOCK = 512
"""Classes in a block of the matrix: it stays in the cache while both products with it are taken."""

SHARED_FROM = 1000
"""Classes from which sums over shared cards take less time than the matrix, where numba is installed."""

Floats = npt.NDArray[np.float64]


class Triangle:
    """A symmetric matrix of whole numbers C by its lower half, in blocks: each is read once for both operators.

    With L its part below the diagonal and D the diagonal, mass is (L + D + L') w and edge is (L - L') w.
    """

    def __init__(self, counts: npt.NDArray[np.integer[Any]]) -> None:
        size = len(counts)
        check_memory(4 * size * (size + BLOCK), f"the law of {size} classes of hands")
        self.diagonal = counts.diagonal().astype(float)
        self.spans = [slice(start, min(start + BLOCK, size)) for start in range(0, size, BLOCK)]
        self.blocks = [
            [counts[mine, theirs].astype(float) for theirs in self.spans[:i]]
            + [np.tril(counts[mine, mine], -1).astype(float)]
            for i, mine in enumerate(self.spans)
        ]

    def moved(self, put: Put) -> Triangle:
        """The same matrix in arrays of another library."""
        out = copy(self)
        out.diagonal, out.blocks = put(self.diagonal), [[put(block) for block in row] for row in self.blocks]
        return out

    def products(self, weights: Any) -> tuple[Any, Any]:
        """C w and (L - L') w for each row w of `weights`, (k, classes); sums of whole numbers below 2**53 are exact."""
        xp = namespace(weights)
        lower, upper = xp.zeros_like(weights), xp.zeros_like(weights)
        for mine, row in zip(self.spans, self.blocks, strict=True):
            for theirs, block in zip(self.spans, row, strict=False):
                lower[:, mine] += weights[:, theirs] @ block.T
                upper[:, theirs] += weights[:, mine] @ block
        return lower + upper + weights * self.diagonal, lower - upper


@lru_cache(maxsize=2)
def _matrix(deck: Deck) -> Triangle:
    from relance.cards.joint import joint_counts  # with the cache's modules, which only these games need

    return Triangle(joint_counts(deck))


@lru_cache(maxsize=2)
def _sums(deck: Deck) -> SharedCards:
    return SharedCards(deck)


class CardDeal(FiniteDeal):
    """Two five-card hands from one deck, by class, weakest first. The matrix is made when it is first needed.

    Exact with Fractions, by products of whole numbers in float64 that are kept small enough to be exact.
    """

    in_floats = False

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self._elsewhere: Triangle | None = None

    @property
    def labels(self) -> tuple[Sequence[str], Sequence[str]]:  # type: ignore[override]  # only known once the classes are
        """The names of the classes, for both players."""
        return self.deck.names, self.deck.names

    @cached_property
    def showing(self) -> Showing:  # type: ignore[override]  # worked out when first asked for
        """The cards behind a class."""
        return Faces(self.deck, one_deck=True)

    @cached_property
    def floats(self) -> CardDeal:
        out = copy(self)
        out.__dict__.update(floats=out, in_floats=True)
        return out

    def moved(self, put: Put) -> CardDeal:
        out = copy(self.floats)
        out.__dict__.update(floats=out, _elsewhere=self._triangle.moved(put))
        return out

    def constant(self, player: int, value: Number) -> Array:
        if not self.in_floats:
            return super().constant(player, value)
        like = self._elsewhere.diagonal if self._elsewhere else np.zeros(self.size(player))
        filled: Array = namespace(like).full_like(like, float(value))
        return filled

    @property
    def quick(self) -> bool:
        """Whether floats are multiplied by sums over shared cards and not by the matrix."""
        return len(self.deck.classes) >= SHARED_FROM and find_spec("numba") is not None

    @property
    def _triangle(self) -> Triangle:
        return self._elsewhere or _matrix(self.deck)

    def prior(self, player: int) -> Array:
        if self.in_floats:
            return np.asarray(self.deck.counts / self.deck.hands)
        return np.array([Fraction(int(count), self.deck.hands) for count in self.deck.counts], object)

    def mass(self, player: int, weight: Array) -> Array:
        return self.both(player, [weight])[0][0]

    def edge(self, player: int, weight: Array) -> Array:
        return self.both(player, [weight])[0][1]

    def both(self, player: int, weights: Sequence[Array]) -> list[tuple[Array, Array]]:
        """(`mass`, `edge`) of each weight, in one pass over the matrix."""
        if not any(weight.dtype == object for weight in weights):
            stacked = namespace(weights[0]).stack(list(weights))
            quick = isinstance(stacked, np.ndarray) and self.quick
            mass, edge = (_sums(self.deck) if quick else self._triangle).products(stacked)
            scale = 1 / self.deck.pairs
            return list(zip(mass * scale, edge * scale, strict=True))
        return [self._exactly(weight) for weight in weights]

    def _exactly(self, weight: Array) -> tuple[Array, Array]:
        """Both products with Fractions: by digits in a base so small that every sum is a whole number below 2**53."""
        numbers = [Fraction(value) for value in weight]
        below = math.lcm(*(number.denominator for number in numbers))
        whole = [number.numerator * (below // number.denominator) for number in numbers]
        most = int(self.deck.counts.max()) * math.comb(self.deck.size - 5, 5)  # no row sums to more
        digit = 52 - most.bit_length()
        mass = edge = np.zeros(len(whole), object)
        sign, place = [1 if value > 0 else -1 for value in whole], 0
        left = [abs(value) for value in whole]
        while any(left):
            low = np.array([s * (value & ((1 << digit) - 1)) for s, value in zip(sign, left, strict=True)], float)
            parts = self._triangle.products(low[None])
            mass, edge = (
                old + np.array([int(x) for x in new[0]], object) * (1 << place)
                for old, new in zip((mass, edge), parts, strict=True)
            )
            left = [value >> digit for value in left]
            place += digit
        scale = Fraction(1, below * self.deck.pairs)
        return mass * scale, edge * scale

    def chances(self, hand: int | None = None) -> Floats:
        if hand is None:
            return np.asarray(self.floats.prior(0))
        from relance.cards.joint import pair_counts

        row = pair_counts(self.deck, slice(hand, hand + 1))[0]
        law: Floats = row / row.sum()
        return law

    def table(self) -> DealTable:
        return card_table(*self.deck.all_hands, len(self.deck.classes))

    def compare(self, mine: int, theirs: int) -> int:
        return int(mine > theirs) - int(mine < theirs)

    def sample(self, rng: np.random.Generator) -> tuple[int, int]:
        """Deal ten cards: five each."""
        cards = rng.permutation(self.deck.size)[:10].tolist()
        return self.deck.class_of(cards[:5]), self.deck.class_of(cards[5:])


class Faces:
    """How classes of five-card hands look: their kind and place in numbers, and real cards.

    Attributes:
        kind: (classes,) which of `KINDS` each class is.
        kinds: how many kinds there are.
        place: (classes,) the share of all hands that are not better, in (0, 1].
    """

    def __init__(self, deck: Deck, one_deck: bool) -> None:
        self.deck, self.one_deck = deck, one_deck
        self.kind: Sequence[int] = [item.kind for item in deck.classes]
        self.kinds = max(self.kind) + 1
        self.place: Sequence[float] = (deck.below[1:] / deck.hands).tolist()

    def cards(self, hands: tuple[int, int], rng: np.random.Generator) -> tuple[str, str]:
        """Real cards of both players' classes, all with equal chances that can be dealt together."""
        if self.one_deck:
            first, second = self.deck.some_pair(*hands, rng)
        else:
            first, second = (self.deck.some_hand(hand, rng) for hand in hands)
        return self.deck.show(first), self.deck.show(second)


class TwoDecks(RankedDeal):
    """Each player's hand from a deck of his own: the same marginal laws, and nothing is taken from the other."""

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        law = CardDeal(deck).prior(0)
        super().__init__((deck.names, deck.names), [(law, law)])

    @cached_property
    def showing(self) -> Showing:  # type: ignore[override]  # worked out when first asked for
        """The cards behind a class."""
        return Faces(self.deck, one_deck=False)

    def sample(self, rng: np.random.Generator) -> tuple[int, int]:
        """Deal five cards from each deck."""
        first, second = (rng.permutation(self.deck.size)[:5].tolist() for _ in range(2))
        return self.deck.class_of(first), self.deck.class_of(second)
