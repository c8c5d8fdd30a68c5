"""Thresholds of a strategy, whoever mixes."""

import pytest

import relance


def test_thresholds_by_frequency_where_the_caller_mixes():
    """Half of the hands between 4/9 and 6/9 call as often as all of them above 5/9."""
    game = relance.make("von_neumann")
    published = game.published()
    thirds = {"call": [("4/9", "2/3", "1/2"), ("2/3", 1)]}
    mixed = game.profile({"": {"bet": [(0, "1/9"), ("7/9", 1)]}, "bet": thirds})
    for made, profile in ((game, mixed), (game.grid(18), game.grid(18).fit(mixed))):
        found = relance.score(made, profile)
        call = found.thresholds["bet"]["call"]
        assert call.by_frequency == pytest.approx((5 / 9,), abs=1e-12)
        assert call.learned != (5 / 9,)
    assert relance.nash_conv(game, mixed) == relance.nash_conv(game, published) == 0
