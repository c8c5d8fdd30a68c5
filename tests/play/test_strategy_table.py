"""Actions drawn from a strategy, one at a time and many at once."""

import numpy as np

from relance.play.loops import streams
from relance.play.numpy_loops import choose, deal_hands
from relance.play.policies import policy_of
from relance.play.runouts import law_of
from relance.play.strategy_table import Sampler


def test_one_draw_and_many_take_what_the_strategy_says(published_game):
    rng = np.random.default_rng(0)
    for seat in (0, 1):
        table, profile = policy_of(published_game, "published", seat), published_game.published()
        nodes = np.flatnonzero(published_game.tree.table.player == seat)
        if not len(nodes):  # a player who never acts
            continue
        node, uniform = rng.choice(nodes, 50), rng.random(50)
        hand = deal_hands(law_of(published_game), streams(0, np.arange(50)))[0][seat]
        expected = []
        for n, h, u in zip(node.tolist(), hand.tolist(), uniform.tolist(), strict=True):
            rows = profile[published_game.tree.table.names[n]]
            chances = [float(row(h) if callable(row) else row[h]) for row in rows]
            expected.append(published_game.tree.table.legal_ids[n][int((u >= np.cumsum(chances)[:-1]).sum())])
        sampler, draws = Sampler(table), zip(node.tolist(), hand.tolist(), uniform.tolist(), strict=True)
        assert [sampler.draw(*draw) for draw in draws] == expected
        assert choose(table, node, hand, uniform).tolist() == expected
