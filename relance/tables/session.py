"""Hands played one at a time, by a person or a script, against any opponent, with what each decision was worth. No input or output here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal

import numpy as np

from relance.agents.opponents import FINE, Sampler, strategy
from relance.agents.reading import CELLS, on_interval
from relance.model.deal import Deal, FiniteDeal
from relance.model.game import Game
from relance.model.laws import DensityDeal, IntervalDeal
from relance.model.numbers import Number
from relance.model.piecewise import Piecewise
from relance.model.strategy import Profile
from relance.model.tree import Leaf
from relance.rules.options import check_options
from relance.rules.rules import rules
from relance.solvers.exact import action_values, best_response
from relance.solvers.solve import solve

SMALL = 60
"""Games of at most so many information sets are solved exactly, by a linear program; larger ones by CFR+."""

SOLVED_TO = 1e-4
"""The exploitability that CFR+ leaves, in shares of the most that a player can lose."""

NEVER = 1e-13
"""In floats, an opponent who comes somewhere with less probability than this never comes there."""

ROUNDING = 1e-9
"""In floats, actions whose chips differ by less than this are worth the same."""

IDLE = 1000
"""After so many hands in a row without a decision of the player, the opponent is taken never to leave him one."""


@lru_cache(maxsize=4)
def _in_cells(game: Game, cells: int) -> Game:
    """The game on equal cells; kept, because a law of two dependent hands takes seconds to cut."""
    return game.grid(cells)


def solved(game: Game, tick: Callable[[int, float], None] = lambda iteration, exploitability: None) -> Profile:
    """Return an equilibrium to play against: exact in small games, else to `SOLVED_TO`; on [0, 1] constant on `CELLS` cells.

    Small games whose law has float probabilities count among the others. `tick` is called as by `relance.solve`.
    """
    cells = _in_cells(game, CELLS) if isinstance(game.deal, IntervalDeal) else game
    deal, tolerance = cells.deal, SOLVED_TO * max(rules(game).worst)
    assert isinstance(deal, FiniteDeal)
    small = sum(deal.size(node.player) for node in cells.tree.decisions.values()) <= SMALL
    found = solve(cells, tick=tick) if small and deal.is_exact else solve(cells, tolerance=tolerance, tick=tick)
    if cells is game:
        return found
    return game.together(*(on_interval(found.strategies[seat], cells, seat) for seat in (0, 1)))


class Coach:
    """What each action is worth to one seat against a fixed opponent, if all that follows is played as well as can be.

    Exact where the game and the opponent are; in floats for more than `FINE` hands, and on `CELLS` cells for laws of hands on
    [0, 1] that have no exact arithmetic.

    Args:
        game: what is played.
        seat: whose decisions.
        opponent: against whom; as in `relance.agents.opponents.strategy`.

    Attributes:
        value: the expected chips of a hand if all decisions are the best.
    """

    def __init__(self, game: Game, seat: int, opponent: Any = "published") -> None:
        self._cells = isinstance(game.deal, IntervalDeal) and not isinstance(game.deal, DensityDeal)
        if self._cells:
            game = _in_cells(game, CELLS)
        profile = game.uniform().replace(strategy(game, opponent, 1 - seat))
        if self._cells or _quick(game) is not game.deal:
            profile = profile.as_float()
        best = best_response(game, profile, seat)
        self.value = best.value
        self._found = action_values(game, profile.replace(best.strategy), seat)

    def chips(self, node: str, hand: Any) -> tuple[Number, ...] | None:
        """Expected chips of each action, given the hand and the node; None where the opponent never lets this hand come here."""
        held = min(int(hand * CELLS), CELLS - 1) if self._cells else hand
        met, *values = (_at(function, held) for function in (self._found[node][0], *self._found[node][1]))
        never = met <= NEVER if isinstance(met, float) else met == 0
        return None if never else tuple(value / met for value in values)


def _quick(game: Game) -> Deal:
    """The deal, in floats where there are too many hands for exact arithmetic while somebody waits."""
    deal = game.deal
    return deal.floats if isinstance(deal, FiniteDeal) and max(map(deal.size, (0, 1))) > FINE else deal


def _at(function: Any, hand: Any) -> Number:
    return function(Fraction(hand)) if isinstance(function, Piecewise) else function[hand]


def gaps(chips: Sequence[Number]) -> list[Number]:
    """By how many chips each is less than the most; 0 for what is but rounding."""
    less = [max(chips) - value for value in chips]
    return [0 if isinstance(gap, float) and gap < ROUNDING else gap for gap in less]


@dataclass(frozen=True)
class Choice:
    """A decision that was made.

    Attributes:
        hand: the number of the hand in the session, from 1.
        seat: in which seat.
        holding: the hand as text.
        node: where.
        actions: what was allowed.
        chips: the expected chips of each action, or None; see `Coach.chips`.
        action: what was chosen.
    """

    hand: int
    seat: int
    holding: str
    node: str
    actions: tuple[str, ...]
    chips: tuple[Number, ...] | None
    action: str

    @property
    def best(self) -> str:
        """The first action that is worth most; the chosen one if none is worth more, or nothing is known."""
        return self.actions[gaps(self.chips).index(0)] if self.chips and self.cost else self.action

    @property
    def cost(self) -> Number:
        """How many expected chips the choice was worth less than the best."""
        return gaps(self.chips)[self.actions.index(self.action)] if self.chips else Fraction(0)


class Session:
    """Hands of one player against an opponent. `deal`, then `act` until `over`, and again.

    The same seed deals the same hands, whatever is played. The opponent is a strategy as the exact solver takes it, so that what
    he plays is what is told of him.

    Args:
        game: what is played.
        opponent: as in `relance.agents.opponents.strategy`.
        seat: of the player: 0, 1, or "random" for a new one with each hand.
        seed: of the hands and of the opponent's choices; a whole number from 0.
        judge: the opponent against whom decisions are judged, likewise.

    Attributes:
        number: of hands dealt, the current one included.
        player: the player's seat in the current hand.
        hands, cards: what was dealt, by seat, and how real cards look.
        moves: (seat, action), in order.
        choices: the player's decisions in hands that ended.
        lost: expected chips that all his decisions so far were worth less than the best, in a hand not ended too.
        chips: his in hands that ended, of which there are `ended`.
        par: what best play expects of those hands against the judge.
    """

    def __init__(
        self,
        game: Game,
        opponent: Any = "published",
        seat: Literal[0, 1, "random"] = 0,
        seed: int = 0,
        judge: Any = "published",
    ) -> None:
        check_options(("seat", seat, (0, 1, "random")))
        self.game, self.rules, self.seed = game, rules(game), seed
        self._deal = _quick(game)
        self._seats = (0, 1) if seat == "random" else (seat,)
        self._players = {1 - s: Sampler(game, strategy(game, opponent, 1 - s)) for s in self._seats}
        self._coaches = {s: Coach(game, s, judge) for s in self._seats}
        self.number = self.ended = self.player = self._node = self._idle = 0
        self.hands: tuple[Any, Any] = (None, None)
        self.cards: tuple[str, str] | None = None
        self.moves: list[tuple[int, str]] = []
        self.choices: list[Choice] = []
        self._now: list[Choice] = []
        self.lost: Number = Fraction(0)
        self.chips: Number = Fraction(0)
        self.par: Number = Fraction(0)

    @property
    def node(self) -> str:
        """The name of the node that the hand is at."""
        return self.rules.names[self._node]

    @property
    def over(self) -> bool:
        """Whether the hand has ended, or none has been dealt."""
        return self.hands[0] is None or self.rules.player[self._node] < 0

    @property
    def actions(self) -> tuple[str, ...]:
        """What the player may do; nothing when the hand is over."""
        return () if self.over else self.game.tree.decisions[self.node].actions

    @property
    def holding(self) -> str:
        """The player's hand as text."""
        return self.rules.hand_label(self.player, self.hands[self.player])

    @property
    def worth(self) -> tuple[Number, ...] | None:
        """What each of `actions` is worth now; see `Coach.chips`."""
        return self._coaches[self.player].chips(self.node, self.hands[self.player])

    @property
    def last(self) -> Choice | None:
        """The decision made last."""
        return next(reversed([*self.choices, *self._now]), None)

    @property
    def result(self) -> Number:
        """The player's chips in the hand that ended; where showdowns are drawn out later, the mean."""
        leaf = self.game.tree.leaves[self.node]
        chips = leaf.constant + (leaf.stake * self._deal.compare(*self.hands) if leaf.stake else 0)
        return chips if self.player == 0 else -chips

    def deal(self) -> None:
        """Deal, and let the opponent act. Raises RuntimeError in a hand, ValueError if the opponent never leaves a decision."""
        if not self.over:
            raise RuntimeError("the hand is not over; act() until it is")
        if self._idle >= IDLE:
            raise ValueError(
                f"in {IDLE} hands in a row the opponent left nothing to decide; choose another, or the other seat"
            )
        self.number, self._idle = self.number + 1, self._idle + 1
        dealer, self._draws = (np.random.default_rng([self.seed, self.number, part]) for part in (0, 1))
        self.player = self._seats[0] if len(self._seats) == 1 else int(dealer.integers(2))
        self.hands = self._deal.sample(dealer)
        self.cards = self.rules.show(self.hands, dealer)
        self._node, self.moves, self._now = 0, [], []
        self._go_on()

    def act(self, action: str) -> Choice:
        """Play one of `actions`, then the opponent. Raises ValueError for anything else, and then nothing has changed."""
        if action not in self.actions:
            raise ValueError(f"action {action!r} must be one of {', '.join(self.actions) or 'none: the hand is over'}")
        choice = Choice(self.number, self.player, self.holding, self.node, self.actions, self.worth, action)
        self._now.append(choice)
        self.lost += choice.cost
        self._idle = 0
        self._take(self.game.action_id(action))
        self._go_on()
        return choice

    def _take(self, action: int) -> None:
        self.moves.append((self.rules.player[self._node], self.game.actions[action]))
        self._node = self.rules.child[self._node][action]

    def _go_on(self) -> None:
        other = 1 - self.player
        while self.rules.player[self._node] == other:
            drawn = self._players[other].draw(self._node, self.hands[other], self._draws.random())
            self._take(self.rules.legal[self._node][drawn])
        if self.over:
            self.ended += 1
            self.chips += self.result
            self.par += self._coaches[self.player].value
            self.choices += self._now
            self._now = []

    def costliest(self, most: int = 3) -> list[Choice]:
        """The decisions that cost most, the worst first; none that cost nothing."""
        worst = sorted(self.choices, key=lambda choice: -choice.cost)
        return [choice for choice in worst[:most] if choice.cost > 0]


def keys(actions: Sequence[str]) -> dict[str, str]:
    """A short key for each action: its first letter and any number in it; its name where others have that too."""
    short = {action: action[0] + "".join(action.split()[1:]) for action in actions}
    taken = list(short.values())
    return {action: key if taken.count(key) == 1 and key != "q" else action for action, key in short.items()}


def chosen(text: str, actions: Sequence[str]) -> str | None:
    """The action that a key, a name, or the beginning of one name means; None for anything else."""
    said = " ".join(text.lower().split())
    exactly = [action for action, key in keys(actions).items() if said in (key.lower(), action.lower())]
    begun = [action for action in actions if said and action.lower().startswith(said)]
    found = exactly or begun
    return found[0] if len(found) == 1 else None


def stakes(game: Game, node: str, action: str, player: int) -> tuple[Number, Number] | None:
    """The least and most chips of the player if the action ends the hand there; None if the betting goes on."""
    child = game.tree.decisions[node].child(action)
    if not isinstance(child, Leaf):
        return None
    middle, around = child.constant * (1 - 2 * player), abs(child.stake) * game.deal.sharpest
    return middle - around, middle + around
