"""Strategies as steps: which decisions are drawn, and which cells are averaged or empty."""

import numpy as np
import pytest

pytest.importorskip("matplotlib", reason="needs the extra plot")

from relance.envs.catalogue import make
from relance.pages.plots.bars import strategy_bars
from relance.pages.plots.steps import MOST, MOST_DRAWN, drawn, steps


def test_of_many_decisions_those_with_the_shortest_histories_are_drawn():
    game = make("leduc")
    assert len(drawn(game)) == MOST_DRAWN
    assert {"", "check", "bet", "bet-call-K", "check-check-J-bet"} < {*drawn(game)}
    assert "check-check-J-check-bet-raise" not in drawn(game)
    assert drawn(make("one_card_poker")) == list(make("one_card_poker").tree.decisions)
    last = strategy_bars(game, {"published": game.published()}).axes[-1]
    assert last.get_xlabel().endswith(
        f"{len(game.tree.decisions) - MOST_DRAWN} decisions with longer histories are not drawn"
    )


def test_very_many_cells_are_averaged():
    game = make("von_neumann", hands=4 * MOST)
    edges, rows, _ = steps(game, "bet", game.published().as_float())
    assert rows.shape == (2, MOST)
    assert edges[-1] == 1
    assert rows[1].sum() / MOST == pytest.approx(4 / 9)


def test_cells_that_are_never_dealt_are_left_empty():
    game = make("von_neumann", deal="atoms:1/2", hands=9)
    edges, rows, _ = steps(game, "", game.published())
    dealt = ~np.isnan(rows[0])
    assert dealt.sum() == game.deal.size(0) < len(edges) - 1 == 9
