"""A game as every algorithm sees it: a sequence form for each player, and a payoff operator.

Both are made from a betting tree with a deal, or from a tree of histories. A *slot* is the number of an action at an information set, or
in a betting tree at a node, for all hands at once. The *sequence* that leads a player to a node is numbered by the player's last choice on
the way: 0 if there is none, else 1 + that choice's slot. Arrays have shape (slots, hands) or (sequences, hands); a player has one hand in a
tree of histories. Numbers are floats, fractions or symbolic parameters; with hands on [0, 1] there is one column, of functions of the hand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial, reduce
from itertools import groupby
from operator import mul
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar

import numpy as np

from relance.model.arrays import Array, Floats, Ints, Put, in_shares, thread_count
from relance.model.numbers import Number
from relance.model.tree import OVER, BettingTree, Case, Choice, Decision, Leaf
from relance.model.tree_table import ByName, TreeTable

T = TypeVar("T")

Index: TypeAlias = slice | Ints
"""Which rows of an array: a slice, or row numbers."""

ALL = slice(None)
"""All rows or hands."""


class DecisionPoints(NamedTuple):
    """A player's information sets, or in a betting tree the player's nodes, each for all hands; earlier ones first.

    Attributes, with n such points:
        actions: (n,) the number of actions at each point.
        after: (n,) the index of the point where the player made the last choice before this point; -1 if there was none.
        choice: (n,) the index of the action chosen there.
    """

    actions: Ints
    after: Ints
    choice: Ints


class Group(NamedTuple):
    """A player's nodes with equally many earlier choices of the player, equally many actions, and consecutive slots.

    Attributes:
        slots: the slots, the numbers of the player's actions, of all nodes in the group.
        shape: (number of nodes, actions at each).
        before: the sequence that leads to each node, in ascending order.
        starts: (k,) the first node of each of the k runs of nodes after the same sequence; None if all sequences differ.
    """

    slots: slice
    shape: tuple[int, int]
    before: Index
    starts: Ints | None = None

    def of(self, values: Array) -> Array:
        """Return a view, (nodes, actions, hands), of the rows of `values`, (all slots, hands), that belong to this group's nodes."""
        view: Array = values[self.slots].reshape(*self.shape, -1)
        return view

    def pass_on(self, values: Array, at_nodes: Array) -> None:
        """Add `at_nodes`, (nodes, hands), to the rows of `values`, (sequences, hands), of the sequences that lead to the nodes."""
        add_rows(values, self.before, self.starts, at_nodes)


def add_rows(values: Array, rows: Index, starts: Ints | None, added: Array) -> None:
    """Add `added[i]` to `values[rows[i]]` for all i, in any arithmetic; `starts` is `starts_if_repeated(rows)`."""
    if starts is None:
        values[rows] += added
    elif hasattr(values, "index_add_"):
        values.index_add_(0, rows, 1 * added)  # a copy: of a single action the best is a view of these values
    else:
        values[row_numbers(rows)[starts]] += np.add.reduceat(added, starts)


def starts_if_repeated(rows: Sequence[int] | Ints) -> Ints | None:
    """The index in `rows`, which ascend, where each run of equal numbers starts; None if all numbers differ."""
    starts = np.flatnonzero(np.diff(rows, prepend=-1))
    return starts if len(starts) < len(rows) else None


