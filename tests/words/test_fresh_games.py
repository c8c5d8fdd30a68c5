"""Fresh games with their exact answers."""

from fractions import Fraction

import pytest
from conftest import marked

import relance
from relance.envs.catalogue import BLUEPRINTS
from relance.solvers.exact import nash_conv, value
from relance.words.fresh_games import fresh_game, in_its_unit


@pytest.mark.parametrize("seed", marked(range(12), lambda seed: seed >= 4))
def test_a_fresh_game_has_an_exact_answer(seed):
    drawn = fresh_game(seed)
    assert nash_conv(drawn.game, drawn.profile) == 0
    assert drawn.value == value(drawn.game, drawn.profile)
    assert isinstance(drawn.uniform, Fraction)
    assert drawn.uniform > 0
    again = fresh_game(seed)
    assert (again.game, again.value, vars(again.wording)) == (drawn.game, drawn.value, vars(drawn.wording))
    assert relance.make(str(drawn.game)) == drawn.game


def test_fresh_games_differ():
    """From each other, and from those of the catalogue by more than the unit."""
    drawn = [fresh_game(seed) for seed in range(40)]
    assert len({str(one.game) for one in drawn}) > 37
    assert len({one.wording.name for one in drawn}) == 40
    assert {one.mixes > 0 for one in drawn} == {True, False}
    for one in drawn:
        printed = [relance.make(one.game.name, **sample) for sample in ({}, *BLUEPRINTS[one.game.name].samples)]
        assert in_its_unit(one.game) not in list(map(in_its_unit, printed))
    twice, other = relance.make("one_card_poker", ante=2, bet=2), relance.make("one_card_poker", ante=2, bet=3)
    assert in_its_unit(twice) == in_its_unit(relance.make("one_card_poker")) != in_its_unit(other)
    assert any("deal=" in str(one.game) and "deal=uniform" not in str(one.game) for one in drawn)
