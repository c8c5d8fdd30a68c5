"""One-card poker: Kuhn (1950) without raises, Miao (2014) with them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction

from relance.envs.kuhn_decks import amounts, kuhn_deck_plan
from relance.model.blueprint import Blueprint, Family, Misprint, Parameters, Printed, Source, counted
from relance.model.deal import Deal
from relance.model.distributions import distinct_cards
from relance.model.numbers import Number
from relance.model.parameters import ANTE, Chips, WholeNumber
from relance.model.strategy import Plan
from relance.model.tree import MOST_BETS, BettingTree, decision, facing_a_bet, showdown

THESIS = Source(
    "miao-2014",
    "D. H. Miao",
    "Sandbagging in One-Card Poker",
    2014,
    "Family of Solutions for Opener and Dealer",
    "thesis, Dartmouth College",
)
KUHN = Source(
    "miao-2014",
    "H. W. Kuhn",
    "A Simplified Two-Person Poker",
    1950,
    "p. 101, as quoted by Miao (2014), Kuhn Poker",
    "Contributions to the Theory of Games 1, 97-103",
)
OURS = Source("relance", "Relance", "Kuhn's game at every ante and bet", 2026, "docs/kuhn.md")


def one_card_poker(cards: int, raises: int, ante: Number, bet: Number) -> tuple[BettingTree, Deal]:
    """Return the betting tree and the deal of one-card poker, after Kuhn and Miao.

    Rules:
        Each player antes `ante` chips and gets one card of a deck of `cards` distinct cards, without replacement.
        Player 0, the opener, checks or bets `bet` chips. After a check, player 1, the dealer, checks or bets.
        A player who faces a bet folds, calls, or raises by `bet`, at most `raises` times in all.
        The higher card wins the showdown.
    """
    sizes = [bet] * (raises + 1)
    after_check = decision(1, check=showdown(ante), bet=facing_a_bet(0, ante, sizes))
    return BettingTree(decision(0, check=after_check, bet=facing_a_bet(1, ante, sizes))), distinct_cards(cards)


def _short(parameters: Parameters) -> str:
    whose = f"Miao, {counted(parameters['raises'], 'raise')}" if parameters["raises"] else "Kuhn"
    return f"{whose}, {parameters['cards']} cards"


def _kuhn_plan(numbers: Mapping[str, Number], tree: BettingTree) -> Plan:
    return {
        "": {"bet": [numbers["alpha"], numbers["king_bet"], numbers["gamma"]]},
        "check-bet": {"call": [0, numbers["beta"], 1]},
        "check": {"bet": [numbers["xi"], 0, 1]},
        "bet": {"call": [0, numbers["eta"], 1]},
    }


KUHN_ONLY = ("raises == 0", "cards == 3")


def _at_other_bets(where: str, numbers: Mapping[str, str], free: Collection[str] = ()) -> Printed:
    """One of the optimal strategies for some bets B in antes; docs/kuhn.md has the others."""
    numbers = {"alpha": "0", "gamma": "0", "king_bet": "0", **numbers}
    return Printed(source=OURS, numbers=numbers, plan=_kuhn_plan, where=[*KUHN_ONLY, where], free=free)


def _miao_plan(numbers: Mapping[str, Number], tree: BettingTree) -> Plan:
    first: dict[str, dict[str, object]] = {
        "": {"bet": [numbers["bluff"], 0, numbers["ace_bet"]]},
        "check-bet": {"call": [0, numbers["king_call"], 0], "raise": [0, 0, 1]},
        "check": {"bet": [numbers["dealer_bluff"], 0, 1]},
        "bet": {"call": [0, numbers["dealer_call"], 0], "raise": [0, 0, 1]},
    }
    # The thesis stops at one raise: a player who faces a raise continues with the ace and folds all other cards.
    later = {
        name: {"fold": [1, 1, 0], node.actions[-1]: [0, 0, 1], **({"call": 0} if "raise" in node.actions else {})}
        for name, node in tree.decisions.items()
        if name not in first
    }
    return {**first, **later}


DEALER = {"xi": "B/(B + 2)", "eta": "(2 - B)/(B + 2)"}
"""How often the dealer bluffs with the worst card (xi) and calls with the middle card (eta), for bets of up to two antes."""

ONE_CARD_POKER = Blueprint(
    name="one_card_poker",
    title="One-card poker of Kuhn and Miao",
    short=_short,
    result="With three cards the opener bluffs with the worst, and may check even the best, to raise a bet; they lose 1/18 of a "
    "chip a hand, with a raise as in Kuhn's game without. Without raises it is solved at [every ante and bet, with any deck](../kuhn.md).",
    source=THESIS,
    parameters={
        "cards": WholeNumber(3, "cards in the deck", least=2),
        "raises": WholeNumber(1, "how many raises are allowed after the bet; 0 is Kuhn's game", most=MOST_BETS - 1),
        "ante": ANTE,
        "bet": Chips(Fraction(1), "chips of the bet and of each raise"),
    },
    aliases={"kuhn": {"raises": 0}, "kuhn_poker": {"raises": 0}},
    build=one_card_poker,
    symbols={"B": "bet/ante", "N": "cards - 1"},
    printed=[
        Printed(
            source=KUHN,
            family={"alpha": Family(Fraction(1, 6), "how often the opener bets the queen", most=Fraction(1, 3))},
            numbers={"gamma": "3*alpha", "beta": "gamma/3 + 1/3", "xi": "1/3", "eta": "1/3", "king_bet": "0"},
            plan=_kuhn_plan,
            # In the tree of the thesis the king bets with the probability of folding it to a bet.
            misprints={"king_bet": Misprint("2/3 - gamma/3", "miao-2014/kuhn-opener-tree")},
            where=[*KUHN_ONLY, "B == 1"],
        ),
        Printed(
            source=THESIS,
            family={"alpha": Family(Fraction(1, 2), "how often the opener check-raises the ace")},
            numbers={
                "bluff": "(1 - alpha)/3",
                "king_call": "1/3 + (1 - alpha)/3",
                "ace_bet": "1 - alpha",
                "dealer_bluff": "1/3",
                "dealer_call": "1/3",
            },
            plan=_miao_plan,
            # The figure of the dealer's ace has a sign wrong; the text has it right.
            misprints={"king_call": Misprint("1/3 + (1 + alpha)/3", "miao-2014/dealer-ace-figure-king")},
            where=["raises >= 1", "cards == 3", "B == 1"],
        ),
        _at_other_bets("B < 1", {"alpha": "B/(B + 2)", "gamma": "1", "beta": "2/(B + 2)", **DEALER}),
        _at_other_bets("1 < B < 2", {"beta": "(2 - B)/(B + 2)", **DEALER}, free=["eta"]),
        _at_other_bets("B >= 2", {"beta": "0", "xi": "0", "eta": "0"}, free=["gamma"]),
        Printed(
            source=OURS,
            numbers=lambda parameters: amounts(parameters["cards"] - 1, parameters["bet"] / parameters["ante"]),
            plan=kuhn_deck_plan,
            where=["raises == 0"],
            free=["thin"],
        ),
    ],
    samples=[
        *({"raises": raises} for raises in range(4)),
        *({"raises": 0, "bet": bet} for bet in ("1/2", "3/2", 3)),
        {"cards": 5},
        {"cards": 4, "raises": 0, "bet": "3/2"},
    ],
)
