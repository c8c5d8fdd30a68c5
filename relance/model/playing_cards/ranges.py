"""Ranges of hold'em hands as text, in the notation of poker books and solvers: "AA,KQs:1/2,A5s-A2s,T9o,88-66,TT+,AhKd".

A range is a list of entries, separated by commas, semicolons or spaces. An entry may end with a colon and a weight from 0 to 1.
AA is a pair, KQs is suited, T9o has two suits, and KQ means both. AhKd is one hand; random is all hands. 99+ means pairs of nines
or higher; KTs+ raises the lower card, up to KQs. A dash joins the ends of a run: 88-66, A5s-A2s, or T9s-65s, where both cards fall.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, product
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from relance.model.numbers import fraction, given, show
from relance.model.playing_cards.classes import SUITS, deck

Hand: TypeAlias = tuple[int, int]
"""Two cards as numbers of the full deck, the higher first."""

ORDER = "23456789TJQKA"
"""The ranks, with one symbol each."""

NOTATION = "write hands such as AA, KQs, T9o, AK, 88-66, A5s-A2s, TT+, KTs+, AhKd or random, each with a weight such as :1/2 if it is not 1"

_GROUP = re.compile(f"([{ORDER}])([{ORDER}])([SO]?)")
_CARDS = re.compile(f"([{ORDER}][{SUITS.upper()}])" * 2)
_FULL = deck()


class StartingHand(NamedTuple):
    """Hands that differ only in suits: the ranks, higher first, and "s" for one suit, "o" for two, "" for both and for pairs."""

    high: int
    low: int
    kind: str

    @property
    def name(self) -> str:
        """The name, such as AKs."""
        return ORDER[self.high] + ORDER[self.low] + self.kind

    @property
    def hands(self) -> list[Hand]:
        """The hands in the group, each two card numbers: 6 for a pair, 4 suited, 12 of two suits, 16 for both."""
        if self.high == self.low:
            return [(4 * self.high + b, 4 * self.low + a) for a, b in combinations(range(4), 2)]
        suits = [(a, b) for a, b in product(range(4), repeat=2) if self.kind != ("s" if a != b else "o")]
        return [(4 * self.high + a, 4 * self.low + b) for a, b in suits]


def group_of(hand: Hand) -> StartingHand:
    """The starting hand, such as AKs, that `hand` belongs to: one place of the usual 13 by 13 chart of starting hands."""
    (high, a), (low, b) = (divmod(card, 4) for card in hand)
    return StartingHand(high, low, "" if high == low else "s" if a == b else "o")


def hand_name(hand: Sequence[int]) -> str:
    """The cards of a hand, such as AhKd, or a single card."""
    return "".join(ORDER[card // 4] + SUITS[card % 4] for card in hand)


EVERY: tuple[Hand, ...] = tuple((high, low) for high in range(52) for low in range(high))
"""All 1,326 hands."""


@lru_cache(maxsize=64)
def read_range(text: str) -> MappingProxyType[Hand, Fraction]:
    """{hand: weight} of a range, given as text; hands of weight 0 are left out.

    Raises:
        ValueError: an entry cannot be read, a weight is not from 0 to 1, or two entries hold the same hand.
    """
    weights: dict[Hand, Fraction] = {}
    found: dict[Hand, str] = {}
    for entry, weight in _entries(text):
        for hand in _hands(entry):
            if hand in found:
                raise ValueError(
                    f"{entry!r} and {found[hand]!r} both hold {hand_name(hand)}; a hand may be in only one entry"
                )
            found[hand], weights[hand] = entry, weight
    return MappingProxyType({hand: weight for hand, weight in weights.items() if weight})


def plain_range(text: str) -> str:
    """Rewrite a range in standard form: semicolons between entries, capitals for ranks, fractions for weights. Raises as `read_range`."""
    return ";".join(entry + (f":{show(weight)}" if weight != 1 else "") for entry, weight in _entries(text))


def _entries(text: str) -> Iterator[tuple[str, Fraction]]:
    """Yield each entry and its weight, in capitals except for suits and kinds."""
    spaced = " ".join(text.split())  # single spaces, so that the next line takes time in proportion to the text
    parts = re.split(r"[,; ]+", re.sub(r" ?([:-]) ?| (?=\+)", r"\1", spaced))
    if len(parts) > len(EVERY) + 2:  # a comma may stand at either end
        raise ValueError(
            f"{len(parts):,} entries are too many; there are {len(EVERY):,} hands, each in one entry at most"
        )
    for part in parts:
        if part:
            entry, colon, weight = part.partition(":")
            share = fraction(given(weight, f"the weight of {entry!r}")) if colon else Fraction(1)
            if not 0 <= share <= 1:
                raise ValueError(f"the weight of {entry!r} is {show(share)}; it must be between 0 and 1")
            yield _tidy(entry), share


def _tidy(entry: str) -> str:
    text = entry.upper().replace("10", "T")
    if text == "RANDOM":
        return text.lower()
    if match := _CARDS.fullmatch(text):
        return "".join(card[0] + card[1].lower() for card in match.groups())
    return re.sub("[SO]", lambda found: found[0].lower(), text)


def _hands(entry: str) -> list[Hand]:
    if entry == "random":
        return list(EVERY)
    if _CARDS.fullmatch(entry.upper()):
        low, high = sorted(_FULL.card(card) for card in (entry[:2], entry[2:]))
        if low == high:
            raise ValueError(f"{entry!r} has the same card twice")
        return [(high, low)]
    return [hand for group in _groups(entry) for hand in group.hands]


def _groups(entry: str) -> list[StartingHand]:
    first, dash, last = entry.partition("-")
    top = _group(entry, first if dash else first.removesuffix("+"))
    if entry.endswith("+") and not dash:
        if top.high == top.low:
            return [StartingHand(rank, rank, "") for rank in range(top.high, 13)]
        return [top._replace(low=low) for low in range(top.low, top.high)]
    if not dash:
        return [top]
    end = _group(entry, last)
    end, top = sorted((top, end))
    together = top.high - end.high == top.low - end.low
    if (
        top.kind != end.kind
        or not (together or top.high == end.high != end.low)
        or (top.high == top.low) != (end.high == end.low)
    ):
        raise ValueError(f"{entry!r} must join the ends of a run of hands, such as 88-66, A5s-A2s or T9s-65s")
    return [StartingHand(end.high + k * together, end.low + k, top.kind) for k in range(top.low - end.low + 1)]


def _group(entry: str, text: str) -> StartingHand:
    match = _GROUP.fullmatch(text.upper())
    if match is None or (match[1] == match[2] and match[3]):
        raise ValueError(f"{entry!r} is not a hand of hold'em; {NOTATION}")
    low, high = sorted((ORDER.index(match[1]), ORDER.index(match[2])))
    return StartingHand(high, low, match[3].lower())


def read_board(text: str, size: int = 5) -> tuple[int, ...]:
    """The cards on the table, such as "Ks9d7h4c2s" or "Ks 9d 7h 4c 2s", as numbers, in the order given.

    Raises:
        ValueError: a card is unknown or appears twice, or there are not `size` cards.
    """
    parts = re.findall(r"10\S|[^\s,;][^\s,;]?", text)
    return _FULL.hand(parts, size)
