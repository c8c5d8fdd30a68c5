"""Checks of claims: D. H. Miao (2014), with what he quotes of Kuhn (1950) and Swanson (2005)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from relance.claims.checks import equal, every, nash
from relance.claims.ledger import Finding, Numbers
from relance.envs import make
from relance.model.game import Game
from relance.model.numbers import Number
from relance.model.strategy import Plan, Profile
from relance.solvers.exact import nash_conv
from relance.solvers.lp import SequenceForm, optimal_face, solve_lp
from relance.solvers.proof import Region, region

KUHN, MIAO = make("one_card_poker", raises=0), make("one_card_poker", raises=1)
OPENER, DEALER = 0, 1
CARDS = ("Q", "K", "A")
ONE = Fraction(1)
DEPTHS = range(1, 7)
"""Numbers of raises at which "any number of raises" is checked."""


def all_alpha() -> Region:
    return region("alpha", "0 <= alpha <= 1")


def inner_alpha() -> Region:
    """The alphas for which the opener both bets and checks, so that the dealer's beliefs are defined after either."""
    return region("alpha", "0 < alpha < 1")


@cache
def _solved(raises: int) -> tuple[Fraction, Profile]:
    return solve_lp(make("one_card_poker", raises=raises))


@cache
def _ranges(raises: int, player: int) -> Mapping[tuple[str, str], list[tuple[Fraction, Fraction]]]:
    return optimal_face(make("one_card_poker", raises=raises), player).ranges


def values(n: Numbers, raises: int) -> Finding:
    """The value by the linear programs of both players, whose solution has NashConv 0."""
    game = make("one_card_poker", raises=raises)
    worth, profile = _solved(raises)
    same = equal({"opener": worth, "dealer": -worth}, n)
    text = f"{same.evidence}, by linear programming and by its solution's NashConv 0"
    return same.only_if(nash_conv(game, profile) == 0, text)


def stakes(n: Numbers) -> Finding:
    most = {
        name: max(abs(leaf.constant) + leaf.stake for leaf in game.tree.leaves.values())
        for name, game in (("Kuhn", KUHN), ("one raise", MIAO))
    }
    return equal({**most, "turns": MIAO.tree.depth}, n)


def kuhn_family(n: Numbers) -> Finding:
    where = region("gamma", "0 <= gamma <= 1")
    at = n.at(**where)
    return _kuhn(where, [at["alpha"], 0, where["gamma"]], at["beta"], at["xi"], at["eta"])


def _kuhn(
    where: Region, bets: list[Number], call: Number, bluffs: Number = ONE / 3, calls: Number = ONE / 3
) -> Finding:
    """Whether the opener's bets and calls with the king, and the dealer's bluffs and calls, solve Kuhn's game."""
    opener = {"": {"bet": bets}, "check-bet": {"call": [0, call, 1]}}
    dealer = {"check": {"bet": [bluffs, 0, 1]}, "bet": {"call": [0, calls, 1]}}
    return nash(KUHN, {**opener, **dealer}, where, Fraction(-1, 18))


def kuhn_all(n: Numbers) -> Finding:
    """Every optimal strategy obeys the printed relations: their extremes over the optimal face are 0."""
    form, dealer = SequenceForm(KUHN, OPENER), _ranges(0, DEALER)
    alpha, gamma, beta = form.weights["", "bet"][0], form.weights["", "bet"][2], form.weights["check-bet", "call"][1]
    (unit,) = form.program.variables(1)
    form.program.equal.append(({unit: ONE}, ONE))
    relations = ({alpha: ONE, gamma: -n["alpha over gamma"]}, {beta: ONE, alpha: -ONE, unit: -n["beta less alpha"]})
    spans = [form.extreme({j: sign * c for j, c in relation.items()}) for relation in relations for sign in (1, -1)]
    same = dealer["check", "bet"][0] == (n["xi"],) * 2 and dealer["bet", "call"][1] == (n["eta"],) * 2
    unique = all(low == high for spans in dealer.values() for low, high in spans)
    text = (
        f"over all optimal strategies both relations are off by at most {max(spans)}; the dealer's is unique: {unique}"
    )
    return Finding(not any(spans) and same and unique, text)


def any_ace(n: Numbers) -> Finding:
    ranges = _ranges(0, OPENER)["", "bet"]
    text = f"optimal strategies bet the ace from {ranges[2][0]} to {ranges[2][1]}, the queen up to {ranges[0][1]}"
    return equal(dict(zip(("least", "most"), ranges[2], strict=True)), n).only_if(ranges[0][1] > 0, text)


def kuhn_tree(n: Numbers) -> Finding:
    where = region("gamma", "0 <= gamma <= 1")
    at = n.at(**where)
    return _kuhn(where, [at[f"{card} bets"] for card in ("queen", "king", "ace")], at["king calls"])


FAMILY = {
    "queen bets": "(1 - alpha)/3",
    "king calls": "1/3 + (1 - alpha)/3",
    "ace bets": "1 - alpha",
    "dealer bluffs": "1/3",
    "dealer calls": "1/3",
}