@dataclass(frozen=True, eq=False)
class WrittenTerminals:
    """A player's payoffs at the terminal nodes of a game with few hands, written out for each pair of hands.

    There are E terminal nodes, in the order of the player's sequences, H hands of the player, and K of the opponent. With several
    opponents, with exact numbers, and in a tree of histories, each player has a single hand: H = K = 1.

    Attributes:
        own: (E,) the player's sequence that leads to each terminal node.
        theirs: for each other player, (E,) that player's sequence that leads to each terminal node.
        chips: (E, H, K) the player's chips for each pair of hands, times the probability of the hands and events; in any arithmetic.
        starts: where each run of equal numbers in `own` starts; None if all differ.
    """

    own: Ints
    theirs: tuple[Ints, ...]
    chips: Array
    starts: Ints | None

    @staticmethod
    def of(own: Ints, theirs: Sequence[Ints], chips: Array) -> WrittenTerminals:
        """Make the object from terminal nodes in any order, which it sorts by `own`."""
        order = np.argsort(own, kind="stable")
        own = own[order]
        return WrittenTerminals(own, tuple(rows[order] for rows in theirs), chips[order], starts_if_repeated(own))

    def pay(self, reach: Sequence[Array], values: Array) -> None:
        """Add the player's counterfactual values to `values`, (player's sequences, player's hands).

        `reach` has for each other player the reach probabilities of that player's sequences, (sequences, that player's hands).
        """
        if len(reach) == 1 and isinstance(self.chips, np.ndarray) and self.chips.dtype != object:
            matrix = self.matrix
            values.reshape(-1)[: matrix.shape[0]] += matrix @ reach[0].reshape(-1)[: matrix.shape[1]]
            return
        led: Any = reduce(mul, (played[rows] for played, rows in zip(reach, self.theirs, strict=True)), 1)
        if len(self.own):
            add_rows(values, self.own, self.starts, led * self.chips[:, :, 0])

    @cached_property
    def matrix(self) -> Any:
        """The sparse float matrix that, with two players, takes the opponent's reach probabilities to the player's counterfactual values.

        Column s * J + j is for sequence s and hand j of the opponent, who has J hands; row s * I + i is for sequence s and hand i of the
        player, who has I hands. For each player, sequences beyond the last that leads to a terminal node are left out.
        """
        from scipy.sparse import csr_array

        _, hands, their_hands = self.chips.shape
        rows = self.own[:, None, None] * hands + np.arange(hands)[:, None] + np.zeros(their_hands, np.int64)
        columns = self.theirs[0][:, None, None] * their_hands + np.arange(their_hands) + np.zeros((hands, 1), np.int64)
        shape = (self.own.max(initial=0) + 1) * hands, (self.theirs[0].max(initial=0) + 1) * their_hands
        matrix = csr_array((self.chips.ravel(), (rows.ravel(), columns.ravel())), shape)
        matrix.eliminate_zeros()
        return matrix

    def moved(self, put: Put) -> WrittenTerminals:
        """The same terminal nodes, with arrays converted by `put`."""
        starts = None if self.starts is None else put(self.starts)
        return WrittenTerminals(put(self.own), tuple(put(rows) for rows in self.theirs), put(self.chips), starts)


class MatrixTerminals(NamedTuple):
    """The terminal nodes of a large tree whose deals are matrices; the fields are arguments of `relance.model.matrix_loops.pay`."""

    own: Ints
    theirs: Ints
    chips: Floats
    which: Ints
    distributions: Floats

    def pay(self, reach: Sequence[Array], values: Array) -> None:
        """Add counterfactual values to `values` as `WrittenTerminals.pay` does, on all processors."""
        from relance.model.matrix_loops import pay

        shares = np.linspace(0, len(self.own), thread_count() + 1).astype(int)
        borders = [int(np.searchsorted(self.own, self.own[k])) if k < len(self.own) else k for k in shares.tolist()]

        def work(low: int, high: int) -> None:
            for part in range(low, high):
                pay(borders[part], borders[part + 1], *self, reach[0], values)

        in_shares(work, len(borders) - 1, thread_count())


class PayoffOperator(Protocol):
    """The linear map from the opponents' reach probabilities to a player's counterfactual values at terminal nodes."""

    def size(self, player: int) -> int:
        """Return how many private hands a player can have; 1 for a tree of histories, in which chance nodes deal the hands."""

    def written(self, side: SequenceForm, player: int) -> WrittenTerminals | MatrixTerminals | None:
        """Return the terminal nodes of `side` as an object whose `pay` adds counterfactual values; None if callers must use `pay_cases`."""

    def in_case(self, case: Case) -> PayoffOperator:
        """Return the operator for terminal nodes after the chance events of `case`, whose showdowns follow the rule `case.contest`."""

    def pay_cases(self, player: int, cases: Sequence[CaseTerminals], reach: Array, values: Array) -> None:
        """Add `player`'s counterfactual values at the terminal nodes of `cases` to `values`, (player's sequences, player's hands).

        `reach`, (opponent's sequences, opponent's hands), has the opponent's reach probabilities.
        """

    @property
    def distribution_rows(self) -> int:
        """How many floats per hand this payoff operator stores for the distribution of hands; estimates of memory use it."""

    @property
    def floats(self) -> PayoffOperator:
        """This operator with its numbers in float64."""

    @property
    def compiled(self) -> PayoffOperator:
        """This operator with its numbers in float64, and with compiled loops where possible."""

    def moved(self, put: Put) -> PayoffOperator:
        """This operator with its numbers in floats, in arrays that `put` has converted."""


