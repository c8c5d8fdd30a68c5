"""Sums over shared cards, against the matrix of all pairs."""

import numpy as np
import pytest
from test_classes import SMALL

from relance.model.playing_cards.classes import deck
from relance.model.playing_cards.pair_counts import Triangle
from relance.model.playing_cards.shared_cards import SharedCards


@pytest.fixture(params=SMALL, ids=str)
def small(request):
    return deck(*request.param)


def test_sums_over_shared_cards_are_the_matrix(small):
    pytest.importorskip("numba", reason="needs the extra fast")
    weights = np.random.default_rng(2).random((3, len(small.classes)))
    matrix, shared = Triangle(small).products(weights), SharedCards(small).products(weights)
    for a, b in zip(matrix, shared, strict=True):
        assert np.abs(a - b).max() <= 1e-11 * np.abs(matrix[0]).max()
