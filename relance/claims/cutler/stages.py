"""The answer to one bet or raise in Cutler's games, with any number of raises.

A player who faces a bet or raise is always in the same situation, except for three things: the stakes; how many good hands the opponent
has, always with half as many bluffs; and x. The opponent reraises with x times as many good hands as the player raises with. So x is 0
if no reraise is allowed, alpha if raises are unlimited, and otherwise in (0, 1/4]. The checks here hold for all good hands and all x.
"""

from __future__ import annotations

from relance.claims.prelude import *

ALPHA, BETA = "1/(4 + 3*x)", "(1 - alpha*x)/2"
"""The share of good hands with which a player raises, and that with which the opponent calls the raise; x as in `Facing`."""


@dataclass(frozen=True)
class Facing:
    """A player faces a bet, which the opponent makes with the best (good) hands and half as many bluffs. Hands are uniform on [0, 1].

    Attributes:
        good: the share of all hands that are good: those above 1 - `good`.
        start: the worst hand that bluffs; the bluffs are the hands from `start` to `start` + `good`/2.
        x: the opponent reraises with `x` times as many good hands as the player raises with; 0 if no reraise is allowed.
        alpha: the share of `good` with which the player raises.
        beta: the share of `good` with which the opponent calls that raise.
        where: the region of the symbols in these numbers; None if all are fractions.
        name: what findings call the situation.
    """

    good: Number
    start: Number
    x: Number
    alpha: Number
    beta: Number
    where: Region | None
    name: str

    @property
    def again(self) -> Number:
        """The share of the opponent's hands that reraise for value, which are the best hands."""
        return self.alpha * self.x * self.good

    def gain(self, action: str, over: str, answer: str = "fold", more: Number = ZERO) -> Piecewise:
        """Return the counterfactual value of the player's `action` minus that of the action `over`, as a function of the player's hand.

        If the opponent reraises, the player answers by `answer`. A call of the reraise wins `more` chips on top of what the showdown pays.
        """
        bluffs = (self.start, self.start + self.good / 2)
        # As published the worst hands bluff again; where the bluffs are others, any of them, with this probability.
        again = (*bluffs, self.alpha * self.x) if self.start else (ZERO, self.again / 2)
        facing = {"call": [(1 - self.beta * self.good, 1 - self.again)]}
        last: Plan = {"bet-raise": facing}
        later: Plan = {
            "bet-raise": {**facing, "raise": [again, (1 - self.again, ONE)]},
            "bet-raise-raise": {answer: 1},
        }
        plan: Plan = {
            "": {"bet": [bluffs, (1 - self.good, ONE)]},
            "bet": {"call": 1, "raise": 0},
            "check": {"bet": 0},
            "check-bet": {"call": 0},
        }
        game = make("pot_limit", raises=1 if self.x == 0 else 2)
        if self.x != 0:
            called = game.tree.leaves["bet-raise-raise-call"]
            game = settled(game, {"bet-raise-raise-call": Leaf(called.constant - more, called.stake)})
        return advantage(game, {**plan, **(last if self.x == 0 else later)}, "bet", action, over)


def situations(alpha: str = ALPHA, beta: str = BETA, *symbols: str) -> Iterator[Facing]:
    """Yield three situations in which no reraise is allowed, then the same three with a reraise.

    The bets that the player faces are, in order: the first in force-in; any whose bluffs are the worst hands; any whose bluffs are better.

    Args:
        alpha: a formula, with the symbol x of `Facing`, of the share of good hands with which the player raises.
        beta: a formula, with x and alpha, of the share of good hands with which the opponent calls that raise.
        *symbols: names of further symbols, each at least 0, for the regions of the situations with a reraise.
    """
    some = ("0 < good", "3*good < 2")
    for next_raise in ((), ("0 < x", "4*x <= 1", *(f"{symbol} >= 0" for symbol in symbols))):
        x = ["x", *symbols] if next_raise else []
        for bluffs, names, conditions in (
            ("force-in", x, ()),
            ("worst bluffs", ["good", *x], some),
            ("better bluffs", ["good", "start", *x], ("0 < good", "0 < start", "2*start + 3*good < 2")),
        ):
            where = region(", ".join(names), *conditions, *next_raise) if names else None
            v: dict[str, Number] = {"good": Fraction(2, 3), "start": ZERO, "x": ZERO, **(where or {})}
            share = formula(alpha, v)
            called = formula(beta, {**v, "alpha": share})
            name = f"answers, {bluffs}, {'not the ' * bool(x)}last"
            yield Facing(v["good"], v["start"], v["x"], alpha=share, beta=called, where=where, name=name)