class Terminals(NamedTuple):
    """k terminal nodes that follow k different sequences of a player.

    Attributes:
        own, theirs: (k,) the player's sequence, and the opponent's, that lead to each node.
        chips: (k, 1) the player's chips at each node: what the player gets, or the stake of the showdown.
    """

    own: Index
    theirs: Index
    chips: Floats


@dataclass(frozen=True)
class CaseTerminals:
    """The terminal nodes of one case: after the same chance events, and with the same contest, the rule that compares hands.

    Attributes:
        case: the events and the contest, which say which distribution of the deal applies.
        paid: the terminal nodes where a player gets or pays chips whatever the hands are, with these chips, in floats or exact.
        fought: the terminal nodes with a showdown, with its stake in chips, in floats or exact. A node may be in `paid` too.
    """

    case: Case
    paid: Sequence[Terminals]
    fought: Sequence[Terminals]

    @cached_property
    def met(self) -> tuple[tuple[Index, list[Index]], ...]:
        """Return a pair (rows, places) of the opponent's sequences for each of the lists `paid` (fixed chips) and `fought` (showdowns).

        In each pair `rows` has the numbers of all sequences of the opponent that lead to a node of the list, in ascending order. `places`
        has one array for each `Terminals` of the list. In this array, the entry for a node is the index in `rows` of the opponent's
        sequence that leads to the node.
        """
        out = []
        for parts in (self.paid, self.fought):
            theirs = [row_numbers(part.theirs) for part in parts]
            rows = np.unique(np.concatenate([np.zeros(0, np.int64), *theirs]))
            out.append((_index(rows), [_index(np.searchsorted(rows, of)) for of in theirs]))
        return tuple(out)

    @cached_property
    def listed(self) -> list[list[tuple[Ints, Ints, Floats]]]:
        """Return two lists, for `paid` and for `fought`. Each item is a `Terminals` of k nodes as three (k,) arrays: own, theirs, chips."""
        return [
            [(row_numbers(e.own), row_numbers(e.theirs), e.chips[:, 0].copy()) for e in part]
            for part in (self.paid, self.fought)
        ]


@dataclass(frozen=True)
class SequenceForm:
    """One player's sequence form of a game (von Stengel 1996, Efficient computation of behavior strategies).

    Attributes:
        starts: (n,) for each of the player's n information sets, or nodes of a betting tree, the slot (the number) of the first action.
        actions: (n,) how many actions there are at each of these n points; their slots follow each other.
        names: the names of the n points; in a large betting tree a mapping from name to index.
        size: the number of slots, which is that of all actions at the n points.
        groups: the n points, each in one `Group`; those with fewer earlier choices of the player come first.
        widths: for each number of actions, one `Group` of all points with so many; its `slots` and `shape` are right, the rest is not used.
        terminals: the terminal nodes of a betting tree, grouped by the chance events before a node and by the rule (the contest) with which
            its showdown compares hands; one group if there are no events and the higher hand always wins. Empty in a tree of histories.
    """

    starts: Ints
    actions: Ints
    names: Sequence[str] | ByName[int]
    size: int
    groups: Sequence[Group]
    widths: Sequence[Group]
    terminals: Sequence[CaseTerminals]

    @cached_property
    def slots(self) -> Mapping[str, slice]:
        """{name of an information set or node: the numbers (slots) of its actions, a slice}, ascending except in a large betting tree."""

        def at(k: int) -> slice:
            return slice(int(self.starts[k]), int(self.starts[k] + self.actions[k]))

        if isinstance(self.names, ByName):
            return self.names.then(at)
        return {self.names[k]: at(k) for k in np.argsort(self.starts).tolist()}

    def sequences(self, after: Ints, choice: Ints) -> Ints:
        """The sequences that end with action `choice` at information set `after`, as numbers; 0 where `after` is -1."""
        return np.where(after < 0, 0, self.starts.take(after, mode="clip") + choice + 1) if self.size else 0 * after

    def moved(self, put: Put) -> SequenceForm:
        """Return a copy in which `put` (see `arrays.putter`) has converted the arrays of `terminals` and of `Group.before` in `groups`."""

        def at(rows: Index) -> Index:
            return rows if isinstance(rows, slice) else put(rows)

        def moved(parts: Sequence[Terminals]) -> list[Terminals]:
            return [Terminals(at(part.own), at(part.theirs), put(part.chips)) for part in parts]

        cases = [replace(of, paid=moved(of.paid), fought=moved(of.fought)) for of in self.terminals]
        for of, before in zip(cases, self.terminals, strict=True):
            vars(of)["met"] = tuple((at(rows), [at(place) for place in places]) for rows, places in before.met)
        groups = [group._replace(before=at(group.before)) for group in self.groups]
        return replace(self, terminals=cases, groups=groups)


