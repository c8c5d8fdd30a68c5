"""A betting tree as arrays: its distinct nodes, written once each, unfolded level by level into all nodes that a play can reach.

One object may stand for many nodes: in liar's dice all histories with the same last bid lead to one object. So there are few objects where
the tree has millions of nodes. Above `MOST_LISTED` nodes nothing here makes a Python object per node; names are made when asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from relance.model.arrays import Floats, Ints
from relance.model.limits import check_memory
from relance.model.nodes import (
    CHANCE,
    OVER,
    USUAL,
    Case,
    Decision,
    History,
    Leaf,
    Node,
    Reveal,
    path_name,
    steps_from,
)

T = TypeVar("T")
V = TypeVar("V")

Int32 = npt.NDArray[np.int32]

MOST_LISTED = 20_000
"""Up to this many nodes, what is known of each one is kept in lists and dictionaries."""

BYTES = 100
"""About how many bytes a node takes while a tree is unfolded and its sequence forms are made."""


def is_large(size: int) -> bool:
    """True if a tree has more than `MOST_LISTED` nodes."""
    return size > MOST_LISTED


class Kinds:
    """The distinct node objects of a tree, called kinds, in the order in which a depth-first walk first meets them.

    Attributes, with S kinds, and K steps, the actions or events of all kinds together:
        nodes: the S node objects; two equal objects are two kinds.
        size, decisions: (S,) the number of nodes, and of decision nodes, in the subtree of a node of each kind, itself included.
        depth: (S,) the most decisions in a play from a node of each kind on.
        upwards: the S kinds, each after the kinds that its steps lead to.
        first: (S + 1,) the index of each kind's first step.
        child, offset: (K,) the kind that each step leads to, and what the step adds to a node's number, as nodes are numbered depth first.
    """

    def __init__(self, root: Node) -> None:
        self.nodes: list[Node] = []
        number: dict[int, int] = {}
        self.upwards = done = list[int]()
        stack: list[tuple[Node, bool]] = [(root, False)]
        while stack:
            node, is_left = stack.pop()
            if is_left:
                done.append(number[id(node)])
            elif id(node) not in number:
                number[id(node)] = len(self.nodes)
                self.nodes.append(node)
                stack.append((node, True))
                stack += [(child, False) for _, child in steps_from(node)][::-1]
        below = [[number[id(child)] for _, child in steps_from(node)] for node in self.nodes]
        self.size, self.decisions, self.depth = ([0] * len(below) for _ in range(3))
        for k in done:
            acts = int(isinstance(self.nodes[k], Decision))
            self.size[k] = 1 + sum(self.size[child] for child in below[k])
            self.decisions[k] = acts + sum(self.decisions[child] for child in below[k])
            self.depth[k] = acts + max((self.depth[child] for child in below[k]), default=0)
        self.first: Ints = np.cumsum([0, *map(len, below)])
        self.child: Ints = np.array([child for steps in below for child in steps], np.int64)
        offset = []
        for steps in below:
            further = 1
            for child in steps:
                offset.append(further)
                further += self.size[child]
        self.offset = offset

    @cached_property
    def events(self) -> tuple[str, ...]:
        """Every event name once, in order of first appearance; an index into it is an event id."""
        return tuple(dict.fromkeys(event for node in self.nodes if isinstance(node, Reveal) for event in node.events))

    @cached_property
    def actions(self) -> tuple[str, ...]:
        """Every action name once; an index into it is an action id.

        At each node, ids ascend in the order of the node's actions. Where this leaves a choice, the name that appears first comes first.

        Raises:
            ValueError: two nodes have the same actions in different orders.
        """
        nodes = [node for node in self.nodes if isinstance(node, Decision)]
        before: dict[str, set[str]] = {action: set() for node in nodes for action in node.actions}
        for node in nodes:
            for first, second in pairwise(node.actions):
                before[second].add(first)
        out: list[str] = []
        while left := [action for action in before if action not in out]:
            free = [action for action in left if before[action] <= set(out)]
            if not free:
                raise ValueError(f"the actions {', '.join(left)} are in different orders at different nodes; use one")
            out.append(free[0])
        return tuple(out)

    @cached_property
    def action_rows(self) -> int:
        """The number of rows, with a column per action id, that encode the actions of a play as ones among zeros; see `TreeTable.mark`.

        One row is enough if the action ids ascend in every play, for then the ones show the order of the actions too. Else each action of a
        play has a row of its own, and there are as many rows as the longest play has actions.
        """
        number, last = {action: i for i, action in enumerate(self.actions)}, [-1] * len(self.nodes)
        for k in reversed(self.upwards):
            acts = isinstance(self.nodes[k], Decision)
            for (name, _), child in zip(steps_from(self.nodes[k]), self.child[self.first[k] :].tolist(), strict=False):
                step = number[name] if acts else last[k]
                if acts and step <= last[k]:
                    return self.depth[0]
                last[child] = max(last[child], step)
        return min(1, self.depth[0])


class TreeTable:
    """A betting tree as arrays over its decision, chance and terminal nodes, numbered depth first from the root, 0.

    Attributes:
        kind: (nodes,) the index of each node's object in `kinds.nodes`, the distinct node objects.
        parent: (nodes,) the node before; -1 at the root.
        choice: (nodes,) the index, among the actions or events at `parent`, of the one that leads to the node; 0 at the root.
        levels: the nodes after 0, 1, 2, ... steps, each an ascending array.
        player: (nodes,) int; the player who acts, `OVER` at a terminal node, `CHANCE` at a chance node.

    Raises:
        ValueError: the tree does not fit into memory.
    """

    def __init__(self, kinds: Kinds) -> None:
        self.kinds = kinds
        size, first = kinds.size[0], kinds.first
        if is_large(size):
            check_memory(BYTES * size, f"a betting tree of {size:,} nodes")
        self.size = size
        self.kind: Int32 = np.zeros(size, np.int32)
        self.parent: Int32 = np.full(size, -1, np.int32)
        self.choice: npt.NDArray[np.int16] = np.zeros(size, np.int16)
        self.levels: list[Int32] = []
        offset, level = np.array(kinds.offset, np.int32), np.zeros(1, np.int32)
        while len(level):
            self.levels.append(level)
            starts = first[self.kind[level]]
            steps = first[self.kind[level] + 1] - starts
            ends = np.cumsum(steps)
            choice = np.arange(ends[-1]) - np.repeat(ends - steps, steps)
            parent, edge = np.repeat(level, steps), np.repeat(starts, steps) + choice
            level = parent + offset[edge]
            self.kind[level], self.parent[level], self.choice[level] = kinds.child[edge], parent, choice
        self.player: npt.NDArray[np.int8] = self._of_kinds(_player, np.int8)

    def _of_kinds(self, what: Callable[[Any], object], dtype: npt.DTypeLike) -> npt.NDArray[Any]:
        """(nodes,) for each node, what the function `what` returns for its node object; each distinct object is asked once."""
        found: npt.NDArray[Any] = np.array([what(node) for node in self.kinds.nodes], dtype)[self.kind]
        return found

    @cached_property
    def constant(self) -> Floats:
        """(nodes,) `Leaf.constant`, the chips to player 0 apart from the stake, at a terminal node; 0 elsewhere."""
        return self._of_kinds(lambda node: node.in_floats[0] if isinstance(node, Leaf) else 0.0, float)

    @cached_property
    def stake(self) -> Floats:
        """(nodes,) the chips at stake in the showdown at a terminal node; 0 elsewhere."""
        return self._of_kinds(lambda node: node.in_floats[1] if isinstance(node, Leaf) else 0.0, float)

    @cached_property
    def _ids(self) -> Ints:
        """The ids of the actions or events at all node objects in `kinds.nodes`, one object after another."""
        actions, events = ({name: i for i, name in enumerate(of)} for of in (self.kinds.actions, self.kinds.events))
        steps = (
            (actions if isinstance(node, Decision) else events)[name]
            for node in self.kinds.nodes
            for name, _ in steps_from(node)
        )
        return np.fromiter(steps, np.int64)

    @cached_property
    def step(self) -> Int32:
        """(nodes,) the id of the action or event that leads to a node; -1 at the root."""
        edge = self.kinds.first[self.kind[self.parent]] + self.choice
        ids: Int32 = self._ids.take(edge, mode="clip").astype(np.int32)
        ids[0] = -1
        return ids

    @cached_property
    def offsets(self) -> tuple[Int32, Int32]:
        """Two arrays, (node objects, action ids) and (node objects, event ids): the next node's number minus this one's; 0 if none."""
        kinds = self.kinds
        found = [np.zeros((len(kinds.nodes), len(of)), np.int32) for of in (self.kinds.actions, self.kinds.events)]
        for k, node in enumerate(kinds.nodes):
            at = slice(kinds.first[k], kinds.first[k + 1])
            if not isinstance(node, Leaf):
                found[isinstance(node, Reveal)][k, self._ids[at]] = kinds.offset[at]
        return found[0], found[1]

    def children(self, nodes: Any) -> Int32:
        """(..., actions) the node that each action leads to from `nodes`, (...); -1 where an action is not legal."""
        further = self.offsets[0][self.kind[nodes]]
        out: Int32 = np.where(further, np.asarray(nodes, np.int32)[..., None] + further, np.int32(-1))
        return out

    def legal_at(self, nodes: Ints) -> npt.NDArray[np.bool_]:
        """(k, actions) True where an action is legal at `nodes`, (k,)."""
        out: npt.NDArray[np.bool_] = self.offsets[0][self.kind[nodes]] > 0
        return out

    @cached_property
    def child(self) -> Int32:
        """(nodes, actions) the node that an action leads to; -1 where it is not legal."""
        return self.children(np.arange(self.size))

    @cached_property
    def legal(self) -> npt.NDArray[np.bool_]:
        """(nodes, actions) True where an action is legal."""
        return self.legal_at(np.arange(self.size))

    @cached_property
    def legal_ids(self) -> Sequence[list[int]]:
        """For each node the list of legal action ids, ascending."""
        by_kind = [np.flatnonzero(row).tolist() for row in self.offsets[0]]
        return OfNodes(self.size, lambda node: by_kind[self.kind[node]]).listed

    @cached_property
    def after(self) -> Sequence[dict[int, int]]:
        """For each node {event id: the node that the event leads to}."""
        by_kind = [{k: int(row[k]) for k in np.flatnonzero(row).tolist()} for row in self.offsets[1]]
        return OfNodes(self.size, lambda node: {e: node + k for e, k in by_kind[self.kind[node]].items()}).listed

    @cached_property
    def positions(self) -> tuple[Int32, Ints]:
        """(nodes,) the position of each node, and (positions,) the last node of each position; the root has position 0.

        Nodes share a position if their subtrees are one Python object and the same chance events lead to them. In a small tree none do.
        """
        if not is_large(self.size):
            return np.arange(self.size, dtype=np.int32), np.arange(self.size)
        keys = self.kind[::-1] * np.int64(len(self.every_case)) + self.case[::-1]
        _, last, position = np.unique(keys, return_index=True, return_inverse=True)
        return position[::-1].astype(np.int32), self.size - 1 - last

    def _way(self, node: int, both: bool) -> list[int]:
        ids = []
        while node:
            before = int(self.parent[node])
            if both or self.player[before] != CHANCE:
                ids.append(int(self.step[node]))
            node = before
        return ids[::-1]

    @cached_property
    def past(self) -> Sequence[list[int]]:
        """Return, for each node, the list of the ids of the actions on the path from the root to the node, in order."""
        return OfNodes(self.size, lambda node: self._way(node, False)).listed

    @cached_property
    def path(self) -> Sequence[list[int]]:
        """Return, for each node, the list of the ids of the actions and events on the path from the root to the node, in order."""
        return OfNodes(self.size, lambda node: self._way(node, True)).listed

    def mark(self, nodes: npt.NDArray[np.integer[Any]], out: npt.NDArray[np.float32]) -> None:
        """Encode the histories of `nodes`, (k,), by writing ones into `out`, k rows of zeros.

        A row starts with `Kinds.action_rows` blocks of one column per action; `most_events` blocks of one column per event follow.
        """
        row = np.arange(len(nodes))
        while len(row := row[nodes > 0]):
            nodes = nodes[nodes > 0]
            out[row, self.column[nodes]] = 1
            nodes = self.parent[nodes]

    @cached_property
    def column(self) -> Int32:
        """For each node, (nodes,), the column that `mark` sets to 1 for the action or event that leads to the node."""
        kinds, before = self.kinds, self.parent
        acted, turned = (count[before] for count in self.counts)
        row, rows = len(kinds.actions), kinds.action_rows
        acted, turned = acted * (row if rows > 1 else 0), turned * len(kinds.events) + rows * row
        column: Int32 = (np.where(self.player[before] == CHANCE, turned, acted) + self.step).astype(np.int32)
        return column

    @cached_property
    def counts(self) -> tuple[Int32, Int32]:
        """(nodes,) the number of actions on the path from the root to each node, and (nodes,) the number of chance events on it."""
        actions, events = np.zeros(self.size, np.int32), np.zeros(self.size, np.int32)
        for level in self.levels[1:]:
            parent = self.parent[level]
            chance = self.player[parent] == CHANCE
            actions[level], events[level] = actions[parent] + ~chance, events[parent] + chance
        return actions, events

    @cached_property
    def most_events(self) -> int:
        """The most events in a play."""
        return int(self.counts[1].max())

    @cached_property
    def last(self) -> tuple[Ints, Ints]:
        """For each player an array (nodes,): the number of the player's last choice before each node, or -1 where there is none.

        The number is `most_actions` times the index of the choice's decision node among the player's nodes, plus the index of the action.
        """
        out = np.full((2, self.size), -1)
        for player in (0, 1):
            mine, last = self.player == player, out[player]
            choice = (np.cumsum(mine) - 1) * self.most_actions
            for level in self.levels[1:]:
                parent = self.parent[level]
                last[level] = np.where(mine[parent], choice[parent] + self.choice[level], last[parent])
        return out[0], out[1]

    @cached_property
    def most_actions(self) -> int:
        """The most actions at a decision node."""
        return max(len(node.actions) for node in self.kinds.nodes if isinstance(node, Decision))

    @cached_property
    def case(self) -> Int32:
        """(nodes,) the index in `every_case` of each node's case: the events before the node, and the rule that compares hands there."""
        return self._cases[0]

    @cached_property
    def every_case(self) -> list[Case]:
        """All distinct cases. A node's case is the events that lead to it and, if it ends in a showdown, the rule that compares hands."""
        return self._cases[1]

    @cached_property
    def _cases(self) -> tuple[Int32, list[Case]]:
        known: dict[tuple[str, ...], int] = {(): 0}
        found = [*known]
        events, many = np.zeros(self.size, np.int32), len(self.kinds.events)
        for level in self.levels[1:] if many else ():
            parent = self.parent[level]
            chance = self.player[parent] == CHANCE
            events[level] = events[parent]
            if chance.any():
                turned = level[chance]
                event = self._ids[self.kinds.first[self.kind[parent[chance]]] + self.choice[turned]]
                pairs, back = _distinct(events[turned] * many + event)
                ways = [(*found[pair // many], self.kinds.events[pair % many]) for pair in pairs.tolist()]
                events[turned] = np.array([known.setdefault(way, len(known)) for way in ways])[back]
                found = [*known]
        contests = list(dict.fromkeys(["", *map(_contest, self.kinds.nodes)]))
        contest = self._of_kinds(lambda node: contests.index(_contest(node)), np.int32)
        pairs, back = _distinct(events * len(contests) + contest)
        cases = [(found[pair // len(contests)], contests[pair % len(contests)]) for pair in pairs.tolist()]
        return back.astype(np.int32), [Case(*case) if any(case) else USUAL for case in cases]

    @cached_property
    def cases(self) -> Sequence[Case]:
        """For each node its `Case`: the events that lead to the node and, if it ends in a showdown, the rule that compares hands."""
        cases = self.every_case
        return OfNodes(self.size, lambda node: cases[self.case[node]]).listed

    def history_of(self, node: int) -> History:
        """Return the public history of a node: the names of the actions and events that lead to it."""
        names = []
        while node:
            before = int(self.parent[node])
            names.append([*steps_from(self.kinds.nodes[self.kind[before]])][self.choice[node]][0])
            node = before
        return tuple(names[::-1])

    def find(self, name: str) -> int:
        """The node of this name; -1 if there is none."""
        return self._find(0, name) if name else 0

    def _find(self, node: int, rest: str) -> int:
        kinds, k = self.kinds, self.kind[node]
        for edge, (step, _) in enumerate(steps_from(kinds.nodes[k]), kinds.first[k]):
            below = node + kinds.offset[edge]
            if rest == step:
                return below
            if rest.startswith(step + "-") and (found := self._find(below, rest[len(step) + 1 :])) >= 0:
                return found
        return -1

    @cached_property
    def names(self) -> Sequence[str]:
        """The name of each node: its public history joined by hyphens."""
        return OfNodes(self.size, lambda node: path_name(self.history_of(node))).listed

    def named(self, nodes: Ints, what: Callable[[int], T]) -> Mapping[str, T]:
        """{name of the node: `what(node)`} for `nodes`, which ascend."""
        if not is_large(self.size):
            return {self.names[node]: what(node) for node in nodes.tolist()}
        return ByName(self, nodes, what)


class OfNodes(Sequence[T]):
    """The sequence `what(0)`, ..., `what(size - 1)`, over the nodes of a tree; each item is computed on access."""

    def __init__(self, size: int, what: Callable[[int], T]) -> None:
        self._size, self._what = size, what

    @property
    def listed(self) -> Sequence[T]:
        """The same sequence, as a list if it has at most `MOST_LISTED` items."""
        return self if is_large(self._size) else list(self)

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, node: Any) -> Any:
        at = range(self._size)[node]
        return [self._what(k) for k in at] if isinstance(at, range) else self._what(at)


class ByName(Mapping[str, T]):
    """A mapping {name of the node: `what(node)`} over some nodes of a large tree; values are computed on access."""

    def __init__(self, table: TreeTable, nodes: Ints, what: Callable[[int], T]) -> None:
        self._table, self._nodes, self._what = table, nodes, what

    def __len__(self) -> int:
        return len(self._nodes)

    def __iter__(self) -> Iterator[str]:
        return (self._table.names[node] for node in self._nodes.tolist())

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._at(name) >= 0

    def __getitem__(self, name: str) -> T:
        node = self._at(name)
        if node < 0:
            raise KeyError(name)
        return self._what(node)

    def _at(self, name: str) -> int:
        node = self._table.find(name)
        place = np.searchsorted(self._nodes, node)
        return node if place < len(self._nodes) and self._nodes[place] == node else -1

    def then(self, change: Callable[[T], V]) -> ByName[V]:
        """The same mapping, with each value changed by `change`."""
        return ByName(self._table, self._nodes, lambda node: change(self._what(node)))


def _distinct(numbers: Ints) -> tuple[Ints, Ints]:
    """The distinct ones of many small numbers, at least 0, ascending, and the place of each number among them."""
    known = np.zeros(numbers.max() + 1, bool)
    known[numbers] = True
    return np.flatnonzero(known), (np.cumsum(known) - 1)[numbers]


def _player(node: Node) -> int:
    return node.player if isinstance(node, Decision) else CHANCE if isinstance(node, Reveal) else OVER


def _contest(node: Node) -> str:
    return node.contest if isinstance(node, Leaf) and node.stake != 0 else ""
