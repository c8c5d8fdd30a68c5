"""Terminal nodes with hole cards, compiled and plain."""

import numpy as np
import pytest
from test_hole_deal import BOARDS

import relance
from relance.model.playing_cards import after_cards
from relance.model.sequences import sides


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("board", BOARDS)
def test_compiled_terminals_are_the_same(board, threads, monkeypatch):
    pytest.importorskip("numba", reason="needs the extra fast")
    monkeypatch.setattr(after_cards, "THREADED_FROM", 0 if threads > 1 else 10**9)
    monkeypatch.setenv("NUMBA_NUM_THREADS", str(threads))
    rng = np.random.default_rng(0)
    ranges = "22+;A2s+;KTo:1/3 vs random"
    game = relance.make("river", board=board, ranges=ranges, pot=3, stack=50, bets="1/3;1/2;2/3;1", raises=2)
    deal, both = game.finite_deal().floats, sides(game.tree)
    for player in (0, 1):
        reach = rng.random((both[1 - player].size + 1, deal.size(1 - player)))
        plain, compiled = (np.zeros((both[player].size + 1, deal.size(player))) for _ in range(2))
        deal.pay_cases(player, both[player].terminals, reach, plain)
        deal.compiled.pay_cases(player, both[player].terminals, reach, compiled)
        assert abs(plain).max() > 0.001
        assert abs(plain - compiled).max() <= 1e-12
