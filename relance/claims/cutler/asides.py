"""Checks of remarks that the paper makes in passing, on whom a game favours and on other strategies (Sections 2, 5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from relance.claims.borel_von_neumann import optimal
from relance.claims.checks import advantage, lowest, nash, signs_between, surely, tried_at
from relance.claims.cutler.endless import UP_TO_THREE, cut_off
from relance.claims.cutler.simple import rounded
from relance.claims.finding import At, Finding
from relance.claims.ledger import Numbers
from relance.envs import make
from relance.envs.cutler import pot_limit
from relance.model.game import Game
from relance.model.numbers import Number, formula, show
from relance.model.strategy import Plan, Profile
from relance.solvers.exact import best_response, value


def only_optimal(n: Numbers, player: int) -> Finding:
    """The paper's first game is von Neumann's."""
    return optimal.strict(n, "von_neumann", player)


def simple_favours(n: Numbers) -> Finding:
    """The value of the first game, from strategies with NashConv 0."""
    game = make("von_neumann", bet=2)
    optimal = nash(game, game.published().plan())
    return optimal.only_if(value(game, game.published()) > 0, f"{optimal.evidence} to A")


def three_times(n: Numbers) -> Finding:
    """The ratios of successive pots when a bet or raise is faced; and the same moves except at the end."""
    tree = make("force_in", raises=4).tree
    ends = [{move: tree.leaves[f"{name}-{move}".strip("-")] for move in ("fold", "call")} for name in tree.decisions]
    # the chips put in by the player who folds, and by the other
    pots = [abs(end["fold"].constant) + end["call"].stake for end in ends]
    good = all(after == n["times"] * before for before, after in pairwise(pots))
    return Finding(good, f"the pots are {', '.join(map(show, pots))}", (At("4 raises"),))


# --- which bluffs are free --------------------------------------------------------------------------------------------


def bluffs_anywhere(n: Numbers) -> Finding:
    """With one raise allowed, B bluffs after a check as often as before, but with hands better by 1/100."""
    game = make("pot_limit", raises=1)
    _, v = game.printed_numbers()
    step, line = Fraction(1, 100), (1 - v["c"]) / 2
    plan = {**game.published().plan(), "check": {"bet": [(step, line + step), (v["c"], 1)]}}
    lost = value(game, game.profile(plan)) - value(game, game.published())
    text = f"B bluffs after a check from {step} to {show(line + step)} instead of 0 to {show(line)}, and loses {show(lost)}"
    return tried_at({"raises": 1}, lost <= 0, text, game)


def _moved(game: Game, profile: Profile, v: Mapping[str, Number], player: int, top: Number) -> Plan:
    """The player's bluffs with the first bet and all later raises, as many as before but with the hands just below `top`."""
    high, name, plan = 1 - v["a"], "", {}
    for stage in range(game.parameters["raises"] + 1):
        high = high * v[f"alpha{stage}"] if stage else high
        if stage % 2 == player:
            action = "raise" if stage else "bet"
            plan[name] = {action: [(top - high / 2, top), (1 - high, 1)]}
            if stage:
                plan[name]["call"] = [(lowest(profile.row(name, "call")), 1 - high)]
        name = f"{name}-raise" if stage else "bet"
    return plan


def bluffs_where(n: Numbers) -> Finding:
    """B's bet after a check gains `gain` with y between A's worst check and b, which is 0 only at `line`, and more than 0 below.

    A's bluffs may be the best hands up to the same line, and B's bluff-raises the best hands that he would otherwise fold.
    """
    for game in UP_TO_THREE:
        profile = game.published()
        _, v = game.printed_numbers()
        line = formula(n.texts["line"], v)
        gain = advantage(game, profile, "check", "bet", "check")
        low = (1 - v["a"]) / 2
        spots = [(2 * low + v["b"]) / 3, (low + 2 * v["b"]) / 3]
        same = all(gain(y) == formula(n.texts["gain"], {**v, "y": y}) for y in spots)
        if not same or signs_between(gain, 0, line, v["c"]) != [1, -1]:
            return Finding(False, f"{game}: betting y after a check does not gain {n.texts['gain']}, 0 at {show(line)}")
        for player, top in ((0, line), (1, v["d"])):
            optimal = nash(game, {**profile.plan(), **_moved(game, profile, v, player, top)})
            if not optimal.holds:
                return optimal
    text = "B's bet after a check is strictly right below that line and strictly wrong above; A's first bluffs up to it, and"
    return Finding(True, f"{text} B's bluff-raises just below his calls, leave NashConv 0", (At("1 to 3 raises"),))


# --- what A may win ---------------------------------------------------------------------------------------------------


def _returns(raises: int) -> Mapping[str, Number]:
    """What A wins with the paper's strategy if B never bets and always folds, and if B plays as badly as possible."""
    game, plan = cut_off(raises)
    meek = {name: surely(node, "check", "fold") for name, node in game.tree.of(1).items()}
    tree, _ = pot_limit(raises, check_raise=False, ante=Fraction(-1))  # with all payoffs negated
    worst = replace(game, tree=tree)
    return {
        "folds": value(game, game.profile({**plan, **meek})),
        "worst": best_response(worst, worst.profile(plan), 1).value,
    }


def small_returns(n: Numbers) -> Finding:
    """The two returns to three digits, the same with one raise allowed as with more."""
    first, *others = (_returns(raises) for raises in (1, 2, 3, 4))
    text = ", ".join(f"{name}: {show(number)} = {float(number):.5f}" for name, number in first.items())
    digits = rounded(first, n, text=text)
    return digits.only_if(all(returns == first for returns in others))
