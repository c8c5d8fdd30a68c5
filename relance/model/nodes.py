"""The public half of a game: who acts when, with which named actions, and what each terminal node pays.

Player 0 is the first player of the paper (I, A, opener), player 1 the second. Payoffs are chips that player 1 pays player 0.
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
"""The player at a terminal node, and at a node where chance turns up an event."""

MOST_BETS = 100
"""The most bets and raises in one play; there is a limit because algorithms walk the tree recursively."""


class Case(NamedTuple):
    """What decides which distribution a terminal node uses; see `relance.model.deal.DealOf.in_case`.

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
    """A terminal node: player 0 gets `constant + stake * edge` chips.

    `edge` is +1, 0 or -1 if player 0 wins, ties or loses the showdown, or an expected value in between; a fold has stake 0. At a showdown
    each player has put in the stake, or `put_in` if that is a different amount, as when chance may reverse the result. `contest` names the
    contest of the deal that decides the showdown, if it is not the usual one. Numbers may be floats or text: 0.1 and "1/10" are a tenth.
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
        return index_of(self.actions, action)

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


def index_of(actions: tuple[str, ...], action: str) -> int:
    """The index of a name among these; ValueError if it is not one of them."""
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
    """Return a terminal node with a showdown: the higher hand wins `stake` chips, or with probability `flip` the lower one.

    Raises:
        ValueError: `flip` is not a probability.
    """
    stake, flip = as_written(stake), as_written(flip)
    check_between("flip", flip, 0, 1)
    return Leaf(0, (1 - 2 * flip) * stake, stake) if flip else Leaf(0, stake)


@checked
def facing_a_bet(player: int, matched: Number, bets: Sequence[Number], raises_by: tuple[int, ...] = (0, 1)) -> Decision:
    """Return the decision of `player`, who faces the bet `bets[0]`, in chips; before it each player has `matched` chips in the pot.

    The player folds, calls, or raises by `bets[1]`, which the opponent then faces, and so on. Only players in `raises_by` may raise.

    Examples:
        >>> relance.model.facing_a_bet(1, matched=1, bets=[2, 4]).actions
        ('fold', 'call', 'raise')

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
