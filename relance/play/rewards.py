"""Rewards for the actions of a learner: rewards whose optimum is an equilibrium, and the usual ones.

Except "chips", each reward is the expected chips of an action minus those of a reference (the best action, or the mean of a policy), so
luck does not enter it. The rewards differ in who plays the other seat, and in how the learner plays after the action; `docs/rewards.md`
shows which have an equilibrium as their optimum. All but "chips" and "loss" depend on the learner's current policy: give the policy to
`Rewards.refresh` after each update, or let it be estimated from the answers that were recorded.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from relance.model.arguments import Chance, checked
from relance.model.arrays import Floats, Ints
from relance.model.deal import HandFunction, as_floats
from relance.model.game import Game
from relance.model.numbers import check_between, did_you_mean, given, short
from relance.model.piecewise import Piecewise, refined
from relance.model.strategy import Profile, Strategy
from relance.play.agents import Answer, strategy
from relance.play.call_syntax import parse_call
from relance.play.coach import Coach, Lessons
from relance.play.opponents import Player
from relance.play.policies import StrategyTable, policy_of
from relance.play.rules import game_of, rules
from relance.solvers.exact import best_response

RAREST = 1e-6
"""Probabilities below this count as this much in a logarithm."""

PULL, FOLLOW = 0.1, 0.05
"""The defaults of "magnet". `PULL`: the cost of taking an action e times as often as the average, as a share of the most chips that can
be lost. `FOLLOW`: the share of the way to the learner's policy that the average moves at each `Rewards.refresh`."""

PRIOR = 1.0
"""Pseudo-counts: this many answers at each information set, spread evenly over its actions, before any are recorded."""


class Reward(NamedTuple):
    """The description of a reward.

    Attributes:
        usage: the reward's name with example arguments.
        doc: what an action is paid, and against whom it is scored.
        takes: the names of the reward's arguments.
        follows: True if the reward depends on the learner's current policy.
    """

    usage: str
    doc: str
    takes: tuple[str, ...] = ()
    follows: bool = True


REWARDS = {
    "chips": Reward("chips", "what the hand paid, at its end", follows=False),
    "loss": Reward(
        "loss(equilibrium)",
        "minus the expected chips that the action loses against a fixed player, if all later play is best",
        ("reference_opponent",),
        follows=False,
    ),
    "advantage": Reward(
        "advantage",
        "the expected chips of the action less those of the learner's policy, against that same policy in the other seat",
    ),
    "exploitability_descent": Reward(
        "exploitability_descent", "the advantage against a best response to the learner's policy (Lockhart et al. 2019)"
    ),
    "magnet": Reward(
        "magnet(pull=0.1, follow=0.05)",
        "the advantage, less `pull` times the most that can be lost times the log of how much likelier the policy takes the action than a "
        "slow average of policies, which at each refresh moves to the policy by the share `follow` (after Sokota et al. 2023)",
        ("pull", "follow"),
    ),
}
"""The descriptions of all rewards, a dict from each name to a `Reward`."""

DEFAULT = "magnet"
"""The reward of training by self-play; `docs/rewards.md` compares them."""