def _in_equilibrium(
    texts: Numbers, game: Game = MIAO, change: Callable[[Mapping[str, Any]], Plan] = lambda n: {}
) -> Finding:
    """Whether the family with these numbers, changed at some nodes, is in equilibrium for all alpha, and worth -1/18."""
    where = all_alpha()
    n = texts.at(alpha=where["alpha"])
    plan: dict[str, Any] = {
        "": {"bet": [n["queen bets"], 0, n["ace bets"]]},
        "check-bet": {"call": [0, n["king calls"], 0], "raise": [0, 0, 1]},
        "check": {"bet": [n["dealer bluffs"], 0, 1]},
        "bet": {"call": [0, n["dealer calls"], 0], "raise": [0, 0, 1]},
    }
    for name, node in game.tree.decisions.items():
        if name not in plan:  # whoever faces a raise goes on with the ace and folds the rest
            plan[name] = {**dict.fromkeys(node.actions, 0), "fold": [1, 1, 0], node.actions[-1]: [0, 0, 1]}
    return nash(game, {**plan, **change(n)}, where, Fraction(-1, 18))


def family(n: Numbers) -> Finding:
    return _in_equilibrium(n)


VARIANTS: dict[str, Callable[[Mapping[str, Any]], Plan]] = {
    "opener check-calls the ace": lambda n: {"check-bet": {"call": [0, n["king calls"], 1], "raise": 0}},
    "opener betfolds the ace": lambda n: {"bet-raise": {"fold": 1}},
    "dealer calls with the ace": lambda n: {"bet": {"call": [0, n["dealer calls"], 1], "raise": 0}},
    "dealer betfolds the ace": lambda n: {"check-bet-raise": {"fold": 1}},
}


def variant(n: Numbers, name: str) -> Finding:
    """The family with one habit changed is in equilibrium."""
    return _in_equilibrium(Numbers(FAMILY), change=VARIANTS[name])


def folding_share(n: Numbers, player: int, name: str) -> Finding:
    """Always betfolding the ace is no equilibrium; the most of his bet aces that a player may fold to a raise is the share.

    The share is optimal for all alpha, more is not, and the linear program agrees.
    """
    node = "bet-raise" if player == OPENER else "check-bet-raise"

    def at(share: Fraction) -> Finding:
        return _in_equilibrium(Numbers(FAMILY), change=lambda _: {node: {"fold": [1, 1, share]}})

    share, more, always = at(n["share"]), at(n["share"] + Fraction(1, 1000)), variant(n, name)
    most = _ranges(1, player)[node, "fold"][2][1]
    text = f"always: {always.evidence}; at {n['share']}: {share.evidence}; 1/1000 more: {more.evidence}; by LP at most {most}"
    return share.only_if(not more.holds and not always.holds and most == n["share"], text)


def not_all(n: Numbers) -> Finding:
    opener, dealer = (_ranges(1, player) for player in (OPENER, DEALER))
    high, call = opener["check-bet", "call"][2][1], dealer["bet", "call"][2][1]
    text = f"the opener may also check-call the ace (weight up to {high}), the dealer call a bet with it (up to {call})"
    return Finding(high > 0 and call > 0, text)


def any_raises(n: Numbers) -> Finding:
    def at(raises: int) -> Finding:
        family = _in_equilibrium(Numbers(FAMILY), make("one_card_poker", raises=raises))
        return family.only_if(_solved(raises)[0] == n["value"], f"{family.evidence}, by LP {_solved(raises)[0]}")

    text = "NashConv 0, and the same value by linear programming, at each number of raises; later raises are met with the ace alone"
    cases = ((f"raises={raises}", at(raises)) for raises in DEPTHS)
    return every(cases, text, f"{all_alpha()}, raises {DEPTHS[0]} to {DEPTHS[-1]}", "proved")


def raises_with_aces(n: Numbers) -> Finding:
    """The greatest total weight of raising, or calling a raise, with queen or king over all optimal strategies is 0."""
    most = []
    for raises, player in product((1, 2, 3, 4), (OPENER, DEALER)):
        form = SequenceForm(make("one_card_poker", raises=raises), player)
        steps = [
            (node, action)
            for node, action in form.weights
            if action == "raise" or (action == "call" and node.endswith("raise"))
        ]
        most.append(form.extreme({j: ONE for step in steps for j in form.weights[step][:2]}))
    text = f"over all optimal strategies, queen and king raise or call a raise with total weight at most {max(most)}"
    return Finding(not any(most), text, domain="raises 1 to 4")


def same_as_kuhn(n: Numbers) -> Finding:
    bad = []
    for player in (OPENER, DEALER):
        small, large = _ranges(0, player), _ranges(1, player)
        bad += [
            f"{step}: {small[step]} and {large[step]}"
            for step in small
            if step[0] in ("", "check") and small[step] != large[step]
        ]
    worth = [_solved(raises)[0] for raises in (0, 1)]
    text = f"value {worth[0]} in both, and the same ranges of every first bet over all optimal strategies"
    return Finding(not bad and worth[0] == worth[1], "; ".join(bad) or text)


def polite(n: Numbers) -> Finding:
    profile = MIAO.published(alpha=0)
    raised = profile["check-bet"][2][2] * profile[""][0][2]
    gap = nash_conv(MIAO, profile)
    text = f"at alpha = 0 the ace is check-raised with probability {raised}, and NashConv is {gap}"
    return Finding(gap == 0 and raised == 0, text)
