"""Hold'em on the river: five cards on the table, two in each hand, any ranges. For some, the theorem of the endgame is exact."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from relance.envs.ferguson_endgame import in_ferguson, sized_active, sized_numbers, sized_saddle
from relance.envs.spots import spot_of
from relance.model.blueprint import Blueprint, Parameters, Printed, Source
from relance.model.numbers import Number, show
from relance.model.parameters import ALL_IN, Chips, PotShares, WholeNumber
from relance.model.playing_cards.hole_deal import HoleDeal
from relance.model.playing_cards.parameters import BoardCards, Ranges
from relance.model.playing_cards.ranges import read_board, read_range
from relance.model.strategy import Plan
from relance.model.tree import BettingTree, Decision, Leaf, Node, decision, showdown

Sizes = tuple[Number | str, ...]
"""The type of bet sizes: shares of the pot, perhaps with `ALL_IN` at the end."""

MOST_TERMINALS = 20_000
"""A tree with more terminal nodes than this is refused, because it would take too much memory."""

_ALL = "all in"
"""The action of betting all that is left, as a bet or as a raise."""


def river(
    board: str, ranges: tuple[str, str], pot: Number, stack: Number, bets: Sizes, raises: int
) -> tuple[BettingTree, HoleDeal]:
    """Return the betting tree and the deal of hold'em on the river.

    Rules:
        Five cards lie on the table. Each player holds two more, drawn from their range by weight; no card is in both hands. Each has put
        half of `pot` into it and has `stack` chips left. Player 0 checks or bets; after a check player 1 checks or bets. A bet is one of
        `bets`, which are shares of the pot, or all-in. A player who faces a bet folds, calls, or raises, at most `raises` times in all. To
        raise is to call and add a share of the pot after the call, at least as much as was added before by the other player; a raise of all
        the chips left, or more, is all-in. "bet 1/2" is a bet of half the pot. At the end the best five of seven cards win the pot.
    """
    betting = Betting(pot, stack, bets, raises)
    betting.check_bets()
    return BettingTree(betting.root()), hole_cards(board, ranges)


@lru_cache(maxsize=64)
def hole_cards(board: str, ranges: tuple[str, str], size: int = 5) -> HoleDeal:
    """Return the deal of two ranges on a board of `size` cards.

    Raises:
        ValueError: no two of the hands can be dealt together.
    """
    first, second = map(read_range, ranges)
    try:
        return HoleDeal(read_board(board, size=size), (first, second))
    except ValueError as error:
        raise ValueError(f"ranges={' vs '.join(ranges)!r} on board={board}: {error}") from None


class Betting:
    """The betting of one street. A player's level is the number of chips that the player has put in since the last card came.

    When the betting is over, both levels are equal, and `after` takes this level to the next node; by default the node is the showdown.
    """

    def __init__(
        self, pot: Number, stack: Number, bets: Sizes, raises: int, after: Callable[[Number], Node] | None = None
    ) -> None:
        self.pot, self.stack, self.bets, self.raises = pot, stack, bets, raises
        self.terminals, self.after = 0, after or (lambda level: showdown(pot / 2 + level))

    def check_bets(self) -> None:
        """Raise ValueError if a bet is beyond the stack, or is the whole stack although all-in is a bet as well."""
        pot, stack, bets = self.pot, self.stack, self.bets
        for bet in bets:
            if not isinstance(bet, str) and bet * pot > stack:
                raise ValueError(
                    f"bets={';'.join(map(show, bets))}: {show(bet)} of pot={show(pot)} is {show(bet * pot)} chips, beyond "
                    f"stack={show(stack)}; the largest allowed is {show(stack / pot)} or {ALL_IN}"
                )
            if not isinstance(bet, str) and bet * pot == stack and bets[-1] == ALL_IN:
                raise ValueError(
                    f"bets={';'.join(map(show, bets))}: {show(bet)} of the pot is the whole stack, as {ALL_IN} is; leave one out"
                )

    def root(self) -> Decision:
        """Return the first decision of the street, which is player 0's."""
        check = decision(1, check=self._end(0 * self.pot), **self._bets(0))
        return decision(0, check=check, **self._bets(1))

    def levels(self, level: Number, least: Number, verb: str) -> dict[str, Number]:
        """Return {action: chips put in after it}, both having put in `level`: all-in, and bets or raises (`verb`) by `least` or more."""
        out: dict[str, Number] = {}
        for bet in self.bets:
            more = self.stack if isinstance(bet, str) else level + bet * (self.pot + 2 * level)
            if more >= self.stack:
                out[_ALL] = self.stack
            elif more - level >= least:
                out[f"{verb} {show(bet)}"] = more
        return out

    def _bets(self, facing: int) -> dict[str, Decision]:
        start = 0 * self.pot
        found = self.levels(start, start, "bet")
        return {name: self._facing(facing, start, level, self.raises) for name, level in found.items()}

    def _facing(self, player: int, before: Number, level: Number, raises: int) -> Decision:
        """The decision of `player`, who has put in `before`, when the other has put in `level`."""
        lost = self.pot / 2 + before
        self._count()
        children: dict[str, Node] = {
            "fold": Leaf(lost if player == 1 else -lost),
            "call": self._end(level),
        }
        if raises and level < self.stack:
            for name, more in self.levels(level, level - before, "raise").items():
                children[name] = self._facing(1 - player, level, more, raises - 1)
        return decision(player, **children)

    def _end(self, level: Number) -> Node:
        self._count()
        return self.after(level)

    def _count(self) -> None:
        self.terminals += 1
        if self.terminals > MOST_TERMINALS:
            raise ValueError(
                f"raises={self.raises} with {len(self.bets)} bets lead to more than {MOST_TERMINALS:,} terminal nodes; allow fewer bets"
            )


