"""Drawn games are legal, and a number gives the same one again."""

import pytest

import relance
from benchmarks.drawn_games import drawn


@pytest.mark.parametrize("number", range(60))
def test_a_drawn_game_can_be_made_and_has_a_tolerance_in_reach(number):
    text, tolerance = drawn(number)
    assert drawn(number) == (text, tolerance)
    game = relance.make(text)
    assert min(map(game.finite_deal().size, (0, 1))) > 0
    assert 1e-9 <= tolerance <= 1e-2 * 20


def test_numbers_give_different_games():
    assert len({drawn(number) for number in range(60)}) == 60
