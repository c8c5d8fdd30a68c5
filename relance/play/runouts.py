"""Runouts: all that chance will turn up in a game. Many tables deal one together with the hands, so that no step draws more.

Wherever events may turn up, a runout says which of them does. Each place is named by the events before it and those possible there.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from relance.model.arrays import Floats, Ints
from relance.model.deal_table import DealTable, alias_table
from relance.model.game import Game
from relance.model.limits import check_memory
from relance.model.tree import BettingTree, Case

RevealPlace: TypeAlias = tuple[tuple[str, ...], tuple[str, ...]]

PAIR = 40
"""The bytes that a pair of hands takes for each runout, and for each case of a terminal node."""


def places(tree: BettingTree) -> list[RevealPlace]:
    """The places where events may turn up, those with fewer events before them first."""
    found = {(tree.cases[name].events, node.events): None for name, node in tree.reveals.items()}
    return sorted(found, key=lambda place: len(place[0]))


def runouts(tree: BettingTree) -> list[dict[RevealPlace, str]]:
    """Every runout of a game: the event at each place that it leads to."""
    out: list[dict[RevealPlace, str]] = [{}]
    for place in places(tree):
        before, events = place
        grown = []
        for runout in out:
            leads = all(
                any(at[0] == before[:k] and runout[at] == event for at in runout) for k, event in enumerate(before)
            )
            grown += [runout | {place: event} for event in events] if leads else [runout]
        out = grown
    return out


def turns(tree: BettingTree) -> tuple[Ints, Ints]:
    """Where each runout leads.

    Returns:
        (M,) for each node where events may turn up, where its row begins in the second array, and -1 for others; and the rows, which have
        the next decision or terminal node in each runout. Both are empty if no events turn up.
    """
    table, every = tree.table, runouts(tree)
    if not tree.reveals:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    ids = {event: k for k, event in enumerate(tree.events)}
    turned = {place: np.array([ids.get(runout.get(place, ""), -1) for runout in every]) for place in places(tree)}
    start, rows = np.full(len(table.names), -1, np.int64), {}
    for node in reversed(range(len(table.names))):  # children first
        if table.after[node]:
            event = turned[tree.cases[table.names[node]].events, tree.reveals[table.names[node]].events]
            rows[node] = np.full(len(every), node)
            for number, below in table.after[node].items():
                rows[node] = np.where(event == number, rows.get(below, below), rows[node])
            start[node] = (len(rows) - 1) * len(every)
    return start, np.concatenate(list(rows.values()))


def fought(tree: BettingTree) -> list[Case]:
    """The cases of showdowns, each once."""
    return list(dict.fromkeys(tree.cases[name] for name, leaf in tree.leaves.items() if leaf.stake))


def distribution_of(game: Game) -> DealTable:
    """The distribution of a game's hands and runouts as arrays, with the edges of each case of `fought` one after another.

    Raises:
        ValueError: hands on [0, 1] have events or contests, or there are too many pairs of hands.
    """
    tree, deal = game.tree, game.deal
    if tree.is_usual:
        return deal.table()
    if not deal.is_finite:
        raise ValueError(
            f"many tables at once (batches, vector environments, JAX) cannot deal hands on [0, 1] with events or contests, as in {game}; "
            "cut them into cells, in Python by game.grid(9)"
        )
    distribution, every, cases = game.finite_deal().floats, runouts(tree), fought(tree)
    pairs, lists = deal.size(0) * deal.size(1), len(every) + len(cases)
    what = f"the distribution of {pairs:,} pairs of hands with {len(every):,} runouts and {len(cases):,} cases of showdowns"
    check_memory(PAIR * pairs * lists, what, instead="take fewer hands")
    known = {
        events: distribution.in_case(Case(events)).joint() for events in {case.events for case in tree.cases.values()}
    }

    def chance(runout: dict[RevealPlace, str]) -> Floats:
        out = known[()]
        for (before, _), event in runout.items():
            out = out * _ratio(known[*before, event], known[before])
        return out

    distributions = [distribution.in_case(case) for case in cases]
    edges = [_ratio(distribution.joint_edge(), distribution.joint()).ravel() for distribution in distributions]
    chances = np.concatenate([chance(runout).ravel() for runout in every])
    return DealTable(
        pairs=alias_table(np.clip(chances, 0, None)),
        rows=deal.size(0),
        columns=deal.size(1),
        runouts=len(every) if tree.reveals else 0,
        edge=np.concatenate([*edges, np.zeros(pairs if not edges else 0)]),
    )


def _ratio(part: Floats, whole: Floats) -> Floats:
    return np.divide(part, whole, out=np.zeros_like(whole), where=whole > 0)
