"""A runout is all events that chance will turn up in a game, dealt together with the hands, so that no later step draws.

A runout gives the event at each place where one may turn up. A place is a pair: the events before it, and those possible there.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from relance.model.arrays import Floats, Ints
from relance.model.deal_table import DealTable, alias_table
from relance.model.game import Game
from relance.model.limits import check_memory
from relance.model.tree import CHANCE, BettingTree, Case

RevealPlace: TypeAlias = tuple[tuple[str, ...], tuple[str, ...]]

PAIR = 40
"""The bytes that a pair of hands takes for each runout, and for each case of showdowns that `fought` returns."""


def places(tree: BettingTree) -> list[RevealPlace]:
    """Return the places where chance events may occur, as pairs (events before, possible events), those with fewer events before first."""
    table = tree.table
    nodes = np.flatnonzero(table.player == CHANCE)
    _, first = np.unique(table.positions[0][nodes], return_index=True)
    found = dict.fromkeys(_place(tree, node) for node in nodes[np.sort(first)].tolist())
    return sorted(found, key=lambda place: len(place[0]))


def _place(tree: BettingTree, node: int) -> RevealPlace:
    """The place of a node where an event turns up."""
    reveal: Any = tree.kinds.nodes[tree.table.kind[node]]
    return tree.table.cases[node].events, reveal.events


def runouts(tree: BettingTree) -> list[dict[RevealPlace, str]]:
    """Return every runout of a game, as {place: event} for the places that the runout reaches."""
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
    """Return the next decision or terminal node for each runout at each chance node; a `Board` keeps the result as `chance` and `turned`.

    Returns:
        Two arrays, both empty in games without chance nodes. The first, (P,), has an entry for each position (`TreeTable.positions`): for
        chance nodes the index at which their row begins in the second array, and -1 for other nodes. The second array has the rows. Entry
        k of a row is the next node for runout number k or, if `tree.is_large`, that node's number minus the chance node's.
    """
    if not tree.events:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    (position, last), table, every = tree.table.positions, tree.table, runouts(tree)
    ids = {event: k for k, event in enumerate(tree.events)}
    turned = {place: np.array([ids.get(runout.get(place, ""), -1) for runout in every]) for place in places(tree)}
    start, rows = np.full(len(last), -1, np.int64), dict[int, Ints]()
    for node in np.sort(last[table.player[last] == CHANCE])[::-1].tolist():  # children first
        event, further = turned[_place(tree, node)], np.zeros(len(every), np.int64)
        for number, below in table.after[node].items():
            further = np.where(event == number, below - node + rows.get(int(position[below]), 0), further)
        start[position[node]] = len(rows) * len(every)
        rows[int(position[node])] = further
    return start, np.concatenate([row if tree.is_large else last[k] + row for k, row in rows.items()])


def fought(tree: BettingTree) -> list[Case]:
    """Return, in order of first appearance, the distinct cases of showdowns: the chance events before, and the rule that compares hands."""
    table = tree.table
    cases, first = np.unique(table.case[table.stake != 0], return_index=True)
    return [table.every_case[case] for case in cases[np.argsort(first)]]


def distribution_of(game: Game) -> DealTable:
    """Return the distribution of a game's hands and runouts as arrays.

    In a game with chance nodes, or where the higher hand does not win every showdown, `DealTable.edge` has a block for each case of
    showdowns, in the order of `fought`. A block has, for each pair of hands, player 0's probability of winning minus that of losing.

    Raises:
        ValueError: there are too many pairs of hands; or hands are on [0, 1] in a game with chance nodes, or with a showdown that the
            higher hand does not win.
    """
    tree, deal = game.tree, game.deal
    if tree.is_usual:
        return deal.table()
    if not deal.is_finite:
        raise ValueError(
            "batches, vector environments and JAX can deal hands on [0, 1] only if the game has no chance nodes and the higher hand wins "
            f"every showdown. {game} is not such a game; cut its hands into cells, in Python by game.grid(9)"
        )
    distribution, every, cases = game.finite_deal().floats, runouts(tree), fought(tree)
    pairs, lists = deal.size(0) * deal.size(1), len(every) + len(cases)
    what = f"the distribution of {pairs:,} pairs of hands with {len(every):,} runouts and {len(cases):,} cases of showdowns"
    check_memory(PAIR * pairs * lists, what, instead="take fewer hands")
    known = {
        events: distribution.in_case(Case(events)).joint() for events in {case.events for case in tree.table.every_case}
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
        runouts=len(every) if tree.events else 0,
        edge=np.concatenate([*edges, np.zeros(pairs if not edges else 0)]),
    )


def _ratio(part: Floats, whole: Floats) -> Floats:
    return np.divide(part, whole, out=np.zeros_like(whole), where=whole > 0)
