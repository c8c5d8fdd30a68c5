"""The public half of a game: who acts when, with which named actions, and what each ending pays.

Player 0 is the first player of the paper (I, A, opener), player 1 the second. Payoffs are chips that player 1 pays player 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from relance.model.arguments import checked
from relance.model.numbers import Number, as_written, check_between, did_you_mean

T = TypeVar("T")
K = TypeVar("K", "Leaf", "Decision", "Reveal")

History: TypeAlias = tuple[str, ...]

Choice: TypeAlias = tuple[str, int]
"""A decision node by name, and the index of the action taken there."""

OVER, CHANCE = -1, -2
"""The player at an ending, and at a node where chance turns up an event."""

MOST_BETS = 100
"""The most bets and raises in one play; there is a limit because algorithms walk the tree recursively."""


class Case(NamedTuple):
    """What decides which law an ending uses; see `relance.model.deal.DealOf.in_case`.

    Attributes:
        events: the events that chance turns up on the way, in order.
        contest: the contest of the showdown; "" for the usual one.
    """

    events: tuple[str, ...] = ()
    contest: str = ""


USUAL = Case()
"""The case of a game in which everything after the deal is public, and the higher hand wins."""


@dataclass(frozen=True)
class Leaf:
    """An ending: player 0 gets `constant + stake * edge` chips.

    `edge` is +1, 0 or -1 if player 0 wins, ties or loses the showdown, or an expected value in between; a fold has stake 0. At a
    showdown each player has put in the stake, or `put_in` if that is a different amount, as when chance may reverse the result.
    `contest` names the contest of the deal that decides the showdown, if it is not the usual one. Numbers may be floats or text: 0.1 and
    "1/10" are a tenth.
    """

    constant: Number
    stake: Number = 0
    put_in: Number | None = None
    contest: str = ""

    def __post_init__(self) -> None:
        for name in ("constant", "stake", "put_in"):
            object.__setattr__(self, name, as_written(getattr(self, name)))

    @cached_property
    def in_floats(self) -> tuple[float, float]:
        """The constant and the stake as floats."""
        return float(self.constant), float(self.stake)


@dataclass(frozen=True)
class Decision:
    """A public decision: `player` picks one of the named `actions`, which leads to the child of the same index."""

    player: int
    actions: tuple[str, ...]
    children: tuple[Node, ...]

    def index(self, action: str) -> int:
        """The index of `action` among the actions here.

        Raises:
            ValueError: there is no such action.
        """
        return _index(self.actions, action)

    def child(self, action: str) -> Node:
        """The child that `action` leads to; raises as `index` does."""
        return self.children[self.index(action)]

    @cached_property
    def paid(self) -> tuple[Number, Number]:
        """The chips that each player has put in so far, antes included. A player who folds loses theirs; a call matches the opponent's."""
        theirs = self._paid_by_other()
        folds = [leaf for leaf in self.children if isinstance(leaf, Leaf) and leaf.stake == 0 and leaf.put_in is None]
        mine = folds[0].constant * (2 * self.player - 1) if folds else theirs  # a player who cannot fold owes nothing
        return (mine, theirs) if self.player == 0 else (theirs, mine)

    def _paid_by_other(self) -> Number:
        """The chips that the player not to move has paid; the next action is the other player's and does not change them."""
        below = [after_events(child) for child in self.children]
        for later in below:
            if isinstance(later, Decision):
                return later.paid[1 - self.player]
        leaves = [leaf for leaf in below if isinstance(leaf, Leaf)]
        shown = (
            abs(leaf.stake if leaf.put_in is None else leaf.put_in) for leaf in leaves if leaf.stake or leaf.put_in
        )
        return next(shown, 0)  # a play that comes to no showdown

    def by_action(self, rows: Iterable[T]) -> dict[str, T]:
        """Label `rows`, one per action in order, with the names of the actions."""
        return dict(zip(self.actions, rows, strict=True))


@dataclass(frozen=True)
class Reveal:
    """Chance turns up one of the named `events` for both players to see; each leads to the child of the same index.

    How likely an event is depends on the hands: see `relance.model.deal.DealOf.after`.
    """

    events: tuple[str, ...]
    children: tuple[Node, ...]

    @cached_property
    def is_alike(self) -> bool:
        """True if the same betting follows each event."""
        return all(child == self.children[0] for child in self.children)


Node: TypeAlias = Leaf | Decision | Reveal


def steps_from(node: Node) -> Iterable[tuple[str, Node]]:
    """The names of the actions or events at a node, each with the node that it leads to; none at a leaf."""
    if isinstance(node, Leaf):
        return ()
    return zip(node.actions if isinstance(node, Decision) else node.events, node.children, strict=True)


def after_events(node: Node) -> Leaf | Decision:
    """The node itself, or the one that the first events lead to."""
    while isinstance(node, Reveal):
        node = node.children[0]
    return node