def sides(tree: BettingTree, exact: bool = False) -> tuple[SequenceForm, SequenceForm]:
    """Return both players' sequence forms of a betting tree, made once and kept; chips are floats, or as in the tree if `exact`."""
    kept = vars(tree).setdefault("sides", {})
    if exact not in kept:
        kept[exact] = _sides(tree, exact)
    found: tuple[SequenceForm, SequenceForm] = kept[exact]
    return found


class Later(Sequence[T]):
    """A list that is made when it is first asked for."""

    def __init__(self, make: Callable[[], list[T]]) -> None:
        self._made = cache(make)

    def __len__(self) -> int:
        return len(self._made())

    def __getitem__(self, k: Any) -> Any:
        return self._made()[k]


def _sides(tree: BettingTree, exact: bool) -> tuple[SequenceForm, SequenceForm]:
    table, nodes, forms = tree.table, tree.kinds.nodes, list[SequenceForm]()
    for player in (0, 1):
        mine = np.flatnonzero(table.player == player)
        actions = np.array([len(node.actions) if isinstance(node, Decision) else 0 for node in nodes])[table.kind[mine]]
        points = DecisionPoints(actions, *np.divmod(table.last[player][mine], table.most_actions))
        forms.append(sequence_form(points, _names(table, mine)))

    @cache
    def ends() -> tuple[Ints, list[Ints], list[Ints], Array, Array]:
        """The terminal nodes; each player's sequences to them; the indices of each case's nodes; constants and stakes of `nodes`."""

        def amounts(what: Callable[[Leaf], Number]) -> Array:
            return column([what(node) if isinstance(node, Leaf) else 0 if exact else 0.0 for node in nodes])[:, 0]

        leaves = np.flatnonzero(table.player == OVER)
        by_case = np.argsort(table.case[leaves], kind="stable")
        runs = np.split(by_case, np.flatnonzero(np.diff(table.case[leaves][by_case])) + 1)
        runs.sort(key=lambda run: int(run[0]))  # in the order in which plays depth first meet them
        last = [np.divmod(table.last[player][leaves], table.most_actions) for player in (0, 1)]
        return (
            leaves,
            [form.sequences(*at) for form, at in zip(forms, last, strict=True)],
            runs,
            amounts(lambda leaf: leaf.constant if exact else leaf.in_floats[0]),
            amounts(lambda leaf: leaf.stake if exact else leaf.in_floats[1]),
        )

    def cases(player: int) -> list[CaseTerminals]:
        leaves, sequences, runs, constant, stake = ends()
        kinds = table.kind[leaves]

        def terminals(run: Ints, chips: Array) -> list[Terminals]:
            run = run[(chips != 0).astype(bool)[kinds[run]]]
            return _terminals(sequences[player][run], sequences[1 - player][run], chips[kinds[run]])

        paid = (1 - 2 * player) * constant
        return [
            CaseTerminals(table.every_case[table.case[leaves[run[0]]]], terminals(run, paid), terminals(run, stake))
            for run in runs
        ]

    first, second = (replace(form, terminals=Later(partial(cases, player))) for player, form in enumerate(forms))
    return first, second


