"""The endings of one deal of hole cards, or after every card that may turn up, together in compiled loops (the extra `fast`).

Arrays have a row for each of the E deals, and k endings in each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from relance.model.arrays import Array, Floats, in_shares, thread_count
from relance.model.sequences import CaseEndings

THREADED_FROM = 50_000
"""From this many endings times hands on, compiled endings are split among `relance.model.arrays.thread_count` threads."""


class EndingsAfter(NamedTuple):
    """Endings, all paid or all fought; if not `shared`, each follows another sequence of the player."""

    fought: bool
    shared: bool
    rows: Sequence[Array]  # of both players the sequences, and the player's chips, each (E * k,)


class AfterCards:
    """What a player gets at the endings in each deal.

    Args:
        sums: in each deal, the player's `relance.model.playing_cards.hole_deal.Sums`.
        own_law, law: in each deal, the factors of the player's hands and of the opponent's, in floats.
        cases: the endings in each deal; see `alike`.
    """

    def __init__(
        self, sums: Sequence[Any], own_law: Sequence[Array], law: Sequence[Array], cases: Sequence[CaseEndings]
    ) -> None:
        from relance.model.playing_cards.hole_deal_compiled import Places

        alike, differ = Places._fields[:4], Places._fields[4:]
        rows = (np.stack([getattr(of, name) for of in sums]) for name in differ)
        self.places = Places(*(getattr(sums[0], name) for name in alike), *rows)
        self.own_law, self.law = np.stack(own_law), np.stack(law)
        self.parts = [part for fought in (False, True) for part in _parts(fought, cases)]

    def add(self, reach: Floats, values: Floats) -> None:
        """Add the chips to `values`, (the player's sequences, hands); `reach` is (the opponent's sequences, hands)."""
        from relance.model.playing_cards import hole_deal_compiled as compiled

        def add(part: EndingsAfter, low: int, high: int) -> None:
            ends, each = compiled.Ends(*part.rows), len(part.rows[0]) // len(self.law)
            laws, work = (self.own_law, self.law), compiled.buffers(self.places, reach.shape[1])
            compiled.add_endings(low, high, each, part.fought, self.places, ends, reach, *laws, values, work)

        for part in self.parts:  # threads never write to the same row
            size = len(part.rows[0])
            threaded = not part.shared and size * values.shape[1] >= THREADED_FROM
            in_shares(partial(add, part), size, thread_count() if threaded else 1)


def alike(cases: Sequence[CaseEndings]) -> bool:
    """True if each case has as many endings of each kind, so that `AfterCards` takes them together."""
    return len({tuple(tuple(len(own) for own, _, _ in kind) for kind in of.listed) for of in cases}) == 1


def _parts(fought: bool, cases: Sequence[CaseEndings]) -> Iterator[EndingsAfter]:
    """The endings of one kind in parts, those whose sequence also comes before endings of other cases apart."""
    for of_cases in zip(*(of.listed[fought] for of in cases), strict=True):
        rows = [np.stack(column) for column in zip(*of_cases, strict=True)]  # each (E, k)
        sequences, times = np.unique(rows[0], return_counts=True)
        shared = np.isin(rows[0], sequences[times > 1])
        if len({*shared.sum(1).tolist()}) > 1:  # so that each case has as many endings in a part
            shared[:] = True
        for chosen in (shared, ~shared):
            if chosen.any():
                yield EndingsAfter(fought, chosen is shared, [row[chosen] for row in rows])
