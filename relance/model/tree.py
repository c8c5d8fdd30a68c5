"""The public half of a game: a betting tree, made of the nodes of `relance.model.nodes`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np

from relance.model.nodes import CHANCE as CHANCE
from relance.model.nodes import MOST_BETS as MOST_BETS
from relance.model.nodes import OVER as OVER
from relance.model.nodes import USUAL as USUAL
from relance.model.nodes import Case as Case
from relance.model.nodes import Choice as Choice
from relance.model.nodes import Decision as Decision
from relance.model.nodes import History as History
from relance.model.nodes import Leaf as Leaf
from relance.model.nodes import Node as Node
from relance.model.nodes import Reveal as Reveal
from relance.model.nodes import after_events as after_events
from relance.model.nodes import decision as decision
from relance.model.nodes import facing_a_bet as facing_a_bet
from relance.model.nodes import index_of
from relance.model.nodes import path_name as path_name
from relance.model.nodes import reveal as reveal
from relance.model.nodes import showdown as showdown
from relance.model.nodes import steps_from as steps_from
from relance.model.tree_table import Kinds, TreeTable, is_large


@dataclass(frozen=True)
class BettingTree:
    """A betting tree of decision, chance and terminal nodes, numbered depth first; a history has actions and events."""

    root: Decision

    def __reduce__(self) -> tuple[object, ...]:
        return BettingTree, (self.root,)  # arrays are made again

    @property
    def is_large(self) -> bool:
        """True if the nodes are kept in arrays only, not as Python objects; see `relance.model.tree_table.MOST_LISTED`."""
        return is_large(self.kinds.size[0])

    def walk(self) -> Iterator[tuple[History, Node]]:
        """All nodes with their public histories, depth first, parents before children."""

        def visit(history: History, node: Node) -> Iterator[tuple[History, Node]]:
            yield history, node
            for step, child in steps_from(node):
                yield from visit((*history, step), child)

        return visit((), self.root)

    @cached_property
    def kinds(self) -> Kinds:
        """The distinct node objects of the tree, of which one may stand at several places."""
        return Kinds(self.root)

    @cached_property
    def table(self) -> TreeTable:
        """The tree as arrays, compiled once."""
        return TreeTable(self.kinds)

    def _of(self, *players: int) -> Mapping[str, Any]:
        """The nodes at which one of these players acts, by name."""
        table = self.table
        nodes = np.flatnonzero(np.isin(table.player, players))
        return table.named(nodes, lambda node: self.kinds.nodes[table.kind[node]])

    @cached_property
    def histories(self) -> Mapping[str, History]:
        """The public history of each node, by the node's name, depth first."""
        return self.table.named(np.arange(self.table.size), self.table.history_of)

    @cached_property
    def decisions(self) -> Mapping[str, Decision]:
        """Decision nodes by name, depth first. The name is the history joined by hyphens; the root is ""."""
        return self._of(0, 1)

    @cached_property
    def turns(self) -> Mapping[str, Decision | Reveal]:
        """Decision nodes and chance nodes by name, depth first."""
        return self._of(0, 1, CHANCE)

    @cached_property
    def leaves(self) -> Mapping[str, Leaf]:
        """Terminal nodes by name, depth first."""
        return self._of(OVER)

    @cached_property
    def reveals(self) -> Mapping[str, Reveal]:
        """Chance nodes by name, depth first."""
        return self._of(CHANCE)

    @property
    def events(self) -> tuple[str, ...]:
        """Every event name once, in order of first appearance; an index into it is an event id."""
        return self.kinds.events

    @cached_property
    def cases(self) -> Mapping[str, Case]:
        """The case of each node by name: the events before it, and at a terminal node the rule that compares hands."""
        return self.table.named(np.arange(self.table.size), self.table.cases.__getitem__)

    @cached_property
    def is_usual(self) -> bool:
        """True if there are no chance nodes, and the higher hand wins at every showdown."""
        return not self.events and not any(
            isinstance(node, Leaf) and node.contest and node.stake != 0 for node in self.kinds.nodes
        )

    @property
    def actions(self) -> tuple[str, ...]:
        """Every action name once; an index into it is an action id; see `Kinds.actions`."""
        return self.kinds.actions

    def action_id(self, action: str) -> int:
        """The index of an action name in `actions`; ValueError if there is no such action."""
        return index_of(self.actions, action)

    @cached_property
    def depth(self) -> int:
        """The largest number of actions in a play."""
        return self.kinds.depth[0]

    def last_choice(self, name: str, player: int) -> Choice | None:
        """Return the last choice of `player` before node `name`, (node, index of action); None if there is none.

        Raises:
            KeyError: there is no such node.
        """
        return self._last_choices[player][name]

    @cached_property
    def _last_choices(self) -> tuple[Mapping[str, Choice | None], ...]:
        table = self.table
        nodes = [np.flatnonzero(table.player == player) for player in (0, 1)]

        def choice(player: int, node: int) -> Choice | None:
            number, action = divmod(int(table.last[player][node]), table.most_actions)
            return None if number < 0 else (table.names[nodes[player][number]], action)

        return tuple(table.named(np.arange(table.size), partial(choice, player)) for player in (0, 1))

    def of(self, player: int) -> Mapping[str, Decision]:
        """The decision nodes of `player`, by name."""
        return self._of(player)