def _index(actions: tuple[str, ...], action: str) -> int:
    if action not in actions:
        raise ValueError(f"there is no action {action!r} here" + did_you_mean(action, actions))
    return actions.index(action)


@checked
def decision(player: int, **children: Node) -> Decision:
    """A decision of `player` with one child for each named action, in the order given."""
    return Decision(player, tuple(children), tuple(children.values()))


@checked
def reveal(**children: Node) -> Reveal:
    """A node where chance turns up one of the named events, with one child for each, in the order given."""
    return Reveal(tuple(children), tuple(children.values()))


@checked
def showdown(stake: Number, flip: Number = 0) -> Leaf:
    """An ending in which the hands are compared for `stake` chips; the lower one wins with probability `flip`.

    Raises:
        ValueError: `flip` is not a probability.
    """
    stake, flip = as_written(stake), as_written(flip)
    check_between("flip", flip, 0, 1)
    return Leaf(0, (1 - 2 * flip) * stake, stake) if flip else Leaf(0, stake)


@checked
def facing_a_bet(player: int, matched: Number, bets: Sequence[Number], raises_by: tuple[int, ...] = (0, 1)) -> Decision:
    """The decision of `player` who faces the bet `bets[0]`; before the bet each player has `matched` chips in the pot.

    The player folds, calls, or raises by `bets[1]`, which the opponent then faces, and so on. Only players in `raises_by` may raise.

    Raises:
        ValueError: there is no bet, or there are more than `MOST_BETS`.
    """
    if not bets:
        raise ValueError(f"bets={bets!r} must hold at least one bet, which the player faces")
    if len(bets) > MOST_BETS:
        raise ValueError(f"a play may have at most {MOST_BETS - 1} raises, not {len(bets) - 1}")
    matched, bets = as_written(matched), [as_written(bet) for bet in bets]
    children: dict[str, Node] = {
        "fold": Leaf(matched if player == 1 else -matched),
        "call": showdown(matched + bets[0]),
    }
    if len(bets) > 1 and player in raises_by:
        children["raise"] = facing_a_bet(1 - player, matched + bets[0], bets[1:], raises_by)
    return decision(player, **children)


def path_name(history: History) -> str:
    """The name of a node: its public history joined by hyphens, "" at the root."""
    return "-".join(history)


@dataclass(frozen=True)
class BettingTree:
    """A finite public tree of decisions, events and leaves; its nodes are numbered depth first. A history has actions and events."""

    root: Decision

    def walk(self) -> Iterator[tuple[History, Node]]:
        """All nodes with their public histories, depth first, parents before children."""

        def visit(history: History, node: Node) -> Iterator[tuple[History, Node]]:
            yield history, node
            for step, child in steps_from(node):
                yield from visit((*history, step), child)

        return visit((), self.root)

    @cached_property
    def histories(self) -> dict[str, History]:
        """The public history of each node and ending, by name, depth first."""
        return {path_name(history): history for history, _ in self.walk()}

    def _of_kind(self, kind: type[K]) -> dict[str, K]:
        return {path_name(history): node for history, node in self.walk() if isinstance(node, kind)}

    @cached_property
    def decisions(self) -> dict[str, Decision]:
        """Decision nodes by name, depth first. The name is the history joined by hyphens; the root is ""."""
        return self._of_kind(Decision)

    @cached_property
    def turns(self) -> dict[str, Decision | Reveal]:
        """Decisions and events by name, depth first."""
        return {path_name(history): node for history, node in self.walk() if not isinstance(node, Leaf)}

    @cached_property
    def leaves(self) -> dict[str, Leaf]:
        """Endings by name, depth first."""
        return self._of_kind(Leaf)

    @cached_property
    def reveals(self) -> dict[str, Reveal]:
        """The nodes where chance turns up an event, by name, depth first."""
        return self._of_kind(Reveal)

    @cached_property
    def events(self) -> tuple[str, ...]:
        """Every event name once, in order of first appearance; an index into it is an event id."""
        return tuple(dict.fromkeys(event for node in self.reveals.values() for event in node.events))

    @cached_property
    def cases(self) -> dict[str, Case]:
        """The case of each node and ending, by name; only endings have a contest."""
        out = {"": USUAL}
        for history, node in self.walk():
            name = path_name(history)
            for step, child in steps_from(node):
                events = (*out[name].events, *([step] if isinstance(node, Reveal) else []))
                contest = child.contest if isinstance(child, Leaf) and child.stake != 0 else ""
                out[path_name((*history, step))] = Case(events, contest) if events or contest else USUAL
        return out

    @cached_property
    def is_usual(self) -> bool:
        """True if no event turns up after the deal, and all showdowns are the usual contest."""
        return all(case == USUAL for case in self.cases.values())

    @cached_property
    def actions(self) -> tuple[str, ...]:
        """Every action name once; an index into it is an action id.

        They are listed in order of first appearance, but if a node has them in another order, that order counts: action ids ascend at
        each node.

        Raises:
            ValueError: two nodes have the same actions in different orders.
        """
        nodes = self.decisions.values()
        before: dict[str, set[str]] = {action: set() for node in nodes for action in node.actions}
        for node in nodes:
            for first, second in pairwise(node.actions):
                before[second].add(first)
        out: list[str] = []
        while left := [action for action in before if action not in out]:
            free = [action for action in left if before[action] <= set(out)]
            if not free:
                raise ValueError(f"the actions {', '.join(left)} are in different orders at different nodes")
            out.append(free[0])
        return tuple(out)

    def action_id(self, action: str) -> int:
        """The index of an action name in `actions`; raises as `Decision.index` does."""
        return _index(self.actions, action)

    @cached_property
    def depth(self) -> int:
        """The largest number of actions in a play."""
        return max(len(history) - len(self.cases[path_name(history)].events) for history, _ in self.walk())

    @cached_property
    def _last_choices(self) -> dict[str, tuple[Choice | None, Choice | None]]:
        out: dict[str, tuple[Choice | None, Choice | None]] = {"": (None, None)}
        for history, node in self.walk():
            name = path_name(history)
            first, second = out[name]
            for i, (step, _) in enumerate(steps_from(node)):
                below = path_name((*history, step))
                out[below] = first, second
                if isinstance(node, Decision):
                    out[below] = ((name, i), second) if node.player == 0 else (first, (name, i))
        return out

    def last_choice(self, name: str, player: int) -> Choice | None:
        """The last choice of `player` on the way to a node or ending; None if the player has not acted before it."""
        return self._last_choices[name][player]

    @cached_property
    def table(self) -> TreeTable:
        """The tree as arrays, compiled once."""
        return TreeTable(self)

    def of(self, player: int) -> dict[str, Decision]:
        """The decision nodes of `player`, by name."""
        return {name: node for name, node in self.decisions.items() if node.player == player}


