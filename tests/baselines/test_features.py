"""Features: every information set has its own, and equal observations are merged."""

import numpy as np
import pytest
from conftest import DEFAULTS

import relance
from relance.baselines import features
from relance.play.batch import Batch
from relance.play.rules import rules

KUHN = relance.make("one_card_poker", raises=0)


@pytest.mark.parametrize("game", DEFAULTS, ids=str)
def test_every_information_set_has_features_of_its_own(game):
    tents, known = features.Tents(game, 9), rules(game)
    hands = range(game.deal.size(0)) if game.deal.is_finite else (0.0, 0.3, 1.0)
    if game.deal.is_finite:
        hands = range(min(game.deal.size(0), game.deal.size(1)))
    seen = [known.observe(p, hand, node) for node, p in enumerate(known.player) if p >= 0 for hand in hands]
    rows = tents(np.stack(seen)).toarray()
    assert len(np.unique(rows, axis=0)) == len(seen)
    assert np.allclose(rows.sum(axis=1), 1)


def test_a_table_has_a_column_for_each_information_set():
    seen = np.concatenate([relance.play.agents.questions(KUHN, seat)[0] for seat in (0, 1)])
    assert sorted(map(tuple, features.Cells(KUHN)(seen))) == sorted(map(tuple, np.eye(12)))


def test_equal_observations_are_merged():
    batch = Batch(KUHN, 500, seed=0)
    seen = batch.observe()
    cosines = features.Cosines(seen, 16, 5.0, 10.0, np.random.default_rng(0))
    for made in (cosines, features.Tents(KUHN, 9), features.Cells(KUHN)):
        first, number = made.merged(seen)
        assert np.array_equal(seen[first][number], seen)
        assert len(first) == 3
    seen = Batch(relance.make("von_neumann"), 500, seed=0).observe()
    assert not features.Cosines(seen, 16, 5.0, 10.0, np.random.default_rng(0)).merges
    assert not features.Tents(relance.make("von_neumann"), 9).merges