class Rewards:
    """Computes the reward of each action of a learner, in either seat.

    Args:
        game: a Game, or its text.
        reward: one of `REWARDS`, such as "advantage" or "magnet(pull=0.2)".
        opponent: who plays the other seat, and against whom "advantage" and "magnet" are computed, as in `relance.play.strategy`; "self"
            is the learner's policy as `refresh` last set it. None: "self", and for "chips" and "loss" an equilibrium.
        keep: each `refresh` that estimates the policy from recorded answers then multiplies the weight of these answers by `keep`.

    Raises:
        ValueError: the reward is unknown, or an argument is not allowed.
    """

    @checked
    def __init__(self, game: Game | str, reward: str = DEFAULT, opponent: Player = None, keep: Chance = 0.5) -> None:
        self.game = game_of(game, {})
        self.name, arguments = _parsed(reward)
        self._keep = keep
        if self.name == "exploitability_descent" and opponent is not None:
            raise ValueError(
                "reward 'exploitability_descent' has an opponent of its own, a best response to the learner: leave `opponent` out"
            )
        self._reference_opponent = arguments.get("reference_opponent", "equilibrium")
        self._pull = _between("pull", arguments.get("pull", PULL if self.name == "magnet" else 0.0), math.inf)
        self._pull *= max(rules(self.game).worst)
        self._follow = _between("follow", arguments.get("follow", FOLLOW), 1.0)
        self._answers: dict[tuple[int, int], Floats] = {}
        self._coaches: dict[int, Coach] = {}
        self._lessons: Lessons | None = None
        plays = ("self" if self.follows else "equilibrium") if opponent is None else opponent
        self._fixed = None if isinstance(plays, str) and plays == "self" else plays
        """The opponent who does not depend on the learner; None if there is none."""
        if self.name == "loss":
            self.coach(0)  # a bad name is told now

    @cached_property
    def policy(self) -> Profile:
        """The learner's current policy; uniform play before the first call of `refresh`."""
        return self.game.uniform()

    @cached_property
    def magnet(self) -> Profile:
        """Return the slow average of the learner's policies, to which the reward "magnet" pulls; uniform play before any `refresh`."""
        return self.game.uniform()

    @property
    def follows(self) -> bool:
        """True if the reward depends on the learner's current policy."""
        return REWARDS[self.name].follows

    def record(self, node: int, hand: int, action: int) -> None:
        """Record that the learner took this action id with this hand at this node index; an illegal action is ignored."""
        self._check(node, hand)
        if action in self.game.tree.table.legal_ids[node]:
            self._answers.setdefault((node, hand), np.zeros(len(self.game.actions)))[action] += 1

    def refresh(self, policy: Player = None) -> None:
        """Set the learner's current policy: any agent that `relance.score` reads; if None, an estimate from recorded answers.

        With the rewards "chips" and "loss" this changes only the opponent, if that is "self".

        Raises:
            ValueError: hands are on [0, 1], and no policy is given; or `agents.strategy` refuses the policy.
        """
        game = self.game
        played = self._estimated() if policy is None else game.together(*(strategy(game, policy, s) for s in (0, 1)))
        if policy is None:
            for row in self._answers.values():
                row *= self._keep
        self.policy = played
        if self._pull:
            self.magnet = _towards(self.magnet, played, self._follow)
        if self.follows:
            self._coaches, self._lessons = {}, None

    def _estimated(self) -> Profile:
        """The policy of the recorded answers."""
        game, names = self.game, self.game.tree.table.names
        game.finite_deal()
        plan, none = {}, np.zeros(len(game.actions))
        for name, node in game.tree.decisions.items():
            index = names.index(name)
            legal = game.tree.table.legal_ids[index]
            met = [self._answers.get((index, hand), none)[legal] for hand in range(game.deal.size(node.player))]
            counts = np.array(met) + PRIOR / len(legal)
            plan[name] = dict(zip(node.actions, (counts / counts.sum(axis=1, keepdims=True)).T, strict=True))
        return game.profile(plan)

    @property
    def by_decision(self) -> bool:
        """True if each action is paid a reward; False for "chips", which are paid at the end of a game."""
        return self.name != "chips"

    def opponent(self, seat: int) -> Strategy:
        """Return the strategy that plays `seat` against a learner in the other seat."""
        if self.name == "exploitability_descent":
            return best_response(self.game, self.policy, seat).strategy
        fixed = self._fixed
        return self.policy.strategies[seat] if fixed is None else strategy(self.game, fixed, seat)

    def players(self, seats: Iterable[int]) -> dict[int, StrategyTable | Answer]:
        """Return {seat: opponent} for these seats, each the table of a strategy, or the function that was given."""
        fixed = self._fixed
        return {seat: policy_of(self.game, self.opponent(seat) if fixed is None else fixed, seat) for seat in seats}

    def coach(self, seat: int) -> Coach:
        """Return this seat's `Coach`. An action's loss is minus its reward; for the reward "chips", the loss against an equilibrium."""
        if seat not in self._coaches:
            if not self.follows:
                self._coaches[seat] = Coach(self.game, seat, self._reference_opponent, exact=False)
            else:
                own, extra = self.policy.strategies[seat], None
                if self._pull:
                    away = {name: zip(own.at[name], self.magnet[name], strict=True) for name in own.at}
                    extra = {name: [-self._pull * _log_ratio(p, q) for p, q in rows] for name, rows in away.items()}
                self._coaches[seat] = Coach(self.game, seat, self.opponent(1 - seat), False, own, extra)
        return self._coaches[seat]

    def paid(self, node: int, hand: Any, action: int) -> float:
        """Return the reward in chips of an action id with this hand at the node with this index, for the player to move there.

        An illegal action counts as if it lost the most chips that this seat can lose in the game. NaN at a node where nobody is to move.

        Raises:
            ValueError: there is no such node, or its player has no such hand.
            IndexError: anything else that is out of range.
        """
        try:
            seat = int(self.game.tree.table.player[node])
            return -self.coach(seat).loss(node, hand, action) if seat in (0, 1) else math.nan
        except IndexError:
            self._check(node, hand)
            raise

    def _check(self, node: int, hand: Any) -> None:
        """Raise ValueError if the game has no such node, or the player to move there no such hand."""
        table, deal = self.game.tree.table, self.game.deal
        check_between("node", node, 0, len(table.names) - 1)
        if (seat := int(table.player[node])) in (0, 1):
            check_between("hand", hand, 0, deal.size(seat) - 1 if deal.is_finite else 1)

    def paid_at(self, seats: npt.ArrayLike, nodes: Ints, hands: npt.NDArray[Any], actions: Ints) -> Floats:
        """Return k rewards in chips: the i-th for `actions[i]` of seat `seats[i]` with `hands[i]` at node `nodes[i]`; 0 out of turn."""
        if self._lessons is None:
            table = self.game.tree.table
            self._lessons = Lessons(
                {seat: self.coach(seat) for seat in (0, 1)}, len(table.names), len(self.game.actions)
            )
        return 0.0 - self._lessons.losses(np.broadcast_to(seats, nodes.shape), nodes, hands, actions)


