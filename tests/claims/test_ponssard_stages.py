"""Cav and Vex by rectangles, against hulls that are known or computed point by point."""

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relance.claims.ponssard.stages import NoHullError, cav, vex

heights = st.lists(st.integers(-6, 6).map(Fraction), min_size=4, max_size=4)
PLACES = [Fraction(0), Fraction(1, 5), Fraction(1, 2), Fraction(1)]


def chords(places, height):
    """At each place the greatest height of a straight line between two points on either side of it."""
    for place, own in zip(places, height, strict=True):
        lines = [
            low + (high - low) * (place - left) / (right - left)
            for (left, low), (right, high) in combinations(zip(places, height, strict=True), 2)
            if left < place < right
        ]
        yield max([own, *lines])


@given(heights)
def test_a_hull_is_the_best_chord(height):
    same_on_both_sides = [[x, x] for x in height]
    table, touched = cav({"f": same_on_both_sides}, PLACES)
    assert table == [[x, x] for x in chords(PLACES, height)]
    assert all(height[row] == table[row][0] and name == "f" for row, name in touched[0])
    mirrored, _ = vex({"f": [list(height)] * 2}, PLACES)
    assert mirrored == [[-x for x in chords(PLACES, [-h for h in height])]] * 2


def test_the_greater_of_two_counts_and_is_named():
    flat, steep = [[0, 0]] * 4, [[-2, -2], [-1, -1], [0, 0], [3, 3]]
    table, touched = cav({"flat": flat, "steep": steep}, PLACES)
    assert table == [[3 * place] * 2 for place in PLACES]
    assert touched == [{(0, "flat"), (3, "steep")}]


def test_functions_that_cross_inside_a_rectangle_are_refused():
    with pytest.raises(NoHullError, match="between columns 0 and 1"):
        cav({"f": [[0, 0]] * 4, "g": [[1, -1]] * 4}, PLACES)
