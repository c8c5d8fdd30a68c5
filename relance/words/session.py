"""A session of hands played one at a time against any opponent, in which each decision is scored. It does no input or output."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np

from relance.model.arguments import checked
from relance.model.game import Game
from relance.model.numbers import Number
from relance.model.tree import Decision, path_name
from relance.play.agents import strategy
from relance.play.coach import Coach, gaps, quick_deal
from relance.play.opponents import Player
from relance.play.policies import Sampler, play_on, tabulate
from relance.play.rules import rules
from relance.play.table import Table

IDLE = 1000
"""After this many hands in a row without a decision of the player, the session gives up."""


@dataclass(frozen=True)
class ScoredChoice:
    """A decision of the player, with the expected chips of each action.

    Attributes:
        hand: the number of the hand in the session, from 1.
        seat, holding: the player's seat, and hand in words.
        node, actions, action: the name of the decision node, the legal actions, and the chosen one.
        chips: the expected chips of each action; None if not known, see `Coach.action_values`.
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
        """The action with the most expected chips, or the first of several; `action` if no action has more, or if `chips` is None."""
        return self.actions[gaps(self.chips).index(0)] if self.chips and self.cost else self.action

    @property
    def cost(self) -> Number:
        """The expected chips that the choice cost, compared with the best action."""
        return gaps(self.chips)[self.actions.index(self.action)] if self.chips else Fraction(0)


class Session:
    """Hands of one player against an opponent. Call `deal`, then `act` until `over`, and start again.

    The same seed deals the same hands, whatever is played.

    Args:
        game: the game.
        opponent: the opponent, as in `relance.play.strategy`.
        seat: the player's seat: 0, 1, or "random" for a new one with each hand.
        seed: the seed of the hands and of the opponent's choices; a whole number, at least 0.
        reference_opponent: the opponent that decisions are scored against, in the same form as `opponent`; None scores nothing.

    Attributes:
        number, ended: how many hands have been dealt, and how many have ended.
        player, table: the player's seat in the current hand, and its state.
        choices, chips, par: over all ended hands, the player's decisions, the player's chips, and the expected chips of a best response.
        lost: the expected chips that the player's decisions have cost so far, including those of the current hand.
    """

    @checked
    def __init__(
        self,
        game: Game,
        opponent: Player = "equilibrium",
        seat: Literal[0, 1, "random"] = 0,
        seed: int = 0,
        reference_opponent: Player = "equilibrium",
    ) -> None:
        self.game, self.rules, self.seed = game, rules(game), seed
        self._deal = quick_deal(game)
        self._seats = (0, 1) if seat == "random" else (seat,)
        self._players = {1 - s: Sampler(tabulate(game, strategy(game, opponent, 1 - s))) for s in self._seats}
        self._coaches = (
            {} if reference_opponent is None else {s: Coach(game, s, reference_opponent) for s in self._seats}
        )
        self.table, self.number, self.ended, self.player, self._idle = Table(self.rules), 0, 0, 0, 0
        self.choices: list[ScoredChoice] = []
        self._now: list[ScoredChoice] = []
        zero: Number = Fraction(0)
        self.lost = self.chips = self.par = zero

    @property
    def node(self) -> str:
        """The name of the node that the hand has reached."""
        return self.rules.names[self.table.node]

    @property
    def over(self) -> bool:
        """True if the hand has ended, or none has been dealt."""
        return self.table.player < 0

    @property
    def moves(self) -> list[tuple[int, str]]:
        """(seat, action) of each move in the current hand, in order."""
        history, turns = self.game.tree.histories[self.node], self.game.tree.turns
        nodes = [turns[path_name(history[:k])] for k in range(len(history))]
        return [(node.player, step) for node, step in zip(nodes, history, strict=True) if isinstance(node, Decision)]

    @property
    def actions(self) -> tuple[str, ...]:
        """The player's legal actions; empty when the hand is over."""
        return () if self.over else self.game.tree.decisions[self.node].actions

    @property
    def holding(self) -> str:
        """The player's hand in words."""
        return self.table.words(self.player)

    @property
    def worth(self) -> tuple[Number, ...] | None:
        """The expected chips of each of `actions` now; None if not known, see `Coach.action_values`."""
        coach = self._coaches.get(self.player)
        return None if coach is None else coach.action_values(self.node, self.table.hands[self.player])

    @property
    def result(self) -> Number:
        """The player's chips in the hand that ended; the expected chips if it ended in a showdown that either player may win."""
        leaf = self.game.tree.leaves[self.node]
        deal = self._deal.in_case(self.game.tree.cases[self.node])
        chips = leaf.constant + (leaf.stake * deal.compare(*self.table.hands) if leaf.stake else 0)
        return chips if self.player == 0 else -chips

    def deal(self) -> None:
        """Deal, and let the opponent act.

        Raises:
            RuntimeError: the hand is not over.
            ValueError: the opponent ended the last `IDLE` hands before a decision of the player.
        """
        if not self.over:
            raise RuntimeError("the hand is not over; call act() until the hand ends")
        if self._idle >= IDLE:
            raise ValueError(f"the opponent ended {IDLE} hands in a row before your turn; change opponent or seat")
        self.number, self._idle = self.number + 1, self._idle + 1
        dealer, self._draws = (np.random.default_rng([self.seed, self.number, part]) for part in (0, 1))
        self.player = self._seats[0] if len(self._seats) == 1 else int(dealer.integers(2))
        self.table.deal(dealer)
        self._go_on()

    def act(self, action: str) -> ScoredChoice:
        """Play one of `actions`, let the opponent act, and return the scored choice; ValueError, with nothing changed, if not allowed."""
        if action not in self.actions:
            raise ValueError(f"illegal action {action!r}; legal: {', '.join(self.actions) or 'none, the hand is over'}")
        choice = ScoredChoice(self.number, self.player, self.holding, self.node, self.actions, self.worth, action)
        self._now.append(choice)
        self.lost, self._idle = self.lost + choice.cost, 0
        self.table.act(self.game.action_id(action))
        self._go_on()
        return choice

    def _go_on(self) -> None:
        play_on(self.table, 1 - self.player, self._players[1 - self.player], self._draws)
        if self.over:
            self.ended += 1
            self.chips += self.result
            self.par += self._coaches[self.player].value if self._coaches else 0
            self.choices, self._now = self.choices + self._now, []

    def costliest(self, most: int = 3) -> list[ScoredChoice]:
        """The decisions that cost the most, the worst first; decisions that cost nothing are left out."""
        worst = sorted(self.choices, key=lambda choice: -choice.cost)
        return [choice for choice in worst[:most] if choice.cost > 0]


def keys(actions: Sequence[str]) -> dict[str, str]:
    """Return {action: a short key}, such as "b2" for "bet 2", where this is unique and not "q"; else the action's name is its key."""
    short = {action: action[0] + "".join(action.split()[1:]) for action in actions}
    taken = list(short.values())
    return {action: key if taken.count(key) == 1 and key != "q" else action for action, key in short.items()}


def action_named(text: str, actions: Sequence[str]) -> str | None:
    """The action whose key, name or unambiguous beginning of a name is `text`; None if there is none."""
    typed = " ".join(text.lower().split())
    exact = [action for action, key in keys(actions).items() if typed in (key.lower(), action.lower())]
    meant = exact or [action for action in actions if typed and action.lower().startswith(typed)]
    return meant[0] if len(meant) == 1 else None
