"""Where an agent is asked: cells of hands, blocks of a deck, and hands that are dealt."""

import numpy as np
import pytest
from test_sampled_score import Drawing, exact

import relance
from relance.words.question_plan import HANDS, inquiry
from relance.words.sampled_score import score


@pytest.mark.parametrize("name", ["von_neumann", "force_in"])
def test_cells_of_hands_on_an_interval(name):
    """Asked at the middles of cells, an agent is worth what the exact score on that grid says."""
    game = relance.make(name)
    grid = game.grid(24)
    found = relance.words.score(game, Drawing(grid), answers=30, hands=24)
    assert found.nash_conv.low <= exact(grid) <= found.nash_conv.high < 1.5 * exact(grid)
    assert "24 cells" in found.note
    assert relance.words.cost(game, Drawing(grid), 7).questions == 7 * HANDS * len(game.tree.decisions)


def test_blocks_of_a_deck():
    game = relance.make("one_card_poker", cards=7)
    where = inquiry(game, 3)
    assert [list(hands) for hands in where.hands] == [[1, 4, 6], [1, 4, 6]]
    assert "3 blocks" in where.note
    joint, edge = game.deal.joint(), game.deal.joint_edge()
    block = np.array([0, 0, 0, 1, 1, 2, 2])
    for i in range(3):
        for k in range(3):
            part = np.ix_(block == i, block == k)
            assert where.game.deal.joint()[i, k] == pytest.approx(float(joint[part].sum()))
            assert where.game.deal.joint_edge()[i, k] == pytest.approx(float(edge[part].sum()))
    big = relance.make("one_card_poker", cards=500)
    found = score(big, "uniform", 1)
    assert found.answers == HANDS * len(big.tree.decisions)
    true = float(relance.nash_conv(big, big.uniform()))
    assert true - 0.01 < found.nash_conv.point < true + 1e-9  # best responses that know only blocks win a little less


def test_hands_that_are_never_dealt_are_not_asked():
    game = relance.make("endgame", p=1)
    found = relance.words.score(game, "uniform", answers=4)
    assert found.answers == sum(len(inquiry(game).sets(seat)) for seat in (0, 1)) < 5
    assert found.value.point == pytest.approx(float(relance.value(game, game.uniform())))
