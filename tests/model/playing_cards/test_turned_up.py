"""The card that turns up last: the deal after it, and a whole game, against a sum over all hands and cards by a rule book."""

from fractions import Fraction as F
from functools import cache
from itertools import combinations, product

import numpy as np
import pytest
from conftest import random_profile
from hypothesis import given, settings
from hypothesis import strategies as st
from test_classes import strength
from test_hole_deal import FULL, some_range

import relance
from relance.model.playing_cards.hole_deal import HoleDeal
from relance.model.playing_cards.ranges import hand_name, read_board
from relance.model.tree import Leaf, Reveal
from relance.solvers.cfr_solver import Solver

BOARDS = ["Ks9d7h4c", "2c2d2h2s", "8h7h6h5h"]

SMALL = {"board": "8h7h6c2c", "ranges": ["Th9c:1/2;AhKh", "8d8c;AhQh"], "stack": 3, "bets": ["all-in"], "raises": 1}


@cache
def best(cards):
    return max(map(strength, combinations(map(FULL.card_name, cards), 5)))


def by_the_book(board, ranges):
    """{(hand, hand, river card): (probability, edge)}, by the rules and from nothing else."""
    pairs = [(a, b) for a, b in product(*ranges) if len({*board, *a, *b}) == len(board) + 4]
    total = sum(ranges[0][a] * ranges[1][b] for a, b in pairs)
    distribution = {}
    for a, b in pairs:
        left = [card for card in range(52) if card not in {*board, *a, *b}]
        for card in left:
            mine, theirs = best((*board, card, *a)), best((*board, card, *b))
            p = ranges[0][a] * ranges[1][b] / total / len(left)
            distribution[hand_name(a), hand_name(b), hand_name((card,))] = p, (mine > theirs) - (mine < theirs)
    return distribution


@pytest.mark.parametrize("board", BOARDS)
@settings(max_examples=3)
@given(seed=st.integers(0, 10**6), sizes=st.tuples(st.integers(1, 4), st.integers(1, 4)))
def test_operators_after_each_card_are_sums_over_all_pairs(board, seed, sizes):
    table = read_board(board, size=4)
    ranges = some_range(seed, sizes[0]), some_range(seed + 1, sizes[1])
    distribution = by_the_book(table, ranges)
    if not distribution:
        with pytest.raises(ValueError, match="a card on the table|so none can be dealt"):
            HoleDeal(table, ranges)
        return
    deal = HoleDeal(table, ranges)
    assert set(deal.events) == {card for _, _, card in distribution}
    rng = np.random.default_rng(seed)
    for player in (0, 1):
        weights = np.array([F(int(n), 9) for n in rng.integers(-9, 9, deal.size(1 - player))])
        place = [{name: i for i, name in enumerate(side)} for side in deal.labels]
        mass, edge = ({card: np.zeros(deal.size(player), object) for card in deal.events} for _ in range(2))
        for (*pair, card), (p, won) in distribution.items():
            mine, theirs = place[player][pair[player]], place[1 - player][pair[1 - player]]
            mass[card][mine] += p * weights[theirs]
            edge[card][mine] += p * weights[theirs] * won * (1 - 2 * player)
        for card, after in deal.events.items():
            assert (after.mass(player, weights) == mass[card]).all()
            assert (after.edge(player, weights) == edge[card]).all()
        assert (deal.mass(player, weights) == sum(mass.values())).all()
        assert (deal.edge(player, weights) == sum(edge.values())).all()
    for i, j in product(range(deal.size(0)), range(deal.size(1))):
        chances = {
            card: p for (*pair, card), (p, _) in distribution.items() if pair == [deal.labels[0][i], deal.labels[1][j]]
        }
        assert deal.pair(i, j) == sum(chances.values())
        if chances:
            found = deal.event_chances(i, j, tuple(deal.events))
            assert found == pytest.approx([1 / 44 if card in chances else 0 for card in deal.events])


def test_the_value_is_the_mean_over_all_hands_and_cards():
    """The rules again, hand against hand and card by card: chips, cards and all."""
    game = relance.make("turn", **SMALL)
    distribution = by_the_book(
        read_board(SMALL["board"], size=4), [dict(zip(h, w, strict=True)) for h, w in weights_of(game)]
    )
    rng = np.random.default_rng(0)
    profile = random_profile(game, lambda: int(rng.integers(1, 6)))
    place = [{name: i for i, name in enumerate(side)} for side in game.deal.labels]

    def chips(name, node, hands, card, edge):
        if isinstance(node, Leaf):
            return node.constant + node.stake * edge
        if isinstance(node, Reveal):
            return chips(f"{name}-{card}", node.children[node.events.index(card)], hands, card, edge)
        rows = zip(node.actions, node.children, profile[name], strict=True)
        hand = place[node.player][hands[node.player]]
        return sum(
            row[hand] * chips(f"{name}-{action}" if name else action, child, hands, card, edge)
            for action, child, row in rows
        )

    total = sum(p * chips("", game.tree.root, hands, card, edge) for (*hands, card), (p, edge) in distribution.items())
    assert relance.value(game, profile) == total


def weights_of(game):
    """Each player's hands as numbers, with their weights."""
    return [(game.deal.hands[p], game.deal.distribution[p]) for p in (0, 1)]


def test_what_is_solved_is_an_equilibrium_of_the_game(tmp_path):
    """Spades and diamonds are alike here, on the table and in the ranges; a checkpoint has the rows of all cards and hands."""
    ranges = "QJs;AsQs:1/2;AdQd:1/2 vs 99;KTs"
    game = relance.make("turn", board="KsKd7h4h", ranges=ranges, pot=2, stack=7, bets=1, river_bets="1/2;1", raises=0)
    path = tmp_path / "work.npz"
    profile = relance.solve(game, "dcfr+", tolerance=0.02, checkpoint=path)
    assert relance.exploitability(game, profile) <= 0.02
    solver, again = Solver(game, "dcfr+"), Solver(game, "dcfr+")
    solver.run(3)
    solver.save(path)
    again.load(path)
    assert again.nash_conv() == solver.nash_conv()
    assert solver.nash_conv() == pytest.approx(float(relance.nash_conv(game, solver.average())), abs=1e-12)
