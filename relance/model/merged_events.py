"""Events that are alike, such as a club and a diamond that turn up where neither suit differs from the other: one stands for all.

If a renaming of hands and events leaves the law as it is, then a player may play after one event with a hand as after the other with the
renamed hand. CFR from equal regrets does so by itself, so `relance.solvers.cfr_solver` plays after one event of each kind, with the
probability of all of them, and averages over the renamings what hands earn before an event: the same iterations, with less work.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from relance.model.arrays import Array, Ints
from relance.model.sequences import Alike
from relance.model.tree import BettingTree, Decision, Leaf, Node, Reveal, path_name, steps_from


@dataclass(frozen=True)
class StandIn:
    """The event that stands for another one, and for each player the hand there that each hand plays as, (hands,)."""

    event: str
    hands: tuple[Ints, Ints]


@dataclass(frozen=True)
class MergedEvents:
    """How events that are alike are merged.

    Attributes:
        shares: {event that stands for some: how many}.
        stands_in: for each event the one that stands for it.
        renamings: for each player what each renaming makes of each hand, (renamings, hands).
    """

    shares: Mapping[str, int]
    stands_in: Mapping[str, StandIn]
    renamings: tuple[Ints, Ints]

    @cached_property
    def alike(self) -> tuple[Alike, Alike]:
        """For each player the hands that a renaming makes of each other."""
        first, second = self.renamings
        return Alike.under(first), Alike.under(second)

    def tree(self, tree: BettingTree) -> BettingTree | None:
        """The tree with one event for all that are alike; None if they are followed by different betting, or by more events."""

        def merged(node: Node, events: int = 0) -> Node:
            if isinstance(node, Leaf):
                return node
            if isinstance(node, Decision):
                return Decision(node.player, node.actions, tuple(merged(child, events) for child in node.children))
            below = dict(steps_from(node))
            if events or any(below.get(self.stands_in[event].event) != child for event, child in below.items()):
                raise _DifferentError
            return Reveal(tuple(self.shares), tuple(merged(below[event], 1) for event in self.shares))

        try:
            root = merged(tree.root)
        except _DifferentError:
            return None
        assert isinstance(root, Decision)
        return BettingTree(root)

    def spread(self, tree: BettingTree, player: int, rows: Mapping[str, Array]) -> dict[str, Array]:
        """Return what a player does, (actions, hands), at each of their nodes of the whole tree, from that in the merged one."""
        out = {}
        for name in tree.of(player):
            if not (events := tree.cases[name].events):
                out[name] = rows[name]
                continue
            stand_in = self.stands_in[events[0]]
            history = [stand_in.event if step == events[0] else step for step in tree.histories[name]]
            out[name] = rows[path_name(tuple(history))][:, stand_in.hands[player]]
        return out


class _DifferentError(Exception):
    """Different betting follows events that are alike, or more events follow them."""
