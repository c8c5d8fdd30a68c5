"""Checks of claims on optimal strategies and values, including those that Miao quotes from Kuhn (1950)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from typing import TypeAlias

from relance.claims.checks import each, equal, nash, with_numbers
from relance.claims.finding import At, Finding
from relance.claims.ledger import Numbers
from relance.envs import make
from relance.model.game import Game
from relance.model.numbers import Number
from relance.model.strategy import Plan, Profile
from relance.solvers.exact import nash_conv
from relance.solvers.lp import SequenceForm, optimal_face, solve_lp
from relance.solvers.proof import region

KUHN, MIAO = make("one_card_poker", raises=0), make("one_card_poker", raises=1)
OPENER, DEALER = 0, 1
CARDS = ("Q", "K", "A")
ONE, VALUE = Fraction(1), Fraction(-1, 18)
NAMES = {
    "bluff": "queen bets",
    "king_call": "king calls",
    "ace_bet": "ace bets",
    "dealer_bluff": "dealer bluffs",
    "dealer_call": "dealer calls",
}
"""The published numbers of the family, with their names in the claims."""

Change: TypeAlias = Callable[[Mapping[str, Number]], Plan]
"""A function from the numbers of the family to the changed rows at some nodes."""

DEPTHS = range(1, 7)
"""The numbers of raises at which claims on "any number of raises" are checked."""


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
    return nash(KUHN, with_numbers(KUHN, {**where, **n.at(**where)}), where, VALUE)


def kuhn_all(n: Numbers) -> Finding:
    """Every optimal strategy obeys the printed relations: their extremes over the optimal face are 0."""
    form, dealer = SequenceForm(KUHN, OPENER), _ranges(0, DEALER)
    alpha, gamma, beta = form.weights["", "bet"][0], form.weights["", "bet"][2], form.weights["check-bet", "call"][1]
    (unit,) = form.program.variables(1)
    form.program.equal.append(({unit: ONE}, ONE))
    relations = ({alpha: ONE, gamma: -n["alpha over gamma"]}, {beta: ONE, alpha: -ONE, unit: -n["beta less alpha"]})
    gaps = [form.extreme({j: sign * c for j, c in relation.items()}) for relation in relations for sign in (1, -1)]
    same = dealer["check", "bet"][0] == (n["xi"],) * 2 and dealer["bet", "call"][1] == (n["eta"],) * 2
    unique = all(low == high for spans in dealer.values() for low, high in spans)
    text = (
        f"over all optimal strategies both relations are off by at most {max(gaps)}; the dealer's is unique: {unique}"
    )
    return Finding(not any(gaps) and same and unique, text)


def any_ace(n: Numbers) -> Finding:
    ranges = _ranges(0, OPENER)["", "bet"]
    text = f"optimal strategies bet the ace from {ranges[2][0]} to {ranges[2][1]}, the queen up to {ranges[0][1]}"
    return equal(dict(zip(("least", "most"), ranges[2], strict=True)), n).only_if(ranges[0][1] > 0, text)


def kuhn_tree(n: Numbers) -> Finding:
    where = region("gamma", "0 <= gamma <= 1")
    at = n.at(**where)
    numbers = {**KUHN.printed_numbers()[1], "beta": at["king calls"]}
    bets = [at[f"{card} bets"] for card in ("queen", "king", "ace")]
    return nash(KUHN, {**with_numbers(KUHN, numbers), "": {"bet": bets}}, where, VALUE)


def _in_equilibrium(game: Game = MIAO, n: Numbers | None = None, change: Change = lambda numbers: {}) -> Finding:
    """Whether the family, with the printed numbers `n` and changes at some nodes, is an equilibrium of value -1/18 for all alpha."""
    where = region("alpha", "0 <= alpha <= 1")
    _, numbers = game.printed_numbers(alpha=where["alpha"])
    if n is not None:
        printed = n.at(**where)
        numbers |= {letter: printed[name] for letter, name in NAMES.items()}
    return nash(game, {**with_numbers(game, numbers, 1), **change(numbers)}, where, VALUE)


def family(n: Numbers) -> Finding:
    return _in_equilibrium(n=n)


VARIANTS: dict[str, Change] = {
    "opener check-calls the ace": lambda n: {"check-bet": {"call": [0, n["king_call"], 1], "raise": 0}},
    "opener betfolds the ace": lambda n: {"bet-raise": {"fold": 1}},
    "dealer calls with the ace": lambda n: {"bet": {"call": [0, n["dealer_call"], 1], "raise": 0}},
    "dealer betfolds the ace": lambda n: {"check-bet-raise": {"fold": 1}},
}


def variant(n: Numbers, name: str) -> Finding:
    """The family with the change `name` is in equilibrium."""
    return _in_equilibrium(change=VARIANTS[name])


def folding_share(n: Numbers, player: int, name: str) -> Finding:
    """Always betfolding the ace is not an equilibrium. The largest part of his bet aces that a player may fold is the share.

    Folding the share is optimal for all alpha, folding more is not, and the linear program agrees.
    """
    node = "bet-raise" if player == OPENER else "check-bet-raise"

    def at(share: Fraction) -> Finding:
        return _in_equilibrium(change=lambda _: {node: {"fold": [1, 1, share]}})

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
        family = _in_equilibrium(make("one_card_poker", raises=raises))
        return family.only_if(_solved(raises)[0] == n["value"], f"{family.evidence}, by LP {_solved(raises)[0]}")

    text = "NashConv 0, and the same value by linear programming, at each number of raises; later raises are met with the ace alone"
    return each("raises", ((raises, at(raises)) for raises in DEPTHS), text)


def raises_with_aces(n: Numbers) -> Finding:
    """The greatest total weight of raising, or calling a raise, with queen or king over all optimal strategies is 0."""
    most = []
    for raises, player in product((1, 2, 3, 4), (OPENER, DEALER)):
        form = SequenceForm(make("one_card_poker", raises=raises), player)
        steps = [step for step in form.weights if "-".join(step).endswith(("raise", "raise-call"))]
        most.append(form.extreme({j: ONE for step in steps for j in form.weights[step][:2]}))
    text = f"over all optimal strategies, queen and king raise or call a raise with total weight at most {max(most)}"
    return Finding(not any(most), text, (At("raises 1 to 4"),))


def same_as_kuhn(n: Numbers) -> Finding:
    small, large = ({**_ranges(raises, OPENER), **_ranges(raises, DEALER)} for raises in (0, 1))
    first_bets = [step for step in small if step[0] in ("", "check")]
    bad = [f"{step}: {small[step]} and {large[step]}" for step in first_bets if small[step] != large[step]]
    worth = [_solved(raises)[0] for raises in (0, 1)]
    text = f"value {worth[0]} in both, and the same ranges of every first bet over all optimal strategies"
    return Finding(not bad and worth[0] == worth[1], "; ".join(bad) or text)


def polite(n: Numbers) -> Finding:
    profile = MIAO.published(alpha=0)
    raised = profile["check-bet"][2][2] * profile[""][0][2]
    gap = nash_conv(MIAO, profile)
    text = f"at alpha = 0 the ace is check-raised with probability {raised}, and NashConv is {gap}"
    return Finding(gap == 0 and raised == 0, text)
