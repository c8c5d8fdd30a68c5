"""Choose the hands at which an agent is asked: all or, if there are many, one of each cell or block of neighbours."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from relance.model.arrays import Floats, Ints
from relance.model.deal import FiniteDeal
from relance.model.game import Game
from relance.model.matrix_deal import MatrixDeal
from relance.model.numbers import whole
from relance.play.refinement import in_cells
from relance.play.rules import check_per_node
from relance.words.text_agent import Question, TextAgent, talk

HANDS = 60
"""If a game has more hands than this, or hands on [0, 1], an agent is asked at this many hands of each player by default."""

_ALIKE = "asked at the middles of {}; the figures are those of an agent, and of best responses, that play all hands of a {} alike"


@dataclass(frozen=True, eq=False)
class Inquiry:
    """The information sets at which an agent is asked, and the game in which its answers are scored.

    Attributes:
        game: the game in which answers are scored; if there are many hands, each of its hands is a cell or a block of hands.
        asked: the game that the questions describe, with all its hands.
        hands: for each player, a list: its entry i is the hand of `asked` that questions show for hand i of `game`.
        note: a sentence on what cells or blocks mean for the score; empty if every hand is asked about.
    """

    game: Game
    asked: Game
    hands: tuple[Sequence[Any], Sequence[Any]]
    note: str = ""

    def sets(self, seat: int) -> list[tuple[str, int]]:
        """Return the information sets of player `seat` that can occur, as (node name, index of the hand in `game`)."""
        tree, distribution = self.game.tree, self.game.finite_deal().floats
        return [
            (node, hand)
            for node in tree.of(seat)
            for hand in np.flatnonzero(distribution.in_case(tree.cases[node]).prior(seat) > 0).tolist()
        ]

    def question(self, seat: int, node: str, hand: int) -> Question:
        """Return the question to player `seat` at this node with this hand, an index of the hands of `game`."""
        return Question(seat, self.hands[seat][hand], node)


@lru_cache(maxsize=8)
def inquiry(game: Game, hands: object = None) -> Inquiry:
    """Return at which hands to ask an agent: all, or if there are more than `hands` (default `HANDS`), the middles of that many blocks.

    ValueError if `hands` is below 2, or more than the game has. Cached, because joining many neighbouring hands into blocks takes seconds.
    """
    check_per_node(game, "language models")
    count = None if hands is None else whole(hands, "hands")
    if count is not None and count < 2:
        raise ValueError(f"hands={count} must be at least 2")
    if not game.deal.is_finite:
        cells = count or HANDS
        grid = in_cells(game, cells)
        places = grid.finite_deal().places
        assert places is not None
        note = _ALIKE.format(f"{cells} cells of [0, 1]", "cell")
        return Inquiry(grid, game, (places[0].tolist(), places[1].tolist()), note)
    deal = game.finite_deal()
    sizes, most = (deal.size(0), deal.size(1)), count or HANDS
    if count is not None and count > max(sizes):
        raise ValueError(f"hands={count} is more than the {max(sizes)} hands of {game}")
    if max(sizes) <= most:
        return Inquiry(game, game, (range(sizes[0]), range(sizes[1])))
    blocks = [np.arange(size) * min(most, size) // size for size in sizes]
    alike = ([np.flatnonzero(block == k).tolist() for k in range(block[-1] + 1)] for block in blocks)
    first, second = ([hands[len(hands) // 2] for hands in found] for found in alike)
    note = _ALIKE.format(f"{len(first)} blocks of hands", "block")
    return Inquiry(replace(game, deal=in_blocks(deal, blocks, (first, second))), game, (first, second), note)


def in_blocks(deal: FiniteDeal, blocks: Sequence[Ints], middles: Sequence[Sequence[int]]) -> MatrixDeal:
    """Return the deal for players who know only to which block of hands their hand belongs.

    For each player, `blocks` has the number of each hand's block, (hands,), and `middles` a hand of each block, whose label the block gets.
    """
    joint, edge = (by_block(operator, blocks) for operator in (deal.floats.mass, deal.floats.edge))
    labels = [[deal.label(seat, hand) for hand in middles[seat]] for seat in (0, 1)]
    out = MatrixDeal((labels[0], labels[1]), joint, edge / np.where(joint > 0, joint, 1))
    return deal.carry(out, lambda other: in_blocks(other, blocks, middles))


def by_block(operator: Callable[[int, Floats], Floats], blocks: Sequence[Ints]) -> Floats:
    """Return for each pair of blocks, (player 0's, player 1's), P(pair) for `deal.mass`, or P(player 0 wins) - P(loses) for `deal.edge`."""
    rows, columns = (np.eye(block[-1] + 1)[:, block] for block in blocks)
    return np.stack([rows @ operator(0, column) for column in columns], axis=1)


def words(inquiry: Inquiry, seat: int, agent: TextAgent) -> int:
    """Estimate the number of words in all questions to player `seat`, as if all questions at a node were as long as its first."""
    sets = inquiry.sets(seat)
    found = {}
    for node, hand in sets:
        if node not in found:
            asked = next(talk(inquiry.asked, inquiry.question(seat, node, hand), agent.retries, agent.wording))
            found[node] = sum(len(message["content"].split()) for message in asked)
    return sum(found[node] for node, _ in sets)
