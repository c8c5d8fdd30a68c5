"""The compiled loop over the endings of large trees: the same chips as numpy's."""

import numpy as np
import pytest

import relance
from relance.model import deal as deals
from relance.model.sequences import MatrixEndings
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
    law = game.finite_deal().floats
    for player, side in enumerate(game.forms):
        reach = rng.random((game.forms[1 - player].size + 1, law.size(1 - player)))
        plain = np.zeros((side.size + 1, law.size(player)))
        law.pay_cases(player, side.endings, reach, plain)
        assert isinstance(law.written(side, player), MatrixEndings)
        ((_, compiled),) = terminal_values(side, law, player, [ALL], lambda part, reach=reach: reach)
        assert abs(plain).max() > 0.01
        assert abs(compiled - plain).max() <= 1e-12