def winners(deal: HoleDeal) -> tuple[Number, ...] | str:
    """Return for each hand of player 1 the probability that player 0 has a winner, if each hand of player 0 is a winner or a loser.

    A winner beats all hands of player 1, and a loser loses to all. If a hand of player 0 does neither, return a text that names it.
    """
    first, second = deal.classes
    for hand, strength in enumerate(first):
        if second[0] <= strength <= second[-1]:
            return f"{deal.label(0, hand)} neither beats all hands of player 1 nor loses to all"
    return tuple(deal.mass(1, np.array([Fraction(win) for win in wins(deal)], object)) / deal.prior(1))


def _endgame(parameters: Parameters) -> dict[str, Any]:
    """The `sized_endgame` that is the same game as this river, as its parameters; "p" is None if there is none."""
    pot, stack = parameters["pot"], parameters["stack"]
    chances = winners(hole_cards(parameters["board"], parameters["ranges"]))
    same = not isinstance(chances, str) and len(set(chances)) == 1
    sizes = tuple(Betting(pot, stack, parameters["bets"], 0).levels(0 * pot, 0 * pot, "bet").values())
    return {"p": chances[0] if same else None, "ante": pot / 2, "sizes": sizes, "why": chances}


def _refused(parameters: Parameters) -> str | None:
    """Why the theorem does not give the exact answer."""
    found = _endgame(parameters)
    if found["p"] is not None:
        return None
    why = found["why"]
    if isinstance(why, str):
        return why
    return (
        f"card removal: given player 1's hand, the chance of a winner is between {show(min(why))} and {show(max(why))}"
    )


def _active(parameters: Parameters) -> str | None:
    return _refused(parameters) or sized_active(_endgame(parameters))


def _numbers(rule: Callable[[Parameters], dict[str, Any]]) -> Callable[[Parameters], dict[str, Any]]:
    def numbers(parameters: Parameters) -> dict[str, Any]:
        found = _endgame(parameters)
        return {"P": found["p"], "a": found["ante"], **rule(found)}

    return numbers


