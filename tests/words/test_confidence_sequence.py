"""Confidence sequences: they cover at every moment at once, and narrow like the deviation of the mean."""

import numpy as np
import pytest

from relance.words.confidence_sequence import STAKES, mean_interval


def ever_missed(chance, level, most=30):
    """The probability that one of the intervals after 1, 2, ..., `most` throws of a coin misses: a walk over the numbers of heads."""
    never = np.array([1.0])
    for throws in range(1, most + 1):
        never = (1 - chance) * np.append(never, 0) + chance * np.insert(never, 0, 0)
        for heads in range(throws + 1):
            low, high = mean_interval([1.0] * heads + [0.0] * (throws - heads), 0, 1, level)
            if not low <= chance <= high:
                never[heads] = 0
    return 1 - never.sum()


@pytest.mark.parametrize(("chance", "level"), [(0.03, 0.05), (0.5, 0.05), (0.5, 0.5), (0.2, 0.95)])
def test_they_ever_miss_with_at_most_the_probability_they_allow(chance, level):
    assert ever_missed(chance, level) <= 1 - level


@pytest.mark.parametrize("level", [0.5, 0.95])
def test_each_end_costs_half_of_what_is_allowed(level):
    """Chips staked throw by throw: no mean within the interval is refuted by either side, and each end is where one side refutes."""
    x = np.random.default_rng(4).beta(2, 5, 60)

    def chips(mean, high):
        share, top = (x, mean) if high else (1 - x, 1 - mean)
        return np.mean([np.prod([1 - stake + stake * one / top for one in share]) for stake in STAKES])

    low, high = mean_interval(x, 0, 1, level)
    assert chips(low, high=True) == pytest.approx(2 / (1 - level), rel=1e-6)
    assert chips(high, high=False) == pytest.approx(2 / (1 - level), rel=1e-6)
    for mean in np.linspace(low, high, 20)[1:-1]:
        assert max(chips(mean, high=True), chips(mean, high=False)) < 2 / (1 - level)


@pytest.mark.parametrize("chance", [0.01, 0.2, 0.5])
def test_they_cover_whenever_one_looks(chance):
    rng, missed = np.random.default_rng(1), 0
    for _ in range(100):
        x = 3 * (rng.random(1000) < chance) - 1.0
        ends = [mean_interval(x[:n], -1, 2) for n in (5, 30, 150, 500, 1000)]
        missed += not all(low <= 3 * chance - 1 <= high for low, high in ends)
    assert missed <= 5


@pytest.mark.parametrize("of", ["coins", "close", "rare"])
def test_they_narrow(of):
    """They take about 1.8 times the width that an interval needs which may be looked at only once."""
    rng, n = np.random.default_rng(2), 20_000
    x = {"coins": rng.random(n) < 0.3, "close": rng.beta(30, 30, n), "rare": rng.random(n) < 0.02}[of] * 1.0
    for some in (1000, 5000, n):
        low, high = mean_interval(x[:some], 0, 1)
        assert 1.5 < (high - low) / (2 * 1.96 * x[:some].std() / some**0.5) < 2


def test_both_ends_are_made_alike():
    x = np.random.default_rng(3).random(50) ** 3
    low, high = mean_interval(x, 0, 1)
    assert mean_interval(5 - 2 * x, 3, 5) == pytest.approx((5 - 2 * high, 5 - 2 * low))
    assert mean_interval(x[::-1], 0, 1) == pytest.approx((low, high))


def test_equal_observations_leave_doubt():
    low, high = mean_interval(np.zeros(100), -1, 1)
    assert low < 0 < high
    assert mean_interval(np.ones(100), -1, 1)[1] == 1
    assert mean_interval([], -1, 1) == (-1, 1)
    assert mean_interval([2.0], 2, 2) == (2, 2)


def test_what_happened_once_is_possible():
    """A mean of numbers that are at least 0, one of which is above 0, is above 0."""
    assert 0 < mean_interval([*np.zeros(999), 0.5], 0, 1)[0] < 1e-3
    assert mean_interval(np.zeros(1000), 0, 1)[0] == 0


def test_observations_at_the_edge_of_floats():
    """A sum that rounding puts beyond the bound counts as the bound, and next to nothing as nothing."""
    assert mean_interval([0.1 + 0.2] * 5, 0, 0.3) == mean_interval([0.3] * 5, 0, 0.3)
    assert mean_interval([1e-305], 0, 1)[0] == 0
