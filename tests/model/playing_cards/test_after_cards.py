"""Terminal nodes after every card that may turn up, compiled and plain."""

import numpy as np
import pytest

import relance
from relance.model.playing_cards import after_cards
from relance.model.sequences import sides


@pytest.mark.parametrize("threads", [1, 3])
def test_compiled_terminals_after_all_cards_are_the_same(threads, monkeypatch):
    """Among them all-in before the last card, after which a player's sequence is the same whatever the card."""
    pytest.importorskip("numba", reason="needs the extra fast")
    monkeypatch.setattr(after_cards, "THREADED_FROM", 0 if threads > 1 else 10**9)
    monkeypatch.setenv("NUMBA_NUM_THREADS", str(threads))
    ranges = "88+;A9s+:1/3;KTs+ vs 66+;KQo;A2s"
    game = relance.make("turn", ranges=ranges, stack=9, bets="1;all-in", river_bets="1/2;1", raises=1)
    deal, both = game.finite_deal().floats, sides(game.tree)
    rng = np.random.default_rng(0)
    for player in (0, 1):
        reach = rng.random((both[1 - player].size + 1, deal.size(1 - player)))
        plain, compiled = (np.zeros((both[player].size + 1, deal.size(player))) for _ in range(2))
        deal.pay_cases(player, both[player].terminals, reach, plain)
        deal.compiled.pay_cases(player, both[player].terminals, reach, compiled)
        assert abs(plain).max() > 0.001
        assert abs(plain - compiled).max() <= 1e-12
        together, *before = deal.compiled._parted(player, both[player].terminals)[0]
        assert len(together.distribution) == len(deal.events)
        assert len(before) == 1
        assert {part.shared for part in together.parts} == {True, False}
        for part in together.parts:
            distinct = len(np.unique(part.rows[0])) == part.rows[0].size
            assert part.shared or distinct  # else two threads could write to one row