def endgame_plan(numbers: Mapping[str, Number], tree: BettingTree) -> Plan:
    """Return the endgame's plan: player 0 bets the largest size with winners and some losers, player 1 calls equally often with each hand.

    At other nodes player 0 calls with winners and folds losers. Player 1 never bets or raises.

    Args:
        numbers: the probability to bet a loser (`bluff`), to call the largest bet (`call_most`), and the smaller bets (`call0`, ...).
        tree: the betting tree of a `river`.
    """
    *smaller, most = tree.root.actions[1:]
    calls = {action: numbers[f"call{i}"] for i, action in enumerate(smaller)} | {most: numbers["call_most"]}
    bluff = numbers["bluff"]
    plan: dict[str, dict[str, Any]] = {}
    for name, node in tree.decisions.items():
        plan[name] = dict.fromkeys(node.actions[1:], 0)  # the first, to check or fold, gets the rest
        if "call" in node.actions:
            plan[name]["call"] = calls.get(name, 0) if node.player == 1 else wins
    plan[""][most] = lambda deal: [1 if win else bluff for win in wins(deal)]
    return plan


def wins(deal: HoleDeal) -> list[int]:
    """Return for each hand of player 0 a 1 if the hand beats all hands of player 1, else a 0."""
    return [int(strength > deal.classes[1][-1]) for strength in deal.classes[0]]


def spot_name(blueprint: Blueprint, parameters: Parameters) -> str:
    """Return the name of the game, then that of the spot if there is one, else the board and the number of hands in each range."""
    values = {key: parameters[key] for key in blueprint.parameters}
    named = spot_of(blueprint.name, values, blueprint.parameters) or table_and_hands(values)
    return f"{blueprint.name.capitalize()}, {named}"


def table_and_hands(parameters: Parameters) -> str:
    """Return the board and the number of hands in each range, such as "Ks9d7h4c2s, 11 against 7 hands"."""
    board = {*read_board(parameters["board"], size=len(parameters["board"]) // 2)}
    hands = " against ".join(
        str(sum(not board & {*hand} for hand in read_range(text))) for text in parameters["ranges"]
    )
    return f"{parameters['board']}, {hands} hands"


def _short(parameters: Parameters) -> str:
    return spot_name(RIVER, parameters)


_THEOREM = in_ferguson("Section 1, after Cutler 1976, on real cards")

RIVER = Blueprint(
    name="river",
    title="Hold'em on the river",
    result="Betting with real hold'em hands and all five cards on the table. Where one player's hands beat or lose to all of the other's, "
    "Basic Endgame's formulas solve it; for any other ranges `relance.solve` does.",
    source=Source(
        "relance",
        "Relance",
        "Hold'em on the river, with the theorem of Ferguson and Ferguson's endgame",
        2026,
        "docs/river.md",
    ),
    parameters={
        "board": BoardCards("Ks9d7h4c2s", "the five cards on the table"),
        "ranges": Ranges(("99;QJs;65s", "KTs;TT:1/2"), "the hands that each player may hold, with their weights"),
        "pot": Chips(Fraction(2), "chips in the pot, half of them from each player"),
        "stack": Chips(Fraction(10), "chips that each player has left"),
        "bets": PotShares((Fraction(1),), f"sizes of bets and raises as shares of the pot; {ALL_IN} may be the last"),
        "raises": WholeNumber(1, "how many raises are allowed", most=20),
    },
    build=river,
    short=_short,
    printed=[
        Printed(
            source=_THEOREM,
            numbers=_numbers(sized_numbers),
            plan=endgame_plan,
            refuses=_active,
            free=["limit", *(f"call{i}" for i in range(20))],
        ),
        Printed(
            source=_THEOREM,
            numbers=_numbers(sized_saddle),
            plan=endgame_plan,
            refuses=_refused,
            free=["P", "a", "limit", "B"],
        ),
    ],
    samples=[
        {},
        {"bets": ["1/2", "3/2", ALL_IN], "raises": 0, "stack": 5},
        {"ranges": ["99;77;QJs:1/2", "KTs"], "bets": [ALL_IN], "pot": 3},
        {"ranges": ["AA:1/3;KQs;J8s", "KTs;T9s:1/2;88"], "bets": ["1/2", ALL_IN], "stack": 3},
    ],
)
