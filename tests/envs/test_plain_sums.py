"""Games with events or several contests: values and NashConv against sums over all deals, by rules written here a second time.

A deal has here all that chance does: the hands, and what turns up later. Every player plays at random, so all of the tree counts.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product
from typing import Any

import numpy as np
import pytest
from conftest import SAMPLES, marked, random_profile

import relance
from relance.model.game import Game

F = Fraction
EVENT = "event"
"""What `Rules.options` says where an event turns up."""


@dataclass
class Rules:
    """A game as its rules say it.

    Attributes:
        deals: (probability, the hands, the events that turn up, what is compared at the end), one for each thing that chance can do.
        options: (history) who acts and their actions; or `EVENT`; or None at the end.
        chips: (history, what is compared) what player 0 wins at the end.
    """

    deals: list[tuple[Fraction, tuple[str, str], tuple[str, ...], Any]]
    options: Callable[[tuple[str, ...]], Any]
    chips: Callable[[tuple[str, ...], Any], Fraction]


def compared(mine: Any, theirs: Any) -> int:
    """1, 0 or -1 as the first wins, ties or loses."""
    return int(mine > theirs) - int(mine < theirs)


def limit_poker(ante: Any, ranks: int, suits: int, bets: Any, raises: int, merge_suits: bool) -> Rules:
    """One card each, and one more before each round but the first; the best five cards without straights and flushes win."""
    names = "23456789TJQK"[-ranks:]
    deck = [rank + suit for rank in names for suit in "shdc"[:suits]]
    seen = (lambda card: card[0]) if merge_suits else (lambda card: card)
    dealt = list(permutations(deck, 1 + len(bets)))

    def strength(cards: tuple[str, ...]) -> list[int]:
        """How many cards the largest set of one rank has, then the next and so on; then the ranks in this order."""
        values = [names.index(card[0]) for card in cards]
        order = sorted({*values}, key=lambda value: (values.count(value), value), reverse=True)
        return [*map(values.count, order), *order]

    deals = [
        (F(1, len(dealt)), (seen(a), seen(b)), (*map(seen, c),), compared(strength((a, *c)), strength((b, *c))))
        for a, b, *c in dealt
    ]

    @cache
    def replay(history: tuple[str, ...]) -> tuple[list[Fraction], int, list[str], int]:
        """What both have put in, who acts, the moves of this round and its number."""
        put, player, moves, street = [ante, ante], 0, [], 0
        for step in history:
            if step[0] in names:
                player, moves, street = 0, [], street + 1
                continue
            moves.append(step)
            if step in ("bet", "raise", "call"):
                put[player] = put[1 - player] + (bets[street] if step != "call" else 0)
            player = 1 - player
        return put, player, moves, street

    @cache
    def options(history: tuple[str, ...]) -> Any:
        _, player, moves, street = replay(history)
        if moves[-1:] == ["fold"]:
            return None
        if moves[-1:] == ["call"] or moves == ["check", "check"]:
            return EVENT if street < len(bets) - 1 else None
        made = moves.count("bet") + moves.count("raise")
        return player, {"check", "bet"} if not made else {"fold", "call"} | ({"raise"} if made < raises else set())

    def chips(history: tuple[str, ...], won: int) -> Fraction:
        put, player, moves, _ = replay(history)
        return put[1 - player] * (1 if player == 0 else -1) if moves[-1] == "fold" else put[0] * won

    return Rules(deals, options, chips)


def liars_dice(ante: Any, dice: int, sides: int, wild: bool) -> Rules:
    """The last bid is true if all dice have as many of its face."""
    faces = [*product(range(1, sides + 1), repeat=dice)]
    label = lambda roll: "".join(map(str, sorted(roll)))  # noqa: E731
    deals = [
        (F(1, len(faces) ** 2), (label(a), label(b)), (), Counter(a + b)) for a in faces for b in faces
    ]  # dice one by one, so that a pair comes half as often
    bids = [f"{count}x{face}" for count in range(1, 2 * dice + 1) for face in range(1, sides + 1)]

    @cache
    def options(history: tuple[str, ...]) -> Any:
        if history[-1:] == ("liar",):
            return None
        higher = bids[bids.index(history[-1]) + 1 :] if history else bids
        return len(history) % 2, {*higher, *(["liar"] if history else [])}

    def chips(history: tuple[str, ...], thrown: Counter[int]) -> Fraction:
        count, face = map(int, history[-2].split("x"))
        there = thrown[face] + (thrown[sides] if wild and face != sides else 0)
        bidder = len(history) % 2  # the last bid is the one before "liar"
        return ante * (1 if there >= count else -1) * (1 if bidder == 0 else -1)

    return Rules(deals, options, chips)


def endgame_cards(p: Any, ante: Any, bets: Any, good_winner: Any, good_loser: Any) -> Rules:
    """A winner wins; a card comes before each round but the first."""
    deals = []
    for hand, share, good in (("winner", p, good_winner), ("loser", 1 - p, good_loser)):
        for cards in product(("good", "bad"), repeat=len(bets) - 1):
            chance = share * np.prod([good if card == "good" else 1 - good for card in cards], initial=F(1))
            deals.append((chance, (hand, "hand"), cards, 1 if hand == "winner" else -1))

    @cache
    def options(history: tuple[str, ...]) -> Any:
        if history[-1:] in [("check",), ("fold",)] or history.count("call") == len(bets):
            return None
        return {"bet": (1, {"fold", "call"}), "call": EVENT}.get("".join(history[-1:]), (0, {"check", "bet"}))

    def chips(history: tuple[str, ...], won: int) -> Fraction:
        put = ante + sum(bets[: history.count("call")])
        return put if history[-1] == "fold" else put * won

    return Rules(deals, options, chips)


def turn(board: str, ranges: Any, pot: Any, stack: Any, bets: Any, river_bets: Any, raises: int) -> Rules:
    """Hold'em with the last card to come; sizes are shares of the pot."""
    split = lambda text: [text[i : i + 2] for i in range(0, len(text), 2)]  # noqa: E731
    deck = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
    sides = [[entry.partition(":")[::2] for entry in text.split(";")] for text in ranges]
    deals = []
    for (mine, w), (theirs, v) in product(*sides):
        known = split(board + mine + theirs)
        if len({*known}) == len(known):
            left = [card for card in deck if card not in known]
            for card in left:
                first, second = (best_five([*split(board + hand), card]) for hand in (mine, theirs))
                deals.append((F(w or 1) * F(v or 1) / len(left), (mine, theirs), (card,), compared(first, second)))
    whole = sum(deal[0] for deal in deals)
    deals = [(weight / whole, *rest) for weight, *rest in deals]

    @cache
    def replay(history: tuple[str, ...]) -> tuple[Any, Any, list[Any], int, list[str], int]:
        """The pot and what is left at the start of this street, what both have put in on it, who acts, its moves, its number."""
        middle, left, put, player, moves, street = pot, stack, [F(0), F(0)], 0, [], 0
        for step in history:
            if step in deck:
                middle, left, put, player, moves, street = middle + sum(put), left - put[0], [F(0), F(0)], 0, [], 1
                continue
            moves.append(step)
            level = put[1 - player]
            if step == "all in":
                put[player] = left
            elif step.startswith(("bet", "raise")):
                put[player] = level + F(step.split()[1]) * (middle + 2 * level)
            elif step == "call":
                put[player] = level
            player = 1 - player
        return middle, left, put, player, moves, street

    @cache
    def options(history: tuple[str, ...]) -> Any:
        middle, left, put, player, moves, street = replay(history)
        if moves[-1:] == ["fold"]:
            return None
        if moves[-1:] == ["call"] or moves == ["check", "check"] or not left:
            return EVENT if street == 0 else None
        level, facing = put[1 - player], put[0] != put[1]
        allowed = {"fold", "call"} if facing else {"check"}
        aggressive = sum(move not in ("check", "call", "fold") for move in moves)
        if aggressive <= raises and level < left:
            for size in (bets, river_bets)[street]:
                more = left if size == "all-in" else level + size * (middle + 2 * level)
                if more >= left:
                    allowed.add("all in")
                elif more - level >= level - put[player]:
                    allowed.add(f"{'raise' if facing else 'bet'} {size}")
        return player, allowed

    def chips(history: tuple[str, ...], won: int) -> Fraction:
        middle, _, put, player, moves, _ = replay(history)
        if moves[-1:] == ["fold"]:
            return (middle / 2 + put[1 - player]) * (1 if player == 0 else -1)
        return (middle / 2 + put[0]) * won

    return Rules(deals, options, chips)


