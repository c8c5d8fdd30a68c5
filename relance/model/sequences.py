"""A betting tree as each player sees it: the player's slots and sequences, and the endings that follow them.

A slot is an action at a node. A player's *sequence* at a node is the last choice that they made on the way there: 0 if they made
none, else 1 + its slot. Arrays have shape (slots, hands) or (sequences, hands).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import NamedTuple, TypeAlias

import numpy as np

from relance.model.arrays import Array, Floats, Ints, Put
from relance.model.tree import BettingTree, Case, Choice, Leaf

Index: TypeAlias = slice | Ints
"""Rows of an array."""

ALL = slice(None)
"""All rows or hands."""


class Group(NamedTuple):
    """Nodes with the same number of actions, whose slots are neighbours and whose sequences differ."""

    slots: slice
    shape: tuple[int, int]  # (nodes, actions)
    before: Index  # the sequence at each node

    def of(self, values: Array) -> Array:
        """A view, (nodes, actions, hands), of an array (slots, hands)."""
        view: Array = values[self.slots].reshape(*self.shape, -1)
        return view


class Endings(NamedTuple):
    """Endings that follow different sequences of a player: both players' sequences, and the player's chips there, (k, 1)."""

    own: Index
    theirs: Index
    chips: Floats


@dataclass(frozen=True)
class CaseEndings:
    """The endings of one case.

    Attributes:
        case: says which law of the deal applies.
        paid: the chips that do not depend on the showdown.
        fought: the chips at stake in a showdown.
        used: the opponent's sequences that an ending follows.
    """

    case: Case
    paid: Sequence[Endings]
    fought: Sequence[Endings]
    used: Index

    @cached_property
    def listed(self) -> list[list[tuple[Ints, Ints, Floats]]]:
        """`paid` and `fought` for compiled loops: in each part the player's sequences, the opponent's, and the chips, each (k,)."""
        return [
            [(row_numbers(e.own), row_numbers(e.theirs), e.chips[:, 0].copy()) for e in part]
            for part in (self.paid, self.fought)
        ]


class Alike(NamedTuple):
    """Classes of hands with which a player plays alike before an event turns up.

    Attributes:
        of: (hands,) the class of each hand.
        members: (k, classes) the hands of each class, each as often.
    """

    of: Ints
    members: Ints

    @staticmethod
    def under(renamings: Ints) -> Alike:
        """The classes of hands that renamings, (k, hands), make of each other."""
        firsts, of = np.unique(renamings.min(0), return_inverse=True)
        return Alike(of, renamings[:, firsts])

    def average(self, values: Array) -> Array:
        """The mean over the hands of each class, at each of them; (rows, hands)."""
        mean: Array = (values[:, self.members].sum(1) / len(self.members))[:, self.of]
        return mean


@dataclass(frozen=True)
class Side:
    """The tree as one player sees it.

    Attributes:
        slots: the slots of each of the player's nodes, by name.
        size: the number of slots.
        groups: the player's nodes, parents first.
        widths: the same nodes in as few groups as possible.
        endings: the endings by case; one case only, unless events turn up or there are several contests.
        alike: if not None, what hands earn before an event is averaged over these classes.
        early: then the number of groups before an event, which are the first ones; otherwise 0.
    """

    slots: dict[str, slice]
    size: int
    groups: Sequence[Group]
    widths: Sequence[Group]
    endings: Sequence[CaseEndings]
    alike: Alike | None = None
    early: int = 0

    @cached_property
    def before_events(self) -> Ints:
        """The sequences that end with an action in the `early` groups."""
        rows = [np.arange(group.slots.start, group.slots.stop) + 1 for group in self.groups[: self.early]]
        return np.concatenate([np.zeros(0, np.int64), *rows])

    def average_alike(self, values: Array) -> None:
        """Average the chips of these sequences over hands that are alike; `values`, (sequences, hands), has those of later nodes."""
        if self.alike is not None:
            values[self.before_events] = self.alike.average(values[self.before_events])

    def moved(self, put: Put) -> Side:
        """The same with arrays converted by `put`, chips and rows; see `relance.model.arrays.putter`."""

        def at(rows: Index) -> Index:
            return rows if isinstance(rows, slice) else put(rows)

        def moved(parts: Sequence[Endings]) -> list[Endings]:
            return [Endings(at(part.own), at(part.theirs), put(part.chips)) for part in parts]

        cases = [replace(of, paid=moved(of.paid), fought=moved(of.fought), used=at(of.used)) for of in self.endings]
        groups = [group._replace(before=at(group.before)) for group in self.groups]
        return replace(self, endings=cases, groups=groups)


def sides(tree: BettingTree) -> tuple[Side, Side]:
    """Both players' sides of a tree, compiled once and stored with the tree's other compiled data."""
    kept = vars(tree)
    if "sides" not in kept:
        kept["sides"] = _sides(tree, (None, None))
    found: tuple[Side, Side] = kept["sides"]
    return found


def sides_alike(tree: BettingTree, alike: tuple[Alike, Alike]) -> tuple[Side, Side]:
    """Both players' sides of a tree in which hands of a class play alike before an event."""
    return _sides(tree, alike)


