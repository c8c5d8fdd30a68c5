"""Suits that nothing on the table or in the ranges tells apart; see Waugh 2013, A fast and optimal hand isomorphism algorithm."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations

import numpy as np

from relance.model.arrays import Array
from relance.model.merged_events import MergedEvents, StandIn
from relance.model.playing_cards.ranges import Hand, hand_name


def merged_cards(
    board: Sequence[int], hands: Sequence[Sequence[Hand]], weights: Sequence[Array], left: Sequence[int]
) -> MergedEvents | None:
    """The cards that may turn up, `left`, merged where a renaming of suits makes one of the other; None if all stand for themselves.

    Args:
        board: the cards on the table.
        hands, weights: for each player their hands, and the weights of these.
        left: the cards that may turn up.
    """
    index = [{hand: i for i, hand in enumerate(side)} for side in hands]
    ranges = [dict(zip(side, weight, strict=True)) for side, weight in zip(hands, weights, strict=True)]
    suits = list(_interchangeable(board, ranges))
    first = {card: min(_renamed((card,), to)[0] for to in suits) for card in left}
    closed = all(_renamed((card,), to)[0] in first for card in left for to in suits)
    if not closed or len({*first.values()}) == len(left):
        return None
    after = [np.array([[at[_renamed(hand, to)] for hand in at] for to in suits]) for at in index]
    stands_in = {}
    for card, other in first.items():
        k = next(k for k, to in enumerate(suits) if _renamed((card,), to)[0] == other)
        stands_in[_name(card)] = StandIn(_name(other), (after[0][k], after[1][k]))
    kinds = [*first.values()]
    return MergedEvents({_name(c): kinds.count(c) for c in dict.fromkeys(kinds)}, stands_in, (after[0], after[1]))


def _interchangeable(board: Sequence[int], ranges: Sequence[Mapping[Hand, object]]) -> Iterator[tuple[int, ...]]:
    """The renamings of suits that change neither the cards on the table nor the weight of a hand; first the one that renames none."""
    for to in permutations(range(4)):
        same = {*_renamed(board, to)} == {*board}
        if same and all(side.get(_renamed(hand, to)) == weight for side in ranges for hand, weight in side.items()):
            yield to


def _renamed(cards: Sequence[int], to: Sequence[int]) -> Hand:
    """The cards in other suits, the highest number first, as in a hand."""
    return tuple(sorted((card - card % 4 + to[card % 4] for card in cards), reverse=True))  # type: ignore[return-value]  # as many cards


def _name(card: int) -> str:
    return hand_name((card,))
