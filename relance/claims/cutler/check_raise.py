"""Checks of claims on check-raises (end of Section 3), and the solution of the game with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import accumulate, pairwise
from operator import mul
from typing import Any

from relance.claims.checks import advantage, chips_by_action, nash, signs_between, surely, tried_at
from relance.claims.cutler.endless import LINES
from relance.claims.cutler.simple import ENDLESS, ONE, all_optimal, every_stage, falling
from relance.claims.finding import Finding
from relance.claims.ledger import Numbers
from relance.envs import make
from relance.envs.cutler import after_a_bet, check_raise_plan, pot_limit_plan, stages
from relance.model.game import Game
from relance.model.numbers import Number, show
from relance.model.piecewise import Piecewise
from relance.model.strategy import Plan
from relance.solvers.exact import nash_conv, value
from relance.solvers.proof import region

RAISES = range(1, 5)


def check_raise(n: Numbers, x: str) -> Finding:
    """With the hand x: the advised bet, compared with a check, a raise if bet into, and a fold if reraised.

    B answers the check-raise as in force-in, with his bets above c for the good hands. Both lines end before a third
    raise, so their values do not depend on how many more are allowed.
    """
    check, bet = two_lines(Fraction(x), 3)
    text = (
        f"x = {x}: checking, raising and folding wins {show(check)}, betting {show(bet)}; "
        f"the difference is {show(check - bet)} = {float(check - bet):.4f}"
    )
    return Finding(check > bet and two_lines(Fraction(x), 4) == (check, bet), text)


def two_lines(x: Number, raises: int, answer: str = "") -> tuple[Number, Number]:
    """What A wins with x by checking, raising and folding, and by betting, when both otherwise play as in the game without end.

    B answers the check-raise as in force-in, or always with the action `answer`.
    """
    game = make("pot_limit", raises=raises, check_raise=True)
    numbers = every_stage(raises, LINES)
    facing = game.tree.decisions["check-bet"]
    plan = {
        **after_a_bet(facing, "check-bet", {**numbers, "a": numbers["c"], "d": numbers["b"]}),
        **pot_limit_plan(numbers, game.tree),
        "check-bet": {"raise": 1, "call": 0},
        "check-bet-raise-raise": {"call": 0, "raise": 0},
    }
    if answer:
        plan["check-bet-raise"] = surely(game.tree.decisions["check-bet-raise"], answer)
    check, bet = chips_by_action(game, plan, "").values()
    return check(x), bet(x)


def check_raises_used(n: Numbers) -> Finding:
    """The value with check-raises is above the value without, to which B can hold A if A does not check-raise."""
    without, allowed = ([make("pot_limit", raises=k, check_raise=flag) for k in RAISES] for flag in (False, True))
    optimal = all_optimal([*without, *allowed])
    worth = [[value(game, game.published()) for game in games] for games in (without, allowed)]
    gains = [more - less for less, more in zip(*worth, strict=True)]
    text = f"they win A {', '.join(show(gain) for gain in gains)} with 1 to 4 raises"
    return optimal.only_if(all(gain > 0 for gain in gains), text)


def force_in_fails(n: Numbers) -> Finding:
    """Whether answering every bet as in force-in is not optimal, with one raise allowed."""
    game = make("pot_limit", raises=1, check_raise=True)
    gap = nash_conv(game, game.published())
    return tried_at({"raises": 1}, gap != 0, f"every bet answered as in force-in, and NashConv {show(gap)}", game)


def force_in_applies(n: Numbers) -> Finding:
    """NashConv and value: exact with limited raises, mixed and pure; without end, for the strategies cut off."""
    for raises in RAISES:
        game = make("pot_limit", raises=raises, check_raise=True)
        numbers = Numbers(stages(raises)).at()
        numbers |= n.at(alpha=numbers["alpha1"])
        for plan in (check_raise_plan(numbers, game.tree), without_lots(game, numbers)):
            optimal = nash(game, plan, worth=numbers["V"])
            if not optimal.holds:
                return optimal
    lines = n.at(alpha=ENDLESS["alpha"])
    games = {raises: make("pot_limit", raises=raises, check_raise=True) for raises in (2, 4)}
    plans = [(game, check_raise_plan(every_stage(k, lines), game.tree)) for k, game in games.items()]
    falls = falling(plans, Fraction(1, 50))
    played = [(game, game.profile(plan)) for game, plan in plans]
    near = all(abs(value(*pair) - lines["V"]) < nash_conv(*pair) for pair in played)
    text = f"NashConv 0 with 1 to 4 raises; without end the value is {show(lines['V'])}, {falls.evidence}"
    return Finding(falls.holds and near and first_bets(n), text)


def first_bets(n: Numbers) -> bool:
    """Whether betting wins as much as, more than or less than checking where it must, for every alpha and so any number of raises.

    Only hands that never meet a second raise are considered: those above 1 - alpha h meet further raises, and so do
    the bluffs below alpha h / 2.
    """
    where = region("alpha", "0 < alpha", "4*alpha <= 1")
    alpha = where["alpha"]
    lines = n.at(alpha=alpha)
    game = make("pot_limit", raises=1, check_raise=True)
    beta = (1 + 2 * alpha) / 3  # as 4 alpha1 + 3 alpha1 alpha2 = 1 makes it
    plan = check_raise_plan({**lines, "alpha1": alpha, "alpha2": Fraction(0), "beta1": beta}, game.tree)
    bluff, line, top = lines["h"] / 2, lines["a"], 1 - alpha * lines["h"]
    mine, theirs = (advantage(game, plan, name, "bet", "check") for name in ("", "check"))
    cuts = (alpha * bluff, bluff, line, top)
    return signs_between(mine, *cuts) == [0, -1, 0] and signs_between(theirs, *cuts) == [1, -1, 1]


def without_lots(game: Game, numbers: Mapping[str, Number]) -> Plan:
    """The solution in pure strategies: A bets the share q of his good hands, those above 1 - h, and checks the others.

    The lines for raises cut the good hands into blocks. A bets the upper and the lower end of successive blocks in turn, so that
    the bets of two neighbours join into one interval.
    """
    h, q = numbers["h"], numbers["q"]
    alphas = (numbers[f"alpha{k}"] for k in range(1, game.parameters["raises"] + 1))
    above = list(accumulate(alphas, mul, initial=h))  # how many hands lie above the line for bets, and for each raise
    bets: list[tuple[Number, Number]] = []
    for k, (far, near) in enumerate(pairwise([*above, Fraction(0)])):
        size = q * (far - near)
        bets.append((1 - far, 1 - far + size) if k % 2 else (1 - near - size, 1 - near))
    opened = Piecewise.steps([(left, right, ONE) for left, right in bets])
    checked = Piecewise.steps([(1 - h, ONE, ONE)]) - opened
    bluffs = q * h / 2
    return {
        **check_raise_plan(numbers, game.tree),
        "": {"bet": [(0, bluffs), *bets]},
        **_replies(game, "bet-raise", opened, Fraction(0), above, numbers),
        **_replies(game, "check-bet", checked, bluffs, above, numbers),
    }


def _replies(
    game: Game, name: str, good: Piecewise, bluff: Number, above: Sequence[Number], numbers: Mapping[str, Number]
) -> dict[str, Any]:
    """A's answers from the node `name` on, which he reaches with these good hands. He first calls from d on.

    He raises with his good hands above the line, and with half as many bluffs, starting at the hand `bluff`.
    """
    plan: dict[str, Any] = {}
    share = good.integral() / above[0]
    while name in game.tree.decisions:
        k = name.count("raise")  # raises so far; each is called with the best beta of the previous one
        call = _line_below(good, share * above[k - 1] * numbers[f"beta{k}"]) if k else numbers["d"]
        plan[name] = {"call": [(call, 1)]}
        if "raise" in game.tree.decisions[name].actions:
            line, bluffs = 1 - above[k + 1], share * above[k + 1] / 2
            plan[name] = {"call": [(call, line)], "raise": [(bluff, bluff + bluffs), (line, 1)]}
        name += "-raise-raise"
    return plan


def _line_below(hands: Piecewise, amount: Number) -> Number:
    """The line above which this amount of the hands lies."""
    spans = [span for span, piece in zip(pairwise(hands.cuts), hands.pieces, strict=True) if piece]
    for left, right in reversed(spans):
        if amount <= right - left:
            return right - amount
        amount = amount - (right - left)
    return Fraction(0)