def _sides(tree: BettingTree, alike: tuple[Alike | None, Alike | None]) -> tuple[Side, Side]:
    parts = [_parts(tree, player, alike[player] is not None) for player in (0, 1)]
    slots: list[dict[str, slice]] = [{}, {}]
    for mine, groups in zip(slots, parts, strict=True):
        end = 0
        for _, _, actions, names in sorted(groups, key=lambda group: group[2]):
            for name in names:
                mine[name] = slice(end, end := end + actions)

    def sequence(name: str, player: int) -> int:
        last = tree.last_choice(name, player)
        return 0 if last is None else slots[player][last[0]].start + last[1] + 1

    by_case: dict[Case, dict[str, Leaf]] = {}
    for name, leaf in tree.leaves.items():
        by_case.setdefault(tree.cases[name], {})[name] = leaf

    def endings(player: int, leaves: dict[str, Leaf], chips: Callable[[Leaf], float]) -> list[Endings]:
        """The endings at which these chips are not 0, in as few parts as possible."""
        found: list[dict[int, tuple[int, float]]] = []
        # endings so far that follow a sequence of the player's: the next one goes into the part of this number
        met = Counter[int]()
        for name, leaf in leaves.items():
            if chips(leaf):
                own = sequence(name, player)
                if met[own] == len(found):
                    found.append({})
                found[met[own]][own] = sequence(name, 1 - player), chips(leaf)
                met[own] += 1
        return [_endings(part) for part in found]

    def side(player: int) -> Side:
        groups = []
        for _, _, actions, names in parts[player]:
            at = slice(slots[player][names[0]].start, slots[player][names[-1]].stop)
            groups.append(Group(at, (len(names), actions), _index([sequence(name, player) for name in names])))
        by_slot = groupby(sorted(groups, key=lambda group: group.slots.start), lambda group: group.shape[1])
        sign = 1 - 2 * player
        return Side(
            slots[player],
            sum(len(node.actions) for node in tree.of(player).values()),
            groups,
            [_joined(list(alike)) for _, alike in by_slot],
            [
                CaseEndings(
                    case,
                    endings(player, leaves, lambda leaf: sign * leaf.in_floats[0]),
                    endings(player, leaves, lambda leaf: leaf.in_floats[1]),
                    _index(sorted({sequence(name, 1 - player) for name in leaves})),
                )
                for case, leaves in by_case.items()
            ],
            alike[player],
            sum(not late for late, _, _, _ in parts[player]) if alike[player] is not None else 0,
        )

    return side(0), side(1)


def _parts(tree: BettingTree, player: int, apart: bool) -> list[tuple[bool, int, int, list[str]]]:
    """(late, depth, number of actions, names of nodes), parents first; nodes in one part follow different choices of the player.

    If `apart`, late nodes, those after an event, are in other parts than those before.
    """
    depth: dict[str, int] = {}
    parts: dict[tuple[bool, int, int, int], list[str]] = {}
    met = Counter[tuple[bool, int, int, Choice | None]]()  # nodes so far that follow a choice
    for name, node in tree.of(player).items():
        last = tree.last_choice(name, player)
        depth[name] = 0 if last is None else depth[last[0]] + 1
        late = apart and bool(tree.cases[name].events)
        alike = late, depth[name], len(node.actions)
        parts.setdefault((*alike, met[*alike, last]), []).append(name)
        met[*alike, last] += 1
    return [(late, level, actions, names) for (late, level, actions, _), names in sorted(parts.items())]


def _index(rows: Sequence[int]) -> Index:
    """A slice if the rows are evenly spaced, which is quicker."""
    step = rows[1] - rows[0] if len(rows) > 1 else 1
    if step > 0 and list(rows) == list(range(rows[0], rows[-1] + 1, step)):
        return slice(rows[0], rows[-1] + 1, step)
    return np.array(rows, np.int64)


def row_numbers(index: Index) -> Ints:
    """The rows as numbers."""
    return np.arange(index.start, index.stop, index.step) if isinstance(index, slice) else index


def _endings(part: dict[int, tuple[int, float]]) -> Endings:
    own = sorted(part)
    theirs, chips = zip(*(part[sequence] for sequence in own), strict=True)
    return Endings(_index(own), _index(theirs), np.array(chips)[:, None])


def _joined(groups: Sequence[Group]) -> Group:
    first, last = groups[0], groups[-1]
    return Group(
        slice(first.slots.start, last.slots.stop), (sum(group.shape[0] for group in groups), first.shape[1]), ALL
    )