def _names(table: TreeTable, nodes: Ints) -> Sequence[str] | ByName[int]:
    found = table.named(nodes, lambda node: int(np.searchsorted(nodes, node)))
    return found if isinstance(found, ByName) else list(found)


def sequence_form(points: DecisionPoints, names: Sequence[str] | ByName[int]) -> SequenceForm:
    """A player's sequence form, without terminal nodes, from decision points and their names.

    Slots, the numbers of the actions, follow this order: points with fewer actions come first; among these, points with fewer earlier
    choices of the player; and among these, points after a sequence of lower number. The actions of one point follow each other. A sequence
    that ends with the action of slot s has the number s + 1.
    """
    actions, after, choice = points
    depth, before = np.zeros(len(actions), np.int64), after.copy()
    left = np.flatnonzero(after >= 0)
    while len(left):  # those with one more before them
        depth[left] += 1
        before[left] = after[before[left]]
        left = left[before[left] >= 0]
    order = np.lexsort((actions, depth))
    levels = np.split(order, np.flatnonzero(np.diff(depth[order]) | np.diff(actions[order])) + 1) if len(order) else []
    end, places = 0, dict[int, slice]()
    for i in sorted(range(len(levels)), key=lambda i: (actions[levels[i][0]], depth[levels[i][0]])):
        places[i] = slice(end, end := end + int(actions[levels[i][0]]) * len(levels[i]))
    form = SequenceForm(np.zeros(len(actions), np.int64), actions, names, end, [], [], ())
    groups: list[Group] = []
    for i, level in enumerate(levels):  # so the slots of parents are known
        rows = form.sequences(after[level], choice[level])
        sort = np.argsort(rows, kind="stable")
        shape = len(level), int(actions[level[0]])
        form.starts[level[sort]] = np.arange(places[i].start, places[i].stop, shape[1])
        groups.append(Group(places[i], shape, _index(rows[sort]), starts_if_repeated(rows[sort])))
    by_slot = groupby(sorted(groups, key=lambda group: group.slots.start), lambda group: group.shape[1])
    return replace(form, groups=groups, widths=[_joined(list(same)) for _, same in by_slot])


def sequence_after(slots: Mapping[str, slice], choice: Choice | None) -> int:
    """Return the number of the player's sequence that ends with `choice`; 0 if that is None. `slots` is {node: its actions' numbers}."""
    return 0 if choice is None else slots[choice[0]].start + choice[1] + 1


def _index(rows: Ints) -> Index:
    """A slice if the rows are evenly spaced, which is quicker."""
    step = int(rows[1] - rows[0]) if len(rows) > 1 else 1
    if len(rows) and step > 0 and (np.diff(rows) == step).all():
        return slice(int(rows[0]), int(rows[-1]) + 1, step)
    return rows


def row_numbers(index: Index) -> Ints:
    """The row numbers that `index` stands for, as an array."""
    return np.arange(index.start, index.stop, index.step) if isinstance(index, slice) else index


def _terminals(own: Ints, theirs: Ints, chips: Array) -> list[Terminals]:
    """Terminal nodes in as few parts as possible: the k-th terminal node that follows a sequence of the player goes into the k-th part."""
    order = np.argsort(own, kind="stable")
    starts = np.flatnonzero(np.diff(own[order], prepend=-1))
    place = np.arange(len(own)) - np.repeat(starts, np.diff([*starts, len(own)]))
    parts = (order[place == k] for k in range(place.max(initial=-1) + 1))
    return [Terminals(_index(own[part]), _index(theirs[part]), column(chips[part])) for part in parts]


def column(numbers: Sequence[Any] | Array) -> Array:
    """Return k numbers or functions of the hand as an array (k, 1). A list of floats becomes float64; other lists become object."""
    if isinstance(numbers, np.ndarray) and numbers.dtype != object:
        return numbers[:, None]
    if len(numbers) and all(isinstance(number, float) for number in numbers):
        return np.array(numbers)[:, None]
    out = np.empty((len(numbers), 1), object)
    out[:, 0] = numbers
    return out


def _joined(groups: Sequence[Group]) -> Group:
    first, last = groups[0], groups[-1]
    return Group(
        slice(first.slots.start, last.slots.stop), (sum(group.shape[0] for group in groups), first.shape[1]), ALL
    )
