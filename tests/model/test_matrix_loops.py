"""The compiled loop over the terminal nodes of large trees: the same chips as numpy's."""

import numpy as np
import pytest

import relance
from relance.model import deal as deals
from relance.model.sequences import MatrixTerminals
from relance.solvers.sequence_form import ALL, terminal_values


@pytest.mark.parametrize(
    "name", ["liars_dice", "liars_dice(dice=2,sides=2,wild=false)", "leduc(merge_suits=false,raises=1)"]
)
@pytest.mark.parametrize("threads", ["1", "3"])
def test_the_compiled_loop_pays_what_numpy_does(name, threads, monkeypatch):
    pytest.importorskip("numba", reason="needs the extra fast")
    monkeypatch.setenv("NUMBA_NUM_THREADS", threads)
    monkeypatch.setattr(deals, "MOST_WRITTEN", 0)
    monkeypatch.setattr(deals.numba_start, "WORTH", 0)
    game, rng = relance.make(name), np.random.default_rng(0)
    distribution = game.finite_deal().floats
    for player, side in enumerate(game.forms):
        reach = rng.random((game.forms[1 - player].size + 1, distribution.size(1 - player)))
        plain = np.zeros((side.size + 1, distribution.size(player)))
        distribution.pay_cases(player, side.terminals, reach, plain)
        assert isinstance(distribution.written(side, player), MatrixTerminals)
        ((_, compiled),) = terminal_values(side, distribution, player, [ALL], lambda part, reach=reach: reach)
        assert abs(plain).max() > 0.01
        assert abs(compiled - plain).max() <= 1e-12
