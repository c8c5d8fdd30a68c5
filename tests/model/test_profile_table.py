"""Profiles as tables for reading."""

from fractions import Fraction

import numpy as np

import relance
from relance.model.profile_table import MOST_ROWS, profile_table


def table(**rows):
    return profile_table("title", {"bet": rows}, {"bet": 1}).splitlines()


def test_a_line_says_who_acts_where_and_how_often():
    game = relance.make("one_card_poker", raises=0)
    assert str(game.published(alpha="1/3")).splitlines()[1:3] == [
        "player 0 to open          check  2/3, 1, 0",
        "                          bet    1/3, 0, 1",
    ]


def test_intervals_and_runs_of_equal_hands_are_told_once():
    game = relance.make("von_neumann", bet=2)
    lines = str(game.published()).splitlines()
    assert lines[2].endswith("bet    1 on [0, 1/9], 1 on [7/9, 1]")
    assert lines[3].endswith("fold   1 on [0, 5/9]")
    cells = np.array([Fraction(0)] * 5 + [Fraction(1, 2)] + [Fraction(1)] * 3, object)
    assert table(call=cells) == ["title", "player 1 after bet  call  0 x5, 1/2, 1 x3"]


def test_what_is_long_is_cut_in_the_middle_and_counted_at_the_end():
    (_, line) = table(call=np.array([Fraction(i, 20) for i in range(20)], object))
    assert line.endswith("call  0, 1/20, 1/10, ..., 17/20, 9/10, 19/20")
    many = {f"a{i}": np.zeros(2) for i in range(MOST_ROWS + 3)}
    assert table(**many)[-1] == "... and 3 more actions"
    assert table(call=np.array([Fraction(123456789, 987654321), 0], object))[1].endswith("call  0.125, 0")
