"""Checks of claims on check-raises (end of Section 3), and the solution of the game with them."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import accumulate, pairwise
from operator import mul
from typing import Any

from relance.claims.checks import advantage, nash, sign_inside, tried_at
from relance.claims.cutler.endless import endless_lines, endless_plan
from relance.claims.cutler.simple import ONE, every_stage, falling, unlimited
from relance.claims.ledger import Finding, Numbers
from relance.envs import make
from relance.envs.cutler import after_a_bet, check_raise_plan, stages
from relance.model.game import Game
from relance.model.numbers import Number, show
from relance.model.piecewise import Piecewise
from relance.model.strategy import Plan
from relance.solvers.exact import action_values, nash_conv, value
from relance.solvers.proof import region

RAISES = range(1, 5)


def check_raise(n: Numbers, x: str) -> Finding:
    """With the hand x: the bet as advised, against a check, a raise if bet into, and a fold if reraised.

    B answers the check-raise as in force-in, with his bets above c for the good hands. Both lines end before a third
    raise, so what they win does not depend on how many more are allowed.
    """
    check, bet = two_lines(Fraction(x), 3)
    text = (
        f"x = {x}: checking, raising and folding wins {show(check)}, betting {show(bet)}; "
        f"the difference is {show(check - bet)} = {float(check - bet):.4f}"
    )
    return Finding(check > bet and two_lines(Fraction(x), 4) == (check, bet), text, domain="in Q(sqrt 7)")


def two_lines(x: Number, raises: int, answer: str = "") -> tuple[Number, Number]:
    """What A wins with x by checking, raising and folding, and by betting; strategies of the game without end.

    B answers the check-raise as in force-in, or always with the action `answer`.
    """
    game = make("pot_limit", raises=raises, check_raise=True)
    numbers = every_stage(raises, endless_lines())
    facing = game.tree.decisions["check-bet"]
    plan = {
        **after_a_bet(facing, "check-bet", {**numbers, "a": numbers["c"], "d": numbers["b"]}),
        **endless_plan(game, numbers),
        "check-bet": {"raise": 1, "call": 0},
        "check-bet-raise-raise": {"call": 0, "raise": 0},
    }
    if answer:
        plan["check-bet-raise"] = {action: int(action == answer) for action in ("fold", "call", "raise")}
    check, bet = (chips(x) for chips in action_values(game, game.profile(plan), 0)[""][1])
    return check, bet


def check_raises_used(n: Numbers) -> Finding:
    """The value with check-raises is above that without, which B can hold A to as long as he does not check-raise."""
    gains = []
    for raises in RAISES:
        games = [make("pot_limit", raises=raises, check_raise=allowed) for allowed in (False, True)]
        profiles = [game.published() for game in games]
        if any(nash_conv(game, profile) != 0 for game, profile in zip(games, profiles, strict=True)):
            return Finding(False, f"{games}: the strategies are not optimal")
        without, with_them = (value(game, profile) for game, profile in zip(games, profiles, strict=True))
        gains.append(with_them - without)
    text = f"they win A {', '.join(show(gain) for gain in gains)} with 1 to 4 raises"
    return Finding(all(gain > 0 for gain in gains), text, domain="1 to 4 raises")


def force_in_fails(n: Numbers) -> Finding:
    """Whether answering every bet as in force-in is not optimal, with one raise allowed."""
    game = make("pot_limit", raises=1, check_raise=True)
    gap = nash_conv(game, game.published())
    return tried_at({"raises": 1}, gap != 0, f"every bet answered as in force-in, and NashConv {show(gap)}", str(game))


def force_in_applies(n: Numbers) -> Finding:
    """NashConv and value with limited raises, by lot and without, exactly; without end, of the strategies cut off."""
    for raises in RAISES:
        game = make("pot_limit", raises=raises, check_raise=True)
        numbers = Numbers(stages(raises)).at()
        numbers |= n.at(alpha=numbers["alpha1"])
        for plan in (check_raise_plan(numbers, game.tree), without_lots(game, numbers)):
            found = nash(game, plan, worth=numbers["V"])
            if not found.holds:
                return Finding(False, f"{game}: {found.evidence}")
    lines, left, worth = n.at(alpha=unlimited()["alpha"]), [], []
    for raises in (2, 4):
        game = make("pot_limit", raises=raises, check_raise=True)
        profile = game.profile(check_raise_plan(every_stage(raises, lines), game.tree))
        left.append(nash_conv(game, profile))
        worth.append(value(game, profile) - lines["V"])
    found = falling(left, Fraction(1, 50))
    near = all(abs(gap) < bound for gap, bound in zip(worth, left, strict=True))
    text = f"NashConv 0 with 1 to 4 raises; without end the value is {show(lines['V'])}, {found.evidence}"
    domain = "1 to 4 raises; without end in Q(sqrt 7); the first bets for every alpha"
    return Finding(found.holds and near and first_bets(n), text, domain=domain)


def first_bets(n: Numbers) -> bool:
    """Whether betting wins as much as checking, more or less, as it must, for every alpha and so for any number of raises.

    Only hands that a second raise does not touch are looked at: those above 1 - alpha h meet further raises, and so do
    the bluffs below alpha h / 2.
    """
    where = region("alpha", "0 < alpha", "4*alpha <= 1")
    alpha = where["alpha"]
    lines = n.at(alpha=alpha)
    game = make("pot_limit", raises=1, check_raise=True)
    stage = {
        "alpha1": alpha,
        "alpha2": Fraction(0),
        "beta1": (1 + 2 * alpha) / 3,
    }  # beta with 4 alpha1 + 3 alpha1 alpha2 = 1
    profile = game.profile(check_raise_plan({**lines, **stage}, game.tree))
    bluff, line, top = lines["h"] / 2, lines["a"], 1 - alpha * lines["h"]
    spans = [(alpha * bluff, bluff), (bluff, line), (line, top)]
    signs = [
        [sign_inside(advantage(game, profile, name, "bet", "check"), *span) for span in spans] for name in ("", "check")
    ]
    return signs == [[0, -1, 0], [1, -1, 1]]


def without_lots(game: Game, numbers: Mapping[str, Number]) -> Plan:
    """The solution in pure strategies: of the hands between two lines for raises A bets the share q, at one end of them.

    The upper end of the first such hands, the lower of the next, and so on in turn: these join to one interval.
    """
    h, q = numbers["h"], numbers["q"]
    raises = game.parameters["raises"]
    highs = list(accumulate((numbers[f"alpha{k}"] for k in range(1, raises + 1)), mul, initial=h))
    bets: list[tuple[Number, Number]] = []
    for k, (far, near) in enumerate(pairwise([*highs, Fraction(0)])):
        bets.append((1 - far, 1 - far + q * (far - near)) if k % 2 else (1 - near - q * (far - near), 1 - near))
    opened = Piecewise.steps([(left, right, ONE) for left, right in bets])
    kept = Piecewise.steps([(1 - h, ONE, ONE)]) - opened
    bluffs = q * h / 2
    return {
        **check_raise_plan(numbers, game.tree),
        "": {"bet": [(0, bluffs), *bets]},
        **_replies(game, "bet-raise", 2, opened, Fraction(0), highs, numbers),
        **_replies(game, "check-bet", 1, kept, bluffs, highs, numbers),
    }


def _replies(
    game: Game,
    name: str,
    stage: int,
    good: Piecewise,
    bluff: Number,
    highs: list[Number],
    numbers: Mapping[str, Number],
) -> dict[str, Any]:
    """What A does facing the bets of one line, where he holds the good hands `good`, and bluffs from `bluff` upwards."""
    plan: dict[str, Any] = {}
    share = good.integral() / highs[0]
    while name in game.tree.decisions:
        call = numbers["d"]
        if stage > 1:
            call = _best(good, share * highs[stage - 2] * numbers[f"beta{stage - 1}"])
        plan[name] = {"call": [(call, 1)]}
        if "raise" in game.tree.decisions[name].actions:
            line = 1 - highs[stage]
            plan[name] = {
                "call": [(call, line)],
                "raise": [(bluff, bluff + share * highs[stage] / 2), (line, 1)],
            }
        name, stage = f"{name}-raise-raise", stage + 2
    return plan


def _best(hands: Piecewise, amount: Number) -> Number:
    """The line above which lies so much of these hands."""
    for left, right, piece in reversed(list(zip(hands.cuts, hands.cuts[1:], hands.pieces, strict=False))):
        if not piece:
            continue
        if amount <= right - left:
            return right - amount
        amount = amount - (right - left)
    return Fraction(0)
