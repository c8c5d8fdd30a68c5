"""Tables for dealing."""

import numpy as np
import pytest
from conftest import alias_shares

from relance.model.deal_table import alias_table
from relance.play.loops import pick


def test_alias_tables():
    rng = np.random.default_rng(3)
    for size in (1, 2, 3, 7, 64, 1000):
        weights = rng.random(size) ** 4 * (rng.random(size) < 0.7)
        weights[rng.integers(size)] += 0.1
        table = alias_table(weights)
        assert alias_shares(table)[:size] == pytest.approx(weights / weights.sum(), abs=1e-14)
        assert (pick(table, rng.integers(2**64, size=1000, dtype=np.uint64)) < size).all()
