"""Whole games between players of any kind."""

import numpy as np
import pytest
from conftest import PUBLISHED, parametrised, whole_games
from test_batch import PATHS

import relance
from relance.model.tree import OVER
from relance.play.batch import Batch


@pytest.fixture(params=PATHS, ids=["numpy", "numba"])
def compiled(request):
    return request.param


@pytest.mark.parametrize("game", parametrised(PUBLISHED))
def test_published_play_earns_its_value(game, compiled):
    tables = Batch(game, 4000, seed=9, compiled=compiled)
    profile = game.published()
    rounds = [(whole_games(tables, profile, "published"), tables.chips.copy()) for _ in range(2)]
    decisions, chips = map(np.array, zip(*rounds, strict=True))
    worth = float(relance.value(game, profile))
    assert abs(chips.mean() - worth) < 5 * chips.std() / np.sqrt(chips.size) + 1e-12
    assert decisions.min() >= 1
    assert decisions.max() <= game.tree.depth
    assert not tables.rewards.sum(axis=1).any()
    tables.step(np.full(4000, -1))  # all games are over, so all tables are dealt anew, whatever the action
    assert (tables.node == 0).all()


def test_callables_play(default_game, compiled):
    asked = []

    def last_legal(observations, masks):
        asked.append((observations, masks))
        return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)

    tables = Batch(default_game, 20, seed=2, compiled=compiled)
    table, node, taken = default_game.tree.table, 0, 0
    while table.player[node] != OVER:
        if table.after[node]:  # whichever event turns up, the same actions follow
            node = next(iter(table.after[node].values()))
        else:
            node, taken = table.child[node, table.legal_ids[node][-1]], taken + 1
    decisions = whole_games(tables, last_legal, last_legal)
    assert all(table.past[at] == table.past[node] for at in tables.node)
    assert (decisions == taken).all()
    assert all(len(seen) == len(mask) == 20 and mask.any(axis=1).all() for seen, mask in asked)
    with pytest.raises(ValueError, match=r"actions must be whole numbers of shape \(\d+,\), not int64 of shape"):
        whole_games(tables, lambda observations, masks: 0, "uniform")
