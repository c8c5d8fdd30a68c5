import pytest
from conftest import ALIGNED, parametrised

import relance
from relance.registration.confirmation import confirm

QUICK = [game for game in ALIGNED if game.deal.size(0) <= 12]


@pytest.mark.parametrize("game", parametrised(QUICK))
def test_openspiel_confirms_the_published_profile(game):
    found = confirm(game)
    assert found.agrees
    assert found.ours == "0" or game.rounding
    assert (found.theirs is None) == bool(game.cuts and not game.hands)


def test_openspiel_notices_a_wrong_profile(monkeypatch):
    game = relance.make("von_neumann", bet=2, hands=9)
    wrong = game.profile({"": {"bet": [0, 1, 0, 0, 0, 0, 0, 1, 1]}, "bet": {"call": [0, 0, 0, 0, 0, 1, 1, 1, 1]}})
    monkeypatch.setattr(type(game), "published", lambda self: wrong)
    found = confirm(game, max_iterations=100)
    assert not found.agrees
    assert found.theirs > 0.01
