"""Figures of a board: medians, interquartile means, and their intervals."""

from math import isnan

import numpy as np
import pytest
from scipy import stats

from relance.pages.board_tables import digits, estimate, middle, over_games


def test_the_interval_of_a_median_is_that_of_the_binomial_distribution():
    """A resample of five has the least as its median where three of it are: P = 0.058 > 2.5%; of nine, the least is too rare."""
    five, nine = np.arange(1.0, 6), np.arange(1.0, 10)
    assert estimate(middle, [five]) == (3, 1, 5)
    assert stats.binom.sf(2, 5, 1 / 5) > 0.025 > stats.binom.sf(4, 9, 1 / 9)
    value, low, high = estimate(middle, [nine])
    assert value == 5
    assert 1 < low < 5 < high < 9


def test_one_run_has_no_interval():
    value, low, high = estimate(middle, [[0.5]])
    assert value == 0.5
    assert isnan(low)
    assert isnan(high)


def test_a_difference_has_an_interval_and_a_sign():
    worse, better = [0.5, 0.6, 0.7, 0.8, 0.9], [0.1, 0.2, 0.3, 0.2, 0.1]
    there, back = estimate(middle, [worse], [better]), estimate(middle, [better], [worse])
    assert there.value == pytest.approx(0.5)
    assert 0 < there.low <= there.value <= there.high
    assert (back.low, back.high) == pytest.approx((-there.high, -there.low), abs=0.05)
    same = estimate(middle, [worse], [worse])
    assert same.low < 0 == same.value < same.high


def test_over_games_the_mean_is_that_of_rliable_where_all_have_as_many_runs():
    """rliable's aggregate_iqm trims a quarter of all scores, runs and games together, off both ends."""
    scores = np.random.default_rng(0).exponential(size=(8, 6))  # runs, games
    assert over_games(list(scores.T)) == pytest.approx(stats.trim_mean(scores, proportiontocut=0.25, axis=None))


def test_a_game_with_more_runs_does_not_count_more():
    assert over_games([np.array([0.0, 0.0]), np.full(6, 1.0)]) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("value", "text"), [(0.01234, "0.012"), (3.456, "3.5"), (99.4, "99"), (123.4, "123"), (1e4, "10,000")]
)
def test_two_digits_without_powers_of_ten(value, text):
    assert digits(value) == text
