"""Cutler's pot limit up to the first raise, for every limit on the number of raises from one up (Sections 3 to 5)."""

from __future__ import annotations

from functools import cached_property

from relance.claims.cutler.stages import ALPHA, prize, settled
from relance.claims.prelude import *
from relance.envs.cutler import pot_limit_numbers, pot_limit_plan


@dataclass(frozen=True)
class Opening:
    """Pot limit up to the first raise, with the published strategies, which depend on the later raises only by the number x.

    Attributes:
        where: the region of x.
        x: how many hands make the second raise for value, divided by how many make the first; 0 if only one raise is allowed.
    """

    where: Region
    x: Number

    @cached_property
    def lines(self) -> dict[str, Number]:
        """Return {symbol: number}: thresholds a to d; alpha1 and beta1, the shares of value bets that raise or call a raise; alpha2 = 0."""
        out: dict[str, Number] = {"alpha1": formula(ALPHA, {"x": self.x})}
        out["beta1"] = (1 - out["alpha1"] * self.x) / 2
        for symbol, text in pot_limit_numbers({"raises": 1}).items():
            if symbol in "abcd":
                out[symbol] = formula(text, out)
        return {**out, "alpha2": ZERO}

    @property
    def raised(self) -> Number:
        """The hand from which on B raises a bet for value."""
        return 1 - self.lines["alpha1"] * (1 - self.lines["a"])

    @property
    def game(self) -> Game:
        """Return Cutler's pot limit with at most one raise; further raises are left out."""
        return make("pot_limit", raises=1)

    @property
    def plan(self) -> Plan:
        """The published strategies up to the first raise."""
        return pot_limit_plan(self.lines, self.game.tree)

    def gain(self, node: str, action: str, over: str, answer: str = "fold", changes: Plan | None = None) -> Piecewise:
        """Return the counterfactual value of `action` at `node` minus that of the action `over`, as a function of the hand.

        Both players follow `plan`, but `changes` replaces the play at some nodes, and A answers a raise of A's bet by the action `answer`.
        """
        plan = {**self.plan, **(changes or {}), "bet-raise": {answer: 1}}
        return advantage(self.game, plan, node, action, over)

    @cached_property
    def worth(self) -> Number:
        """Return the value of pot limit to A, if the game ends at the first raise and the raiser then wins `stages.prize` chips."""
        game = settled(self.game, {"bet-raise": Leaf(-prize(self.lines["alpha1"], self.x))})
        plan = {name: row for name, row in self.plan.items() if name != "bet-raise"}
        return play_value(game, plan)


def opening() -> Opening:
    """Return an `Opening`, pot limit up to the first raise, whose number x is a symbol with the region [0, 1/4].

    x is how many hands make the second raise for value per hand that makes the first: 0 with one raise allowed, at most 1/4 with any limit.
    """
    where = region("x", "0 <= x", "4*x <= 1")
    return Opening(where, where["x"])


def first_bets(at: Opening, *, highest: bool = False, reply: Mapping[str, Any] | None = None) -> Finding:
    """Check that A's bets and calls and B's bets are optimal; if `highest`, with A's bluffs moved to the best hands below (1 - c)/2.

    B answers A's bet as published, or as `reply` says: {action: the intervals of hands with which B takes this action}.
    """
    v, raised = at.lines, at.raised
    low = (1 - v["c"]) / 2
    start = low - (1 - v["a"]) / 2
    changes: dict[str, Mapping[str, Any]] = {"bet": reply} if reply else {}
    if highest:
        changes[""] = {"bet": [(start, low), (v["a"], ONE)]}

    def right() -> bool:
        bet, call = (at.gain("", "bet", "check", answer, changes=changes) for answer in ("fold", "call"))
        after = at.gain("check", "bet", "check", changes=changes)
        facing = at.gain("check-bet", "call", "fold", changes=changes)
        bluffs = signs_between(after, 0, start, low) == [1, 0 if highest else 1]
        return (
            signs_between(bet, 0, low, v["c"], raised) == [0, -1, 0]
            and signs_between(call, raised, 1) == [1]
            and bluffs
            and signs_between(after, low, v["c"], 1) == [-1, 1]
            and signs_between(facing, 0, low, v["c"], 1) == [-1, 0, 1]
            and bool(low < v["b"] < v["c"] < v["a"])
            and bool(low < v["d"] < v["a"])
        )

    text = "bets and checks win the same up to (1 - c)/2 and from c to B's raises, and are right elsewhere, as are the answers to a check"
    return true_for(at.where, right, text)
