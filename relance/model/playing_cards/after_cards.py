"""Payoffs at terminal nodes for one deal of hole cards, or for all deals after the next card, in compiled loops.

The loops need the extra `fast`. There are E deals, with k terminal nodes in each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from relance.model.arrays import Array, Floats, in_shares, thread_count
from relance.model.sequences import CaseTerminals

THREADED_FROM = 50_000
"""From this many terminal nodes times hands on, the loop is split among `relance.model.arrays.thread_count` threads."""


class TerminalsAfter(NamedTuple):
    """Payoffs to a player at k terminal nodes in each of E deals: E = 1, or one deal for each card that may come next.

    If `fought`, the payoffs are the stakes of showdowns, else chips that do not depend on the hands. If `shared`, several of these nodes
    may follow the same sequence of the player who is paid; else no two nodes do.
    """

    fought: bool
    shared: bool
    rows: Sequence[Array]  # of both players the sequences, and the player's chips, each (E * k,)


class AfterCards:
    """Adds a player's counterfactual values at the terminal nodes of several deals together.

    Args:
        sums: for each deal, the player's `relance.model.playing_cards.hole_deal.Sums`.
        own_distribution, distribution: for each deal, the weights of the player's hands and of the opponent's hands, in floats.
        cases: for each deal, its terminal nodes, in equally many `Terminals` of equal sizes, as the function `alike` checks.
    """

    def __init__(
        self,
        sums: Sequence[Any],
        own_distribution: Sequence[Array],
        distribution: Sequence[Array],
        cases: Sequence[CaseTerminals],
    ) -> None:
        from relance.model.playing_cards.hole_deal_compiled import Places

        alike, differ = Places._fields[:4], Places._fields[4:]
        rows = (np.stack([getattr(of, name) for of in sums]) for name in differ)
        self.places = Places(*(getattr(sums[0], name) for name in alike), *rows)
        self.own_distribution, self.distribution = np.stack(own_distribution), np.stack(distribution)
        self.parts = [part for fought in (False, True) for part in _parts(fought, cases)]

    def add(self, reach: Floats, values: Floats) -> None:
        """Add counterfactual values to `values`, (own sequences, hands); `reach` is the opponent's reach, (their sequences, hands)."""
        from relance.model.playing_cards import hole_deal_compiled as compiled

        def add(part: TerminalsAfter, low: int, high: int) -> None:
            ends, each = compiled.Ends(*part.rows), len(part.rows[0]) // len(self.distribution)
            distributions, work = (
                (self.own_distribution, self.distribution),
                compiled.buffers(self.places, reach.shape[1]),
            )
            compiled.add_terminals(low, high, each, part.fought, self.places, ends, reach, *distributions, values, work)

        for part in self.parts:  # threads never write to the same row
            size = len(part.rows[0])
            threaded = not part.shared and size * values.shape[1] >= THREADED_FROM
            in_shares(partial(add, part), size, thread_count() if threaded else 1)


def alike(cases: Sequence[CaseTerminals]) -> bool:
    """Return True if the items of `cases` have equally many `Terminals`, with equally many nodes in each, as `AfterCards` needs."""
    return len({tuple(tuple(len(own) for own, _, _ in kind) for kind in of.listed) for of in cases}) == 1


def _parts(fought: bool, cases: Sequence[CaseTerminals]) -> Iterator[TerminalsAfter]:
    """The nodes of `CaseTerminals.fought` or `.paid`, in parts; sequences that lead to nodes of several cases have parts of their own."""
    for of_cases in zip(*(of.listed[fought] for of in cases), strict=True):
        rows = [np.stack(column) for column in zip(*of_cases, strict=True)]  # each (E, k)
        sequences, times = np.unique(rows[0], return_counts=True)
        shared = np.isin(rows[0], sequences[times > 1])
        if len({*shared.sum(1).tolist()}) > 1:  # so that each case has as many terminal nodes in a part
            shared[:] = True
        for chosen in (shared, ~shared):
            if chosen.any():
                yield TerminalsAfter(fought, chosen is shared, [row[chosen] for row in rows])