def _parsed(text: str) -> tuple[str, dict[str, Any]]:
    """A reward's name and its arguments."""
    try:
        call = parse_call(text)
    except ValueError:
        raise ValueError(f"reward {short(text)} cannot be read; write a name such as 'magnet(pull=0.2)'") from None
    if call.name not in REWARDS:
        raise ValueError(f"there is no reward {call.name!r}" + did_you_mean(call.name, REWARDS))
    takes = REWARDS[call.name].takes
    arguments = dict(zip(takes, call.positional, strict=False)) | call.keywords
    if len(arguments) < len(call.positional) + len(call.keywords) or not set(arguments) <= set(takes):
        raise ValueError(f"reward {call.name!r} takes {', '.join(takes) or 'no arguments'}, not {call!r}")
    return call.name, arguments


def _between(name: str, value: object, most: float) -> float:
    number = float(given(value, name))
    if not 0 <= number <= most:
        raise ValueError(f"{name}={short(value)} must be at least 0" + f" and at most {most:g}" * (most < math.inf))
    return number


def _towards(magnet: Profile, policy: Profile, share: float) -> Profile:
    """The profile between the two, at this share of the way from the first to the second."""
    new = policy.as_float()

    def moved(old: Strategy) -> Strategy:
        pairs = {name: zip(rows, new[name], strict=True) for name, rows in old.at.items()}
        return Strategy(
            old.player, {name: tuple(p * (1 - share) + q * share for p, q in rows) for name, rows in pairs.items()}
        )

    first, second = map(moved, magnet.as_float().strategies)
    return Profile(policy.game, policy.tree, (first, second))


def _log_ratio(p: HandFunction, q: HandFunction) -> HandFunction:
    """The log of p / q, hand by hand."""
    if not isinstance(p, Piecewise) or not isinstance(q, Piecewise):
        return np.log(np.maximum(as_floats(p), RAREST) / np.maximum(as_floats(q), RAREST))
    p, q = refined([p, q])
    ratios = [max(float(a), RAREST) / max(float(b), RAREST) for a, b in zip(p.values(), q.values(), strict=True)]
    return Piecewise(p.cuts, [(math.log(ratio),) if ratio != 1 else () for ratio in ratios])
