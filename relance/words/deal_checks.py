"""Check that logged games can have happened: compare the rows of both seats, and all hands with their distribution."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from relance.model.arrays import Floats
from relance.model.game import Game
from relance.model.tree import Case
from relance.words.log_rows import NEAR, Fault, LogRow, hand_index
from relance.words.question_plan import by_block

RARE = 1e-6
"""Logged hands are a fault if the game's distribution deals such hands with a probability below this."""

CELLS = 100
"""The number of cells into which hands on [0, 1] are cut to count them."""

BLOCKS = 10
"""The largest number of blocks of neighbouring hands of each player in which pairs of hands are counted."""

BELOW = 1e-9
"""A pair of hands is impossible, up to rounding, if its probability is below this share of the product of the two hands'."""

Place: TypeAlias = tuple[str, str, int, int]
"""The key of a logged game: the names of player 0 and player 1, the seed, and the episode's number."""


def place_of(row: LogRow) -> Place:
    """Return the key of the game that a row belongs to; rows of both seats have the same key."""
    first, second = (row.agent, row.opponent) if row.seat == 0 else (row.opponent, row.agent)
    return first, second, row.seed, row.episode


def _games(rows: Iterable[LogRow]) -> dict[Place, dict[int, list[LogRow]]]:
    """The rows of each game by seat."""
    games: dict[Place, dict[int, list[LogRow]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        games[place_of(row)][row.seat].append(row)
    return games


def disagreements(game: Game, rows: Iterable[LogRow]) -> dict[Place, Fault]:
    """Return the games whose rows cannot all be true: {key of the game: the first reason, as a fault}.

    Both hands must be dealt together with a probability above 0; the game must end at one node; one seat must lose what the other gets; and
    a showdown must pay what the two hands earn. Where only one seat has rows, some hand of the other seat must lead to the chips paid.
    """
    out = {}
    for place, seats in _games(rows).items():
        found = _disagreement(game, seats[0], seats[1]) if len(seats) == 2 else _unpaid(game, *seats.values())
        if found:
            out[place] = Fault(f"seed {place[2]}, episode {place[3]}", *found)
    return out


def _disagreement(game: Game, first: list[LogRow], second: list[LogRow]) -> tuple[str, str] | None:
    """The kind of a fault and why, or None."""
    names = first[0].hand, second[0].hand
    hands = [hand_index(game, seat, name) for seat, name in enumerate(names)]
    events = max((game.tree.cases[row.node].events for row in (*first, *second)), key=len)
    if game.deal.is_finite and not _beside(game, hands[0], events)[hands[1]]:
        while_ = "".join(f" and {event} turns up" for event in events)
        return "impossible deals", f"player 0 is never dealt {names[0]} while player 1 holds {names[1]}{while_}"
    mine, theirs = _terminal(first), _terminal(second)
    if mine is None or theirs is None:
        return None
    if mine.node != theirs.node:
        return "seats that disagree", f"the game ends at {mine.node!r} for player 0 and at {theirs.node!r} for player 1"
    chips, others = mine.chips or 0.0, theirs.chips or 0.0
    if abs(chips + others) > NEAR:
        return "seats that disagree", f"player 0 gets {chips:g} chips and player 1 gets {others:g}"
    if mine.node in game.tree.leaves:
        paid = _paid(game, mine.node, *hands)
        if abs(paid - chips) > NEAR:
            return "wrong showdowns", f"{names[0]} against {names[1]} pays player 0 {paid:g} chips, not {chips:g}"
    return None


def _terminal(rows: list[LogRow]) -> LogRow | None:
    return next((row for row in rows if row.is_terminal), None)


def _unpaid(game: Game, own: list[LogRow]) -> tuple[str, str] | None:
    """The kind of a fault and why if no hand of the other seat earns what a terminal node pays, or None."""
    end = _terminal(own)
    leaf = game.tree.leaves.get(end.node) if end else None
    if end is None or leaf is None or not leaf.stake or not game.deal.is_finite:
        return None
    if (abs(_payments(game, end.node, end.seat, end.hand) - (end.chips or 0.0)) <= NEAR).any():
        return None
    return "wrong showdowns", f"no hand of the other player pays {end.hand} {end.chips:g} chips at {end.node!r}"


def _paid(game: Game, node: str, first: Any, second: Any) -> float:
    """What a terminal node pays player 0 with these hands."""
    constant, stake = game.tree.leaves[node].in_floats
    distribution = game.deal.in_case(game.tree.cases[node])
    return constant + stake * float(distribution.compare(first, second)) if stake else constant


@lru_cache(maxsize=2**14)
def _payments(game: Game, node: str, seat: int, name: object) -> Floats:
    """What a terminal node pays a seat with this hand, with each hand of the other that can be dealt beside it."""
    mine, others = hand_index(game, seat, name), range(game.deal.size(1 - seat))
    pairs = ((theirs, mine) if seat else (mine, theirs) for theirs in others)
    events = game.tree.cases[node].events
    found = [_paid(game, node, *pair) for pair in pairs if _beside(game, pair[0], events)[pair[1]]]
    return np.array(found) * (1 - 2 * seat)


@lru_cache(maxsize=2**14)
def _beside(game: Game, hand: int, events: tuple[str, ...]) -> npt.NDArray[np.bool_]:
    """Which hands of player 1 can be dealt together with this hand of player 0 and these events, (hands,)."""
    deal = game.finite_deal().floats.in_case(Case(events))
    mine = np.zeros(deal.size(0))
    mine[hand] = 1.0
    possible: npt.NDArray[np.bool_] = deal.mass(1, mine) > BELOW * deal.prior(0)[hand] * deal.prior(1)
    return possible


def unlikely_hands(game: Game, rows: Iterable[LogRow]) -> list[Fault]:
    """Return a fault for each set of logged hands, of one seat or both, whose frequencies have a probability below `RARE` in this game.

    A set comes from the games of the same two agents in the same seats whose episode has an even number, or from those with an odd number,
    since a match may deal each hand twice, in episodes 2d and 2d + 1. If a seat has no rows in a game, any hand may have been dealt to the
    seat. To count pairs of hands, the hands of each seat are joined into at most `BLOCKS` blocks of neighbours.
    """
    cells = game.finite_deal() if game.deal.is_finite else game.grid(CELLS).finite_deal()

    def cell(row: LogRow) -> int:
        hand = hand_index(game, row.seat, row.hand)
        return int(hand) if game.deal.is_finite else min(int(hand * CELLS), CELLS - 1)

    dealt: dict[tuple[str, str, int], list[dict[int, int]]] = defaultdict(list)
    for (first, second, _, episode), seats in _games(rows).items():
        dealt[first, second, episode % 2].append({seat: cell(own[0]) for seat, own in seats.items()})
    blocks = [np.arange(size) * min(size, BLOCKS) // size for size in (cells.size(0), cells.size(1))]
    pair_distribution = by_block(cells.floats.mass, blocks).ravel()  # those of one block of player 0 after the other
    tests: list[tuple[str, list[int], int, Floats]] = []
    for (first, second, _), games in dealt.items():
        for seat, name in enumerate((first, second)):
            where = f"the hands of player {seat}" + (f", {name}" if name else "")
            places = [hands[seat] for hands in games if seat in hands]
            tests.append((where, places, len(games), cells.floats.prior(seat)))
        where = "the pairs of hands" + (f" of {first} and {second}" if first and second else "")
        both = [hands for hands in games if len(hands) == 2]
        pairs = [int(blocks[0][hands[0]]) * (blocks[1][-1] + 1) + int(blocks[1][hands[1]]) for hands in both]
        tests.append((where, [pair for pair in pairs if pair_distribution[pair]], len(games), pair_distribution))
    tests, faults = [test for test in tests if test[1]], []
    for where, places, played, distribution in tests:
        if (
            _chance(np.bincount(places, minlength=len(distribution)), played, distribution / distribution.sum())
            * len(tests)
            < RARE
        ):
            why = f"such hands in {len(places)} games have a probability below {RARE:g}"
            faults.append(Fault(where, "hands that the distribution cannot explain", why))
    return faults


def _chance(counts: Any, games: int, distribution: Floats) -> float:
    """A bound on the probability that `counts` lie this far from the distribution of the hands; the hands of other games are unknown.

    Each count is compared with its binomial distribution, and the distribution of all with the inequality of Dvoretzky, Kiefer and
    Wolfowitz (Massart 1990); both hold for any number of games.
    """
    from scipy.special import bdtr, bdtrc

    distribution = np.clip(distribution, 0.0, 1.0)
    unknown = games - int(counts.sum())
    tails = np.minimum(
        bdtrc(counts - 1, games, distribution), bdtr(np.minimum(counts + unknown, games), games, distribution)
    )
    away = max(float(np.abs(np.cumsum(counts) / games - np.cumsum(distribution)).max()) - unknown / games, 0.0)
    return 2 * min(2 * len(distribution) * float(tails.min()), 2 * float(np.exp(-2 * games * away**2)))