@unproved("from one raise to any number")
def later_raises(n: Numbers, alpha: str = ALPHA, beta: str = BETA) -> Finding:
    """Check by induction on the number of raises left that the published answer to any bet or raise is best.

    In the step, a player may raise, and the opponent may reraise. By the induction hypothesis, the best answer to the reraise wins as much
    as a fold with a hand below those that reraise for value; with a higher hand, this answer wins as much as a call plus `more` >= 0
    chips. The check is that the published answer to the bet is then best. `alpha` and `beta` are formulas as in `situations`.
    """
    found = [answers("calls", "bluffs", "raises", alpha=alpha, beta=beta)]
    for at in situations(alpha, beta, "more"):
        if at.where is not None and "more" in at.where:
            text = "whatever follows, a raise wins more than a call with the hands above the reraiser's good ones"
            found.append(true_for(at.where, partial(_gains_by_raising, at), text).part(f"{at.name}, and more"))
    return together(found)


def _gains_by_raising(at: Facing) -> bool:
    return signs_between(
        at.gain("raise", "call", "call", at.where["more"] if at.where else ZERO), 1 - at.again, ONE
    ) == [1]


def answers(*facts: str, alpha: str = ALPHA, beta: str = BETA) -> Finding:
    """Check the named `facts` about the answer to a bet made with bluffs and good (the best) hands, in all `situations(alpha, beta)`.

    "calls": A call wins as much as a fold with a hand between the bluffs and the good hands, more with a higher hand, less with a lower.
    "bluffs": A raise wins as much as a fold with any hand below all those with which the opponent calls the raise.
    "raises": A raise wins more than a call with the best share alpha of the good hands, and less with the other good hands.
    """
    return together([_answers(at, facts) for at in situations(alpha, beta)])


def _answers(at: Facing, names: tuple[str, ...]) -> Finding:
    last, high = at.start + at.good / 2, 1 - at.good
    called, raised, again = 1 - at.beta * at.good, 1 - at.alpha * at.good, 1 - at.again

    def calls() -> bool:
        gain = at.gain("call", "fold")
        tie = last == high or signs_between(gain, last, high) == [0]
        return tie and signs_between(gain, ZERO, last) == [-1] and signs_between(gain, high, ONE) == [1]

    def bluffs() -> bool:
        return bool(high < called) and signs_between(at.gain("raise", "fold"), ZERO, called) == [0]

    def raises() -> bool:
        lower = signs_between(at.gain("raise", "call"), high, raised, again) == [-1, 1]
        return lower and (again == 1 or signs_between(at.gain("raise", "call", "call"), again, ONE) == [1])

    facts: dict[str, tuple[Callable[[], bool], str]] = {
        "calls": (
            calls,
            "calls win more than folds only with hands above the bluffs, and as much below the good hands",
        ),
        "bluffs": (bluffs, "raises win as much as folds below the other's calls"),
        "raises": (raises, "of the good hands, raises win more than calls with the best share alpha only"),
    }
    return together([_decided(at, *facts[name]) for name in names])


def _decided(at: Facing, statement: Callable[[], bool], evidence: str) -> Finding:
    """Check that a fact holds in a situation. One without symbols, a single case, does not keep the finding of all from being "proved"."""
    if at.where is None:
        return Finding(statement(), evidence).part(at.name, At(at.name))
    return true_for(at.where, statement, evidence).part(at.name)


# --- the value --------------------------------------------------------------------------------------------------------


def settled(game: Game, terminals: Mapping[str, Leaf]) -> Game:
    """The game with other terminal nodes, `terminals`, in the place of its nodes with these names."""
    return rewritten(game, lambda name, node: terminals.get(name, node))


def prize(alpha: Number, x: Number, times: int = 3) -> Number:
    """Return the chips that the raiser wins on average from a bettor whose bet is raised.

    For value, the raiser raises with `alpha` times as many hands as the bettor bets with, and the bettor reraises with `x` times as many as
    that. The bettor loses as much as by a simpler strategy. With the best share alpha of the hands that bet, the bettor plays force-in,
    where the raiser must bet, and by the solution of force-in wins -(1 + 2x)/3 antes of `times` chips. With the other hands the bettor
    folds and loses `times` chips.
    """
    return times * (1 - alpha * (1 + (1 + 2 * x) / 3))
