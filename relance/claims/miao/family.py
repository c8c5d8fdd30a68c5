"""What Miao's checks share: Kuhn's poker without and with a raise, the published family, and play from deal to end."""

from __future__ import annotations

from relance.claims.prelude import *
from relance.claims.trace import taken, terminal
from relance.model.tree import path_name

KUHN, MIAO = make("one_card_poker", raises=0), make("one_card_poker", raises=1)
OPENER, DEALER = 0, 1
CARDS = ("Q", "K", "A")
VALUE = Fraction(-1, 18)
ALL = "0 <= alpha <= 1"

Change: TypeAlias = Callable[[Mapping[str, Number]], Plan]
"""A function from the numbers of Miao's family to the changed part of its plan: {node: {action: probability, or list by card}}."""

VARIANTS: dict[str, Change] = {
    "opener check-calls the ace": lambda n: {"check-bet": {"call": [0, n["king_call"], 1], "raise": 0}},
    "opener betfolds the ace": lambda n: {"bet-raise": {"fold": 1}},
    "dealer calls with the ace": lambda n: {"bet": {"call": [0, n["dealer_call"], 1], "raise": 0}},
    "dealer betfolds the ace": lambda n: {"check-bet-raise": {"fold": 1}},
    "opener raises with the king instead of calling": lambda n: {
        "check-bet": {"call": 0, "raise": [0, n["king_call"], 1]}
    },
    "opener never calls with the king": lambda n: {"check-bet": {"call": 0, "raise": [0, 0, 1]}},
    "dealer never calls with the king": lambda n: {"bet": {"call": 0, "raise": [0, 0, 1]}},
    "dealer never bluffs": lambda n: {"check": {"bet": [0, 0, 1]}},
}


@kept
def lp_solution(raises: int) -> tuple[Fraction, Profile]:
    return solve_lp(make("one_card_poker", raises=raises))


def members(condition: str = ALL) -> tuple[Region, Profile]:
    """Return the region of alpha in which this condition holds, and Miao's published strategies for it."""
    where = region("alpha", condition)
    return where, MIAO.published(alpha=where["alpha"])


def changed(where: Region, change: Change = lambda numbers: {}, game: Game = MIAO) -> Plan:
    """Return the plan of Miao's family with the symbol alpha of `where`; the rows that `change` returns replace those at the same nodes."""
    _, numbers = game.printed_numbers(alpha=where["alpha"])
    return {**with_numbers(game, numbers, 1), **change(numbers)}


def in_equilibrium(game: Game = MIAO, change: Change = lambda numbers: {}, where: Region | None = None) -> Finding:
    """Check that Miao's family, changed by the function `change`, is in equilibrium and worth -1/18, for all alpha or all of `where`."""
    where = where or region("alpha", ALL)
    return nash(game, changed(where, change, game), where, VALUE)


@dataclass(frozen=True)
class Terminal:
    """A terminal node in play between two cards, as one player sees it.

    Attributes:
        own: {node: action} of the player on the way.
        often: the probability that the other player's actions lead there.
        chips: what the player wins there.
    """

    own: Mapping[str, str]
    often: Number
    chips: Number

    @property
    def part(self) -> Number:
        """The player's expected chips from this terminal node, `often` times `chips`, if the player takes the actions `own`."""
        return self.often * self.chips


def terminals(profile: Profile, player: int, card: str, other: str, given: str | None = None) -> dict[str, Terminal]:
    """All terminal nodes by path, for `player` with `card` against an opponent with the card `other`.

    The opponent's action at the node `given` counts as certain: `Terminal.often` leaves its probability out. This function walks down each
    path alone, and uses none of the passes over the tree that `relance.solvers.exact` makes.
    """
    tree, sign = MIAO.tree, 1 - 2 * player
    edge = sign if CARDS.index(card) > CARDS.index(other) else -sign
    found = {}
    for path in tree.leaves:
        actions = tuple(path.split("-"))
        steps = {path_name(actions[:k]): action for k, action in enumerate(actions)}
        own = {node: action for node, action in steps.items() if tree.decisions[node].player == player}
        answers = (step for step in steps.items() if step[0] not in own and step[0] != given)
        often = prod((taken(MIAO, profile, *step, CARDS.index(other)) for step in answers), start=ONE)
        found[path] = Terminal(own, often, sign * terminal(MIAO, profile, path, Fraction(edge)))
    return found
