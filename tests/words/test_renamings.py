"""Renamed games: other names for everything, decided by a seed."""

import re
from itertools import product

import pytest
from conftest import DEFAULTS

from relance.words.prompts import describe
from relance.words.renamings import renamed_wording


@pytest.mark.parametrize("game", DEFAULTS, ids=str)
def test_a_renaming_hides_the_names_and_is_decided_by_its_seed(game):
    plain, other = describe(game), describe(game, renamed_wording(game, 5))
    assert other == describe(game, renamed_wording(game, 5))
    assert len({describe(game, renamed_wording(game, seed)) for seed in range(8)}) > 5
    words = set(re.findall(r"\w+", other))
    assert not words & {name for name in renamed_wording(game, 5).actions if " " not in name}
    assert game.tree.is_usual <= (set(renamed_wording(game, 5).actions) == set(game.actions))
    assert "chip" not in other
    assert "player 0" in plain


def test_every_pair_of_renamed_names_differs():
    for game, seed in product(DEFAULTS, range(5)):
        wording = renamed_wording(game, seed)
        called = [*wording.actions.values(), *wording.hands.values(), *wording.seats]
        assert len({name.casefold() for name in called}) == len(called)
