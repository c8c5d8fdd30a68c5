"""The public half of a game: who acts when, with which named actions, and what each terminal node pays.

Player 0 is the first player of the game's paper (I, A, opener), player 1 the second. Payoffs are chips that player 1 pays player 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias, TypeVar

from relance.model.arguments import checked
from relance.model.numbers import Number, as_written, check_between, did_you_mean

T = TypeVar("T")

History: TypeAlias = tuple[str, ...]

Choice: TypeAlias = tuple[str, int]
"""A decision node by name, and the index of the action taken there."""

OVER, CHANCE = -1, -2
"""Used in place of a player's number: `OVER` at terminal nodes, `CHANCE` at chance nodes."""

MOST_BETS = 100
"""The most bets and raises in one play; there is a limit because algorithms walk the tree recursively."""


class Case(NamedTuple):
    """The chance events before a node, and the rule of its showdown; they say which deal applies: see `relance.model.deal.DealOf.in_case`.

    Attributes:
        events: the events that turn up at chance nodes on the way, in order.
        contest: the name of the rule by which the showdown compares hands; "" for the usual rule that the higher hand wins.
    """

    events: tuple[str, ...] = ()
    contest: str = ""


USUAL = Case()
"""The case without events after the deal, in which the higher hand wins."""


@dataclass(frozen=True)
class Leaf:
    """A terminal node: player 0 gets `constant + stake * edge` chips; the edge is 1 if player 0 wins a showdown, 0 at a tie, -1 at a loss.

    The edge is an expected value in between if the hands leave the winner to chance; a fold has stake 0. `put_in` is
    the number of chips that each player has in the pot at a showdown; None means as many as the stake. Where the lower hand wins with
    probability p, the stake is (1 - 2p) times `put_in`. `contest` names the deal's rule for who wins the showdown, "" if the higher hand
    does. Numbers may be floats or text: 0.1 and "1/10" are a tenth.
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
        """(constant, stake) as floats."""
        return float(self.constant), float(self.stake)


@dataclass(frozen=True)
class Decision:
    """A decision node: `player` chooses one of the named `actions`, and `actions[i]` leads to `children[i]`."""

    player: int
    actions: tuple[str, ...]
    children: tuple[Node, ...]

    def index(self, action: str) -> int:
        """The index of `action` among the actions here.

        Raises:
            ValueError: there is no such action.
        """
        return index_of(self.actions, action)

    def child(self, action: str) -> Node:
        """The child that `action` leads to; ValueError if there is no such action."""
        return self.children[self.index(action)]

    @cached_property
    def paid(self) -> tuple[Number, Number]:
        """The chips that player 0 and player 1 have put into the pot so far, antes included, computed from the payoffs below the node."""
        theirs = self._paid_by_other()
        folds = [leaf for leaf in self.children if isinstance(leaf, Leaf) and leaf.stake == 0 and leaf.put_in is None]
        mine = folds[0].constant * (2 * self.player - 1) if folds else theirs  # a player who cannot fold owes nothing
        return (mine, theirs) if self.player == 0 else (theirs, mine)

    def _paid_by_other(self) -> Number:
        """The chips that the player who does not act here has put into the pot; the action here does not change them."""
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
        """Return {action: row} of `rows`, which has one item for each action, in order."""
        return dict(zip(self.actions, rows, strict=True))


@dataclass(frozen=True)
class Reveal:
    """A chance node: one of the named `events` turns up for both players to see; `events[i]` leads to `children[i]`.

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
    """The names of the actions or events at a node, each with the node that it leads to; none at a terminal node."""
    if isinstance(node, Leaf):
        return ()
    return zip(node.actions if isinstance(node, Decision) else node.events, node.children, strict=True)


def after_events(node: Node) -> Leaf | Decision:
    """Return `node` if it is a decision or terminal node; else the first such node on the way that takes each chance node's first event."""
    while isinstance(node, Reveal):
        node = node.children[0]
    return node


def index_of(actions: tuple[str, ...], action: str) -> int:
    """Return the index of `action` in `actions`; ValueError if it is not there."""
    if action not in actions:
        raise ValueError(f"there is no action {action!r} here" + did_you_mean(action, actions))
    return actions.index(action)


@checked
def decision(player: int, **children: Node) -> Decision:
    """A decision node of `player`; each keyword names an action and gives the node that it leads to, in this order."""
    return Decision(player, tuple(children), tuple(children.values()))


@checked
def reveal(**children: Node) -> Reveal:
    """A chance node; each keyword names an event, which both players see, and gives the node that it leads to."""
    return Reveal(tuple(children), tuple(children.values()))


@checked
def showdown(stake: Number, flip: Number = 0) -> Leaf:
    """Return a terminal node with a showdown: the higher hand wins `stake` chips, or with probability `flip` the lower one.

    Raises:
        ValueError: `flip` is not a probability.
    """
    stake, flip = as_written(stake), as_written(flip)
    check_between("flip", flip, 0, 1)
    return Leaf(0, (1 - 2 * flip) * stake, stake) if flip else Leaf(0, stake)


@checked
def facing_a_bet(player: int, matched: Number, bets: Sequence[Number], raises_by: tuple[int, ...] = (0, 1)) -> Decision:
    """Return the decision of `player`, who faces a bet of `bets[0]` chips and may raise by `bets[1]`; each had `matched` in the pot before.

    The player folds, calls or raises; the opponent faces the raise, may raise by `bets[2]`, and so on. Only players in `raises_by` raise.

    Examples:
        >>> relance.model.facing_a_bet(1, matched=1, bets=[2, 4]).actions
        ('fold', 'call', 'raise')

    Raises:
        ValueError: there is no bet, or there are more than `MOST_BETS`.
    """
    if not bets:
        raise ValueError(f"bets={bets!r} must hold at least one bet; the player faces the first one")
    if len(bets) > MOST_BETS:
        raise ValueError(f"bets has {len(bets)} numbers, for a bet and its raises; at most {MOST_BETS} are allowed")
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
