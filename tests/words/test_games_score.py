"""Scores of logs that cannot carry NashConv, and as JSON."""

import json

import numpy as np
from test_logged_score import KUHN, played

import relance
from relance.play.agents import strategy


def test_a_log_that_cannot_carry_nash_conv_gives_bounds():
    """An agent in one seat only: nothing is known of the other."""
    rows = [row for row in played(KUHN, "published", "uniform", 500) if row.seat == 0]
    score = relance.words.score_games(KUHN, rows)
    assert score.nash_conv is None
    assert {(one.node, one.seat) for one in score.missing} == {("check", 1), ("bet", 1)}
    low, high = score.nash_conv_bounds
    assert low == 0
    assert high > 1
    assert score.best[1][0] <= 1 / 18 <= score.best[1][1]  # against seat 0, which is known
    assert score.best[1][1] - score.best[1][0] < 0.3
    assert "no answers at 6 information sets" in str(score)
    assert f"{2 * score.hands_needed:,} hands against uniform" in str(score)
    assert all(one.player == 0 for one in score.deviations)


def test_bounds_hold_for_few_hands():
    for agent in ("published", "passive"):
        profile = KUHN.together(*(strategy(KUHN, agent, seat) for seat in (0, 1)))
        exact = relance.nash_conv(KUHN, profile)
        for seed in range(10):
            low, high = relance.words.score_games(KUHN, played(KUHN, agent, "uniform", 10, seed)).nash_conv_bounds
            assert low <= exact <= high


def test_as_json():
    score = relance.words.score_games(KUHN, played(KUHN, "perturbed(0.1)", "uniform", 200))
    data = json.loads(json.dumps(score.as_dict()))
    assert np.allclose(data["policy"]["check"]["bet"], score.profile.row("check", "bet"))
    assert data["nash_conv"]["low"] == score.nash_conv.low
    assert data["against"][0]["adjusted"]["mean"] == score.against[0].adjusted.mean
