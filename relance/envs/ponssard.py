"""Ponssard's poker variant, a generalisation of Friedman's simple bluffing situation with a possible reraise."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from relance.model.blueprint import Blueprint, Parameters, Printed, Source
from relance.model.deal import Deal
from relance.model.distributions import independent
from relance.model.numbers import Number, show
from relance.model.parameters import Chips, Probability
from relance.model.strategy import Plan
from relance.model.tree import BettingTree, Leaf, decision, showdown


def _paper(where: str) -> Source:
    institute = "International Institute for Applied Systems Analysis, WP-74-16"
    return Source(
        "ponssard-1974", "J.-P. Ponssard", "The Solution of a Two-Person Poker Variant", 1974, where, institute
    )


FRIEDMAN = Source(
    "ponssard-1974",
    "L. Friedman",
    "Optimal Bluffing Strategies in Poker",
    1971,
    "the game with a pot of 1 and a raise to 4, as told by Ponssard",
    "Management Science 17(12)",
)


def ponssard(pot: Number, first: Number, raise_to: Number, p: Number, q: Number) -> tuple[BettingTree, Deal]:
    """Return the betting tree and the deal of Ponssard's poker variant.

    Rules:
        There are `pot` chips in the pot, half from each player. Player 0 shows a low card, player 1 a high one; each has another card down,
        high with probability `p` and `q`. Player 0 wins a showdown only with a high card against a low one. Player 0 drops or raises
        `first` chips. Player 1 then drops, calls, or reraises to `raise_to` chips in all; then player 0 drops or calls.
    """
    if not raise_to > first:
        raise ValueError(
            f"raise_to={show(raise_to)} must be more than first={show(first)}, the chips of the first raise"
        )
    half = pot / 2
    last = decision(0, drop=Leaf(-half - first), call=showdown(half + raise_to))
    answer = decision(1, drop=Leaf(half), call=showdown(half + first), reraise=last)
    deal = independent({"low": (1 - p, 0), "high": (p, 2)}, {"low": (1 - q, 1), "high": (q, 3)})
    return BettingTree(decision(0, drop=Leaf(-half), **{"raise": answer})), deal


def _corner(parameters: Parameters) -> tuple[Number, Number, Number]:
    """p_R, q_R and the threshold q*: player 0 raises only for q up to q*."""
    n, m = (parameters[name] / parameters["first"] for name in ("pot", "raise_to"))
    most = (m + n + 1) / (2 * m + n)
    return (n + 1) / (n + 2), most, n / (n + 1) * most


BORDER = "q <= n*(m + n + 1)/((n + 1)*(2*m + n))"
"""The condition under which player 0 raises at all; n and m are `pot` and `raise_to`, divided by `first`."""

_COMMON = {
    "qR": "(m + n + 1)/(2*m + n)",
    "betaR": "q/qR",
    "reraise_low": "betaR*(1 - qR)/(1 - q)",
}


def _drops_always(parameters: Parameters) -> dict[str, str]:
    """The paper's player I always drops; play after a raise is never reached, but must make raising unprofitable."""
    p_R, q_R, _ = _corner(parameters)
    sure = not parameters["q"] < q_R
    return {
        "qR": _COMMON["qR"],
        "raise_low": "0",
        "raise_high": "0",
        "betaR": "1" if sure else _COMMON["betaR"],
        "reraise_low": "1" if sure else _COMMON["reraise_low"],
        "mu1": "1",
        "call_high": "(n + 2)/(m + n + 1)" if parameters["p"] <= p_R else "(n + 1)/((m + n + 1)*p)",
    }


def _plan(numbers: Mapping[str, Number], tree: BettingTree) -> Plan:
    """`mu1` is how often player II drops a low card that is not reraised."""
    keep = 1 - numbers["reraise_low"]
    return {
        "": {"raise": [numbers["raise_low"], numbers["raise_high"]]},
        "raise": {"reraise": [numbers["reraise_low"], 1], "drop": [keep * numbers["mu1"], 0]},
        "raise-reraise": {"call": [0, numbers["call_high"]]},
    }


def _printed(where: str, numbers: Mapping[str, str], *where_p: str) -> Printed:
    return Printed(source=_paper(where), numbers=numbers, plan=_plan, where=[*where_p, BORDER])


PONSSARD = Blueprint(
    name="ponssard",
    title="Ponssard's poker variant",
    short=lambda parameters: f"Ponssard, raises {show(parameters['first'])} and {show(parameters['raise_to'])}",
    result="A reraise bluffs too: player 1 reraises with every high card and with some low ones, and player 0 calls just often enough.",
    source=_paper("1. Description of the Game"),
    related=[FRIEDMAN],
    parameters={
        "pot": Chips(Fraction(1), "chips in the pot (n)"),
        "first": Chips(Fraction(1), "chips of the first raise, the paper's unit"),
        "raise_to": Chips(Fraction(4), "what each has raised in all after a reraise (m), more than the first raise"),
        "p": Probability(Fraction(1, 2), "probability that player 0's card down is high"),
        "q": Probability(Fraction(1, 5), "probability that player 1's card down is high"),
    },
    build=ponssard,
    symbols={"n": "pot/first", "m": "raise_to/first", "p": "p", "q": "q"},
    printed=[
        _printed(
            "3, p up to (n + 1)/(n + 2)",
            {
                **_COMMON,
                "pR": "(n + 1)/(n + 2)",
                "alphaR": "p/pR",
                "raise_low": "alphaR*(1 - pR)/(1 - p)",
                "raise_high": "1",
                "mu1": "1/((n + 1)*(1 - q/qR))",
                "call_high": "(n + 2)/(m + n + 1)",
            },
            "p <= (n + 1)/(n + 2)",
        ),
        _printed(
            "3, p from (n + 1)/(n + 2)",
            {**_COMMON, "raise_low": "1", "raise_high": "1", "mu1": "1", "call_high": "(n + 1)/((m + n + 1)*p)"},
        ),
        Printed(
            source=_paper("3, q above its threshold"),
            numbers=_drops_always,
            plan=_plan,
            free=["qR", "betaR", "reraise_low", "mu1", "call_high"],
        ),
    ],
    samples=[{}, {"p": "5/6"}, {"q": "1/2"}, {"q": "9/10"}, {"pot": 3, "raise_to": "5/2", "p": "1/3", "q": "1/3"}],
)
