"""The endings after every card that may turn up in compiled loops (the extra `fast`): the same bits as card by card, since added alike.

Arrays have a row for each of the E cards, and k endings after each card.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from relance.model.arrays import Array, Floats, Ints, in_shares, thread_count
from relance.model.sequences import CaseEndings

THREADED_FROM = 50_000
"""From this many endings times hands on, compiled endings are split among `relance.model.arrays.thread_count` threads."""


class EndingsAfter(NamedTuple):
    """Endings, all paid or all fought: of both players the sequences, and the player's chips, (E * k,)."""

    fought: bool
    own: Ints
    theirs: Ints
    chips: Floats


class AfterCards:
    """What a player gets at the endings after each card.

    Args:
        places: after each card, the player's `relance.model.cards.hole_deal_compiled.Places`.
        own_law, law: after each card, the factors of the player's hands and of the opponent's, in floats.
        cases: the endings after each card; see `alike`.
    """

    def __init__(
        self, places: Sequence[Any], own_law: Sequence[Array], law: Sequence[Array], cases: Sequence[CaseEndings]
    ) -> None:
        self.cards, self.own_law, self.law = len(places), np.stack(own_law), np.stack(law)
        differ = ("listed", "below", "not_above", "below_in", "not_above_in")
        self.places = places[0]._replace(**{name: np.stack([getattr(at, name) for at in places]) for name in differ})
        self.shared: list[EndingsAfter] = []
        self.apart: list[EndingsAfter] = []
        for kind in (0, 1):
            for rows, shared in _parts([of.listed[kind] for of in cases]):
                (self.shared if shared else self.apart).append(EndingsAfter(bool(kind), *rows))

    def add(self, reach: Floats, values: Floats) -> None:
        """Add the chips to `values`, (the player's sequences, hands); `reach` is (the opponent's sequences, hands)."""
        from relance.model.cards import hole_deal_compiled as compiled

        def add(part: EndingsAfter, low: int, high: int, work: Any) -> None:
            ends, width = compiled.Ends(*part[1:]), len(part.own) // self.cards
            laws = self.own_law, self.law
            compiled.add_by_card(low, high, part.fought, width, self.places, ends, reach, *laws, values, work)

        for part in self.apart:  # threads never write to the same row
            threads = thread_count() if len(part.own) * values.shape[1] >= THREADED_FROM else 1

            def add_some(low: int, high: int, part: EndingsAfter = part) -> None:
                add(part, low, high, compiled.buffers(self.places, reach.shape[1]))

            in_shares(add_some, self.cards, threads)
        if self.shared:
            work = compiled.buffers(self.places, reach.shape[1])
            for card in range(self.cards):
                for part in self.shared:
                    add(part, card, card + 1, work)


def alike(cases: Sequence[CaseEndings]) -> bool:
    """True if there are several cases, and after each as many endings of each kind, so that `AfterCards` takes them."""
    return len(cases) > 1 and len({tuple(tuple(map(len, kind)) for kind in _lengths(of)) for of in cases}) == 1


def _lengths(of: CaseEndings) -> list[list[Ints]]:
    return [[own for own, _, _ in kind] for kind in of.listed]


def _parts(listed: Sequence[Sequence[tuple[Ints, Ints, Floats]]]) -> Iterator[tuple[list[Any], bool]]:
    """The parts of the endings after all cards, and if the player's sequences there also come before endings after other cards."""
    for of_cards in zip(*listed, strict=True):
        rows = [np.stack(column) for column in zip(*of_cards, strict=True)]  # each (E, k)
        sequences, times = np.unique(rows[0], return_counts=True)
        shared = np.isin(rows[0], sequences[times > 1])
        if len({*shared.sum(1).tolist()}) > 1:  # so that each card has as many endings in a part
            shared[:] = True
        for chosen in (shared, ~shared):
            if chosen.any():
                yield [row[chosen] for row in rows], chosen is shared