class TreeTable:
    """A betting tree as arrays over nodes (decisions, events and leaves, depth first, the root is 0), action ids and event ids.

    Attributes, with M nodes, A action ids, E event ids, depth L and at most R events in a play:
        names: node names.
        player: (M,) int; who acts, `OVER` at a leaf, `CHANCE` where an event turns up.
        child: (M, A) int; the node that an action leads to, -1 where it is not legal.
        legal: (M, A) bool.
        legal_ids: for each node the list of legal action ids, ascending.
        constant, stake: (M,) float64 chips to player 0 at a leaf, 0 elsewhere.
        history: (M, L, A) float32; one row per action taken so far, one-hot.
        past: for each node the list of action ids that lead to it.
        turned: (M, R, E) float32; one row per event so far, one-hot.
        path: for each node the list of action and event ids that lead to it, in order.
        after: for each node {event id: the node that the event leads to}.
        cases: for each node its case.
    """

    def __init__(self, tree: BettingTree) -> None:
        nodes = list(tree.walk())
        ids = {action: i for i, action in enumerate(tree.actions)}
        index = {history: i for i, (history, _) in enumerate(nodes)}
        size, width = len(nodes), len(ids)
        self.names = [path_name(history) for history, _ in nodes]
        self.player: npt.NDArray[np.int8] = np.full(size, -1, np.int8)
        self.child: npt.NDArray[np.int32] = np.full((size, width), -1, np.int32)
        self.constant = np.zeros(size)
        self.stake = np.zeros(size)
        self.history: npt.NDArray[np.float32] = np.zeros((size, tree.depth, width), np.float32)
        event_ids = {event: i for i, event in enumerate(tree.events)}
        self.cases = [tree.cases[name] for name in self.names]
        most = max(len(case.events) for case in self.cases)
        self.turned: npt.NDArray[np.float32] = np.zeros((size, most, len(event_ids)), np.float32)
        self.past: list[list[int]] = [[] for _ in nodes]
        self.path: list[list[int]] = [[] for _ in nodes]
        self.after: list[dict[int, int]] = [{} for _ in nodes]
        for i, (history, node) in enumerate(nodes):
            self.history[i, range(len(self.past[i])), self.past[i]] = 1
            for k, event in enumerate(self.cases[i].events):
                self.turned[i, k, event_ids[event]] = 1
            if isinstance(node, Leaf):
                self.constant[i], self.stake[i] = float(node.constant), float(node.stake)
            else:
                self.player[i] = node.player if isinstance(node, Decision) else CHANCE
            for step, _ in steps_from(node):
                below = index[(*history, step)]
                number = ids[step] if isinstance(node, Decision) else event_ids[step]
                self.path[below] = [*self.path[i], number]
                if isinstance(node, Decision):
                    self.child[i, number], self.past[below] = below, [*self.past[i], number]
                else:
                    self.after[i][number], self.past[below] = below, self.past[i]
        self.legal: npt.NDArray[np.bool_] = self.child >= 0
        self.legal_ids = [np.flatnonzero(row).tolist() for row in self.legal]
