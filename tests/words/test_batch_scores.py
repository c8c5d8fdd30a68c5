"""Many profiles of one game at once, against each by itself."""

import numpy as np
import pytest
from conftest import VARIED, random_profile

import relance
from relance.words.batch_scores import Many


def rows(game, many, profile, player):
    out = np.zeros((many.sides[player].size, game.deal.size(player)))
    for name, slots in many.sides[player].slots.items():
        out[slots] = np.stack([np.asarray(row, float) for row in profile[name]])
    return out


@pytest.mark.parametrize("game", [game for game in VARIED if max(map(game.deal.size, (0, 1))) <= 100], ids=str)
def test_values_and_best_responses_are_those_of_each_profile(game):
    rng, many = np.random.default_rng(3), Many(game)
    profiles = [random_profile(game, lambda: int(rng.integers(1, 7))).as_float() for _ in range(3)]
    share = [np.hstack([rows(game, many, profile, player) for profile in profiles]) for player in (0, 1)]
    for player in (0, 1):
        chips = many.chips(player, share[1 - player])
        earned = many.earns(player, share[player], chips)
        best = many.earns(player, many.respond(player, chips), chips)
        for k, profile in enumerate(profiles):
            sign = 1 - 2 * player
            assert earned[k] == pytest.approx(sign * float(relance.value(game, profile)), abs=1e-9)
            assert best[k] == pytest.approx(float(relance.best_response(game, profile, player).value), abs=1e-9)
