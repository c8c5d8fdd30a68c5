"""Scores in floats are the exact ones."""

import pytest

import relance


def test_float_scores_are_the_exact_ones(aligned_game):
    profile = aligned_game.published()
    floats = profile.as_float()
    assert relance.value(aligned_game, floats) == pytest.approx(float(relance.value(aligned_game, profile)), abs=1e-12)
    assert relance.nash_conv(aligned_game, floats) == pytest.approx(0, abs=1e-9)
