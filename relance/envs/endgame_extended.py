"""Extensions of the endgame that Ferguson and Ferguson announce in their abstract; the games and solutions are our own."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

from relance.envs.ferguson_endgame import growth, ratios, rounds
from relance.model.blueprint import Blueprint, Parameters, Printed, Source, counted
from relance.model.deal import Deal
from relance.model.distributions import joint_distribution
from relance.model.numbers import Number, at_least_zero, show
from relance.model.parameters import ANTE, Bets, Chips, Probability
from relance.model.strategy import Plan
from relance.model.tree import BettingTree, Decision, Leaf, Node, decision, reveal, showdown

OURS = Source(
    "endgame", "Relance", "solutions of extensions announced by C. Ferguson and T. Ferguson", 2026, "Abstract"
)

_BET = Chips(Fraction(2), "chips of the bet")


def endgame_hidden(
    p: Number, p_blocked: Number, blocked: Number, ante: Number, bet: Number
) -> tuple[BettingTree, Deal]:
    """Return the tree and the deal of Basic Endgame in which player 1's hidden card tells something of player 0's chances.

    Rules:
        Each player antes `ante` chips. Player 1 is dealt a blocker with probability `blocked`, else a blank; only player 1 knows
        which. Player 0 is dealt a winner with probability `p_blocked` against a blocker and `p` against a blank; only player 0
        knows which. Player 0 checks, which leads to a showdown, or bets `bet` chips. Player 1 then folds or calls.
    """
    joint = [[(1 - blocked) * (1 - p), blocked * (1 - p_blocked)], [(1 - blocked) * p, blocked * p_blocked]]
    edge = [[Fraction(-1)] * 2, [Fraction(1)] * 2]
    return BettingTree(rounds(ante, (bet,))), joint_distribution(["loser", "winner"], ["blank", "blocker"], joint, edge)


def endgame_draw(p: Number, good: Number, bad: Number, ante: Number, bet: Number) -> tuple[BettingTree, Deal]:
    """Return the tree and the deal of Basic Endgame in which player 0's hand only gives the probability of winning.

    Rules:
        Each player antes `ante` chips. Player 0 is dealt a good hand with probability `p`, else a bad one; only player 0 knows
        which. In a showdown a good hand wins with probability `good`, a bad one with probability `bad`.
        Player 0 checks, which leads to a showdown, or bets `bet` chips. Player 1 then folds or calls.
    """
    joint = [[1 - p], [p]]
    edge = [[2 * bad - 1], [2 * good - 1]]
    return BettingTree(rounds(ante, (bet,))), joint_distribution(["bad", "good"], ["hand"], joint, edge)


def endgame_cards(
    p: Number, ante: Number, bets: tuple[Number, ...], good_winner: Number, good_loser: Number
) -> tuple[BettingTree, Deal]:
    """Return the tree and the deal of the endgame with a card for all to see between two rounds.

    Rules:
        Each player antes `ante` chips. Player 0 is dealt a winner with probability `p`, else a loser; only player 0 knows which.
        In each round player 0 checks, which leads to a showdown, or bets the round's amount of `bets`.
        Player 1 then folds or calls. A call in the last round leads to a showdown; in another a card turns up before the next
        round. The card is good with probability `good_winner` if player 0 has a winner and `good_loser` if not, else bad.
    """
    if len(bets) > MOST_ROUNDS:
        raise ValueError(f"bets has an amount for each of {len(bets)} rounds; at most {MOST_ROUNDS} rounds are allowed")
    deal = _told(1 - p, p, good_winner, good_loser, len(bets) - 1)
    good, also = show(good_winner), show(good_loser)
    deal.words = (
        f"{{0}} is dealt a winner with probability {show(p)}, else a loser; {{1}} sees neither. At a showdown a winner wins and "
        f"a loser loses. Each card that turns up is good with probability {good} if {{0}} has a winner and {also} if not, else bad; "
        "cards do not change the hands."
    )
    return BettingTree(_streets(ante, bets)), deal


MOST_ROUNDS = 8
"""The most rounds: each round doubles the decisions, since the card before the round is good or bad."""


def _streets(ante: Number, bets: tuple[Number, ...]) -> Decision:
    after: Node = showdown(ante + bets[0])
    if len(bets) > 1:
        after = reveal(**dict.fromkeys(_CARDS, _streets(ante + bets[0], bets[1:])))
    return decision(0, check=showdown(ante), bet=decision(1, fold=Leaf(ante), call=after))


_CARDS = "good", "bad"


def _told(loser: Number, winner: Number, good_winner: Number, good_loser: Number, cards: int) -> Deal:
    """The deal with these weights of the two hands, after which so many cards may turn up."""
    deal = joint_distribution(["loser", "winner"], ["hand"], [[loser], [winner]], [[Fraction(-1)], [Fraction(1)]])
    if not cards:
        return deal
    return deal.with_events(
        {
            card: _told(loser * with_loser, winner * with_winner, good_winner, good_loser, cards - 1)
            for card, with_winner, with_loser in _likelihoods(good_winner, good_loser)
        }
    )


def _likelihoods(good_winner: Number, good_loser: Number) -> list[tuple[str, Number, Number]]:
    """Each card, with its probability if player 0 has a winner, and if not."""
    return [("good", good_winner, good_loser), ("bad", 1 - good_winner, 1 - good_loser)]


def _bluffs_per_winner(parameters: Parameters) -> list[Number]:
    """For each round, the bluffs for each winner that bet there in the endgame without cards."""
    folds = ratios(parameters["ante"], parameters["bets"])
    return [growth(folds[k:]) - 1 for k in range(len(folds))]


def _strong(parameters: Parameters) -> str | None:
    """Why the theorem of the endgame fails: a card is so good that player 1 folds all hands after it. None if it holds."""
    odds = _bluffs_per_winner(parameters)
    for k, (now, after) in enumerate(pairwise(odds), 2):
        for card, winner, loser in _likelihoods(parameters["good_winner"], parameters["good_loser"]):
            if not at_least_zero(now * loser - after * winner):
                return f"a {card} card before round {k} tells so much that player 1 would always fold after it"
    return None


def _cards_active(parameters: Parameters) -> str | None:
    below = parameters["p"] * (1 + _bluffs_per_winner(parameters)[0]) < 1
    return _strong(parameters) or (None if below else "P is at least P0")


def _cards_numbers(parameters: Parameters) -> dict[str, Number]:
    """`bluff` and f_k are those of the endgame. Later a loser bets so often that the bluffs for each winner are as there too."""
    odds, p = _bluffs_per_winner(parameters), parameters["p"]
    numbers: dict[str, Number] = {"bluff": p / (1 - p) * odds[0]}
    numbers |= {f"f{k}": ratio for k, ratio in enumerate(ratios(parameters["ante"], parameters["bets"]), 1)}
    likelihoods = _likelihoods(parameters["good_winner"], parameters["good_loser"])
    for k in range(1, len(odds)):
        for told in product(likelihoods, repeat=k):
            _, winner, loser = told[-1]
            never = odds[k] * winner / (odds[k - 1] * loser) if loser != 0 else Fraction(0)
            numbers["_".join(["bluff", *(card for card, *_ in told)])] = never
    return numbers


def _cards_saddle(parameters: Parameters) -> dict[str, Number]:
    """From P0 on player 0 always bets and player 1 folds at once. Later bluffs are just frequent enough that a call gains nothing."""
    odds, folds = _bluffs_per_winner(parameters), range(1, len(parameters["bets"]) + 1)
    numbers: dict[str, Number] = {f"f{k}": Fraction(1) for k in folds}

    def add(name: str, k: int, winners: Number, losers: Number) -> None:
        wanted = winners * odds[k]
        enough = k > 0 and at_least_zero(losers - wanted) and losers != 0
        numbers[name] = wanted / losers if enough else Fraction(1)
        if k + 1 < len(odds):
            for card, winner, loser in _likelihoods(parameters["good_winner"], parameters["good_loser"]):
                add(f"{name}_{card}", k + 1, winners * winner, losers * numbers[name] * loser)

    add("bluff", 0, parameters["p"], 1 - parameters["p"])
    return numbers


def _cards_plan(numbers: Mapping[str, Number], tree: BettingTree) -> Plan:
    plan: dict[str, dict[str, Any]] = {}
    for name, node in tree.decisions.items():
        told = tree.cases[name].events
        bluff, fold = numbers["_".join(["bluff", *told])], numbers[f"f{len(told) + 1}"]
        plan[name] = {"bet": [bluff, 1]} if node.player == 0 else {"fold": fold}
    return plan


def _hidden_numbers(parameters: Parameters) -> dict[str, Number]:
    """The equilibrium, in which player II is indifferent to calling with one of the two cards, the blank or the blocker."""
    p, low, r, ante, bet = (parameters[name] for name in ("p", "p_blocked", "blocked", "ante", "bet"))
    blanks, blockers = (1 - r) * (1 - p), r * (1 - low)
    odds = bet / (2 * ante + bet)
    excess = blanks - odds * (blanks + blockers)
    if at_least_zero(excess):  # if all blanks folded, player II would fold too often, so some of them call
        return {"bluff": odds * p / (1 - p), "blank": excess / blanks, "blocker": Fraction(1)}
    return {"bluff": odds * low / (1 - low), "blank": Fraction(0), "blocker": 1 + excess / blockers}


def _hidden_plan(numbers: Mapping[str, Number], tree: BettingTree) -> Plan:
    return {"": {"bet": [numbers["bluff"], 1]}, "bet": {"call": [numbers["blank"], numbers["blocker"]]}}


def _draw_plan(numbers: Mapping[str, Number], tree: BettingTree) -> Plan:
    return {"": {"bet": [numbers["bluff"], 1]}, "bet": {"fold": numbers["fold"]}}


ENDGAME_HIDDEN = Blueprint(
    name="endgame_hidden",
    title="Basic Endgame with a hidden card of player II",
    result="Player 1 calls more often with a card that makes a winner less likely. At the defaults they always call with it, and with a "
    "blank only sometimes.",
    source=OURS,
    parameters={
        "p": Probability(Fraction(1, 3), "probability of a winner if player 1 holds a blank"),
        "p_blocked": Probability(Fraction(1, 6), "probability of a winner if player 1 holds a blocker"),
        "blocked": Probability(Fraction(1, 4), "probability that player 1 holds a blocker"),
        "ante": ANTE,
        "bet": _BET,
    },
    build=endgame_hidden,
    printed=[
        Printed(
            source=OURS,
            numbers=_hidden_numbers,
            plan=_hidden_plan,
            where=["0 < p_blocked <= p", "0 < blocked < 1", "p <= (2*ante + bet)/(2*ante + 2*bet)"],
        )
    ],
    samples=[{}, {"blocked": "4/5"}, {"p": "1/2", "p_blocked": "1/2"}],
)

ENDGAME_DRAW = Blueprint(
    name="endgame_draw",
    title="Basic Endgame with cards to come",
    result="With a card to come, player 0 still bets every good hand and bluffs with a few bad ones.",
    source=OURS,
    parameters={
        "p": Probability(Fraction(1, 4), "probability that player 0 is dealt a good hand; known to both"),
        "good": Probability(Fraction(9, 10), "probability that a good hand wins"),
        "bad": Probability(Fraction(1, 10), "probability that a bad hand wins"),
        "ante": ANTE,
        "bet": _BET,
    },
    build=endgame_draw,
    symbols={name: name for name in ("p", "good", "bad", "ante", "bet")},
    printed=[
        Printed(
            source=OURS,
            numbers={
                "bluff": "p*((ante + bet)*(2*good - 1) - ante)/((1 - p)*(ante - (ante + bet)*(2*bad - 1)))",
                "fold": "bet*(1 - 2*bad)/(ante - (ante + bet)*(2*bad - 1))",
            },
            plan=_draw_plan,
            where=[
                "2*bad <= 1",
                "(ante + bet)*(2*good - 1) >= ante",
                "p*((ante + bet)*(2*good - 1) - ante) <= (1 - p)*(ante - (ante + bet)*(2*bad - 1))",
                "p < 1",
            ],
        )
    ],
    samples=[{}, {"good": 1, "bad": 0}, {"good": "4/5", "bad": "2/5", "bet": 4}],
)

ENDGAME_CARDS = Blueprint(
    name="endgame_cards",
    title="The endgame with cards between the rounds",
    short=lambda parameters: f"Endgame with cards, {counted(len(parameters['bets']), 'bet')}",
    result="Cards that tell player 1 a little change nothing but the later bluffs: the value, the first bluffs and the folds are those of "
    "the endgame. A card that tells much costs player 0.",
    source=OURS,
    parameters={
        "p": Probability(Fraction(1, 4), "probability that player 0 is dealt a winner; known to both"),
        "ante": ANTE,
        "bets": Bets((Fraction(2), Fraction(6)), "chips of the bet in each round"),
        "good_winner": Probability(Fraction(3, 5), "probability that a card is good if player 0 has a winner"),
        "good_loser": Probability(Fraction(2, 5), "probability that a card is good if player 0 has a loser"),
    },
    build=endgame_cards,
    printed=[
        Printed(source=OURS, numbers=_cards_numbers, plan=_cards_plan, refuses=_cards_active),
        Printed(
            source=OURS,
            numbers=_cards_saddle,
            plan=_cards_plan,
            refuses=_strong,
            free=[
                *(f"f{k}" for k in range(2, MOST_ROUNDS)),
                *("_".join(["bluff", *told]) for k in (1, 2, 3) for told in product(_CARDS, repeat=k)),
            ],
        ),
    ],
    samples=[
        {},
        {"p": "1/7", "bets": [2, 6, 18]},
        {"p": "1/2"},
        {"good_winner": "9/10", "good_loser": "1/10"},
    ],
)
