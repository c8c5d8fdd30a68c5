"""Distributions of hands as text."""

from fractions import Fraction

import numpy as np
import pytest

import relance
from relance.model.distributions import independent, joint_distribution


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("fgm:0.5", "fgm:1/2"),
        ("fgm: +2/4", "fgm:1/2"),
        ("power:2.0:01", "power:2:1"),
        ("atoms:.25", "atoms:1/4"),
        ("normal:-0.6", "normal:-3/5"),
        ("uniform", "uniform"),
    ],
)
def test_a_distribution_is_the_same_however_it_is_written(written, text):
    games = [relance.make("von_neumann", deal=distribution) for distribution in (written, text)]
    assert games[0] == games[1]
    assert hash(games[0]) == hash(games[1])
    assert games[0].parameters["deal"] == text


def test_a_distribution_in_floats_is_exact():
    """Probabilities mean simple fractions where these sum to 1, edges the decimals that they print."""
    third, hands = 1 / 3, ["a", "b"]
    deal = joint_distribution(hands, hands, [[third, 0.0], [third, 1 - 2 * third]], [[0, np.float64(0.1)], [0.5, -1.0]])
    assert deal.joint().tolist() == [[Fraction(1, 3), 0], [Fraction(1, 3), Fraction(1, 3)]]
    assert deal.joint_edge().tolist() == [[0, 0], [Fraction(1, 6), Fraction(-1, 3)]]
    sides = [{"x": (p, 0), "y": (1 - p, 1)} for p in (0.1, third)]
    assert independent(*sides).prior(0).tolist() == [Fraction(1, 10), Fraction(9, 10)]
    assert independent(*sides).prior(1).tolist() == [Fraction(1, 3), Fraction(2, 3)]
    event = joint_distribution(hands, hands, [[0.25, 0], [0, 0.25]], [[0, -1], [1, 0]])  # of an event: half of all
    assert event.joint().tolist() == [[Fraction(1, 4), 0], [0, Fraction(1, 4)]]
    with pytest.raises(ValueError, match="joint and edge need 2 rows, one for each hand of player 0, and 2 columns"):
        joint_distribution(hands, hands, [[1, 0]], [[0, 0], [0, 0]])
