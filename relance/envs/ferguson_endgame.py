"""The endgame in poker, after Ferguson and Ferguson."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import pairwise
from math import prod
from typing import Any, Literal

from relance.model.arguments import checked
from relance.model.blueprint import Blueprint, Misprint, Parameters, Printed, Source, counted
from relance.model.deal import Deal
from relance.model.distributions import independent
from relance.model.numbers import Number, at_least_zero, formula, fraction, given, show, whole
from relance.model.parameters import ANTE, Bets, Probability
from relance.model.strategy import Plan
from relance.model.tree import BettingTree, Decision, Leaf, Node, decision, showdown


def in_ferguson(where: str) -> Source:
    """Return the `Source` for a place, such as "Section 1", in The Endgame in Poker by Ferguson and Ferguson."""
    book = "Optimal Play: Mathematical Studies of Games and Gambling"
    return Source("endgame", "C. Ferguson and T. Ferguson", "The Endgame in Poker", 2007, where, book)


_P = Probability(Fraction(1, 4), "probability that player 0 is dealt a winner; known to both")


def _winner_or_loser(p: Number) -> Deal:
    return independent({"loser": (1 - p, 0), "winner": (p, 2)}, {"hand": (Fraction(1), 1)})


def rounds(ante: Number, bets: tuple[Number, ...]) -> Decision:
    """Return the first decision after antes of `ante` chips. In each round player 0 checks or bets, and player 1 folds or calls a bet."""
    after: Node = rounds(ante + bets[0], bets[1:]) if len(bets) > 1 else showdown(ante + bets[0])
    return decision(0, check=showdown(ante), bet=decision(1, fold=Leaf(ante), call=after))


def endgame(p: Number, ante: Number, bets: tuple[Number, ...]) -> tuple[BettingTree, Deal]:
    """Return the betting tree and the deal of the endgame in poker.

    Rules:
        Each player antes `ante` chips. Player 0 is dealt a winner with probability `p`, else a loser; only player 0 knows which.
        In each round player 0 checks, which leads to a showdown, or bets the round's amount of `bets`.
        Player 1 then folds or calls; a call in the last round leads to a showdown.
    """
    return BettingTree(rounds(ante, bets)), _winner_or_loser(p)


def sized_endgame(p: Number, ante: Number, sizes: tuple[Number, ...]) -> tuple[BettingTree, Deal]:
    """Return the betting tree and the deal of Basic Endgame in which player 0 chooses the size of the bet.

    Rules:
        Each player antes `ante` chips. Player 0 is dealt a winner with probability `p`, else a loser; only player 0 knows which.
        Player 0 checks, which leads to a showdown, or bets one of `sizes`. Player 1 then folds or calls.
    """
    if len(set(sizes)) < len(sizes):
        raise ValueError(f"sizes={';'.join(map(show, sizes))} has a size twice; all must differ")
    answers = {_named(size): decision(1, fold=Leaf(ante), call=showdown(ante + size)) for size in sizes}
    return BettingTree(decision(0, check=showdown(ante), **answers)), _winner_or_loser(p)


def _named(size: Number) -> str:
    return f"bet {show(size)}"


@checked
def endgame_bets(
    limit: Literal["limit", "pot", "no_limit"], ante: Number, rounds: Number, stack: Number | None = None
) -> tuple[Fraction, ...]:
    """Return the bets of each round of an endgame under a betting limit (Endgame, Sections 2 and 3).

    These are player 0's best bets within the limit. For "limit" this holds only if `stack` is small: with two rounds, up to
    4.278 antes, contrary to the paper (claim endgame/two-limit).

    Args:
        limit: "limit", the fixed amount `stack` in each round; "pot", the size of the pot; "no_limit", the stack split so
            that each bet is the same proportion of the pot, (18) to (20).
        ante: chips that each player has put into the pot already.
        rounds: the number of rounds.
        stack: for "limit" the amount of each bet, for "no_limit" the total chips that each player can still bet.

    Raises:
        ValueError: a number is out of range, or the bets of "no_limit" are not fractions.
    """
    a, n = fraction(given(ante, "ante"), "ante"), whole(rounds, "rounds")
    total = None if stack is None else fraction(given(stack, "stack"), "stack")
    if a <= 0 or n < 1:
        raise ValueError(f"ante={show(a)} must be above 0, and rounds={n} at least 1")
    if limit == "pot":
        if total is not None:
            raise ValueError(f"stack={show(total)} must be left out if limit='pot': each bet is the size of the pot")
        return tuple(2 * a * 3**k for k in range(n))
    if limit not in ("limit", "no_limit"):
        raise ValueError(f"limit={limit!r} must be 'limit', 'pot' or 'no_limit'")
    if total is None:
        raise ValueError(
            f"limit={limit!r} needs the argument stack: "
            f"{'the amount of each bet' if limit == 'limit' else 'what each player can still bet'}, in chips"
        )
    if total <= 0:
        raise ValueError(f"stack={show(total)} must be above 0")
    if limit == "limit":
        return (total,) * n
    ratio = (a + total) / a
    step = Fraction(_root(ratio.numerator, n, ratio), _root(ratio.denominator, n, ratio))
    sums = [a * step**k for k in range(n + 1)]
    return tuple(after - before for before, after in pairwise(sums))


def _root(number: int, n: int, ratio: Fraction) -> int:
    guess: int = round(number ** (1 / n))
    for candidate in (guess - 1, guess, guess + 1):
        if candidate**n == number:
            return candidate
    raise ValueError(
        f"the best bets are not fractions, because the root of order {n} of (ante + stack)/ante = {ratio} is not a fraction"
    )


def ratios(ante: Number, bets: Iterable[Number]) -> list[Number]:
    """Return r_k for each round k: the bet divided by the pot after the bet, which is how often player 1 folds (Section 3)."""
    out, pot = [], 2 * ante
    for bet in bets:
        out.append(bet / (pot + bet))
        pot = pot + 2 * bet
    return out


def growth(ratios: Iterable[Number]) -> Number:
    """Return the product of 1 + r_k over these `ratios`; P0 in the paper is 1 divided by the product over all rounds."""
    return prod((1 + ratio for ratio in ratios), start=Fraction(1))


def _active(parameters: Parameters) -> str | None:
    """All strategies are active while P is below P0."""
    return None if parameters["p"] * growth(ratios(parameters["ante"], parameters["bets"])) < 1 else "P is at least P0"


def _endgame_numbers(parameters: Parameters) -> dict[str, Number]:
    """P below P0: p_k, how often a loser bets in round k, and f_k, how often player II folds there; (4), (11) and (12)."""
    folds, p = ratios(parameters["ante"], parameters["bets"]), parameters["p"]
    numbers: dict[str, Number] = {"p1": p / (1 - p) * (growth(folds) - 1)}
    for k in range(2, len(folds) + 1):
        numbers[f"p{k}"] = (growth(folds[k - 1 :]) - 1) / (growth(folds[k - 2 :]) - 1)
    return numbers | {f"f{k}": ratio for k, ratio in enumerate(folds, 1)}


def _saddle_numbers(parameters: Parameters) -> dict[str, Number]:
    """P at or above P0: player I bets and player II folds at once. Later bluffs are just frequent enough that a call gains nothing."""
    folds, winners = ratios(parameters["ante"], parameters["bets"]), parameters["p"]
    numbers: dict[str, Number] = {"p1": Fraction(1), **{f"f{k}": Fraction(1) for k in range(1, len(folds) + 1)}}
    for k in range(2, len(folds) + 1):
        wanted = winners * (growth(folds[k - 1 :]) - 1)
        enough = winners != 1 and at_least_zero(1 - winners - wanted)
        numbers[f"p{k}"] = wanted / (1 - winners) if enough else Fraction(1)
        winners = winners / (winners + (1 - winners) * numbers[f"p{k}"])
    return numbers


def _endgame_plan(numbers: Mapping[str, Number], tree: BettingTree) -> Plan:
    plan: dict[str, dict[str, object]] = {}
    for name, node in tree.decisions.items():
        k = name.count("bet") + (node.player == 0)
        plan[name] = {"bet": [numbers[f"p{k}"], 1]} if node.player == 0 else {"fold": numbers[f"f{k}"]}
    return plan


def sized_active(parameters: Parameters) -> str | None:
    """Return None if p < (2a + B)/(2a + 2B), with the ante a and the largest size B; else the text that player I (player 0) always bets."""
    ante, most = parameters["ante"], sorted(parameters["sizes"])[-1]
    limit = (2 * ante + most) / (2 * ante + 2 * most)
    return None if parameters["p"] < limit else "player I always bets"


def sized_numbers(parameters: Parameters) -> dict[str, Any]:
    """Return the numbers of the solution of a `sized_endgame` if p is below the limit that `sized_active` states.

    Player 0 bets the largest size B with a winner, and with probability `bluff` with a loser, and otherwise checks. Player 1 calls B with
    probability `call_most`, and the smaller sizes, in ascending order, with probabilities `call0`, `call1`, ...: each so often that a bet
    of this size earns a loser as much as a check.
    """
    sizes, ante = sorted(parameters["sizes"]), parameters["ante"]
    calls = {f"call{i}": 2 * ante / (2 * ante + size) for i, size in enumerate(sizes[:-1])}
    return {"B": sizes[-1], "limit": _LIMIT, "bluff": _MIX, "call_most": "2*a/(2*a + B)", **calls}


def sized_saddle(parameters: Parameters) -> dict[str, Any]:
    """Return the numbers of the solution of a `sized_endgame` if p is at least (2a + B)/(2a + 2B), with the ante a and the largest size B.

    Player 0 then always bets B, and player 1 folds to every size. `sized_numbers` explains the names of the numbers.
    """
    *smaller, most = sorted(parameters["sizes"])
    calls = {f"call{i}": Fraction(0) for i, _ in enumerate(smaller)}
    return {"B": most, "limit": _LIMIT, "bluff": Fraction(1), "call_most": Fraction(0), **calls}


_LIMIT, _MIX = "(2*a + B)/(2*a + 2*B)", "B/(2*a + B)*P/(1 - P)"
_LIMIT_IN_PRINT = {"limit": Misprint("B/(2*a + B)", "endgame/size-border")}


def _sized_plan(numbers: Mapping[str, Number], tree: BettingTree) -> Plan:
    """Below the limit. If a misprinted limit is not above P, the other case, as the paper then says."""
    if at_least_zero(numbers["P"] - numbers["limit"]):
        return _most_or_nothing(tree, Fraction(1))
    return _most_or_nothing(tree, numbers["bluff"], numbers)


def _sized_saddle_plan(numbers: Mapping[str, Number], tree: BettingTree) -> Plan:
    """From the limit on. If a misprinted limit is above P, the other case."""
    bluff = numbers["bluff"] if at_least_zero(numbers["P"] - numbers["limit"]) else formula(_MIX, numbers)
    return _most_or_nothing(tree, bluff, numbers)


def _most_or_nothing(tree: BettingTree, bluff: Number, calls: Mapping[str, Number] | None = None) -> Plan:
    """Player I bets the most or nothing; player II calls with the probabilities call0, call1, ..., call_most, or never."""
    *smaller, largest = sorted(tree.root.actions[1:], key=lambda action: tree.leaves[f"{action}-call"].stake)
    root = {largest: [bluff, 1], **dict.fromkeys(smaller, 0)}
    names = {**{action: f"call{i}" for i, action in enumerate(smaller)}, largest: "call_most"}
    return {"": root, **{action: {"call": 0 if calls is None else calls[name]} for action, name in names.items()}}


ENDGAME = Blueprint(
    name="endgame",
    title="The endgame in poker",
    short=lambda parameters: f"Endgame, {counted(len(parameters['bets']), 'bet')}",
    result="A player who knows whether they win bets every winner, and bluffs so often that a call gains nothing: with a bet of b after "
    "antes of a, b/(2a + b) bluffs for each winner.",
    source=in_ferguson("Sections 1 to 3"),
    parameters={
        "p": _P,
        "ante": ANTE,
        "bets": Bets((Fraction(2),), "chips of the bet in each round; one bet is Basic Endgame"),
    },
    build=endgame,
    printed=[
        Printed(
            source=in_ferguson("Section 3, Summary of Solution"),
            numbers=_endgame_numbers,
            plan=_endgame_plan,
            refuses=_active,
        ),
        Printed(
            source=in_ferguson("Section 3, Summary of Solution"),
            numbers=_saddle_numbers,
            plan=_endgame_plan,
            free=[f"{symbol}{k}" for symbol in "pf" for k in range(2, 10)],
        ),
    ],
    samples=[
        {},
        {"bets": [2, 6]},
        {"p": "9/10"},
        {"p": "1/4", "ante": 10, "bets": [20, 60, 180]},
        {"p": "3/5", "bets": [1, 1, 3]},
    ],
)

SIZED_ENDGAME = Blueprint(
    name="sized_endgame",
    title="Basic Endgame with a choice of bets",
    short=lambda parameters: f"Endgame, {counted(len(parameters['sizes']), 'size')} of bet",
    result="With a choice of sizes player 0 may as well always bet the largest, winners and bluffs alike.",
    source=in_ferguson("Section 1, Choosing the Size of the Bet"),
    parameters={"p": _P, "ante": ANTE, "sizes": Bets((Fraction(1), Fraction(2)), "bets to choose from")},
    build=sized_endgame,
    symbols={"P": "p", "a": "ante"},
    printed=[
        Printed(
            source=in_ferguson("Section 1, after Cutler 1976"),
            numbers=sized_numbers,
            plan=_sized_plan,
            refuses=sized_active,
            misprints=_LIMIT_IN_PRINT,
            free=["limit", *(f"call{i}" for i in range(20))],
        ),
        Printed(
            source=in_ferguson("Section 1, after Cutler 1976"),
            numbers=sized_saddle,
            plan=_sized_saddle_plan,
            misprints=_LIMIT_IN_PRINT,
            free=["limit", "B"],
        ),
    ],
    samples=[{}, {"sizes": [1, "3/2", 4]}, {"p": "9/10"}, {"p": "3/5"}, {"p": "16/25", "sizes": [1, 4]}],
)