def best_five(cards: list[str]) -> tuple[Any, ...]:
    """The best poker hand of five of these cards; a better one is larger."""
    return max(map(five, combinations(cards, 5)))


def five(cards: tuple[str, ...]) -> tuple[Any, ...]:
    """The kind of a hand of five cards, then what ranks hands of that kind."""
    values = ["23456789TJQKA".index(card[0]) for card in cards]
    counted = sorted(Counter(values).items(), key=lambda item: (item[1], item[0]), reverse=True)
    shape, order = [n for _, n in counted], [value for value, _ in counted]
    flush, low = len({card[1] for card in cards}) == 1, order == [12, 3, 2, 1, 0]
    straight = len(order) == 5 and (order[0] - order[4] == 4 or low)
    kind = 8 if straight and flush else 5 if flush else 4 if straight else 0
    kind = max(kind, {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}.get(tuple(shape), 0))
    return (kind, [3] if low and straight else order)


RULES = {
    "leduc": limit_poker,
    "limit_poker": limit_poker,
    "liars_dice": liars_dice,
    "endgame_cards": endgame_cards,
    "turn": turn,
}


def earned(game: Game, rules: Rules, profile: Any, player: int, best: bool) -> Fraction:
    """What a player earns: a sum over all deals. With a best response to the other's strategy, or as the profile plays."""
    plan, met = profile.plan(), set()
    index = [{game.deal.label(p, i): i for i in range(game.deal.size(p))} for p in (0, 1)]

    def visit(history: tuple[str, ...], deals: list[tuple[Fraction, Any]], turned: int) -> Fraction:
        """`deals`: with the probability that chance and the other player lead here; in all the player holds one hand."""
        if (found := rules.options(history)) is None:
            return sum((w * (1 - 2 * player) * rules.chips(history, deal[3]) for w, deal in deals), F(0))
        if found == EVENT:
            after = defaultdict(list)
            for w, deal in deals:
                after[deal[2][turned]].append((w, deal))
            return sum(visit((*history, event), some, turned + 1) for event, some in after.items())
        mover, actions = found
        name = "-".join(history)
        assert {*plan[name]} == actions
        met.add(name)
        if mover != player:
            share = lambda action, deal: plan[name][action][index[mover][deal[1][mover]]]  # noqa: E731
            return sum(visit((*history, a), [(w * share(a, d), d) for w, d in deals], turned) for a in actions)
        chips = {a: visit((*history, a), deals, turned) for a in actions}
        hand = index[player][deals[0][1][1][player]]
        return max(chips.values()) if best else sum(plan[name][a][hand] * c for a, c in chips.items())

    hands = defaultdict(list)
    for deal in rules.deals:
        hands[deal[1][player]].append((deal[0], deal))
    total = sum(visit((), deals, 0) for deals in hands.values())
    assert met == {name for name in game.tree.decisions if any(game.deal.in_case(game.tree.cases[name]).prior(0))}
    return total


GAMES = [game for game in SAMPLES if not game.tree.is_usual]
GAMES += [relance.make("turn", ranges="AdAc vs KcJc;TsTd", stack=3, raises=1)]


LONG = [game for game in GAMES if game.name == "turn" and len(game.deal.labels[0]) > 1]
"""They repeat the last with more pairs of hands."""


@pytest.mark.parametrize("game", marked(GAMES, lambda game: game in LONG), ids=str)
def test_values_and_nash_conv_are_those_of_a_sum_over_all_deals(game):
    rules = RULES[game.name](**game.parameters)
    assert sum(deal[0] for deal in rules.deals) == 1
    for seed in range(2):
        rng = np.random.default_rng(seed)
        profile = random_profile(game, lambda rng=rng: int(rng.integers(1, 7)))
        assert relance.value(game, profile) == earned(game, rules, profile, 0, best=False)
        most = [earned(game, rules, profile, player, best=True) for player in (0, 1)]
        assert relance.nash_conv(game, profile) == sum(most)
        assert float(relance.nash_conv(game, profile.as_float())) == pytest.approx(float(sum(most)), rel=0, abs=1e-12)
